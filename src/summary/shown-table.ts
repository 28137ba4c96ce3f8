// The shown rows of a table: the most frequent values of all months, and of each month.
import { insertSorted } from "../base/arrays.ts";
import { isoDate } from "../mail/date.ts";
import { shownText } from "./hidden.ts";
import { type MonthOrder, MonthSums } from "./month-cells.ts";
import type { Row, SummaryTable } from "./summary.ts";
import { REST, type ValueTable } from "./value-table.ts";

/** Most values without a row of their own that are shown for a month. */
const OF_MONTH = 20;
/** Most such values of all months together, as a multiple of the most rows: wrong clocks make many months. */
const OF_ALL_MONTHS = 10;

/** Rows that are made between two pauses. */
const ROWS_AT_ONCE = 1 << 10;

/** Returns a time in seconds since 1970 as text; null for NaN. */
export function dateOf(seconds: number): string | null {
  return Number.isNaN(seconds) ? null : isoDate(seconds);
}

/** Returns a table with the `most` most frequent values as its rows. Yields where the caller may pause. */
export function* shownTable(table: ValueTable, most: number, order: MonthOrder): Generator<undefined, SummaryTable> {
  const { months, indexes } = order;
  const isCut = table.count > most;
  const distinct = months.map(() => 0);
  const ofMonth = isCut ? Math.min(OF_MONTH, most, Math.floor((OF_ALL_MONTHS * most) / months.length)) : 0;
  const leaders = new MonthLeaders(months.length, ofMonth, (address, other) => table.isBefore(address, other));
  // If rows are cut, the sums of all values are added first, and those of values with a row are subtracted below.
  const rest = new MonthSums();
  yield* table.eachCell((address, sums) => {
    if (isCut || address === REST) rest.add(sums);
    if (address === REST) return;
    const index = indexes.get(sums.month) as number;
    distinct[index] = distinct[index] + 1;
    if (isCut) leaders.add(index, address, sums.count);
  });
  const rows = new ShownRows(table, order);
  let added = 0;
  for (const address of yield* table.firstAddresses(most)) {
    rows.add(address);
    if (isCut) table.visitCells((sums) => rest.add(sums, -1));
    if (++added % ROWS_AT_ONCE === 0) yield;
  }
  const others = new ShownRows(table, order);
  for (const address of leaders.addresses()) if (!rows.has(address)) others.add(address);
  return {
    distinct: table.count,
    distinct_by_month: distinct,
    bound: table.bound,
    rows: yield* rows.inOrder(),
    rest: rest.cellsIn(order),
    month_rows: yield* others.inOrder(),
  };
}

/** Shown values. Several values may be shown as one, because userinfo is hidden. */
class ShownRows {
  readonly #table: ValueTable;
  readonly #order: MonthOrder;
  /** Addresses by their shown values. */
  readonly #values = new Map<string, number[]>();
  readonly #addresses = new Set<number>();

  constructor(table: ValueTable, order: MonthOrder) {
    this.#table = table;
    this.#order = order;
  }

  /** Adds the value at an address, and selects it in the table. */
  add(address: number): void {
    this.#table.select(address);
    const value = shownText(this.#table.text());
    const same = this.#values.get(value);
    if (same === undefined) this.#values.set(value, [address]);
    else same.push(address);
    this.#addresses.add(address);
  }

  /** Returns whether the value at an address was added. */
  has(address: number): boolean {
    return this.#addresses.has(address);
  }

  /** Returns the rows, those with the most matches first. Yields where the caller may pause. */
  *inOrder(): Generator<undefined, Row[]> {
    const rows = [];
    for (const [value, addresses] of this.#values) {
      rows.push(this.#rowOf(value, addresses));
      if (rows.length % ROWS_AT_ONCE === 0) yield;
    }
    return rows.sort((one, other) => other.matches - one.matches).map(({ row }) => row);
  }

  #rowOf(value: string, addresses: readonly number[]): { row: Row; matches: number } {
    const table = this.#table;
    const sums = new MonthSums();
    let matches = 0;
    for (const address of addresses) {
      table.select(address);
      matches += table.matches;
      table.visitCells((more) => sums.add(more));
    }
    return { row: [value, dateOf(sums.first), dateOf(sums.last), sums.cellsIn(this.#order)], matches };
  }
}

// The most frequent values of each month.

/** A value, given by its address, and its matches in a month. */
interface Leader {
  readonly address: number;
  readonly matches: number;
}

/** The values with the most matches in each month. `isBefore` decides between values with equal matches. */
class MonthLeaders {
  readonly #most: number;
  readonly #isBefore: (address: number, other: number) => boolean;
  /** By the index of a month; the value with the most matches is the first. */
  readonly #lists: readonly Leader[][];

  /** `most`: most values of a month. */
  constructor(months: number, most: number, isBefore: (address: number, other: number) => boolean) {
    this.#most = most;
    this.#isBefore = isBefore;
    this.#lists = Array.from({ length: months }, () => []);
  }

  /** Adds a value with its matches in a month, if they are among the most. `month`: index of the month. */
  add(month: number, address: number, matches: number): void {
    const list = this.#lists[month];
    const isAhead = (one: Leader, other: Leader): boolean =>
      other.matches === one.matches ? this.#isBefore(one.address, other.address) : other.matches < one.matches;
    const last = list[this.#most - 1];
    const leader = { address, matches };
    if (last === undefined || isAhead(leader, last)) insertSorted(list, leader, this.#most, isAhead);
  }

  /** Returns the addresses of the values of all months, each once, in the order of `isBefore`. */
  addresses(): number[] {
    const addresses = new Set(this.#lists.flat().map(({ address }) => address));
    return [...addresses].sort((one, other) => (this.#isBefore(one, other) ? -1 : 1));
  }
}
