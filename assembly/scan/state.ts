// The state of a scan: its options, the window, the rows that it writes, and facts about the text so far.

import { findLastDelimiter } from "../bytes/ascii.ts";
import { SET_DELIMITER } from "../bytes/classes.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { ROW_REPORTED, SCHEME_ROW_BYTES } from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { findRow } from "../url/scheme.ts";

/** A reader returns this if it cannot decide without more input. */
export const NEED_INPUT: i32 = -1;
export const AFTER_RANGE: i32 = -2; // A reader returns this if the text that it reads starts after the range
/** A look-ahead reads at most this many bytes from the byte at which it stops. The longest reads the name of a scheme and `://`. */
const MARGIN: i32 = 40;
const SHOWN_BYTES_MAX: i32 = 256; // Most bytes of a rejected candidate that are shown

/** OPTION_* bits. */
export let options: i32 = 0;
/** Most bytes of a URL (X12). */
export let urlBytesMax: i32 = 0;
/** Whether plain matches may continue in the next line (X8). */
export let joinsLines: bool = false;
/** Whether the next line is read, to join it, or to flag a match that may continue there (C142). */
export let followsLines: bool = false;
/** Address after the last byte of the window. */
export let high: i32 = 0;
/** Whether the input ends at `high`. */
export let final: bool = false;
/** End of the last match or of skipped text, or the start of the scan. No later match starts before it (X11). */
export let lastEnd: i32 = 0;
/** Number of rows written to RECORD_REGION since openWindow. */
export let records: i32 = 0;
/** Number of rows written to REJECTED_REGION since openWindow. */
export let rejected: i32 = 0;
/** Start of the last known unbroken run. Later matches are in this run or in later ones (X12). */
let runStart: i32 = 0;
/** No run starts between runStart and this address. */
let runChecked: i32 = 0;
/** Matches that start before this address belong to an earlier range (X13). */
let ownFrom: i32 = 0;
/** Matches that start at this address or after it belong to a later range (X13). */
let ownTo: i32 = 0;

// Saved state of the window while a copy of its text is read (X16, C146).
let windowHigh: i32 = 0;
let windowFinal: bool = false;
let windowRunStart: i32 = 0;
let windowRunChecked: i32 = 0;
let windowOptions: i32 = 0;

/**
 * Changes to [start, end), a copy of a text of the window. The copy is read as if it were the whole input (X16, C146). `isDecoded`: its
 * triplets were decoded, so neither references (X5) nor escapes (X16) are read (C146).
 */
export function enterCopy(start: i32, end: i32, isDecoded: bool): void {
  assert(start <= end);
  windowHigh = high;
  windowFinal = final;
  windowRunStart = runStart;
  windowRunChecked = runChecked;
  windowOptions = options;
  high = end;
  final = true;
  runStart = start;
  runChecked = start;
  if (isDecoded) options |= layout.OPTION_DECODED | layout.OPTION_NESTED;
}

export function leaveCopy(): void {
  high = windowHigh;
  final = windowFinal;
  runStart = windowRunStart;
  runChecked = windowRunChecked;
  options = windowOptions;
}

/**
 * Sets the options of the next input and zeroes its counters. Forgets the last input. `bits`: OPTION_* bits. `bytesMax`: most bytes of a
 * URL.
 */
export function configure(bits: i32, bytesMax: i32): void {
  options = bits;
  urlBytesMax = bytesMax;
  joinsLines = (bits & layout.OPTION_LINE_WRAPPED) != 0;
  followsLines = (bits & (layout.OPTION_LINE_WRAPPED | layout.OPTION_FLAG_CUT)) != 0;
  for (let at = layout.RESULT_KINDS; at < layout.RESULT_COUNTERS_END; at += 4) storeWord(at, 0);
  startAt(layout.WINDOW_REGION, layout.WINDOW_REGION);
}

