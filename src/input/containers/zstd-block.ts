// A block of zstd (RFC 8878, section 3.1.1.3): literals, and sequences of literal lengths and copies from the window.
import { WRONG } from "./errors.ts";
import { WindowDecoder } from "./window-decoder.ts";
import { LiteralsDecoder, lastBit, NO_TABLE, StateTable } from "./zstd-entropy.ts";

/** Most bytes of a block, and of its text. */
export const BLOCK_BYTES_MAX = 1 << 17;
/** Bytes of padding on each side of the input, so that reads of words need no bounds checks. More than the bits of a sequence take. */
const PAD = 16;
const LONG_COPY = 48; // Copies of at least this many bytes use copyWithin, which is faster for them

const OFFSET_BITS_MAX = 31; // Most bits of an offset: enough for a window of 2 GiB

/** Modes of a table (section 3.1.1.3.2.1); all others are `Repeat_Mode`. */
const PREDEFINED = 0;
const RLE = 1;
const FSE_COMPRESSED = 2;

const times = (count: number, share: number): number[] => new Array<number>(count).fill(share);
/** Returns the baselines of codes with these extra bits; `first`: baseline of the first code. */
function codesOf(first: number, extraBits: readonly number[]): { readonly bits: Uint8Array; readonly bases: Int32Array } {
  let base = first;
  const bases = Int32Array.from(extraBits, (count) => {
    base += 2 ** count;
    return base - 2 ** count;
  });
  return { bits: Uint8Array.from(extraBits), bases };
}

