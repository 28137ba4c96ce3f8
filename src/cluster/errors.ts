// Errors of shards and of merges.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { OptionError, systemCode } from "../base/errors.ts";

/** `PLAN`: a plan, or a request about it, is wrong; `CHANGED`: an input has changed; `RESULTS`: results are missing or damaged. */
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

/** A marker or a file of results that is damaged or gone. */
export class LostFile extends ShardError {
  readonly file: string;
  readonly state: "damaged" | "gone";

  constructor(file: string, state: "damaged" | "gone") {
    const verify = file.endsWith(".json") ? "urlmill verify" : "urlmill verify --hash";
    const advice = state === "gone" ? "urlmill verify lists its shard" : `${verify} removes it, so that its shard can be run again`;
    super("ERR_URLMILL_RESULTS", `${file} is ${state}; ${advice}`);
    this.file = file;
    this.state = state;
  }
}

/** Returns whether another try would end in the same error. */
export function isFinal(error: unknown): boolean {
  return error instanceof OptionError || (error instanceof ShardError && error.code !== "ERR_URLMILL_RESULTS");
}

/** Returns the folder of a missing file. The bytes of a path need not be UTF-8. */
export function folderOf(path: string | Buffer): Buffer {
  return Buffer.from(dirname(Buffer.from(path).toString("latin1")), "latin1");
}

/** Returns whether the folder of a missing file is empty or missing too. Then it may be the mount point of a file system. */
export function mayBeUnmounted(path: string | Buffer): boolean {
  try {
    return readdirSync(folderOf(path)).length === 0;
  } catch (error) {
    // A folder that cannot be listed exists.
    return systemCode(error) === "ENOENT";
  }
}
