// One block of bzip2: Huffman codes, move to front, the transform of Burrows and Wheeler, runs.

/** Thrown where a block goes on behind the bytes that are there. */
export const SHORT = Symbol("short");
/** Thrown where a block is not as the format says. */
export const WRONG = Symbol("wrong");

const BLOCK_MARK = 0x314159265359;
const END_MARK = 0x177245385090;
const GROUP_SYMBOLS = 50;
const CODE_BITS_MAX = 20;
const LOOKUP_BITS = 10;
const OUTPUT_BYTES = 1 << 18;

/** Bits from the first byte's highest on. */
class Bits {
  readonly #bytes: Uint8Array;
  #at: number;
  #buffer = 0;
  #count = 0;

  constructor(bytes: Uint8Array, bit: number) {
    this.#bytes = bytes;
    this.#at = bit >> 3;
    this.read(bit & 7);
  }

  /** Bits taken since the first byte. */
  get position(): number {
    return this.#at * 8 - this.#count;
  }

  /** Whether more was taken than there was: zeros were given then. */
  get isOver(): boolean {
    return this.position > this.#bytes.length * 8;
  }

  /** The next `count` bits, at most 24. */
  read(count: number): number {
    const value = this.peek(count);
    this.#count -= count;
    return value;
  }

  peek(count: number): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | (this.#bytes[this.#at] ?? 0);
      this.#at++;
      this.#count += 8;
    }
    return (this.#buffer >>> (this.#count - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#count -= count;
  }

  readLong(count: number): number {
    return this.read(count - 24) * 2 ** 24 + this.read(24);
  }
}

/** A code of one of the block's tables: what the next bits stand for, `symbol << 5 | bits`. */
class Code {
  readonly #lookup = new Uint16Array(1 << LOOKUP_BITS);
  /** By length: the code behind the last one of that length, left in 20 bits. */
  readonly #ends = new Int32Array(CODE_BITS_MAX + 2);
  readonly #first = new Int32Array(CODE_BITS_MAX + 2);
  readonly #symbols: number[] = [];

  constructor(lengths: readonly number[]) {
    let code = 0;
    for (let bits = 1; bits <= CODE_BITS_MAX; bits++) {
      this.#first[bits] = this.#symbols.length - code;
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] !== bits) continue;
        this.#symbols.push(symbol);
        if (bits <= LOOKUP_BITS) {
          const from = code << (LOOKUP_BITS - bits);
          this.#lookup.fill((symbol << 5) | bits, from, from + (1 << (LOOKUP_BITS - bits)));
        }
        code++;
      }
      this.#ends[bits] = code << (CODE_BITS_MAX - bits);
      code <<= 1;
    }
  }

  read(bits: Bits): number {
    const next = bits.peek(CODE_BITS_MAX);
    const found = this.#lookup[next >> (CODE_BITS_MAX - LOOKUP_BITS)] ?? 0;
    if (found !== 0) {
      bits.skip(found & 31);
      return found >> 5;
    }
    for (let length = LOOKUP_BITS + 1; length <= CODE_BITS_MAX; length++) {
      if (next >= (this.#ends[length] ?? 0)) continue;
      bits.skip(length);
      return this.#symbols[(next >> (CODE_BITS_MAX - length)) + (this.#first[length] ?? 0)] ?? wrong();
    }
    return wrong();
  }
}

function wrong(): never {
  throw WRONG;
}

/** What stands at a bit: a block, or the end of the blocks. */
export interface Block {
  /** Checksum of the block's text, or of all blocks at the end. */
  readonly sum: number;
  /** The bit behind it. */
  readonly end: number;
  /** Rows of the transform, each `next << 8 | byte`; undefined at the end. */
  readonly rows: Int32Array | undefined;
  /** The row at which the text starts. */
  readonly start: number;
}

/** Reads the block at `bit` of `bytes`, of at most `size` bytes before runs are undone. Throws SHORT and WRONG. */
export function readBlock(bytes: Uint8Array, bit: number, size: number): Block {
  const bits = new Bits(bytes, bit);
  try {
    const mark = bits.readLong(48);
    const sum = bits.readLong(32);
    if (mark === END_MARK) return whole(bits, { sum, end: bits.position, rows: undefined, start: 0 });
    if (mark !== BLOCK_MARK) wrong();
    // Blocks that are shuffled were given up before version 0.9.5.
    if (bits.read(1) !== 0) wrong();
    const start = bits.read(24);
    const rows = readRows(bits, size);
    if (start >= rows.length) wrong();
    return whole(bits, { sum, end: bits.position, rows: transform(rows), start });
  } catch (error) {
    throw error === WRONG && bits.isOver ? SHORT : error;
  }
}

function whole(bits: Bits, block: Block): Block {
  if (bits.isOver) throw SHORT;
  return block;
}

function readUsed(bits: Bits): Uint8Array {
  const used: number[] = [];
  const ranges = bits.read(16);
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >> range)) === 0) continue;
    const bytes = bits.read(16);
    for (let byte = 0; byte < 16; byte++) if ((bytes & (0x8000 >> byte)) !== 0) used.push(range * 16 + byte);
  }
  if (used.length === 0) wrong();
  return Uint8Array.from(used);
}

