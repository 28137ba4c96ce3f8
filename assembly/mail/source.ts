// The source bytes of one call of `decodeMail`: where they end, and what one may look ahead for. Bytes before them may be looked back at.

import { STATE_SOURCE, STATE_SOURCE_END, STATE_SOURCE_FINAL } from "../layout/memory.ts";
import { load8, loadWord } from "../platform/memory.ts";

/** What a reader returns when it cannot decide without more source bytes. */
export const NEED_SOURCE: i32 = -1;
/** What a reader returns when the next message is not of the range. */
export const AFTER_RANGE: i32 = -2;

/** Behind the last source byte. */
export let end: i32 = 0;
/** Whether the source ends there. */
export let isLast: bool = false;

/** Reads the arguments; returns the address of the first source byte. */
export function beginSource(): i32 {
  limitSource(0, -1);
  return loadWord(STATE_SOURCE);
}

/** A message of known length, of which `left` bytes stand from `p` on, ends as a source does; -1: there is none. */
export function limitSource(p: i32, left: i32): void {
  end = loadWord(STATE_SOURCE_END);
  isLast = loadWord(STATE_SOURCE_FINAL) != 0;
  if (left < 0 || left > end - p) return;
  end = p + left;
  isLast = true;
}

/** Whether fewer than `count` bytes are there at `p`, and more may come. */
export function isShort(p: i32, count: i32): bool {
  return !isLast && end - p < count;
}

/** Length of the line break at `p`: 1 or 2; 0 where there is none; NEED_SOURCE. The end of the source is one of length 0. */
export function lineBreakAt(p: i32): i32 {
  if (p >= end) return isLast ? 0 : NEED_SOURCE;
  const c = load8(p);
  if (c == 0x0a) return 1;
  if (c != 0x0d) return 0;
  if (p + 1 >= end) return isLast ? 0 : NEED_SOURCE;
  return load8(p + 1) == 0x0a ? 2 : 0;
}

/** Whether the line that starts at `p` follows an empty one; so does the first of a source, before which line breaks stand. */
export function isAfterEmptyLine(p: i32): bool {
  if (load8(p - 1) != 0x0a) return false;
  const c = load8(p - 2);
  return c == 0x0a || (c == 0x0d && load8(p - 3) == 0x0a);
}

/** Whether `c` is a space or tab. */
export function isBlank(c: i32): bool {
  return c == 0x20 || c == 0x09;
}

/** First byte in [p, bound) that is no space or tab, or `bound`. */
export function skipBlanks(p: i32, bound: i32): i32 {
  let at = p;
  while (at < bound && isBlank(load8(at))) at++;
  return at;
}

/** Whether `c` is an ASCII digit. */
export function isDigit(c: i32): bool {
  return c >= 0x30 && c <= 0x39;
}
