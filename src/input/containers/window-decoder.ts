// The window of a decoder. Its memory grows with the text, not with the size in a header.
import { grown } from "../../base/arrays.ts";
import { NO_MEMORY } from "./errors.ts";

const LEAST_BYTES = 1 << 12; // Initial capacity in bytes
const ROOM_LEAST_BYTES = 1 << 20; // Least bytes of room for new text after the window, so that text is rarely moved
const ROOM_DIVISOR = 8; // The room has at least the size of the window divided by this number
/** Above this size the full capacity is allocated at once: untouched memory costs nothing, and old buffers are freed late. */
const DOUBLED_BYTES_MAX = 1 << 26;

/** A decoder whose text copies bytes of a window before it. */
export abstract class WindowDecoder {
  /** The last bytes of the text, and room for more. */
  protected bytes = new Uint8Array(LEAST_BYTES);
  /** End offset of the text in `bytes`. The decoder writes new text there and then moves `end`. */
  protected end = 0;
  /** Bytes of text that were dropped before those in `bytes`. */
  protected dropped = 0;
  #windowBytes = 0;

  get memoryBytes(): number {
    return this.bytes.length;
  }

  /** Begins a text, in the memory of the previous one. */
  begin(windowBytes = this.#windowBytes): void {
    this.#windowBytes = windowBytes;
    this.end = 0;
    this.dropped = 0;
  }

  /** Adds uncompressed text, and returns a copy of it. Throws NO_MEMORY. */
  store(text: Uint8Array): Uint8Array {
    this.reserve(text.length);
    this.bytes.set(text, this.end);
    return this.append(text.length);
  }

  /** Adds the next `count` bytes to the text, and returns a copy of them. */
  protected append(count: number): Uint8Array {
    this.end += count;
    return this.bytes.slice(this.end - count, this.end);
  }

  /** Makes room for `count` bytes after `end`. May replace `bytes`, or drop text before the window and lower `end`. Throws NO_MEMORY. */
  protected reserve(count: number): void {
    const wanted = this.end + count;
    if (wanted <= this.bytes.length) return;
    const reach = this.#windowBytes;
    const most = reach + Math.max(ROOM_LEAST_BYTES, Math.floor(reach / ROOM_DIVISOR), count);
    if (wanted <= most) {
      const doubled = Math.max(2 * this.bytes.length, wanted);
      try {
        this.bytes = grown(this.bytes, doubled > DOUBLED_BYTES_MAX ? most : Math.min(most, doubled));
      } catch (error) {
        throw error instanceof RangeError ? NO_MEMORY : error;
      }
      return;
    }
    this.bytes.copyWithin(0, this.end - reach, this.end);
    this.dropped += this.end - reach;
    this.end = reach;
    // The memory of the previous text may be too small.
    if (this.end + count > this.bytes.length) this.reserve(count);
  }
}
