// Compares the files of a zip archive with its directory.
import { firstIndex } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import type { DirectoryEntry, FileHeader } from "./zip-headers.ts";

/** Most names that are kept. A message refers to other files by their offset. */
const NAMES_MAX = 1000;

/** A number of files, and the name of the first. */
class FileCount {
  count = 0;
  #first = "";

  add(name: string | undefined, offset: number): void {
    if (this.count === 0) this.#first = name === undefined ? `at byte ${offset}` : shown(name);
    this.count++;
  }

  /** Returns the words for a message: `3 members (the first: name)`. */
  toString(): string {
    return this.count === 1 ? `a member (${this.#first})` : `${this.count} members (the first: ${this.#first})`;
  }
}

/** Files, or entries of a directory, in the order in which they are in the archive. */
class Files {
  readonly offsets: number[] = [];
  readonly names: string[] = [];
  readonly nameHashes: number[] = [];
  readonly sizeHashes: (number | undefined)[] = [];

  add({ name, nameHash, sizeHash }: FileHeader, offset: number): void {
    if (this.names.length < NAMES_MAX) this.names.push(name);
    this.offsets.push(offset);
    this.nameHashes.push(nameHash);
    this.sizeHashes.push(sizeHash);
  }
}

/** Collects the files of one archive and the entries of its directory. */
export class DirectoryComparison {
  #found = new Files();
  #listed = new Files();

  /** Number of entries of the directory. */
  get entries(): number {
    return this.#listed.offsets.length;
  }

  /** Adds a file. Offsets must ascend from call to call. */
  addFile(header: FileHeader, offset: number): void {
    this.#found.add(header, offset);
  }

  /** Sets the sizes of the last file, from its descriptor. */
  addSizes(sizeHash: number): void {
    this.#found.sizeHashes[this.#found.sizeHashes.length - 1] = sizeHash;
  }

  /** Adds an entry of the directory. */
  addEntry(entry: DirectoryEntry): void {
    this.#listed.add(entry, entry.offset);
  }

  /**
   * Returns the error for differences between files and directory, if any, and resets itself for the next archive. `base`: offset of the
   * archive; `isWhole`: length and count of the directory match its end record. Awaits `pause` now and then.
   */
  async compare(base: number, isWhole: boolean, source: string | undefined, pause: () => Promise<void>): Promise<SourceError | undefined> {
    const [found, listed] = [this.#found, this.#listed];
    this.#found = new Files();
    this.#listed = new Files();
    const [missing, unlisted, different] = [new FileCount(), new FileCount(), new FileCount()];
    const isListed = new Uint8Array(found.offsets.length);
    let next = 0;
    for (const [index, offset] of listed.offsets.entries()) {
      if (index % NAMES_MAX === 0) await pause();
      // The directory usually has the order of the files.
      const at = found.offsets[next] === base + offset ? next : search(found.offsets, base + offset);
      const name = listed.names[index];
      if (at < 0) missing.add(name, base + offset);
      else {
        isListed[at] = 1;
        next = at + 1;
        const [before, after] = [found.sizeHashes[at], listed.sizeHashes[index]];
        const isSame = before === undefined || after === undefined || before === after;
        if (!isSame || found.nameHashes[at] !== listed.nameHashes[index]) different.add(name, base + offset);
      }
    }
    for (const [at, offset] of found.offsets.entries()) if (isListed[at] === 0) unlisted.add(found.names[at], offset);
    const errors = [];
    if (unlisted.count > 0)
      errors.push(`contains ${unlisted} that its directory does not list (${unlisted.count === 1 ? "it was" : "they were"} read)`);
    if (missing.count > 0)
      errors.push(`its directory lists ${missing} at ${missing.count === 1 ? "an offset" : "offsets"} where no file starts (not read)`);
    if (different.count > 0) errors.push(`its directory describes ${different} differently`);
    if (!isWhole) errors.push("has a directory whose size is not the one that its end gives");
    return errors.length === 0 ? undefined : new SourceError("ERR_URLMILL_CORRUPT", source, errors.join("; "));
  }
}

function search(offsets: readonly number[], wanted: number): number {
  const at = firstIndex(offsets.length, (index) => offsets[index] >= wanted);
  return offsets[at] === wanted ? at : -1;
}
