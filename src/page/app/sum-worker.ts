// Sums the counts of the scanning workers, and sends summaries to the page at intervals.
import { finishAtOnce } from "../../input/pacer.ts";
import { addTotals, emptyTotals, type Totals } from "../../run/totals.ts";
import { makeSummary } from "../../summary/make-summary.ts";
import { Summarizer } from "../../summary/summarizer.ts";
import type { Summary, SummaryRun } from "../../summary/summary.ts";
import type { CountsMessage } from "./messages.ts";

const SHOW_EVERY = 400;
/** Least ratio of the time between two summaries to the time for making one. */
const MAKING_FACTOR = 8;
/** Most bytes of all tables: a tab may have less memory than a program. */
const MEMORY_BYTES = 96 << 20;

/** The page replaces it by the facts of the run. */
const NO_RUN: SummaryRun = { started: "", seconds: 0, threads: 0, options: {}, inputs: [] };

export class Sum {
  readonly #summarizer = new Summarizer(MEMORY_BYTES);
  readonly #totals: (Totals | undefined)[];
  readonly #most: number;
  readonly #show: (summary: Summary) => void;
  #next = 0;
  /** The timer for the next summary; undefined while there are no new counts. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ports`: the ports of the scanning workers. `most`: most rows of a table. `show` takes the summaries before the last one. */
  constructor(ports: readonly MessagePort[], most: number, show: (summary: Summary) => void) {
    this.#most = most;
    this.#show = show;
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

  finish(): Summary {
    clearTimeout(this.#timer);
    return this.#summary();
  }

  #summary(): Summary {
    const totals = emptyTotals();
    for (const one of this.#totals) if (one !== undefined) addTotals(totals, one);
    return finishAtOnce(makeSummary(this.#summarizer.counted(), totals, NO_RUN, this.#most));
  }

  #showNow(): void {
    this.#timer = undefined;
    const begin = performance.now();
    this.#show(this.#summary());
    const end = performance.now();
    this.#next = end + Math.max(SHOW_EVERY, MAKING_FACTOR * (end - begin));
  }
}
