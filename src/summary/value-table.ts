// Counts how often each value occurs in each month, in bounded memory: a full table forgets its rarest values, or makes them coarser
// (combinations.ts). The counts of the months are cells (month-cells.ts).
import { eachPacked, type PackedRows, RowPacker } from "../count/count-rows.ts";
import { END, textOfValue, writeText } from "../count/key-fields.ts";
import { type Hash, KeyTable, murmur3 } from "../count/key-table.ts";
import { sortedAddresses } from "../count/sort-rows.ts";
import { type Addition, CELL_BYTES, CellTable, FORGOTTEN_MONTH, NO_CELL } from "./month-cells.ts";

/** Columns of a value: its matches, its newest cell, its last used cell, and the month of that. Links follow. */
const VALUE = { matches: 0, newest: 1, cell: 2, month: 3 } as const;
const VALUE_COLUMNS = 4;
/** Address of the row for matches without a value, and of forgotten values. It is no value, and is never forgotten. */
export const REST = 0;
const REST_KEY = new DataView(Uint8Array.of(END).buffer);

const BLOCK_BYTES_MOST = 1 << 14; // Most bytes of a block of a table: there are many tables, most of them small
const BLOCK_BYTES_LEAST = 1 << 6;
const BLOCKS_LEAST = 32; // Fewest blocks of a full table
const MEMORY_MOST = 2 ** 33; // Most bytes of a table, less than tables of keys have addresses for
const VALUES_SURE = 2; // Values for which there is always room, each with all months
const CELLS_AT_ONCE = 1 << 14; // Cells between two pauses
const FULL_SHARE = 0.875; // Share of its memory at which a table is full: it may still double its slots
/** Largest share of its memory after forgetting, just above half of FULL_SHARE. With more, long values would be copied for few new ones. */
const LEFT_SHARE = 0.45;
const KEPT_SHARE = 0.75; // Largest share of the wanted cells that unchanged values take in `#coarser`, for the same reason
/** Most coarser keys of a chosen level, as a multiple of the wanted cells: the next round makes the rarest of them coarser. */
const COARSE_SHARE = 2;
const SEEN_HASHES = 1 << 20; // Number of different hashes when coarser keys are counted

/** The form in which a table goes from thread to thread: a row for each value and month. */
export interface PackedTable extends PackedRows {
  readonly bound: number;
}

interface ValueTableSettings {
  /** Most bytes, but at least room for VALUES_SURE values of all months. While it forgets, the table takes about half as much again. */
  readonly memory: number;
  readonly hash: Hash;
  readonly seed: number;
  /** How many numbers each value has for the callers. They are 0 at first, and again in each new epoch. */
  readonly links?: number;
  /** Carries out a step that takes long if there is much memory; absent: the table does it itself. */
  readonly atOnce?: ((step: () => void) => void) | undefined;
  /** How keys become coarser; absent: a full table forgets its rarest values. */
  readonly coarsening?: Coarsening;
}

/** How keys become coarser, so that a full table still counts their matches. */
export interface Coarsening {
  readonly levels: number;
  /**
   * Returns a key without the values that are lost at `level` (from 1 on). If these are lost already, it loses the next value too. Returns
   * undefined if none is left to lose: its matches are in no sum.
   */
  coarser(bytes: Uint8Array, start: number, end: number, level: number): CoarseKey | undefined;
  /** Returns the offset in `bytes` of the part of the key at `start` that remains at a level. */
  restOf(bytes: Uint8Array, start: number, level: number): number;
}

/** A coarser key. `isTimeless`: its matches have lost their months. */
interface CoarseKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isTimeless: boolean;
}

/** Counts values. They are keys of bytes, and no key is the start of another. */
export class ValueTable {
  readonly #settings: ValueTableSettings;
  readonly #memory: number;
  #values: KeyTable;
  #cells: CellTable;
  #isFull = false; // Whether the next addition forgets values first
  #restCells = 0; // Cells of the rest. Forgetting frees none of them, so no bytes are counted for them.
  /** Grows when values are forgotten or become coarser, because then all addresses change. */
  epoch = 0;
  /** Most matches that a value may have in addition to its counted ones. */
  bound = 0;

