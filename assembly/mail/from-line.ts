// From_ lines: where a message of an mbox starts (A2).

import { SET_COLON } from "../bytes/classes.ts";
import { findInSet, findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { isFieldAt } from "./field.ts";
import { end, isAfterEmptyLine, isDigit, isLast, isShort, NEED_SOURCE } from "./source.ts";

/** Longest From_ line, without its line break. */
const LINE_BYTES_MAX: i32 = 512;

/** Most `>` before a `From ` that is unquoted (A2). */
export const QUOTES_MAX: i32 = 8;

/** No From_ line. */
export const NO_FROM_LINE: i32 = 0;
/** One that does not split (A2). */
export const DOUBTFUL: i32 = 1;
export const FROM_LINE: i32 = 2;

// What was found last: a line is looked at when its text ends before it, and again when it is its turn.
let judged: i32 = 0;
let verdict: i32 = NO_FROM_LINE;

/** Forgets what was found: the source has moved. */
export function resetFromLines(): void {
  judged = 0;
}

/** What stands at `p`, the start of a line: NO_FROM_LINE, DOUBTFUL, FROM_LINE or NEED_SOURCE. */
export function readFromLine(p: i32): i32 {
  if (p != judged) {
    const found = readFromLineAnywhere(p);
    verdict = found == FROM_LINE && !isAfterEmptyLine(p) ? DOUBTFUL : found;
    judged = p;
  }
  return verdict;
}

/** The same where no empty line is asked for. */
export function readFromLineAnywhere(p: i32): i32 {
  if (isShort(p, 5)) return NEED_SOURCE;
  if (!startsFrom(p)) return NO_FROM_LINE;
  const bound = p + LINE_BYTES_MAX + 2 < end ? p + LINE_BYTES_MAX + 2 : end;
  const feed = findLineFeed(p, bound);
  if (feed == end && !isLast) return NEED_SOURCE;
  const line = load8(feed - 1) == 0x0d ? feed - 1 : feed;
  if (line - p > LINE_BYTES_MAX || !isDialect(p + 5, line)) return NO_FROM_LINE;
  if (isShort(feed + 1, 6)) return NEED_SOURCE;
  if (feed + 1 >= end) return DOUBTFUL;
  if (load8(feed + 1) == 0x3e && startsFrom(feed + 2)) return FROM_LINE;
  const field = isFieldAt(feed + 1);
  if (field < 0 || (field > 0 && isShort(field, 3))) return NEED_SOURCE;
  return field > 0 && !isSlashes(field + 1) ? FROM_LINE : DOUBTFUL;
}

/** Whether `//` stands at `p`: what looks like a field is a URL. */
function isSlashes(p: i32): bool {
  return end - p >= 2 && load8(p) == 0x2f && load8(p + 1) == 0x2f;
}

/** Whether `From ` stands at `p`. */
export function startsFrom(p: i32): bool {
  if (p + 5 > end || load8(p) != 0x46 || load8(p + 1) != 0x72) return false;
  return load8(p + 2) == 0x6f && load8(p + 3) == 0x6d && load8(p + 4) == 0x20;
}

/** Whether [start, line) goes on as one of the dialects does: a number, or something with a time and a year. */
function isDialect(start: i32, line: i32): bool {
  let stop = line;
  while (stop > start && load8(stop - 1) == 0x20) stop--;
  return isNumber(start, stop) || hasDate(start, stop);
}

function isNumber(start: i32, stop: i32): bool {
  let p = start;
  if (p < stop && load8(p) == 0x2d) p++;
  if (p == stop) return false;
  while (p < stop && isDigit(load8(p))) p++;
  return p == stop;
}

/** Behind the time at `p`, a digit behind none; 0 where none stands there. */
function timeEnd(p: i32, stop: i32): i32 {
  const colon = p + 1 < stop && isDigit(load8(p + 1)) ? p + 2 : p + 1;
  let at = pairEnd(colon, stop);
  if (at == 0) return 0;
  const seconds = pairEnd(at, stop);
  if (seconds > 0) at = seconds;
  return at < stop && (isDigit(load8(at)) || load8(at) == 0x3a) ? 0 : at;
}

/** Behind a colon and two digits at `p`, or 0. */
function pairEnd(p: i32, stop: i32): i32 {
  return p + 3 <= stop && load8(p) == 0x3a && isDigit(load8(p + 1)) && isDigit(load8(p + 2)) ? p + 3 : 0;
}

function hasDate(start: i32, stop: i32): bool {
  let time = 0;
  let colon = start;
  while (time == 0) {
    colon = findInSet(colon + 1, stop, SET_COLON);
    if (colon >= stop) return false;
    let digits = colon;
    while (digits > start && digits > colon - 3 && isDigit(load8(digits - 1))) digits--;
    // The number begins behind the first byte, and behind no colon.
    if (digits < colon && digits > start && digits >= colon - 2 && load8(digits - 1) != 0x3a) time = timeEnd(digits, stop);
  }
  // In most dialects the year stands at the end.
  if (stop - 4 >= start && isYear(stop - 4) && !isDigit(load8(stop - 5))) return true;
  for (let p = start; p + 4 <= stop; p++) {
    if (isYear(p) && !isDigit(load8(p - 1)) && (p + 4 == stop || !isDigit(load8(p + 4)))) return true;
  }
  return stop - 2 > time && isDigit(load8(stop - 1)) && isDigit(load8(stop - 2)) && !isDigit(load8(stop - 3));
}

function isYear(p: i32): bool {
  const century = load8(p) == 0x31 ? 0x39 : 0x30;
  if (load8(p) != 0x31 && load8(p) != 0x32) return false;
  return load8(p + 1) == century && isDigit(load8(p + 2)) && isDigit(load8(p + 3));
}
