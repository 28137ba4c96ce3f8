// Writes rows as records by a program (layout/records.ts). Fields are copied without escapes: rows whose fields need escapes are written by
// TypeScript.

import * as char from "../bytes/characters.ts";
import * as code from "../layout/codes.ts";
import { OUTPUT_BYTES, OUTPUT_REGION, RECORD_REGION, RESULT_OUTPUT_END, SCHEME_TABLE } from "../layout/memory.ts";
import * as layout from "../layout/records.ts";
import { ROW_LENGTH, ROW_NAME, SCHEME_ROW_BYTES } from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { copyLower, copyShort, hasComma } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { putSum } from "./sum.ts";

/** A step writes at most this many bytes in addition to a field or a text of the row, because the other texts are short. */
const ROOM: i32 = 512;
const OUTPUT_LIMIT: i32 = OUTPUT_REGION + OUTPUT_BYTES - ROOM;
const FULL_WIDTH: i32 = 0xef; // First byte of a full-width character in UTF-8
const FULL_WIDTH_SECOND: i32 = 0xbc; // Second byte of the four full-width characters below
const FULL_WIDTH_PLUS: i32 = 0x8b; // Third byte of U+FF0B
const FULL_WIDTH_HYPHEN: i32 = 0x8d; // Third byte of U+FF0D
const FULL_WIDTH_EQUALS: i32 = 0x9d; // Third byte of U+FF1D
const FULL_WIDTH_AT: i32 = 0xa0; // Third byte of U+FF20
const NO_ROOM: i32 = 0; // writeRecord returns this if there is no room for the record

/** The number that is added to the offsets of rows: baseHigh * BILLION + baseLow. */
let baseHigh: i32 = 0;
let baseLow: i32 = 0;

/**
 * Writes the rows [first, end) as records to OUTPUT_REGION, and sets NUMBER_REGION and RESULT_OUTPUT_END. Adds `high` * BILLION + `low` to
 * the offsets of rows. Returns the first row that is not written, or `end`. If this is `first`, the record of `first` is too long.
 */
export function writeRecords(first: i32, end: i32, high: i32, low: i32): i32 {
  baseHigh = high;
  baseLow = low;
  let at = OUTPUT_REGION;
  let i = first;
  for (; i < end && at < OUTPUT_REGION + layout.RECORDS_BYTES; i++) {
    const next = writeRecord(i, at);
    if (next == NO_ROOM) break;
    assert(next > at && next <= OUTPUT_REGION + OUTPUT_BYTES);
    at = next;
  }
  storeWord(RESULT_OUTPUT_END, at);
  return i;
}

/** Writes the record of row `index` at `to`; returns the address after it, or NO_ROOM. */
function writeRecord(index: i32, to: i32): i32 {
  const row = RECORD_REGION + multiply(index, code.RECORD_WORDS << 2);
  let at = to;
  let step = layout.PROGRAM_REGION;
  for (; at <= OUTPUT_LIMIT; ) {
    const kind = loadWord(step);
    if (kind == layout.STEP_FIELD) {
      at = putField(row, step, at);
      step += 24;
    } else if (kind == layout.STEP_TEXT || kind == layout.STEP_NUMBER_TEXT) {
      if (kind == layout.STEP_NUMBER_TEXT) storeWord(layout.NUMBER_REGION + (index << 2), at - OUTPUT_REGION);
      at = putLongText(loadWord(loadWord(row + loadWord(step + 4)) + loadWord(step + 8)), at);
      step += 12;
    } else if (kind == layout.STEP_OFFSET) {
      at = putText(loadWord(step + 12), putSum(baseHigh, baseLow, loadWord(row + loadWord(step + 4)), putText(loadWord(step + 8), at)));
      step += 16;
    } else if (kind == layout.STEP_SCHEME) {
      at = putText(loadWord(step + 8), putScheme(row, putText(loadWord(step + 4), at)));
      step += 12;
    } else {
      return putText(loadWord(step + 4), isReplaced(step, at) ? at - 1 : at);
    }
  }
  return NO_ROOM;
}

