// The form of records: their fields, and the text of each. The forms of csv (RFC 4180), tsv, templates and ndjson. records.ts writes them.
import { CELL_QUOTED, CELL_SAFE } from "#core/layout/records.js";
import { jsonText } from "../base/shown.ts";
import type { FieldValue } from "../matches/field-values.ts";
import { type FieldName, fieldOf } from "../options/fields.ts";
import type { OptionValues } from "../options/table.ts";
import type { Template } from "../options/template.ts";
import { BYTE_ORDER_MARK, csvCell, tsvCell, waybackDate } from "./cells.ts";

/** The form of records. Positions count the fields from 0. Counted groups have other names of fields too. */
export interface RecordForm<Name extends string = FieldName> {
  /** The fields in their order; one may occur twice. */
  readonly fields: readonly Name[];
  /** Text after the last field. */
  readonly end: string;
  /** The character that `end` replaces if the last field ends with it; empty: none. */
  readonly replaced: string;
  /** Whether the match in a context is enclosed in the marks of a color. */
  readonly marksMatch?: boolean;
  /** CELL_* bits for values that the core copies. */
  readonly cell: number;
  /** Returns the texts around a value that the core copies, and the text for no value. If one is too long, the core writes no records. */
  around(position: number): readonly [before: string, after: string, without: string];
  /** Returns the text of a field with the texts around it. */
  write(position: number, value: FieldValue): string;
}

export interface FormOptions {
  /** Whether csv and tsv begin with a line of names. */
  readonly header: boolean;
  /** Whether csv begins with a byte order mark, and formulas get an apostrophe. */
  readonly csvSafe: boolean;
  readonly dateFormat: OptionValues["dateFormat"];
}

const DATES: readonly string[] = ["date", "first", "last"];
const EMPTY_ROW = '""'; // Text of an empty cell in csv with one column, because most readers skip an empty line

/** Returns the form of a format. `hasNulls`: records of ndjson have null for each missing value. */
export function formOfFields<Name extends string>(
  format: "csv" | "tsv" | "ndjson",
  fields: readonly Name[],
  { csvSafe, dateFormat }: FormOptions,
  hasNulls = false,
): RecordForm<Name> {
  if (format === "ndjson") return withDates(ndjson(fields, hasNulls), dateFormat);
  if (format === "tsv") return withDates(rowsOf(fields, separated("\t"), "\n", 0, tsvCell), dateFormat);
  const bits = CELL_QUOTED | (csvSafe ? CELL_SAFE : 0);
  const cellOf = (value: FieldValue): string => csvCell(value, csvSafe);
  return withDates(rowsOf(fields, separated(","), "\r\n", bits, cellOf, fields.length === 1 ? EMPTY_ROW : ""), dateFormat);
}

/** Returns the form of a template, with `end` after each record. Values are escaped as in tsv. */
export function template({ fields, end: after }: Template, end: string, { dateFormat }: FormOptions): RecordForm {
  const names = fields.map(({ name }) => name);
  return withDates(
    rowsOf(names, (position) => fields[position].before, after + end, 0, tsvCell),
    dateFormat,
  );
}

/** Returns the byte order mark and the line of names that csv and tsv begin with; an empty text for ndjson. */
export function headOf({ fields, write, end }: RecordForm<string>, format: string, { header, csvSafe }: FormOptions): string {
  if (format !== "csv" && format !== "tsv") return "";
  const mark = format === "csv" && csvSafe ? BYTE_ORDER_MARK : "";
  return header ? mark + fields.map((name, position) => write(position, name)).join("") + end : mark;
}

export function recordOf(form: RecordForm<string>, valueAt: (position: number) => FieldValue): string {
  return ended(form, form.fields.map((_, position) => form.write(position, valueAt(position))).join(""));
}

/** Returns a record whose fields have been written. */
export function ended({ end, replaced }: RecordForm<string>, record: string): string {
  return (replaced !== "" && record.endsWith(replaced) ? record.slice(0, -1) : record) + end;
}

/** Returns the form of rows with the text `before` each cell; `empty`: text of an empty cell. */
function rowsOf<Name extends string>(
  fields: readonly Name[],
  before: (position: number) => string,
  end: string,
  cell: number,
  cellOf: (value: FieldValue) => string,
  empty = "",
): RecordForm<Name> {
  return {
    fields,
    end,
    replaced: "",
    cell,
    around: (position) => [before(position), "", before(position) + empty],
    write: (position, value) => before(position) + (cellOf(value) || empty),
  };
}

function separated(separator: string): (position: number) => string {
  return (position) => (position === 0 ? "" : separator);
}

/** Returns a form that writes dates as `dateFormat` says: with 14 digits, as web archives do. */
function withDates<Name extends string>(form: RecordForm<Name>, dateFormat: FormOptions["dateFormat"]): RecordForm<Name> {
  if (dateFormat !== "wayback") return form;
  const isDate = form.fields.map((name) => DATES.includes(name));
  const write: RecordForm["write"] = (position, value) =>
    form.write(position, isDate[position] && typeof value === "string" ? waybackDate(value) : value);
  return { ...form, write };
}

/** Printed ASCII that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Returns the form of records as JSON (`Match.toJSON`), one a line. Each member ends with a comma; `end` replaces the last comma.
 * `hasNulls`: each missing value is null.
 */
export function ndjson<Name extends string>(fields: readonly Name[], hasNulls = false): RecordForm<Name> {
  const keys = fields.map((name, position) => `${position === 0 ? "{" : ""}"${name}":`);
  const rowAt = (position: number): ReturnType<typeof fieldOf> => fieldOf(fields[position] as FieldName);
  const without = keys.map((key, position) => {
    if (hasNulls || rowAt(position).isNullable === true) return `${key}null,`;
    return position === 0 ? "{" : "";
  });
  return {
    fields,
    end: "}\n",
    replaced: ",",
    cell: 0,
    around(position) {
      const quote = rowAt(position).type === "text" ? '"' : "";
      return [`${keys[position]}${quote}`, `${quote},`, without[position]];
    },
    write: (position, value) => (value === undefined ? without[position] : `${keys[position]}${jsonValue(value)},`),
  };
}

function jsonValue(value: Exclude<FieldValue, undefined>): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : jsonText(value);
}
