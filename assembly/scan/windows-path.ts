// Paths of Windows in file URLs of text, as programs read them: `file:///C:\a\b.txt`, `file:///\\server\share` (C291).

import { classOf, isAlpha, isAlphanumeric } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, HASH, QUESTION, SLASH } from "../bytes/characters.ts";
import { SET_DELIMITER, SET_STOP } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { findEnd } from "./end.ts";
import * as state from "./state.ts";

const LOCALHOST_BYTES: i32 = 10; // Length of `localhost/`
/** Start of the text that findWindowsTextEnd searched last. */
let clearFrom: i32 = 0;
/** That text has no end before this address; 0: none was searched. */
let clearTo: i32 = 0;

/** Forgets the facts about the window. To be called when its bytes have changed. */
export function resetWindowsPath(): void {
  clearTo = 0;
}

/** Returns the first delimiter byte but a backslash in [scheme, bound), or `bound`. Searches the text of several candidates once. */
export function findWindowsTextEnd(scheme: i32, bound: i32): i32 {
  const isKnown = scheme >= clearFrom && scheme < clearTo;
  let p = isKnown ? clearTo : scheme;
  if (!isKnown) clearFrom = scheme;
  while (p < bound) {
    p = findInSet(p, bound, SET_DELIMITER);
    if (p == bound || load8(p) != BACKSLASH) break;
    p++;
  }
  clearTo = p;
  return p;
}

/**
 * Returns the drive, or the first backslash of a share or after a server, at which the path of Windows after `colon` begins; 0: there is
 * none. `nameEnd`: the end of the host bytes after the slashes.
 */
export function findWindowsPath(colon: i32, nameEnd: i32): i32 {
  let p = colon + 1;
  while (p < colon + 4 && load8(p) == SLASH) p++;
  const isServer = p == colon + 3 && isAlphanumeric(load8(p)) && isAlphanumeric(load8(nameEnd - 1));
  if (isServer && load8(nameEnd) == BACKSLASH && isAlphanumeric(load8(nameEnd + 1))) return nameEnd;
  if (p == colon + 3 && startsWithAnyCase(p, "localhost/")) p += LOCALHOST_BYTES;
  const isDrive = isAlpha(load8(p)) && load8(p + 1) == COLON && load8(p + 2) == BACKSLASH;
  return isDrive || (load8(p) == BACKSLASH && load8(p + 1) == BACKSLASH) ? p : 0;
}

/**
 * Returns the end of the match whose path of Windows begins at `path`; NEED_INPUT; or 0 if no backslash belongs to it: one before a
 * delimiter byte does not, nor one after `?` or `#`. `quoted`: as for findEnd.
 */
export function findWindowsEnd(path: i32, bound: i32, quoted: bool): i32 {
  let p = load8(path) == BACKSLASH ? path : path + 2;
  let end = 0;
  while (load8(p) == BACKSLASH) {
    let after = p;
    while (after < bound && load8(after) == BACKSLASH) after++;
    if (state.isOpenEnded(after)) return state.NEED_INPUT;
    if (after == bound || (classOf(load8(after)) & (1 << SET_DELIMITER)) != 0) break;
    p = findEnd(after, bound, SET_STOP, quoted);
    end = p;
    if (holdsQuery(after, p)) break;
  }
  return end;
}

function holdsQuery(start: i32, end: i32): bool {
  let p = start;
  while (p < end && load8(p) != QUESTION && load8(p) != HASH) p++;
  return p < end;
}
