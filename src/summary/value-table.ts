// How often each value occurs in each month, in bounded memory: a full table forgets those values that are the rarest.
import type { Hash } from "../count/hash.ts";
import { KeyTable, NO_ROOM } from "../count/key-table.ts";
import { sortedAddresses } from "../count/sort-rows.ts";
import { type Addition, MonthCells, noAddition } from "./month-cells.ts";

/** Numbers of a value: matches, earliest and latest time (NaN: none), its newest cell, and the cell and the month that were used last. */
const VALUE = { matches: 0, first: 1, last: 2, newest: 3, cell: 4, month: 5 } as const;
const VALUE_COLUMNS = 6;
/** Numbers of a cell, and the cell of its value that was made before it. A cell is given by its address plus 1, 0: none. */
const CELL = { matches: 0, messages: 1, serial: 2, older: 3 } as const;
const CELL_COLUMNS = 4;
/** Bytes of the key of a cell: its value's address, and its month. */
const CELL_KEY_BYTES = 8;

/** Bytes of a block of a table: there are many tables, most of them small. */
const BLOCK_BYTES = 1 << 14;

/** Settings of a table. */
export interface ValueTableSettings {
  /** Bytes that it may take. While it forgets, it takes half as many more. */
  readonly memory: number;
  readonly hash: Hash;
  readonly seed: number;
  /** Numbers that each value has for whoever adds to it; they are 0 at first, and after it was forgotten. */
  readonly links?: number;
}

/** A value as it is read; its key is valid until the next one is. */
export interface ValueRow {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly first: number;
  readonly last: number;
}

/** Counts values, which are keys of bytes none of which begins another. */
export class ValueTable {
  readonly #settings: ValueTableSettings;
  #values: KeyTable;
  #cells: KeyTable;
  readonly #cellKey = new DataView(new ArrayBuffer(CELL_KEY_BYTES));
  /**
   * The value that was added to last, the message that this was of, and where the numbers of the value and of its cell are. Most matches of
   * a message have the scheme, the host and the place of the one before, for which nothing is looked up then.
   */
  #last = NO_ROOM;
  #serial = 0;
  #numbers = new Float64Array(0);
  #at = 0;
  #sums = new Float64Array(0);
  #cell = 0;
  /** Matches without a value, and of values that were forgotten. */
  readonly rest = new MonthCells();
  /** Grows when values are forgotten: then all have other addresses. */
  epoch = 0;
  /** How many matches more than it says a value may have. */
  bound = 0;

  constructor(settings: ValueTableSettings) {
    this.#settings = settings;
    this.#values = this.#newTable(VALUE_COLUMNS + (settings.links ?? 0));
    this.#cells = this.#newTable(CELL_COLUMNS);
  }

  /** How many values there are. */
  get count(): number {
    return this.#values.count;
  }

  /** Bytes of the values and their cells. */
  get size(): number {
    return this.#values.size + this.#cells.size;
  }

