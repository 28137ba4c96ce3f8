// The entropy codes of zstd (RFC 8878): finite state tables (section 4.1), and literals (section 3.1.1.3.1), which are raw bytes, one
// repeated byte, or Huffman codes.
import { WRONG } from "./errors.ts";

/** Returns the index of the highest set bit of `value`, which is above 0. */
function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

export const NO_TABLE = -1;

const SHARES = new Int16Array(256);

/** A finite state entropy table. An entry is `symbol | bits << 8 | next state << 16`. */
export class StateTable {
  readonly rows: Int32Array;
  /** Bits of a state, or NO_TABLE. */
  bits = NO_TABLE;
  readonly #bitsMax: number;
  readonly #symbolMax: number;
  readonly #next = new Int32Array(256);

  constructor(bitsMax: number, symbolMax: number) {
    this.#bitsMax = bitsMax;
    this.#symbolMax = symbolMax;
    this.rows = new Int32Array(1 << bitsMax);
  }

  /** Sets a table with one symbol, which takes no bits. Throws WRONG. */
  repeat(symbol: number): void {
    if (symbol > this.#symbolMax) throw WRONG;
    this.bits = 0;
    this.rows[0] = symbol;
  }

  /** Builds the table of `count` symbols from their shares of `1 << bits`; the share -1 means less than 1. Throws WRONG. */
  build(shares: ArrayLike<number>, count: number, bits: number): void {
    const [rows, next] = [this.rows, this.#next];
    const size = 1 << bits;
    const mask = size - 1;
    const step = (size >> 1) + (size >> 3) + 3;
    this.bits = bits;
    let high = size;
    for (let symbol = 0; symbol < count; symbol++) {
      const share = shares[symbol];
      next[symbol] = share < 0 ? 1 : share;
      if (share < 0) rows[--high] = symbol;
    }
    let at = 0;
    for (let symbol = 0; symbol < count; symbol++) {
      for (let left = shares[symbol]; left > 0; left--) {
        rows[at] = symbol;
        do at = (at + step) & mask;
        while (at >= high);
      }
    }
    if (at !== 0) throw WRONG;
    for (let state = 0; state < size; state++) {
      const symbol = rows[state];
      const value = next[symbol];
      next[symbol] = value + 1;
      const taken = bits - highestBit(value);
      rows[state] = symbol | (taken << 8) | (((value << taken) - size) << 16);
    }
  }

  /** Reads the description of a table; returns the offset after it. Throws WRONG. Four more bytes must follow `end`. */
  read(bytes: Uint8Array, at: number, end: number): number {
    const bits = (bytes[at] & 15) + 5;
    if (bits > this.#bitsMax) throw WRONG;
    let position = at * 8 + 4;
    let left = (1 << bits) + 1;
    let count = 0;
    const peek = (): number => {
      const first = position >> 3;
      if (first > end) throw WRONG;
      const word = bytes[first] | (bytes[first + 1] << 8) | (bytes[first + 2] << 16);
      return word >> (position & 7);
    };
    while (left > 1) {
      if (count > this.#symbolMax) throw WRONG;
      const width = highestBit(left) + 1;
      const mask = (1 << width) - 1;
      // Small values take one bit less.
      const small = mask - left;
      let value = peek() & mask;
      if ((value & (mask >> 1)) < small) {
        value &= mask >> 1;
        position += width - 1;
      } else {
        if (value > mask >> 1) value -= small;
        position += width;
      }
      const share = value - 1;
      SHARES[count++] = share;
      left -= Math.abs(share);
      if (share !== 0) continue;
      for (let repeats = 3; repeats === 3; ) {
        repeats = peek() & 3;
        position += 2;
        for (let more = repeats; more > 0; more--) SHARES[count++ & 255] = 0;
        if (count > this.#symbolMax + 1) throw WRONG;
      }
    }
    if (left !== 1 || position > end * 8) throw WRONG;
    this.build(SHARES, count, bits);
    return (position + 7) >> 3;
  }
}

const CODE_BITS_MAX = 11;
const WEIGHT_BITS_MAX = 6;
const WEIGHT_MAX = 11;
const SYMBOLS_MAX = 256;
const TWO_CODES = 2 * CODE_BITS_MAX;
const RLE = 1;
const TREELESS = 3;

/** Reads the header at `at`; `size`: bytes of the text, `end`: end of the header. At least four bytes of padding must follow the input. */
function readHeader(view: DataView, at: number) {
  const word = view.getInt32(at, true);
  const kind = word & 3;
  const format = (word >> 2) & 3;
  if (kind <= RLE) {
    const bytes = (format & 1) === 0 ? 1 : (format + 3) >> 1;
    const size = bytes === 1 ? (word & 0xff) >> 3 : (word & (bytes === 2 ? 0xffff : 0xffffff)) >> 4;
    return { kind, size, packedSize: kind === RLE ? 1 : size, streams: 1, end: at + bytes };
  }
  const streams = format === 0 ? 1 : 4;
  if (format <= 1) return { kind, size: (word >> 4) & 0x3ff, packedSize: (word >> 14) & 0x3ff, streams, end: at + 3 };
  if (format === 2) return { kind, size: (word >>> 4) & 0x3fff, packedSize: word >>> 18, streams, end: at + 4 };
  return { kind, size: (word >>> 4) & 0x3ffff, packedSize: (word >>> 22) | (view.getUint8(at + 4) << 10), streams, end: at + 5 };
}

/** Decodes literals. A block may reuse the code of the previous block. */
export class LiteralsDecoder {
  /** The last literals, in the first `size` bytes. */
  bytes = new Uint8Array(1 << 10);
  size = 0;
  /** By the next `#codeBits` bits: a symbol and the length of its code in bits, `symbol | bits << 8`. */
  readonly #codes = new Uint16Array(1 << CODE_BITS_MAX);
  /** Bits of the longest code; 0 if no code has been read. */
  #codeBits = 0;
  readonly #weights = new Uint8Array(SYMBOLS_MAX);
  readonly #states = new StateTable(WEIGHT_BITS_MAX, WEIGHT_MAX);

  begin(): void {
    this.#codeBits = 0;
  }

  /** Decodes literals of a block that ends at `end`, at most `sizeMax` bytes of text; returns the offset after them. Throws WRONG. */
  decode(input: Uint8Array, view: DataView, at: number, end: number, sizeMax: number): number {
    const { kind, size, packedSize, streams, end: start } = readHeader(view, at);
    const after = start + packedSize;
    if (size > sizeMax || after > end) throw WRONG;
    if (size > this.bytes.length) this.bytes = new Uint8Array(Math.max(size, Math.min(2 * this.bytes.length, sizeMax)));
    this.size = size;
    if (kind === 0) this.bytes.set(input.subarray(start, after));
    else if (kind === RLE) this.bytes.fill(input[start], 0, size);
    else {
      const first = kind === TREELESS ? start : this.#readCodes(input, view, start, after);
      if (this.#codeBits === 0) throw WRONG;
      if (streams === 1) this.#decodeStream(input, view, first, after, 0, size);
      else this.#decodeStreams(input, view, first, after, size);
    }
    return after;
  }

  /** Decodes four streams, each with a quarter of the text, after the lengths of the first three. */
  #decodeStreams(input: Uint8Array, view: DataView, at: number, end: number, size: number): void {
    const share = (size + 3) >> 2;
    if (at + 6 > end || 3 * share > size) throw WRONG;
    let from = at + 6;
    for (let stream = 0; stream < 4; stream++) {
      const to = stream < 3 ? from + view.getUint16(at + 2 * stream, true) : end;
      if (to > end) throw WRONG;
      this.#decodeStream(input, view, from, to, stream * share, stream < 3 ? (stream + 1) * share : size);
      from = to;
    }
  }

  /** Decodes the stream in [start, end) of `input`, backwards from its last bit, into [from, to) of `bytes`. */
  #decodeStream(input: Uint8Array, view: DataView, start: number, end: number, from: number, to: number): void {
    const { bytes } = this;
    const codes = this.#codes;
    const bits = this.#codeBits;
    const mask = (1 << bits) - 1;
    const first = start * 8;
    let position = lastBit(input, start, end);
    let at = from;
    // Two codes per word. Bits before the stream do no harm: the check below finds a code that used them.
    for (; at + 1 < to && position >= first; at += 2) {
      const low = position - TWO_CODES;
      const word = view.getInt32(low >> 3, true) >>> (low & 7);
      const one = codes[(word >>> (TWO_CODES - bits)) & mask];
      const two = codes[(word >>> (TWO_CODES - bits - (one >> 8))) & mask];
      bytes[at] = one;
      bytes[at + 1] = two;
      position -= (one >> 8) + (two >> 8);
    }
    if (at < to && position >= first) {
      const low = position - bits;
      const code = codes[(view.getInt32(low >> 3, true) >>> (low & 7)) & mask];
      bytes[at++] = code;
      position -= code >> 8;
    }
    if (at !== to || position !== first) throw WRONG;
  }

  /** Reads the description of a code; returns the offset after it. */
  #readCodes(input: Uint8Array, view: DataView, at: number, end: number): number {
    const form = input[at];
    const isPlain = form >= 128;
    const after = at + 1 + (isPlain ? (form - 126) >> 1 : form);
    if (after > end) throw WRONG;
    // Two plain weights are in each byte.
    for (let index = 0; index < form - 127; index++) {
      const pair = input[at + 1 + (index >> 1)];
      this.#weights[index] = (index & 1) === 0 ? pair >> 4 : pair & 15;
    }
    this.#build(isPlain ? form - 127 : this.#packedWeights(input, view, at + 1, after));
    return after;
  }

  /** Decodes weights by two alternating states until their bits are used up; returns the number of weights. */
  #packedWeights(input: Uint8Array, view: DataView, at: number, end: number): number {
    const start = this.#states.read(input, at, end);
    if (start >= end) throw WRONG;
    const { rows, bits } = this.#states;
    const first = start * 8;
    let position = lastBit(input, start, end);
    const take = (count: number): number => {
      position -= count;
      return (view.getInt32(position >> 3, true) >>> (position & 7)) & ((1 << count) - 1);
    };
    let now = take(bits);
    let other = take(bits);
    if (position < first) throw WRONG;
    for (let count = 0; count < SYMBOLS_MAX - 2; ) {
      const row = rows[now];
      this.#weights[count++] = row;
      const next = (row >> 16) + take((row >> 8) & 0xff);
      if (position < first) {
        this.#weights[count++] = rows[other];
        return count;
      }
      now = other;
      other = next;
    }
    throw WRONG;
  }

  /** Builds the code from `count` weights; the last symbol has the remaining weight. */
  #build(count: number): void {
    const weights = this.#weights;
    const locations = new Int32Array(CODE_BITS_MAX + 2);
    let sum = 0;
    for (let symbol = 0; symbol < count; symbol++) sum += (1 << weights[symbol]) >> 1;
    if (sum === 0 || sum >= 1 << CODE_BITS_MAX) throw WRONG;
    const bits = highestBit(sum) + 1;
    const left = (1 << bits) - sum;
    if ((left & (left - 1)) !== 0) throw WRONG;
    weights[count] = highestBit(left) + 1;
    for (let symbol = 0; symbol <= count; symbol++) {
      const weight = weights[symbol];
      if (weight > bits) throw WRONG;
      // After the loop below: by weight, the index of its first code.
      if (weight > 0) locations[weight + 1] += 1 << (weight - 1);
    }
    for (let weight = 2; weight <= bits; weight++) locations[weight] += locations[weight - 1];
    for (let symbol = 0; symbol <= count; symbol++) {
      const weight = weights[symbol];
      if (weight === 0) continue;
      const from = locations[weight];
      const to = from + (1 << (weight - 1));
      locations[weight] = to;
      this.#codes.fill(symbol | ((bits + 1 - weight) << 8), from, to);
    }
    this.#codeBits = bits;
  }
}

/** Returns the position in bits of the end mark, the highest set bit of the last byte of [start, end). Throws WRONG if there is none. */
export function lastBit(input: Uint8Array, start: number, end: number): number {
  const last = input[end - 1];
  if (end <= start || last === 0) throw WRONG;
  return end * 8 - 8 + highestBit(last);
}
