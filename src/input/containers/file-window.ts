// Random access to short pieces of a file, for headers.
import { SourceError } from "../../base/errors.ts";

/** Bytes per read: one read serves several headers if blocks are short. */
const WINDOW_BYTES = 4096;

/** A file that is searched for starts of blocks. */
export interface BlockFile {
  readonly size: number;
  /** Reads at most `count` bytes from `position` on into `target`; returns how many. Throws SourceError. */
  read(target: Uint8Array, count: number, position: number): number;
}

/** Reads short pieces of a file through a buffer. */
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

/** Fills `target` from `position` on; returns the number of bytes. Ignores a SourceError: the reader of the text gets it again. */
export function readOf(file: BlockFile, target: Uint8Array, position: number): number {
  try {
    return file.read(target, target.length, position);
  } catch (error) {
    if (error instanceof SourceError) return 0;
    throw error;
  }
}
