// Non-ASCII characters: UTF-8 and the classes of X4 and X5.

import { UNICODE_TABLE } from "../layout/memory.ts";
import { load8, loadWord, store8 } from "../platform/memory.ts";
import { classOf } from "./ascii.ts";
import { NON_ASCII, QUESTION } from "./characters.ts";
import { CHARACTER_BREAKS, CHARACTER_ENDS, CHARACTER_KEPT, SET_DELIMITER } from "./classes.ts";

/** Lowest first byte of a character beyond ASCII. */
export const FIRST_BYTE_LEAST: i32 = 0xc2;
export const REPLACEMENT: i32 = 0xfffd; // U+FFFD, which replaces bytes that are no character
const SURROGATE_FIRST: i32 = 0xd800; // The first surrogate
const LOW_SURROGATE_FIRST: i32 = 0xdc00; // The first low surrogate
const SURROGATE_BOUND: i32 = 0xe000; // The first code point after the surrogates

/** Whether a unit of UTF-16 or a code point is a surrogate. */
export function isSurrogate(unit: i32): bool {
  return unit >= SURROGATE_FIRST && unit < SURROGATE_BOUND;
}

/** Whether a unit of UTF-16 is the second one of a pair. */
export function isLowSurrogate(unit: i32): bool {
  return unit >= LOW_SURROGATE_FIRST && unit < SURROGATE_BOUND;
}

/** Returns the code point of a pair of surrogates. */
export function codePointOf(high: i32, low: i32): i32 {
  return 0x10000 + ((high - SURROGATE_FIRST) << 10) + (low - LOW_SURROGATE_FIRST);
}

/** Returns the well-formed UTF-8 sequence at `p`: code point << 3 | length in bytes; 0: there is none. Looks at up to 4 bytes. */
export function decodeCharacter(p: i32): i32 {
  const first = load8(p);
  if (first < NON_ASCII) return (first << 3) | 1;
  if (first < FIRST_BYTE_LEAST) return 0;
  const second = load8(p + 1) ^ 0x80;
  if (second > QUESTION) return 0;
  if (first < 0xe0) return ((((first & 0x1f) << 6) | second) << 3) | 2;
  const third = load8(p + 2) ^ 0x80;
  if (third > QUESTION) return 0;
  if (first < 0xf0) {
    const point = ((first & 0xf) << 12) | (second << 6) | third;
    return point < 0x800 || isSurrogate(point) ? 0 : (point << 3) | 3;
  }
  const fourth = load8(p + 3) ^ 0x80;
  if (fourth > QUESTION || first > 0xf4) return 0;
  const point = ((first & 7) << 18) | (second << 12) | (third << 6) | fourth;
  return point < 0x10000 || point > 0x10ffff ? 0 : (point << 3) | 4;
}

/** Writes a code point in UTF-8 to `to`; returns the address after it. */
export function storeCharacter(to: i32, point: i32): i32 {
  if (point < NON_ASCII) {
    store8(to, point);
    return to + 1;
  }
  const width = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  let rest = point;
  for (let i = width - 1; i > 0; i--) {
    store8(to + i, 0x80 | (rest & 0x3f));
    rest = rest >> 6;
  }
  store8(to, rest | (width == 2 ? 0xc0 : width == 3 ? 0xe0 : 0xf0));
  return to + width;
}

/** Returns CHARACTER_* of a code point, by binary search in the generated ranges. */
export function classOfCharacter(point: i32): i32 {
  let low = 0;
  let high = loadWord(UNICODE_TABLE);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (loadWord(UNICODE_TABLE + 4 + (middle << 2)) >> 2 <= point) low = middle;
    else high = middle;
  }
  return loadWord(UNICODE_TABLE + 4 + (low << 2)) & 3;
}

/** Whether U+200C or U+200D is at `p`. */
export function isJoiner(p: i32): bool {
  return load8(p) == 0xe2 && load8(p + 1) == NON_ASCII && (load8(p + 2) | 1) == 0x8d;
}

function isNoDelimiter(p: i32): bool {
  return (classOf(load8(p)) & (1 << SET_DELIMITER)) == 0;
}

/** Whether the character at `p` lets a joiner stay that is before it (X4). */
function joins(p: i32, delimited: bool): bool {
  const c = load8(p);
  return c < NON_ASCII ? isNoDelimiter(p) : lengthByClass(p, delimited) != 0;
}

/** Returns the length in bytes of the character at `p` if its class lets it be in a match, or in a `delimited` URL; else 0. */
function lengthByClass(p: i32, delimited: bool): i32 {
  const character = decodeCharacter(p);
  if (character == 0) return 0;
  const kind = classOfCharacter(character >> 3);
  if (kind == CHARACTER_BREAKS || (kind == CHARACTER_ENDS && !delimited)) return 0;
  return character & 7;
}

/** Returns the length in bytes of the non-ASCII character at `p` if a match, or a `delimited` URL, may hold it; else 0 (X4, X7). */
export function keptLength(p: i32, delimited: bool): i32 {
  if (isJoiner(p)) return isNoDelimiter(p - 1) && !isJoiner(p - 3) && joins(p + 3, delimited) ? 3 : 0;
  return lengthByClass(p, delimited);
}

/** Returns CHARACTER_* of the character from `startOfCharacter(end)` to `end`; CHARACTER_KEPT for ASCII and for ill-formed UTF-8. */
export function classBefore(end: i32): i32 {
  const start = startOfCharacter(end);
  const character = decodeCharacter(start);
  return character < 0x400 ? CHARACTER_KEPT : classOfCharacter(character >> 3);
}

/** Returns the address of the first byte of the character whose last byte is at `end - 1`. */
export function startOfCharacter(end: i32): i32 {
  let p = end - 1;
  while ((load8(p) & 0xc0) == NON_ASCII) p--;
  return p;
}
