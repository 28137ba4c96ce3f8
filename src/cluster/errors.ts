// Errors of shards and of merges.
import { OptionError } from "../base/errors.ts";

/**
 * `PLAN`: a plan, or a request about it, is wrong; `CHANGED`: an input has changed; `RESULTS`: results are missing or damaged.
 */
export type ShardErrorCode = "ERR_URLMILL_PLAN" | "ERR_URLMILL_CHANGED" | "ERR_URLMILL_RESULTS";

/** An error of a plan, its inputs or its results. Unless the code is `ERR_URLMILL_RESULTS`, another try ends in the same error. */
export class ShardError extends Error {
  override readonly name = "ShardError";
  readonly code: ShardErrorCode;

  constructor(code: ShardErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns whether another try would end in the same error. */
export function isFinal(error: unknown): boolean {
  return error instanceof OptionError || (error instanceof ShardError && error.code !== "ERR_URLMILL_RESULTS");
}