/** Begins a scan of the window up to `end`. `isFinal`: the input ends there. [from, to): where the matches of the range start. */
export function openWindow(end: i32, isFinal: bool, from: i32, to: i32): void {
  assert(end >= layout.WINDOW_REGION && end <= layout.WINDOW_REGION + layout.WINDOW_BYTES && from <= to);
  high = end;
  final = isFinal;
  ownFrom = from;
  ownTo = to;
  records = 0;
  rejected = 0;
  note(rule.NOTE_SCAN, 0, 0);
}

/** Forgets all matches: the scan starts at `position`, in an unbroken run that starts at `start`. */
export function startAt(position: i32, start: i32): void {
  lastEnd = position;
  runStart = start;
  runChecked = position;
}

/** Follows the bytes of the window, which move down by `distance`. */
export function moveDown(distance: i32): void {
  lastEnd = movedDown(lastEnd, distance, layout.WINDOW_REGION);
  runChecked = movedDown(runChecked, distance, layout.WINDOW_REGION);
  // In a run that starts still farther back, all matches are overlong.
  runStart = movedDown(runStart, distance, layout.WINDOW_REGION - 2 * urlBytesMax);
}

function movedDown(p: i32, distance: i32, low: i32): i32 {
  return p - distance > low ? p - distance : low;
}

/** Whether a region of rows is full. A reader writes at most one row to each region, so a check before each reader is enough. */
export function isFull(): bool {
  return records >= layout.RECORD_ROWS_MAX || rejected >= layout.REJECTED_ROWS_MAX;
}

/** Whether a decision that looked as far as `p` may change with more input. */
export function isOpenEnded(p: i32): bool {
  return !final && p + MARGIN > high;
}

/**
 * Whether a decision about plain text up to `p` may change with more input. It cannot if a delimiter byte follows in the window, unless
 * lines are joined.
 */
export function isOpen(p: i32): bool {
  return isOpenEnded(p) && (joinsLines || findInSet(p, high, SET_DELIMITER) >= high);
}

/**
 * Returns the end of a look-ahead from `start`: urlBytesMax + 1 bytes on, at most the end of the window. A longer match is overlong (X12).
 */
export function lookAhead(start: i32): i32 {
  const bound = start + urlBytesMax + 1;
  return bound < high ? bound : high;
}

/** Returns the lowest address that a search back from `p` over `distance` bytes may read. */
export function lookBack(p: i32, distance: i32): i32 {
  return p - distance > layout.WINDOW_REGION ? p - distance : layout.WINDOW_REGION;
}

/** Whether a match that starts at `start` belongs to a later range (X13). */
export function isAfterRange(start: i32): bool {
  return start >= ownTo;
}

/**
 * Moves lastEnd to the end of the match [start, end). Writes a row for the match if the range owns it and its scheme is reported. `row`:
 * the row of the scheme.
 */
export function addRecord(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, flags: i32, hint: i32): void {
  lastEnd = end;
  if (start < ownFrom || !isReported(start, schemeLength, row)) return;
  if ((options & layout.OPTION_ELEMENTS) != 0) storeWord(layout.RECORD_ELEMENTS + (records << 2), 0);
  writeRow(start, end, schemeLength, row, kind, flags, hint);
}

/**
 * Writes a row for the URL [start, end) of an attribute, whatever its scheme. Does not move lastEnd. `element`: the address of the row of
 * the attribute in ELEMENT_REGION. A base is written even before the range. `isSilent`: the URL is only a base, and not reported. (C106)
 */
export function addAttribute(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, hint: i32, element: i32, isSilent: bool): void {
  const isBefore = start < ownFrom;
  if (isBefore && (load8(element + layout.ELEMENT_BITS) & layout.ELEMENT_BASE) == 0) return;
  storeWord(layout.RECORD_ELEMENTS + (records << 2), element | (isBefore || isSilent ? 1 : 0));
  writeRow(start, end, schemeLength, row, kind, 0, hint);
}

/** Does what addRecord does. `element`: the address of the row of the attribute in ELEMENT_REGION, or 0. */
export function addValueRecord(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, hint: i32, element: i32): void {
  const before = records;
  addRecord(start, end, schemeLength, row, kind, 0, hint);
  if (element != 0 && records > before) storeWord(layout.RECORD_ELEMENTS + (before << 2), element);
}

export function endMatch(end: i32): void {
  lastEnd = end;
}

