// What every command needs: standard output, messages on standard error, signals and exit codes.
import { writeSync } from "node:fs";
import { SourceError, systemCode } from "../base/errors.ts";
import { withoutControls } from "../base/shown.ts";
import type { OptionValues } from "../options/table.ts";
import { Output } from "../output/output.ts";
import { isTerminal } from "../output/terminal.ts";

/** Exit codes: something was found, nothing was, something went wrong. */
export const EXIT_FOUND = 0;
/** @see EXIT_FOUND */
export const EXIT_NOTHING = 1;
/** @see EXIT_FOUND */
export const EXIT_ERROR = 2;

/** After a signal the reader of the output has this long to take it. */
const FLUSH_MS = 1000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let makeRoom: (() => void) | undefined;

/** Has `action` called before anything is written to standard error, so that a progress line makes room. */
export function beforeErrors(action: () => void): void {
  makeRoom = action;
}

/** Writes to standard error. */
export function printError(text: string): void {
  makeRoom?.();
  writeError(text);
}

/** Writes to standard error as it is: a progress line itself. */
export function writeError(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Standard error is closed: there is nowhere to say so.
  }
}

/** Characters of a message, at most. */
const MESSAGE_LENGTH = 1000;

/** Writes a message about an error to standard error, on one line and without controls. */
export function complain(message: string): void {
  printError(`${inColor("1;31", "urlmill:")} ${messageText(message)}\n`);
}

/** Writes a message that is not about an error, in the same form. */
export function note(message: string): void {
  printError(`urlmill: ${messageText(message)}\n`);
}

function messageText(message: string): string {
  return withoutControls(message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH)}...`);
}

let isColored: boolean | undefined;

/** Decides whether standard error is coloured. `auto`, which holds before this is called: a terminal is, unless `NO_COLOR` is set. */
export function chooseColor(color: OptionValues["color"]): void {
  isColored = color === "auto" ? undefined : color === "always";
}

/** Returns whether a terminal is to show colors. */
export function allowsColor(color: OptionValues["color"]): boolean {
  return color === "auto" ? !process.env.NO_COLOR && process.env.TERM !== "dumb" : color === "always";
}

/** Returns text for standard error in a color of the terminal: `1;31` is bold red, `2` dim. */
export function inColor(color: string, text: string): string {
  isColored ??= allowsColor("auto") && isTerminal(2);
  return isColored ? `\x1b[${color}m${text}\x1b[0m` : text;
}

type SignalName = keyof typeof SIGNALS;

/** Ends the process with the exit code of a signal, or by the signal itself if a system call that never returns would block the exit. */
function leave(name: SignalName): never {
  if (process.getActiveResourcesInfo().includes("FSReqCallback")) process.kill(process.pid, name);
  process.exit(SIGNALS[name]);
}

/** Reason of the abort when a signal comes. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signalName: SignalName;

  constructor(signalName: SignalName) {
    super("interrupted");
    this.signalName = signalName;
  }
}

/** Messages of one kind that are written, unless all are wanted; the others are counted. */
const COMPLAINTS_MOST = 20;

/** Messages of one kind: the first are written, the others counted. */
export class Complaints {
  readonly #rest: (count: number) => string;
  readonly #most: number;
  #count = 0;

  /** `rest` makes the message about those that were only counted; `most`: how many are written. */
  constructor(rest: (count: number) => string, most = COMPLAINTS_MOST) {
    this.#rest = rest;
    this.#most = most;
  }

  /** Writes a message, or counts it; `message` is called only if it is written. */
  add(message: () => string): void {
    if (this.#count++ < this.#most) complain(message());
  }

  /** Writes how many messages were only counted. */
  end(): void {
    if (this.#count > this.#most) complain(this.#rest(this.#count - this.#most));
  }
}

/** The listeners of the session that runs. */
const listeners = new Map<SignalName, () => void>();

/** Does a long step in which the event loop does not turn: a signal ends the process at once, as if nothing listened. */
export function withoutListeners(step: () => void): void {
  const removed = [...listeners].filter(([name, listener]) => process.listeners(name).includes(listener));
  for (const [name, listener] of removed) process.off(name, listener);
  try {
    step();
  } finally {
    for (const [name, listener] of removed) process.once(name, listener);
  }
}

/** One run of a command. */
export class Session {
  readonly #openOutput: (signal: AbortSignal) => number | Promise<number>;
  readonly #path: string | undefined;
  #output: Output | undefined;
  readonly #controller = new AbortController();
  /** Set by a command that has written an error: then a closed pipe does not make the exit code 0. */
  hasFailed = false;

  /**
   * `openOutput` returns the descriptor of the output, by default that of standard output; it is called when signals are handled already.
   * `path`: the output's name in messages.
   */
  constructor(openOutput: (signal: AbortSignal) => number | Promise<number> = () => 1, path?: string) {
    this.#openOutput = openOutput;
    this.#path = path;
  }

  /** The output: standard output or a file. It is open while the session runs. */
  get output(): Output {
    return this.#output as Output;
  }

  /** Aborts on SIGINT, SIGTERM and SIGHUP. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Runs `body`, then flushes the output, also after an error or a signal. Calls `discard` if the output will not be complete.
   * Returns the exit code: that of `body`, 0 if the reader closed the pipe and there was no error, 2 for an error, which it writes.
   * On a signal it ends the process: with 130 on SIGINT.
   */
  async run(body: () => Promise<number>, discard: () => void = () => undefined): Promise<number> {
    for (const name of Object.keys(SIGNALS) as SignalName[]) {
      const listener = (): void => {
        this.#controller.abort(new Interrupted(name));
        discard();
        setTimeout(leave, FLUSH_MS, name);
      };
      listeners.set(name, listener);
      process.once(name, listener);
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
    // A message about a source has been written already.
    if (!(reason instanceof SourceError)) complain(reason instanceof Error ? reason.message : String(reason));
    return EXIT_ERROR;
  }
}
