// Marks of defanged text: `[.]`, `(dot)`, `[at]` and others, which keep programs from taking the text for a URL (C131), and other ways to
// write the next character of a host (C200, C201).

import { classOf, findByte, isAlpha, isAlphanumeric, isDigit, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_BRACKET } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { REASON_NO_HOST, REASON_NONE } from "../layout/codes.ts";
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { isShown } from "./context.ts";
import * as state from "./state.ts";

/** Most backslashes before a part of a mark, as in strings of strings. */
const BACKSLASHES_MAX: i32 = 4;
export const MARK_BYTES_MAX: i32 = 18; // Most bytes that readMark looks at: those of `\\\\[\\\\dot\\\\]`, and the one after it
const DIGITS_MAX: i32 = 8; // Most digits of a reference
const LATIN_FIRST: i32 = 0xc0; // The first Latin letter beyond ASCII that a reference may stand for
const LATIN_BOUND: i32 = 0x250; // The first code point after these letters
/** The address after the mark that readMark found. */
export let markEnd: i32 = 0;
/** Whether that mark has an opening and a closing bracket. */
let isWhole: bool = false;

/** Returns the byte that the mark at `p` stands for, `.`, `@` or `:`; 0: there is no mark, or no name or port after it, before `end`. */
export function readMark(p: i32, end: i32): i32 {
  const byte = markAt(p);
  if (byte == 0 || markEnd >= end) return 0;
  const next = load8(markEnd);
  return (byte == char.COLON ? isDigit(next) : isMarked(next)) ? byte : 0;
}

/** Whether `c` may be on either side of a mark: a letter, a digit, a byte that is not ASCII. */
export function isMarked(c: i32): bool {
  return c >= char.NON_ASCII || isAlphanumeric(c);
}

/** Returns the byte that the mark at `p` stands for, or 0. Sets markEnd. */
function markAt(p: i32): i32 {
  const first = skipBackslashes(p);
  const open = load8(first);
  const close =
    open == char.SQUARE_OPEN
      ? char.SQUARE_CLOSE
      : open == char.ROUND_OPEN
        ? char.ROUND_CLOSE
        : open == char.CURLY_OPEN
          ? char.CURLY_CLOSE
          : 0;
  isWhole = false;
  if (close == 0) {
    markEnd = first + 1;
    return (open == char.DOT && first > p) || (open == char.SQUARE_CLOSE && load8(p - 1) == char.DOT) ? char.DOT : 0;
  }
  const word = skipBackslashes(first + 1);
  const byte = wordAt(word, close);
  if (byte == 0) return 0;
  const last = skipBackslashes(markEnd);
  isWhole = load8(last) == close;
  if (isWhole) markEnd = last + 1;
  return isWhole || (load8(word) == char.DOT && close == char.SQUARE_CLOSE) ? byte : 0;
}

/** Returns the byte that the word of a mark at `p` stands for, or 0. `close`: the closing bracket of the mark. Sets markEnd. */
function wordAt(p: i32, close: i32): i32 {
  const c = load8(p);
  const isSquare = close == char.SQUARE_CLOSE;
  markEnd = p + 1;
  if (c == char.DOT || (isSquare && (c == char.AT || c == char.COLON))) return c;
  markEnd = p + 2;
  if (isSquare && startsWithAnyCase(p, "at")) return char.AT;
  markEnd = p + 3;
  if (close != char.CURLY_CLOSE && startsWithAnyCase(p, "dot")) return char.DOT;
  return isSquare && startsWithAnyCase(p, "d0t") ? char.DOT : 0;
}

function skipBackslashes(start: i32): i32 {
  let p = start;
  while (p - start < BACKSLASHES_MAX && load8(p) == char.BACKSLASH) p++;
  return p;
}

/** Whether a backslash, a space or markup at `p` may continue the host before it. Excludes most spaces by the byte after them. */
export function mayBeginMark(p: i32): bool {
  const c = load8(p);
  if (c != char.SPACE) return c == char.BACKSLASH || c == CONTEXT_TEXT || c == char.LESS;
  const next = load8(p + 1);
  return (
    state.isOpenEnded(p) ||
    next == char.DOT ||
    next == char.BACKSLASH ||
    (classOf(next) & CLASS_BRACKET) != 0 ||
    lower(next) == char.LOWER_D
  );
}

/** Whether `c`, the byte after a host, requires a look at the text beyond the authority. */
function isBeyond(c: i32): bool {
  return c == char.BACKSLASH || c == char.SPACE || c == char.SQUARE_CLOSE || c == char.AMPERSAND;
}

/** Whether isCutHost may need more input to decide. */
export function mayNeedMore(p: i32, region: i32): bool {
  return (isBeyond(load8(p)) || load8(region) == char.BACKSLASH) && state.isOpenEnded(p);
}

/**
 * Whether a host that ends at `p` continues in another notation (C131, C200, C201). A bracketed mark must end before `region`, the end of
 * the authority, or before `bound` if a backslash is at `region`. Any other mark, a reference or a space must end before `bound`.
 * `isLabel`: the host has no dot.
 */
export function isCutHost(p: i32, region: i32, bound: i32, isLabel: bool): bool {
  const c = load8(p);
  if (!isBeyond(c)) return readMark(p, load8(region) == char.BACKSLASH ? bound : region) != 0;
  return continues(p, c, bound, isLabel);
}

