// Cells of csv (RFC 4180) and tsv, for records, counted groups and the report.
import { valueText } from "../base/shown.ts";

/** Begins csv for spreadsheets, which otherwise assume another charset than UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";
/** A cell that must be in quotation marks (RFC 4180). */
const QUOTED = /[",\r\n]/;
/**
 * The position before a formula of a spreadsheet: at the start of a cell, and after a byte that may end a cell. If `;` or TAB separates
 * cells, quotation marks inside a line quote nothing.
 */
const FORMULA = /^(?=[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20])|(?<=[;\t\r\n])(?="*[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

type CellValue = Parameters<typeof valueText>[0];

/** Returns a cell of csv; `isSafe`: formulas get an apostrophe. */
export function csvCell(value: CellValue, isSafe: boolean): string {
  const text = valueText(value);
  const cell = isSafe && typeof value !== "number" ? text.replace(FORMULA, "'") : text;
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Characters that end a cell or a line, and the escape character. */
const SEPARATORS = /[\\\t\n\r\0]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0" };

/** Returns a text without TAB, LF, CR, NUL: they have the forms `\t`, `\n`, `\r`, `\0`, and a backslash is `\\`. */
export function tsvCell(value: CellValue): string {
  return valueText(value).replace(SEPARATORS, (character) => ESCAPES[character]);
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/;

/** Returns a date with 14 digits. */
export function waybackDate(date: string): string {
  return date.replace(DATE, "$1$2$3$4$5$6");
}
