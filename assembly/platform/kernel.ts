// The kernels for asc, with SIMD: the few loops that look at every byte. javascript/kernel.ts has the same names; trigger.ts has the search
// for triggers. They may read up to 64 bytes after `end` and 16 before `start`, but never return an address there.

import { classOf, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_NOT_BASE64, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { isLineMark } from "./line-mark.ts";
import { load8 } from "./memory.ts";
import { bitsOf, highTable, least, lowTable, outside, splatOf } from "./vector.ts";

/** `http`, the first letter in the lowest byte. */
const HTTP: i32 = 0x70747468;

/** Returns the address of the first byte of `set` (SET_*) in [start, end), or `end`. */
export function findInSet(start: i32, end: i32, set: i32): i32 {
  const low = lowTable(set);
  const high = highTable(set);
  const nibble = splatOf(0x0f);
  for (let p = start; p < end; p += 32) {
    const mask = ~(i8x16.bitmask(outside(p, low, high, nibble)) | (i8x16.bitmask(outside(p + 16, low, high, nibble)) << 16));
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/** Copies [start, end) to `to`, up to the first byte of `set`; returns the address of that byte, or `end`. Writes up to 32 bytes more. */
export function copyUntil(to: i32, start: i32, end: i32, set: i32): i32 {
  const low = lowTable(set);
  const high = highTable(set);
  const nibble = splatOf(0x0f);
  for (let p = start; p < end; p += 32) {
    const mask = ~(i8x16.bitmask(outside(p, low, high, nibble)) | (i8x16.bitmask(outside(p + 16, low, high, nibble)) << 16));
    v128.store(to + (p - start), v128.load(p));
    v128.store(to + (p - start), v128.load(p, 16), 16);
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/**
 * Copies [start, end) to `to`, up to the first backslash or `&`; returns the address of that byte, or `end`. Writes quotation marks as
 * CONTEXT_RAW, and bytes 01 to 03 as 04. Writes up to 32 bytes more.
 */
export function copyUnquoted(to: i32, start: i32, end: i32): i32 {
  const one = splatOf(1);
  const two = splatOf(2);
  const three = splatOf(3);
  const four = splatOf(4);
  const quote = splatOf(char.QUOTE);
  const backslash = splatOf(char.BACKSLASH);
  const ampersand = splatOf(char.AMPERSAND);
  for (let p = start; p < end; p += 32) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const at = to + (p - start);
    v128.store(at, v128.bitselect(three, neutral(a, one, two, four), i8x16.eq(a, quote)));
    v128.store(at, v128.bitselect(three, neutral(b, one, two, four), i8x16.eq(b, quote)), 16);
    const first = v128.or(i8x16.eq(a, backslash), i8x16.eq(a, ampersand));
    const second = v128.or(i8x16.eq(b, backslash), i8x16.eq(b, ampersand));
    const mask = i8x16.bitmask(first) | (i8x16.bitmask(second) << 16);
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/** Returns the address of the first CONTEXT_RAW, LF or colon in [start, end), or `end`. */
export function findStringEnd(start: i32, end: i32): i32 {
  const three = splatOf(3);
  const feed = splatOf(char.LF);
  const colon = splatOf(char.COLON);
  for (let p = start; p < end; p += 16) {
    const v = v128.load(p);
    const mask = i8x16.bitmask(v128.or(v128.or(i8x16.eq(v, three), i8x16.eq(v, feed)), i8x16.eq(v, colon)));
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/** Returns the address of the first byte in [start, end) that is not ASCII, or `end` (A18). */
export function findNonAscii(start: i32, end: i32): i32 {
  for (let p = start; p < end; p += 32) {
    const mask = i8x16.bitmask(v128.load(p)) | (i8x16.bitmask(v128.load(p, 16)) << 16);
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/** Returns the first LF in [start, end), or `end`. Looks at 64 bytes a turn: most lines take one turn, so the branch is predicted. */
export function findLineFeed(start: i32, end: i32): i32 {
  for (let p = start; p < end; p += 64) {
    const mask = bitsOf(lineFeeds(p), lineFeeds(p + 16), lineFeeds(p + 32), lineFeeds(p + 48));
    if (mask != 0) return least(p + (ctz(mask) as i32), end);
  }
  return end;
}

function lineFeeds(p: i32): v128 {
  return i8x16.eq(v128.load(p), i8x16.splat(char.LF as i8));
}

/** Whether a comma is in [start, end). */
export function hasComma(start: i32, end: i32): bool {
  for (let p = start; p < end; p += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16.splat(char.COMMA as i8)));
    if (mask != 0) return p + ctz(mask) < end;
  }
  return false;
}

/** Returns the first LF or `=?` in [start, end), or `end`. Looks at 64 bytes a turn, as findLineFeed does. */
export function findFeedOrWord(start: i32, end: i32): i32 {
  for (let p = start; p < end; p += 64) {
    const mask = bitsOf(feedsOrWords(p), feedsOrWords(p + 16), feedsOrWords(p + 32), feedsOrWords(p + 48));
    if (mask != 0) return least(p + (ctz(mask) as i32), end);
  }
  return end;
}

function feedsOrWords(p: i32): v128 {
  const v = v128.load(p);
  const word = v128.and(i8x16.eq(v, i8x16.splat(char.EQUALS as i8)), i8x16.eq(v128.load(p, 1), i8x16.splat(char.QUESTION as i8)));
  return v128.or(i8x16.eq(v, i8x16.splat(char.LF as i8)), word);
}

/** Returns the start of the longest run of scheme characters that ends at `end`, but at least `low`. */
export function findSchemeRun(low: i32, end: i32): i32 {
  const others = i8x16.bitmask(outside(end - 16, lowTable(SET_NOT_SCHEME), highTable(SET_NOT_SCHEME), splatOf(0x0f))) ^ 0xffff;
  let p = end;
  if (others != 0) {
    p = end + 16 - (clz(others) as i32);
    return p > low ? p : low;
  }
  while (p > low && (classOf(load8(p - 1)) & (1 << SET_NOT_SCHEME)) == 0) p--;
  return p;
}

/** Returns the length of `http` or `https`, in any case, right before `end`; 0: neither is there. */
export function usualLength(end: i32): i32 {
  const length = lower(load8(end - 1)) == char.LOWER_S ? 5 : 4;
  return (load<i32>(end - length) | 0x20202020) == HTTP ? length : 0;
}

/** Whether the name [name, name + length), of scheme characters, equals the name at `known`, in lower case with zeros after it. */
export function isSameName(known: i32, name: i32, length: i32): bool {
  if (length <= 16) {
    const lower = v128.or(v128.load(name), i8x16.splat(0x20));
    return (~i8x16.bitmask(i8x16.eq(lower, v128.load(known))) & ((1 << length) - 1)) == 0;
  }
  for (let i = 0; i < length; i++) {
    if (load8(known + i) != (load8(name + i) | 0x20)) return false;
  }
  return true;
}

/**
 * Copies [start, end) to `to`. Returns whether the copy is whole: false at a byte of `trouble` (SET_*) or at a `/.`, even if its dot is at
 * `end`. Copies 64 bytes a turn and writes up to 64 more: most paths take one turn, so the branch is predicted.
 */
export function copyClean(to: i32, start: i32, end: i32, trouble: i32): bool {
  const low = lowTable(trouble);
  const high = highTable(trouble);
  const nibble = splatOf(0x0f);
  for (let p = start; p < end; p += 64) {
    const isClean = bitsOf(
      clean(p, low, high, nibble),
      clean(p + 16, low, high, nibble),
      clean(p + 32, low, high, nibble),
      clean(p + 48, low, high, nibble),
    );
    const at = to + (p - start);
    v128.store(at, v128.load(p));
    v128.store(at, v128.load(p, 16), 16);
    v128.store(at, v128.load(p, 32), 32);
    v128.store(at, v128.load(p, 48), 48);
    if (~isClean != 0) return p + (ctz(~isClean) as i32) >= end;
  }
  return true;
}

/** Returns for each of the 16 bytes at `p`: FF if it is neither in the set nor a slash before a dot, else 0. */
function clean(p: i32, low: v128, high: v128, nibble: v128): v128 {
  const dot = v128.and(i8x16.eq(v128.load(p), i8x16.splat(char.SLASH as i8)), i8x16.eq(v128.load(p, 1), i8x16.splat(char.DOT as i8)));
  return v128.andnot(outside(p, low, high, nibble), dot);
}

/**
 * Decodes whole groups of four digits of base64 (A6) from `start` on, up to the first byte that is no digit, to `to`; returns the source
 * address after them. Writes up to 16 bytes more.
 */
export function decodeGroups(to: i32, start: i32, end: i32): i32 {
  const low = lowTable(SET_NOT_BASE64);
  const high = highTable(SET_NOT_BASE64);
  const nibble = splatOf(0x0f);
  let p = start;
  let at = to;
  while (true) {
    const others = i8x16.bitmask(outside(p, low, high, nibble)) ^ 0xffff;
    const digits = ctz(others | 0x10000);
    const count = least(digits, end - p) & ~3;
    if (count <= 0) return p;
    v128.store(at, base64Bytes(v128.load(p), nibble));
    p += count;
    at += count - (count >> 2);
    if (count < 16) return p;
  }
}

/** Returns the 12 bytes of 16 digits of base64, and four more. */
function base64Bytes(v: v128, nibble: v128): v128 {
  // A digit and the number at its high nibble add up to its value. `/` has the nibble of `+`, so its index is one less.
  const added = i8x16(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const rows = i8x16.add(v128.and(i16x8.shr_u(v, 4), nibble), i8x16.eq(v, i8x16.splat(char.SLASH as i8)));
  const values = i8x16.add(v, i8x16.swizzle(added, rows));
  const pairs = v128.or(i16x8.shl(v128.and(values, i16x8.splat(0x3f)), 6), i16x8.shr_u(values, 8));
  const groups = i32x4.dot_i16x8_s(pairs, i16x8(4096, 1, 4096, 1, 4096, 1, 4096, 1));
  return i8x16.swizzle(groups, i8x16(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 16, 16, 16, 16));
}

/** Copies `count` bytes, most often few, to `to`; returns the address after them. Writes up to 16 bytes more. */
export function copyShort(to: i32, from: i32, count: i32): i32 {
  for (let at = 0; at < count; at += 16) v128.store(to + at, v128.load(from + at));
  return to + count;
}

/** Copies [start, end) to `to` with A-Z in lower case. Writes up to 32 bytes more. */
export function copyLower(to: i32, start: i32, end: i32): void {
  for (let p = start; p < end; p += 32) {
    v128.store(to + (p - start), lowered(v128.load(p)));
    v128.store(to + (p - start), lowered(v128.load(p, 16)), 16);
  }
}

function lowered(v: v128): v128 {
  const letter = i8x16.sub(v, i8x16.splat(char.UPPER_A as i8));
  const isUpper = i8x16.eq(i8x16.min_u(letter, i8x16.splat(25)), letter);
  return v128.or(v, v128.and(isUpper, i8x16.splat(0x20)));
}

/** Copies [start, end) to `to`. Writes the bytes 01 to 03, which would be CONTEXT_*, as 04. Writes up to 64 bytes more. */
export function copyText(to: i32, start: i32, end: i32): void {
  const one = splatOf(1);
  const two = splatOf(2);
  const four = splatOf(4);
  for (let p = start; p < end; p += 64) {
    const at = to + (p - start);
    v128.store(at, neutral(v128.load(p), one, two, four));
    v128.store(at, neutral(v128.load(p, 16), one, two, four), 16);
    v128.store(at, neutral(v128.load(p, 32), one, two, four), 32);
    v128.store(at, neutral(v128.load(p, 48), one, two, four), 48);
  }
}

function neutral(v: v128, one: v128, two: v128, four: v128): v128 {
  const less = i8x16.sub(v, one);
  return v128.bitselect(four, v, i8x16.eq(i8x16.min_u(less, two), less));
}

/**
 * Returns the first address in [start, end) of a mark that may end a text at the start of a line, or `end`: `Fr` after LF or `>`; `--`,
 * `be`, `=y` after LF (A2, A4, A7).
 */
export function findLineMark(start: i32, end: i32): i32 {
  const feed = splatOf(char.LF);
  const greater = splatOf(char.GREATER);
  const upper = splatOf(char.UPPER_F);
  const small = splatOf(char.LOWER_B);
  const signs = splatOf(char.EQUALS);
  const bit = splatOf(char.EQUALS ^ char.HYPHEN);
  for (let p = start; p < end; p += 32) {
    const a = lineMarks(p, feed, greater, upper, small, signs, bit);
    const b = lineMarks(p + 16, feed, greater, upper, small, signs, bit);
    let rest = i8x16.bitmask(a) | (i8x16.bitmask(b) << 16);
    while (rest != 0) {
      const at = p + ctz(rest);
      if (at >= end) return end;
      if (isLineMark(at)) return at;
      rest &= rest - 1;
    }
  }
  return end;
}

// Returns FF for each of the 16 bytes at `p` that may begin a line mark, else 0. `-` and `=` differ in one bit, so one comparison does. One
// finds LF and NUL: only 02 and 08 have no other bits either.
function lineMarks(p: i32, feed: v128, greater: v128, upper: v128, small: v128, signs: v128, bit: v128): v128 {
  const v = v128.load(p);
  const before = v128.load(p - 1);
  const letter = v128.or(i8x16.eq(v, upper), i8x16.eq(v, small));
  const first = v128.or(letter, i8x16.eq(v128.or(v, bit), signs));
  return v128.and(first, v128.or(i8x16.eq(v128.andnot(before, feed), i8x16.splat(0)), i8x16.eq(before, greater)));
}

/** Returns the address of the first byte in [start, end) that is a colon, 00 to 20, or 7F to FF: no field name has it; or `end`. (A3) */
export function findFieldNameEnd(start: i32, end: i32): i32 {
  for (let p = start; p < end; p += 16) {
    const v = v128.load(p);
    const others = v128.or(i8x16.lt_s(v, i8x16.splat((char.SPACE + 1) as i8)), i8x16.eq(v, i8x16.splat(char.DELETE as i8)));
    const mask = i8x16.bitmask(v128.or(others, i8x16.eq(v, i8x16.splat(char.COLON as i8))));
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}

/** Writes `c` to [to, to + count), and up to 16 bytes more. */
export function fill(to: i32, count: i32, c: i32): void {
  const v = i8x16.splat(c as i8);
  for (let at = 0; at < count; at += 16) v128.store(to + at, v);
}
