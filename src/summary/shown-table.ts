// The rows of a table that are shown: the most frequent values of all, and those of each month.
import { isoDate } from "../mail/date.ts";
import { hidden } from "./hidden.ts";
import type { Addition } from "./month-cells.ts";
import { MonthLeaders } from "./month-leaders.ts";
import { type MonthOrder, MonthSums } from "./month-sums.ts";
import type { Row, SummaryTable } from "./summary.ts";
import type { ValueTable } from "./value-table.ts";

/** Values of a month that are shown at most, */
const OF_MONTH = 20;
/** and those of all months, in multiples of the rows: wrong clocks make many months. */
const OF_ALL_MONTHS = 10;

/** Rows that are made between two pauses. */
const ROWS_AT_ONCE = 1 << 10;

/** Returns a date in seconds as text; null for NaN. */
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
  // What the values with a row have is taken away again.
  const rest = new MonthSums(order);
  for (const [month, matches, messages] of table.rest) rest.add(month, matches, messages);
  yield* table.eachCell((address, month, matches, messages) => {
    const index = indexes.get(month) as number;
    distinct[index] = distinct[index] + 1;
    if (!isCut) return;
    rest.add(month, matches, messages);
    leaders.add(index, address, matches);
  });
  const rows = new ShownRows(table, order);
  let added = 0;
  for (const address of yield* table.firstAddresses(most)) {
    rows.add(address);
    if (isCut) table.visitCells(({ month, matches, messages }) => rest.add(month, -matches, -messages));
    if (++added % ROWS_AT_ONCE === 0) yield;
  }
  const others = new ShownRows(table, order);
  for (const address of leaders.addresses()) if (!rows.has(address)) others.add(address);
  return {
    distinct: table.count,
    distinct_by_month: distinct,
    bound: table.bound,
    rows: yield* rows.inOrder(),
    rest: rest.take(),
    month_rows: yield* others.inOrder(),
  };
}

/** Values as they are shown: without passwords several may be the same. */
class ShownRows {
  readonly #table: ValueTable;
  readonly #sums: MonthSums;
  readonly #addSums: (sums: Addition) => void;
  /** Addresses by their shown values. */
  readonly #values = new Map<string, number[]>();
  readonly #addresses = new Set<number>();

  constructor(table: ValueTable, order: MonthOrder) {
    this.#table = table;
    const sums = new MonthSums(order);
    this.#sums = sums;
    this.#addSums = ({ month, matches, messages }) => sums.add(month, matches, messages);
  }

  /** Adds the value at an address, and selects it. */
  add(address: number): void {
    this.#table.select(address);
    const value = hidden(this.#table.text());
    const same = this.#values.get(value);
    if (same === undefined) this.#values.set(value, [address]);
    else same.push(address);
    this.#addresses.add(address);
  }

  /** Returns whether a value was added. */
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
    let [all, first, last] = [0, Number.NaN, Number.NaN];
    for (const address of addresses) {
      table.select(address);
      all += table.matches;
      if (Number.isNaN(first) || table.first < first) first = table.first;
      if (Number.isNaN(last) || table.last > last) last = table.last;
      table.visitCells(this.#addSums);
    }
    return { row: [value, dateOf(first), dateOf(last), this.#sums.take()], matches: all };
  }
}
