// base64 (A6): groups of four characters, with any other bytes between them. Lines of text before, between and after lines of base64 are
// found by C174.

import { COLON, DOT, EQUALS, GREATER, HYPHEN, LESS, LF, SLASH, SPACE } from "../bytes/characters.ts";
import { SET_NOT_BASE64 } from "../bytes/classes.ts";
import { BASE64_TABLE, MAP_SCALE_BASE64 } from "../layout/memory.ts";
import { decodeGroups, findInSet, findLineFeed } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { QUOTES_MAX } from "./from-line.ts";
import { mapRun, mapUnit, passRun } from "./pipe.ts";

/** The number of digits. Bytes that are no digit have this value or a higher one in BASE64_TABLE. */
export const DIGITS: i32 = 64;
const DIGITS_LEAST: i32 = 16; // Fewest digits of a line of base64 after text
const LINE_BYTES_MAX: i32 = 1024; // Most bytes of a line that show whether it is base64

/** Address after the last byte that readBase64 or endBase64 has written. */
export let base64End: i32 = 0;
/** Address of the next byte to write. */
let at: i32 = 0;
/** The bits of the open group. */
let group: i32 = 0;
let groupLength: i32 = 0;
/** Number of source bytes that were read after the last digit of the open group. */
let groupGap: i32 = 0;
/** Whether findLines stopped before a line of the other kind, text or base64. */
export let isOtherNext: bool = false;

export function beginBase64(): void {
  group = 0;
  groupLength = 0;
  groupGap = 0;
}

/**
 * Returns the end of the lines from `start` on that are all base64, or with `isText` all text, at most `end`. The first LINE_BYTES_MAX
 * bytes of a line decide. A last line with fewer bytes and without a line break waits, unless `isEnd`. Sets isOtherNext.
 */
export function findLines(start: i32, end: i32, isText: bool, isEnd: bool): i32 {
  isOtherNext = false;
  let p = start;
  // In the middle of a line: the start of the line has decided.
  if (!isLineStart(p)) p = findLineFeed(p, end) + 1;
  while (p < end) {
    const bound = p + LINE_BYTES_MAX < end ? p + LINE_BYTES_MAX : end;
    const feed = findLineFeed(p, bound);
    if (feed == bound && bound == end && end - p < LINE_BYTES_MAX && !isEnd) return p;
    if (isText ? isBase64Line(p, feed) : isTextLine(p, feed)) {
      isOtherNext = true;
      return p;
    }
    p = findLineFeed(feed, end) + 1;
  }
  return end;
}

/** Whether a line starts at `p`, perhaps with quote marks (A2) or a dot (A14) before `p`, which were removed. */
function isLineStart(p: i32): bool {
  let at = load8(p - 1) == DOT ? p - 1 : p;
  while (at > p - QUOTES_MAX && load8(at - 1) == GREATER) at--;
  return load8(at - 1) == LF;
}

/** Returns the first byte of [start, end) that is neither a digit of base64 nor `=` nor white space, or `end`. */
function findForeign(start: i32, end: i32): i32 {
  let p = start;
  while (true) {
    p = findInSet(p, end, SET_NOT_BASE64);
    if (p == end) return end;
    const c = load8(p);
    if (c != EQUALS && c > SPACE) return p;
    p++;
  }
}

/** Whether the line [start, end), after base64, is text (C174). */
function isTextLine(start: i32, end: i32): bool {
  if (findForeign(start, end) == end) return false;
  measureLine(start, end);
  return hasGap || digits == 0 || hasMark;
}

/** Whether the line [start, end), after text, is base64 (C174). */
function isBase64Line(start: i32, end: i32): bool {
  if (findForeign(start, end) < end) return false;
  measureLine(start, end);
  return !hasGap && digits >= DIGITS_LEAST;
}

/** Number of digits of base64 in the line that measureLine read last. */
let digits: i32 = 0;
/** Whether that line has white space between other bytes. */
let hasGap: bool = false;
/** Whether that line has a mark of text: `--` at its start, a `<` and a `>` after it, or `://`. */
let hasMark: bool = false;

function measureLine(start: i32, end: i32): void {
  let p = start;
  let stop = end;
  while (p < stop && load8(p) <= SPACE) p++;
  while (stop > p && load8(stop - 1) <= SPACE) stop--;
  digits = 0;
  hasGap = false;
  hasMark = stop - p > 1 && load8(p) == HYPHEN && load8(p + 1) == HYPHEN;
  let hasLess = false;
  for (let at = p; at < stop; at++) {
    const c = load8(at);
    if (c <= SPACE) hasGap = true;
    else if (load8(BASE64_TABLE + c) < DIGITS) digits++;
    if (c == LESS) hasLess = true;
    else if (c == GREATER && hasLess) hasMark = true;
    else if (c == COLON && stop - at > 2 && load8(at + 1) == SLASH && load8(at + 2) == SLASH) hasMark = true;
  }
}

/** Writes the open group to `to`: the text ends at `end`. */
export function endBase64(end: i32, to: i32): void {
  at = to;
  closeGroup(end - groupGap);
  base64End = at;
}

/** Decodes [start, end) to `to`; returns the end of the bytes read. Padding that may continue after `end` waits, unless `isEnd`. */
export function readBase64(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  let p = start;
  let last = 0;
  at = to;
  while (p < end) {
    if (groupLength == 0) {
      const next = readGroups(p, end);
      if (next > p) {
        p = next;
        continue;
      }
    }
    const value = load8(BASE64_TABLE + load8(p));
    if (value < DIGITS) {
      addToGroup(value, p + 1);
      last = p + 1;
    } else if (load8(p) == EQUALS && groupLength > 0) {
      if (p + 1 == end && groupLength == 2 && !isEnd) break;
      if (p + 1 < end && groupLength == 2 && load8(p + 1) == EQUALS) p++;
      closeGroup(p + 1);
    }
    p++;
  }
  groupGap = last > 0 ? p - last : groupGap + (p - start);
  base64End = at;
  return p;
}

/** Decodes the whole groups from `start` on that have no other bytes between them; returns the address after them. */
function readGroups(start: i32, end: i32): i32 {
  const next = decodeGroups(at, start, end);
  if (next == start) return next;
  const count = next - start;
  mapRun(start, MAP_SCALE_BASE64);
  passRun(count - (count >> 2), count);
  at += count - (count >> 2);
  return next;
}

function addToGroup(value: i32, end: i32): void {
  group = (group << 6) | value;
  groupLength++;
  // The source of the group's bytes begins here.
  if (groupLength == 1) mapRun(end - 1, MAP_SCALE_BASE64);
  if (groupLength < 4) return;
  store8(at, group >> 16);
  store8(at + 1, group >> 8);
  store8(at + 2, group);
  at += 3;
  groupLength = 0;
  mapUnit(3, end);
}

/** Ends the open group: two or three characters make one or two bytes, one character makes none. */
function closeGroup(end: i32): void {
  if (groupLength == 2) {
    store8(at++, group >> 4);
    mapUnit(1, end);
  } else if (groupLength == 3) {
    store8(at, group >> 10);
    store8(at + 1, group >> 2);
    at += 2;
    mapUnit(2, end);
  }
  groupLength = 0;
}
