// Text with escapes of JSON, as in logs, or of TeX (X16), or with colors of a terminal (C311). Copies the text without these, and maps
// addresses of the copy to the text.

import { classOf, isAlpha, isAlphanumeric } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_DELIMITER } from "../bytes/classes.ts";
import { startsWith, startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { codePointOf, decodeCharacter, isLowSurrogate, isSurrogate, storeCharacter } from "../bytes/utf8.ts";
import { escapedUnitAt, UNIT_BYTES } from "../json/strings.ts";
import { ESCAPED_BYTES, REJOIN_REGION } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { startsComponent } from "../url/authority.ts";
import { colorLength } from "./colors.ts";
import { AT_BYTES, isAtSign } from "./cut.ts";
import * as state from "./state.ts";

/** Number of bytes on each side of the copy: before it those before the scheme, which its candidate may read; after it zeros. */
const AROUND: i32 = 16;
/** The command of TeX for a tilde. */
const TILDE_COMMAND: string = "textasciitilde";
const NO_CHARACTER: i32 = -1; // The character of a color
const CONTROLS_BOUND: i32 = 0xa0; // The first code point after the controls
const BYTE_BYTES: i32 = 4; // Bytes of an escape such as `\x2f`
export const TOO_LONG: i32 = 0; // openCopy returns this if the text is too long to be read without its escapes

/** The code point of the escape that escapedLength, groupLength or texLength found. */
let character: i32 = 0;
/** Start of the text that findEndOnce searched last. */
let clearFrom: i32 = 0;
/** That text has no end before this address; 0: none was searched. */
let clearTo: i32 = 0;
/** End of the last escape in that text, or its start: a `$` before it begins no escape. */
let escapedEnd: i32 = 0;
/** End of the text that was copied; 0: there is no copy. */
let textEnd: i32 = 0;
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

/** Whether two slashes, each of `least` bytes or more, are after `colon`: `/`, or an escape of it. (C116, C297) */
export function isSeparatorAt(colon: i32, least: i32): bool {
  const first = slashLength(colon + 1);
  return first >= least && slashLength(colon + 1 + first) >= least;
}

/** Returns the length of the slash, or of its escape, at `p`; 0: there is none. */
function slashLength(p: i32): i32 {
  if (load8(p) != char.BACKSLASH) return load8(p) == char.SLASH ? 1 : 0;
  const length = escapedLength(p, state.high);
  return character == char.SLASH ? length : 0;
}

/** Whether two references for slashes are at `p`. (C297) */
export function areReferences(p: i32): bool {
  const first = referenceLength(p);
  return first != 0 && referenceLength(p + first) != 0;
}

/** Returns the length of the reference for a slash at `p`; 0: there is none. */
function referenceLength(p: i32): i32 {
  if (startsWithAnyCase(p, "&#x2f;")) return 6;
  return startsWith(p, "&#47;") || startsWith(p, "&sol;") ? 5 : 0;
}

/**
 * Whether the byte at `end`, where a match with `//` ends, begins an escape that is read. A color is (C311), and one of a character beyond
 * ASCII (C325), any other escape after the authority (C208, C296), and in a value of JSON any backslash but one of TeX. The match is
 * [start, end), its host ends at `nameEnd`.
 */
export function isEscapedMatch(start: i32, nameEnd: i32, end: i32): bool {
  if (load8(end) == char.ESC) return colorLength(end, state.high) != 0;
  let p = nameEnd;
  while (p < end && !startsComponent(load8(p))) p++;
  if (escapedLength(end, state.high) != 0 && (p < end || character >= char.NON_ASCII)) return true;
  if (p < end && simLength(end - 1, state.high) != 0) return true;
  return texLength(end, state.high) == 0 && isJsonValue(start);
}

/** Whether the text at `start` is in quotation marks after `:` `,` or `[`, perhaps with a space between, as in JSON. */
function isJsonValue(start: i32): bool {
  if (load8(start - 1) != char.QUOTE) return false;
  const c = load8(start - 2) == char.SPACE ? load8(start - 3) : load8(start - 2);
  return c == char.COLON || c == char.COMMA || c == char.SQUARE_OPEN;
}

/** Whether programs other than TeX escape `c` in URLs: shells, Markdown, CEF, SQL. (C296) */
function isEscapedSign(c: i32): bool {
  if (c == char.HYPHEN || c == char.EXCLAMATION || c == char.AT || c == char.EQUALS || c == char.QUESTION) return true;
  return c == char.BAR || c == char.COLON || c == char.SEMICOLON || (c >= char.ROUND_OPEN && c <= char.COMMA);
}

/** Returns the length of the escape of TeX at `p`, a backslash; 0 if there is none. Sets `character`. (C208, C296) */
function texLength(p: i32, end: i32): i32 {
  const c = load8(p + 1);
  if (c == char.LOWER_S && startsWith(p + 1, "string")) return p + 8 <= end ? signLength(load8(p + 7), 8) : 0;
  if (c == char.APOSTROPHE) {
    character = c;
    return p + 3 <= end && isAlphanumeric(load8(p + 2)) ? 2 : 0;
  }
  const isCommand = startsWith(p + 1, TILDE_COMMAND);
  const after = isCommand ? p + 1 + TILDE_COMMAND.length : p + 2;
  if (after > end || (isCommand && after < end && isAlpha(load8(after)))) return 0;
  character = isCommand ? char.TILDE : c;
  if (character != char.TILDE) return signLength(c, 2);
  return after + 2 <= end && load8(after) == char.CURLY_OPEN && load8(after + 1) == char.CURLY_CLOSE ? after + 2 - p : after - p;
}

/** Returns `length` if an escape may stand for `c`, else 0. Sets `character`. */
function signLength(c: i32, length: i32): i32 {
  character = c;
  const isTex = c == char.UNDERSCORE || c == char.PERCENT || c == char.AMPERSAND || c == char.HASH || c == char.TILDE;
  return isTex || isEscapedSign(c) ? length : 0;
}

/** Returns the length of `$\sim$`, a tilde of TeX, at `p`; 0: there is none. Sets `character`. (C296) */
function simLength(p: i32, end: i32): i32 {
  if (load8(p) != char.DOLLAR || p + 6 > end || !startsWith(p + 1, "\\sim$")) return 0;
  character = char.TILDE;
  return 6;
}

/** Returns the length of `$\sim$`, or of an escape of TeX in braces, at `p`; 0 if there is none. Sets `character`. (C208) */
function groupLength(p: i32, end: i32): i32 {
  const sim = simLength(p, end);
  if (sim != 0 || load8(p) != char.CURLY_OPEN) return sim;
  const length = load8(p + 1) == char.BACKSLASH ? texLength(p + 1, end) : simLength(p + 1, end);
  return length > 0 && p + length + 2 <= end && load8(p + 1 + length) == char.CURLY_CLOSE ? length + 2 : 0;
}

/** Whether `\x` and two hexadecimal digits are at `p`. */
function isByteAt(p: i32, end: i32): bool {
  return load8(p) == char.BACKSLASH && load8(p + 1) == char.LOWER_X && p + BYTE_BYTES <= end && isHexPair(p + 2);
}

/** Returns the length of the escapes of bytes at `p` that together are a character in UTF-8; 0: they are none. Sets `character`. (C325) */
function bytesLength(p: i32, end: i32): i32 {
  let count = 0;
  for (; count < 4 && isByteAt(p + (count << 2), end); count++) store8(ESCAPED_BYTES + count, hexPair(p + 2 + (count << 2)));
  store8(ESCAPED_BYTES + count, 0);
  const found = decodeCharacter(ESCAPED_BYTES);
  character = found >> 3;
  return character < CONTROLS_BOUND ? 0 : (found & 7) << 2;
}

/** Returns the length of the escape at `p`; 0: there is none, or none for a character of URLs. Sets `character`. */
function escapedLength(p: i32, end: i32): i32 {
  if (load8(p) == char.ESC) {
    character = NO_CHARACTER;
    return colorLength(p, end);
  }
  if (load8(p) == char.SPACE) {
    character = char.AT;
    return isAtSign(p) ? AT_BYTES : 0;
  }
  if (load8(p) != char.BACKSLASH) return groupLength(p, end);
  if (p + 2 > end) return 0;
  character = char.SLASH;
  if (load8(p + 1) == char.SLASH) return 2;
  const length = texLength(p, end);
  if (length != 0) return length;
  const isByte = isByteAt(p, end);
  character = isByte ? hexPair(p + 2) : escapedUnitAt(p, end);
  if (isByte && character >= char.NON_ASCII) return bytesLength(p, end);
  if (isByte || character < char.NON_ASCII) {
    const isPart = character > char.SPACE && character < char.DELETE && !isAlphanumeric(character);
    if (!isPart || (classOf(character) & (1 << SET_DELIMITER)) != 0) return 0;
    return isByte ? BYTE_BYTES : UNIT_BYTES;
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
  if (p - 1 > start && groupLength(p - 2, end) != 0) return p - 2;
  return p > start && groupLength(p - 1, end) != 0 ? p - 1 : p;
}

/** Returns the number of bytes of `character` in UTF-8. */
function characterBytes(): i32 {
  if (character == NO_CHARACTER) return 0;
  return character < char.NON_ASCII ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

/** Returns `run`, or the address after the escape of more than one character whose last characters begin the run (C116). */
export function skipEscaped(run: i32): i32 {
  const length = load8(run - 1) == char.BACKSLASH ? escapedLength(run - 1, state.high) : 0;
  return length > 2 ? run + length - 1 : run;
}

/** Returns the first delimiter byte in [start, bound) that begins no escape; else `bound`, or the end of an escape that crosses it. */
function findTextEnd(start: i32, bound: i32): i32 {
  let p = start;
  while (p < bound) {
    p = findInSet(p, bound, SET_DELIMITER);
    if (p >= bound) return p;
    const sim = p > escapedEnd ? simLength(p - 1, state.high) : 0;
    const length = sim != 0 ? sim - 1 : escapedLength(p, state.high);
    if (length == 0) return p;
    p += length;
    escapedEnd = p;
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
    if (character != NO_CHARACTER) at = storeCharacter(at, character);
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
    copied = REJOIN_REGION + 2 * AROUND;
    textEnd = end;
    copyEnd = writeUnescaped(scheme, end, copied);
    for (let i = 0; i < AROUND; i++) store8(copyEnd + i, 0);
  }
  // The scheme may begin inside an escape that the copy does not have.
  const inside = source - scheme;
  assert(inside >= 0 && inside <= AROUND);
  copyBytes(copied - inside - AROUND, scheme - AROUND, AROUND + inside);
  return copied - inside;
}

/** Returns findTextEnd for `scheme`, at most urlBytesMax + 1 bytes on. Searches the text of several candidates once. */
function findEndOnce(scheme: i32): i32 {
  const isKnown = scheme >= clearFrom && scheme < clearTo;
  if (!isKnown) escapedEnd = scheme;
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
