// The worker of the page: scans, sums, writes records, or tries a text, on request.
import "#javascript";
import { explain } from "../../api/explain.ts";
import { messageOf } from "../../base/errors.ts";
import { finishAtOnce } from "../../input/pacer.ts";
import { addTotals, emptyTotals, type Totals } from "../../run/totals.ts";
import { makeSummary } from "../../summary/make-summary.ts";
import { Summarizer } from "../../summary/summarizer.ts";
import type { SummaryRun } from "../../summary/summary.ts";
import type { CountsMessage, Request, TriedPiece } from "./page-worker.ts";
import { CountingScan, type Send, WritingScan } from "./scan-worker.ts";

/** The members of a worker's global scope that the DOM types lack. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const send: Send = (reply, transfer = []) => scope.postMessage(reply, transfer);

let counting: CountingScan | undefined;
let writing: WritingScan | undefined;
let sum: Sum | undefined;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  if (data.kind === "stop") counting?.scanner.stop();
  else if (data.kind === "taken") writing?.inFlight.acknowledge();
  else last = last.then(() => answer(data)).catch((error: unknown) => send({ kind: "broken", message: messageOf(error) }));
};

async function answer(request: Exclude<Request, { kind: "stop" | "taken" }>): Promise<void> {
  if (request.kind === "begin") counting = new CountingScan(request.settings, request.counts, send);
  if (request.kind === "sum") sum = new Sum(request.counts, request.most);
  if (request.kind === "begin" || request.kind === "sum") return;
  if (request.kind === "scan") await counting?.scan(request.parts);
  if (request.kind === "flush") await counting?.flush();
  if (request.kind === "write") {
    writing = new WritingScan(send);
    await writing.write(request.inputs, request.settings);
  }
  if (request.kind === "try") send({ kind: "tried", pieces: tryText(request.text) });
  if (request.kind === "finish") sum?.finish();
  send({ kind: "done" });
}

/**
 * Cuts a text that the user typed into candidates, with the rules that decided, and the text between. Together the pieces are the text.
 * Throws InputError for a text of more than 256 KiB.
 */
function tryText(text: string): TriedPiece[] {
  const pieces: TriedPiece[] = [];
  let at = 0;
  for (const { start, end, url, kind, flags, code, steps } of explain(text, { bare: ["www"] })) {
    // A match inside another one has no piece of its own.
    if (start < at) continue;
    if (start > at) pieces.push({ text: text.slice(at, start) });
    const words = [...(kind === undefined || kind === "plain" ? [] : [kind]), ...flags, ...(code === undefined ? [] : [code])];
    pieces.push({ text: text.slice(start, end), candidate: { url, isMatch: kind !== undefined, words, rules: steps } });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

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
  readonly #totals: (Totals | undefined)[];
  readonly #most: number;
  #next = 0;
  /** The timer for the next summary; undefined while there are no new counts. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ports`: the ports of the scanning workers. `most`: most rows of a table. */
  constructor(ports: readonly MessagePort[], most: number) {
    this.#most = most;
    this.#totals = ports.map(() => undefined);
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

  finish(): void {
    clearTimeout(this.#timer);
    this.#sendSummary(true);
  }

  #sendSummary(isLast: boolean): void {
    const totals = emptyTotals();
    for (const one of this.#totals) if (one !== undefined) addTotals(totals, one);
    const summary = finishAtOnce(makeSummary(this.#summarizer.counted(), totals, NO_RUN, this.#most));
    send({ kind: "summary", summary, isLast });
  }

  #showNow(): void {
    this.#timer = undefined;
    const begin = performance.now();
    this.#sendSummary(false);
    const end = performance.now();
    this.#next = end + Math.max(SHOW_EVERY_MS, MAKING_FACTOR * (end - begin));
  }
}
