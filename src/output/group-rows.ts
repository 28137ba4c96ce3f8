// The formats of counted groups for programs: csv, tsv and ndjson.

import { jsonText } from "../base/shown.ts";
import type { Group } from "../count/groups.ts";
import { fieldOf, type KeyField } from "../options/fields.ts";
import type { FieldValue } from "../scanner/field-values.ts";
import { BYTE_ORDER_MARK, csvCell } from "./csv-cell.ts";
import { tsvCell } from "./table.ts";

/** Names of the columns after those of the fields. */
export type CountColumn = "count" | "share" | "messages" | "first" | "last";

/** Returns the columns after those of the fields, with that of the share or without. */
export function countColumns(hasShare: boolean): readonly CountColumn[] {
  return hasShare ? ["count", "share", "messages", "first", "last"] : ["count", "messages", "first", "last"];
}

/** Options of the formats of groups. */
export interface GroupRowsOptions {
  readonly by: readonly KeyField[];
  readonly format: "tsv" | "csv" | "ndjson";
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly share: boolean;
}

/** Writes groups as lines. */
export interface GroupRows {
  /** Adds a group; returns the lines that are complete. */
  add(group: Group): string;
  /** Returns the remaining lines. */
  end(): string;
}

/** Returns the writer of a format. */
export function groupRows(options: GroupRowsOptions): GroupRows {
  const { by, header, format, csvSafe, share: hasShare } = options;
  if (format === "ndjson") return { add: (group) => `${jsonText(recordOf(by, group))}\n`, end: () => "" };
  const [separator, end] = format === "csv" ? [",", "\r\n"] : ["\t", "\n"];
  const cellOf = format === "csv" ? (value: FieldValue): string => csvCell(value, csvSafe) : tsvCell;
  // Numbers and dates need no quotation marks or escapes.
  const lineOf = ({ values, count, share, messages, first = "", last = "" }: Group): string => {
    let line = "";
    for (let index = 0; index < by.length; index++) line += cellOf(typed(by[index], values[index])) + separator;
    const counts = share === undefined ? count : `${count}${separator}${share}`;
    return `${line}${counts}${separator}${messages}${separator}${first}${separator}${last}${end}`;
  };
  const mark = format === "csv" && csvSafe ? BYTE_ORDER_MARK : "";
  let names = mark + (header ? [...by, ...countColumns(hasShare)].join(separator) + end : "");
  const takeNames = (): string => {
    const line = names;
    names = "";
    return line;
  };
  return { add: (group) => takeNames() + lineOf(group), end: takeNames };
}

function typed(name: KeyField, value: string | undefined): string | number | undefined {
  return value !== undefined && name !== "flag" && fieldOf(name).type === "integer" ? Number(value) : value;
}

/** Returns the values of the columns of a group. */
export function cellsOf(by: readonly KeyField[], { values, count, share, messages, first, last }: Group): (string | number | undefined)[] {
  return [...by.map((name, index) => typed(name, values[index])), count, ...(share === undefined ? [] : [share]), messages, first, last];
}

function recordOf(by: readonly KeyField[], group: Group): object {
  const { count, share, messages, first = null, last = null } = group;
  const values = by.map((name, index) => [name, typed(name, group.values[index]) ?? null]);
  return { ...Object.fromEntries(values), count, ...(share === undefined ? {} : { share }), messages, first, last };
}
