// The text before a scheme: `URL:`, `<`, a quotation mark (X3, X7), an escape sequence (C173).

import { classOf } from "../bytes/ascii.ts";
import { APOSTROPHE, CR, ESC, LESS, LF, ROUND_OPEN, SPACE, TAB, UPPER_B, UPPER_J } from "../bytes/characters.ts";
import { CLASS_OPENING } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { WINDOW_REGION } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import * as state from "./state.ts";

/** Whether `p` is the last byte of `ESC ( B` or `ESC ( J`, with which ISO-2022-JP returns to letters. (C173) */
export function isShiftEnd(p: i32): bool {
  return load8(p - 1) == ROUND_OPEN && load8(p - 2) == ESC && (load8(p) == UPPER_B || load8(p) == UPPER_J);
}

/** Whether `URL:` is at `p` in any case. */
export function isUrlPrefix(p: i32): bool {
  return startsWithAnyCase(p, "url:");
}

/** Returns the start of the spaces, tabs and line breaks before `end`, but at least `bound`. */
function skipSpaceBackward(end: i32, bound: i32): i32 {
  let p = end;
  while (p > bound) {
    const c = load8(p - 1);
    if (c != SPACE && c != TAB && c != LF && c != CR) break;
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
  if (less > WINDOW_REGION && load8(less - 1) == LESS) p = less - 1;
  return p > WINDOW_REGION && load8(p - 1) == APOSTROPHE;
}

/**
 * Returns the `<` before the name at `name`, with only white space and quote marks between; 0: there is none in urlBytesMax bytes. (C10)
 */
export function findLess(name: i32): i32 {
  const c = load8(name - 1);
  if (c == LESS) return name - 1;
  // Most names have at most one character of white space before them.
  if ((classOf(c) & classOf(load8(name - 2)) & CLASS_OPENING) == 0) return 0;
  const bound = state.lookBack(name, state.urlBytesMax);
  let p = name - 1;
  while (p > bound && load8(p) != LESS && (classOf(load8(p)) & CLASS_OPENING) != 0) p--;
  return load8(p) == LESS ? p : 0;
}
