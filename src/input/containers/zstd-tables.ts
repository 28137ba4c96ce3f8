// Finite state entropy tables of zstd (RFC 8878, section 4).
import { WRONG } from "./errors.ts";

/** Returns the index of the highest set bit of `value`, which is above 0. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** A finite state entropy table. An entry is `symbol | bits << 8 | next state << 16`. */
export class StateTable {
  rows: Int32Array;
  /** Bits of a state. */
  bits = 0;
  readonly #next: Int32Array;

  constructor(bitsMax: number) {
    this.rows = new Int32Array(1 << bitsMax);
    this.#next = new Int32Array(256);
  }

  /** Sets a table with one symbol, which takes no bits. */
  repeat(symbol: number): this {
    this.bits = 0;
    this.rows[0] = symbol;
    return this;
  }

  /** Builds the table of `count` symbols from their shares of `1 << bits`; the share -1 means less than 1. Throws WRONG. */
  build(shares: Int16Array | readonly number[], count: number, bits: number): this {
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
    return this;
  }
}

const shares = new Int16Array(256);

/** Reads a table with states of at most `bitsMax` bits; returns the offset after it. Throws WRONG. Four more bytes must follow `end`. */
export function readStateTable(bytes: Uint8Array, at: number, end: number, table: StateTable, bitsMax: number, symbolMax: number): number {
  const bits = (bytes[at] & 15) + 5;
  if (bits > bitsMax) throw WRONG;
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
    if (count > symbolMax) throw WRONG;
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
    shares[count++] = share;
    left -= Math.abs(share);
    if (share !== 0) continue;
    for (let repeats = 3; repeats === 3; ) {
      repeats = peek() & 3;
      position += 2;
      for (let more = repeats; more > 0; more--) shares[count++ & 255] = 0;
      if (count > symbolMax + 1) throw WRONG;
    }
  }
  if (left !== 1 || position > end * 8) throw WRONG;
  table.build(shares, count, bits);
  return (position + 7) >> 3;
}
