// Counts how often each value occurs in each month, in bounded memory: a full table forgets its rarest values, or makes them coarser
// (combinations.ts).
import { type Hash, murmur3 } from "../count/hash.ts";
import { textOfValue } from "../count/key-fields.ts";
import { KeyTable, NO_ROOM } from "../count/key-table.ts";
import { sortedAddresses } from "../count/sort-rows.ts";
import { CellTable, NO_CELL } from "./cell-table.ts";
import { type Addition, FORGOTTEN_MONTH, MonthCells, noAddition } from "./month-cells.ts";

/**
 * Numbers of a value: matches, earliest and latest time (NaN: none), its newest cell, the last used cell, and the last counted message.
 * They are columns of the table of keys.
 */
const VALUE = { matches: 0, first: 1, last: 2, newest: 3, cell: 4, serial: 5 } as const;
const VALUE_COLUMNS = 6;
/** Bytes of a block of a table: there are many tables, most of them small. */
const BLOCK_BYTES = 1 << 14;
/** Cells between two pauses. */
const CELLS_AT_ONCE = 1 << 14;
/**
 * Largest share of their memory that values take after forgetting, and of the wanted cells that unchanged values take in `#coarser`. With
 * more, long values would be copied for few new ones.
 */
const KEPT_SHARE = 0.75;
/** Most coarser keys of a chosen level, as a multiple of the wanted cells: the next round makes the rarest of them coarser. */
const COARSE_SHARE = 2;
/** Number of different hashes when coarser keys are counted. */
const SEEN_HASHES = 1 << 20;

interface ValueTableSettings {
  /** Most bytes, but at least room for a value of all months. While it forgets, the table takes about half as much again. */
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
   * undefined if none is left to lose.
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
  #values: KeyTable;
  #cells: CellTable;
  /** Matches without a value, and of forgotten values. */
  readonly rest = new MonthCells();
  /** Grows when values are forgotten or become coarser, because then all addresses change. */
  epoch = 0;
  /** Most matches that a value may have in addition to its counted ones. */
  bound = 0;

  /** Scratch: the argument of a visit. */
  readonly #sums = noAddition();

  constructor(settings: ValueTableSettings) {
    this.#settings = settings;
    const { memory, hash, seed, links = 0 } = settings;
    this.#values = new KeyTable(VALUE_COLUMNS + links, memory / 2, hash, seed, BLOCK_BYTES);
    this.#cells = new CellTable(memory / 2, seed);
  }

  get count(): number {
    return this.#values.count;
  }

  get size(): number {
    return this.#values.size + this.#cells.size;
  }

