// Decodes JSON for the scan (A16): decodes escapes, replaces quotation marks by CONTEXT_RAW. Copies all other bytes, so that broken JSON
// loses nothing. Decodes escapes everywhere, because JSON has no backslash outside of strings.

import * as char from "../bytes/characters.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { LOW_SURROGATE_FIRST, REPLACEMENT, SURROGATE_BOUND, SURROGATE_FIRST, storeCharacter } from "../bytes/utf8.ts";
import { copyByte, copyUnquotedRun, isLast, putReference, sourceEnd } from "../html/decoded.ts";
import { NEED_SOURCE } from "../html/reference.ts";
import { REFERENCE_NUMBER } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";

/** Length of `\u0026`. */
const UNIT_BYTES: i32 = 6;
/** There is no unit or escape. */
const NONE: i32 = -1;

/** Copies the source bytes from `p` to the first backslash, or to the end; returns the address after them. */
export function readPlain(p: i32): i32 {
  return copyUnquotedRun(p);
}

/** Writes the character of the escape at `p`, or the backslash if there is no escape; returns the address after it, or NEED_SOURCE. */
export function readBackslash(p: i32): i32 {
  if (isShort(p, 2)) return NEED_SOURCE;
  if (p + 1 == sourceEnd) return copyByte(p);
  const c = load8(p + 1);
  if (c == char.LOWER_U) return readUnit(p);
  const value = characterFor(c);
  return value == NONE ? copyByte(p) : put(value, p + 2);
}

/** Whether there are fewer than `count` bytes at `p` and more may come. */
function isShort(p: i32, count: i32): bool {
  return !isLast && sourceEnd - p < count;
}

/** Returns the character that a backslash and `c` stand for, or NONE. */
function characterFor(c: i32): i32 {
  if (c == char.SLASH || c == char.QUOTE || c == char.BACKSLASH) return c;
  if (c == char.LOWER_N) return char.LF;
  if (c == char.LOWER_T) return char.TAB;
  if (c == char.LOWER_R) return char.CR;
  if (c == char.LOWER_B) return char.BACKSPACE;
  return c == char.LOWER_F ? char.FORM_FEED : NONE;
}

/** Reads `\u` and four digits, or a surrogate pair. A lone surrogate is read as U+FFFD. */
function readUnit(p: i32): i32 {
  if (isShort(p, UNIT_BYTES)) return NEED_SOURCE;
  const unit = unitAt(p);
  if (unit == NONE) return copyByte(p);
  if (unit < SURROGATE_FIRST || unit >= SURROGATE_BOUND) return put(unit, p + UNIT_BYTES);
  if (unit >= LOW_SURROGATE_FIRST) return put(REPLACEMENT, p + UNIT_BYTES);
  if (isShort(p, 2 * UNIT_BYTES)) return NEED_SOURCE;
  const low = unitAt(p + UNIT_BYTES);
  if (low < LOW_SURROGATE_FIRST || low >= SURROGATE_BOUND) return put(REPLACEMENT, p + UNIT_BYTES);
  return put(0x10000 + ((unit - SURROGATE_FIRST) << 10) + (low - LOW_SURROGATE_FIRST), p + 2 * UNIT_BYTES);
}

/** Returns the UTF-16 code unit of the escape `\u` at `p`, or NONE. */
function unitAt(p: i32): i32 {
  if (p + UNIT_BYTES > sourceEnd || load8(p) != char.BACKSLASH || load8(p + 1) != char.LOWER_U) return NONE;
  if (!isHexPair(p + 2) || !isHexPair(p + 4)) return NONE;
  return (hexPair(p + 2) << 8) | hexPair(p + 4);
}

/** Writes a character for the source bytes that end at `end`; returns `end`. */
function put(point: i32, end: i32): i32 {
  return putReference(REFERENCE_NUMBER, storeCharacter(REFERENCE_NUMBER, point) - REFERENCE_NUMBER, end);
}
