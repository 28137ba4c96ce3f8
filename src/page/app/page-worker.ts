// A worker of the page, which answers one call after the other.
import type { Reply } from "./scan-worker.ts";
import type { Calls } from "./worker.ts";

/** The address of the script, which is embedded in the page, so that nothing is loaded for it. */
let script: string | undefined;

export class PageWorker {
  readonly #worker: Worker;
  #resolve: ((value: unknown) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  /** `take` is called with all replies other than "done" and "broken". */
  constructor(take?: (reply: Reply) => void) {
    script ??= URL.createObjectURL(new Blob([document.getElementById("worker")?.textContent ?? ""], { type: "text/javascript" }));
    this.#worker = new Worker(script);
    this.#worker.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
      if (reply.kind === "done") this.#resolve?.(reply.value);
      else if (reply.kind === "broken") this.#reject?.(new Error(reply.message));
      else take?.(reply);
    };
    this.#worker.onerror = ({ message }) => this.#reject?.(new Error(message || "the worker could not start"));
  }

  /** Ends the scan of a pending call early. */
  stop(): void {
    this.#worker.postMessage(["stop"]);
  }

  /** Calls a function of the worker. Rejects if the worker fails or is ended. Only one call may be pending. */
  ask<N extends keyof Calls>(name: N, values: Parameters<Calls[N]>, transfer: Transferable[] = []): Promise<Awaited<ReturnType<Calls[N]>>> {
    return new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve as (value: unknown) => void, reject];
      this.#worker.postMessage([name, ...values], transfer);
    });
  }

  /** Ends the worker. A pending call is rejected. */
  end(): void {
    this.#worker.terminate();
    this.#reject?.(new Error("the worker was ended"));
  }
}
