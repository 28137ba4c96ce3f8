// The formats of counted groups for programs: csv, tsv, ndjson and templates.
import type { Group } from "../count/group-table.ts";
import { isNumber } from "../count/key-fields.ts";
import { COUNT_COLUMNS, type KeyField } from "../options/fields.ts";
import type { Template } from "../options/template.ts";
import { type FormOptions, formOfFields, headOf, recordOf, template } from "./record-form.ts";

/** Names of the columns after those of the fields. */
export type CountColumn = (typeof COUNT_COLUMNS)[number];

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

export interface GroupRowsOptions extends CountColumnsOptions, FormOptions {
  readonly by: readonly KeyField[];
  readonly format: "tsv" | "csv" | "ndjson";
  /** Template of each line, instead of a format. */
  readonly print: Template | undefined;
}

/** Writes groups, as lines or to a sink. */
export interface GroupRows {
  /** Adds a group; returns the lines that are complete, or an empty text. */
  add(group: Group): string;
  /** Returns the remaining lines, or an empty text. */
  end(): string;
}

export function groupRows(options: GroupRowsOptions): GroupRows {
  const { by, format, print } = options;
  const columns = countColumns(options);
  const names: readonly string[] = [...by, ...columns];
  const form = print === undefined ? formOfFields(format, names, options, true) : template(print, "\n", options);
  const places = form.fields.map((name) => names.indexOf(name));
  let head = print === undefined ? headOf(form, format, options) : "";
  const add = (group: Group): string => {
    const cells = cellsOf(by, columns, group);
    const lines = head + recordOf(form, (position) => cells[places[position]]);
    head = "";
    return lines;
  };
  return { add, end: () => head };
}

export function cellsOf(
  by: readonly KeyField[],
  columns: readonly CountColumn[],
  { values, ...group }: Group,
): (string | number | undefined)[] {
  const typed = by.map((name, index) => (values[index] !== undefined && isNumber(name) ? Number(values[index]) : values[index]));
  return [...typed, ...columns.map((name) => group[name])];
}
