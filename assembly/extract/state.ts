// The state of one `scan` call: its arguments, the rows it writes, and what is carried to the next call (STATE_*).

import { multiply } from "../seam/arith.ts";
import { findInSet, findInSetBackward } from "../seam/kernel.ts";
import { load8, loadWord, storeWord } from "../seam/memory.ts";
import * as area from "../tables/areas.ts";
import { SET_HARD } from "../tables/classes.ts";
import * as code from "../tables/codes.ts";
import { ROW_REPORTED, SCHEME_ROW_BYTES } from "../tables/rows.ts";
import { findRow } from "../url/scheme.ts";

/** What a reader returns when it cannot decide without more input. */
export const NEED_INPUT: i32 = -1;
/** What a reader returns when the candidate starts behind the range. */
export const BEHIND_RANGE: i32 = -2;
/** What a reader returns when STATE_ANSWER must be known first (STOP_NAME). */
export const ASK: i32 = -3;
/** What a look-ahead may read behind the byte it stops at: the longest name of a scheme, and `://`. */
const MARGIN: i32 = 40;
/** Most bytes of a rejected candidate that are shown. */
const SHOWN_BYTES_MAX: i32 = 256;

/** First valid byte of the window. */
export let low: i32 = 0;
/** Behind its last byte. */
export let high: i32 = 0;
/** Whether the input ends at `high`. */
export let final: bool = false;
/** urlBytesMax (X12). */
export let urlBytesMax: i32 = 0;
/** Whether plain matches may go on in the next line (X8). */
export let guess: bool = false;
/** End of the last match (X11). */
export let lastEnd: i32 = 0;
/** Rows written to RECORD_AREA. */
export let records: i32 = 0;
/** Rows written to REJECTED_AREA. */
export let rejected: i32 = 0;
/** OPTION_* bits. */
export let options: i32 = 0;
let stretch: i32 = 0;
let stretchChecked: i32 = 0;
let ownFrom: i32 = 0;
let ownTo: i32 = 0;

/** Reads the arguments and the carried state. */
export function loadState(): void {
  low = loadWord(area.STATE_LOW);
  high = loadWord(area.STATE_HIGH);
  final = loadWord(area.STATE_FINAL) != 0;
  urlBytesMax = loadWord(area.STATE_URL_BYTES_MAX);
  guess = (loadWord(area.STATE_OPTIONS) & area.OPTION_GUESS) != 0;
  lastEnd = loadWord(area.STATE_LAST_END);
  stretch = loadWord(area.STATE_STRETCH);
  stretchChecked = loadWord(area.STATE_STRETCH_CHECKED);
  ownFrom = loadWord(area.STATE_OWN_FROM);
  ownTo = loadWord(area.STATE_OWN_TO);
  options = loadWord(area.STATE_OPTIONS);
  records = 0;
  rejected = 0;
}

/** Writes back what is carried, and the results. */
export function saveState(position: i32): void {
  storeWord(area.STATE_POSITION, position);
  storeWord(area.STATE_LAST_END, lastEnd);
  storeWord(area.STATE_STRETCH, stretch);
  storeWord(area.STATE_STRETCH_CHECKED, stretchChecked);
  storeWord(area.STATE_RECORDS, records);
  storeWord(area.STATE_REJECTED, rejected);
}

/** Sets the state of a scan that starts at `position`, in a stretch that starts at `start`. */
export function startAt(position: i32, start: i32): void {
  lastEnd = position;
  stretch = start;
  stretchChecked = position;
  saveState(position);
}

/** Whether the rows are nearly full: a reader writes at most one row of each kind. */
export function isFull(): bool {
  return records >= area.RECORD_ROWS_MAX || rejected >= area.REJECTED_ROWS_MAX;
}

/** Whether a decision that looked as far as `p` may change with more input. */
export function isOpenEnded(p: i32): bool {
  return !final && p + MARGIN > high;
}

