// A URL as it was written (N, profile none), except for the characters that no URL can contain.

import { classOf } from "../bytes/ascii.ts";
import { NON_ASCII } from "../bytes/characters.ts";
import { SET_DELIMITED, SET_DELIMITER } from "../bytes/classes.ts";
import { decodeCharacter, isJoiner, keptLength } from "../bytes/utf8.ts";
import { copyClean } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { writeTriplet } from "./percent.ts";

/**
 * Writes the text [start, end) to `to`. Copies the characters that a delimited URL may hold (X7), and writes all others and bytes of
 * ill-formed UTF-8 as triplets. Returns the address after the output, which is at most three times as long as the text. (C45)
 */
export function writeAsWritten(start: i32, end: i32, to: i32): i32 {
  // Nearly all text has no byte of this set, and is just copied.
  if (copyClean(to, start, end, SET_DELIMITED)) return to + end - start;
  let at = to;
  let p = start;
  while (p < end) {
    const kept = keptAt(p, start, end);
    const length = kept != 0 ? kept : lengthAt(p);
    for (let i = 0; i < length; i++) {
      if (kept != 0) store8(at++, load8(p + i));
      else at = writeTriplet(load8(p + i), at);
    }
    p += length;
  }
  return at;
}

/** Returns the length of the character at `p` if it may stay, else 0. */
function keptAt(p: i32, start: i32, end: i32): i32 {
  const c = load8(p);
  if (c < NON_ASCII) return (classOf(c) & (1 << SET_DELIMITER)) != 0 ? 0 : 1;
  // A joiner at an edge joins nothing. keptLength would read the bytes around the text.
  return (p == start || p + 3 >= end) && isJoiner(p) ? 0 : keptLength(p, true);
}

/** Returns the length of the character at `p`, 1 for a byte of ill-formed UTF-8. */
function lengthAt(p: i32): i32 {
  const character = decodeCharacter(p);
  return character == 0 ? 1 : character & 7;
}
