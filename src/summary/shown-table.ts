// The shown rows of a table: the most frequent values of all months, and of each month.
import { insertSorted } from "../base/arrays.ts";
import { isoDate } from "../mail/date.ts";
import { shownText } from "./hidden.ts";
import { type MonthOrder, MonthSums } from "./month-cells.ts";
import type { Row, SummaryTable } from "./summary.ts";
import { REST, type ValueTable } from "./value-table.ts";

const OF_MONTH = 20; // Most values without a row of their own that are shown for a month
const OF_ALL_MONTHS = 10; // Most such values of all months together, as a multiple of the most rows: wrong clocks make many months

const ROWS_AT_ONCE = 1 << 10; // Rows that are made between two pauses

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
  const leaders = monthLeaders(months.length, ofMonth, (address, other) => table.isBefore(address, other));
  // If rows are cut, the sums of all values are added first, and those of values with a row are subtracted below.
  const rest = new MonthSums();
  yield* table.eachCell((address, sums) => {
    if (isCut || address === REST) rest.add(sums);
    if (address === REST) return;
    const index = indexes.get(sums.month) as number;
    distinct[index] = distinct[index] + 1;
    if (isCut) leaders.add(index, address, sums.count);
  });
  const first = yield* table.firstAddresses(most);
  for (const [index, address] of isCut ? first.entries() : []) {
    table.select(address);
    table.visitCells((sums) => rest.add(sums, -1));
    if (index % ROWS_AT_ONCE === 0) yield;
  }
  const known = new Set(first);
  const others = leaders.addresses().filter((address) => !known.has(address));
  return {
    distinct: table.count,
    distinct_by_month: distinct,
    bound: table.bound,
    rows: yield* shownRows(table, order, first),
    rest: rest.cellsIn(order),
    month_rows: yield* shownRows(table, order, others),
  };
}

/** Returns the rows of values, those with the most matches first. Values may be shown as one, because userinfo is hidden. */
function* shownRows(table: ValueTable, order: MonthOrder, addresses: Iterable<number>): Generator<undefined, Row[]> {
  const values = new Map<string, number[]>();
  let added = 0;
  for (const address of addresses) {
    table.select(address);
    const value = shownText(table.text());
    const same = values.get(value);
    if (same === undefined) values.set(value, [address]);
    else same.push(address);
    if (++added % ROWS_AT_ONCE === 0) yield;
  }
  const rows = [];
  for (const [value, same] of values) {
    rows.push(rowOf(table, order, value, same));
    if (rows.length % ROWS_AT_ONCE === 0) yield;
  }
  return rows.sort((one, other) => other.matches - one.matches).map(({ row }) => row);
}

/** Returns the row of a shown value, and its matches: the sums of the values at `addresses`. */
function rowOf(table: ValueTable, order: MonthOrder, value: string, addresses: readonly number[]): { row: Row; matches: number } {
  const sums = new MonthSums();
  let matches = 0;
  for (const address of addresses) {
    table.select(address);
    matches += table.matches;
    table.visitCells((more) => sums.add(more));
  }
  return { row: [value, dateOf(sums.first), dateOf(sums.last), sums.cellsIn(order)], matches };
}

/** Returns an empty list of the `most` values with the most matches in each month. `isBefore` decides between equal matches. */
function monthLeaders(months: number, most: number, isBefore: (address: number, other: number) => boolean) {
  const lists = Array.from({ length: months }, (): { readonly address: number; readonly matches: number }[] => []);
  return {
    /** Adds a value with its matches in a month, if they are among the most. `month`: index of the month. */
    add(month: number, address: number, matches: number): void {
      const list = lists[month];
      const last = list[most - 1];
      const isAhead = (one: (typeof list)[0], other: (typeof list)[0]): boolean =>
        other.matches === one.matches ? isBefore(one.address, other.address) : other.matches < one.matches;
      const leader = { address, matches };
      if (last === undefined || isAhead(leader, last)) insertSorted(list, leader, most, isAhead);
    },
    /** Returns the addresses of the values of all months, each once, in the order of `isBefore`. */
    addresses(): number[] {
      const addresses = new Set(lists.flat().map(({ address }) => address));
      return [...addresses].sort((one, other) => (isBefore(one, other) ? -1 : 1));
    },
  };
}
