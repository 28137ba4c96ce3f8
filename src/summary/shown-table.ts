// The rows of a table that are shown: the most frequent values of all, and those of each month.
import { valuesOf } from "../count/key-fields.ts";
import { isoDate } from "../mail/date.ts";
import { hidden } from "./hidden.ts";
import { type MonthCell, MonthCells } from "./month-cells.ts";
import { MonthLeaders } from "./month-leaders.ts";
import type { Cells, Row, SummaryTable } from "./summary.ts";
import type { ValueRow, ValueTable } from "./value-table.ts";

/** Values of a month that are shown at most, */
const OF_MONTH = 20;
/** and those of all months, in multiples of the rows: wrong clocks make many months. */
const OF_ALL_MONTHS = 10;
/** The field of keys: all are texts. */
const TEXT = ["url"] as const;

/** Months in their order, and how cells are written. */
export interface MonthOrder {
  readonly months: readonly number[];
  cellsOf(cells: Iterable<MonthCell>): Cells;
}

/** Returns a date in seconds as text; null for NaN. */
export function dateOf(seconds: number): string | null {
  return Number.isNaN(seconds) ? null : isoDate(seconds);
}

/** Returns the text of a value. */
export function textOf({ bytes, keyStart }: ValueRow): string {
  return valuesOf(bytes, keyStart, TEXT)[0] as string;
}

/** Returns a table with the `most` most frequent values as its rows. */
export function shownTable(table: ValueTable, most: number, { months, cellsOf }: MonthOrder): SummaryTable {
  const isCut = table.count > most;
  const distinct = new Map(months.map((month) => [month, 0]));
  const ofMonth = isCut ? Math.min(OF_MONTH, most, Math.floor((OF_ALL_MONTHS * most) / months.length)) : 0;
  const leaders = new MonthLeaders(ofMonth, (address, other) => table.isBefore(address, other));
  // What the values with a row have is taken away again.
  const rest = new MonthCells();
  rest.addAll(table.rest);
  table.eachCell((address, month, matches, messages) => {
    distinct.set(month, (distinct.get(month) ?? 0) + 1);
    if (!isCut) return;
    rest.addNumbers(month, matches, messages);
    leaders.add(month, address, matches);
  });
  const rows = new ShownRows();
  for (const row of table.rows(most)) {
    rows.add(table, row);
    if (isCut) table.visitCells(({ month, matches, messages }) => rest.addNumbers(month, -matches, -messages));
  }
  const others = new ShownRows();
  for (const row of table.rowsAt(leaders.addresses())) if (!rows.has(row)) others.add(table, row);
  return {
    distinct: table.count,
    distinct_by_month: months.map((month) => distinct.get(month) as number),
    bound: table.bound,
    rows: rows.inOrder(cellsOf),
    rest: cellsOf(rest),
    month_rows: others.inOrder(cellsOf),
  };
}

/** A value, and what was counted of it. */
interface Shown {
  first: number;
  last: number;
  matches: number;
  readonly cells: MonthCells;
}

/** Values as they are shown: several may be the same without their passwords. */
class ShownRows {
  readonly #values = new Map<string, Shown>();
  readonly #addresses = new Set<number>();

  /** Adds the row that was read last. */
  add(table: ValueTable, row: ValueRow): void {
    const { address, first, last } = row;
    const value = hidden(textOf(row));
    const shown = this.#values.get(value) ?? { first, last, matches: 0, cells: new MonthCells() };
    this.#values.set(value, shown);
    this.#addresses.add(address);
    if (!(shown.first <= first)) shown.first = first;
    if (!(shown.last >= last)) shown.last = last;
    table.visitCells(({ month, matches, messages }) => {
      shown.matches += matches;
      shown.cells.addNumbers(month, matches, messages);
    });
  }

  /** Returns whether a row was added. */
  has({ address }: ValueRow): boolean {
    return this.#addresses.has(address);
  }

  /** Returns the rows, those with the most matches first. */
  inOrder(cellsOf: MonthOrder["cellsOf"]): Row[] {
    const inOrder = [...this.#values].sort(([, one], [, other]) => other.matches - one.matches);
    return inOrder.map(([value, { first, last, cells }]): Row => [value, dateOf(first), dateOf(last), cellsOf(cells)]);
  }
}
