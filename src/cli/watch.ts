// Those who watch a run: a progress line on a terminal, plain lines elsewhere, and a signal that asks where the run is.
import type { FolderReading } from "../input/folder-reading.ts";
import { milliseconds } from "../input/pacer.ts";
import { type Input, listSources } from "../input/paths.ts";
import { isTerminal } from "../output/terminal.ts";
import { newPosition, type RunPosition } from "../run/run-position.ts";
import { InputTotal } from "./input-total.ts";
import type { ProgressLine } from "./progress-line.ts";
import type { Progress } from "./progress-text.ts";
import { beforeErrors, inColor, note, writeError } from "./session.ts";

/** Milliseconds between two plain lines. */
const PLAIN_MILLISECONDS = 10_000;
/** Milliseconds between two looks at the clock; the line itself says when it is due. */
const TICK_MILLISECONDS = 50;
/** Milliseconds of each redraw, and of a signal, in which inputs are listed to know their sum. */
const LIST_MILLISECONDS = 5;
/** A run that was watched and took longer has a summary. */
const SUMMARY_SECONDS = 5;
/** SIGUSR1 is Node's own. SIGINFO, Ctrl-T, is known to BSD and macOS alone. */
const QUESTIONS = ["SIGUSR2", "SIGINFO"] as const;
/** Columns of a terminal that does not say how wide it is. */
const COLUMNS = 80;
/** Columns of a plain line. */
const PLAIN_COLUMNS = 200;

/** Returns how a run is watched: by a line on the terminal, by plain lines, or not. `output`: the descriptor that URLs go to. */
export function watchKind(progress: boolean, quiet: boolean, output: number): "line" | "plain" | undefined {
  if (quiet) return undefined;
  // A line between URLs on the same terminal would only be in their way.
  if (process.env.TERM !== "dumb" && isTerminal(2)) return isTerminal(output) ? undefined : "line";
  return progress ? "plain" : undefined;
}

/** Watches one run. */
export class Watch {
  readonly position: RunPosition = newPosition();
  /** URLs that have been found. */
  urls = 0;
  readonly #begin = milliseconds();
  readonly #total: InputTotal;
  #timer: NodeJS.Timeout | undefined;
  #line: ProgressLine | undefined;
  #isWatched = false;

  constructor(inputs: readonly Input[], folders: FolderReading) {
    this.#total = new InputTotal(listSources(inputs, folders), milliseconds);
  }

  /** Answers signals, and shows progress if there is a `kind`, until `end`. What is not shown is not loaded. */
  async start(kind: "line" | "plain" | undefined, signal: AbortSignal): Promise<void> {
    for (const name of QUESTIONS) process.on(name, this.#answer);
    if (kind === undefined) return;
    this.#isWatched = true;
    if (kind === "plain") {
      this.#timer = setInterval(this.#answer, PLAIN_MILLISECONDS);
    } else {
      const [{ ProgressLine }, { progressLine }] = await Promise.all([import("./progress-line.ts"), import("./progress-text.ts")]);
      const screen = {
        get columns(): number {
          return process.stderr.columns || COLUMNS;
        },
        write: writeError,
      };
      const line = new ProgressLine(screen, milliseconds, (columns) => inColor("2", progressLine(this.#progress(), columns)));
      this.#line = line;
      beforeErrors(() => line.clear());
      this.#timer = setInterval(() => line.tick(), TICK_MILLISECONDS);
      // The process may end without coming to its end here.
      signal.addEventListener("abort", () => this.stop());
    }
    this.#timer.unref();
  }

  /** Removes the line. Nothing more is shown. */
  stop(): void {
    clearInterval(this.#timer);
    this.#line?.clear();
  }

  /** Writes what a long run has done, if it was watched. */
  async summarize(): Promise<void> {
    const progress = this.#progress();
    if (!this.#isWatched || progress.seconds < SUMMARY_SECONDS) return;
    note((await import("./progress-text.ts")).summaryText(progress));
  }

  readonly #answer = async (): Promise<void> => {
    const { progressLine } = await import("./progress-text.ts");
    note(progressLine(this.#progress(), PLAIN_COLUMNS));
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
