// The distinct texts of a column, in the form of a dictionary page: each with its length before it.
import { grown } from "../../arrays.ts";
import { encodeInto } from "../../core/text.ts";

/** Bytes of the length before each text. */
const LENGTH_BYTES = 4;
/** Room of a new dictionary, which doubles as often as it takes. */
const ROOM_BYTES = 1 << 14;
const ENTRIES = 1 << 8;
/** Slots of the table for each entry, at least. */
const SLOTS_FOR_ENTRY = 4;
/**
 * Slots that are looked at for one text. A text that is not found there becomes an entry once more: work stays linear, whatever the texts
 * (X14).
 */
const PROBES_MOST = 64;
/** Strings that are remembered, and the length of the longest. */
const STRINGS_MOST = 1024;
const STRING_LENGTH_MOST = 256;

/** Collects texts; each gets a number, in the order in which they come first. */
export class Dictionary {
  #bytes = new Uint8Array(ROOM_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  /** By entry: where its length is, and the hash of its text. */
  #starts = new Int32Array(ENTRIES);
  #hashes = new Int32Array(ENTRIES);
  /** Numbers of entries, from 1 on, at the slots of their hashes. */
  #table = new Int32Array(SLOTS_FOR_ENTRY * ENTRIES);
  readonly #strings = new Map<string, number>();
  /** Entries so far. */
  count = 0;

  /** Bytes of the page. */
  get size(): number {
    return this.#used;
  }

  /** Returns the page, whose bytes are valid until a text is added. */
  get page(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Removes all texts. */
  clear(): void {
    this.#used = 0;
    this.count = 0;
    this.#table.fill(0);
    this.#strings.clear();
  }

  /** Returns the number of the text of some bytes. */
  indexOfBytes(source: DataView, start: number, length: number): number {
    const hash = hashOf(source, start, length);
    const table = this.#table;
    const mask = table.length - 1;
    let slot = hash & mask;
    for (let probe = 0; probe < PROBES_MOST; probe++, slot = (slot + 1) & mask) {
      const number = table[slot] as number;
      if (number === 0) break;
      if (this.#hashes[number - 1] === hash && this.isEntry(number - 1, source, start, length)) return number - 1;
    }
    return this.#append(hash, source, start, length, slot);
  }

  /** Returns the number of a text. */
  indexOfString(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    // A character of a string takes three bytes at most.
    this.#reserve(3 * text.length);
    const start = this.#used + LENGTH_BYTES;
    const length = encodeInto(text, this.#bytes, start);
    const index = this.indexOfBytes(this.#view, start, length);
    if (text.length > STRING_LENGTH_MOST) return index;
    if (this.#strings.size === STRINGS_MOST) this.#strings.clear();
    this.#strings.set(text, index);
    return index;
  }

  /** Returns whether some bytes are the text of an entry. */
  isEntry(index: number, source: DataView, start: number, length: number): boolean {
    const view = this.#view;
    const entry = this.#starts[index] as number;
    if (view.getInt32(entry, true) !== length) return false;
    const text = entry + LENGTH_BYTES;
    let at = 0;
    for (; at + 4 <= length; at += 4) if (view.getInt32(text + at) !== source.getInt32(start + at)) return false;
    for (; at < length; at++) if (view.getUint8(text + at) !== source.getUint8(start + at)) return false;
    return true;
  }

  #append(hash: number, source: DataView, start: number, length: number, slot: number): number {
    this.#reserve(length);
    const index = this.count++;
    if (index === this.#starts.length) {
      this.#starts = grown(this.#starts, 2 * index);
      this.#hashes = grown(this.#hashes, 2 * index);
    }
    const view = this.#view;
    const text = this.#used + LENGTH_BYTES;
    view.setInt32(this.#used, length, true);
    let at = 0;
    for (; at + 4 <= length; at += 4) view.setInt32(text + at, source.getInt32(start + at));
    for (; at < length; at++) view.setUint8(text + at, source.getUint8(start + at));
    this.#starts[index] = this.#used;
    this.#hashes[index] = hash;
    this.#used = text + length;
    if (this.#table[slot] === 0) this.#table[slot] = this.count;
    if (this.count * SLOTS_FOR_ENTRY > this.#table.length) this.#rehash();
    return index;
  }

  #rehash(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let index = 0; index < this.count; index++) {
      let slot = (this.#hashes[index] as number) & mask;
      let probe = 1;
      for (; table[slot] !== 0 && probe < PROBES_MOST; probe++) slot = (slot + 1) & mask;
      if (table[slot] === 0) table[slot] = index + 1;
    }
    this.#table = table;
  }

  /** Makes room for one more text. */
  #reserve(length: number): void {
    const needed = this.#used + LENGTH_BYTES + length;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

function hashOf(source: DataView, start: number, length: number): number {
  let hash = length;
  let at = 0;
  for (; at + 4 <= length; at += 4) hash = mixed(hash, source.getInt32(start + at, true));
  for (; at < length; at++) hash = mixed(hash, source.getUint8(start + at));
  return hash ^ (hash >>> 15);
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 16);
}
