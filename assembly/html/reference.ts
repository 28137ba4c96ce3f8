// Character references (X9): named ones by the table of HTML, decimal and hexadecimal ones.

import { classOf, lower } from "../bytes/ascii.ts";
import { CLASS_ALPHA, CLASS_DIGIT } from "../bytes/classes.ts";
import { digitValue } from "../bytes/number.ts";
import { storeCharacter } from "../bytes/utf8.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { copyByte, isLast, putReference, sourceEnd } from "./decoded.ts";

/** Longest reference in bytes: HTML's longest name, `&` and `;`. A number that is longer is none. */
const REFERENCE_BYTES_MAX: i32 = 33;
/** Longest name that is read without `;`. */
const LEGACY_NAME_MAX: i32 = 6;
/** Values from here on are all the same. */
const VALUE_MAX: i32 = 0x110000;

/** What a reader returns when it cannot decide without more source bytes. */
export const NEED_SOURCE: i32 = -1;

/** Enters the reference at `entry` of REFERENCE_TABLE into the slots. */
export function enterReference(entry: i32): void {
  let slot = hashName(entry + layout.REFERENCE_NAME, load8(entry + layout.REFERENCE_NAME_LENGTH));
  while (loadWord(layout.REFERENCE_SLOTS + (slot << 2)) != 0) slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
  storeWord(layout.REFERENCE_SLOTS + (slot << 2), entry);
}

function hashName(name: i32, length: i32): i32 {
  let hash = 0;
  for (let i = 0; i < length; i++) hash = (multiply(hash, 31) + load8(name + i)) & (layout.REFERENCE_SLOTS_COUNT - 1);
  return hash;
}

/** The reference of the name [name, name + length), or 0. */
function findReference(name: i32, length: i32): i32 {
  let slot = hashName(name, length);
  while (true) {
    const entry = loadWord(layout.REFERENCE_SLOTS + (slot << 2));
    if (entry == 0) return 0;
    if (load8(entry + layout.REFERENCE_NAME_LENGTH) == length && isSame(entry + layout.REFERENCE_NAME, name, length)) return entry;
    slot = (slot + 1) & (layout.REFERENCE_SLOTS_COUNT - 1);
  }
}

function isSame(known: i32, name: i32, length: i32): bool {
  for (let i = 0; i < length; i++) {
    if (load8(known + i) != load8(name + i)) return false;
  }
  return true;
}

/**
 * Writes what the `&` at `p` stands for: a character, or itself. Returns the address behind what that took, or NEED_SOURCE. In an attribute
 * every reference needs its `;`.
 */
export function readReference(p: i32, inAttribute: bool): i32 {
  const bound = p + REFERENCE_BYTES_MAX < sourceEnd ? p + REFERENCE_BYTES_MAX : sourceEnd;
  let end = p + 1;
  if (end < bound && load8(end) == 0x23) return readNumber(p, bound, inAttribute);
  while (end < bound && (classOf(load8(end)) & (CLASS_ALPHA | CLASS_DIGIT)) != 0) end++;
  if (isCut(p, end)) return NEED_SOURCE;
  const length = end - p - 1;
  if (length == 0) return copyByte(p);
  if (end < bound && load8(end) == 0x3b) {
    const entry = findReference(p + 1, length);
    if (entry != 0) return putEntry(entry, end + 1);
  }
  if (inAttribute) return copyByte(p);
  for (let taken = length < LEGACY_NAME_MAX ? length : LEGACY_NAME_MAX; taken > 1; taken--) {
    const entry = findReference(p + 1, taken);
    if (entry != 0 && load8(entry + layout.REFERENCE_LEGACY) != 0) return putEntry(entry, p + 1 + taken);
  }
  return copyByte(p);
}

/** Whether the reference at `p` may go on at `end`, behind the source that there is. */
function isCut(p: i32, end: i32): bool {
  return !isLast && end == sourceEnd && end < p + REFERENCE_BYTES_MAX;
}

function putEntry(entry: i32, end: i32): i32 {
  return putReference(entry + layout.REFERENCE_VALUE, load8(entry + layout.REFERENCE_LENGTH), end);
}

function readNumber(p: i32, bound: i32, inAttribute: bool): i32 {
  let at = p + 2;
  const hex = at < bound && lower(load8(at)) == 0x78;
  if (hex) at++;
  const digits = at;
  let value = 0;
  while (at < bound) {
    const digit = digitValue(load8(at), hex);
    if (digit < 0) break;
    value = hex ? (value << 4) | digit : value * 10 + digit;
    if (value > VALUE_MAX) value = VALUE_MAX;
    at++;
  }
  if (isCut(p, at)) return NEED_SOURCE;
  const isClosed = at < bound && load8(at) == 0x3b;
  if (at == digits || at == p + REFERENCE_BYTES_MAX || (inAttribute && !isClosed)) return copyByte(p);
  const length = storeCharacter(layout.REFERENCE_NUMBER, characterOf(value)) - layout.REFERENCE_NUMBER;
  return putReference(layout.REFERENCE_NUMBER, length, isClosed ? at + 1 : at);
}

/** The character that HTML reads for a number: U+FFFD for what is none, windows-1252 for 80 to 9F. */
function characterOf(value: i32): i32 {
  if (value == 0 || value >= VALUE_MAX || (value >= 0xd800 && value <= 0xdfff)) return 0xfffd;
  return value >= 0x80 && value <= 0x9f ? loadWord(layout.WINDOWS_1252 + ((value - 0x80) << 2)) : value;
}
