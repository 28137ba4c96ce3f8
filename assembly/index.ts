// The exported functions of the core. Arguments and results beyond the plain ones are words of STATE (tables/areas.ts).

import { decodeHtml } from "./html/html.ts";
import { enterReference } from "./html/reference.ts";
import { OUTPUT_REGION, STATE_OUTPUT_END } from "./layout/memory.ts";
import { decodeMail as decodeMessages } from "./mail/mail.ts";
import { storeWord } from "./platform/memory.ts";
import { contextAt } from "./scan/context.ts";
import { emit as emitRows } from "./scan/emit.ts";
import { scan as scanWindow, synchronize as synchronizeAt } from "./scan/scan.ts";
import { normalizeLines as normalizeWindow } from "./url/lines.ts";
import { indexRow } from "./url/scheme.ts";
import { normalize as normalizeText, split as splitText } from "./url/split.ts";
import { writeAsWritten } from "./url/written.ts";

/** Enters a filled row of the scheme table into the slots. */
export function indexScheme(row: i32): void {
  indexRow(row);
}

/** Scans the window from STATE_POSITION on: returns STOP_*. @see docs/rules.md X1 to X14 */
export function scan(): i32 {
  return scanWindow();
}

/** Enters a filled reference of REFERENCE_TABLE into the slots. */
export function indexReference(entry: i32): void {
  enterReference(entry);
}

/** Decodes HTML from STATE_SOURCE on to the window's end: returns STOP_*. @see docs/rules.md X9 */
export function decode(): i32 {
  return decodeHtml();
}

/** Decodes mail, news or a web archive from STATE_SOURCE on to the window's end: returns STOP_*. @see docs/rules.md A2 to A9 */
export function decodeMail(): i32 {
  return decodeMessages();
}

/** Makes the carried region that of `address`, so that the bytes before it may go. @see docs/rules.md X9 */
export function carryContext(address: i32): void {
  contextAt(address);
}

/** Sets the state to where the scan of a range that starts at `from` begins. @see docs/rules.md X13 */
export function synchronize(from: i32): void {
  synchronizeAt(from);
}

/** Writes the rows that `scan` left: returns STOP_*. @see docs/rules.md N, W */
export function emit(): i32 {
  return emitRows();
}

/** Normalizes the URL [start, end) to OUTPUT_REGION: 0, STOP_IDN, or below zero a reason. @see docs/rules.md N1 to N8 */
export function normalize(start: i32, end: i32): i32 {
  return normalizeText(start, end);
}

/** Normalizes the lines of the window: returns STOP_*. @see docs/rules.md N */
export function normalizeLines(): i32 {
  return normalizeWindow();
}

/** Splits the URL [start, end) into STATE_SPLIT: REASON_*. @see docs/rules.md P0 */
export function split(start: i32, end: i32): i32 {
  return splitText(start, end);
}

/** Writes the text [start, end) without what no URL can hold to OUTPUT_REGION, up to STATE_OUTPUT_END. @see docs/rules.md N */
export function writeText(start: i32, end: i32): void {
  storeWord(STATE_OUTPUT_END, writeAsWritten(start, end, OUTPUT_REGION));
}