function writeRow(start: i32, end: i32, schemeLength: i32, row: i32, kind: i32, flags: i32, hint: i32): void {
  const at = layout.RECORD_REGION + multiply(records, code.RECORD_WORDS << 2);
  assert(start <= end && end <= high);
  assert(records == 0 || start >= loadWord(at - ((code.RECORD_WORDS - code.RECORD_START) << 2)));
  records++;
  storeWord(at + (code.RECORD_START << 2), start);
  storeWord(at + (code.RECORD_END << 2), end);
  storeWord(at + (code.RECORD_SCHEME_LENGTH << 2), schemeLength);
  storeWord(at + (code.RECORD_SCHEME << 2), row);
  storeWord(at + (code.RECORD_KIND << 2), kind);
  storeWord(at + (code.RECORD_FLAGS << 2), flags);
  storeWord(at + (code.RECORD_HINT << 2), hint);
  increment(layout.RESULT_KINDS + (kind << 2));
  note(rule.NOTE_MATCH, start, end);
}

function isReported(start: i32, schemeLength: i32, row: i32): bool {
  const named = row >= 0 ? row : findRow(start, schemeLength);
  if (named < 0) return (options & layout.OPTION_REPORT_UNKNOWN) != 0;
  return load8(layout.SCHEME_TABLE + multiply(named, SCHEME_ROW_BYTES) + ROW_REPORTED) != 0;
}

function increment(at: i32): void {
  storeWord(at, loadWord(at) + 1);
}

/** Counts a refused candidate or match, and lists it on request, with the text [start, end) (X12). */
export function addRefused(start: i32, end: i32, reason: i32): void {
  increment(layout.RESULT_REASONS + (reason << 2));
  if ((options & layout.OPTION_LIST_REJECTED) == 0) return;
  const at = layout.REJECTED_REGION + multiply(rejected, code.REJECTED_WORDS << 2);
  assert(start <= end);
  rejected++;
  storeWord(at + (code.REJECTED_START << 2), start);
  storeWord(at + (code.REJECTED_END << 2), end);
  storeWord(at + (code.REJECTED_REASON << 2), reason);
}

/**
 * Refuses the candidate at `start`, if the range owns it. Returns `next`, where the scan continues, or NEED_INPUT if the text to show is
 * still incomplete. (X12)
 */
export function addRejected(start: i32, reason: i32, next: i32): i32 {
  if (start < ownFrom) return next;
  let end = start;
  if ((options & layout.OPTION_LIST_REJECTED) != 0) {
    const shown = start + SHOWN_BYTES_MAX;
    end = findInSet(start, shown < high ? shown : high, SET_DELIMITER);
    if (end == high && !final) return NEED_INPUT;
  }
  addRefused(start, end, reason);
  note(rule.NOTE_REJECTED, start, end);
  return next;
}

/**
 * Starts an unbroken run at `start`: at a known scheme and `://` after a separator, or at `http://` or `https://` after a non-ASCII byte
 * (X12).
 */
export function startRun(start: i32): void {
  runStart = start;
  runChecked = start;
}

/**
 * Returns the highest end of a match in the unbroken run of `start`. Looks back only if `end` is more than urlBytesMax bytes after the
 * start of the last known run (X12).
 */
export function runLimit(start: i32, end: i32): i32 {
  if (end - runStart > urlBytesMax && start > runChecked) {
    const delimiter = findLastDelimiter(runChecked, start);
    if (delimiter >= runChecked) runStart = delimiter + 1;
    runChecked = start;
  }
  return runStart + urlBytesMax;
}

/**
 * Refuses the match at `scheme`, which ends after `limit`, the result of runLimit. Moves lastEnd to `limit`. Returns what addRejected does.
 * (X12)
 */
export function skipOverlong(scheme: i32, colon: i32, limit: i32): i32 {
  note(rule.X12_OVERLONG, scheme, limit);
  const next = addRejected(scheme, code.REASON_OVERLONG, limit > colon ? limit : colon + 1);
  if (next > 0 && limit > lastEnd) lastEnd = limit;
  return next;
}