  /** Adds `more` to the value of the key [start, end), and selects the value. Returns its address. May begin a new epoch. */
  add(view: DataView, start: number, end: number, more: Addition): number {
    for (;;) {
      const address = this.reach(view, start, end);
      if (this.#addTo(address, more)) return address;
      this.#forget();
    }
  }

  /** Selects the value of the key [start, end), or a new one without matches. Returns its address. May begin a new epoch. */
  reach(view: DataView, start: number, end: number): number {
    for (;;) {
      const values = this.#values;
      const address = values.reach(view, start, end);
      if (address !== NO_ROOM) {
        if (values.isNew) {
          values.numbers[values.at + VALUE.first] = Number.NaN;
          values.numbers[values.at + VALUE.last] = Number.NaN;
        }
        return address;
      }
      this.#forget();
    }
  }

  /** Adds `more` to the value at an address of this epoch. May begin a new epoch. */
  addAt(address: number, more: Addition): void {
    const values = this.#values;
    values.select(address);
    if (this.#addTo(address, more)) return;
    const key = values.bytes.slice(values.keyStart, values.keyEnd);
    this.add(new DataView(key.buffer), 0, key.length, more);
  }

  /** Returns a link of the last selected, reached or counted value; 0 until it is set. */
  link(index: number): number {
    return this.#values.number(VALUE_COLUMNS + index);
  }

  /** Sets a link of the last selected, reached or counted value. */
  setLink(index: number, link: number): void {
    const { numbers, at } = this.#values;
    numbers[at + VALUE_COLUMNS + index] = link;
  }

  /** Matches of the last selected, reached or counted value. */
  get matches(): number {
    return this.#values.number(VALUE.matches);
  }

  /** The earliest time of this value in seconds since 1970; NaN: none. */
  get first(): number {
    return this.#values.number(VALUE.first);
  }

  /** The latest time of this value in seconds since 1970; NaN: none. */
  get last(): number {
    return this.#values.number(VALUE.last);
  }

  /** Returns the text of the last selected, reached or counted value. */
  text(): string {
    const { bytes, keyStart, keyEnd } = this.#values;
    return textOfValue(bytes, keyStart, keyEnd);
  }

  /** Returns the key of the last selected, reached or counted value. */
  key(): Uint8Array {
    const { bytes, keyStart, keyEnd } = this.#values;
    return bytes.subarray(keyStart, keyEnd);
  }

  addresses(): Int32Array {
    return this.#values.addresses();
  }

  /**
   * Returns the addresses of the first `most` values, by falling matches, then by their bytes. Yields where the caller
   * may pause.
   */
  firstAddresses(most: number): Generator<undefined, Int32Array> {
    return sortedAddresses(this.#values, [VALUE.matches], most);
  }

  select(address: number): void {
    this.#values.select(address);
  }

  /** Returns whether the key of the value at one address is before that of another. */
  isBefore(address: number, other: number): boolean {
    return this.#values.isKeyBefore(address, other, 0);
  }

  /**
   * Calls `visit` for each month of the last selected value, with the counts of the month and the times of the whole value. The argument is
   * valid until `visit` returns.
   */
  visitCells(visit: (sums: Addition) => void): void {
    const { months, matches, messages, older } = this.#cells;
    const { numbers, at } = this.#values;
    const sums = this.#sums;
    sums.first = numbers[at + VALUE.first];
    sums.last = numbers[at + VALUE.last];
    const last = numbers[at + VALUE.cell];
    const serial = numbers[at + VALUE.serial];
    for (let cell = numbers[at + VALUE.newest]; cell !== NO_CELL; cell = older[cell]) {
      sums.month = months[cell];
      sums.matches = matches[cell];
      sums.messages = messages[cell];
      sums.serial = cell === last ? serial : 0;
      visit(sums);
    }
  }

  /** Calls `visit` for each value and each month in which it has matches, in any order. Yields where the caller may pause. */
  *eachCell(visit: (address: number, month: number, matches: number, messages: number) => void): Generator<undefined> {
    const { end, values, months, matches, messages } = this.#cells;
    for (let cell = NO_CELL + 1; cell < end; cell++) {
      const count = matches[cell];
      if (count > 0) visit(values[cell], months[cell], count, messages[cell]);
      if (cell % CELLS_AT_ONCE === 0) yield;
    }
  }

  /** Adds cells without matches, so that the message `serial` is not counted again in values and months in which `other` has counted it. */
  continueMessage(other: ValueTable, serial: number): void {
    for (const address of other.addresses()) {
      other.select(address);
      const { buffer, byteOffset, length } = other.key();
      const view = new DataView(buffer, byteOffset);
      other.visitCells((sums) => {
        if (sums.serial === serial) this.add(view, 0, length, { ...sums, matches: 0, messages: 0 });
      });
    }
    this.rest.continueMessage(other.rest, serial);
  }

  /**
   * Returns a table of at most `most` cells, in which the rarest values are coarser; among equally rare ones, those with the last keys.
   * Returns this table if it has at most `most` cells. Yields where the caller may pause.
   */
  *coarsened(most: number): Generator<undefined, ValueTable> {
    let table: ValueTable = this;
    while (table.#cells.end - 1 > most) {
      table = yield* table.#coarser(most);
      yield;
    }
    return table;
  }

  *#coarser(most: number): Generator<undefined, ValueTable> {
    const coarser = new ValueTable({ ...this.#settings, memory: Number.POSITIVE_INFINITY });
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

  /** Adds `more` to the selected value, whose address is `address`; returns false if there is no room for a cell. */
  #addTo(address: number, more: Addition): boolean {
    const { numbers, at } = this.#values;
    const cells = this.#cells;
    let cell = numbers[at + VALUE.cell];
    if (cells.months[cell] !== more.month) {
      cell = cells.reach(address, more.month);
      if (cell === NO_CELL) return false;
      const newest = numbers[at + VALUE.newest];
      if (cell > newest) {
        cells.older[cell] = newest;
        numbers[at + VALUE.newest] = cell;
      }
      numbers[at + VALUE.cell] = cell;
    }
    numbers[at + VALUE.matches] = numbers[at + VALUE.matches] + more.matches;
    cells.matches[cell] = cells.matches[cell] + more.matches;
    // A message has one month and one time. Messages without a serial are all different.
    if (more.serial !== 0 && numbers[at + VALUE.serial] === more.serial) return true;
    cells.messages[cell] = cells.messages[cell] + more.messages;
    if (more.serial !== 0) numbers[at + VALUE.serial] = more.serial;
    if (Number.isNaN(more.first)) return true;
    // Comparisons with NaN are false.
    if (!(numbers[at + VALUE.first] <= more.first)) numbers[at + VALUE.first] = more.first;
    if (!(numbers[at + VALUE.last] >= more.last)) numbers[at + VALUE.last] = more.last;
    return true;
  }

  #forget(): void {
    const { atOnce = (step) => step(), coarsening } = this.#settings;
    atOnce(() => (coarsening === undefined ? this.#forgetMost() : this.#coarsen()));
  }

  /** Forgets the rarest values: at least half of them, and until a quarter of the room is free. */
  #forgetMost(): void {
    const { memory } = this.#settings;
    do this.#forgetHalf();
    while (this.count > 0 && (this.#values.size > (KEPT_SHARE * memory) / 2 || this.#cells.isCrowded));
  }

  /** Makes the rarest values coarser, until at most a quarter of the cells is left. */
  #coarsen(): void {
    const steps = this.coarsened(this.#cells.end / 4);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const kept = new ValueTable({ ...this.#settings, atOnce: undefined });
    for (const address of step.value.addresses()) {
      step.value.select(address);
      step.value.#pass(kept, 0);
    }
    this.#become(kept);
  }

  /** Forgets the rarest half of the values; among equally rare ones the oldest. */
  #forgetHalf(): void {
    const values = this.#values;
    const addresses = values.addresses();
    const kept = new ValueTable({ ...this.#settings, atOnce: undefined });
    const { most, equals } = rarestHalf(Float64Array.from(addresses, (address) => matchesOf(values, address)));
    let left = equals;
    for (const address of addresses) {
      const matches = matchesOf(values, address);
      const isKept = matches > most || (matches === most && left-- <= 0);
      this.#pass(kept, isKept ? 0 : 1);
    }
    this.#become(kept);
    this.bound += most + kept.bound;
    this.rest.addAll(kept.rest);
  }

  /** Takes over the values of a table that nothing else uses. */
  #become(other: ValueTable): void {
    this.epoch++;
    this.#values = other.#values;
    this.#cells = other.#cells;
  }

  /** Adds the selected value to `other`: unchanged at `level` 0, else coarser. If that is impossible, adds it to the rest of this table. */
  #pass(other: ValueTable, level: number): void {
    const { bytes, keyStart, keyEnd } = this.#values;
    const key = level === 0 ? undefined : this.#settings.coarsening?.coarser(bytes, keyStart, keyEnd, level);
    const isGone = level > 0 && key === undefined;
    const view = new DataView((key?.bytes ?? bytes).buffer);
    const [start, end] = key === undefined ? [keyStart, keyEnd] : [0, key.bytes.length];
    this.visitCells((sums) => {
      if (isGone) this.rest.addNumbers(sums.month, sums.matches, sums.messages);
      else other.add(view, start, end, key?.isTimeless === true ? { ...sums, month: FORGOTTEN_MONTH } : sums);
    });
  }
}

/** Selects a value; returns its matches. */
function matchesOf(values: KeyTable, address: number): number {
  values.select(address);
  return values.number(VALUE.matches);
}

/** Returns the largest number of the half with the smaller numbers, and how often it is in this half. */
function rarestHalf(numbers: Float64Array): { most: number; equals: number } {
  const half = numbers
    .slice()
    .sort()
    .subarray(0, Math.ceil(numbers.length / 2));
  const most = half.at(-1) as number;
  return { most, equals: half.length - half.indexOf(most) };
}
