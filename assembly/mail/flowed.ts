// Lines that are joined before a text is read: format=flowed with DelSp (A9).

import { MAIL_CONVERT_BITS, MAIL_CONVERT_COUNT, MAIL_CONVERT_STATE } from "../layout/mail.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { putOne, putRun, skipTo } from "./converted.ts";

// Where a line stands, in MAIL_CONVERT_STATE.
const LINE_START: i32 = 0;
const IN_LINE: i32 = 1;
/** Most quote marks, beyond which lines are not joined. */
const MARKS_MAX: i32 = 64;

/**
 * Joins the lines of [start, end) that flow; what cannot be decided waits, unless `isEnd`. Returns the address of what waits. The depth of
 * quoting of the line stands in MAIL_CONVERT_BITS, in MAIL_CONVERT_COUNT how many bytes of `-- ` it is so far, or more than 3.
 */
export function readFlowed(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < end) {
    if (loadWord(MAIL_CONVERT_STATE) == LINE_START) {
      const marks = marksEnd(p, end);
      if (marks == end && !isEnd) break;
      const text = marks < end && load8(marks) == 0x20 ? marks + 1 : marks;
      putRun(p, text);
      startLine(marks - p);
      p = text;
      continue;
    }
    const next = readByte(p, end, isEnd);
    if (next < 0) break;
    p = next;
  }
  return p;
}

function startLine(depth: i32): void {
  storeWord(MAIL_CONVERT_STATE, IN_LINE);
  storeWord(MAIL_CONVERT_BITS, depth);
  storeWord(MAIL_CONVERT_COUNT, 0);
}

/** Behind the quote marks at `p`. */
function marksEnd(p: i32, end: i32): i32 {
  const bound = p + MARKS_MAX < end ? p + MARKS_MAX : end;
  let at = p;
  while (at < bound && load8(at) == 0x3e) at++;
  return at;
}

function readByte(p: i32, end: i32, isEnd: bool): i32 {
  const c = load8(p);
  if (c == 0x20) {
    const next = joinedEnd(p, end, isEnd);
    if (next < 0) return -1;
    if (next > 0) {
      startLine(loadWord(MAIL_CONVERT_BITS));
      skipTo(next);
      return next;
    }
  }
  const matched = loadWord(MAIL_CONVERT_COUNT);
  const isSignature = matched < 3 && c == (matched == 2 ? 0x20 : 0x2d);
  if (c != 0x0d) storeWord(MAIL_CONVERT_COUNT, isSignature ? matched + 1 : 9);
  if (c == 0x0a) storeWord(MAIL_CONVERT_STATE, LINE_START);
  putOne(c);
  return p + 1;
}

/** Where the text goes on behind the space at `p`, if that ends a line that flows; 0: it does not; -1: that cannot be told yet. */
function joinedEnd(p: i32, end: i32, isEnd: bool): i32 {
  let at = p + 1;
  if (at < end && load8(at) == 0x0d) at++;
  if (at >= end) return isEnd ? 0 : -1;
  if (load8(at) != 0x0a || loadWord(MAIL_CONVERT_COUNT) == 2) return 0;
  const marks = marksEnd(at + 1, end);
  if (marks >= end) return isEnd ? 0 : -1;
  const depth = marks - at - 1;
  if (depth != loadWord(MAIL_CONVERT_BITS) || depth == MARKS_MAX) return 0;
  return load8(marks) == 0x20 ? marks + 1 : marks;
}
