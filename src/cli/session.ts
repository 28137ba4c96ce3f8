// What every command has: standard output, messages on standard error, signals, and the exit code that all of this leads to.
import { writeSync } from "node:fs";
import { SourceError, systemCode } from "../errors.ts";
import { Output } from "../output/output.ts";
import { withoutControls } from "../shown.ts";

/** Exit codes: something was found, nothing was, something went wrong. */
export const EXIT_FOUND = 0;
/** @see EXIT_FOUND */
export const EXIT_NOTHING = 1;
/** @see EXIT_FOUND */
export const EXIT_ERROR = 2;

/** After a signal the output gets so long to be taken by its reader. */
const FLUSH_MS = 1000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Writes to standard error. */
export function printError(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Standard error is closed: there is nowhere to say so.
  }
}

/** Characters of a message. */
const MESSAGE_LENGTH = 1000;

/** Names an error on standard error, on one line: nothing in a message acts on the terminal. */
export function complain(message: string): void {
  printError(`urlmill: ${withoutControls(message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH)}...`)}\n`);
}

type SignalName = keyof typeof SIGNALS;

/** Ends the process with the exit code of a signal; by the signal itself if a system call that never returns would block the exit. */
function leave(name: SignalName): never {
  if (process.getActiveResourcesInfo().includes("FSReqCallback")) process.kill(process.pid, name);
  process.exit(SIGNALS[name]);
}

/** Thrown by whoever waits while the command is interrupted. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signalName: SignalName;

  constructor(signalName: SignalName) {
    super("interrupted");
    this.signalName = signalName;
  }
}

/** Messages of one kind that are written; the others are counted. */
const COMPLAINTS_MOST = 20;

/** Names the first of many things that are wrong in the same way, and counts the others. */
export class Complaints {
  readonly #rest: (count: number) => string;
  #count = 0;

  /** `rest` says how many more there were. */
  constructor(rest: (count: number) => string) {
    this.#rest = rest;
  }

  /** Names one; `message` is asked for where it is written. */
  add(message: () => string): void {
    if (this.#count++ < COMPLAINTS_MOST) complain(message());
  }

  /** Whether nothing was wrong. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Says how many were not named. */
  end(): void {
    if (this.#count > COMPLAINTS_MOST) complain(this.#rest(this.#count - COMPLAINTS_MOST));
  }
}

/** One run of a command. */
export class Session {
  readonly #openOutput: (signal: AbortSignal) => number | Promise<number>;
  readonly #path: string | undefined;
  #output: Output | undefined;
  readonly #controller = new AbortController();
  /** Set by a command that has named an error: a closed pipe does not undo it. */
  hasFailed = false;

  /** `openOutput` gives the descriptor that results go to; it is asked when signals are seen to. `path`: what the user calls it. */
  constructor(openOutput: (signal: AbortSignal) => number | Promise<number>, path?: string) {
    this.#openOutput = openOutput;
    this.#path = path;
  }

  /** Where the command's results go: standard output or a file. Open while the session runs. */
  get output(): Output {
    return this.#output as Output;
  }

  /** Fires on SIGINT, SIGTERM and SIGHUP. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Runs `body`, then writes out what is left, also after an error or a signal. `discard` is called when the output will not be complete.
   * Returns the exit code: that of `body`, 0 where the reader closed the pipe and nothing was wrong, 2 for an error (which is named).
   * On SIGINT the process ends with 130.
   */
  async run(body: () => Promise<number>, discard: () => void): Promise<number> {
    for (const name of Object.keys(SIGNALS) as SignalName[]) {
      process.once(name, () => {
        this.#controller.abort(new Interrupted(name));
        discard();
        setTimeout(leave, FLUSH_MS, name);
      });
    }
    try {
      const descriptor = this.#openOutput(this.signal);
      this.#output = new Output(typeof descriptor === "number" ? descriptor : await descriptor, this.#path);
      const exitCode = await body();
      await this.output.flush();
      return exitCode;
    } catch (error) {
      discard();
      return await this.#exitCodeOf(error);
    }
  }

  async #exitCodeOf(error: unknown): Promise<number> {
    const reason: unknown = this.signal.aborted ? this.signal.reason : error;
    if (!(reason instanceof Interrupted) && systemCode(reason) === "EPIPE") return this.hasFailed ? EXIT_ERROR : EXIT_FOUND;
    await this.#output?.flush().catch(() => undefined);
    if (reason instanceof Interrupted) {
      // A request counts as active until the callback that ended the flush has returned.
      await new Promise(setImmediate);
      leave(reason.signalName);
    }
    // A source that could not be read has been named when it was met.
    if (!(reason instanceof SourceError)) complain(reason instanceof Error ? reason.message : String(reason));
    return EXIT_ERROR;
  }
}
