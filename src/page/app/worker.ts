// The worker of the page: scans, sums, writes records, or tries a text, on request.
import "#javascript";
import { explain } from "../../api/explain.ts";
import { messageOf } from "../../base/errors.ts";
import { finishAtOnce } from "../../input/pacer.ts";
import type { ScanSettings } from "../../options/options.ts";
import { addTotals, emptyTotals, type Totals } from "../../run/totals.ts";
import { makeSummary } from "../../summary/make-summary.ts";
import { Summarizer } from "../../summary/summarizer.ts";
import type { Summary, SummaryRun } from "../../summary/summary.ts";
import type { PageInput } from "./input-bytes.ts";
import { CountingScan, type CountsMessage, type PagePart, type Send, WritingScan } from "./scan-worker.ts";

/** The members of a worker's global scope that the DOM types lack. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<[name: string, ...values: unknown[]]>) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const send: Send = (reply, transfer = []) => scope.postMessage(reply, transfer);

let counting: CountingScan | undefined;
let writing: WritingScan | undefined;
let sum: Sum | undefined;
let last: Promise<void> = Promise.resolve();

/** Calls of the page. The worker answers one at a time. */
const calls = {
  /** Prepares a scan that sends its counts to `counts`. */
  begin(settings: ScanSettings, counts: MessagePort): void {
    counting = new CountingScan(settings, counts, send);
  },
  scan: async (parts: readonly PagePart[]): Promise<void> => await counting?.scan(parts),
  /** Sends all remaining counts. */
  flush: async (): Promise<void> => await counting?.flush(),
  async write(settings: ScanSettings, inputs: readonly PageInput[]): Promise<void> {
    writing = new WritingScan(send);
    await writing.write(inputs, settings);
  },
  /** Sums the counts that come from `counts`. A table of a summary has at most `most` rows. */
  sum(counts: readonly MessagePort[], most: number): void {
    sum = new Sum(counts, most);
  },
  /** Returns the last summary. */
  finish: (): Summary | undefined => sum?.finish(),
  /** Explains a text that the user typed. Throws InputError for a text of more than 256 KiB. */
  try: (text: string) => explain(text, { bare: ["www"] }),
};

/** Messages of the page to a busy worker: stop the scan; a piece of the records has been written. */
const signals = {
  stop: (): void => counting?.scanner.stop(),
  taken: (): void => writing?.inFlight.acknowledge(),
};

export type Calls = typeof calls;
export type Signals = typeof signals;

scope.onmessage = ({ data: [name, ...values] }) => {
  const signal = signals[name as keyof Signals];
  if (signal !== undefined) return signal();
  const call = calls[name as keyof Calls] as (...given: unknown[]) => unknown;
  const answer = async (): Promise<void> => send({ kind: "done", value: await call(...values) });
  last = last.then(answer).catch((error: unknown) => send({ kind: "broken", message: messageOf(error) }));
};

// Sums the counts of the scanning workers, and sends summaries to the page at intervals.

const SHOW_EVERY_MS = 400;
/** Least ratio of the time between two summaries to the time for making one. */
const MAKING_FACTOR = 8;
/** Most bytes of all tables: a tab may have less memory than a program. */
const MEMORY_BYTES = 96 << 20;

/** The page replaces it by the facts of the run. */
const NO_RUN: SummaryRun = { started: "", seconds: 0, threads: 0, options: {}, inputs: [] };

class Sum {
  readonly #summarizer = new Summarizer(MEMORY_BYTES);
  readonly #totals: Totals[];
  readonly #most: number;
  #next = 0;
  /** The timer for the next summary; undefined while there are no new counts. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ports`: the ports of the scanning workers. `most`: most rows of a table. */
  constructor(ports: readonly MessagePort[], most: number) {
    this.#most = most;
    this.#totals = ports.map(emptyTotals);
    for (const [index, port] of ports.entries()) {
      port.onmessage = ({ data: { part, totals } }: MessageEvent<CountsMessage>) => {
        this.#summarizer.merge(part);
        this.#totals[index] = totals;
        port.postMessage(null);
        // A timer, because more counts may follow soon, or only after a long time.
        this.#timer ??= setTimeout(() => this.#showNow(), Math.max(0, this.#next - performance.now()));
      };
    }
  }

  finish(): Summary {
    clearTimeout(this.#timer);
    return this.#summary();
  }

  #summary(): Summary {
    const totals = emptyTotals();
    for (const one of this.#totals) addTotals(totals, one);
    return finishAtOnce(makeSummary(this.#summarizer.counted(), totals, NO_RUN, this.#most));
  }

  #showNow(): void {
    this.#timer = undefined;
    const begin = performance.now();
    send({ kind: "summary", summary: this.#summary() });
    const end = performance.now();
    this.#next = end + Math.max(SHOW_EVERY_MS, MAKING_FACTOR * (end - begin));
  }
}
