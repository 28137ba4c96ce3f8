// The common parts of all commands: standard output, messages on standard error, signals and exit codes.
import { writeSync } from "node:fs";
import { messageOf, OptionError, SourceError, systemCode } from "../base/errors.ts";
import { withoutControls } from "../base/shown.ts";
import type { Patience } from "../cluster/remote/tries.ts";
import { longFlag, OPTIONS, type OptionValues } from "../options/table.ts";
import { isTerminal, Output } from "../output/output.ts";

// Exit codes.
export const EXIT_FOUND = 0; // something was found, or the command has done all its work
export const EXIT_NOTHING = 1; // nothing was found; of `urlmill verify`: a shard is not done
export const EXIT_ERROR = 2; // something went wrong

/** Milliseconds after a signal in which the reader of the output can still take it. */
const FLUSH_MS = 1000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let makeRoom: (() => void) | undefined;

/** Sets the action to call before each message on standard error: it removes the progress line. */
export function beforeErrors(action: () => void): void {
  makeRoom = action;
}

export function printError(text: string): void {
  makeRoom?.();
  writeError(text);
}

/** Writes to standard error without making room first: for the progress line itself. */
export function writeError(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Standard error is closed, so the failure cannot be reported.
  }
}

/** Writes a message about an error to standard error, on one line and without controls. */
export function complain(message: string): void {
  printError(`${inColor("1;31", "urlmill:")} ${messageText(message)}\n`);
}

/** Writes the message of an error. An OptionError names the option as the library does; the message names its flag. */
export function complainOf(error: unknown): void {
  // URLMILL_CORE is no option of the command.
  const isOfOption = error instanceof OptionError && Object.hasOwn(OPTIONS, error.option);
  complain(isOfOption ? `${longFlag(error.option)} ${error.expected}` : messageOf(error));
}

/** Writes a message that is not about an error to standard error, in the form of `complain` but without color. */
export function note(message: string): void {
  printError(`urlmill: ${messageText(message)}\n`);
}

const MESSAGE_LENGTH = 1000;

function messageText(message: string): string {
  return withoutControls(message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH)}...`);
}

/** Returns a count with its noun: `1 URL`, `3,214,554 URLs`. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** Returns a number of bytes with at most three digits: `4.29 GB`. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

let messageColor: OptionValues["color"] = "auto";

export function chooseColor(color: OptionValues["color"]): void {
  messageColor = color;
}

/** Returns whether text for the descriptor `fd` has colors. */
export function hasColor(color: OptionValues["color"], fd: number): boolean {
  if (color !== "auto") return color === "always";
  return !process.env.NO_COLOR && process.env.TERM !== "dumb" && isTerminal(fd);
}

/** Returns text for standard error, in a terminal color if colors are on: `1;31` is bold red, `2` dim. */
export function inColor(color: string, text: string): string {
  return hasColor(messageColor, 2) ? `\x1b[${color}m${text}\x1b[0m` : text;
}

type SignalName = keyof typeof SIGNALS;

/** Ends the process with the exit code of a signal, or by the signal itself if a pending system call could block the exit. */
function leave(name: SignalName): never {
  if (process.getActiveResourcesInfo().includes("FSReqCallback")) process.kill(process.pid, name);
  process.exit(SIGNALS[name]);
}

/** Writes messages of one kind: the first `most` at once, and at the end `rest`, the message about the others. */
export function complaintsOf(rest: (count: number) => string, most = 20) {
  let count = 0;
  return {
    /** Writes a message, or counts it; `message` is called only if it is written. */
    add(message: () => string): void {
      if (count++ < most) complain(message());
    },
    end(): void {
      if (count > most) complain(rest(count - most));
    },
  };
}

const listeners = new Map<SignalName, () => void>();

/** Runs a long step that blocks the event loop, without signal listeners, so that a signal ends the process at once. */
export function withoutListeners(step: () => void): void {
  const removed = [...listeners].filter(([name, listener]) => process.listeners(name).includes(listener));
  for (const [name, listener] of removed) process.off(name, listener);
  try {
    step();
  } finally {
    for (const [name, listener] of removed) process.once(name, listener);
  }
}

export interface Session {
  /** Standard output or a file. */
  readonly output: Output;
  readonly write: (text: string) => void;
  /** Aborts on SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Set by a command after an error that does not end it. A closed pipe then leads to the exit code 2 instead of 0. */
  hasFailed: boolean;
}

/** The output of a session, if it is not standard output. */
interface OutputFile {
  /** Returns the descriptor. Called after the signal listeners are added. */
  readonly open: (signal: AbortSignal) => Promise<number>;
  /** Name of the output in messages. */
  readonly path: string | undefined;
  /** Called if the output will not be complete. */
  readonly discard: () => void;
}

/**
 * Runs `body`, then flushes the output, also after an error or a signal. Returns the exit code of `body`, 0 if the reader closed the pipe
 * and there was no error, or 2 after an error, whose message it writes. On a signal it ends the process, for example with 130 on SIGINT.
 */
export async function inSession(body: (session: Session) => Promise<number>, file?: OutputFile): Promise<number> {
  const controller = new AbortController();
  const { signal } = controller;
  for (const name of Object.keys(SIGNALS) as SignalName[]) {
    const listener = (): void => {
      controller.abort(new Error("interrupted", { cause: name }));
      file?.discard();
      setTimeout(leave, FLUSH_MS, name);
    };
    listeners.set(name, listener);
    process.once(name, listener);
  }
  let session: Session | undefined;
  try {
    const output = new Output((await file?.open(signal)) ?? 1, file?.path);
    session = { output, write: (text) => output.write(Buffer.from(text)), signal, hasFailed: false };
    const exitCode = await body(session);
    await output.flush();
    return exitCode;
  } catch (error) {
    file?.discard();
    if (!signal.aborted && systemCode(error) === "EPIPE") return session?.hasFailed ? EXIT_ERROR : EXIT_FOUND;
    await session?.output.flush().catch(() => undefined);
    if (signal.aborted) {
      // The write request counts as active until the callback that ended the flush has returned, and `leave` checks this.
      await new Promise(setImmediate);
      leave(signal.reason.cause);
    }
    // The message of the input with which --fail-fast ends a run has already been written.
    if (!(error instanceof SourceError && session?.hasFailed)) complainOf(error);
    return EXIT_ERROR;
  }
}

export async function print(text: string): Promise<number> {
  return await inSession(async ({ write }) => {
    write(text);
    return EXIT_FOUND;
  });
}

/** Returns the number of retries, if it is given, and unless `quiet` a function that notes an outage once for each server. */
export function patienceOf({ retries, quiet }: OptionValues): Partial<Patience> {
  const reported = new Set<string>();
  const onOutage = (object: string, message: string): void => {
    const server = /^\w+:\/\/[^/]*/.exec(object)?.[0] ?? object;
    if (!reported.has(server)) note(message);
    reported.add(server);
  };
  return { ...(retries === undefined ? {} : { retries }), ...(quiet ? {} : { onOutage }) };
}
