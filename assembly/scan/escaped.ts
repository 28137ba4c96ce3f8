// Text with the escapes of JSON, as logs have it (X16): read in a copy without them, whose end and addresses this file maps.

import { classOf, isAlphanumeric } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, COMMA, DELETE, LOWER_U, NON_ASCII, QUOTE, SLASH, SPACE, SQUARE_OPEN } from "../bytes/characters.ts";
import { SET_DELIMITER } from "../bytes/classes.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { LOW_SURROGATE_FIRST, SURROGATE_BOUND, SURROGATE_FIRST, storeCharacter } from "../bytes/utf8.ts";
import { REJOIN_REGION } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import * as state from "./state.ts";

/** Bytes before a scheme that its candidate may look at, and bytes after the copy. */
const AROUND: i32 = 16;
/** Length of `\u0026`, and of the longest escape, a pair of surrogates. */
const UNIT_BYTES: i32 = 6;
const ESCAPED_BYTES_MAX: i32 = 12;
/** The first code point after the controls. */
const CONTROLS_BOUND: i32 = 0xa0;
/** What openCopy returns where the text is too long to be read without its escapes. */
export const TOO_LONG: i32 = 0;

/** The code point that the escape stands for which escapedLength has found. */
let character: i32 = 0;
/** The text [., clearTo) that was searched last holds nothing that ends it, from clearFrom on. */
let clearFrom: i32 = 0;
let clearTo: i32 = 0;
/** The copy ends at copyEnd, its text at textEnd; 0: there is no copy. */
let textEnd: i32 = 0;
let copyEnd: i32 = 0;
/** An address in the text, and the one in the copy: those of the candidate that was opened last. */
let source: i32 = 0;
let copied: i32 = 0;

/** Forgets the copy; to be called when the bytes of the window or of REJOIN_REGION have changed. */
export function resetEscaped(): void {
  clearTo = 0;
  textEnd = 0;
}

/** Whether `:\/\/` is at `colon`. */
export function isEscapedSeparator(colon: i32): bool {
  return load8(colon + 1) == BACKSLASH && load8(colon + 2) == SLASH && load8(colon + 3) == BACKSLASH && load8(colon + 4) == SLASH;
}

/** Whether the text at `start` is in quotation marks after `:` `,` or `[`, perhaps with a space between, as in JSON. */
export function isJsonValue(start: i32): bool {
  if (load8(start - 1) != QUOTE) return false;
  const c = load8(start - 2) == SPACE ? load8(start - 3) : load8(start - 2);
  return c == COLON || c == COMMA || c == SQUARE_OPEN;
}

/** Returns the length of the escape at `p`, 0 if there is none that stands for a character of URLs. Sets `character`. */
function escapedLength(p: i32, end: i32): i32 {
  if (load8(p) != BACKSLASH || p + 2 > end) return 0;
  character = SLASH;
  if (load8(p + 1) == SLASH) return 2;
  character = unitAt(p, end);
  if (character < NON_ASCII) {
    const isPart = character > SPACE && !isAlphanumeric(character) && (classOf(character) & (1 << SET_DELIMITER)) == 0;
    return isPart && character < DELETE ? UNIT_BYTES : 0;
  }
  if (character < SURROGATE_FIRST || character >= SURROGATE_BOUND) return character >= CONTROLS_BOUND ? UNIT_BYTES : 0;
  const low = unitAt(p + UNIT_BYTES, end);
  if (character >= LOW_SURROGATE_FIRST || low < LOW_SURROGATE_FIRST || low >= SURROGATE_BOUND) return 0;
  character = 0x10000 + ((character - SURROGATE_FIRST) << 10) + (low - LOW_SURROGATE_FIRST);
  return ESCAPED_BYTES_MAX;
}

