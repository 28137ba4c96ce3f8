// A worker of the page. Its script is embedded in the page, so that nothing is loaded for it.
import type { Reply, Request } from "./messages.ts";

let script: string | undefined;

/** A worker that answers one request after the other. */
export class PageWorker {
  readonly #worker: Worker;
  readonly #take: (reply: Reply) => void;
  #settle: ((error?: Error) => void) | undefined;

  /** `take` is called with all replies other than "done" and "broken". */
  constructor(take: (reply: Reply) => void) {
    script ??= URL.createObjectURL(new Blob([document.getElementById("worker")?.textContent ?? ""], { type: "text/javascript" }));
    this.#worker = new Worker(script);
    this.#take = take;
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data);
    this.#worker.onerror = ({ message }) => this.#settle?.(new Error(message || "the worker could not start"));
  }

  tell(request: Request, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  /** Sends a request, and waits until it is done. Rejects if the worker fails or is ended. Only one request may be pending. */
  ask(request: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        this.#settle = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.tell(request);
    });
  }

  /** Ends the worker. A pending request is rejected. */
  end(): void {
    this.#worker.terminate();
    this.#settle?.(new Error("the worker was ended"));
  }

  #receive(reply: Reply): void {
    if (reply.kind === "done") this.#settle?.();
    else if (reply.kind === "broken") this.#settle?.(new Error(reply.message));
    else this.#take(reply);
  }
}
