// The form of records: their fields, and the text of each. The forms of csv (RFC 4180), tsv, templates and ndjson. records.ts writes them.
import { CELL_QUOTED, CELL_SAFE } from "#core/layout/records.js";
import { jsonText } from "../base/shown.ts";
import type { FieldValue } from "../matches/field-values.ts";
import { type FieldName, fieldOf } from "../options/fields.ts";
import type { Template } from "../options/template.ts";
import { csvCell, tsvCell, waybackDate } from "./cells.ts";

/** The form of records. Positions count the fields from 0. */
export interface RecordForm {
  /** The fields in their order; one may occur twice. */
  readonly fields: readonly FieldName[];
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

const EMPTY_ROW = '""'; // Text of an empty cell in csv with one column, because most readers skip an empty line

/** Returns the form of rows with the text `before` each cell; `empty`: text of an empty cell. */
function rowsOf(
  fields: readonly FieldName[],
  before: (position: number) => string,
  end: string,
  cell: number,
  cellOf: (value: FieldValue) => string,
  empty = "",
): RecordForm {
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

/** Returns the form of csv. `isSafe`: formulas get an apostrophe. */
export function csv(fields: readonly FieldName[], isSafe: boolean): RecordForm {
  const cell = CELL_QUOTED | (isSafe ? CELL_SAFE : 0);
  return rowsOf(fields, separated(","), "\r\n", cell, (value) => csvCell(value, isSafe), fields.length === 1 ? EMPTY_ROW : "");
}

export function tsv(fields: readonly FieldName[]): RecordForm {
  return rowsOf(fields, separated("\t"), "\n", 0, tsvCell);
}

/** Returns the form of a template, with `end` after each record. Values are escaped as in tsv. */
export function template({ fields, end: after }: Template, end: string): RecordForm {
  const names = fields.map(({ name }) => name);
  return rowsOf(names, (position) => fields[position].before, after + end, 0, tsvCell);
}

/** Returns a form that writes the field `date` with 14 digits, as web archives do. */
export function withWaybackDates(form: RecordForm): RecordForm {
  const write: RecordForm["write"] = (position, value) => {
    return form.write(position, form.fields[position] === "date" && typeof value === "string" ? waybackDate(value) : value);
  };
  return { ...form, write };
}

/** Printed ASCII that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns the form of records as JSON (`Match.toJSON`), one a line. Each member ends with a comma; `end` replaces the last comma. */
export function ndjson(fields: readonly FieldName[]): RecordForm {
  const keys = fields.map((name, position) => `${position === 0 ? "{" : ""}"${name}":`);
  const without = fields.map((name, position) =>
    fieldOf(name).isNullable === true ? `${keys[position]}null,` : position === 0 ? "{" : "",
  );
  return {
    fields,
    end: "}\n",
    replaced: ",",
    cell: 0,
    around(position) {
      const quote = fieldOf(fields[position]).type === "text" ? '"' : "";
      return [`${keys[position]}${quote}`, `${quote},`, without[position]];
    },
    write: (position, value) => (value === undefined ? without[position] : `${keys[position]}${valueText(value)},`),
  };
}

function valueText(value: Exclude<FieldValue, undefined>): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : jsonText(value);
}
