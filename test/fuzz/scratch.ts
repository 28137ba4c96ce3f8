// A folder for the files of trials, which is removed when the thread or the process ends.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../cli/run.ts";

let folder: string | undefined;

/** Returns the path of a file in that folder. */
export function scratchPath(name: string): string {
  if (folder === undefined) {
    const made = newFolder();
    folder = made;
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  }
  return join(folder, name);
}
