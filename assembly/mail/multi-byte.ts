// Converts multi-byte charsets to UTF-8 (A8). Invalid sequences, and characters on which platforms differ, become a byte that ends a match,
// like ill-formed UTF-8.

import { findByte, lower } from "../bytes/ascii.ts";
import { ESC, LOWER_H, NON_ASCII, PLUS, TILDE } from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { TABLE_CHINESE, TABLE_JAPANESE, TABLE_KOREAN, TABLE_TAIWANESE } from "../layout/memory.ts";
import { findNonAscii } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { characterOf, japaneseCharacter, KATAKANA_FIRST } from "./character-table.ts";
import { put, putOne, putRun } from "./converted.ts";
import { beginShifts, isShifted, readShifted, SHIFT_IN, SHIFT_OUT } from "./iso-2022.ts";
import { isConverting, putByte, sequenceLength } from "./one-byte.ts";
import { beginUtf7, isInBase64, readUtf7 } from "./utf7.ts";

/** Byte of the first half-width katakana in Shift_JIS and EUC-JP, and lowest byte of the other characters of several bytes in EUC-JP. */
const KATAKANA: i32 = 0xa1;
const KATAKANA_LAST: i32 = 0xdf; // Byte of the last half-width katakana
const SINGLE_SHIFT_2: i32 = 0x8e; // First byte of a half-width katakana in EUC-JP
const SINGLE_SHIFT_3: i32 = 0x8f; // First byte of a sequence of three bytes in EUC-JP
const ASTRAL_NUMBER: i32 = 189000; // Number of the first four-byte sequence of GB 18030 beyond U+FFFF
const ASTRAL_FIRST: i32 = 0x10000; // The code point of this sequence
const POINT_MAX: i32 = 0x10ffff; // The last code point of Unicode
const HTTPS_BYTES: i32 = 8; // Bytes of `https://`

/** CONVERT_* of the charset of the text, without further bits. */
let charset: i32 = mail.CONVERT_NONE;

/** Begins a text in the charset `convert`, CONVERT_* without further bits. */
export function beginMultiByte(convert: i32): void {
  charset = convert;
  beginShifts(convert == mail.CONVERT_HZ);
  beginUtf7();
}

/** Whether the next ASCII bytes stand for themselves. */
export function isUnshifted(): bool {
  return !isShifted() && !isInBase64;
}

/** Converts [start, end), but not UTF-16; returns the end of the bytes read. An incomplete character waits, unless `isEnd`. */
export function readCharacters(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < end) {
    const plain = plainEnd(p, end);
    putRun(p, plain);
    p = plain;
    if (p == end) break;
    const next = readCharacter(p, end, isEnd);
    if (next < 0) break;
    p = next;
  }
  return p;
}

/** Returns the end of the bytes from `p` on that surely stand for themselves, at most `end`. */
function plainEnd(p: i32, end: i32): i32 {
  if (!isConverting) return end;
  if (charset < mail.CONVERT_ISO_2022) return findNonAscii(p, end);
  if (!isUnshifted()) return p;
  if (charset == mail.CONVERT_UTF_7) return findByte(p, end, PLUS);
  if (charset == mail.CONVERT_HZ) return findByte(p, end, TILDE);
  let at = p;
  while (at < end && load8(at) != ESC && load8(at) != SHIFT_OUT && load8(at) != SHIFT_IN) at++;
  return at;
}

/** Writes the character at `p`; returns the address after it, or -1: undecided. */
export function readCharacter(p: i32, end: i32, isEnd: bool): i32 {
  const c = load8(p);
  if (!isConverting || charset <= mail.CONVERT_ONE_BYTE) {
    const length = sequenceLength(p, end, isEnd);
    if (length < 0) return -1;
    if (length > 0) putRun(p, p + length);
    else putByte(c, p + 1);
    return length > 0 ? p + length : p + 1;
  }
  if (charset == mail.CONVERT_UTF_7) return readUtf7(p, end, isEnd);
  if (charset >= mail.CONVERT_ISO_2022) return readShifted(p, end, isEnd);
  if (c < NON_ASCII) {
    putOne(c);
    return p + 1;
  }
  if (charset == mail.CONVERT_SHIFT_JIS && c >= KATAKANA && c <= KATAKANA_LAST) return put(KATAKANA_FIRST + c - KATAKANA, p + 1);
  if (!isLead(c)) return put(0, p + 1);
  if (p + 1 >= end) return isEnd ? put(0, p + 1) : -1;
  return readPair(c, load8(p + 1), p, end, isEnd);
}

