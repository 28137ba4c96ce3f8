// Files that are not there: for good, or because the file system that has them is not mounted here.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../base/errors.ts";

/** Returns the folder of a file that is missing; a path may be bytes that are not UTF-8. */
export function folderOf(path: string | Buffer): Buffer {
  return Buffer.from(dirname(Buffer.from(path).toString("latin1")), "latin1");
}

/** Returns whether the folder of a file that is missing is empty or missing too: so it is where a file system is to be mounted. */
export function mayBeUnmounted(path: string | Buffer): boolean {
  try {
    return readdirSync(folderOf(path)).length === 0;
  } catch (error) {
    // A folder that cannot be listed is there.
    return systemCode(error) === "ENOENT";
  }
}
