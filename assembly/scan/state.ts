// The state of one `scan` call: its arguments, the rows it writes, and what is carried to the next call (STATE_*).

import { SET_DELIMITER } from "../bytes/classes.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import { ROW_REPORTED, SCHEME_ROW_BYTES } from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { findInSet, findInSetBackward } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { findRow } from "../url/scheme.ts";

/** What a reader returns when it cannot decide without more input. */
export const NEED_INPUT: i32 = -1;
/** What a reader returns when the candidate starts behind the range. */
export const AFTER_RANGE: i32 = -2;
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
export let joinsLines: bool = false;
/** End of the last match (X11). */
export let lastEnd: i32 = 0;
/** Rows written to RECORD_REGION. */
export let records: i32 = 0;
/** Rows written to REJECTED_REGION. */
export let rejected: i32 = 0;
/** OPTION_* bits. */
export let options: i32 = 0;
let runStart: i32 = 0;
let runChecked: i32 = 0;
let ownFrom: i32 = 0;
let ownTo: i32 = 0;

/** Reads the arguments and the carried state. */
export function loadState(): void {
  low = loadWord(layout.STATE_LOW);
  high = loadWord(layout.STATE_HIGH);
  final = loadWord(layout.STATE_FINAL) != 0;
  urlBytesMax = loadWord(layout.STATE_URL_BYTES_MAX);
  joinsLines = (loadWord(layout.STATE_OPTIONS) & layout.OPTION_LINE_WRAPPED) != 0;
  lastEnd = loadWord(layout.STATE_LAST_END);
  runStart = loadWord(layout.STATE_RUN);
  runChecked = loadWord(layout.STATE_RUN_CHECKED);
  ownFrom = loadWord(layout.STATE_OWN_FROM);
  ownTo = loadWord(layout.STATE_OWN_TO);
  options = loadWord(layout.STATE_OPTIONS);
  records = 0;
  rejected = 0;
}

/** Writes back what is carried, and the results. */
export function saveState(position: i32): void {
  storeWord(layout.STATE_POSITION, position);
  storeWord(layout.STATE_LAST_END, lastEnd);
  storeWord(layout.STATE_RUN, runStart);
  storeWord(layout.STATE_RUN_CHECKED, runChecked);
  storeWord(layout.STATE_RECORDS, records);
  storeWord(layout.STATE_REJECTED, rejected);
}

/** Sets the state of a scan that starts at `position`, in a unbroken run that starts at `start`. */
export function startAt(position: i32, start: i32): void {
  lastEnd = position;
  runStart = start;
  runChecked = position;
  saveState(position);
}

/** Whether the rows are nearly full: a reader writes at most one row of each kind. */
export function isFull(): bool {
  return records >= layout.RECORD_ROWS_MAX || rejected >= layout.REJECTED_ROWS_MAX;
}

/** Whether a decision that looked as far as `p` may change with more input. */
export function isOpenEnded(p: i32): bool {
  return !final && p + MARGIN > high;
}

/** The same where nothing behind a delimiter byte counts: plain text, without `guess`. */
export function isOpen(p: i32): bool {
  return isOpenEnded(p) && (joinsLines || findInSet(p, high, SET_DELIMITER) >= high);
}

/** Behind the last byte that may belong to a match that starts at `start`, and one more (X12). */
export function lookAhead(start: i32): i32 {
  const bound = start + urlBytesMax + 1;
  return bound < high ? bound : high;
}

/** Whether a match that starts at `start` belongs to a later range (X13). */
export function isAfterRange(start: i32): bool {
  return start >= ownTo;
}

/** Writes the row of a match [start, end), if it is owned and its scheme reported, and moves lastEnd behind it. */
export function addRecord(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, flags: i32, hint: i32): void {
  lastEnd = end;
  if (start < ownFrom || !isReported(start, schemeLength, row)) return;
  const at = layout.RECORD_REGION + multiply(records, code.RECORD_WORDS << 2);
  records++;
  storeWord(at + (code.RECORD_START << 2), start);
  storeWord(at + (code.RECORD_END << 2), end);
  storeWord(at + (code.RECORD_SCHEME_LENGTH << 2), schemeLength);
  storeWord(at + (code.RECORD_SCHEME << 2), row);
  storeWord(at + (code.RECORD_KIND << 2), kind);
  storeWord(at + (code.RECORD_FLAGS << 2), flags);
  storeWord(at + (code.RECORD_HINT << 2), hint);
  count(layout.STATE_KINDS + (kind << 2));
}

function isReported(start: i32, schemeLength: i32, row: i32): bool {
  const named = row >= 0 ? row : findRow(start, schemeLength);
  if (named < 0) return loadWord(layout.STATE_REPORT_UNKNOWN) != 0;
  return load8(layout.SCHEME_TABLE + multiply(named, SCHEME_ROW_BYTES) + ROW_REPORTED) != 0;
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
  if (loadWord(layout.STATE_LIST_REJECTED) != 0) {
    const shown = start + SHOWN_BYTES_MAX;
    const end = findInSet(start, shown < high ? shown : high, SET_DELIMITER);
    if (end == high && !final) return NEED_INPUT;
    const at = layout.REJECTED_REGION + multiply(rejected, code.REJECTED_WORDS << 2);
    rejected++;
    storeWord(at + (code.REJECTED_START << 2), start);
    storeWord(at + (code.REJECTED_END << 2), end);
    storeWord(at + (code.REJECTED_REASON << 2), reason);
  }
  count(layout.STATE_REASONS + (reason << 2));
  return next;
}

/** A `,` `;` `|` before a known scheme and `://`: a unbroken run starts at `start` (X12). */
export function startRun(start: i32): void {
  runStart = start;
  runChecked = start;
}

/** Returns the limit for matches in the unbroken run of `start`. Looks back only when `end` is far from the last known run (X12). */
export function runLimit(start: i32, end: i32): i32 {
  if (end - runStart > urlBytesMax && start > runChecked) {
    const delimiter = findInSetBackward(runChecked, start, SET_DELIMITER);
    if (delimiter >= runChecked) runStart = delimiter + 1;
    runChecked = start;
  }
  return runStart + urlBytesMax;
}

/** The match at `scheme` ends behind its unbroken run's limit: it is counted, and nothing more of the unbroken run is looked at (X12). */
export function skipOverlong(scheme: i32, colon: i32, limit: i32): i32 {
  const next = addRejected(scheme, code.REASON_OVERLONG, limit > colon ? limit : colon + 1);
  if (next > 0 && limit > lastEnd) lastEnd = limit;
  return next;
}
