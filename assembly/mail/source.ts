// The source bytes of one call of `decodeMail`: their end, and looking ahead in them. At least 16 bytes before them may be read too.

import { CR, LF, SPACE, TAB } from "../bytes/characters.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";

/** A reader returns this if it cannot decide without more source bytes. */
export const NEED_SOURCE: i32 = -1;
export const AFTER_RANGE: i32 = -2; // A reader returns this if the next message is after the range
export const HOST_NEXT: i32 = -3; // A reader returns this if the host passes a collected message or a text of an attachment next
const NO_LENGTH: i32 = 0x7fffffff; // Greater than any length
const MARK: i32 = 0xefbbbf; // A byte order mark of UTF-8
export const MARK_BYTES: i32 = 3; // Length of this mark in bytes

/** Address after the last source byte, or after the last one of a message of known length. */
export let end: i32 = 0;
/** Whether the source, or the message, ends there. */
export let isLast: bool = false;
/** Messages that start at the source addresses [rangeFrom, rangeTo) are read. */
export let rangeFrom: i32 = 0;
export let rangeTo: i32 = 0;
let sourceEnd: i32 = 0;
let isSourceLast: bool = false;
/** Number of bytes of a message or block of known length after the source bytes; negative if it ends before; NO_LENGTH: a mark ends it. */
let bytesAfter: i32 = NO_LENGTH;

/** Begins a call: the source bytes end at `stop`; with `last` the source ends there. Messages that start in [from, to) are read. */
export function beginSource(stop: i32, last: bool, from: i32, to: i32): void {
  sourceEnd = stop;
  isSourceLast = last;
  rangeFrom = from;
  rangeTo = to;
}

/** Makes the message end `length` bytes after the source address `p`, or with -1 at a mark. The source ends there until then. */
export function limitMessage(p: i32, length: i32): void {
  assert(p <= sourceEnd);
  bytesAfter = length < 0 ? NO_LENGTH : length - (sourceEnd - p);
  end = bytesAfter < 0 ? sourceEnd + bytesAfter : sourceEnd;
  isLast = bytesAfter <= 0 || isSourceLast;
}

/** Whether a length ends the message or block (A1, A2, A12, A14), not a mark. */
export function hasLength(): bool {
  return bytesAfter != NO_LENGTH;
}

/** Returns the number of bytes from the source address `p` to the end of a message of known length; -1: a mark ends the message. */
export function remainingAt(p: i32): i32 {
  return hasLength() ? sourceEnd - p + bytesAfter : -1;
}

/** Whether a byte order mark of UTF-8 is at `p`. */
export function startsMark(p: i32): bool {
  return ((load8(p) << 16) | (load8(p + 1) << 8) | load8(p + 2)) == MARK;
}

/** Whether fewer than `count` bytes are at `p`, and more may come. */
export function isShort(p: i32, count: i32): bool {
  return !isLast && end - p < count;
}

/** Returns the length of the line break at `p`, 1 or 2; 0: there is none, also at the end of the source; or NEED_SOURCE. */
export function lineBreakAt(p: i32): i32 {
  if (p >= end) return isLast ? 0 : NEED_SOURCE;
  const c = load8(p);
  if (c == LF) return 1;
  if (c != CR) return 0;
  if (p + 1 >= end) return isLast ? 0 : NEED_SOURCE;
  return load8(p + 1) == LF ? 2 : 0;
}

/** Returns the address after the line at `p`; 0: its line break is not in its first `bytesMax` bytes; or NEED_SOURCE. */
export function afterLine(p: i32, bytesMax: i32): i32 {
  const bound = p + bytesMax < end ? p + bytesMax : end;
  const feed = findLineFeed(p, bound);
  if (feed < bound) return feed + 1;
  if (end - p >= bytesMax) return 0;
  return isLast ? end : NEED_SOURCE;
}

/** Whether the line that starts at `p` follows an empty line. The first line of a source does, because line breaks are before it. */
export function isAfterEmptyLine(p: i32): bool {
  if (load8(p - 1) != LF) return false;
  const c = load8(p - 2);
  return c == LF || (c == CR && load8(p - 3) == LF);
}

/** Returns the end of the line [start, next) without its line break. */
export function lineEndBefore(start: i32, next: i32): i32 {
  const stop = next > start && load8(next - 1) == LF ? next - 1 : next;
  return stop > start && load8(stop - 1) == CR ? stop - 1 : stop;
}

export function isBlank(c: i32): bool {
  return c == SPACE || c == TAB;
}

/** Returns the first byte in [p, bound) that is neither space nor tab, or `bound`. */
export function skipBlanks(p: i32, bound: i32): i32 {
  let at = p;
  while (at < bound && isBlank(load8(at))) at++;
  return at;
}