function readSelectors(bits: Bits, tables: number): Uint8Array {
  const selectors = new Uint8Array(bits.read(15));
  const order = Array.from({ length: tables }, (_, index) => index);
  for (let at = 0; at < selectors.length; at++) {
    let index = 0;
    while (bits.read(1) !== 0) if (++index >= tables) wrong();
    const [table = 0] = order.splice(index, 1);
    order.unshift(table);
    selectors[at] = table;
  }
  return selectors;
}

function readCode(bits: Bits, symbols: number): Code {
  const lengths: number[] = [];
  let length = bits.read(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > CODE_BITS_MAX) wrong();
      if (bits.read(1) === 0) break;
      length += bits.read(1) === 0 ? 1 : -1;
    }
    lengths.push(length);
  }
  return new Code(lengths);
}

/** The last column of the transform. */
function readRows(bits: Bits, size: number): Int32Array {
  const order = readUsed(bits);
  const tables = bits.read(3);
  if (tables < 2 || tables > 6) wrong();
  const selectors = readSelectors(bits, tables);
  const end = order.length + 1;
  const codes = Array.from({ length: tables }, () => readCode(bits, end + 1));
  const rows = new Int32Array(size);
  let length = 0;
  let run = 0;
  let weight = 1;
  for (const selector of selectors) {
    const code = codes[selector] ?? wrong();
    if (bits.isOver) throw SHORT;
    for (let left = GROUP_SYMBOLS; left > 0; left--) {
      const symbol = code.read(bits);
      // Two symbols are the digits of a run's length, of the values 1 and 2.
      if (symbol < 2) {
        run += weight << symbol;
        weight <<= 1;
        if (run > size) wrong();
        continue;
      }
      if (run > 0) {
        if (length + run > size) wrong();
        rows.fill(order[0] ?? 0, length, length + run);
        length += run;
        run = 0;
        weight = 1;
      }
      if (symbol === end) return rows.subarray(0, length);
      if (length >= size) wrong();
      const byte = order[symbol - 1] ?? 0;
      for (let at = symbol - 1; at > 0; at--) order[at] = order[at - 1] ?? 0;
      order[0] = byte;
      rows[length++] = byte;
    }
  }
  return wrong();
}

function transform(rows: Int32Array): Int32Array {
  const places = new Int32Array(257);
  for (const row of rows) places[row + 1] = (places[row + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++) places[byte + 1] = (places[byte + 1] ?? 0) + (places[byte] ?? 0);
  for (let at = 0; at < rows.length; at++) {
    const byte = (rows[at] ?? 0) & 0xff;
    const place = places[byte] ?? 0;
    places[byte] = place + 1;
    rows[place] = (rows[place] ?? 0) | (at << 8);
  }
  return rows;
}

const SUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
  return sum;
});

/** The text of a block, its runs undone; the result is its checksum. */
export function* readText(rows: Int32Array, start: number): Generator<Uint8Array, number> {
  let text = new Uint8Array(OUTPUT_BYTES);
  let length = 0;
  let sum = -1;
  let row = (rows[start] ?? 0) >>> 8;
  let last = -1;
  let alike = 0;
  for (let left = rows.length; left > 0; left--) {
    const next = rows[row] ?? 0;
    const byte = next & 0xff;
    row = next >>> 8;
    let count = 1;
    // Behind four bytes alike stands how many more there are.
    if (alike === 4) {
      count = byte;
      alike = 0;
    } else {
      alike = byte === last ? alike + 1 : 1;
      last = byte;
    }
    if (length + count > OUTPUT_BYTES) {
      yield text.subarray(0, length);
      text = new Uint8Array(OUTPUT_BYTES);
      length = 0;
    }
    for (; count > 0; count--) {
      text[length++] = last;
      sum = (sum << 8) ^ (SUMS[(sum >>> 24) ^ last] ?? 0);
    }
  }
  if (length > 0) yield text.subarray(0, length);
  return ~sum >>> 0;
}