  /** Adds to the value of the key [start, end); returns its address, which is valid in this epoch. */
  add(view: DataView, start: number, end: number, more: Addition): number {
    for (;;) {
      const values = this.#values;
      const address = values.reach(view, start, end);
      if (address !== NO_ROOM && values.isNew) {
        values.numbers[values.at + VALUE.first] = Number.NaN;
        values.numbers[values.at + VALUE.last] = Number.NaN;
      }
      if (address !== NO_ROOM && this.#addTo(address, more)) return address;
      this.#forget();
    }
  }

  /** Adds to the value at an address of this epoch. */
  addAt(address: number, more: Addition): void {
    if (this.#addAgain(address, more)) return;
    const values = this.#values;
    values.select(address);
    if (this.#addTo(address, more)) return;
    const key = values.bytes.slice(values.keyStart, values.keyEnd);
    this.add(new DataView(key.buffer), 0, key.length, more);
  }

  /** Returns a link of the value that was added to last; 0 if it has none. */
  link(index: number): number {
    return this.#values.number(VALUE_COLUMNS + index);
  }

  /** Sets a link of the value that was added to last. */
  setLink(index: number, link: number): void {
    const { numbers, at } = this.#values;
    numbers[at + VALUE_COLUMNS + index] = link;
  }

  /** Yields all values, or the first `most` of them in order: those with the most matches first, then by their bytes. */
  *rows(most?: number): Generator<ValueRow> {
    const table = this.#values;
    yield* this.rowsAt(most === undefined ? table.addresses() : sortedAddresses(table, [VALUE.matches], most));
  }

  /** Yields the values at addresses. */
  *rowsAt(addresses: Iterable<number>): Generator<ValueRow> {
    const table = this.#values;
    for (const address of addresses) {
      table.select(address);
      const { bytes, keyStart, keyEnd } = table;
      yield { address, bytes, keyStart, keyEnd, first: table.number(VALUE.first), last: table.number(VALUE.last) };
    }
  }

  /** Returns whether the bytes of a value come before those of another. */
  isBefore(address: number, other: number): boolean {
    return this.#values.isKeyBefore(address, other, 0);
  }

  /** Calls `visit` with what is in each month of the row that was read last. */
  visitCells(visit: (sums: Addition) => void): void {
    const [values, cells] = [this.#values, this.#cells];
    const sums = noAddition();
    sums.first = values.number(VALUE.first);
    sums.last = values.number(VALUE.last);
    for (let cell = values.number(VALUE.newest); cell !== 0; cell = cells.number(CELL.older)) {
      cells.select(cell - 1);
      sums.month = cells.keyInt32(cell - 1, 0);
      sums.matches = cells.number(CELL.matches);
      sums.messages = cells.number(CELL.messages);
      sums.serial = cells.number(CELL.serial);
      visit(sums);
    }
  }

  /** Calls `visit` with what is in each month of each value, in any order. */
  eachCell(visit: (address: number, month: number, matches: number, messages: number) => void): void {
    const cells = this.#cells;
    for (const address of cells.addresses()) {
      cells.select(address);
      visit(cells.keyInt32(address, 4), cells.keyInt32(address, 0), cells.number(CELL.matches), cells.number(CELL.messages));
    }
  }

  /** Makes whatever `other` has counted the message of a serial in count it no more: cells with nothing in them. */
  continueMessage(other: ValueTable, serial: number): void {
    for (const { bytes, keyStart, keyEnd } of other.rows()) {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      other.visitCells((sums) => {
        if (sums.serial === serial) this.add(view, keyStart, keyEnd, { ...sums, matches: 0, messages: 0 });
      });
    }
    this.rest.continueMessage(other.rest, serial);
  }

  /** Adds to the value at an address, if that is the last one and `more` is of the same message. */
  #addAgain(address: number, { matches, serial }: Addition): boolean {
    if (address !== this.#last || serial !== this.#serial) return false;
    this.#numbers[this.#at + VALUE.matches] = (this.#numbers[this.#at + VALUE.matches] as number) + matches;
    this.#sums[this.#cell + CELL.matches] = (this.#sums[this.#cell + CELL.matches] as number) + matches;
    return true;
  }

  /** Adds to the value that is selected; returns false if there is no room. */
  #addTo(address: number, more: Addition): boolean {
    if (this.#addAgain(address, more)) return true;
    const { numbers, at } = this.#values;
    if (!this.#selectCell(address, more.month)) return false;
    numbers[at + VALUE.matches] = (numbers[at + VALUE.matches] as number) + more.matches;
    if (!Number.isNaN(more.first)) {
      // Comparisons with NaN are false.
      if (!((numbers[at + VALUE.first] as number) <= more.first)) numbers[at + VALUE.first] = more.first;
      if (!((numbers[at + VALUE.last] as number) >= more.last)) numbers[at + VALUE.last] = more.last;
    }
    const { numbers: sums, at: cell } = this.#cells;
    // Without a number of its own each message is another one.
    this.#last = more.serial === 0 ? NO_ROOM : address;
    this.#serial = more.serial;
    this.#numbers = numbers;
    this.#at = at;
    this.#sums = sums;
    this.#cell = cell;
    sums[cell + CELL.matches] = (sums[cell + CELL.matches] as number) + more.matches;
    if (more.serial !== 0 && sums[cell + CELL.serial] === more.serial) return true;
    sums[cell + CELL.messages] = (sums[cell + CELL.messages] as number) + more.messages;
    if (more.serial !== 0) sums[cell + CELL.serial] = more.serial;
    return true;
  }

  /** Selects the cell of a month of the value that is selected, which is made if it is new; returns false if there is no room. */
  #selectCell(address: number, month: number): boolean {
    const cells = this.#cells;
    const { numbers, at } = this.#values;
    const last = numbers[at + VALUE.cell] as number;
    if (last !== 0 && numbers[at + VALUE.month] === month) {
      cells.select(last - 1);
      return true;
    }
    this.#cellKey.setInt32(0, month, true);
    this.#cellKey.setInt32(4, address, true);
    const cell = cells.reach(this.#cellKey, 0, CELL_KEY_BYTES);
    if (cell === NO_ROOM) return false;
    if (cells.isNew) {
      cells.numbers[cells.at + CELL.older] = numbers[at + VALUE.newest] as number;
      numbers[at + VALUE.newest] = cell + 1;
    }
    numbers[at + VALUE.cell] = cell + 1;
    numbers[at + VALUE.month] = month;
    return true;
  }

  /** Forgets the rarest half of the values; of those that are as rare as the last of these, the oldest. */
  #forget(): void {
    const values = this.#values;
    const addresses = values.addresses();
    const kept = new ValueTable(this.#settings);
    const { most, equals } = rarestHalf(Float64Array.from(addresses, (address) => matchesOf(values, address)));
    let left = equals;
    for (const address of addresses) {
      const matches = matchesOf(values, address);
      const isKept = matches > most || (matches === most && left-- <= 0);
      const { bytes, keyStart, keyEnd } = values;
      const view = new DataView(bytes.buffer);
      this.visitCells((sums) => {
        if (isKept) kept.add(view, keyStart, keyEnd, sums);
        else this.rest.addNumbers(sums.month, sums.matches, sums.messages);
      });
    }
    this.epoch++;
    this.#last = NO_ROOM;
    this.#values = kept.#values;
    this.#cells = kept.#cells;
    this.bound += most + kept.bound;
    this.rest.addAll(kept.rest);
  }

  #newTable(columns: number): KeyTable {
    const { memory, hash, seed } = this.#settings;
    return new KeyTable(columns, memory / 2, hash, seed, BLOCK_BYTES);
  }
}

/** Selects a value; returns its matches. */
function matchesOf(values: KeyTable, address: number): number {
  values.select(address);
  return values.number(VALUE.matches);
}

/** Returns the largest number of the smaller half, and how many that are equal to it are in that half. */
function rarestHalf(numbers: Float64Array): { most: number; equals: number } {
  const half = numbers
    .slice()
    .sort()
    .subarray(0, Math.ceil(numbers.length / 2));
  const most = half.at(-1) as number;
  return { most, equals: half.length - half.indexOf(most) };
}

/** A value that is added to often: where it is in its table is remembered. */
export class KnownValue {
  readonly #key: DataView;
  #table: ValueTable | undefined;
  #epoch = 0;
  #address = NO_ROOM;

  constructor(key: Uint8Array) {
    this.#key = new DataView(key.buffer, key.byteOffset, key.length);
  }

  /** Adds to the value in a table. */
  addTo(table: ValueTable, more: Addition): void {
    if (this.#table === table && this.#epoch === table.epoch) {
      table.addAt(this.#address, more);
      return;
    }
    this.#address = table.add(this.#key, 0, this.#key.byteLength, more);
    this.#table = table;
    this.#epoch = table.epoch;
  }
}
