// The formats of counted groups for programs: csv, tsv and ndjson.
import { jsonText } from "../base/shown.ts";
import type { Group } from "../count/group-table.ts";
import { isNumber } from "../count/key-fields.ts";
import type { FieldValue } from "../matches/field-values.ts";
import { COUNT_COLUMNS, type KeyField } from "../options/fields.ts";
import type { OptionValues } from "../options/table.ts";
import type { Template } from "../options/template.ts";
import { BYTE_ORDER_MARK, csvCell, tsvCell, waybackDate } from "./cells.ts";

/** Names of the columns after those of the fields. */
export type CountColumn = (typeof COUNT_COLUMNS)[number];

/** Selects the columns after those of the fields. */
export interface CountColumnsOptions {
  /** Whether rows have shares. Then the bars of a table show the shares. */
  readonly share: boolean;
  /** Whether all messages are counted too. */
  readonly ofMessages: boolean;
  /** Whether distinct URLs are counted. Then there is no column for messages. */
  readonly unique: boolean;
}

export function countColumns({ share, ofMessages, unique }: CountColumnsOptions): readonly CountColumn[] {
  const has: Partial<Record<CountColumn, boolean>> = { share, messages: !unique, of_messages: ofMessages };
  return COUNT_COLUMNS.filter((name) => has[name] ?? true);
}

export interface GroupRowsOptions extends CountColumnsOptions {
  readonly by: readonly KeyField[];
  readonly format: "tsv" | "csv" | "ndjson";
  readonly header: boolean;
  readonly csvSafe: boolean;
  /** Template of each line, instead of a format. */
  readonly print: Template | undefined;
  readonly dateFormat: OptionValues["dateFormat"];
}

/** Writes groups, as lines or to a sink. */
export interface GroupRows {
  /** Adds a group; returns the lines that are complete, or an empty text. */
  add(group: Group): string;
  /** Returns the remaining lines, or an empty text. */
  end(): string;
}

export function groupRows(options: GroupRowsOptions): GroupRows {
  const { by, header, format, csvSafe, print, dateFormat } = options;
  const columns = countColumns(options);
  const names: readonly string[] = [...by, ...columns];
  const dates = names.map((name) => dateFormat === "wayback" && DATES.includes(name));
  const cells = (group: Group): FieldValue[] =>
    cellsOf(by, columns, group).map((value, index) => (dates[index] && typeof value === "string" ? waybackDate(value) : value));
  const recordOf = (group: Group): object => Object.fromEntries(cells(group).map((value, index) => [names[index], value ?? null]));
  if (format === "ndjson") return { add: (group) => `${jsonText(recordOf(group))}\n`, end: () => "" };
  if (print !== undefined) {
    const places = print.fields.map(({ before, name }) => ({ before, at: names.indexOf(name) }));
    const lineOf = (row: readonly FieldValue[]): string => places.map(({ before, at }) => before + tsvCell(row[at])).join("");
    return { add: (group) => `${lineOf(cells(group))}${print.end}\n`, end: () => "" };
  }
  const [separator, end] = format === "csv" ? [",", "\r\n"] : ["\t", "\n"];
  const cellOf = format === "csv" ? (value: FieldValue): string => csvCell(value, csvSafe) : tsvCell;
  const mark = format === "csv" && csvSafe ? BYTE_ORDER_MARK : "";
  let head = mark + (header ? names.join(separator) + end : "");
  const takeHead = (): string => {
    const line = head;
    head = "";
    return line;
  };
  return { add: (group) => takeHead() + cells(group).map(cellOf).join(separator) + end, end: takeHead };
}

const DATES: readonly string[] = ["date", "first", "last"];

export function cellsOf(
  by: readonly KeyField[],
  columns: readonly CountColumn[],
  { values, ...group }: Group,
): (string | number | undefined)[] {
  const typed = by.map((name, index) => (values[index] !== undefined && isNumber(name) ? Number(values[index]) : values[index]));
  return [...typed, ...columns.map((name) => group[name])];
}
