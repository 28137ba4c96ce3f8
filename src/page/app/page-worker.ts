// A worker of the page, and the messages between the page and its workers, and from worker to worker.
import type { InputFormat } from "../../input/input-format.ts";
import type { OwnedRange, ScanSettings } from "../../options/options.ts";
import type { Totals } from "../../run/totals.ts";
import type { SummaryPart } from "../../summary/summarizer.ts";
import type { Summary } from "../../summary/summary.ts";

export interface PageInput {
  readonly name: string;
  readonly size: number;
  /** The bytes, or the address at which the server gives them. undefined: the input could not be opened. */
  readonly bytes: Uint8Array<ArrayBuffer> | Blob | URL["href"] | undefined;
}

export interface PagePart extends OwnedRange {
  readonly input: PageInput;
  /** Absent: not detected yet. */
  readonly format?: InputFormat;
  /** Whether the messages (mbox, MMDF) or records (web archive) that start in the range are scanned whole. */
  readonly byMessage?: boolean;
}

/** A request to a worker, which answers one at a time. "begin", "stop", "taken" and "sum" have no answer. */
export type Request =
  /** Prepares a scan that sends its counts to `counts`. */
  | { readonly kind: "begin"; readonly settings: ScanSettings; readonly counts: MessagePort }
  | { readonly kind: "scan"; readonly parts: readonly PagePart[] }
  /** Sends all remaining counts to `counts`. */
  | { readonly kind: "flush" }
  /** Ends the scan early. What was counted stays. */
  | { readonly kind: "stop" }
  | { readonly kind: "write"; readonly settings: ScanSettings; readonly inputs: readonly PageInput[] }
  /** The page has written a piece of the records. */
  | { readonly kind: "taken" }
  /** Sums the counts that come from `counts`. A table of a summary has at most `most` rows. */
  | { readonly kind: "sum"; readonly counts: readonly MessagePort[]; readonly most: number }
  | { readonly kind: "finish" }
  | { readonly kind: "try"; readonly text: string };

/** A match or a rejected candidate of a text that was tried. `words`: its kind, if it is not `plain`, its flags, and its reason. */
export interface TriedCandidate {
  /** null: the candidate was rejected, or its URL was refused. */
  readonly url: string | null;
  readonly isMatch: boolean;
  readonly words: readonly string[];
  readonly rules: readonly { readonly rule: string; readonly what: string }[];
}

/** A piece of a tried text: a candidate, or the text between candidates. */
export interface TriedPiece {
  readonly text: string;
  readonly candidate?: TriedCandidate;
}

export type Reply =
  /** Number of input bytes read since the last such reply. */
  | { readonly kind: "read"; readonly bytes: number }
  /** An input could not be read to its end. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "done" }
  | { readonly kind: "written"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A summary of all counts so far, without the facts of the run. */
  | { readonly kind: "summary"; readonly summary: Summary; readonly isLast: boolean }
  | { readonly kind: "tried"; readonly pieces: readonly TriedPiece[] }
  | { readonly kind: "broken"; readonly message: string };

/** Counts from a scanning worker to the summing one. `totals`: all totals of the worker so far. */
export interface CountsMessage {
  readonly part: SummaryPart;
  readonly totals: Totals;
}

/** The address of the script, which is embedded in the page, so that nothing is loaded for it. */
let script: string | undefined;

/** A worker that answers one request after the other. */
export class PageWorker {
  readonly #worker: Worker;
  #settle: ((error?: Error) => void) | undefined;

  /** `take` is called with all replies other than "done" and "broken". */
  constructor(take: (reply: Reply) => void) {
    script ??= URL.createObjectURL(new Blob([document.getElementById("worker")?.textContent ?? ""], { type: "text/javascript" }));
    this.#worker = new Worker(script);
    this.#worker.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
      if (reply.kind === "done") this.#settle?.();
      else if (reply.kind === "broken") this.#settle?.(new Error(reply.message));
      else take(reply);
    };
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
}
