// Distinct keys in memory, each with a few numbers: a hash table with open addressing over rows in large blocks of bytes.

/** Returns 32 bits of a hash of the bytes [start, end); another `seed` gives a hash that is independent of the first. */
export type Hash = (view: DataView, start: number, end: number, seed: number) => number;

const UNIT = 8; // Bytes of a unit of addresses: rows begin at multiples of it
const BLOCK_BYTES_MOST = 1 << 20; // Most bytes of a block of rows, by default; a smaller table has smaller blocks
const BLOCK_BYTES_LEAST = 64;
const BLOCKS_LEAST = 16; // Fewest blocks of a full table
const ROWS_AT_ONCE = 1 << 14; // Addresses in a part of `addressParts`
const SLOTS_LEAST = 64;
const LENGTH_BYTES = 4; // Bytes of the length of a key, before it
const ADDRESS_MOST = 2 ** 31 - 2; // Bound of addresses: an address plus 1 must be a positive word
const SHORT_BYTES = 64; // Most bytes of a key that are copied one word after the other
const SLOT_WORDS = 2; // Words of a slot: hash, and address of the row plus 1
const LOAD_MOST = 176; // Most slots in use, in 256ths of all slots. With more, the slots are doubled.

/** Instead of an address: the key is not in the table, and there is no room for it. */
export const NO_ROOM = -1;

interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Used units. */
  units: number;
}

const NO_BLOCK: Block = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(0)), numbers: new Float64Array(0), units: 0 };

/** A table of keys, which are bytes. A full table takes no more keys. */
export class KeyTable {
  readonly #columns: number;
  readonly #bytesMost: number;
  readonly #hash: Hash;
  readonly #seed: number;
  readonly #blockShift: number; // Logarithm of the units of a block
  /** Blocks, by address divided by the units of a block. A row that is longer than a block has its own block, with holes after it. */
  #blocks: (Block | undefined)[] = [];
  #end = 0; // Address after the last row
  #slots = new Int32Array(SLOTS_LEAST * SLOT_WORDS);
  #size = SLOTS_LEAST * SLOT_WORDS * 4;
  #count = 0;
  /** Whether a key has been refused for lack of room. After that all new keys are refused. */
  isFull = false;
  #block = NO_BLOCK;
  /** The block of the current row, which was reached or selected last, as numbers. */
  numbers = NO_BLOCK.numbers;
  /** Index of the first number of the current row. */
  at = 0;
  /** Whether the last `reach` has added its key. */
  isNew = false;

