// Character references (X9): named ones by the table of HTML, decimal and hexadecimal ones.

import { findByte, isAlphanumeric, lower } from "../bytes/ascii.ts";
import { EQUALS, HASH, LOWER_X, PERCENT, SEMICOLON, SPACE, ZERO } from "../bytes/characters.ts";
import { isSameText, startsWith } from "../bytes/keyword.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { isSurrogate, REPLACEMENT, storeCharacter } from "../bytes/utf8.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { loadReferences } from "../platform/callbacks.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { copyByte, isLast, isShort, putReference, sourceEnd, to as windowEnd } from "./decoded.ts";

/** Most bytes of a reference: the longest name of HTML, `&` and `;`. A longer number is not a reference. */
const REFERENCE_BYTES_MAX: i32 = 33;
const LEGACY_NAME_MAX: i32 = 6; // Length in bytes of the longest name that is read without `;`
const VALUE_MAX: i32 = 0x110000; // The number after the last code point. Higher numbers are read as this one
const WINDOWS_1252_FIRST: i32 = 0x80; // The first number that is read as a byte of windows-1252
const WINDOWS_1252_LAST: i32 = 0x9f; // The last one

/** Length of `&amp;` and `&#38;`. */
const AMPERSAND_BYTES: i32 = 5;
const HEX_AMPERSAND_BYTES: i32 = 6; // Length of `&#x26;`

/** A reader returns this if it cannot decide without more source bytes. */
export const NEED_SOURCE: i32 = -1;
export const NO_REFERENCE: i32 = 0; // No reference is there

let writesTriplets: bool = false;

/** Enters the references of REFERENCE_TABLE, which end at `end`, into REFERENCE_SLOTS. */
function indexReferences(end: i32): void {
  for (let name = layout.REFERENCE_TABLE; name < end; name = findByte(name, end, SPACE) + 1) {
    let mark = name;
    while (isAlphanumeric(load8(mark))) mark++;
    let slot = hashName(name, mark - name);
    while (loadWord(layout.REFERENCE_SLOTS + (slot << 2)) != 0) slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
    storeWord(layout.REFERENCE_SLOTS + (slot << 2), name);
  }
}

function hashName(name: i32, length: i32): i32 {
  let hash = 0;
  for (let i = 0; i < length; i++) hash = (multiply(hash, 31) + load8(name + i)) & (layout.REFERENCE_SLOTS_COUNT - 1);
  return hash;
}

/** Returns the address of the mark after the known name [name, name + length), `=` if it needs no `;` in text, else `:`; or 0. */
function findReference(name: i32, length: i32): i32 {
  if (load8(layout.REFERENCE_TABLE) == 0) indexReferences(layout.REFERENCE_TABLE + loadReferences());
  let slot = hashName(name, length);
  while (true) {
    const known = loadWord(layout.REFERENCE_SLOTS + (slot << 2));
    if (known == 0) return 0;
    const mark = known + length;
    if (isSameText(known, mark, name) && !isAlphanumeric(load8(mark))) return mark;
    slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
  }
}

/**
 * Writes the character of the reference at `p`, or the `&` there if no reference begins with it. Returns the address after the bytes read,
 * or NEED_SOURCE. `isClosed`: a name needs its `;`.
 */
export function readReference(p: i32, isClosed: bool): i32 {
  const next = readName(p, isClosed, false);
  return next == NO_REFERENCE ? copyByte(p) : next;
}

/** Does what readReference does in a value that is a URL. In it 01 to 03 become triplets: the window needs these bytes. (C102) */
export function readUrlReference(p: i32): i32 {
  writesTriplets = true;
  const next = readReference(p, true);
  writesTriplets = false;
  return next;
}

/** Does what readReference does. A number needs its `;` too. */
export function readClosedReference(p: i32): i32 {
  const next = readAfterAmpersand(p + 1);
  return next == NO_REFERENCE ? copyByte(p) : next;
}

/** Writes the character of the closed reference whose name is at `name`, after any notation of `&`. Returns what readName does. (C283) */
export function readAfterAmpersand(name: i32): i32 {
  return readName(name - 1, true, true);
}

