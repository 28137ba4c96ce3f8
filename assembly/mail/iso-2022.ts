// Charsets of seven bits that shift between sets of characters: ISO-2022-JP, -KR and -CN, and HZ (A8).

import { ESC, LF, TILDE } from "../bytes/characters.ts";
import { TABLE_CHINESE, TABLE_KOREAN } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { characterOf, japaneseCharacter, KATAKANA_FIRST } from "./character-table.ts";
import { put, putOne, skipTo } from "./converted.ts";

// Sets of characters: ASCII, four sets of two bytes a character, half-width katakana.
const SET_ASCII: i32 = 0;
const SET_CHINESE: i32 = 1;
const SET_KOREAN: i32 = 2;
const SET_JAPANESE: i32 = 3;
const SET_OTHER: i32 = 4;
const SET_KATAKANA: i32 = 5;

/** The byte that begins the set of an earlier escape sequence `$)`. */
export const SHIFT_OUT: i32 = 0x0e;
export const SHIFT_IN: i32 = 0x0f; // The byte that ends the set of SHIFT_OUT
const FIRST: i32 = 0x21; // Lowest byte of a character in all sets
const LAST: i32 = 0x7e; // Highest byte of a character in sets of two bytes a character, and of the end of an escape sequence
const KATAKANA_LAST: i32 = 0x5f; // Highest byte of a half-width katakana
const INTERMEDIATES_MAX: i32 = 3; // Most bytes between ESC and the last byte of an escape sequence

let isHz: bool = false;
/** The set of the next bytes. */
let set: i32 = SET_ASCII;
/** The set that SHIFT_OUT begins; SET_ASCII: SHIFT_OUT and SHIFT_IN are ordinary bytes. */
let outSet: i32 = SET_ASCII;

export function beginShifts(hz: bool): void {
  isHz = hz;
  set = SET_ASCII;
  outSet = SET_ASCII;
}

/** Whether the next ASCII bytes stand for other characters. */
export function isShifted(): bool {
  return set != SET_ASCII;
}

/** Returns to ASCII at the end of a line. */
export function endShiftedLine(): void {
  set = SET_ASCII;
}

/** Reads the character or the change of sets at `p`; returns the address after it, or -1: undecided. */
export function readShifted(p: i32, end: i32, isEnd: bool): i32 {
  const c = load8(p);
  const next = c == TILDE && isHz ? readTilde(p, end, isEnd) : c == ESC && !isHz ? readSequence(p, end, isEnd) : p;
  if (next != p) return next;
  if (outSet != SET_ASCII && (c == SHIFT_OUT || c == SHIFT_IN)) {
    set = c == SHIFT_OUT ? outSet : SET_ASCII;
    skipTo(p + 1);
    return p + 1;
  }
  if (c == LF) set = SET_ASCII;
  if (set == SET_ASCII || c < FIRST || c > LAST) {
    putOne(c);
    return p + 1;
  }
  if (set == SET_KATAKANA) return put(c <= KATAKANA_LAST ? KATAKANA_FIRST + c - FIRST : 0, p + 1);
  if (p + 1 >= end) return isEnd ? put(0, p + 1) : -1;
  const second = load8(p + 1);
  if (second < FIRST || second > LAST) return put(0, p + 1);
  return put(pairOf(c, second), p + 2);
}

/** Returns the character of two bytes of the set, or 0. */
function pairOf(row: i32, cell: i32): i32 {
  if (set == SET_JAPANESE) return japaneseCharacter(row, cell);
  return set == SET_OTHER ? 0 : characterOf(set == SET_CHINESE ? TABLE_CHINESE : TABLE_KOREAN, row | 0x80, cell | 0x80);
}

/** Reads the escape of HZ at `p`, a `~` (RFC 1843). Returns the address after it, `p`: there is none, or -1: undecided. */
function readTilde(p: i32, end: i32, isEnd: bool): i32 {
  if (p + 1 >= end) return isEnd ? p : -1;
  const c = load8(p + 1);
  if (c == TILDE && set == SET_ASCII) return put(TILDE, p + 2);
  if (c == 0x7b) set = SET_CHINESE;
  else if (c == 0x7d || c == LF) set = SET_ASCII;
  else return p;
  skipTo(p + 2);
  return p + 2;
}

/** Reads the escape sequence at `p` (ISO 2022). Returns the address after it, `p`: there is none, or -1: undecided. */
function readSequence(p: i32, end: i32, isEnd: bool): i32 {
  let at = p + 1;
  while (at < end && at - p <= INTERMEDIATES_MAX && load8(at) >= 0x20 && load8(at) < 0x30) at++;
  if (at >= end) return isEnd ? p : -1;
  const final = load8(at);
  if (at == p + 1 || final < 0x30 || final > LAST) return p;
  const first = load8(p + 1);
  if (first == 0x28) set = final == 0x49 ? SET_KATAKANA : SET_ASCII;
  else if (first == 0x24 && (at == p + 2 || load8(p + 2) == 0x28)) set = setOf(final);
  else if (first == 0x24 && load8(p + 2) == 0x29) outSet = setOf(final);
  skipTo(at + 1);
  return at + 1;
}

/** Returns the two-byte set whose escape sequence ends in `final`. */
function setOf(final: i32): i32 {
  if (final == 0x40 || final == 0x42) return SET_JAPANESE;
  return final == 0x41 ? SET_CHINESE : final == 0x43 ? SET_KOREAN : SET_OTHER;
}
