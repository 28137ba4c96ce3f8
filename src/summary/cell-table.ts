// The counts of each pair of a value and a month: numbers in arrays, found by a hash of the pair.
import { grown } from "../base/arrays.ts";
import { MONTHS_MOST } from "./month-cells.ts";

/** Number of a cell that does not exist. */
export const NO_CELL = 0;

/** Initial room for cells, NO_CELL included. The room is always a power of two. */
const CELLS_LEAST = 16;
/** Cells for which there is always room. A value with matches in all months takes half of them. */
const CELLS_SURE = 2 ** Math.ceil(Math.log2(2 * MONTHS_MOST));
/** A table that cannot grow is crowded if more than this share of its room is in use. */
const CROWDED = 0.75;
/** Hash slots for each cell. */
const SLOTS_OF_CELL = 2;
/** Bytes of a cell in all arrays. */
const CELL_BYTES = 3 * 4 + 2 * 8 + SLOTS_OF_CELL * 4;
/** The month of NO_CELL and of no other cell. */
const NEVER = -(2 ** 31);

/** Cells are numbered from 1 on, in the order in which they are made. A full table takes no more cells. */
export class CellTable {
  readonly #cellsMost: number;
  readonly #seed: number;
  #slots = new Int32Array(SLOTS_OF_CELL * CELLS_LEAST);
  #end = 1;
  /** By cell: the address of its value. */
  values = new Int32Array(CELLS_LEAST);
  months = new Int32Array(CELLS_LEAST).fill(NEVER, 0, 1);
  /** By cell: the previous cell of the same value, or NO_CELL. The caller sets it. */
  older = new Int32Array(CELLS_LEAST);
  /** By cell: its matches. The caller counts them. */
  matches = new Float64Array(CELLS_LEAST);
  /** By cell: its messages. The caller counts them. */
  messages = new Float64Array(CELLS_LEAST);

  /** `bytesMost`: most bytes of all cells; there is always room for CELLS_SURE. */
  constructor(bytesMost: number, seed: number) {
    this.#cellsMost = Math.max(CELLS_SURE, bytesMost / CELL_BYTES);
    this.#seed = seed;
  }

  /** Bytes of the room for cells. */
  get size(): number {
    return this.months.length * CELL_BYTES;
  }

  /** The number after the last cell. */
  get end(): number {
    return this.#end;
  }

  /** Whether few cells are free, and the table cannot grow. */
  get isCrowded(): boolean {
    return this.#end > CROWDED * this.months.length && 2 * this.months.length > this.#cellsMost;
  }

  /** Returns the cell of a value and a month, and makes it if it is new. Returns NO_CELL if there is no room. */
  reach(value: number, month: number): number {
    const { values, months } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(value, month, this.#seed) & mask;
    for (; slots[slot] !== NO_CELL; slot = (slot + 1) & mask) {
      const cell = slots[slot];
      if (values[cell] === value && months[cell] === month) return cell;
    }
    if (this.#end === months.length) return this.#grow() ? this.reach(value, month) : NO_CELL;
    const cell = this.#end++;
    slots[slot] = cell;
    values[cell] = value;
    months[cell] = month;
    return cell;
  }

  /** Doubles the room, one array after the other; returns false if there may be no more cells. */
  #grow(): boolean {
    if (2 * this.months.length > this.#cellsMost) return false;
    const count = 2 * this.#end;
    this.values = grown(this.values, count);
    this.months = grown(this.months, count);
    this.older = grown(this.older, count);
    this.matches = grown(this.matches, count);
    this.messages = grown(this.messages, count);
    const slots = new Int32Array(SLOTS_OF_CELL * count);
    const mask = slots.length - 1;
    for (let cell = 1; cell < this.#end; cell++) {
      let slot = hashOf(this.values[cell], this.months[cell], this.#seed) & mask;
      while (slots[slot] !== NO_CELL) slot = (slot + 1) & mask;
      slots[slot] = cell;
    }
    this.#slots = slots;
    return true;
  }
}

/** Returns the hash of a pair: MurmurHash3's steps for the end of a text. */
function hashOf(value: number, month: number, seed: number): number {
  let hash = Math.imul(value ^ seed, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ month, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
