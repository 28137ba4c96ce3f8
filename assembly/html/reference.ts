// Character references (X9): named ones by the table of HTML, decimal and hexadecimal ones.

import { isAlphanumeric, lower } from "../bytes/ascii.ts";
import { HASH, LOWER_X, SEMICOLON } from "../bytes/characters.ts";
import { isSameText } from "../bytes/keyword.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { isSurrogate, REPLACEMENT, storeCharacter } from "../bytes/utf8.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { copyByte, isLast, putReference, sourceEnd } from "./decoded.ts";

/** Most bytes of a reference: the longest name of HTML, `&` and `;`. A longer number is not a reference. */
const REFERENCE_BYTES_MAX: i32 = 33;
/** Length in bytes of the longest name that is read without `;`. */
const LEGACY_NAME_MAX: i32 = 6;
/** The number after the last code point. Higher numbers are read as this one. */
const VALUE_MAX: i32 = 0x110000;
/** The first number that is read as a byte of windows-1252. */
const WINDOWS_1252_FIRST: i32 = 0x80;
/** The last one. */
const WINDOWS_1252_LAST: i32 = 0x9f;

/** A reader returns this if it cannot decide without more source bytes. */
export const NEED_SOURCE: i32 = -1;

/** Enters the reference at the address `entry`, in REFERENCE_TABLE, into REFERENCE_SLOTS. */
export function indexReference(entry: i32): void {
  let slot = hashName(entry + layout.REFERENCE_NAME, load8(entry + layout.REFERENCE_NAME_LENGTH));
  while (loadWord(layout.REFERENCE_SLOTS + (slot << 2)) != 0) slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
  storeWord(layout.REFERENCE_SLOTS + (slot << 2), entry);
}

function hashName(name: i32, length: i32): i32 {
  let hash = 0;
  for (let i = 0; i < length; i++) hash = (multiply(hash, 31) + load8(name + i)) & (layout.REFERENCE_SLOTS_COUNT - 1);
  return hash;
}

/** Returns the address of the entry of the name [name, name + length), or 0. */
function findReference(name: i32, length: i32): i32 {
  let slot = hashName(name, length);
  while (true) {
    const entry = loadWord(layout.REFERENCE_SLOTS + (slot << 2));
    if (entry == 0) return 0;
    const known = entry + layout.REFERENCE_NAME;
    if (isSameText(known, known + load8(entry + layout.REFERENCE_NAME_LENGTH), name, name + length)) return entry;
    slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
  }
}

/**
 * Writes the character of the reference at `p`, or the `&` there if no reference begins with it. Returns the address after the bytes read,
 * or NEED_SOURCE. `isClosed`: a name needs its `;`.
 */
export function readReference(p: i32, isClosed: bool): i32 {
  const bound = p + REFERENCE_BYTES_MAX < sourceEnd ? p + REFERENCE_BYTES_MAX : sourceEnd;
  let end = p + 1;
  if (end < bound && load8(end) == HASH) return readNumber(p, bound);
  while (end < bound && isAlphanumeric(load8(end))) end++;
  if (isCut(p, end)) return NEED_SOURCE;
  const length = end - p - 1;
  if (length == 0) return copyByte(p);
  if (end < bound && load8(end) == SEMICOLON) {
    const entry = findReference(p + 1, length);
    if (entry != 0) return putEntry(entry, end + 1);
  }
  if (isClosed) return copyByte(p);
  for (let taken = length < LEGACY_NAME_MAX ? length : LEGACY_NAME_MAX; taken > 1; taken--) {
    const entry = findReference(p + 1, taken);
    if (entry != 0 && load8(entry + layout.REFERENCE_LEGACY) != 0) return putEntry(entry, p + 1 + taken);
  }
  return copyByte(p);
}

/** Whether the reference at `p`, which has been read up to `end`, may continue after the source bytes. */
function isCut(p: i32, end: i32): bool {
  return !isLast && end == sourceEnd && end < p + REFERENCE_BYTES_MAX;
}

function putEntry(entry: i32, end: i32): i32 {
  return putReference(entry + layout.REFERENCE_VALUE, load8(entry + layout.REFERENCE_LENGTH), end);
}

function readNumber(p: i32, bound: i32): i32 {
  const hex = p + 2 < bound && lower(load8(p + 2)) == LOWER_X;
  const digits = hex ? p + 3 : p + 2;
  const value = parseNumber(digits, bound, hex, VALUE_MAX);
  const at = numberEnd;
  if (isCut(p, at)) return NEED_SOURCE;
  const isClosed = at < bound && load8(at) == SEMICOLON;
  if (at == digits || at == p + REFERENCE_BYTES_MAX) return copyByte(p);
  const length = storeCharacter(layout.REFERENCE_NUMBER, characterOf(value)) - layout.REFERENCE_NUMBER;
  return putReference(layout.REFERENCE_NUMBER, length, isClosed ? at + 1 : at);
}

/** Returns the character that HTML reads for a number: U+FFFD if there is none, windows-1252 from 80 to 9F. */
function characterOf(value: i32): i32 {
  if (value == 0 || value >= VALUE_MAX || isSurrogate(value)) return REPLACEMENT;
  if (value < WINDOWS_1252_FIRST || value > WINDOWS_1252_LAST) return value;
  return loadWord(layout.WINDOWS_1252 + ((value - WINDOWS_1252_FIRST) << 2));
}