  constructor(settings: ValueTableSettings) {
    this.#settings = settings;
    const { memory, hash, seed, links = 0 } = settings;
    this.#memory = Math.min(memory, MEMORY_MOST);
    const blockBytes = Math.min(Math.max(this.#memory / BLOCKS_LEAST, BLOCK_BYTES_LEAST), BLOCK_BYTES_MOST);
    this.#values = new KeyTable(VALUE_COLUMNS + links, Number.POSITIVE_INFINITY, hash, seed, blockBytes);
    this.#cells = new CellTable(seed, blockBytes);
    this.#reach(REST_KEY, 0, REST_KEY.byteLength);
  }

  get count(): number {
    return this.#values.count - 1;
  }

  get size(): number {
    return this.#values.size + this.#cells.size;
  }

  /** Adds `more` to the value of the key [start, end), and selects the value. Returns its address. May begin a new epoch. */
  add(view: DataView, start: number, end: number, more: Addition): number {
    const address = this.reach(view, start, end);
    this.#addTo(address, more);
    return address;
  }

  /** Selects the value of the key [start, end), or a new one without matches. Returns its address. May begin a new epoch. */
  reach(view: DataView, start: number, end: number): number {
    if (this.#isFull) this.#forget();
    return this.#reach(view, start, end);
  }

  reachText(text: string): number {
    const { view, length } = writeText(text);
    return this.reach(view, 0, length);
  }

  /** Adds `more` to the value with a text, or to the rest if there is no text. May begin a new epoch. */
  addText(text: string | undefined, more: Addition): void {
    this.addAt(text === undefined ? REST : this.reachText(text), more);
  }

  /** Does the work of `reach` in the present epoch. */
  #reach(view: DataView, start: number, end: number): number {
    const values = this.#values;
    const address = values.reach(view, start, end);
    if (!values.isNew) return address;
    values.numbers[values.at + VALUE.newest] = NO_CELL;
    values.numbers[values.at + VALUE.month] = Number.NaN;
    this.#checkSize();
    return address;
  }

  /** Adds `more` to the value at an address of this epoch, and selects the value. May begin a new epoch. */
  addAt(address: number, more: Addition): void {
    const values = this.#values;
    values.select(address);
    if (!this.#isFull) {
      this.#addTo(address, more);
      return;
    }
    const key = values.bytes.slice(values.keyStart, values.keyEnd);
    this.add(new DataView(key.buffer), 0, key.length, more);
  }

  // The next six are of the value that was selected, reached or counted last.

  link(index: number): number {
    return this.#values.number(VALUE_COLUMNS + index);
  }

  setLink(index: number, link: number): void {
    const { numbers, at } = this.#values;
    numbers[at + VALUE_COLUMNS + index] = link;
  }

  get matches(): number {
    return this.#values.number(VALUE.matches);
  }

  text(): string {
    const { bytes, keyStart, keyEnd } = this.#values;
    return textOfValue(bytes, keyStart, keyEnd);
  }

  key(): Uint8Array {
    const { bytes, keyStart, keyEnd } = this.#values;
    return bytes.subarray(keyStart, keyEnd);
  }

  visitCells(visit: (sums: Addition) => void): void {
    this.#cells.visit(this.#values.number(VALUE.newest), visit);
  }

  addresses(): Int32Array {
    return this.#values.addresses().subarray(1);
  }

  /** Returns the addresses of the first `most` values, by falling matches, then by their bytes. Yields where the caller may pause. */
  *firstAddresses(most: number): Generator<undefined, Int32Array> {
    const addresses = yield* sortedAddresses(this.#values, [VALUE.matches], most + 1);
    return addresses.filter((address) => address !== REST).subarray(0, most);
  }

  select(address: number): void {
    this.#values.select(address);
  }

  /** Returns whether the key of the value at one address is before that of another. */
  isBefore(address: number, other: number): boolean {
    return this.#values.isKeyBefore(address, other, 0);
  }

  /** Calls `visit` for each cell with matches, in any order, with the address of its value. Yields where the caller may pause. */
  eachCell(visit: (address: number, sums: Addition) => void): Generator<undefined> {
    return this.#cells.each(visit);
  }

  /** Returns the packed form of the table, without values and months that have no matches. */
  pack(): PackedTable {
    const rows = new RowPacker(this.size);
    for (const address of this.#values.addresses()) {
      this.select(address);
      const { bytes, keyStart, keyEnd } = this.#values;
      let rowsOfKey = 0;
      this.visitCells((sums) => {
        if (sums.count > 0) rows.add(bytes, keyStart, keyEnd, sums, sums.month, rowsOfKey++ > 0);
      });
    }
    return { ...rows.finish(), bound: this.bound };
  }

  /** Adds a packed table, which must have counted other messages. */
  merge(table: PackedTable): void {
    eachPacked(table, (view, start, end, more) => void this.add(view, start, end, more));
    this.bound += table.bound;
  }

  /** Adds cells without matches, so that the message `serial` is not counted again in values and months in which `other` has counted it. */
  continueMessage(other: ValueTable, serial: number): void {
    for (const address of other.#values.addresses()) {
      other.select(address);
      const { buffer, byteOffset, length } = other.key();
      const view = new DataView(buffer, byteOffset);
      other.visitCells((sums) => {
        if (sums.serial === serial) this.add(view, 0, length, { ...sums, count: 0, messages: 0 });
      });
    }
  }

  /** Returns a table of at most `most` cells: this one, or one with the rarest values coarser. Yields where the caller may pause. */
  *coarsened(most: number): Generator<undefined, ValueTable> {
    let table: ValueTable = this;
    while (table.#cells.count > most) {
      table = yield* table.#coarser(most);
      yield;
    }
    return table;
  }

  *#coarser(most: number): Generator<undefined, ValueTable> {
    const coarser = new ValueTable(this.#settings);
    const kept = new Set<number>();
    let room = KEPT_SHARE * most;
    for (const address of yield* this.firstAddresses(most)) {
      this.select(address);
      this.visitCells(() => room--);
      if (room < 0) break;
      kept.add(address);
      this.#pass(coarser, 0);
    }
    const rare = this.addresses().filter((address) => !kept.has(address));
    const level = yield* this.#levelFor(rare, COARSE_SHARE * most);
    for (const [index, address] of rare.entries()) {
      this.select(address);
      this.#pass(coarser, level);
      if (index % CELLS_AT_ONCE === 0) yield;
    }
    return coarser;
  }

  /** Returns the first level at which values have at most about `most` different keys, so that few rounds are needed. */
  *#levelFor(addresses: Int32Array, most: number): Generator<undefined, number> {
    const { levels = 1, restOf } = this.#settings.coarsening ?? {};
    for (let level = 1; level < levels; level++) {
      const seen = new Uint8Array(SEEN_HASHES);
      let count = 0;
      for (const address of addresses) {
        this.select(address);
        const { bytes, keyStart, keyEnd } = this.#values;
        const view = new DataView(bytes.buffer);
        const hash = murmur3(view, restOf?.(bytes, keyStart, level) ?? 0, keyEnd, 0) & (SEEN_HASHES - 1);
        count += 1 - seen[hash];
        seen[hash] = 1;
      }
      if (count <= most) return level;
      yield;
    }
    return levels;
  }

  /** Adds `more` to the selected value, whose address is `address`. */
  #addTo(address: number, more: Addition): void {
    const { numbers, at } = this.#values;
    const cells = this.#cells;
    numbers[at + VALUE.matches] = numbers[at + VALUE.matches] + more.count;
    if (numbers[at + VALUE.month] === more.month) {
      cells.add(numbers[at + VALUE.cell], more);
      return;
    }
    const cell = cells.addTo(address, numbers[at + VALUE.newest], more);
    numbers[at + VALUE.cell] = cell;
    numbers[at + VALUE.month] = more.month;
    if (!cells.isNew) return;
    numbers[at + VALUE.newest] = cell;
    if (address === REST) this.#restCells++;
    this.#checkSize();
  }

  #checkSize(): void {
    this.#isFull = this.count > VALUES_SURE && this.#usedShare > FULL_SHARE;
  }

