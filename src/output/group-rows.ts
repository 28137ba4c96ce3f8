// The formats of counted groups for programs: csv, tsv and ndjson.

import { jsonText } from "../base/shown.ts";
import type { Group } from "../count/groups.ts";
import { isNumber } from "../count/key-fields.ts";
import type { KeyField } from "../options/fields.ts";
import type { FieldValue } from "../scanner/field-values.ts";
import { BYTE_ORDER_MARK, csvCell } from "./csv-cell.ts";
import { tsvCell } from "./table.ts";

/** Names of the columns after those of the fields. */
export type CountColumn = "count" | "share" | "messages" | "first" | "last";

/** Selects the columns after those of the fields. */
export interface CountColumnsOptions {
  readonly share: boolean;
  /** Whether distinct URLs are counted. Then there is no column for messages. */
  readonly unique: boolean;
}

/** Returns the columns after those of the fields. */
export function countColumns({ share, unique }: CountColumnsOptions): readonly CountColumn[] {
  return ["count", ...(share ? (["share"] as const) : []), ...(unique ? [] : (["messages"] as const)), "first", "last"];
}

/** Options of these formats. */
export interface GroupRowsOptions extends CountColumnsOptions {
  readonly by: readonly KeyField[];
  readonly format: "tsv" | "csv" | "ndjson";
  readonly header: boolean;
  readonly csvSafe: boolean;
}

/** Writes groups, as lines or to a sink. */
export interface GroupRows {
  /** Adds a group; returns the lines that are complete, or an empty text. */
  add(group: Group): string;
  /** Returns the remaining lines, or an empty text. */
  end(): string;
}

/** Returns the writer of a format. */
export function groupRows(options: GroupRowsOptions): GroupRows {
  const { by, header, format, csvSafe } = options;
  const columns = countColumns(options);
  if (format === "ndjson") return { add: (group) => `${jsonText(recordOf(by, columns, group))}\n`, end: () => "" };
  const [separator, end] = format === "csv" ? [",", "\r\n"] : ["\t", "\n"];
  const cellOf = format === "csv" ? (value: FieldValue): string => csvCell(value, csvSafe) : tsvCell;
  // Numbers and dates need no quotation marks or escapes.
  const lineOf = (group: Group): string => {
    let line = "";
    for (let index = 0; index < by.length; index++) line += cellOf(typed(by[index], group.values[index])) + separator;
    return line + columns.map((name) => group[name] ?? "").join(separator) + end;
  };
  const mark = format === "csv" && csvSafe ? BYTE_ORDER_MARK : "";
  let names = mark + (header ? [...by, ...columns].join(separator) + end : "");
  const takeNames = (): string => {
    const line = names;
    names = "";
    return line;
  };
  return { add: (group) => takeNames() + lineOf(group), end: takeNames };
}

function typed(name: KeyField, value: string | undefined): string | number | undefined {
  return value !== undefined && isNumber(name) ? Number(value) : value;
}

/** Returns the values of the columns of a group. */
export function cellsOf(by: readonly KeyField[], columns: readonly CountColumn[], group: Group): (string | number | undefined)[] {
  return [...by.map((name, index) => typed(name, group.values[index])), ...columns.map((name) => group[name])];
}

function recordOf(by: readonly KeyField[], columns: readonly CountColumn[], group: Group): object {
  const names = [...by, ...columns];
  return Object.fromEntries(cellsOf(by, columns, group).map((value, index) => [names[index], value ?? null]));
}
