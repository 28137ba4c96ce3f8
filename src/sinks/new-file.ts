// A file that appears under its name only when it is complete.
import { closeSync, fstatSync, openSync, realpathSync, renameSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../errors.ts";

/** Characters of the target's name that the temporary one has: no name may be longer than 255 bytes. */
const NAME_LENGTH_MOST = 50;

/** A file that is written beside its target and renamed at the end; a pipe or a device is written as it is. */
export class NewFile {
  readonly fd: number;
  readonly stats: Stats;
  readonly #target: string;
  readonly #temporary: string | undefined;

  /** Opens `path` for writing. Throws an error that names it. */
  constructor(path: string) {
    this.#target = targetOf(path);
    const isSpecial = statSync(this.#target, { throwIfNoEntry: false })?.isFile() === false;
    const name = `.${basename(this.#target).slice(0, NAME_LENGTH_MOST)}.${process.pid}.partial`;
    this.#temporary = isSpecial ? undefined : join(dirname(this.#target), name);
    this.fd = openNamed(path, this.#temporary ?? this.#target, this.#temporary === undefined ? "w" : "wx");
    this.stats = fstatSync(this.fd);
  }

  /** Gives the complete file its name. Throws the system's error. */
  commit(): void {
    closeSync(this.fd);
    if (this.#temporary !== undefined) renameSync(this.#temporary, this.#target);
  }

  /** Removes what has been written. */
  discard(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

function openNamed(path: string, opened: string, flags: string): number {
  try {
    return openSync(opened, flags);
  } catch (error) {
    throw new Error(`${path}: cannot be written (${systemCode(error)}); give a file in a folder that you may write to`, { cause: error });
  }
}

// Through a link the file behind it is replaced, not the link.
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
