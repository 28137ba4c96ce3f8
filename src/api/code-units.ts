// Converts between offsets in a string (UTF-16 code units) and in its UTF-8 (bytes).

/** The UTF-8 of a string, and the last position in both. Consecutive offsets should be near each other. */
export class CodeUnits {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #byte = 0;
  #unit = 0;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Returns a converter for a string with the UTF-8 `bytes`. Returns undefined if every code unit is one byte. */
  static of(text: string, bytes: Uint8Array): CodeUnits | undefined {
    return bytes.length === text.length ? undefined : new CodeUnits(bytes);
  }

  /** Returns the number of code units before the byte offset `byte`, at which a character must start. */
  before(byte: number): number {
    const [from, to] = byte < this.#byte ? [byte, this.#byte] : [this.#byte, byte];
    const units = unitsIn(this.#view, from, to);
    this.#unit += byte < this.#byte ? -units : units;
    this.#byte = byte;
    return this.#unit;
  }

  /** Returns the byte offset of the first character that starts at or after a code unit. */
  byteOf(unit: number): number {
    const bytes = this.#bytes;
    // A text never has more code units than bytes.
    if (unit >= bytes.length) return bytes.length;
    let [byte, units] = [0, 0];
    while (byte < bytes.length && (units < unit || isContinuation(bytes[byte]))) units += unitsOf(bytes[byte++]);
    return byte;
  }
}

/** Returns the number of code units in the bytes `[from, to)`. Counts continuation bytes and four-byte characters, four bytes at a time. */
function unitsIn(view: DataView, from: number, to: number): number {
  let units = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const bytes = view.getInt32(at);
    const continued = (bytes & ~(bytes << 1) & 0x80808080) >>> 7;
    const ofFour = (bytes & (bytes << 1) & (bytes << 2) & (bytes << 3) & 0x80808080) >>> 7;
    units += 4 - sumOfBytes(continued) + sumOfBytes(ofFour);
  }
  for (; at < to; at++) units += unitsOf(view.getUint8(at));
  return units;
}

/** Returns the sum of the four bytes of a word, each at most 1. */
function sumOfBytes(bytes: number): number {
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** Returns the number of code units that begin at a byte: two for a four-byte character, a surrogate pair. */
function unitsOf(byte: number): number {
  if (byte >= 0xf0) return 2;
  return isContinuation(byte) ? 0 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
