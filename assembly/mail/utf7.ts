// UTF-7 to UTF-8 (RFC 2152): characters in base64 after `+`, up to a `-` or the first byte that is no digit.

import { HYPHEN, PLUS } from "../bytes/characters.ts";
import { codePointOf, isLowSurrogate, isSurrogate, REPLACEMENT } from "../bytes/utf8.ts";
import { BASE64_TABLE, MAP_SCALE_ONE } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { DIGITS } from "./base64.ts";
import { putCharacter, putOne, skipTo } from "./converted.ts";

export let isInBase64: bool = false;
/** The bits of the last digit that belong to the next unit of 16 bits. */
let bits: i32 = 0;
let bitCount: i32 = 0;
let unit: i32 = 0;

export function beginUtf7(): void {
  isInBase64 = false;
}

/** Reads the character at `p`; returns the address after it, or -1: undecided. */
export function readUtf7(p: i32, end: i32, isEnd: bool): i32 {
  if (isInBase64) {
    const next = readEncoded(p, end, isEnd);
    return next == p ? leaveBase64(p, end, isEnd) : next;
  }
  if (load8(p) == PLUS) {
    if (p + 1 < end && load8(p + 1) == HYPHEN) {
      putCharacter(PLUS, p + 2, MAP_SCALE_ONE);
      return p + 2;
    }
    bits = 0;
    bitCount = 0;
    const next = readEncoded(p + 1, end, isEnd);
    isInBase64 = next > p + 1;
    if (next != p + 1) return next;
  }
  // A `+` without a whole character after it is itself.
  putOne(load8(p));
  return p + 1;
}

/** Reads a character in base64; returns the address after its last digit, `p`: there is none, or -1: undecided. */
function readEncoded(p: i32, end: i32, isEnd: bool): i32 {
  const bitsBefore = bits;
  const countBefore = bitCount;
  let next = readUnit(p, end, isEnd);
  if (next <= p) return next;
  let point = unit;
  if (isSurrogate(point)) {
    const bitsAfter = bits;
    const countAfter = bitCount;
    const second = isLowSurrogate(point) ? next : readUnit(next, end, isEnd);
    if (second < 0) {
      bits = bitsBefore;
      bitCount = countBefore;
      return -1;
    }
    if (second > next && isLowSurrogate(unit)) {
      point = codePointOf(point, unit);
      next = second;
    } else {
      point = REPLACEMENT;
      bits = bitsAfter;
      bitCount = countAfter;
    }
  }
  putCharacter(point, next, MAP_SCALE_ONE);
  return next;
}

/** Reads a unit of 16 bits; returns the address after its last digit, `p`: there are fewer bits, or -1: undecided. */
function readUnit(p: i32, end: i32, isEnd: bool): i32 {
  let value = bits;
  let count = bitCount;
  let at = p;
  while (count < 16) {
    if (at >= end && !isEnd) return -1;
    const digit = at < end ? load8(BASE64_TABLE + load8(at)) : DIGITS;
    if (digit >= DIGITS) return p;
    value = (value << 6) | digit;
    count += 6;
    at++;
  }
  bitCount = count - 16;
  unit = value >> bitCount;
  bits = value & ((1 << bitCount) - 1);
  return at;
}

/**
 * Ends the base64 at `p`, and skips its last digits, which are no whole character, and a hyphen. Writes the byte at `p` if neither is
 * there. Returns the address after the bytes read, or -1: undecided.
 */
function leaveBase64(p: i32, end: i32, isEnd: bool): i32 {
  let at = p;
  while (at < end && load8(BASE64_TABLE + load8(at)) < DIGITS) at++;
  if (at >= end && !isEnd) return -1;
  if (at < end && load8(at) == HYPHEN) at++;
  isInBase64 = false;
  if (at == p) putOne(load8(at++));
  else skipTo(at);
  return at;
}