const LITERAL_LENGTHS = codesOf(0, [...times(16, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_LENGTHS = codesOf(3, [...times(32, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

const LITERAL_SHARES = [4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)];
const MATCH_SHARES = [1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)];
const OFFSET_SHARES = [...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)];

/** The table of one of the three kinds of codes. */
class CodeTable extends StateTable {
  readonly #predefined: readonly number[];
  readonly #predefinedBits: number;

  constructor(bitsMax: number, symbolMax: number, predefined: readonly number[], predefinedBits: number) {
    super(bitsMax, symbolMax);
    this.#predefined = predefined;
    this.#predefinedBits = predefinedBits;
  }

  /** Sets the table by `mode`; returns the offset after its description. Throws WRONG. */
  set(mode: number, input: Uint8Array, at: number, end: number): number {
    if (mode === FSE_COMPRESSED) return this.read(input, at, end);
    if (mode === PREDEFINED) this.build(this.#predefined, this.#predefined.length, this.#predefinedBits);
    else if (mode === RLE) {
      if (at >= end) throw WRONG;
      this.repeat(input[at]);
      return at + 1;
    } else if (this.bits === NO_TABLE) throw WRONG;
    return at;
  }
}

/** Decodes the blocks of a frame. One decoder serves many frames in turn. */
export class ZstdDecoder extends WindowDecoder {
  #input = new Uint8Array(0);
  #view = new DataView(this.#input.buffer);
  readonly #literals = new LiteralsDecoder();
  readonly #literalLengths = new CodeTable(9, 35, LITERAL_SHARES, 6);
  readonly #offsets = new CodeTable(8, OFFSET_BITS_MAX, OFFSET_SHARES, 5);
  readonly #matchLengths = new CodeTable(9, 52, MATCH_SHARES, 6);
  /** The last three offsets. */
  readonly #repeats = new Uint32Array(3);
  #blockBytesMax = 0;

  override begin(windowBytes: number): void {
    super.begin(windowBytes);
    this.#blockBytesMax = Math.min(windowBytes, BLOCK_BYTES_MAX);
    this.#literals.begin();
    for (const table of [this.#literalLengths, this.#offsets, this.#matchLengths]) table.bits = NO_TABLE;
    this.#repeats.set([1, 4, 8]);
  }

  /** Throws WRONG if the text is too long, and NO_MEMORY. */
  override store(text: Uint8Array): Uint8Array {
    if (text.length > this.#blockBytesMax) throw WRONG;
    return super.store(text);
  }

  /** Adds and returns the text of a compressed block. Throws WRONG and NO_MEMORY. */
  decode(block: Uint8Array): Uint8Array {
    const end = PAD + block.length;
    this.#copyInput(block);
    const [input, view] = [this.#input, this.#view];
    let at = this.#literals.decode(input, view, PAD, end, this.#blockBytesMax);
    let count = input[at++];
    if (at > end) throw WRONG;
    if (count === 0) {
      if (at !== end) throw WRONG;
      return this.store(this.#literals.bytes.subarray(0, this.#literals.size));
    }
    if (count === 255) {
      count = 0x7f00 + view.getUint16(at, true);
      at += 2;
    } else if (count >= 128) count = ((count - 128) << 8) + input[at++];
    const modes = input[at++];
    if ((modes & 3) !== 0 || at > end) throw WRONG;
    at = this.#literalLengths.set(modes >> 6, input, at, end);
    at = this.#offsets.set((modes >> 4) & 3, input, at, end);
    at = this.#matchLengths.set((modes >> 2) & 3, input, at, end);
    this.reserve(this.#blockBytesMax);
    return this.append(this.#run(count, at, end));
  }

  #copyInput(block: Uint8Array): void {
    if (this.#input.length < block.length + 2 * PAD) {
      this.#input = new Uint8Array(Math.min(2 * block.length, BLOCK_BYTES_MAX) + 2 * PAD);
      this.#view = new DataView(this.#input.buffer);
    }
    this.#input.set(block, PAD);
    this.#input.fill(0, PAD + block.length, 2 * PAD + block.length);
  }

  /** Writes the text of `count` sequences, which are [start, end) of the input, after the window; returns its length. Throws WRONG. */
  #run(count: number, start: number, end: number): number {
    const view = this.#view;
    const { rows: literalRows, bits: literalBits } = this.#literalLengths;
    const { rows: offsetRows, bits: offsetTableBits } = this.#offsets;
    const { rows: matchRows, bits: matchBits } = this.#matchLengths;
    const { bytes: literals, size: literalsSize } = this.#literals;
    const { bytes: text, end: textStart } = this;
    const limit = textStart + this.#blockBytesMax;
    const first = start * 8;
    let position = lastBit(this.#input, start, end);
    const take = (bits: number): number => {
      position -= bits;
      return (view.getInt32(position >> 3, true) >>> (position & 7)) & ((1 << bits) - 1);
    };
    let literalState = take(literalBits);
    let offsetState = take(offsetTableBits);
    let matchState = take(matchBits);
    let to = textStart;
    let from = 0;
    for (let left = count; ; ) {
      const literalRow = literalRows[literalState];
      const offsetRow = offsetRows[offsetState];
      const matchRow = matchRows[matchState];
      const offsetBits = offsetRow & 0xff;
      // A word has at least 25 unread bits.
      const value = offsetBits <= 25 ? (1 << offsetBits) + take(offsetBits) : 2 ** offsetBits + take(offsetBits - 16) * 2 ** 16 + take(16);
      const matchCode = matchRow & 0xff;
      const length = MATCH_LENGTHS.bases[matchCode] + take(MATCH_LENGTHS.bits[matchCode]);
      const literalCode = literalRow & 0xff;
      const literalLength = LITERAL_LENGTHS.bases[literalCode] + take(LITERAL_LENGTHS.bits[literalCode]);
      if (position < first || from + literalLength > literalsSize || to + literalLength + length > limit) throw WRONG;
      copy(literals, from, text, to, literalLength);
      from += literalLength;
      to += literalLength;
      const offset = value > 3 ? this.#setOffset(value - 3, 3) : this.#repeatedOffset(literalLength === 0 ? value : value - 1);
      if (offset > to || offset <= 0) throw WRONG;
      if (offset >= length) copy(text, to - offset, text, to, length);
      else for (let at = to; at < to + length; at++) text[at] = text[at - offset];
      to += length;
      if (--left === 0) break;
      literalState = (literalRow >> 16) + take((literalRow >> 8) & 0xff);
      matchState = (matchRow >> 16) + take((matchRow >> 8) & 0xff);
      offsetState = (offsetRow >> 16) + take((offsetRow >> 8) & 0xff);
    }
    const rest = literalsSize - from;
    if (position !== first || to + rest > limit) throw WRONG;
    copy(literals, from, text, to, rest);
    return to + rest - textStart;
  }

  /** Returns a repeated offset, which becomes the last one: one of the last three by `index`; for 3, the last one minus 1. */
  #repeatedOffset(index: number): number {
    if (index === 0) return this.#repeats[0];
    return this.#setOffset(index === 3 ? this.#repeats[0] - 1 : this.#repeats[index], index);
  }

  /** Makes `offset` the last one. `index`: its index among the last three, or 3 for another one. */
  #setOffset(offset: number, index: number): number {
    const repeats = this.#repeats;
    if (index > 1) repeats[2] = repeats[1];
    repeats[1] = repeats[0];
    repeats[0] = offset;
    return offset;
  }
}

function copy(source: Uint8Array, from: number, target: Uint8Array, to: number, count: number): void {
  if (count < LONG_COPY) for (let at = 0; at < count; at++) target[to + at] = source[from + at];
  else if (source === target) target.copyWithin(to, from, from + count);
  else target.set(source.subarray(from, from + count), to);
}