  /** Each row has `columns` numbers, initially 0. `bytesMost`: most bytes of all rows and slots; `blockBytesMost`: of a block. */
  constructor(columns: number, bytesMost: number, hash: Hash, seed: number, blockBytesMost = BLOCK_BYTES_MOST) {
    this.#columns = columns;
    this.#bytesMost = bytesMost;
    this.#hash = hash;
    this.#seed = seed;
    const share = Math.min(Math.max(bytesMost / BLOCKS_LEAST, BLOCK_BYTES_LEAST), blockBytesMost);
    this.#blockShift = Math.floor(Math.log2(share / UNIT));
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of rows and slots. */
  get size(): number {
    return this.#size;
  }

  /** The block of the current row, as bytes. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#block.bytes;
  }

  /** Offset of the key of the current row in `bytes`. */
  get keyStart(): number {
    return (this.at + this.#columns) * UNIT + LENGTH_BYTES;
  }

  get keyEnd(): number {
    const start = this.keyStart;
    return start + this.#block.view.getInt32(start - LENGTH_BYTES, true);
  }

  /** Selects the row of the key [start, end), and adds the key if it is new. Returns the row's address, or NO_ROOM if there is no room. */
  reach(view: DataView, start: number, end: number): number {
    const hash = this.#hash(view, start, end, this.#seed);
    const slots = this.#slots;
    const mask = slots.length - 1;
    this.isNew = false;
    let slot = (hash * SLOT_WORDS) & mask;
    for (; slots[slot + 1] !== 0; slot = (slot + SLOT_WORDS) & mask) {
      if (slots[slot] !== hash) continue;
      const address = slots[slot + 1] - 1;
      if (!this.#isKey(address, view, start, end)) continue;
      this.select(address);
      return address;
    }
    return this.isFull ? NO_ROOM : this.#add(hash, slot, view, start, end);
  }

  select(address: number): void {
    const block = this.#blockAt(address);
    this.#block = block;
    this.numbers = block.numbers;
    this.at = this.#unitOf(address);
  }

  number(column: number): number {
    return this.numbers[this.at + column];
  }

  /** Returns the four bytes at `index` of a key, a multiple of 4, as a big-endian number. These words have the order of the keys. */
  keyWord(address: number, index: number): number {
    return this.#blockAt(address).view.getUint32(this.#keyStart(address) + index);
  }

  /** Returns whether the key of one row is before that of another. Both begin with the same `depth` bytes; it is a multiple of 4. */
  isKeyBefore(address: number, other: number, depth: number): boolean {
    const { view } = this.#blockAt(address);
    const { view: otherView } = this.#blockAt(other);
    const start = this.#keyStart(address);
    const otherStart = this.#keyStart(other);
    for (let index = depth; ; index += 4) {
      const word = view.getUint32(start + index);
      const otherWord = otherView.getUint32(otherStart + index);
      if (word !== otherWord) return word < otherWord;
    }
  }

  /** Returns the addresses of all rows, in the order in which they were added. */
  addresses(): Int32Array<ArrayBuffer> {
    const addresses = new Int32Array(this.#count);
    let used = 0;
    for (const part of this.addressParts()) {
      addresses.set(part, used);
      used += part.length;
    }
    return addresses;
  }

  /** Yields the addresses of all rows in parts, in the order in which they were added. A part is valid until the next one. */
  *addressParts(): Generator<Int32Array> {
    const part = new Int32Array(Math.min(this.#count, ROWS_AT_ONCE));
    let used = 0;
    for (const [index, block] of this.#blocks.entries()) {
      if (block === undefined) continue;
      for (let unit = 0; unit < block.units; ) {
        if (used === part.length) {
          yield part;
          used = 0;
        }
        part[used++] = (index << this.#blockShift) + unit;
        unit += this.#unitsOf(block.view.getInt32((unit + this.#columns) * UNIT, true));
      }
    }
    yield part.subarray(0, used);
  }

  clear(): void {
    this.#blocks = [];
    this.#end = 0;
    this.#slots = new Int32Array(SLOTS_LEAST * SLOT_WORDS);
    this.#size = this.#slots.byteLength;
    this.#count = 0;
    this.isFull = false;
  }

  /** Returns the units of a row whose key has `keyBytes` bytes. */
  #unitsOf(keyBytes: number): number {
    return this.#columns + Math.ceil((keyBytes + LENGTH_BYTES) / UNIT);
  }

  #blockAt(address: number): Block {
    return this.#blocks[address >>> this.#blockShift] as Block;
  }

  /** Returns the offset of the key of a row in its block. */
  #keyStart(address: number): number {
    return (this.#unitOf(address) + this.#columns) * UNIT + LENGTH_BYTES;
  }

  /** Returns the index in its block of the first unit of a row. */
  #unitOf(address: number): number {
    return address & ((1 << this.#blockShift) - 1);
  }

  #isKey(address: number, other: DataView, start: number, end: number): boolean {
    const { view } = this.#blockAt(address);
    let own = (this.#unitOf(address) + this.#columns) * UNIT;
    if (view.getInt32(own, true) !== end - start) return false;
    own += LENGTH_BYTES;
    let at = start;
    for (; at + 4 <= end; at += 4, own += 4) if (view.getInt32(own, true) !== other.getInt32(at, true)) return false;
    for (; at < end; at++, own++) if (view.getUint8(own) !== other.getUint8(at)) return false;
    return true;
  }

  #add(hash: number, free: number, key: DataView, start: number, end: number): number {
    const units = this.#unitsOf(end - start);
    const isLoaded = (this.#count + 1) * SLOT_WORDS * 256 > this.#slots.length * LOAD_MOST;
    if (!this.#makeRoom(units, isLoaded)) {
      this.isFull = true;
      return NO_ROOM;
    }
    const slot = isLoaded ? freeSlot(this.#slots, hash) : free;
    const address = this.#end;
    const block = this.#blockAt(address);
    const keyStart = this.#keyStart(address);
    block.view.setInt32(keyStart - LENGTH_BYTES, end - start, true);
    copyBytes(key, start, end, block, keyStart);
    this.#end += units;
    block.units = this.#unitOf(address) + units;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = address + 1;
    this.#count++;
    this.isNew = true;
    this.select(address);
    return address;
  }

  /** Makes room for a row, and doubles the slots if `isLoaded`; returns false if that would take too many bytes. */
  #makeRoom(units: number, isLoaded: boolean): boolean {
    const blockUnits = 1 << this.#blockShift;
    const used = this.#unitOf(this.#end);
    const isNextBlock = units > blockUnits - used || this.#blocks[this.#end >>> this.#blockShift] === undefined;
    const start = used === 0 ? this.#end : this.#end - used + blockUnits;
    const blocks = isNextBlock ? Math.ceil(units / blockUnits) : 0;
    const more = blocks * blockUnits * UNIT + (isLoaded ? 2 * this.#slots.byteLength : 0);
    // While the slots are doubled, old and new ones exist. The first key always has room, so that a chain of tables ends.
    if ((this.#count > 0 && this.#size + more > this.#bytesMost) || start + blocks * blockUnits > ADDRESS_MOST) return false;
    this.#size += more;
    if (isNextBlock) {
      const bytes = new Uint8Array(blocks * blockUnits * UNIT);
      this.#blocks[start >>> this.#blockShift] = {
        bytes,
        view: new DataView(bytes.buffer),
        numbers: new Float64Array(bytes.buffer),
        units: 0,
      };
      this.#end = start;
    }
    if (isLoaded) {
      this.#size -= this.#slots.byteLength;
      this.#slots = doubled(this.#slots);
    }
    return true;
  }
}

/** Copies the bytes [start, end) to the offset `at` of `to`. Short ones are copied by words, which is faster than by a new view. */
export function copyBytes(from: DataView, start: number, end: number, to: Pick<Block, "bytes" | "view">, at: number): void {
  if (end - start > SHORT_BYTES) {
    to.bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, end - start), at);
    return;
  }
  let target = at;
  let index = start;
  for (; index + 4 <= end; index += 4, target += 4) to.view.setInt32(target, from.getInt32(index));
  for (; index < end; index++, target++) to.view.setUint8(target, from.getUint8(index));
}

function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = (hash * SLOT_WORDS) & mask;
  while (slots[slot + 1] !== 0) slot = (slot + SLOT_WORDS) & mask;
  return slot;
}

function doubled(slots: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * slots.length);
  for (let slot = 0; slot < slots.length; slot += SLOT_WORDS) {
    if (slots[slot + 1] === 0) continue;
    const to = freeSlot(larger, slots[slot]);
    larger[to] = slots[slot];
    larger[to + 1] = slots[slot + 1];
  }
  return larger;
}

export function murmur3(view: DataView, start: number, end: number, seed: number): number {
  let hash = seed;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = Math.imul(rotated(hash ^ scrambled(view.getInt32(at, true)), 13), 5) + 0xe6546b64;
  if (at < end) {
    let last = 0;
    for (let shift = 0; at < end; at++, shift += 8) last |= view.getUint8(at) << shift;
    hash ^= scrambled(last);
  }
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function rotated(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

function scrambled(word: number): number {
  return Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}
