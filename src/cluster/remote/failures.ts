// What a failed request means: that an object is another or is gone, that it is not given, or that the server may answer later.
import { systemCode } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import { ShardError } from "../errors.ts";

/** Milliseconds that a server may ask to be left alone for. */
const RETRY_AFTER_MOST = 60_000;
/** Too many requests, conflicts of writers, and servers that are overloaded or being replaced. */
const PASSING_STATUS = new Set([408, 409, 429, 500, 502, 503, 504]);
/** Connections that were refused, cut or not made, as the system and fetch name it. Wrong certificates have other codes. */
const PASSING_CODE = /^(?:E(?!RR_)[A-Z_]+|UND_ERR_\w+|ERR_STREAM_PREMATURE_CLOSE)$/;

/**
 * There is no such object (`ENOENT`), it may not be read or written (`EACCES`), the server gives it in no form that can be read, or says no
 * for another reason (`ERR_URLMILL_REFUSED`), or it does not answer (`ERR_URLMILL_UNAVAILABLE`).
 */
export type RemoteErrorCode = "ENOENT" | "EACCES" | "ERR_URLMILL_REFUSED" | "ERR_URLMILL_UNAVAILABLE";

/** An object that could not be read or written. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly code: RemoteErrorCode;

  constructor(code: RemoteErrorCode, object: string, reason: string, cause?: unknown) {
    super(`${shown(object)}: ${reason}`, { cause });
    this.code = code;
  }
}

/** An answer without what was asked for. */
export class RefusedAnswer extends Error {
  readonly status: number;
  /** Milliseconds that the server asks to be left alone for. */
  readonly retryAfter: number;

  constructor(status: number, code = "", retryAfter = 0) {
    super(`the server answered ${status}${code === "" ? "" : ` (${code})`}`);
    this.status = status;
    this.retryAfter = Math.min(RETRY_AFTER_MOST, retryAfter);
  }
}

/** Returns the error for an object that is not what it was. */
export function changedObject(name: string): ShardError {
  return new ShardError("ERR_URLMILL_CHANGED", `${shown(name)} has changed since the plan was made; plan anew`);
}

/** Returns the error for a connection that failed in a way that no other error tells. */
export function brokenConnection(reason: string): Error {
  return Object.assign(new Error(reason), { code: "ETIMEDOUT" });
}

/** Returns what `error` means for an object, if the next try would end in the same way; undefined if it may not. */
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
  // A name that is wrong is not waited for, nor are credentials; but both may be there later.
  if (code === "ENOTFOUND" || (error instanceof Error && error.name === "CredentialsProviderError")) return unavailable(name, error);
  return PASSING_CODE.test(code) ? undefined : new RemoteError("ERR_URLMILL_REFUSED", name, messageOf(error), error);
}

/** Returns the error for an object that was asked for `tries` times. */
export function unavailable(name: string, error: unknown, tries = 1): RemoteError {
  return new RemoteError("ERR_URLMILL_UNAVAILABLE", name, `${messageOf(error)}${tries === 1 ? "" : ` (tried ${tries} times)`}`, error);
}

/** Returns the code of an error, or of its cause: fetch wraps them. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return systemCode(error) ?? (error.name === "TimeoutError" ? "ETIMEDOUT" : codeOf(error.cause));
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error) ?? "";
  return message.includes(code) ? message : `${message} (${code})`;
}