/** The same where nothing behind a hard byte counts: plain text, without `guess`. */
export function isOpen(p: i32): bool {
  return isOpenEnded(p) && (guess || findInSet(p, high, SET_HARD) >= high);
}

/** Behind the last byte that may belong to a match that starts at `start`, and one more (X12). */
export function lookAhead(start: i32): i32 {
  const bound = start + urlBytesMax + 1;
  return bound < high ? bound : high;
}

/** Whether a match that starts at `start` belongs to a later range (X13). */
export function isBehindRange(start: i32): bool {
  return start >= ownTo;
}

/** Writes the row of a match [start, end), if it is owned and its scheme reported, and moves lastEnd behind it. */
export function addRecord(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, flags: i32, hint: i32): void {
  lastEnd = end;
  if (start < ownFrom || !isReported(start, schemeLength, row)) return;
  const at = area.RECORD_AREA + multiply(records, code.RECORD_WORDS << 2);
  records++;
  storeWord(at + (code.RECORD_START << 2), start);
  storeWord(at + (code.RECORD_END << 2), end);
  storeWord(at + (code.RECORD_SCHEME_LENGTH << 2), schemeLength);
  storeWord(at + (code.RECORD_SCHEME << 2), row);
  storeWord(at + (code.RECORD_KIND << 2), kind);
  storeWord(at + (code.RECORD_FLAGS << 2), flags);
  storeWord(at + (code.RECORD_HINT << 2), hint);
  count(area.STATE_KINDS + (kind << 2));
}

function isReported(start: i32, schemeLength: i32, row: i32): bool {
  const named = row >= 0 ? row : findRow(start, schemeLength);
  if (named < 0) return loadWord(area.STATE_REPORT_UNKNOWN) != 0;
  return load8(area.SCHEME_TABLE + multiply(named, SCHEME_ROW_BYTES) + ROW_REPORTED) != 0;
}

function count(at: i32): void {
  storeWord(at, loadWord(at) + 1);
}

/**
 * Counts, and lists if that is asked for, the candidate at `start` (X12). Returns `next`, where the scan goes on, or NEED_INPUT where
 * the text that is shown of it has not come yet.
 */
export function addRejected(start: i32, reason: i32, next: i32): i32 {
  if (start < ownFrom) return next;
  if (loadWord(area.STATE_LIST_REJECTED) != 0) {
    const shown = start + SHOWN_BYTES_MAX;
    const end = findInSet(start, shown < high ? shown : high, SET_HARD);
    if (end == high && !final) return NEED_INPUT;
    const at = area.REJECTED_AREA + multiply(rejected, code.REJECTED_WORDS << 2);
    rejected++;
    storeWord(at + (code.REJECTED_START << 2), start);
    storeWord(at + (code.REJECTED_END << 2), end);
    storeWord(at + (code.REJECTED_REASON << 2), reason);
  }
  count(area.STATE_REASONS + (reason << 2));
  return next;
}

/** A `,` `;` `|` before a known scheme and `://`: a stretch starts at `start` (X12). */
export function startStretch(start: i32): void {
  stretch = start;
  stretchChecked = start;
}

/** Where matches of the stretch that holds `start` must end (X12). Looks back only when `end` is far from the last known stretch. */
export function stretchLimit(start: i32, end: i32): i32 {
  if (end - stretch > urlBytesMax && start > stretchChecked) {
    const hard = findInSetBackward(stretchChecked, start, SET_HARD);
    if (hard >= stretchChecked) stretch = hard + 1;
    stretchChecked = start;
  }
  return stretch + urlBytesMax;
}

/** The match at `scheme` ends behind its stretch's limit: it is counted, and nothing more of the stretch is looked at (X12). */
export function skipOverlong(scheme: i32, colon: i32, limit: i32): i32 {
  const next = addRejected(scheme, code.REASON_OVERLONG, limit > colon ? limit : colon + 1);
  if (next > 0 && limit > lastEnd) lastEnd = limit;
  return next;
}
