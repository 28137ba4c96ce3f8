// The text before a scheme: `URL:`, `<`, a quotation mark (X3, X7), an escape or control sequence (C173, C310).

import { classOf } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_OPENING } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { WINDOW_REGION } from "../layout/memory.ts";
import { findSchemeRun } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import * as state from "./state.ts";

/** Most parameter and intermediate bytes of a control sequence. */
export const SEQUENCE_BYTES_MAX: i32 = 32;

/** Whether the byte at `p` is in a sequence (C173, C310), but not its first. */
export function isInSequence(p: i32): bool {
  return sequenceEnd(p) > p;
}

/** Whether a sequence ends before `p`. */
export function isAfterSequence(p: i32): bool {
  return sequenceEnd(p - 1) == p;
}

/**
 * Returns the end of the sequence that the byte at `p` is in: `ESC ( B` or `ESC ( J`, with which ISO-2022-JP returns to letters, or a
 * control sequence of a terminal, as `ESC [ 0 1 ; 3 1 m`. Returns `p` if it is in none. (C173, C310)
 */
export function sequenceEnd(p: i32): i32 {
  let open = p;
  const low = p - SEQUENCE_BYTES_MAX - 1;
  if (load8(p) != char.SQUARE_OPEN || load8(p - 1) != char.ESC) {
    do open--;
    while (open > low && isInner(load8(open)));
  }
  if (load8(open) == char.ESC)
    return load8(p - 1) == char.ROUND_OPEN && open == p - 2 && (load8(p) == char.UPPER_B || load8(p) == char.UPPER_J) ? p + 1 : p;
  if (load8(open) != char.SQUARE_OPEN || load8(open - 1) != char.ESC) return p;
  let end = open + 1;
  while (load8(end) >= char.ZERO && isInner(load8(end))) end++;
  while (load8(end) >= char.SPACE && load8(end) <= char.SLASH) end++;
  const isEnded = load8(end) >= char.AT && load8(end) < char.DELETE && end - open - 1 <= SEQUENCE_BYTES_MAX;
  return isEnded && end >= p ? end + 1 : p;
}

/** Whether `c` is a parameter or intermediate byte of a control sequence (ECMA-48). */
function isInner(c: i32): bool {
  return c >= char.SPACE && c < char.AT;
}

/**
 * Returns the start of the scheme characters before the colon: at most urlBytesMax, none of an earlier match or a sequence (C173, C310).
 */
export function findNameStart(colon: i32): i32 {
  let bound = colon - state.urlBytesMax;
  if (bound < state.lastEnd) bound = state.lastEnd;
  const run = findSchemeRun(bound, colon);
  const name = sequenceEnd(run);
  return name < colon ? name : colon;
}

export function isUrlPrefix(p: i32): bool {
  return startsWithAnyCase(p, "url:");
}

/** Returns the start of the spaces, tabs and line breaks before `end`, but at least `bound`. */
function skipSpaceBackward(end: i32, bound: i32): i32 {
  let p = end;
  while (p > bound) {
    const c = load8(p - 1);
    if (c != char.SPACE && c != char.TAB && c != char.LF && c != char.CR) break;
    p--;
  }
  return p;
}

/** Whether a `'` is before the scheme, or before its `URL:` or `<`, at most urlBytesMax bytes back (X3). */
export function isQuoted(scheme: i32): bool {
  const bound = state.lookBack(scheme, state.urlBytesMax);
  let p = scheme;
  const prefix = skipSpaceBackward(p, bound);
  if (prefix - 4 >= WINDOW_REGION && isUrlPrefix(prefix - 4)) p = prefix - 4;
  const less = skipSpaceBackward(p, bound);
  if (less > WINDOW_REGION && load8(less - 1) == char.LESS) p = less - 1;
  return p > WINDOW_REGION && load8(p - 1) == char.APOSTROPHE;
}

/**
 * Returns the `<` before the name at `name`, with only white space and quote marks between; 0: there is none in urlBytesMax bytes. (C10)
 */
export function findLess(name: i32): i32 {
  const c = load8(name - 1);
  if (c == char.LESS) return name - 1;
  // Most names have at most one character of white space before them.
  if ((classOf(c) & classOf(load8(name - 2)) & CLASS_OPENING) == 0) return 0;
  const bound = state.lookBack(name, state.urlBytesMax);
  let p = name - 1;
  while (p > bound && load8(p) != char.LESS && (classOf(load8(p)) & CLASS_OPENING) != 0) p--;
  return load8(p) == char.LESS ? p : 0;
}
