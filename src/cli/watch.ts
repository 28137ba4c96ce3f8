// Shows the progress of a run: as a line on a terminal, as lines of a log, and in answer to a signal.
import { milliseconds } from "../input/pacer.ts";
import { type FolderReading, type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { isTerminal } from "../output/output.ts";
import { newPosition, type RunPosition } from "../run/run-position.ts";
import type { Progress, ProgressLine, Screen } from "./progress.ts";
import { beforeErrors, inColor, note, writeError } from "./session.ts";

/** Milliseconds between two checks whether output is due. */
const TICK_MILLISECONDS = 50;
/** Most milliseconds for listing inputs in each redraw, answer, or tick of a log, to learn the sum of their sizes. */
const LIST_MILLISECONDS = 5;
const LOG_MILLISECONDS = 10_000;
/** Least milliseconds of a watched run that ends with a summary. */
const SUMMARY_MILLISECONDS = 5000;
/** Signals that ask for the progress. SIGUSR1 is Node's own. Only BSD and macOS have SIGINFO (Ctrl-T). */
const QUESTIONS = ["SIGUSR2", "SIGINFO"] as const;
/** Most columns of a line of a log, and of an answer to a signal. */
const LOG_COLUMNS = 200;

const SCREEN: Screen = {
  get columns() {
    return process.stderr.columns || 80;
  },
  write: writeError,
};

/** Returns how to show progress: a line on the terminal, lines of a log, or not at all. URLs are written to the descriptor `output`. */
export function watchKind(progress: boolean, quiet: boolean, output: number): "line" | "log" | undefined {
  if (quiet) return undefined;
  // On the terminal that shows the URLs, a progress line would disturb them.
  if (process.env.TERM !== "dumb" && isTerminal(2) && !isTerminal(output)) return "line";
  return progress ? "log" : undefined;
}

export class Watch {
  readonly position: RunPosition = newPosition();
  /** Number of URLs, records or rows written, also by an earlier run that this run resumes. */
  urls = 0;
  readonly #begin = milliseconds();
  readonly #total: InputTotal;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #line: ProgressLine | undefined;
  #logDue = this.#begin + LOG_MILLISECONDS;

  constructor(inputs: readonly Input[], folders: FolderReading) {
    this.#total = new InputTotal(listSources(inputs, folders), milliseconds);
  }

  /** Begins to answer signals. If there is a `kind`, shows progress until `stop`. Loads the modules for progress when they are needed. */
  start(kind: "line" | "log" | undefined, signal: AbortSignal): void {
    for (const name of QUESTIONS) process.on(name, this.#answer);
    if (kind === undefined) return;
    this.#isShown = true;
    this.#timer = setInterval(() => void (kind === "line" ? this.#redraw() : this.#log()), TICK_MILLISECONDS).unref();
    // After a signal the process may end before anything calls `stop`.
    signal.addEventListener("abort", () => this.stop());
  }

  async #redraw(): Promise<void> {
    if (this.#line === undefined) {
      const { ProgressLine, progressLine } = await import("./progress.ts");
      const line = new ProgressLine(SCREEN, milliseconds, (columns) => inColor("2", progressLine(this.#progress(), columns)));
      beforeErrors(() => line.clear());
      this.#line = line;
    }
    if (this.#timer !== undefined) this.#line.tick();
  }

  #log(): void {
    // Lists inputs at every tick: lines of a log alone are too rare for this.
    this.#total.advance(LIST_MILLISECONDS);
    const now = milliseconds();
    if (now < this.#logDue) return;
    this.#logDue = now + LOG_MILLISECONDS;
    void this.#answer();
  }

  /** Removes the line. After that, only answers to signals and the summary are shown. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#line?.clear();
  }

  async summarize(): Promise<void> {
    const isLong = milliseconds() - this.#begin >= SUMMARY_MILLISECONDS;
    if (this.#isShown && isLong) note((await import("./progress.ts")).summaryText(this.#progress()));
  }

  readonly #answer = async (): Promise<void> => {
    const { progressLine } = await import("./progress.ts");
    note(progressLine(this.#progress(), LOG_COLUMNS));
  };

  #progress(): Progress {
    return {
      bytes: Number(Atomics.load(this.position.read, 0)) + this.position.readBefore,
      before: this.position.readBefore,
      total: this.#total.advance(LIST_MILLISECONDS),
      urls: this.urls,
      seconds: (milliseconds() - this.#begin) / 1e3,
      source: this.position.source,
    };
  }
}

/** The bytes of all inputs, summed up during the run: a few files at a time, because a folder may hold millions. */
export class InputTotal {
  readonly #sources: Iterator<Listed>;
  readonly #now: () => number;
  #bytes = 0;
  #state: "open" | "known" | "unknown" = "open";

  /** `now` returns the time in milliseconds. */
  constructor(sources: Iterator<Listed>, now: () => number) {
    this.#sources = sources;
    this.#now = now;
  }

  /** Lists inputs for some milliseconds. Returns the sum in bytes; undefined if it is not known yet, or never will be: with a pipe, say. */
  advance(milliseconds: number): number | undefined {
    const end = this.#now() + milliseconds;
    while (this.#state === "open") {
      const { done, value } = this.#sources.next();
      if (done === true) this.#state = "known";
      else if (isSource(value) && !value.isRegular) this.#state = "unknown";
      else if (isSource(value)) this.#bytes += value.size;
      if (this.#now() >= end) break;
    }
    return this.#state === "known" ? this.#bytes : undefined;
  }
}
