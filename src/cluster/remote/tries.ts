// Repeats requests, with limits and pauses. Classifies failures: the object has changed or is gone, access is refused, or the server may
// answer later.
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import { orAborted } from "../../base/signal.ts";
import { ShardError } from "../errors.ts";

const RETRY_AFTER_MOST = 60_000; // Most milliseconds to wait for a `Retry-After` header; a longer time is cut
/** Status codes of temporary failures: timeouts, too many requests, conflicts of writers, overloaded or restarting servers. */
const PASSING_STATUS = new Set([408, 409, 429, 500, 502, 503, 504]);
/** Codes of the system and of fetch. Nearly all mean a refused, broken or missing connection. Wrong certificates have other codes. */
const PASSING_CODE = /^(?:E(?!RR_)[A-Z_]+|UND_ERR_\w+|ERR_STREAM_PREMATURE_CLOSE)$/;
const WAIT_FIRST = 250; // Most milliseconds before the second try; doubled for each further try
const WAIT_MOST = 30_000; // Most milliseconds before any try, unless the server asks for more
const SILENT_TRIES = 3; // Consecutive failed tries before the one that is reported as an outage

// `ENOENT`: no such object; `EACCES`: no permission; `ERR_URLMILL_UNAVAILABLE`: a failure that a later run may not have, such as no answer
// or missing credentials; `ERR_URLMILL_REFUSED`: any other failure, such as a wrong name, or a server without ranges.
type RemoteErrorCode = "ENOENT" | "EACCES" | "ERR_URLMILL_REFUSED" | "ERR_URLMILL_UNAVAILABLE";

/** An object that could not be read or written. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly code: RemoteErrorCode;

  constructor(code: RemoteErrorCode, object: string, reason: string, cause?: unknown) {
    super(`${shown(object)}: ${reason}`, { cause });
    this.code = code;
  }
}

export class RefusedAnswer extends Error {
  readonly status: number;
  /** Milliseconds to wait, as the server asks, but at most RETRY_AFTER_MOST; 0 if it does not ask. */
  readonly retryAfter: number;

  constructor(status: number, code = "", retryAfter = 0) {
    super(`the server answered ${status}${code === "" ? "" : ` (${code})`}`);
    this.status = status;
    this.retryAfter = Math.min(RETRY_AFTER_MOST, retryAfter);
  }
}

export function changedObject(name: string): ShardError {
  return new ShardError("ERR_URLMILL_CHANGED", `${shown(name)} has changed since the plan was made; plan anew`);
}

/** Returns an error for a connection that has failed without an error, with the code of a timeout. */
export function brokenConnection(reason: string): Error {
  return Object.assign(new Error(reason), { code: "ETIMEDOUT" });
}

/** Returns the final error for an object after `error`; undefined if another try may succeed. */
export function lastingError(name: string, error: unknown): Error | undefined {
  if (error instanceof RemoteError || error instanceof ShardError) return error;
  if (error instanceof RefusedAnswer) {
    const { status, message } = error;
    if (status === 412) return changedObject(name);
    if (status === 404 || status === 410) return new RemoteError("ENOENT", name, message, error);
    if (status === 401 || status === 403) return new RemoteError("EACCES", name, message, error);
    return PASSING_STATUS.has(status) ? undefined : new RemoteError("ERR_URLMILL_REFUSED", name, message, error);
  }
  const code = codeOf(error) ?? "";
  // A wrong host name or wrong credentials get no retry, but a later run may succeed.
  if (code === "ENOTFOUND" || (error instanceof Error && error.name === "CredentialsProviderError")) return unavailable(name, error);
  return PASSING_CODE.test(code) ? undefined : new RemoteError("ERR_URLMILL_REFUSED", name, messageOf(error), error);
}

function unavailable(name: string, error: unknown, tries = 1): RemoteError {
  return new RemoteError("ERR_URLMILL_UNAVAILABLE", name, `${messageOf(error)}${tries === 1 ? "" : ` (tried ${tries} times)`}`, error);
}

/** Returns the code of an error or of its cause, because fetch wraps errors; `ETIMEDOUT` for a TimeoutError; undefined if none has one. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return systemCode(error) ?? (error.name === "TimeoutError" ? "ETIMEDOUT" : codeOf(error.cause));
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The cause says that a server redirects without end, for one, and has no code.
  const cause = codeOf(error) ?? (error instanceof Error && error.cause instanceof Error ? error.cause.message : "");
  return message.includes(cause) ? message : `${message} (${cause})`;
}

/** Timeouts and retries of a server. */
export interface Patience {
  /** Most consecutive further tries that end without a byte. */
  readonly retries: number;
  /** Milliseconds without a byte after which a connection counts as broken. */
  readonly stallMs: number;
  /** Ends all waiting, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves after a time in milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a random number in [0, 1) for pauses, so that readers that failed together do not try again together. */
  readonly random: () => number;
  /** Called with the name of an object and a message when SILENT_TRIES + 1 consecutive tries of it have failed. */
  readonly onOutage?: ((object: string, message: string) => void) | undefined;
}

export const PATIENCE: Patience = {
  retries: 8,
  stallMs: 30_000,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};

/**
 * Resolves when it is time for another try, after `failed` consecutive tries and one that ended with `error`. Rejects if `error` is final,
 * if too many tries have failed, or with the signal's reason.
 */
export async function nextTry(name: string, error: unknown, failed: number, patience: Patience): Promise<void> {
  const { retries, wait, random, signal, onOutage } = patience;
  signal?.throwIfAborted();
  const lasting = lastingError(name, error);
  if (lasting !== undefined) throw lasting;
  if (failed === retries) throw unavailable(name, error, retries + 1);
  if (failed === SILENT_TRIES) onOutage?.(name, `${unavailable(name, error).message}; trying again, ${retries - failed} times at most`);
  const most = Math.min(WAIT_MOST, WAIT_FIRST * 2 ** failed);
  await wait(Math.max(random() * most, error instanceof RefusedAnswer ? error.retryAfter : 0), signal);
  signal?.throwIfAborted();
}

/** Repeats `act` until it succeeds; rejects as `nextTry` does. Each try gets a signal that fires when the try is over. */
export async function tried<T>(name: string, patience: Patience, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let failed = 0; ; failed++) {
    const over = new AbortController();
    try {
      return await act(over.signal);
    } catch (error) {
      await nextTry(name, error, failed, patience);
    } finally {
      over.abort();
    }
  }
}

/** Settles like `promise`. Rejects if it has not settled after `stallMs`, or with the signal's reason. */
export async function unstalled<T>(promise: Promise<T>, { stallMs, wait, signal }: Patience): Promise<T> {
  const over = new AbortController();
  const stalled = wait(stallMs, over.signal).then(() => {
    if (over.signal.aborted) return promise;
    throw brokenConnection(`no byte came for ${stallMs / 1000} seconds`);
  });
  try {
    return await orAborted(Promise.race([promise, stalled]), signal);
  } finally {
    over.abort();
  }
}