/** Returns the unit of UTF-16 that `\u` and four digits at `p` stand for, 0 if they are not there. */
function unitAt(p: i32, end: i32): i32 {
  if (p + UNIT_BYTES > end || load8(p) != BACKSLASH || load8(p + 1) != LOWER_U || !isHexPair(p + 2) || !isHexPair(p + 4)) return 0;
  return (hexPair(p + 2) << 8) | hexPair(p + 4);
}

/** Returns the bytes of `character` in UTF-8. */
function characterBytes(): i32 {
  return character < NON_ASCII ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

/** Returns where the scheme characters from `run` on begin after the escape that they may be the end of (C116). */
export function skipEscaped(run: i32): i32 {
  return escapedLength(run - 1, state.high) == UNIT_BYTES ? run + UNIT_BYTES - 1 : run;
}

/** Returns the first byte in [start, bound) that ends the text: a delimiter byte that begins no escape; or `bound` or a byte after it. */
function findTextEnd(start: i32, bound: i32): i32 {
  let p = start;
  while (p < bound) {
    p = findInSet(p, bound, SET_DELIMITER);
    const length = p < bound ? escapedLength(p, state.high) : 0;
    if (length == 0) return p;
    p += length;
  }
  return p;
}

/** Writes the text [start, end) without its escapes to `to`; returns the address after it. */
export function writeUnescaped(start: i32, end: i32, to: i32): i32 {
  let at = to;
  let p = start;
  while (p < end) {
    const segment = p;
    p = findInSet(p, end, SET_DELIMITER);
    copyBytes(at, segment, p - segment);
    at += p - segment;
    if (p == end) break;
    p += escapedLength(p, end);
    at = storeCharacter(at, character);
  }
  return at;
}

/**
 * Copies the text of the candidate at `scheme` without its escapes, if the copy does not hold it yet. Returns the address of the candidate
 * in the copy, TOO_LONG, or NEED_INPUT. Each text is copied once, however many candidates it holds.
 */
export function openCopy(scheme: i32): i32 {
  if (scheme < textEnd) {
    advance(scheme);
  } else {
    const end = findEndOnce(scheme);
    // An escape may be cut, and the end of the window may be none. What is after the text may be a mark (C200).
    if (state.isOpenEnded(end)) return state.NEED_INPUT;
    if (end - scheme > state.urlBytesMax) return TOO_LONG;
    source = scheme;
    copied = REJOIN_REGION + AROUND;
    textEnd = end;
    copyEnd = writeUnescaped(scheme, end, copied);
    for (let i = 0; i < AROUND; i++) store8(copyEnd + i, 0);
  }
  copyBytes(copied - AROUND, scheme - AROUND, AROUND);
  return copied;
}

/** Returns findTextEnd for `scheme`, urlBytesMax and one byte away at most. What was searched for another candidate is not again. */
function findEndOnce(scheme: i32): i32 {
  const isKnown = scheme >= clearFrom && scheme < clearTo;
  const end = findTextEnd(isKnown ? clearTo : scheme, state.lookAhead(scheme));
  if (!isKnown) clearFrom = scheme;
  clearTo = end;
  return end;
}

/** Moves `source` and `copied` to `scheme`. */
function advance(scheme: i32): void {
  while (source < scheme) {
    const p = findInSet(source, scheme, SET_DELIMITER);
    copied += p - source;
    source = p;
    if (p == scheme) break;
    source += escapedLength(p, textEnd);
    copied += characterBytes();
  }
}

/** Returns the address in the text of what is after the copy. */
export function copyTextEnd(): i32 {
  return textEnd;
}

/** Returns the address after the copy. */
export function copyLimit(): i32 {
  return copyEnd;
}

/** Returns the address in the text of `end` in the copy, which is after the candidate's first byte. */
export function sourceOf(end: i32): i32 {
  let p = source;
  let at = copied;
  while (at < end) {
    const next = findInSet(p, p + end - at, SET_DELIMITER);
    at += next - p;
    p = next;
    if (at == end) break;
    p += escapedLength(p, textEnd);
    at += characterBytes();
  }
  return p;
}
