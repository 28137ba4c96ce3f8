// Control sequences of a terminal that color a text, as grep writes them around what it found (C311, C312).

import { classOf, isDigit } from "../bytes/ascii.ts";
import { AT, COLON, DOT, ESC, LOWER_M, NON_ASCII, SEMICOLON, SLASH, SQUARE_OPEN, UPPER_K } from "../bytes/characters.ts";
import { CLASS_WORD } from "../bytes/classes.ts";
import { load8 } from "../platform/memory.ts";
import { SEQUENCE_BYTES_MAX } from "./prefix.ts";
import * as state from "./state.ts";

/** Bytes in which the colors that cut a name begin. Many candidates may end at the same colors, so a bound keeps the work linear. */
const CUT_BYTES_MAX: i32 = 128;

/**
 * Returns the start of the colors before the colon of a `://` with colors between its characters or before it; 0: it has none; NEED_INPUT.
 * A `file:/` is read without them. (C311)
 */
export function findSeparator(colon: i32): i32 {
  const nameEnd = colorsStart(colon);
  const after = load8(colon + 1) == SLASH ? load8(colon + 2) : load8(colon + 1);
  if (nameEnd == colon && after != ESC) return 0;
  let p = colon;
  for (let i = 0; i < 2; i++) {
    p = skipColors(p + 1, colon + state.urlBytesMax);
    if (state.isOpenEnded(p)) return state.NEED_INPUT;
    if (load8(p) != SLASH) return 0;
  }
  return nameEnd;
}

/** Returns the start of the colors directly before `end`. */
export function colorsStart(end: i32): i32 {
  const low = state.lookBack(end, state.urlBytesMax);
  let start = end;
  while (load8(start - 1) == LOWER_M || load8(start - 1) == UPPER_K) {
    const bound = start - 2 - SEQUENCE_BYTES_MAX;
    let p = start - 2;
    while (p > bound && isColorByte(load8(p))) p--;
    if (p - 1 < low || load8(p) != SQUARE_OPEN || load8(p - 1) != ESC) break;
    start = p - 1;
  }
  return start;
}

/** Returns the address after the colors at `p`, or one in them after `bound`. */
function skipColors(p: i32, bound: i32): i32 {
  let end = p;
  let length = colorLength(end, state.high);
  while (length != 0 && end < bound) {
    end += length;
    length = colorLength(end, state.high);
  }
  return end;
}

/** Whether `c` is a digit, or separates numbers. */
function isColorByte(c: i32): bool {
  return isDigit(c) || c == SEMICOLON || c == COLON;
}

/** Returns the length of the control sequence at `p` that sets a color or erases a line, as grep writes them; 0: there is none. (C311) */
export function colorLength(p: i32, end: i32): i32 {
  if (load8(p) != ESC || load8(p + 1) != SQUARE_OPEN) return 0;
  let last = p + 2;
  while (last < p + 2 + SEQUENCE_BYTES_MAX && isColorByte(load8(last))) last++;
  return last < end && (load8(last) == LOWER_M || load8(last) == UPPER_K) ? last + 1 - p : 0;
}

/** Returns 1 if colors at `p` are inside of a word, so that a name before them is cut; else 0, or NEED_INPUT. (C312) */
export function isCutByColor(p: i32): i32 {
  if (load8(p) != ESC) return 0;
  if (state.isOpenEnded(p)) return state.NEED_INPUT;
  const next = skipColors(p, p + CUT_BYTES_MAX);
  if (state.isOpenEnded(next)) return state.NEED_INPUT;
  if (next == p) return 0;
  const c = load8(next) == DOT ? load8(next + 1) : load8(next);
  return c == AT || c >= NON_ASCII || (classOf(c) & CLASS_WORD) != 0 ? 1 : 0;
}
