// The unfinished line at the end of a chunk of lines.
import { concat } from "../base/arrays.ts";
import { URL_BYTES_LIMIT } from "./text.ts";

/** Keeps the start of a line that continues in the next chunk: one byte more than a URL may have, and no more of a longer line. */
export class OpenLine {
  #bytes = new Uint8Array(0);

  /** Whether nothing of a line has come. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Adds the next bytes of the line. */
  add(bytes: Uint8Array): void {
    const more = bytes.subarray(0, URL_BYTES_LIMIT + 1 - this.#bytes.length);
    if (more.length > 0) this.#bytes = concat([this.#bytes, more]);
  }

  /** Returns the line that `end` ends, at most as much of it as is kept, and begins the next. A whole line is not copied. */
  take(end: Uint8Array): Uint8Array {
    if (this.isEmpty) return end.subarray(0, URL_BYTES_LIMIT + 1);
    this.add(end);
    const line = this.#bytes;
    this.#bytes = new Uint8Array(0);
    return line;
  }
}
