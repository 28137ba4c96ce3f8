// Mail addresses without a scheme, and the characters in them that a mailto URL encodes (X10, C140).

import { isAlphanumeric } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { load8, store8 } from "../platform/memory.ts";
import { writeTriplet } from "./percent.ts";

/** Most bytes of an address with a character that a mailto URL encodes, because the URL is longer than the address. */
export const ENCODED_BYTES_MAX: i32 = 1024;

/** Whether `c` is atext (RFC 5322), apart from the backtick, which no match contains. */
export function isAtext(c: i32): bool {
  if (isAlphanumeric(c) || isEncoded(c)) return true;
  // `&` and `'`, `{` to `~`.
  if (c == char.AMPERSAND || c == char.APOSTROPHE || (c >= char.CURLY_OPEN && c <= char.TILDE)) return true;
  if (c == char.EXCLAMATION || c == char.DOLLAR || c == char.ASTERISK || c == char.PLUS || c == char.HYPHEN) return true;
  return c == char.SLASH || c == char.EQUALS || c == char.CARET || c == char.UNDERSCORE;
}

/** Whether `c` is one of `%` `?` `#`, which mean something else in a mailto URL (RFC 6068). */
function isEncoded(c: i32): bool {
  return c == char.PERCENT || c == char.QUESTION || c == char.HASH;
}

/** Whether one of `%` `?` `#` is in [start, end). */
export function hasEncoded(start: i32, end: i32): bool {
  for (let p = start; p < end; p++) {
    if (isEncoded(load8(p))) return true;
  }
  return false;
}

/** Writes the address [start, end) to `to` with triplets for `%` `?` `#`; returns the address after it. */
export function writeAddress(start: i32, end: i32, to: i32): i32 {
  let at = to;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (isEncoded(c)) at = writeTriplet(c, at);
    else store8(at++, c);
  }
  return at;
}
