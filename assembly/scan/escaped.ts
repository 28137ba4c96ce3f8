// Text with escapes of JSON, as in logs, or of TeX (X16). Copies the text without its escapes, and maps addresses of the copy to the text.

import { classOf, isAlpha, isAlphanumeric } from "../bytes/ascii.ts";
import {
  AMPERSAND,
  BACKSLASH,
  COLON,
  COMMA,
  CURLY_CLOSE,
  CURLY_OPEN,
  DELETE,
  HASH,
  NON_ASCII,
  PERCENT,
  QUOTE,
  SLASH,
  SPACE,
  SQUARE_OPEN,
  TILDE,
  UNDERSCORE,
} from "../bytes/characters.ts";
import { SET_DELIMITER } from "../bytes/classes.ts";
import { startsWith } from "../bytes/keyword.ts";
import { codePointOf, isLowSurrogate, isSurrogate, storeCharacter } from "../bytes/utf8.ts";
import { escapedUnitAt, UNIT_BYTES } from "../json/strings.ts";
import { REJOIN_REGION } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { startsComponent } from "../url/authority.ts";
import * as state from "./state.ts";

/** Number of bytes on each side of the copy: before it those before the scheme, which its candidate may read; after it zeros. */
const AROUND: i32 = 16;
/** The command of TeX for a tilde. */
const TILDE_COMMAND: string = "textasciitilde";
/** The first code point after the controls. */
const CONTROLS_BOUND: i32 = 0xa0;
/** openCopy returns this if the text is too long to be read without its escapes. */
export const TOO_LONG: i32 = 0;

/** The code point of the escape that escapedLength, groupLength or texLength found. */
let character: i32 = 0;
/** Start of the text that findEndOnce searched last. */
let clearFrom: i32 = 0;
/** That text has no end before this address; 0: none was searched. */
let clearTo: i32 = 0;
/** End of the text that was copied; 0: there is no copy. */
let textEnd: i32 = 0;
/** End of the copy. */
let copyEnd: i32 = 0;
/** Address of the last candidate of openCopy in the text. */
let source: i32 = 0;
/** Address of that candidate in the copy. */
let copied: i32 = 0;

/** Discards the copy. To be called when the bytes of the window or of REJOIN_REGION have changed. */
export function resetEscaped(): void {
  clearTo = 0;
  textEnd = 0;
}

/** Whether `:\/\/` is at `colon`. */
export function isEscapedSeparator(colon: i32): bool {
  return load8(colon + 1) == BACKSLASH && load8(colon + 2) == SLASH && load8(colon + 3) == BACKSLASH && load8(colon + 4) == SLASH;
}

/**
 * Whether the backslash at `end`, where a match with `//` ends, is read as an escape. One of TeX counts after the authority (C208), any
 * other one in a value of JSON. The match is [start, end), its host ends at `nameEnd`.
 */
export function isEscapedMatch(start: i32, nameEnd: i32, end: i32): bool {
  if (texLength(end, state.high) == 0) return isJsonValue(start);
  let p = nameEnd;
  while (p < end && !startsComponent(load8(p))) p++;
  return p < end;
}

/** Whether the text at `start` is in quotation marks after `:` `,` or `[`, perhaps with a space between, as in JSON. */
function isJsonValue(start: i32): bool {
  if (load8(start - 1) != QUOTE) return false;
  const c = load8(start - 2) == SPACE ? load8(start - 3) : load8(start - 2);
  return c == COLON || c == COMMA || c == SQUARE_OPEN;
}

