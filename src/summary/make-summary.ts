// Makes the summary of the counts of a run. Of a table it shows the most frequent values of all months, and of each month.
import * as mail from "#core/layout/mail.js";
import { insertSorted } from "../base/arrays.ts";
import { OMISSION_REASONS } from "../base/omission.ts";
import { FLAGS, PACKAGE_VERSION, REASON_NAMES, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { ScanCounts } from "../scan/scan.ts";
import { shownCombinations } from "./combinations.ts";
import { hiddenOrNull, shownText } from "./hidden.ts";
import { dateOf, type MonthOrder, MonthSums, monthText } from "./month-cells.ts";
import type { Counted } from "./summarizer.ts";
import { type Row, type Summary, type SummaryRun, type SummaryTable, TABLES, type TableName } from "./summary.ts";
import { REST, type ValueTable } from "./value-table.ts";

/** Most rows of a table by default, without the rows of single months (`month_rows`). */
export const ROWS_MOST = 1000;
const [OF_ROW, COMBINATIONS_MOST] = [50, 100_000]; // Most combinations: for each of the most rows of a table, and in all
const OF_MONTH = 20; // Most values without a row of their own that are shown for a month
const OF_ALL_MONTHS = 10; // Most such values of all months together, as a multiple of the most rows: wrong clocks make many months
const ROWS_AT_ONCE = 1 << 10; // Rows that are made between two pauses

/** Sums of a run that the scans count, not the summarizer. */
interface RunCounts extends ScanCounts {
  /** Sources that were read. */
  readonly sources: number;
  /** Sources that were not read to the end. */
  readonly skipped: number;
}

/** Returns the summary of a run; `most`: most rows of a table. Yields where the caller may pause, but not count. */
export function* makeSummary(counted: Counted, counts: RunCounts, run: SummaryRun, most = ROWS_MOST): Generator<undefined, Summary> {
  const sums = new MonthSums();
  // Each message has one source.
  yield* counted.tables.source.eachCell((_, cell) => sums.add(cell));
  const months = sums.months();
  const order: MonthOrder = { months, indexes: new Map(months.map((month, index) => [month, index])) };
  const tables: Partial<Record<TableName, SummaryTable>> = {};
  for (const name of TABLES) tables[name] = yield* shownTable(counted.tables[name], most, order);
  const combinations = yield* shownCombinations(counted.tables.combination, Math.min(OF_ROW * most, COMBINATIONS_MOST), order);
  const { flags, rejected } = counted;
  const matches = matchesByValue(counted.tables.flag);
  const archive = (counter: number): number => counts.archive[counter] ?? 0;
  return {
    version: 1,
    urlmill: PACKAGE_VERSION,
    rules: RULES_VERSION,
    unicode: UNICODE_VERSION,
    run,
    totals: {
      bytes: counts.bytes,
      sources: counts.sources,
      messages: archive(mail.COUNT_MESSAGES),
      matches: counts.matches,
      filtered: counts.filtered,
      filtered_undated: counts.undated,
      urls: counted.tables.url.count,
      hosts: counted.tables.host.count,
      domains: counted.tables.domain.count,
      skipped: counts.skipped,
      doubtful: archive(mail.COUNT_DOUBTFUL),
      parts_skipped: archive(mail.COUNT_PARTS_SKIPPED),
      bytes_skipped: archive(mail.COUNT_BYTES_SKIPPED),
      first: dateOf(sums.first),
      last: dateOf(sums.last),
    },
    months: months.map(monthText),
    cells: sums.cellsIn(order),
    days: [...counted.days].sort(([one], [other]) => one - other).flat(),
    tables: tables as Record<TableName, SummaryTable>,
    combinations,
    flags: FLAGS.map((flag) => ({ flag, count: matches.get(flag) ?? 0, examples: flags.of(flag) })).filter(isCounted),
    messages: [...counted.messages.list],
    rejected: REASON_NAMES.map((reason, index) => ({ reason, count: counts.rejected[index] ?? 0, examples: rejected.of(reason) })).filter(
      (one) => one.reason !== "" && isCounted(one),
    ),
    left_out: OMISSION_REASONS.flatMap((reason) => {
      const omitted = counts.omitted[reason];
      if (omitted === undefined) return [];
      const { count, first, types = {} } = omitted;
      const { source = "-", start = null, message_id } = first;
      return [{ reason, count, source, start, message_id: hiddenOrNull(message_id), types }];
    }),
  };
}

function isCounted({ count }: { readonly count: number }): boolean {
  return count > 0;
}

function matchesByValue(table: ValueTable): Map<string, number> {
  return new Map(
    Array.from(table.addresses(), (address) => {
      table.select(address);
      return [table.text(), table.matches];
    }),
  );
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
