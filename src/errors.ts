// Every error class of the package. A malformed URL is a result, never one of these.
import { shown } from "./shown.ts";

/** A bad option: unknown (`ERR_UNKNOWN_OPTION`) or with a value it cannot have (`ERR_BAD_OPTION`). */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
  /** Name of the option as the library spells it. */
  readonly option: string;
  /** What would be right, as the end of a sentence that begins with the option's name. */
  readonly expected: string;
  readonly code: "ERR_UNKNOWN_OPTION" | "ERR_BAD_OPTION";

  constructor(code: "ERR_UNKNOWN_OPTION" | "ERR_BAD_OPTION", option: string, expected: string) {
    super(`${option} ${expected}`);
    this.code = code;
    this.option = option;
    this.expected = expected;
  }
}

/**
 * Input that is not what it has to be: of a type that holds no bytes, or parts that make no URL (`ERR_INPUT_TYPE`); or one that its
 * caller asked to be refused (StrayPercentError).
 */
export class InputError extends TypeError {
  override readonly name: string = "InputError";
  readonly code: "ERR_INPUT_TYPE" | "ERR_STRAY_PERCENT" = "ERR_INPUT_TYPE";
}

/** A `%` without two hex digits behind it, where `strict` decoding was asked for (`ERR_STRAY_PERCENT`). */
export class StrayPercentError extends InputError {
  override readonly name = "StrayPercentError";
  override readonly code = "ERR_STRAY_PERCENT";
  /** UTF-8 byte of the input at which the `%` stands. */
  readonly offset: number;

  constructor(offset: number) {
    super(`a % without two hex digits at byte ${offset}`);
    this.offset = offset;
  }
}

/**
 * Why a source was not read, or not to its end. Of compressed data and archives: they end too early (`ERR_TRUNCATED`), are not what
 * their format says (`ERR_CORRUPT`), have something else behind them (`ERR_TRAILING`), are larger than the limits (`ERR_LIMIT`), are
 * encrypted (`ERR_ENCRYPTED`), or use a method that is not read (`ERR_METHOD`). A file that became shorter while it was read is
 * `ERR_TRUNCATED` too. An input that is also the output is `ERR_IS_OUTPUT`; an error of urlmill itself is `ERR_INTERNAL`.
 */
export type SourceErrorCode =
  | "ERR_NOT_FOUND"
  | "ERR_NO_PERMISSION"
  | "ERR_UNREADABLE"
  | "ERR_COMPRESSED"
  | "ERR_TRUNCATED"
  | "ERR_CORRUPT"
  | "ERR_TRAILING"
  | "ERR_LIMIT"
  | "ERR_ENCRYPTED"
  | "ERR_METHOD"
  | "ERR_IS_OUTPUT"
  | "ERR_INTERNAL";

/**
 * A source that could not be read; `source` names it, `reason` is the message without the name, `cause` the system's error
 * if there is one. The message shows the name without controls, and cut where it is long; `source` has it as it is.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  readonly source: string | undefined;
  readonly reason: string;

  constructor(code: SourceErrorCode, source: string | undefined, reason: string, cause?: unknown) {
    super(source === undefined ? reason : `${shown(source)}: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.source = source;
    this.reason = reason;
  }

  /** `cause` if it is a SourceError, or the one for a failed system call on `source`. Throws `cause` where it is neither. */
  static from(source: string, cause: unknown): SourceError {
    if (cause instanceof SourceError) return cause;
    const system = systemCode(cause);
    if (system === "ENOENT") return new SourceError("ERR_NOT_FOUND", source, "no such file or folder", cause);
    if (system === "EACCES" || system === "EPERM")
      return new SourceError("ERR_NO_PERMISSION", source, "no permission to read it; its owner can give it (chmod)", cause);
    if (system === undefined || !(cause instanceof Error) || !("syscall" in cause)) throw cause;
    return new SourceError("ERR_UNREADABLE", source, `cannot be read (${system})`, cause);
  }
}

/** Returns the SourceError for an error of urlmill itself that ended the reading of a source: others are still read. */
export function internalError(source: string | undefined, cause: unknown): SourceError {
  const what = shown(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause));
  return new SourceError("ERR_INTERNAL", source, `was not read to its end: an error of urlmill itself (${what}); please report it`, cause);
}

/** A worker thread that ended before its work was done (`ERR_WORKER_DIED`); `cause` is what Node reports of it. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
  readonly code = "ERR_WORKER_DIED";
}

/** The `code` of a system error (`ENOENT`), if it is one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
