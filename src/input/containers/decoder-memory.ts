// The memory of decoders: the window, which grows with the text, not with the size in a header; and one decoder that is kept for reuse.
import { grown } from "../../base/arrays.ts";
import type { Steps } from "../steps.ts";
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

const KEPT_BYTES = 1 << 22; // A larger decoder is not kept: the next input may need little memory

/** Returns a function that runs `work` with a decoder, which `work` resets. It is kept for the next input if `memoryBytes` is low. */
export function reused<Decoder extends { readonly memoryBytes: number }>(create: () => Decoder) {
  let kept: Decoder | undefined;
  return function* (work: (decoder: Decoder) => Steps<Uint8Array>): Steps<Uint8Array> {
    const decoder = kept ?? create();
    kept = undefined;
    try {
      yield* work(decoder);
    } finally {
      if (decoder.memoryBytes <= KEPT_BYTES) kept = decoder;
    }
  };
}
