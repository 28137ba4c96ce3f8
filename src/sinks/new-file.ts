// A file that appears under its name only when it is complete.
import { closeSync, fchmodSync, fstatSync, openSync, realpathSync, renameSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../errors.ts";

/** Characters of the target's name that the temporary one has: no name may be longer than 255 bytes. */
const NAME_LENGTH_MOST = 50;

/** A file that is written beside its target and renamed at the end; a pipe or a device is written as it is. */
export class NewFile {
  readonly fd: number;
  readonly stats: Stats;
  /** The file that it will take the place of. */
  readonly replaced: Stats | undefined;
  readonly #path: string;
  readonly #target: string;
  readonly #temporary: string | undefined;

  /** Opens `path` for writing. Throws an error that names it. */
  constructor(path: string) {
    this.#path = path;
    this.#target = targetOf(path);
    this.replaced = named(path, () => statSync(this.#target, { throwIfNoEntry: false }));
    const isSpecial = this.replaced?.isFile() === false;
    const name = `.${basename(this.#target).slice(0, NAME_LENGTH_MOST)}.${process.pid}.partial`;
    this.#temporary = isSpecial ? undefined : join(dirname(this.#target), name);
    const mode = this.replaced === undefined || isSpecial ? undefined : this.replaced.mode & 0o777;
    this.fd = named(path, () => openSync(this.#temporary ?? this.#target, this.#temporary === undefined ? "w" : "wx", mode));
    this.stats = fstatSync(this.fd);
    if (mode !== undefined) this.#keepMode(path, mode);
  }

  // Whom the older file was closed to, the new one is too, from its first byte on; what a umask took off is given back.
  #keepMode(path: string, mode: number): void {
    try {
      named(path, () => fchmodSync(this.fd, mode));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Gives the complete file its name. Throws an error that names it. */
  commit(): void {
    closeSync(this.fd);
    const temporary = this.#temporary;
    if (temporary !== undefined) named(this.#path, () => renameSync(temporary, this.#target));
  }

  /** Removes what has been written. */
  discard(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

function named<T>(path: string, act: () => T): T {
  try {
    return act();
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
