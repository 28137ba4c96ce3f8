// Distinguishes deleted files from files of an unmounted file system.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../base/errors.ts";

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
