// base64 (A6): groups of four characters, whatever else stands between them.

import { SET_NOT_BASE64 } from "../bytes/classes.ts";
import { MAIL_GROUP, MAIL_GROUP_GAP, MAIL_GROUP_LENGTH } from "../layout/mail.ts";
import { BASE64_TABLE, MAP_SCALE_BASE64 } from "../layout/memory.ts";
import { decodeGroups, findInSet, findLineFeed } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { QUOTES_MAX } from "./from-line.ts";
import { mapRun, mapUnit, passRun } from "./pipe.ts";

const PADDING: i32 = 0x3d;
/** Most bytes of a line that are looked at before it is read. */
const LINE_BYTES_MAX: i32 = 1024;

/** Behind the last byte that was written. */
export let base64End: i32 = 0;
let at: i32 = 0;

function digitOf(p: i32): i32 {
  return load8(BASE64_TABLE + load8(p));
}

/** Whether the line at the end of what findLines gave holds what is none of base64. */
export let isForeignNext: bool = false;

/**
 * Behind the whole lines of [start, end) that hold nothing but base64; `isEnd`: the last one is whole. A line is judged by its first
 * LINE_BYTES_MAX bytes.
 */
export function findLines(start: i32, end: i32, isEnd: bool): i32 {
  isForeignNext = false;
  let p = start;
  // Inside a long line, which has been judged.
  if (!isLineStart(p)) p = findLineFeed(p, end) + 1;
  while (p < end) {
    const bound = p + LINE_BYTES_MAX < end ? p + LINE_BYTES_MAX : end;
    const feed = findLineFeed(p, bound);
    if (feed == bound && bound == end && end - p < LINE_BYTES_MAX && !isEnd) return p;
    if (isForeign(p, feed)) {
      isForeignNext = true;
      return p;
    }
    p = findLineFeed(feed, end) + 1;
  }
  return end;
}

/** Whether a line starts at `p`, if only behind a mark that was taken off (A2). */
function isLineStart(p: i32): bool {
  let at = p;
  while (at > p - QUOTES_MAX && load8(at - 1) == 0x3e) at--;
  return load8(at - 1) == 0x0a;
}

/** Whether a byte of [start, end) is none of base64: neither of the alphabet nor `=` nor white space. */
function isForeign(start: i32, end: i32): bool {
  let p = start;
  while (true) {
    p = findInSet(p, end, SET_NOT_BASE64);
    if (p == end) return false;
    const c = load8(p);
    if (c != PADDING && c > 0x20) return true;
    p++;
  }
}

/** Writes what an open group stands for to `to`: nothing comes any more, and the text ends at `end`. */
export function endBase64(end: i32, to: i32): void {
  at = to;
  closeGroup(end - loadWord(MAIL_GROUP_GAP));
  base64End = at;
}

/** Decodes [start, end) to `to`; a padding that may go on behind `end` waits, unless `isEnd`. Returns the address of what waits. */
export function readBase64(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  let p = start;
  let last = 0;
  at = to;
  while (p < end) {
    if (loadWord(MAIL_GROUP_LENGTH) == 0) {
      const next = readGroups(p, end);
      if (next > p) {
        p = next;
        continue;
      }
    }
    const value = digitOf(p);
    if (value < 64) {
      addToGroup(value, p + 1);
      last = p + 1;
    } else if (load8(p) == PADDING && loadWord(MAIL_GROUP_LENGTH) > 0) {
      if (p + 1 == end && loadWord(MAIL_GROUP_LENGTH) == 2 && !isEnd) break;
      if (p + 1 < end && loadWord(MAIL_GROUP_LENGTH) == 2 && load8(p + 1) == PADDING) p++;
      closeGroup(p + 1);
    }
    p++;
  }
  storeWord(MAIL_GROUP_GAP, last > 0 ? p - last : loadWord(MAIL_GROUP_GAP) + (p - start));
  base64End = at;
  return p;
}

/** Decodes whole groups of four characters that follow each other; returns the address behind them. */
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
  const bits = (loadWord(MAIL_GROUP) << 6) | value;
  const length = loadWord(MAIL_GROUP_LENGTH) + 1;
  // Where the group begins, so that its span does.
  if (length == 1) mapRun(end - 1, MAP_SCALE_BASE64);
  storeWord(MAIL_GROUP, bits);
  storeWord(MAIL_GROUP_LENGTH, length);
  if (length < 4) return;
  store8(at, bits >> 16);
  store8(at + 1, bits >> 8);
  store8(at + 2, bits);
  at += 3;
  finishGroup(3, end);
}

/** A group of two or three characters is one or two bytes, one of one is nothing. */
function closeGroup(end: i32): void {
  const bits = loadWord(MAIL_GROUP);
  const length = loadWord(MAIL_GROUP_LENGTH);
  if (length < 2) {
    storeWord(MAIL_GROUP, 0);
    storeWord(MAIL_GROUP_LENGTH, 0);
    return;
  }
  if (length == 2) {
    store8(at++, bits >> 4);
  } else {
    store8(at, bits >> 10);
    store8(at + 1, bits >> 2);
    at += 2;
  }
  finishGroup(length - 1, end);
}

function finishGroup(bytes: i32, end: i32): void {
  storeWord(MAIL_GROUP, 0);
  storeWord(MAIL_GROUP_LENGTH, 0);
  mapUnit(bytes, end);
}
