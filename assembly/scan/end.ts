// Where a match ends: the end of plain text (X3, X4, X5's references) and the punctuation that goes off it (X5).

import { CHARACTER_TRAILING, CLASS_EMPHASIS, CLASS_TRAILING, SET_AUTHORITY, SET_DELIMITER } from "../bytes/classes.ts";
import { classBefore, keptLength, startOfCharacter } from "../bytes/utf8.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { digitValue } from "../url/percent.ts";
import { classOf, lower, schemeFollows } from "../url/scheme.ts";
import { isPlain } from "./context.ts";
import * as state from "./state.ts";

/** Behind every address. */
const NO_ADDRESS: i32 = 0x7fffffff;

// Brackets open at the place that findEnd has reached, and whether it has met any bracket in this candidate.
let round: i32 = 0;
let square: i32 = 0;
let curly: i32 = 0;
/** The last closing bracket that this candidate's findEnd has passed or stopped at. */
export let lastCloser: i32 = 0;

/** Starts a candidate: no bracket is open. */
export function startCandidate(): void {
  round = 0;
  square = 0;
  curly = 0;
  lastCloser = 0;
}

/**
 * End of the match that has reached `start`: the first byte in [start, bound) that does not belong to it, or `bound` (X3, X4). With
 * SET_AUTHORITY it also stops at `/` `?` `#`. To be called again to go on from where it stopped. `quoted`: a `'` stands before the
 * scheme.
 */
export function findEnd(start: i32, bound: i32, set: i32, quoted: bool): i32 {
  let p = start;
  while (true) {
    p = findInSet(p, bound, set);
    if (p >= bound) return bound;
    const c = load8(p);
    if ((classOf(c) & (1 << SET_DELIMITER)) != 0) return p;
    if (c >= 0x80) {
      const length = keptLength(p, false);
      if (length == 0) return p;
      p += length;
      continue;
    }
    if (endsHere(p, bound, c, quoted)) return p;
    if (set == SET_AUTHORITY && (c == 0x2f || c == 0x3f || c == 0x23)) return p;
    p++;
  }
}

function endsHere(p: i32, bound: i32, c: i32, quoted: bool): bool {
  if (c == 0x26) return findReferenceEnd(p) < bound && isPlain(p);
  if (isSeparator(c)) return schemeFollows(p + 1, state.high);
  if (c == 0x27) return quoted;
  return closesBracket(p, c);
}

/** Whether `c` ends a match before a scheme and `://` (X3): `,` `;` `|`. */
export function isSeparator(c: i32): bool {
  return c == 0x2c || c == 0x3b || c == 0x7c;
}

function closesBracket(p: i32, c: i32): bool {
  if (c == 0x28) round++;
  else if (c == 0x5b) square++;
  else if (c == 0x7b) curly++;
  else lastCloser = p;
  if (c == 0x29) round--;
  else if (c == 0x5d) square--;
  else if (c == 0x7d) curly--;
  return round < 0 || square < 0 || curly < 0;
}

/**
 * The `;` of the reference at `p` if it ends a match in plain text: `&lt;` `&gt;` `&quot;` `&nbsp;` `&apos;` in any form (X5). No address
 * where it does not.
 */
function findReferenceEnd(p: i32): i32 {
  let at = p + 1;
  while (isAmp(at)) at += 4;
  if (load8(at) == 0x23) return findNumberEnd(at + 1);
  const a = lower(load8(at));
  const b = lower(load8(at + 1));
  if (b == 0x74 && load8(at + 2) == 0x3b) return a == 0x6c || a == 0x67 ? at + 2 : NO_ADDRESS;
  if (load8(at + 4) != 0x3b) return NO_ADDRESS;
  const c = lower(load8(at + 2));
  const d = lower(load8(at + 3));
  const quot = a == 0x71 && b == 0x75 && c == 0x6f && d == 0x74;
  const nbsp = a == 0x6e && b == 0x62 && c == 0x73 && d == 0x70;
  const apos = a == 0x61 && b == 0x70 && c == 0x6f && d == 0x73;
  return quot || nbsp || apos ? at + 4 : NO_ADDRESS;
}

/** `amp;` in any case at `p`. */
function isAmp(p: i32): bool {
  return lower(load8(p)) == 0x61 && lower(load8(p + 1)) == 0x6d && lower(load8(p + 2)) == 0x70 && load8(p + 3) == 0x3b;
}

/** The `;` behind the digits of a numeric reference at `p` if they stand for `<` `>` `"` `'` or U+00A0. */
function findNumberEnd(p: i32): i32 {
  let at = p;
  const hex = lower(load8(at)) == 0x78;
  if (hex) at++;
  while (load8(at) == 0x30) at++;
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const digit = digitValue(load8(at), hex);
    if (digit < 0) break;
    value = hex ? (value << 4) | digit : value * 10 + digit;
    at++;
  }
  if (load8(at) != 0x3b) return NO_ADDRESS;
  return value == 0x3c || value == 0x3e || value == 0x22 || value == 0x27 || value == 0xa0 ? at : NO_ADDRESS;
}

/**
 * Takes trailing punctuation off a match [scheme, end) (X5). Never goes below `floor`; a `-` or `_` goes where the end is not behind
 * `hostEnd` (0: no host).
 */
export function trimEnd(scheme: i32, floor: i32, end: i32, hostEnd: i32): i32 {
  let p = end;
  while (p > floor) {
    const c = load8(p - 1);
    const bits = classOf(c);
    if ((bits & CLASS_TRAILING) != 0) {
      if (c == 0x3b && p - 5 >= floor && load8(p - 5) == 0x26 && isAmp(p - 4)) break;
      p--;
    } else if ((bits & CLASS_EMPHASIS) != 0) {
      const marks = mirroredMarks(scheme, floor, p);
      if (marks > 0) p -= marks;
      else if (c == 0x5f && p <= hostEnd) p--;
      else break;
    } else if (c == 0x2d && p <= hostEnd) {
      p--;
    } else if (c >= 0x80 && classBefore(p) == CHARACTER_TRAILING) {
      p = startOfCharacter(p);
    } else {
      break;
    }
  }
  return p;
}

/**
 * Length of the longest run of marks at `end` that, read from the inside, equals the marks before the scheme; they count to 8 (X5,
 * X13).
 */
function mirroredMarks(scheme: i32, floor: i32, end: i32): i32 {
  let marks = 0;
  while (marks < 8 && (classOf(load8(scheme - 1 - marks)) & CLASS_EMPHASIS) != 0) marks++;
  if (marks > end - floor) marks = end - floor;
  for (; marks > 0; marks--) {
    let i = 0;
    while (i < marks && load8(end - marks + i) == load8(scheme - 1 - i)) i++;
    if (i == marks) break;
  }
  return marks;
}
