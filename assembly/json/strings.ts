// Decodes the escapes of JSON for the scan (A16). They are decoded outside of strings too, so that a missing quotation mark hides no URL.
// Broken escapes stay, so that nothing is lost. An escaped `&` may begin a reference (C283).

import * as char from "../bytes/characters.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { codePointOf, isLowSurrogate, isSurrogate, REPLACEMENT, storeCharacter } from "../bytes/utf8.ts";
import { copyByte, isShort, putReference, sourceEnd } from "../html/decoded.ts";
import { NEED_SOURCE, NO_REFERENCE, readAfterAmpersand } from "../html/reference.ts";
import { REFERENCE_NUMBER } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";

/** Bytes of an escape such as `\u0026`. */
export const UNIT_BYTES: i32 = 6;
const NONE: i32 = -1; // There is no unit or escape

/** Writes the character of the escape at `p`, or the backslash if there is no escape; returns the address after it, or NEED_SOURCE. */
export function readBackslash(p: i32): i32 {
  if (isShort(p, 2)) return NEED_SOURCE;
  if (p + 1 == sourceEnd) return copyByte(p);
  const c = load8(p + 1);
  if (c == char.LOWER_U) return readUnit(p);
  const value = characterFor(c);
  return value == NONE ? copyByte(p) : put(value, p + 2);
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

/** Reads `\u` and four digits, or a surrogate pair. A lone surrogate is read as U+FFFD. Without four digits the backslash stays. */
function readUnit(p: i32): i32 {
  if (isShort(p, UNIT_BYTES)) return NEED_SOURCE;
  const unit = escapedUnitAt(p, sourceEnd);
  if (unit == NONE) return copyByte(p);
  const reference = unit == char.AMPERSAND ? readAfterAmpersand(p + UNIT_BYTES) : NO_REFERENCE;
  if (reference != NO_REFERENCE) return reference;
  if (!isSurrogate(unit)) return put(unit, p + UNIT_BYTES);
  if (isLowSurrogate(unit)) return put(REPLACEMENT, p + UNIT_BYTES);
  if (isShort(p, 2 * UNIT_BYTES)) return NEED_SOURCE;
  const low = escapedUnitAt(p + UNIT_BYTES, sourceEnd);
  return isLowSurrogate(low) ? put(codePointOf(unit, low), p + 2 * UNIT_BYTES) : put(REPLACEMENT, p + UNIT_BYTES);
}

/** Returns the unit of UTF-16 of the `\u` and four digits at `p`, before `end`; -1: they are not there. */
export function escapedUnitAt(p: i32, end: i32): i32 {
  if (p + UNIT_BYTES > end || load8(p) != char.BACKSLASH || load8(p + 1) != char.LOWER_U) return NONE;
  if (!isHexPair(p + 2) || !isHexPair(p + 4)) return NONE;
  return (hexPair(p + 2) << 8) | hexPair(p + 4);
}

/** Writes a character for the source bytes that end at `end`; returns `end`. */
function put(point: i32, end: i32): i32 {
  return putReference(REFERENCE_NUMBER, storeCharacter(REFERENCE_NUMBER, point) - REFERENCE_NUMBER, end);
}
