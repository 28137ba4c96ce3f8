// Why a shard is not scanned, or results are not merged.
import { OptionError } from "../base/errors.ts";

/**
 * `PLAN`: a plan, or what is asked of it, is wrong; `CHANGED`: an input is not what it was; `RESULTS`: results are missing or damaged.
 */
export type ShardErrorCode = "ERR_URLMILL_PLAN" | "ERR_URLMILL_CHANGED" | "ERR_URLMILL_RESULTS";

/** An error of a plan, its inputs or its results. It comes again however often the same is tried, but for `ERR_URLMILL_RESULTS`. */
export class ShardError extends Error {
  override readonly name = "ShardError";
  readonly code: ShardErrorCode;

  constructor(code: ShardErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns whether another try of the same would end with the same error. */
export function isFinal(error: unknown): boolean {
  return error instanceof OptionError || (error instanceof ShardError && error.code !== "ERR_URLMILL_RESULTS");
}