/** Does what readReference does in a text. In XML the reference may be escaped: its `&` is a reference itself. (C284) */
export function readTextReference(p: i32, isXml: bool): i32 {
  if (!isXml) return readReference(p, false);
  if (isShort(p, HEX_AMPERSAND_BYTES + 1)) return NEED_SOURCE;
  const left = sourceEnd - p;
  let next = NO_REFERENCE;
  if (left > AMPERSAND_BYTES && (startsWith(p, "&amp;") || startsWith(p, "&#38;"))) next = readAfterAmpersand(p + AMPERSAND_BYTES);
  else if (left > HEX_AMPERSAND_BYTES && startsWith(p, "&#x26;")) next = readAfterAmpersand(p + HEX_AMPERSAND_BYTES);
  return next == NO_REFERENCE ? readReference(p, true) : next;
}

/**
 * Writes the character of the reference whose name or number is after `p`. Returns the address after it, NEED_SOURCE, or NO_REFERENCE.
 * `isStrict`: a number needs its `;` too.
 */
function readName(p: i32, isClosed: bool, isStrict: bool): i32 {
  const bound = p + REFERENCE_BYTES_MAX < sourceEnd ? p + REFERENCE_BYTES_MAX : sourceEnd;
  let end = p + 1;
  if (end < bound && load8(end) == HASH) return readNumber(p, bound, isStrict);
  while (end < bound && isAlphanumeric(load8(end))) end++;
  if (isCut(p, end)) return NEED_SOURCE;
  const length = end - p - 1;
  if (length == 0) return NO_REFERENCE;
  if (end < bound && load8(end) == SEMICOLON) {
    const mark = findReference(p + 1, length);
    if (mark != 0) return putNamed(mark, end + 1);
  }
  if (isClosed) return NO_REFERENCE;
  for (let taken = length < LEGACY_NAME_MAX ? length : LEGACY_NAME_MAX; taken > 1; taken--) {
    const mark = findReference(p + 1, taken);
    if (mark != 0 && load8(mark) == EQUALS) return putNamed(mark, p + 1 + taken);
  }
  return NO_REFERENCE;
}

/** Whether the reference at `p`, which has been read up to `end`, may continue after the source bytes. */
function isCut(p: i32, end: i32): bool {
  return !isLast && end == sourceEnd && end < p + REFERENCE_BYTES_MAX;
}

function putNamed(mark: i32, end: i32): i32 {
  return putReference(mark + 1, findByte(mark, layout.VALUE_REGION, SPACE) - mark - 1, end);
}

function readNumber(p: i32, bound: i32, isStrict: bool): i32 {
  const hex = p + 2 < bound && lower(load8(p + 2)) == LOWER_X;
  const digits = hex ? p + 3 : p + 2;
  const value = parseNumber(digits, bound, hex, VALUE_MAX);
  const at = numberEnd;
  if (isCut(p, at)) return NEED_SOURCE;
  const isClosed = at < bound && load8(at) == SEMICOLON;
  if (at == digits || at == p + REFERENCE_BYTES_MAX || (isStrict && !isClosed)) return NO_REFERENCE;
  const end = isClosed ? at + 1 : at;
  let to = layout.REFERENCE_NUMBER;
  if (writesTriplets && value > 0 && value <= layout.CONTEXT_RAW && load8(windowEnd - 1) > SPACE) {
    if (isShort(end, 1)) return NEED_SOURCE;
    // White space and controls at the edges are no part of the URL.
    if (end < sourceEnd && isAlphanumeric(load8(end))) {
      store8(to, PERCENT);
      store8(to + 1, ZERO);
      to = storeCharacter(to + 2, ZERO + value);
    }
  }
  if (to == layout.REFERENCE_NUMBER) to = storeCharacter(to, characterOf(value));
  return putReference(layout.REFERENCE_NUMBER, to - layout.REFERENCE_NUMBER, end);
}

/** Returns the character that HTML reads for a number: U+FFFD if there is none, windows-1252 from 80 to 9F. */
function characterOf(value: i32): i32 {
  if (value == 0 || value >= VALUE_MAX || isSurrogate(value)) return REPLACEMENT;
  if (value < WINDOWS_1252_FIRST || value > WINDOWS_1252_LAST) return value;
  return loadWord(layout.WINDOWS_1252 + ((value - WINDOWS_1252_FIRST) << 2));
}
