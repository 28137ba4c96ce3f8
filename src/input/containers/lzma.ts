// LZMA of xz: a range decoder, and copies from the window.
import { viewOf } from "../../base/arrays.ts";
import { SHORT, WRONG } from "./errors.ts";
import { WindowDecoder } from "./window-decoder.ts";

const PIECE_BYTES = 1 << 17; // Bytes of text that are decoded at a time: some milliseconds of work
const LENGTH_MAX = 273; // Most bytes of a copy. The last copy of a piece may end after PIECE_BYTES

const STATES = 12;
const POSITIONS = 16;
const PROBABILITY_BITS = 11;
const EVEN = 1 << (PROBABILITY_BITS - 1);
const MOVE_BITS = 5;
const TOP = 1 << 24;
const SIGN = 1 << 31;

/** Index of the first probability of each kind, here and below. */
const IS_MATCH = 0;
const IS_REPEAT = IS_MATCH + STATES * POSITIONS;
const IS_REPEAT0 = IS_REPEAT + STATES;
const IS_REPEAT1 = IS_REPEAT0 + STATES;
const IS_REPEAT2 = IS_REPEAT1 + STATES;
const IS_LONG_REPEAT0 = IS_REPEAT2 + STATES;
const DISTANCE_SLOT = IS_LONG_REPEAT0 + STATES * POSITIONS;
const DISTANCE_LOW = DISTANCE_SLOT + 4 * 64;
const DISTANCE_ALIGN = DISTANCE_LOW + 128;
const MATCH_LENGTH = DISTANCE_ALIGN + 16;
const LENGTH_LOW = 2; // Offset in the probabilities of a length, after two choices: 8 low values for each position state
const LENGTH_MIDDLE = LENGTH_LOW + POSITIONS * 8; // Offset in the probabilities of a length: 8 middle values for each position state
const LENGTH_HIGH = LENGTH_MIDDLE + POSITIONS * 8; // Offset in the probabilities of a length: 256 high values
const REPEAT_LENGTH = MATCH_LENGTH + LENGTH_HIGH + 256; // Index of the first probability for the length of a repeat
const LITERAL = REPEAT_LENGTH + LENGTH_HIGH + 256; // Index of the first probability for literals
const LITERAL_COUNT = 0x300; // Number of probabilities for the literals of one context
const LITERAL_BITS_MAX = 4; // Most bits of the context of a literal (lc + lp)

/** Decodes the chunks of a block, which end at whole bytes. One decoder serves many blocks in turn. */
export class LzmaDecoder extends WindowDecoder {
  readonly #probabilities = new Uint16Array(LITERAL + (LITERAL_COUNT << LITERAL_BITS_MAX));
  #state = 0;
  readonly #repeats = new Int32Array(4);
  #contextBits = 0;
  #literalMask = 0;
  #literalBits = 0;
  #positionMask = 0;

  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #range = 0;
  #code = 0;

  /** Sets lc, lp and pb from the properties byte. Throws WRONG. */
  configure(bits: number): void {
    const context = bits % 9;
    const literal = Math.floor(bits / 9) % 5;
    const position = Math.floor(bits / 45);
    if (position > 4 || context + literal > LITERAL_BITS_MAX) throw WRONG;
    this.#contextBits = context;
    this.#literalMask = (1 << literal) - 1;
    this.#literalBits = context + literal;
    this.#positionMask = (1 << position) - 1;
  }

  reset(): void {
    this.#probabilities.fill(EVEN, 0, LITERAL + (LITERAL_COUNT << this.#literalBits));
    this.#state = 0;
    this.#repeats.fill(0);
  }

  /** Yields the text of a chunk, `count` bytes, before it throws WRONG, or SHORT if the chunk continues after `input`. Throws NO_MEMORY. */
  *decode(input: Uint8Array, count: number): Generator<Uint8Array> {
    if (input.length < 5) throw SHORT;
    if (input[0] !== 0) throw WRONG;
    this.#input = input;
    this.#at = 5;
    this.#range = -1;
    this.#code = viewOf(input).getInt32(1);
    for (let left = count; left > 0; ) {
      this.reserve(Math.min(left, PIECE_BYTES + LENGTH_MAX));
      const start = this.end;
      try {
        this.#decodePiece(start + Math.min(left, PIECE_BYTES), start + left);
      } finally {
        left -= this.end - start;
        if (this.end > start) yield this.bytes.slice(start, this.end);
      }
    }
    this.#normalize();
    // A chunk has no bytes after the end of its text.
    if (this.#at !== this.#input.length || this.#code !== 0) throw WRONG;
  }

  /** Decodes until the text reaches the offset `enough` in `bytes`; no copy may end after `limit`. Throws WRONG and SHORT. */
  #decodePiece(enough: number, limit: number): void {
    while (this.end < enough) {
      const position = (this.dropped + this.end) & this.#positionMask;
      if (this.#bit(IS_MATCH + this.#state * POSITIONS + position) === 0) {
        this.#literal();
        continue;
      }
      const length = this.#bit(IS_REPEAT + this.#state) === 0 ? this.#match(position) : this.#repeat(position);
      this.#copy(length, limit);
    }
  }

