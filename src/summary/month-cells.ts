// Matches and messages by month: sums, and the cells of a table of values.
import { addNumbers, COLUMNS, COLUMNS_COUNT, NO_MATCHES, type RowNumbers } from "../count/count-rows.ts";
import { KeyTable, murmur3 } from "../count/key-table.ts";
import { isoDate } from "../mail/date.ts";
import { type Cells, OTHER_MONTHS } from "./summary.ts";

/** Month of messages without a date: after all others. */
export const NO_MONTH = 0x7fffffff;
const OTHER_MONTH = NO_MONTH - 1; // Month of all dates outside YEAR_FIRST to YEAR_LAST
/** Month of matches whose month was forgotten. */
export const FORGOTTEN_MONTH = -1;
/** The first and the last year with months of their own. Earlier and later dates mostly come from wrong clocks. */
const [YEAR_FIRST, YEAR_LAST] = [1970, 2049];

/** An increment of a month. */
export interface Addition extends RowNumbers {
  /** Months since the year 0, OTHER_MONTH, NO_MONTH or FORGOTTEN_MONTH. */
  month: number;
}

export function noAddition(): Addition {
  return { month: NO_MONTH, ...NO_MATCHES };
}

export class MonthSums {
  readonly #sums = new Map<number, { count: number; messages: number }>();
  /** Earliest and latest time in seconds since 1970; NaN: none. */
  first = Number.NaN;
  last = Number.NaN;

  /** Adds matches and messages of a month, `times` times: -1 subtracts them. */
  add({ month, count, messages, first, last }: Addition, times = 1): void {
    // Comparisons with NaN are false.
    if (Number.isNaN(this.first) || first < this.first) this.first = first;
    if (Number.isNaN(this.last) || last > this.last) this.last = last;
    const sums = this.#sums.get(month);
    if (sums === undefined) this.#sums.set(month, { count: times * count, messages: times * messages });
    else {
      sums.count += times * count;
      sums.messages += times * messages;
    }
  }

  /** Returns the months with matches, and their sums, in their order. */
  #inOrder(): [month: number, sums: { count: number; messages: number }][] {
    return [...this.#sums].filter(([, { count }]) => count !== 0).sort(([one], [other]) => one - other);
  }

  months(): number[] {
    return this.#inOrder().map(([month]) => month);
  }

  /** Returns the sums in the form of a summary, with months as indexes. */
  cellsIn({ indexes }: MonthOrder): Cells {
    return this.#inOrder().flatMap(([month, { count, messages }]) => [indexes.get(month) as number, count, messages]);
  }
}

export interface MonthOrder {
  readonly months: readonly number[];
  /** By month: its index in `months`. */
  readonly indexes: ReadonlyMap<number, number>;
}

const MONTHS_OF_YEAR = 12;
/** Number of different months, with OTHER_MONTH and NO_MONTH: the most cells of a value. */
export const MONTHS_MOST = (YEAR_LAST + 1 - YEAR_FIRST) * MONTHS_OF_YEAR + 2;

const DAY_SECONDS = 24 * 60 * 60;

/** Returns the number of days since 1970 for a time in seconds since 1970. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS);
}

/** Returns whether a month is a single one: neither OTHER_MONTH nor NO_MONTH. */
export function hasOwnMonth(month: number): boolean {
  return month < OTHER_MONTH;
}

/** Returns a time in seconds since 1970 as text; null for NaN. */
export function dateOf(seconds: number): string | null {
  return Number.isNaN(seconds) ? null : isoDate(seconds);
}

/** Returns the month of a time in seconds since 1970: OTHER_MONTH before 1970 and after 2049, NO_MONTH for NaN. */
export function monthOf(seconds: number): number {
  if (Number.isNaN(seconds)) return NO_MONTH;
  const date = new Date(dayOf(seconds) * DAY_SECONDS * 1000);
  const year = date.getUTCFullYear();
  return year < YEAR_FIRST || year > YEAR_LAST ? OTHER_MONTH : year * MONTHS_OF_YEAR + date.getUTCMonth();
}

/** Returns a month as text, `1998-01`, `other` for OTHER_MONTH, or null for NO_MONTH. */
export function monthText(month: number): string | null {
  if (month === NO_MONTH) return null;
  if (month === OTHER_MONTH) return OTHER_MONTHS;
  const year = Math.floor(month / MONTHS_OF_YEAR);
  return `${year}-${String((month % MONTHS_OF_YEAR) + 1).padStart(2, "0")}`;
}

const OLDER = COLUMNS_COUNT; // Column of a cell after COLUMNS: the previous cell of the same value
/** Instead of the address of a cell: there is none. */
export const NO_CELL = -1;
/** About the bytes of a cell, with its slots. */
export const CELL_BYTES = 80;
const KEY_BYTES = 8;
const MONTH = 4; // Offset of the month in a key

/** Cells: the counts of each pair of a value and a month. They are rows of counts whose keys are the address of the value and the month. */
export class CellTable {
  readonly #rows: KeyTable;
  readonly #key = new DataView(new ArrayBuffer(KEY_BYTES)); // Scratch: the key of a cell

  constructor(seed: number, blockBytes: number) {
    this.#rows = new KeyTable(COLUMNS_COUNT + 1, Number.POSITIVE_INFINITY, murmur3, seed, blockBytes);
  }

  get count(): number {
    return this.#rows.count;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Whether the last `addTo` has made a cell. */
  get isNew(): boolean {
    return this.#rows.isNew;
  }

  add(cell: number, more: Addition): void {
    this.#rows.select(cell);
    addNumbers(this.#rows.numbers, this.#rows.at, false, more);
  }

  /** Adds `more` to the cell of a value and its month, or to a new one. Returns the cell; `newest`: the newest cell of the value. */
  addTo(value: number, newest: number, more: Addition): number {
    this.#key.setInt32(0, value);
    this.#key.setInt32(MONTH, more.month);
    const rows = this.#rows;
    const cell = rows.reach(this.#key, 0, KEY_BYTES);
    addNumbers(rows.numbers, rows.at, rows.isNew, more);
    if (rows.isNew) rows.numbers[rows.at + OLDER] = newest;
    return cell;
  }

  /** Calls `visit` for a cell and all older ones of its value. */
  visit(newest: number, visit: (sums: Addition) => void): void {
    for (let cell = newest; cell !== NO_CELL; ) {
      const sums = this.#sumsOf(cell);
      cell = this.#rows.number(OLDER);
      visit(sums);
    }
  }

  /** Calls `visit` for each cell with matches, in any order, with the address of its value. Yields where the caller may pause. */
  *each(visit: (address: number, sums: Addition) => void): Generator<undefined> {
    for (const part of this.#rows.addressParts()) {
      for (const cell of part) {
        const sums = this.#sumsOf(cell);
        if (sums.count > 0) visit(this.#rows.keyWord(cell, 0), sums);
      }
      yield;
    }
  }

  #sumsOf(cell: number): Addition {
    const rows = this.#rows;
    rows.select(cell);
    const { numbers, at } = rows;
    // Not numbersOf: a summary visits each cell several times.
    return {
      month: rows.keyWord(cell, MONTH) | 0,
      count: numbers[at + COLUMNS.count],
      messages: numbers[at + COLUMNS.messages],
      serial: numbers[at + COLUMNS.serial],
      first: numbers[at + COLUMNS.first],
      last: numbers[at + COLUMNS.last],
    };
  }
}
