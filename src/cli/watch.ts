// Those who watch a run: a line on a terminal, lines of a log, and a signal that asks where the run is.
import type { FolderReading } from "../input/folder-reading.ts";
import { milliseconds } from "../input/pacer.ts";
import { type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { isTerminal } from "../output/terminal.ts";
import { newPosition, type RunPosition } from "../run/run-position.ts";
import type { ProgressLine, Screen } from "./progress-line.ts";
import type { Progress } from "./progress-text.ts";
import { beforeErrors, inColor, note, writeError } from "./session.ts";

/** Milliseconds between two looks at the clock. */
const TICK_MILLISECONDS = 50;
/** Milliseconds of each redraw, and of a signal, in which inputs are listed to know their sum. */
const LIST_MILLISECONDS = 5;
/** Milliseconds between two lines of a log. */
const LOG_MILLISECONDS = 10_000;
/** A run that was watched and took longer has a summary. */
const SUMMARY_SECONDS = 5;
/** SIGUSR1 is Node's own. SIGINFO, Ctrl-T, is known to BSD and macOS alone. */
const QUESTIONS = ["SIGUSR2", "SIGINFO"] as const;
/** Columns of a terminal that does not say how wide it is. */
const COLUMNS = 80;
/** Columns of a line of a log, and of an answer to a signal. */
const LOG_COLUMNS = 200;

const SCREEN: Screen = {
  get columns() {
    return process.stderr.columns || COLUMNS;
  },
  write: writeError,
};

/** Returns how a run is watched: by a line on the terminal, by lines of a log, or not. `output`: the descriptor that URLs go to. */
export function watchKind(progress: boolean, quiet: boolean, output: number): "line" | "log" | undefined {
  if (quiet) return undefined;
  // A line between URLs on the same terminal would only be in their way.
  if (process.env.TERM !== "dumb" && isTerminal(2) && !isTerminal(output)) return "line";
  return progress ? "log" : undefined;
}

/** Watches one run. */
export class Watch {
  readonly position: RunPosition = newPosition();
  /** URLs that have been found. */
  urls = 0;
  readonly #begin = milliseconds();
  readonly #total: InputTotal;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #line: ProgressLine | undefined;
  /** When the next line of a log is due. */
  #logDue = this.#begin + LOG_MILLISECONDS;

  constructor(inputs: readonly Input[], folders: FolderReading) {
    this.#total = new InputTotal(listSources(inputs, folders), milliseconds);
  }

  /** Answers signals, and shows progress if there is a `kind`, until `stop`. What is not shown is not loaded. */
  start(kind: "line" | "log" | undefined, signal: AbortSignal): void {
    for (const name of QUESTIONS) process.on(name, this.#answer);
    if (kind === undefined) return;
    this.#isShown = true;
    this.#timer = setInterval(() => void (kind === "line" ? this.#redraw() : this.#log()), TICK_MILLISECONDS).unref();
    // The process may end without coming to its end here.
    signal.addEventListener("abort", () => this.stop());
  }

  async #redraw(): Promise<void> {
    if (this.#line === undefined) {
      const { ProgressLine, progressLine } = await import("./progress-line.ts");
      const line = new ProgressLine(SCREEN, milliseconds, (columns) => inColor("2", progressLine(this.#progress(), columns)));
      beforeErrors(() => line.clear());
      this.#line = line;
    }
    if (this.#timer !== undefined) this.#line.tick();
  }

  #log(): void {
    // Lines of a log are too few to list the inputs beside them alone.
    this.#total.advance(LIST_MILLISECONDS);
    const now = milliseconds();
    if (now < this.#logDue) return;
    this.#logDue = now + LOG_MILLISECONDS;
    void this.#answer();
  }

  /** Removes the line. Nothing more is shown. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#line?.clear();
  }

  /** Writes what a long run has done, if it was watched. */
  async summarize(): Promise<void> {
    if (!this.#isShown) return;
    const progress = this.#progress();
    if (progress.seconds < SUMMARY_SECONDS) return;
    note((await import("./progress-text.ts")).summaryText(progress));
  }

  readonly #answer = async (): Promise<void> => {
    const { progressLine } = await import("./progress-line.ts");
    note(progressLine(this.#progress(), LOG_COLUMNS));
  };

  #progress(): Progress {
    return {
      bytes: Number(Atomics.load(this.position.read, 0)),
      total: this.#total.advance(LIST_MILLISECONDS),
      urls: this.urls,
      seconds: (milliseconds() - this.#begin) / 1e3,
      source: this.position.source,
    };
  }
}

// The bytes of all inputs, summed up beside the run: a little at a time, as a folder may hold millions of files.

/** Sums the sizes of inputs while they are listed. */
export class InputTotal {
  readonly #sources: Iterator<Listed>;
  readonly #now: () => number;
  #bytes = 0;
  #state: "open" | "known" | "unknown" = "open";

  /** `now` gives the time in milliseconds. */
  constructor(sources: Iterator<Listed>, now: () => number) {
    this.#sources = sources;
    this.#now = now;
  }

  /** Lists for some milliseconds. Returns the sum, or undefined if it is not known yet, or never will be: of a pipe. */
  advance(milliseconds: number): number | undefined {
    const end = this.#now() + milliseconds;
    while (this.#state === "open") {
      const { done, value } = this.#sources.next();
      if (done === true) this.#state = "known";
      else if (isSource(value) && !value.regular) this.#state = "unknown";
      else if (isSource(value)) this.#bytes += value.size;
      if (this.#now() >= end) break;
    }
    return this.#state === "known" ? this.#bytes : undefined;
  }
}