  get #usedShare(): number {
    return (this.size - CELL_BYTES * this.#restCells) / this.#memory;
  }

  /**
   * Forgets the rarest values: at least half of them, and until there is room. Or makes them coarser, until at most a quarter of the cells
   * is left.
   */
  #forget(): void {
    const { atOnce = (step) => step(), coarsening } = this.#settings;
    atOnce(() => {
      if (coarsening === undefined) {
        do this.#forgetHalf();
        while (this.count > 0 && this.#usedShare > LEFT_SHARE);
        return;
      }
      const steps = this.coarsened(this.#cells.count / 4);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      this.#become(step.value);
    });
  }

  /** Forgets the rarest half of the values; among equally rare ones the oldest. */
  #forgetHalf(): void {
    const addresses = this.addresses();
    const matches = Float64Array.from(addresses, (address) => {
      this.select(address);
      return this.matches;
    });
    const half = matches.toSorted().subarray(0, Math.ceil(matches.length / 2));
    const most = half.at(-1) as number;
    // How many of the values with `most` matches are forgotten.
    let left = half.length - half.indexOf(most);
    const kept = new ValueTable(this.#settings);
    this.select(REST);
    this.#pass(kept, 0);
    for (const [index, address] of addresses.entries()) {
      const isKept = matches[index] > most || (matches[index] === most && left-- <= 0);
      this.select(address);
      this.#pass(kept, isKept ? 0 : 1);
    }
    this.#become(kept);
    this.bound += most;
  }

  /** Takes over the values of a table that nothing else uses. */
  #become(other: ValueTable): void {
    this.epoch++;
    this.#values = other.#values;
    this.#cells = other.#cells;
    this.#restCells = other.#restCells;
    this.#isFull = false;
  }

  /** Adds the selected value to `other`: unchanged at `level` 0, else to a coarser one. Without `coarsening` that is the rest. */
  #pass(other: ValueTable, level: number): void {
    const { coarsening } = this.#settings;
    const { bytes, keyStart, keyEnd } = this.#values;
    // A message counts once for each value that becomes coarser.
    const serial = 0;
    if (level === 0) this.#addCells(other, other.#reach(new DataView(bytes.buffer), keyStart, keyEnd), {});
    else if (coarsening === undefined) this.#addCells(other, REST, { serial });
    else {
      const key = coarsening.coarser(bytes, keyStart, keyEnd, level);
      if (key === undefined) return;
      const address = other.#reach(new DataView(key.bytes.buffer), 0, key.bytes.length);
      this.#addCells(other, address, key.isTimeless ? { serial, month: FORGOTTEN_MONTH } : { serial });
    }
  }

  /** Adds the cells of the selected value, with some of their numbers changed, to the value of `other` at an address. */
  #addCells(other: ValueTable, address: number, changed: Partial<Addition>): void {
    other.select(address);
    this.visitCells((sums) => other.#addTo(address, { ...sums, ...changed }));
  }
}