/** Returns the length of the escape of TeX at `p`, a backslash; 0 if there is none. Sets `character`. (C208) */
function texLength(p: i32, end: i32): i32 {
  const c = load8(p + 1);
  const isCommand = startsWith(p + 1, TILDE_COMMAND);
  const after = isCommand ? p + 1 + TILDE_COMMAND.length : p + 2;
  if (after > end || (isCommand && after < end && isAlpha(load8(after)))) return 0;
  character = isCommand ? TILDE : c;
  if (c == UNDERSCORE || c == PERCENT || c == AMPERSAND || c == HASH) return 2;
  if (character != TILDE) return 0;
  return after + 2 <= end && load8(after) == CURLY_OPEN && load8(after + 1) == CURLY_CLOSE ? after + 2 - p : after - p;
}

/** Returns the length of the escape of TeX in braces at `p`, 0 if there is none. Sets `character`. (C208) */
function groupLength(p: i32, end: i32): i32 {
  if (load8(p) != CURLY_OPEN || load8(p + 1) != BACKSLASH) return 0;
  const length = texLength(p + 1, end);
  return length > 0 && p + length + 2 <= end && load8(p + 1 + length) == CURLY_CLOSE ? length + 2 : 0;
}

/** Returns the length of the escape at `p`; 0: there is none, or none for a character of URLs. Sets `character`. */
function escapedLength(p: i32, end: i32): i32 {
  if (load8(p) != BACKSLASH) return groupLength(p, end);
  if (p + 2 > end) return 0;
  character = SLASH;
  if (load8(p + 1) == SLASH) return 2;
  const length = texLength(p, end);
  if (length != 0) return length;
  character = escapedUnitAt(p, end);
  if (character < NON_ASCII) {
    const isPart = character > SPACE && !isAlphanumeric(character) && (classOf(character) & (1 << SET_DELIMITER)) == 0;
    return isPart && character < DELETE ? UNIT_BYTES : 0;
  }
  if (!isSurrogate(character)) return character >= CONTROLS_BOUND ? UNIT_BYTES : 0;
  const low = escapedUnitAt(p + UNIT_BYTES, end);
  if (isLowSurrogate(character) || !isLowSurrogate(low)) return 0;
  character = codePointOf(character, low);
  return 2 * UNIT_BYTES;
}

/** Returns the first delimiter byte in [start, bound), or the brace before it that begins an escape of TeX up to `end`; else `bound`. */
function findStop(start: i32, bound: i32, end: i32): i32 {
  const p = findInSet(start, bound, SET_DELIMITER);
  return p > start && groupLength(p - 1, end) != 0 ? p - 1 : p;
}

/** Returns the number of bytes of `character` in UTF-8. */
function characterBytes(): i32 {
  return character < NON_ASCII ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

/** Returns `run`, or the address after the `\u` escape whose last characters begin the run (C116). */
export function skipEscaped(run: i32): i32 {
  return load8(run - 1) == BACKSLASH && escapedLength(run - 1, state.high) == UNIT_BYTES ? run + UNIT_BYTES - 1 : run;
}

/** Returns the first delimiter byte in [start, bound) that begins no escape; else `bound`, or the end of an escape that crosses it. */
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
    p = findStop(p, end, end);
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
    // More input may complete an escape, continue the text, or add a mark after the text (C200).
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

/** Returns findTextEnd for `scheme`, at most urlBytesMax + 1 bytes on. Searches the text of several candidates once. */
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
    const p = findStop(source, scheme, textEnd);
    copied += p - source;
    source = p;
    if (p == scheme) break;
    source += escapedLength(p, textEnd);
    copied += characterBytes();
  }
}

/** Returns the end of the text that was copied. */
export function copyTextEnd(): i32 {
  return textEnd;
}

/** Returns the address after the copy. */
export function copyLimit(): i32 {
  return copyEnd;
}

/** Returns the address in the text for the address `end` in the copy, which is after the start of the last candidate. */
export function sourceOf(end: i32): i32 {
  let p = source;
  let at = copied;
  while (at < end) {
    const next = findStop(p, p + end - at, textEnd);
    at += next - p;
    p = next;
    if (at == end) break;
    p += escapedLength(p, textEnd);
    at += characterBytes();
  }
  return p;
}
