// A few bytes of a file, here and there, to see where parts of it begin.
import { SourceError } from "../../base/errors.ts";

/** Bytes that are read for a header: those of some more, where blocks are short. */
const WINDOW_BYTES = 4096;

/** A file in which the starts of parts are looked for. */
export interface BlockFile {
  readonly size: number;
  /** Reads at most `count` bytes from `position` on into `target`; returns how many. Throws SourceError. */
  read(target: Uint8Array, count: number, position: number): number;
}

/** Reads a few bytes at a time of a file. */
export class FileWindow {
  readonly #file: BlockFile;
  readonly #bytes = Buffer.alloc(WINDOW_BYTES);
  #from = 0;
  #to = 0;

  constructor(file: BlockFile) {
    this.#file = file;
  }

  /** Returns `count` bytes from `position` on, valid until the next call, or undefined if they cannot be read. */
  at(position: number, count: number): Buffer | undefined {
    if (position < this.#from || position + count > this.#to) {
      this.#from = position;
      this.#to = position + readOf(this.#file, this.#bytes, position);
    }
    return position + count > this.#to ? undefined : this.#bytes.subarray(position - this.#from, position - this.#from + count);
  }
}

/** Returns how many bytes could be read. An error is found again by who reads the text. */
export function readOf(file: BlockFile, target: Uint8Array, position: number): number {
  try {
    return file.read(target, target.length, position);
  } catch (error) {
    if (error instanceof SourceError) return 0;
    throw error;
  }
}