  #literal(): void {
    const { bytes, end } = this;
    const before = end > 0 ? bytes[end - 1] : 0;
    const context = (((this.dropped + end) & this.#literalMask) << this.#contextBits) + (before >> (8 - this.#contextBits));
    const base = LITERAL + LITERAL_COUNT * context;
    let symbol = 1;
    if (this.#state >= 7) {
      let matched = bytes[end - 1 - this.#repeats[0]] << 1;
      let offset = 0x100;
      while (symbol < 0x100) {
        const bit = this.#bit(base + offset + (matched & offset) + symbol);
        symbol = (symbol << 1) | bit;
        offset &= bit === 0 ? ~matched : matched;
        matched <<= 1;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(base + symbol);
    bytes[end] = symbol;
    this.end = end + 1;
    if (this.#state < 4) this.#state = 0;
    else this.#state -= this.#state < 10 ? 3 : 6;
  }

  #match(position: number): number {
    const repeats = this.#repeats;
    repeats.copyWithin(1, 0, 3);
    this.#state = this.#state < 7 ? 7 : 10;
    const length = this.#length(MATCH_LENGTH, position);
    const slot = this.#tree(DISTANCE_SLOT + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) {
      repeats[0] = slot;
      return length;
    }
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) repeats[0] = high + this.#reverseTree(DISTANCE_LOW + high - slot, bits);
    else repeats[0] = high + (this.#directBits(bits - 4) << 4) + this.#reverseTree(DISTANCE_ALIGN, 4);
    return length;
  }

  #repeat(position: number): number {
    const repeats = this.#repeats;
    const state = this.#state;
    if (this.#bit(IS_REPEAT0 + state) === 0) {
      if (this.#bit(IS_LONG_REPEAT0 + state * POSITIONS + position) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      const index = this.#bit(IS_REPEAT1 + state) === 0 ? 1 : 2 + this.#bit(IS_REPEAT2 + state);
      const distance = repeats[index];
      repeats.copyWithin(1, 0, index);
      repeats[0] = distance;
    }
    this.#state = state < 7 ? 8 : 11;
    return this.#length(REPEAT_LENGTH, position);
  }

  #copy(length: number, limit: number): void {
    const { bytes, end: start } = this;
    const distance = this.#repeats[0] + 1;
    const end = start + length;
    // Distances above 2 GiB overflow to negative numbers.
    if (distance <= 0 || distance > start || end > limit) throw WRONG;
    for (let to = start, from = to - distance; to < end; to++, from++) bytes[to] = bytes[from];
    this.end = end;
  }

  #length(base: number, position: number): number {
    if (this.#bit(base) === 0) return 2 + this.#tree(base + LENGTH_LOW + position * 8, 3);
    if (this.#bit(base + 1) === 0) return 10 + this.#tree(base + LENGTH_MIDDLE + position * 8, 3);
    return 18 + this.#tree(base + LENGTH_HIGH, 8);
  }

  #tree(base: number, bits: number): number {
    let symbol = 1;
    for (let left = bits; left > 0; left--) symbol = (symbol << 1) | this.#bit(base + symbol);
    return symbol - (1 << bits);
  }

  #reverseTree(base: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let bit = 0; bit < bits; bit++) {
      const one = this.#bit(base + symbol);
      symbol = (symbol << 1) | one;
      value |= one << bit;
    }
    return value;
  }

  #directBits(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) {
      this.#normalize();
      this.#range >>>= 1;
      this.#code = (this.#code - this.#range) | 0;
      const borrowed = this.#code >> 31;
      this.#code = (this.#code + (this.#range & borrowed)) | 0;
      value = (value << 1) + borrowed + 1;
    }
    return value;
  }

  // Range and code are unsigned. Inverting the sign bits makes a signed comparison right.
  #bit(index: number): number {
    this.#normalize();
    const probability = this.#probabilities[index];
    const bound = Math.imul(this.#range >>> PROBABILITY_BITS, probability);
    if ((this.#code ^ SIGN) < (bound ^ SIGN)) {
      this.#range = bound;
      this.#probabilities[index] = probability + (((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS);
      return 0;
    }
    this.#range = (this.#range - bound) | 0;
    this.#code = (this.#code - bound) | 0;
    this.#probabilities[index] = probability - (probability >> MOVE_BITS);
    return 1;
  }

  #normalize(): void {
    if (this.#range >>> 0 >= TOP) return;
    if (this.#at >= this.#input.length) throw SHORT;
    this.#range <<= 8;
    this.#code = (this.#code << 8) | this.#input[this.#at++];
  }
}
