// A reader of bits in a chunked stream, the highest bit of each byte first.
import { concat } from "../../base/arrays.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";

const LOW_BYTES = 256; // Most bytes that are read between two checks of `isLow`

/** Reads the bits of a reader. After the last byte it returns zeros. */
export class Bits {
  readonly #reader: ByteReader;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #buffer = 0;
  #count = 0;
  #hasEnded = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Whether the caller must call `fill` before the next read. */
  get isLow(): boolean {
    return !this.#hasEnded && this.#bytes.length - this.#at < LOW_BYTES;
  }

  /** Whether bits beyond the end were read. */
  get isOver(): boolean {
    return this.#at * 8 - this.#count > this.#bytes.length * 8;
  }

  /** Takes bytes of the reader until there are enough. If there are already, may yield to the event loop. */
  *fill(): Steps<never> {
    if (!this.isLow) return yield* this.#reader.pause();
    while (this.isLow) {
      // `peek` does not throw: the caller gets an error of the reader after the bytes before it.
      const bytes = (yield* this.#reader.peek(1)).length === 0 ? undefined : yield* this.#reader.next();
      if (bytes === undefined) this.#hasEnded = true;
      else {
        const left = this.#bytes.subarray(this.#at);
        this.#at = 0;
        this.#bytes = left.length === 0 ? bytes : concat([left, bytes]);
      }
    }
  }

  /** Drops the rest of the current byte, and gives the reader back the bytes after it. */
  release(): void {
    this.#reader.unread(this.#bytes.subarray(Math.max(0, this.#at - (this.#count >> 3))));
    this.#bytes = new Uint8Array(0);
    this.#at = 0;
    this.#count = 0;
    this.#hasEnded = false;
  }

  /** Takes `count` bits, at most 24. */
  read(count: number): number {
    const value = this.peek(count);
    this.#count -= count;
    return value;
  }

  /** Returns the next `count` bits, at most 24, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | (this.#bytes[this.#at] ?? 0);
      this.#at++;
      this.#count += 8;
    }
    return (this.#buffer >>> (this.#count - count)) & ((1 << count) - 1);
  }

  /** Takes `count` bits after a `peek` of at least as many. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** Takes `count` bits, 25 to 48. */
  readLong(count: number): number {
    return this.read(count - 24) * 2 ** 24 + this.read(24);
  }
}
