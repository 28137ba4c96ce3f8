// Every class of error of the package. A malformed URL is a result, never an error.
import { shown, shownValue } from "./shown.ts";

/** A wrong option: an unknown name (`ERR_URLMILL_UNKNOWN_OPTION`) or a wrong value (`ERR_URLMILL_BAD_OPTION`). */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
  /** Name of the option in the library. */
  readonly option: string;
  /** Rest of a sentence that begins with the name of the option, and says which values are right. */
  readonly expected: string;
  readonly code: "ERR_URLMILL_UNKNOWN_OPTION" | "ERR_URLMILL_BAD_OPTION";

  constructor(code: "ERR_URLMILL_UNKNOWN_OPTION" | "ERR_URLMILL_BAD_OPTION", option: string, expected: string) {
    super(`${option} ${expected}`);
    this.code = code;
    this.option = option;
    this.expected = expected;
  }
}

/** A wrong input: a value of a type without bytes, or parts that form no URL (`ERR_URLMILL_INPUT_TYPE`); or a StrayPercentError. */
export class InputError extends TypeError {
  override readonly name: string = "InputError";
  readonly code: "ERR_URLMILL_INPUT_TYPE" | "ERR_URLMILL_STRAY_PERCENT" = "ERR_URLMILL_INPUT_TYPE";
}

/** Returns the error for an input of a wrong type. A string is not shown: it may hold a password. */
export function wrongInput(name: string, expected: string, value: unknown): InputError {
  return new InputError(`${name} must be ${expected}, not ${typeof value === "string" ? "a string" : shownValue(value)}`);
}

/** A `%` without two hex digits after it, in `strict` decoding (`ERR_URLMILL_STRAY_PERCENT`). */
export class StrayPercentError extends InputError {
  override readonly name = "StrayPercentError";
  override readonly code = "ERR_URLMILL_STRAY_PERCENT";
  /** Offset of the `%`: in UTF-16 code units for a string, else in bytes. */
  readonly offset: number;

  constructor(offset: number) {
    super(`a % without two hex digits at offset ${offset}`);
    this.offset = offset;
  }
}

/** Returns an error with the name of a file that cannot be read, written or removed. `cause` is the system's error. */
export function fileError(name: string, done: "read" | "written" | "removed", cause: unknown): Error {
  const code = systemCode(cause);
  return Object.assign(new Error(`${shown(name)}: cannot be ${done} (${code})`, { cause }), { code });
}

/** Returns the result of `act`. If `act` throws, throws the `fileError` for its error. */
export function named<T>(name: string, done: "read" | "written" | "removed", act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw fileError(name, done, error);
  }
}

/**
 * The reason why a source was not read to its end. The codes below omit `ERR_URLMILL_`. Compressed data and archives may end too
 * early (`TRUNCATED`), break the rules of their format (`CORRUPT`), have other data after them (`TRAILING`), exceed a limit (`LIMIT`), be
 * encrypted (`ENCRYPTED`), or use a method that urlmill does not read (`METHOD`). A file that becomes shorter while it is read is also
 * `TRUNCATED`. An input that is also the output is `IS_OUTPUT`; an error in urlmill is `INTERNAL`.
 */
export type SourceErrorCode =
  | "ERR_URLMILL_NOT_FOUND"
  | "ERR_URLMILL_NO_PERMISSION"
  | "ERR_URLMILL_UNREADABLE"
  | "ERR_URLMILL_COMPRESSED"
  | "ERR_URLMILL_TRUNCATED"
  | "ERR_URLMILL_CORRUPT"
  | "ERR_URLMILL_TRAILING"
  | "ERR_URLMILL_LIMIT"
  | "ERR_URLMILL_ENCRYPTED"
  | "ERR_URLMILL_METHOD"
  | "ERR_URLMILL_IS_OUTPUT"
  | "ERR_URLMILL_INTERNAL";

/**
 * A source that could not be read. `source` is its name, `reason` the message without the name, and `cause` the system's error, if any.
 * The message shows the name without controls, and cut if it is long; `source` has the name unchanged.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  readonly source: string | undefined;
  readonly reason: string;

  constructor(code: SourceErrorCode, source: string | undefined, reason: string, cause?: unknown) {
    super(source === undefined ? `the input ${reason}` : `${shown(source)}: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.source = source;
    this.reason = reason;
  }

  /** Returns `cause` if it is a SourceError, or the SourceError for a failed system call on `source`. Throws any other `cause`. */
  static from(source: string, cause: unknown): SourceError {
    if (cause instanceof SourceError) return cause;
    const system = systemCode(cause);
    if (system === "ENOENT") return new SourceError("ERR_URLMILL_NOT_FOUND", source, "no such file or folder", cause);
    if (system === "EACCES" || system === "EPERM")
      return new SourceError("ERR_URLMILL_NO_PERMISSION", source, "no permission to read it; its owner can give it (chmod)", cause);
    if (system === undefined || !isError(cause) || !("syscall" in cause)) throw cause;
    return new SourceError("ERR_URLMILL_UNREADABLE", source, `cannot be read (${system})`, cause);
  }
}

/** Returns whether a value is an error of any realm: under Jest those of Node have another class. */
function isError(value: unknown): value is Error {
  return typeof value === "object" && value !== null && "message" in value && "stack" in value;
}

export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Returns the SourceError for an error in urlmill that ended the reading of a source; other sources are still read. */
export function internalError(source: string | undefined, cause: unknown): SourceError {
  const what = shown(isError(cause) ? `${cause.name}: ${cause.message}` : String(cause));
  return new SourceError(
    "ERR_URLMILL_INTERNAL",
    source,
    `was not read to its end because of an error in urlmill (${what}); please report it`,
    cause,
  );
}

/** A worker thread ended before its work was done (`ERR_URLMILL_WORKER_DIED`); `cause` is the error that Node reports. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
  readonly code = "ERR_URLMILL_WORKER_DIED";
}

export function systemCode(error: unknown): string | undefined {
  return isError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
