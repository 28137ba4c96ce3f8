// From_ lines: where a message of an mbox starts (A2).

import { isDigit } from "../bytes/ascii.ts";
import { COLON, GREATER, HYPHEN, LF, NINE, ONE, SPACE, TWO, ZERO } from "../bytes/characters.ts";
import { SET_COLON } from "../bytes/classes.ts";
import { startsWith } from "../bytes/keyword.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { findFieldColon, isMailName, nameLength } from "./field.ts";
import { afterLine, end, isAfterEmptyLine, isShort, lineEndBefore, NEED_SOURCE } from "./source.ts";

/** Most bytes of a From_ line, without its line break. */
const LINE_BYTES_MAX: i32 = 512;
export const FROM_BYTES: i32 = 5; // Length of `From `

/** Most `>` before a `From ` that count as quote marks (A2). */
export const QUOTES_MAX: i32 = 8;

export const NO_FROM_LINE: i32 = 0;
export const DOUBTFUL: i32 = 1; // A well-formed From_ line that does not begin a message (A2)
export const FROM_LINE: i32 = 2; // A From_ line that begins a message

// Forms of the text after `From `.
const OTHER: i32 = 0;
const BARE: i32 = 1; // Nothing, as Thunderbird writes it, or a hyphen
const NUMBER: i32 = 2; // Digits, perhaps with a hyphen before them
const DATED: i32 = 3; // Something that has a time and a year

// The line that readFromLine was asked about last, and its kind: the end of a text asks, and then the start of the next one.
let judged: i32 = 0;
let verdict: i32 = NO_FROM_LINE;

/** Forgets the last line. To be called at the start of each call, because the source bytes may have moved. */
export function resetFromLines(): void {
  judged = 0;
}

/** Returns the kind of the line at `p`: NO_FROM_LINE, DOUBTFUL, FROM_LINE, or NEED_SOURCE. */
export function readFromLine(p: i32): i32 {
  if (p != judged) {
    const before = load8(p - 1);
    verdict = before == LF || before == 0 ? judge(p, isAfterEmptyLine(p)) : NO_FROM_LINE;
    judged = p;
  }
  return verdict;
}

/** Returns what readFromLine would return if an empty line were before `p`. */
export function readFromLineAnywhere(p: i32): i32 {
  return judge(p, true);
}

function judge(p: i32, isAfterEmpty: bool): i32 {
  if (isShort(p, FROM_BYTES)) return NEED_SOURCE;
  if (!startsFrom(p)) return NO_FROM_LINE;
  const next = afterLine(p, LINE_BYTES_MAX + 2);
  if (next <= 0) return next < 0 ? NEED_SOURCE : NO_FROM_LINE;
  const line = lineEndBefore(p, next);
  const form = line - p > LINE_BYTES_MAX ? OTHER : formOf(p + FROM_BYTES, line);
  if (form == OTHER) return NO_FROM_LINE;
  if (isShort(next, FROM_BYTES + 1)) return NEED_SOURCE;
  const undecided = form == BARE ? NO_FROM_LINE : DOUBTFUL;
  if (next >= end) return undecided;
  if (load8(next) == GREATER && startsFrom(next + 1)) return isAfterEmpty && form != BARE ? FROM_LINE : undecided;
  const field = findFieldColon(next);
  if (field < 0 || (field > 0 && isShort(field, 3))) return NEED_SOURCE;
  // A name, a colon and `//` are a URL, not a field.
  if (field == 0 || (end - field >= 3 && startsWith(field + 1, "//"))) return undecided;
  if (isAfterEmpty && form != BARE) return FROM_LINE;
  if (!isMailName(next, next + nameLength(next, field))) return undecided;
  return isAfterEmpty || form == DATED ? FROM_LINE : DOUBTFUL;
}

export function startsFrom(p: i32): bool {
  return p + FROM_BYTES <= end && startsWith(p, "From ");
}

/** Returns the form of [start, line), the text after `From `: OTHER, BARE, NUMBER or DATED. */
function formOf(start: i32, line: i32): i32 {
  let stop = line;
  while (stop > start && load8(stop - 1) == SPACE) stop--;
  if (stop == start || (stop == start + 1 && load8(start) == HYPHEN)) return BARE;
  return isNumber(start, stop) ? NUMBER : hasDate(start, stop) ? DATED : OTHER;
}

function isNumber(start: i32, stop: i32): bool {
  let p = start;
  if (p < stop && load8(p) == HYPHEN) p++;
  if (p == stop) return false;
  while (p < stop && isDigit(load8(p))) p++;
  return p == stop;
}

/** Returns the end of the time whose first digit is at `p`; 0: there is none. */
function timeEnd(p: i32, stop: i32): i32 {
  const colon = p + 1 < stop && isDigit(load8(p + 1)) ? p + 2 : p + 1;
  let at = pairEnd(colon, stop);
  if (at == 0) return 0;
  const seconds = pairEnd(at, stop);
  if (seconds > 0) at = seconds;
  return at < stop && (isDigit(load8(at)) || load8(at) == COLON) ? 0 : at;
}

/** Returns the end of the colon and the two digits at `p`, or 0. */
function pairEnd(p: i32, stop: i32): i32 {
  return p + 3 <= stop && load8(p) == COLON && isDigit(load8(p + 1)) && isDigit(load8(p + 2)) ? p + 3 : 0;
}

function hasDate(start: i32, stop: i32): bool {
  let time = 0;
  let colon = start;
  while (time == 0) {
    colon = findInSet(colon + 1, stop, SET_COLON);
    if (colon >= stop) return false;
    let digits = colon;
    while (digits > start && digits > colon - 3 && isDigit(load8(digits - 1))) digits--;
    // A time has one or two digits before the colon, is not at the start, and has no colon before it.
    if (digits < colon && digits > start && digits >= colon - 2 && load8(digits - 1) != COLON) time = timeEnd(digits, stop);
  }
  // In most dialects the year is at the end.
  if (stop - 4 >= start && isYear(stop - 4) && !isDigit(load8(stop - 5))) return true;
  for (let p = start; p + 4 <= stop; p++) {
    if (isYear(p) && !isDigit(load8(p - 1)) && (p + 4 == stop || !isDigit(load8(p + 4)))) return true;
  }
  return stop - 2 > time && isDigit(load8(stop - 1)) && isDigit(load8(stop - 2)) && !isDigit(load8(stop - 3));
}

/** Whether a year from 1900 to 2099 is at `p`. */
function isYear(p: i32): bool {
  const c = load8(p);
  if (c != ONE && c != TWO) return false;
  return load8(p + 1) == (c == ONE ? NINE : ZERO) && isDigit(load8(p + 2)) && isDigit(load8(p + 3));
}
