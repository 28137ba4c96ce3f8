// Counts the tables of a summary anew, from records of ndjson: with maps, and none of the code of summaries.

import { type Cells, type Row, type SummaryTable, TABLES, type TableName } from "../../src/summary/summary.ts";
import { hideUserinfo } from "../../src/url/userinfo.ts";

/** A record with all fields, and the input that it is of: the messages of two inputs are different. */
export interface RecountedRecord {
  readonly [field: string]: unknown;
  readonly input: number;
}

type Sums = Map<string | null, { matches: number; messages: Set<string> }>;

interface Value {
  matches: number;
  readonly sums: Sums;
  readonly dates: string[];
}

/** Returns the tables with all their rows; userinfo is hidden in the rows, of which no two must be the same then. */
export function recount(records: readonly RecountedRecord[]): {
  months: (string | null)[];
  days: number[];
  tables: Record<TableName, SummaryTable>;
} {
  const months = [...new Set(records.map(monthOf))].sort((one, other) => ((one ?? "~") < (other ?? "~") ? -1 : 1));
  const tables = Object.fromEntries(TABLES.map((name) => [name, tableOf(name, records, months)]));
  const days = new Map<number, number>();
  for (const record of records) {
    if (!/^\d/.test(monthOf(record) ?? "")) continue;
    const day = Date.parse(String(record.date).slice(0, 10)) / 86_400_000;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return { months, days: [...days].sort(([one], [other]) => one - other).flat(), tables: tables as Record<TableName, SummaryTable> };
}

/** Returns the month of a record in a summary. */
export function monthOf({ date }: RecountedRecord): string | null {
  if (typeof date !== "string") return null;
  return date >= "1970" && date < "2050" ? date.slice(0, 7) : "other";
}

/** Returns the values of a record in a table; null: none. */
export function valuesOf(name: TableName, record: RecountedRecord): (string | null)[] {
  if (name === "flag") return orNone(record.flags as string[]);
  if (name === "redirect") return orNone(hops(record));
  // The hosts of names of vocabularies are not counted (C215).
  if ((name === "host" || name === "domain") && (record.flags as string[]).includes("namespace")) return [null];
  // A summary has no signatures.
  if (name === "where" && record.where === "signature") return ["body"];
  return [(record[name] as string | undefined) ?? null];
}

function orNone(values: readonly string[]): (string | null)[] {
  return values.length === 0 ? [null] : [...values];
}

function hops({ chain = [], url, host }: RecountedRecord): string[] {
  const target = (host as string | null) ?? String(url).replace(/:.*/s, ":");
  const hosts = [...(chain as string[]).map((one) => new URL(one).hostname), target];
  return hosts.slice(1).map((next, index) => `${hosts[index]} ${next}`);
}

function tableOf(name: TableName, records: readonly RecountedRecord[], months: readonly (string | null)[]): SummaryTable {
  const values = new Map<string | null, Value>();
  for (const record of records) {
    for (const value of valuesOf(name, record)) {
      const known: Value = values.get(value) ?? { sums: new Map(), dates: [], matches: 0 };
      values.set(value, known);
      known.matches++;
      if (typeof record.date === "string") known.dates.push(record.date);
      const cell = known.sums.get(monthOf(record)) ?? { matches: 0, messages: new Set<string>() };
      known.sums.set(monthOf(record), cell);
      cell.matches++;
      if (record.message !== undefined) cell.messages.add(`${record.input} ${record.source} ${record.message}`);
    }
  }
  const cellsOf = (sums: Sums): Cells =>
    months.flatMap((month, index) => {
      const cell = sums.get(month);
      return cell === undefined ? [] : [index, cell.matches, cell.messages.size];
    });
  const rest: Sums = values.get(null)?.sums ?? new Map();
  values.delete(null);
  const rows = [...values].map(([value, { sums, dates, matches }]) => {
    const inOrder = dates.sort();
    return {
      value: value as string,
      matches,
      row: [hideUserinfo(value as string), inOrder[0] ?? null, inOrder.at(-1) ?? null, cellsOf(sums)] satisfies Row,
    };
  });
  rows.sort((one, other) => other.matches - one.matches || Buffer.compare(Buffer.from(one.value), Buffer.from(other.value)));
  const distinct_by_month = months.map((month) => [...values.values()].filter(({ sums }) => sums.has(month)).length);
  return { distinct: rows.length, distinct_by_month, bound: 0, rows: rows.map(({ row }) => row), rest: cellsOf(rest), month_rows: [] };
}
