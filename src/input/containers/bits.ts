// Bits of a stream that comes in chunks, from each byte's highest on.

/** Bytes that may be asked for between two looks at `isLow`. */
const LOW_BYTES = 256;

/** Reads bits. The bytes come by `feed`; after the last one zeros are given. */
export class Bits {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #buffer = 0;
  #count = 0;
  #hasEnded = false;

  /** Whether more bytes are to be fed before the next are read. */
  get isLow(): boolean {
    return !this.#hasEnded && this.#bytes.length - this.#at < LOW_BYTES;
  }

  /** Whether more was taken than there was. */
  get isOver(): boolean {
    return this.#at * 8 - this.#count > this.#bytes.length * 8;
  }

  /** Takes the next bytes; undefined at the end. */
  feed(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) {
      this.#hasEnded = true;
      return;
    }
    const left = this.#bytes.subarray(this.#at);
    this.#at = 0;
    this.#bytes = bytes;
    if (left.length === 0) return;
    this.#bytes = new Uint8Array(left.length + bytes.length);
    this.#bytes.set(left);
    this.#bytes.set(bytes, left.length);
  }

  /** Gives back the bytes from the next whole one on; what is left of the byte before is dropped. Then it is as new. */
  release(): Uint8Array {
    const rest = this.#bytes.subarray(Math.max(0, this.#at - (this.#count >> 3)));
    this.#bytes = new Uint8Array(0);
    this.#at = 0;
    this.#count = 0;
    this.#hasEnded = false;
    return rest;
  }

  /** The next `count` bits, at most 24. */
  read(count: number): number {
    const value = this.peek(count);
    this.#count -= count;
    return value;
  }

  /** The next `count` bits, at most 24, which are not taken. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | (this.#bytes[this.#at] ?? 0);
      this.#at++;
      this.#count += 8;
    }
    return (this.#buffer >>> (this.#count - count)) & ((1 << count) - 1);
  }

  /** Takes bits that `peek` gave. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** The next `count` bits, 25 to 48. */
  readLong(count: number): number {
    return this.read(count - 24) * 2 ** 24 + this.read(24);
  }
}