function readPair(lead: i32, trail: i32, p: i32, end: i32, isEnd: bool): i32 {
  if (charset == mail.CONVERT_EUC_JP) {
    if (lead == SINGLE_SHIFT_2) {
      const isKatakana = trail >= KATAKANA && trail <= KATAKANA_LAST;
      return isKatakana ? put(KATAKANA_FIRST + trail - KATAKANA, p + 2) : put(0, p + 1);
    }
    if (lead == SINGLE_SHIFT_3) {
      if (p + 2 >= end && !isEnd) return -1;
      return p + 2 < end && trail >= KATAKANA && load8(p + 2) >= KATAKANA ? put(0, p + 3) : put(0, p + 1);
    }
    return trail >= KATAKANA && trail < 0xff ? put(japaneseCharacter(lead - 0x80, trail - 0x80), p + 2) : put(0, p + 1);
  }
  if (charset == mail.CONVERT_GB && trail >= 0x30 && trail <= 0x39) return readFour(p, end, isEnd);
  if (!isTrail(trail)) return put(0, p + 1);
  if (lower(trail) == LOWER_H) {
    // No character ends in the first letter of `http://`: the text is in another charset, or broken.
    if (end - p <= HTTPS_BYTES && !isEnd) return -1;
    if (startsHttp(p + 1, end)) return put(0, p + 1);
  }
  return put(characterOf(tableOf(), lead, trail), p + 2);
}

function tableOf(): i32 {
  if (charset == mail.CONVERT_GB) return TABLE_CHINESE;
  if (charset == mail.CONVERT_BIG5) return TABLE_TAIWANESE;
  return charset == mail.CONVERT_EUC_KR ? TABLE_KOREAN : TABLE_JAPANESE;
}

/** Reads a character of GB 18030 of four bytes at `p`; returns what readCharacter does. */
function readFour(p: i32, end: i32, isEnd: bool): i32 {
  if (end - p < 4) return isEnd ? put(0, p + 1) : -1;
  const third = load8(p + 2);
  const fourth = load8(p + 3);
  if (third < 0x81 || third > 0xfe || fourth < 0x30 || fourth > 0x39) return put(0, p + 1);
  const number = (((load8(p) - 0x81) * 10 + load8(p + 1) - 0x30) * 126 + third - 0x81) * 10 + fourth - 0x30;
  const point = number - ASTRAL_NUMBER + ASTRAL_FIRST;
  return put(point >= ASTRAL_FIRST && point <= POINT_MAX ? point : 0, p + 4);
}

function startsHttp(p: i32, end: i32): bool {
  return (end - p >= HTTPS_BYTES - 1 && startsWithAnyCase(p, "http://")) || (end - p >= HTTPS_BYTES && startsWithAnyCase(p, "https://"));
}

/** Whether a character of several bytes may begin with `c`. */
function isLead(c: i32): bool {
  if (charset == mail.CONVERT_SHIFT_JIS) return c > 0x80 && c <= 0xfc && c != 0xa0;
  if (charset == mail.CONVERT_EUC_JP) return (c >= KATAKANA && c < 0xff) || c == SINGLE_SHIFT_2 || c == SINGLE_SHIFT_3;
  return c > 0x80 && c < 0xff;
}

/** Whether `c` may be the second byte of a character of two bytes. */
function isTrail(c: i32): bool {
  if (c < 0x40 || c == 0x7f || c > 0xfe) return false;
  if (charset == mail.CONVERT_SHIFT_JIS) return c <= 0xfc;
  if (charset == mail.CONVERT_BIG5) return c < 0x7f || c > 0xa0;
  if (charset != mail.CONVERT_EUC_KR) return true;
  return c > 0x80 || (c > 0x40 && c < 0x5b) || (c > 0x60 && c < 0x7b);
}
