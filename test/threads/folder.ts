// A folder for the tests of one file, which calls `useFolder` first.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";

let folder: string;

/** Makes the folder before the tests of a file, and removes it after them. */
export function useFolder(): void {
  beforeAll(() => {
    folder = newFolder();
  });
  afterAll(() => removeFolder(folder));
}

/** Returns the path of a name in the folder. */
export function pathOf(name: string): string {
  return join(folder, name);
}

/** Writes a file to the folder and returns its path. */
export function put(name: string, bytes: Uint8Array | string): string {
  writeFileSync(pathOf(name), bytes);
  return pathOf(name);
}
