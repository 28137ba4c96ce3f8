// Marks of defanged text: `[.]`, `(dot)`, `[at]` and others, which keep programs from taking the text for a URL (C131), and other ways to
// write the next character of a host (C200, C201).

import { classOf, isAlphanumeric, isDigit, lower } from "../bytes/ascii.ts";
import {
  AMPERSAND,
  AT,
  BACKSLASH,
  COLON,
  CURLY_CLOSE,
  CURLY_OPEN,
  DOT,
  HASH,
  HYPHEN,
  LOWER_D,
  LOWER_X,
  NON_ASCII,
  ROUND_CLOSE,
  ROUND_OPEN,
  SEMICOLON,
  SPACE,
  SQUARE_CLOSE,
  SQUARE_OPEN,
  UNDERSCORE,
} from "../bytes/characters.ts";
import { CLASS_BRACKET } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { load8 } from "../platform/memory.ts";
import * as state from "./state.ts";

/** Most backslashes before a part of a mark, as in strings of strings. */
const BACKSLASHES_MAX: i32 = 4;
/** Most bytes that readMark looks at: those of `\\\\[\\\\dot\\\\]`, and the one after it. */
export const MARK_BYTES_MAX: i32 = 18;
/** Most digits of a reference. */
const DIGITS_MAX: i32 = 8;
/** The first Latin letter beyond ASCII that a reference may stand for. */
const LATIN_FIRST: i32 = 0xc0;
/** The first code point after these letters. */
const LATIN_BOUND: i32 = 0x250;
/** The address after the mark that readMark found. */
export let markEnd: i32 = 0;
/** Whether that mark has an opening and a closing bracket. */
let isWhole: bool = false;

/** Returns the byte that the mark at `p` stands for, `.`, `@` or `:`; 0: there is no mark, or no name or port after it, before `end`. */
export function readMark(p: i32, end: i32): i32 {
  const byte = markAt(p);
  if (byte == 0 || markEnd >= end) return 0;
  const next = load8(markEnd);
  return (byte == COLON ? isDigit(next) : isMarked(next)) ? byte : 0;
}

/** Whether `c` may be on either side of a mark: a letter, a digit, a byte that is not ASCII. */
export function isMarked(c: i32): bool {
  return c >= NON_ASCII || isAlphanumeric(c);
}

/** Returns the byte that the mark at `p` stands for, or 0. Sets markEnd. */
function markAt(p: i32): i32 {
  const first = skipBackslashes(p);
  const open = load8(first);
  const close = open == SQUARE_OPEN ? SQUARE_CLOSE : open == ROUND_OPEN ? ROUND_CLOSE : open == CURLY_OPEN ? CURLY_CLOSE : 0;
  isWhole = false;
  if (close == 0) {
    markEnd = first + 1;
    return (open == DOT && first > p) || (open == SQUARE_CLOSE && load8(p - 1) == DOT) ? DOT : 0;
  }
  const word = skipBackslashes(first + 1);
  const byte = wordAt(word, close);
  if (byte == 0) return 0;
  const last = skipBackslashes(markEnd);
  isWhole = load8(last) == close;
  if (isWhole) markEnd = last + 1;
  return isWhole || (load8(word) == DOT && close == SQUARE_CLOSE) ? byte : 0;
}

/** Returns the byte that the word of a mark at `p` stands for, or 0. `close`: the closing bracket of the mark. Sets markEnd. */
function wordAt(p: i32, close: i32): i32 {
  const c = load8(p);
  const isSquare = close == SQUARE_CLOSE;
  markEnd = p + 1;
  if (c == DOT || (isSquare && (c == AT || c == COLON))) return c;
  markEnd = p + 2;
  if (isSquare && startsWithAnyCase(p, "at")) return AT;
  markEnd = p + 3;
  if (close != CURLY_CLOSE && startsWithAnyCase(p, "dot")) return DOT;
  return isSquare && startsWithAnyCase(p, "d0t") ? DOT : 0;
}

function skipBackslashes(start: i32): i32 {
  let p = start;
  while (p - start < BACKSLASHES_MAX && load8(p) == BACKSLASH) p++;
  return p;
}

/** Whether a backslash or space at `p` may continue the host before it. Excludes most spaces by the byte after them. */
export function mayBeginMark(p: i32): bool {
  const c = load8(p);
  if (c != SPACE) return c == BACKSLASH;
  const next = load8(p + 1);
  return state.isOpenEnded(p) || next == DOT || next == BACKSLASH || (classOf(next) & CLASS_BRACKET) != 0 || lower(next) == LOWER_D;
}

/** Whether `c`, the byte after a host, requires a look at the text beyond the authority. */
function isBeyond(c: i32): bool {
  return c == BACKSLASH || c == SPACE || c == SQUARE_CLOSE || c == AMPERSAND;
}

/** Whether isCutHost may need more input to decide. */
export function mayNeedMore(p: i32, region: i32): bool {
  return (isBeyond(load8(p)) || load8(region) == BACKSLASH) && state.isOpenEnded(p);
}

/**
 * Whether a host that ends at `p` continues in another notation (C131, C200, C201). A bracketed mark must end before `region`, the end of
 * the authority, or before `bound` if a backslash is at `region`. Any other mark, a reference or a space must end before `bound`.
 * `isLabel`: the host has no dot.
 */
export function isCutHost(p: i32, region: i32, bound: i32, isLabel: bool): bool {
  const c = load8(p);
  if (!isBeyond(c)) return readMark(p, load8(region) == BACKSLASH ? bound : region) != 0;
  return continues(p, c, bound, isLabel);
}

function continues(p: i32, c: i32, end: i32, isLabel: bool): bool {
  if (c == SPACE) return continuesAfterSpace(p + 1, end, isLabel);
  if (c != AMPERSAND) return readMark(p, end) != 0;
  return isReferenceInHost(p + 1) && numberEnd + 1 < end && isMarked(load8(numberEnd + 1));
}

function continuesAfterSpace(p: i32, end: i32, isLabel: bool): bool {
  let after = 0;
  if (isLabel && load8(p) == DOT) after = p + 1;
  else if (isLabel && startsWithAnyCase(p, "dot") && load8(p + 3) == SPACE) after = p + 4;
  else if (markAt(p) == DOT && isWhole) after = load8(markEnd) == SPACE ? markEnd + 1 : markEnd;
  return after > 0 && after < end && isMarked(load8(after));
}

/** Whether the reference at `p`, after its `&`, stands for a character of a host, or `@`. Sets numberEnd to its `;`. */
function isReferenceInHost(p: i32): bool {
  if (load8(p) != HASH) return false;
  const isHex = lower(load8(p + 1)) == LOWER_X;
  const digits = isHex ? p + 2 : p + 1;
  const value = parseNumber(digits, digits + DIGITS_MAX, isHex, LATIN_BOUND);
  if (load8(numberEnd) != SEMICOLON) return false;
  if (value >= NON_ASCII) return value >= LATIN_FIRST && value < LATIN_BOUND;
  return isAlphanumeric(value) || value == DOT || value == HYPHEN || value == UNDERSCORE || value == AT;
}