/** Whether the record ends at `at` with the byte of STEP_END, which the end of the record replaces. */
function isReplaced(step: i32, at: i32): bool {
  const replaced = loadWord(step + 8);
  return replaced != 0 && load8(at - 1) == replaced;
}

function putText(text: i32, to: i32): i32 {
  return copyShort(to, text + 4, loadWord(text));
}

/** Puts a text of any length; returns an address after OUTPUT_LIMIT if there is no room for it. */
function putLongText(text: i32, to: i32): i32 {
  return to + loadWord(text) > OUTPUT_LIMIT ? OUTPUT_LIMIT + 1 : putText(text, to);
}

/** Puts a field, or the text instead of an empty field; returns what putLongText does. The row has its offset, then its length. */
function putField(row: i32, step: i32, to: i32): i32 {
  const field = row + loadWord(step + 4);
  const length = loadWord(field + 4);
  if (length == 0) return putText(loadWord(step + 16), to);
  const cell = loadWord(step + 20);
  // Every second byte of a safe cell may get an apostrophe.
  if (to + ((cell & layout.CELL_SAFE) == 0 ? length : length << 1) > OUTPUT_LIMIT) return OUTPUT_LIMIT + 1;
  const from = layout.FIELDS_REGION + loadWord(field);
  const at = putText(loadWord(step + 8), to);
  const end = cell == 0 ? copyShort(at, from, length) : putCell(from, length, cell, at);
  return putText(loadWord(step + 12), end);
}

function putCell(from: i32, length: i32, cell: i32, to: i32): i32 {
  const isQuoted = (cell & layout.CELL_QUOTED) != 0 && hasComma(from, from + length);
  let at = to;
  if (isQuoted) store8(at++, char.QUOTE);
  at = (cell & layout.CELL_SAFE) == 0 ? copyShort(at, from, length) : copySafe(at, from, from + length);
  if (isQuoted) store8(at++, char.QUOTE);
  return at;
}

/** Copies [start, end) with an apostrophe before a formula, at the start or after a `;`. No field has a TAB or line break. */
function copySafe(to: i32, start: i32, end: i32): i32 {
  let at = to;
  for (let p = start; p < end; p++) {
    if ((p == start || load8(p - 1) == char.SEMICOLON) && beginsFormula(p)) store8(at++, char.APOSTROPHE);
    store8(at++, load8(p));
  }
  return at;
}

/** Whether one of `=` `+` `-` `@` is at `p`, or its full-width form. */
function beginsFormula(p: i32): bool {
  const c = load8(p);
  if (c != FULL_WIDTH || load8(p + 1) != FULL_WIDTH_SECOND) return c == char.EQUALS || c == char.PLUS || c == char.HYPHEN || c == char.AT;
  const last = load8(p + 2);
  return last == FULL_WIDTH_EQUALS || last == FULL_WIDTH_PLUS || last == FULL_WIDTH_HYPHEN || last == FULL_WIDTH_AT;
}

/** Puts the name of the scheme in lower case; returns what putLongText does. */
function putScheme(row: i32, to: i32): i32 {
  const length = loadWord(row + (code.RECORD_SCHEME_LENGTH << 2));
  if (length == 0) {
    const known = SCHEME_TABLE + multiply(loadWord(row + (code.RECORD_SCHEME << 2)), SCHEME_ROW_BYTES);
    return copyShort(to, known + ROW_NAME, load8(known + ROW_LENGTH));
  }
  if (to + length > OUTPUT_LIMIT) return OUTPUT_LIMIT + 1;
  const hasUrl = loadWord(row + (code.RECORD_URL_LENGTH << 2)) != 0;
  const from = layout.FIELDS_REGION + loadWord(row + ((hasUrl ? code.RECORD_URL : code.RECORD_RAW) << 2));
  copyLower(to, from, from + length);
  return to + length;
}
