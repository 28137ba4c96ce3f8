// Sums the counts of the workers that scan, and shows the sum to the page now and then.
import { finished } from "../../input/pacer.ts";
import { addTotals, emptyTotals, type Totals } from "../../run/totals.ts";
import { makeSummary } from "../../summary/make-summary.ts";
import { Summarizer } from "../../summary/summarizer.ts";
import type { Summary, SummaryRun } from "../../summary/summary.ts";
import type { CountsMessage } from "./messages.ts";

/** Milliseconds between two summaries at least, and how many times the making of one takes they are apart. */
const SHOW_EVERY = 400;
const SHARE = 8;
/** Memory of all tables: a tab may have less of it than a program. */
const MEMORY_BYTES = 96 << 20;

const NO_RUN: SummaryRun = { started: "", seconds: 0, threads: 0, options: {}, inputs: [] };

/** The sum of what all workers have counted. */
export class Sum {
  readonly #summarizer = new Summarizer(MEMORY_BYTES);
  readonly #totals: (Totals | undefined)[];
  readonly #most: number;
  readonly #show: (summary: Summary) => void;
  /** When the next summary may be shown, and what waits for that. */
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ports`: of the workers that scan. */
  constructor(ports: readonly MessagePort[], most: number, show: (summary: Summary) => void) {
    this.#most = most;
    this.#show = show;
    this.#totals = ports.map(() => undefined);
    for (const [index, port] of ports.entries()) {
      port.onmessage = ({ data: { part, totals } }: MessageEvent<CountsMessage>) => {
        this.#summarizer.merge(part);
        this.#totals[index] = totals;
        port.postMessage(null);
        // More may come before it is shown, or nothing for long.
        this.#timer ??= setTimeout(() => this.#showNow(), Math.max(0, this.#next - performance.now()));
      };
    }
  }

  /** Returns the last summary. */
  finish(run: SummaryRun): Summary {
    clearTimeout(this.#timer);
    return this.#summary(run);
  }

  #summary(run: SummaryRun): Summary {
    const totals = emptyTotals();
    for (const one of this.#totals) if (one !== undefined) addTotals(totals, one);
    return finished(makeSummary(this.#summarizer.counted(), totals, run, this.#most));
  }

  #showNow(): void {
    this.#timer = undefined;
    const begin = performance.now();
    this.#show(this.#summary(NO_RUN));
    const end = performance.now();
    this.#next = end + Math.max(SHOW_EVERY, SHARE * (end - begin));
  }
}
