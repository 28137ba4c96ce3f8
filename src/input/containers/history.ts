// The text that a decoder may copy from. Its memory grows with the text, not with the window that a header claims.
import { grown } from "../../base/arrays.ts";
import { NO_MEMORY } from "./errors.ts";

/** Bytes that a history has at first. */
const LEAST_BYTES = 1 << 12;
/** Room for new text after the text that may be copied: so many bytes, or this share of the window, so that little is moved. */
const ROOM_LEAST_BYTES = 1 << 20;
const ROOM_SHARE = 8;
/** Beyond so many bytes a history gets all at once: the system gives memory as it is written, and old bytes wait long to be collected. */
const DOUBLED_BYTES_MAX = 1 << 26;

/** The last bytes of a text, and room after them. */
export class History {
  /** The text; new bytes are written from `end` on. */
  bytes = new Uint8Array(LEAST_BYTES);
  end = 0;
  #reach = 0;

  /** Begins a text whose last `reach` bytes may be copied. It uses the memory of the text before. */
  begin(reach: number): void {
    this.#reach = reach;
    this.end = 0;
  }

  /** Makes room for `count` bytes. Throws NO_MEMORY. */
  reserve(count: number): void {
    const wanted = this.end + count;
    if (wanted <= this.bytes.length) return;
    const most = this.#reach + Math.max(ROOM_LEAST_BYTES, Math.floor(this.#reach / ROOM_SHARE), count);
    if (wanted <= most) {
      const doubled = Math.max(2 * this.bytes.length, wanted);
      try {
        this.bytes = grown(this.bytes, doubled > DOUBLED_BYTES_MAX ? most : Math.min(most, doubled));
      } catch (error) {
        throw error instanceof RangeError ? NO_MEMORY : error;
      }
      return;
    }
    this.bytes.copyWithin(0, this.end - this.#reach, this.end);
    this.end = this.#reach;
    // A text before this one may have needed less.
    if (this.end + count > this.bytes.length) this.reserve(count);
  }
}