function continues(p: i32, c: i32, end: i32, isLabel: bool): bool {
  if (c == char.SPACE) return continuesAfterSpace(p + 1, end, isLabel);
  if (c != char.AMPERSAND) return readMark(p, end) != 0;
  return isReferenceInHost(p + 1) && numberEnd + 1 < end && isMarked(load8(numberEnd + 1));
}

function continuesAfterSpace(p: i32, end: i32, isLabel: bool): bool {
  let after = 0;
  if (isLabel && load8(p) == char.DOT) after = p + 1;
  else if (isLabel && startsWithAnyCase(p, "dot") && load8(p + 3) == char.SPACE) after = p + 4;
  else if (markAt(p) == char.DOT && isWhole) after = load8(markEnd) == char.SPACE ? markEnd + 1 : markEnd;
  return after > 0 && after < end && isMarked(load8(after));
}

/** Whether `**` and a letter or digit are at `p`. */
function isBreak(p: i32, bound: i32): bool {
  return p + 2 < bound && load8(p + 1) == char.ASTERISK && isAlphanumeric(load8(p + 2));
}

/** Whether a name that ends in `c` may go on: it ends in a dot or a hyphen. */
function isJoint(c: i32): bool {
  return c == char.DOT || c == char.HYPHEN;
}

/**
 * Whether the host [start, end) goes on after tags, up to `bound`, or after the `**` of a mail program. Returns REASON_NO_HOST or
 * REASON_NONE, or NEED_INPUT. (C280, C285)
 */
export function tornReason(start: i32, end: i32, bound: i32): i32 {
  const first = load8(end);
  if (first == char.LESS && state.isOpenEnded(end)) return state.NEED_INPUT;
  const last = load8(end - 1);
  if (first == char.ASTERISK) return isJoint(last) && isBreak(end, bound) ? REASON_NO_HOST : REASON_NONE;
  // Before tags, a dot at the end must be the only one.
  const isLabel = findByte(start, end, char.DOT) >= end - 1;
  const isOpen = last == char.HYPHEN || (last == char.DOT && isLabel) || startsWithAnyCase(end, "<wbr");
  if ((last == char.DOT && !isOpen) || (first == CONTEXT_TEXT && !isShown(end))) return REASON_NONE;
  let tags = 0;
  let tagEnd = 0;
  let isEndTag = false;
  let p = end;
  while (p < bound) {
    const c = load8(p);
    const next = c == char.LESS ? skipTag(p, bound) : skipHiddenTag(p, bound);
    if (next > p) {
      if (p == tagEnd && !isOpen) return REASON_NONE;
      isEndTag = c == char.LESS ? load8(p + 1) == char.SLASH : load8(p + 2) == CONTEXT_ATTRIBUTE;
      tags++;
      tagEnd = next;
      p = next;
      continue;
    }
    if (isOpen) return isAlphanumeric(c) ? REASON_NO_HOST : REASON_NONE;
    if (p == end || !(isJoint(c) || isAlphanumeric(c))) return REASON_NONE;
    p++;
    if (c != char.DOT || p == bound || load8(p) < char.LOWER_A || !isAlpha(load8(p))) continue;
    if (p == tagEnd + 1 ? isEndTag || isLabel : isEndTag && isLabel && tags > 1) return REASON_NO_HOST;
  }
  return bound == state.high && !state.final ? state.NEED_INPUT : REASON_NONE;
}

/** Returns the address after the tag at `p`, where a `<` is; `p`: it is none, or one of `a`; `bound`: its end is not known. */
function skipTag(p: i32, bound: i32): i32 {
  const name = load8(p + 1) == char.SLASH ? p + 2 : p + 1;
  if (name + 1 >= bound) return bound;
  if (name == p + 1 && !isAlpha(load8(name))) return p;
  if (lower(load8(name)) == char.LOWER_A && !isAlphanumeric(load8(name + 1))) return p;
  let end = name;
  while (end < bound && load8(end) != char.GREATER && load8(end) != char.LESS && load8(end) > CONTEXT_RAW) end++;
  return end == bound ? bound : load8(end) == char.GREATER ? end + 1 : p;
}

/** Returns what skipTag does for a tag that the decoder of HTML has read. */
function skipHiddenTag(p: i32, bound: i32): i32 {
  if (load8(p) != CONTEXT_TEXT) return p;
  if (p + 1 < bound && load8(p + 1) != CONTEXT_ATTRIBUTE) return p;
  let end = p + 1;
  while (end < bound && load8(end) != CONTEXT_TEXT && load8(end) != CONTEXT_RAW) end++;
  return end == bound ? bound : load8(end) == CONTEXT_TEXT ? end + 1 : p;
}

/** Whether the reference at `p`, after its `&`, stands for a character of a host, or `@`. Sets numberEnd to its `;`. */
function isReferenceInHost(p: i32): bool {
  if (load8(p) != char.HASH) return false;
  const isHex = lower(load8(p + 1)) == char.LOWER_X;
  const digits = isHex ? p + 2 : p + 1;
  const value = parseNumber(digits, digits + DIGITS_MAX, isHex, LATIN_BOUND);
  if (load8(numberEnd) != char.SEMICOLON) return false;
  if (value >= char.NON_ASCII) return value >= LATIN_FIRST && value < LATIN_BOUND;
  return isAlphanumeric(value) || value == char.DOT || value == char.HYPHEN || value == char.UNDERSCORE || value == char.AT;
}
