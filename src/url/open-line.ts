// The unfinished line at the end of a chunk of lines.
import { concat } from "../base/arrays.ts";
import { URL_BYTES_LIMIT } from "./text.ts";

/** Keeps the start of a line that continues in the next chunk, at most URL_BYTES_LIMIT + 1 bytes: enough to show that it is overlong. */
export class OpenLine {
  #bytes = new Uint8Array(0);

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  add(bytes: Uint8Array): void {
    const more = bytes.subarray(0, URL_BYTES_LIMIT + 1 - this.#bytes.length);
    if (more.length > 0) this.#bytes = concat([this.#bytes, more]);
  }

  /** Ends the line with `end`, and begins the next. Returns at most URL_BYTES_LIMIT + 1 bytes; a line all in `end` is not copied. */
  take(end: Uint8Array): Uint8Array {
    if (this.isEmpty) return end.subarray(0, URL_BYTES_LIMIT + 1);
    this.add(end);
    const line = this.#bytes;
    this.#bytes = new Uint8Array(0);
    return line;
  }
}
