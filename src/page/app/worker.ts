// The worker of the page: scans, sums, writes records, or tries a text, on request.
import "#javascript";
import { explain } from "../../api/explain.ts";
import { messageOf } from "../../base/errors.ts";
import { finishAtOnce } from "../../input/pacer.ts";
import type { ScanSettings } from "../../options/options.ts";
import { addTotals, emptyTotals } from "../../run/totals.ts";
import { makeSummary } from "../../summary/make-summary.ts";
import { Summarizer } from "../../summary/summarizer.ts";
import type { Summary, SummaryRun } from "../../summary/summary.ts";
import type { PageInput, PagePart } from "./input-bytes.ts";
import { type CountsMessage, countingScan, type Send, writeRecords } from "./scan-worker.ts";

const send: Send = (reply) => globalThis.postMessage(reply);

let counting: ReturnType<typeof countingScan> | undefined;
let sum: (() => Summary) | undefined;

/** Calls of the page, which waits for each answer. */
const calls = {
  /** Prepares a scan that sends its counts to `counts`. */
  begin(settings: ScanSettings, counts: MessagePort): void {
    counting = countingScan(settings, counts, send);
  },
  scan: async (parts: readonly PagePart[]): Promise<void> => await counting?.scan(parts),
  flush: async (): Promise<void> => await counting?.flush(),
  /** Sends records to `pieces`, and waits until they are acknowledged. */
  write: (settings: ScanSettings, inputs: readonly PageInput[], pieces: MessagePort) => writeRecords(settings, inputs, pieces, send),
  /** Sums the counts that come from `counts`. A table of a summary has at most `most` rows. */
  sum(counts: readonly MessagePort[], most: number): void {
    sum = summing(counts, most);
  },
  finish: (): Summary | undefined => sum?.(),
  /** Explains a text that the user typed. Throws InputError for a text of more than 256 KiB. */
  try: (text: string) => explain(text, { bare: ["www"] }),
};

export type Calls = typeof calls;

globalThis.onmessage = async ({ data: [name, ...values] }: MessageEvent<[name: string, ...values: unknown[]]>) => {
  // Stops the scan of a pending call, which then answers.
  if (name === "stop") return counting?.stop();
  const call = calls[name as keyof Calls] as (...given: unknown[]) => unknown;
  try {
    send({ kind: "done", value: await call(...values) });
  } catch (error) {
    send({ kind: "broken", message: messageOf(error) });
  }
};

const SHOW_EVERY_MS = 400;
/** Least ratio of the time between two summaries to the time for making one. */
const MAKING_FACTOR = 8;
/** Most bytes of all tables: a tab may have less memory than a program. */
const MEMORY_BYTES = 96 << 20;

/** The page replaces it by the facts of the run. */
const NO_RUN: SummaryRun = { started: "", seconds: 0, threads: 0, options: {}, inputs: [] };

/** Sums the counts that come from `ports`, and sends summaries to the page at intervals. Returns a function that returns the last one. */
function summing(ports: readonly MessagePort[], most: number): () => Summary {
  const summarizer = new Summarizer(MEMORY_BYTES);
  const totals = ports.map(emptyTotals);
  let next = 0;
  /** The timer for the next summary; undefined while there are no new counts. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  const summary = (): Summary => {
    const all = emptyTotals();
    for (const one of totals) addTotals(all, one);
    return finishAtOnce(makeSummary(summarizer.counted(), all, NO_RUN, most));
  };
  const show = (): void => {
    timer = undefined;
    const begin = performance.now();
    send({ kind: "summary", summary: summary() });
    const end = performance.now();
    next = end + Math.max(SHOW_EVERY_MS, MAKING_FACTOR * (end - begin));
  };
  for (const [index, port] of ports.entries()) {
    port.onmessage = ({ data: { part, totals: more } }: MessageEvent<CountsMessage>) => {
      summarizer.merge(part);
      totals[index] = more;
      port.postMessage(null);
      // A timer, because more counts may follow soon, or only after a long time.
      timer ??= setTimeout(show, Math.max(0, next - performance.now()));
    };
  }
  return () => {
    clearTimeout(timer);
    return summary();
  };
}
