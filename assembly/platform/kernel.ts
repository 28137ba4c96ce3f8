// The kernels for asc: the few loops that look at every byte. javascript/kernel.ts has the same names; the search for
// triggers stands in trigger.ts.
// SIMD bodies may read up to 64 bytes behind `end` and 16 before `start`; what they find there is never returned.

import { CLASS_SCHEME, SET_NOT_BASE64, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { BASE64_TABLE, CLASS_TABLE } from "../layout/memory.ts";
import { load8, loadWord } from "./memory.ts";
import { bitsOf, highTable, lowTable, outside, splatOf } from "./vector.ts";

const COLON: i32 = 0x3a;

function classOf(c: i32): i32 {
  return loadWord(CLASS_TABLE + (c << 2));
}

/** First byte of `set` (SET_*) in [start, end), or `end`. */
export function findInSet(start: i32, end: i32, set: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const low = lowTable(set);
    const high = highTable(set);
    const nibble = splatOf(0x0f);
    while (p < end) {
      const mask = ~(i8x16.bitmask(outside(p, low, high, nibble)) | (i8x16.bitmask(outside(p + 16, low, high, nibble)) << 16));
      if (mask != 0) {
        const at = p + ctz(mask);
        return at < end ? at : end;
      }
      p += 32;
    }
    return end;
  }
  const bit = 1 << set;
  while (p < end && (classOf(load8(p)) & bit) == 0) p++;
  return p;
}

/** Copies [start, end) to `to`, up to the first byte of `set`; returns the address of that, or `end`. Writes up to 32 bytes more. */
export function copyUntil(to: i32, start: i32, end: i32, set: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const low = lowTable(set);
    const high = highTable(set);
    const nibble = splatOf(0x0f);
    for (; p < end; p += 32) {
      const mask = ~(i8x16.bitmask(outside(p, low, high, nibble)) | (i8x16.bitmask(outside(p + 16, low, high, nibble)) << 16));
      v128.store(to + (p - start), v128.load(p));
      v128.store(to + (p - start), v128.load(p, 16), 16);
      if (mask != 0) {
        const at = p + ctz(mask);
        return at < end ? at : end;
      }
    }
    return end;
  }
  const bit = 1 << set;
  for (; p < end && (classOf(load8(p)) & bit) == 0; p++) store<u8>(to + (p - start), load8(p));
  return p;
}

/** First LF in [start, end), or `end`. 64 bytes a turn: most lines take one, so that the branch is foreseen. */
export function findLineFeed(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    while (p < end) {
      const mask = bitsOf(lineFeeds(p), lineFeeds(p + 16), lineFeeds(p + 32), lineFeeds(p + 48));
      if (mask != 0) {
        const at = p + (ctz(mask) as i32);
        return at < end ? at : end;
      }
      p += 64;
    }
    return end;
  }
  while (p < end && load8(p) != 0x0a) p++;
  return p;
}

function lineFeeds(p: i32): v128 {
  return i8x16.eq(v128.load(p), i8x16.splat(0x0a));
}

/** First LF, or `=` with `?` behind it, in [start, end), or `end`. 64 bytes a turn, as above. */
export function findFeedOrWord(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    while (p < end) {
      const mask = bitsOf(feedsOrWords(p), feedsOrWords(p + 16), feedsOrWords(p + 32), feedsOrWords(p + 48));
      if (mask != 0) {
        const at = p + (ctz(mask) as i32);
        return at < end ? at : end;
      }
      p += 64;
    }
    return end;
  }
  while (p < end && load8(p) != 0x0a && (load8(p) != 0x3d || load8(p + 1) != 0x3f)) p++;
  return p;
}

function feedsOrWords(p: i32): v128 {
  const v = v128.load(p);
  const word = v128.and(i8x16.eq(v, i8x16.splat(0x3d)), i8x16.eq(v128.load(p, 1), i8x16.splat(0x3f)));
  return v128.or(i8x16.eq(v, i8x16.splat(0x0a)), word);
}

/** Last byte of `set` in [start, end), or `start - 1`. */
export function findInSetBackward(start: i32, end: i32, set: i32): i32 {
  const bit = 1 << set;
  let p = end - 1;
  while (p >= start && (classOf(load8(p)) & bit) == 0) p--;
  return p;
}

/** Start of the longest run of scheme characters that ends at `end`, at `low` at the earliest. */
export function findSchemeRun(low: i32, end: i32): i32 {
  let p = end;
  if (ASC_FEATURE_SIMD) {
    const others = i8x16.bitmask(outside(end - 16, lowTable(SET_NOT_SCHEME), highTable(SET_NOT_SCHEME), splatOf(0x0f))) ^ 0xffff;
    if (others != 0) {
      p = end + 16 - (clz(others) as i32);
      return p > low ? p : low;
    }
  } else if (end - 5 >= low) {
    p -= usualLength(end);
  }
  while (p > low && (classOf(load8(p - 1)) & CLASS_SCHEME) != 0) p--;
  return p;
}

/** Length of `http` or `https`, in any case, right before `end`; 0 where neither stands there. */
export function usualLength(end: i32): i32 {
  const isSecure = (load8(end - 1) | 0x20) == 0x73;
  const length = isSecure ? 5 : 4;
  return (load<u32>(end - length) | 0x20202020) == 0x70747468 ? length : 0;
}

/** Whether the name [name, name + length), of scheme characters, is the one at `known`, which is in lower case and zeros behind it. */
export function isSameName(known: i32, name: i32, length: i32): bool {
  if (ASC_FEATURE_SIMD) {
    if (length <= 16) {
      const lower = v128.or(v128.load(name), i8x16.splat(0x20));
      return (~i8x16.bitmask(i8x16.eq(lower, v128.load(known))) & ((1 << length) - 1)) == 0;
    }
  }
  for (let i = 0; i < length; i++) {
    if (load8(known + i) != (load8(name + i) | 0x20)) return false;
  }
  return true;
}

/**
 * Copies [start, end) to `to` as long as it needs no normalizing behind the authority: returns false at a byte of SET_TROUBLE or at a `/.`.
 * Writes up to 64 bytes more than it copies: 64 a turn, so that most paths take one and the branch is foreseen.
 */
export function copyClean(to: i32, start: i32, end: i32, trouble: i32): bool {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const low = lowTable(trouble);
    const high = highTable(trouble);
    const nibble = splatOf(0x0f);
    while (p < end) {
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
      p += 64;
    }
    return true;
  }
  const bit = 1 << trouble;
  while (p < end) {
    const c = load8(p);
    if ((classOf(c) & bit) != 0 || (c == 0x2f && load8(p + 1) == 0x2e && p + 1 < end)) return false;
    store<u8>(to + (p - start), c);
    p++;
  }
  return true;
}

function lowered(v: v128): v128 {
  const letter = i8x16.sub(v, i8x16.splat(0x41));
  const isUpper = i8x16.eq(i8x16.min_u(letter, i8x16.splat(25)), letter);
  return v128.or(v, v128.and(isUpper, i8x16.splat(0x20)));
}

/**
 * Decodes whole groups of four digits of base64 (A6), from `start` on up to the first that is none, to `to`; returns the address behind
 * them. Writes up to 16 bytes more.
 */
export function decodeGroups(to: i32, start: i32, end: i32): i32 {
  let p = start;
  let at = to;
  if (ASC_FEATURE_SIMD) {
    const low = lowTable(SET_NOT_BASE64);
    const high = highTable(SET_NOT_BASE64);
    const nibble = splatOf(0x0f);
    while (true) {
      const others = i8x16.bitmask(outside(p, low, high, nibble)) ^ 0xffff;
      const digits = ctz(others | 0x10000);
      const count = (digits < end - p ? digits : end - p) & ~3;
      if (count <= 0) return p;
      v128.store(at, base64Bytes(v128.load(p), nibble));
      p += count;
      at += count - (count >> 2);
      if (count < 16) return p;
    }
  }
  for (; p + 4 <= end; p += 4) {
    const a = load8(BASE64_TABLE + load8(p));
    const b = load8(BASE64_TABLE + load8(p + 1));
    const c = load8(BASE64_TABLE + load8(p + 2));
    const d = load8(BASE64_TABLE + load8(p + 3));
    if ((a | b | c | d) > 63) break;
    store<u8>(at, (a << 2) | (b >> 4));
    store<u8>(at + 1, (b << 4) | (c >> 2));
    store<u8>(at + 2, (c << 6) | d);
    at += 3;
  }
  return p;
}

/** The 12 bytes that 16 digits of base64 stand for, and four more. */
function base64Bytes(v: v128, nibble: v128): v128 {
  // What is added to a digit to get its value: by the high nibble, which is one less for `/` than for `+`.
  const added = i8x16(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const rows = i8x16.add(v128.and(i16x8.shr_u(v, 4), nibble), i8x16.eq(v, i8x16.splat(0x2f)));
  const values = i8x16.add(v, i8x16.swizzle(added, rows));
  const pairs = v128.or(i16x8.shl(v128.and(values, i16x8.splat(0x3f)), 6), i16x8.shr_u(values, 8));
  const groups = i32x4.dot_i16x8_s(pairs, i16x8(4096, 1, 4096, 1, 4096, 1, 4096, 1));
  return i8x16.swizzle(groups, i8x16(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 16, 16, 16, 16));
}

/** For each of the 16 bytes at `p` whether it is outside the set and no slash before a dot. */
function clean(p: i32, low: v128, high: v128, nibble: v128): v128 {
  const dot = v128.and(i8x16.eq(v128.load(p), i8x16.splat(0x2f)), i8x16.eq(v128.load(p, 1), i8x16.splat(0x2e)));
  return v128.andnot(outside(p, low, high, nibble), dot);
}

/** Copies [start, end) to `to` with A-Z in lower case. Writes up to 32 bytes more than it copies. */
export function copyLower(to: i32, start: i32, end: i32): void {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 32) {
      v128.store(to + (p - start), lowered(v128.load(p)));
      v128.store(to + (p - start), lowered(v128.load(p, 16)), 16);
    }
    return;
  }
  for (; p < end; p++) {
    const c = load8(p);
    store<u8>(to + (p - start), c >= 0x41 && c <= 0x5a ? c | 0x20 : c);
  }
}

/** Copies [start, end) to `to` with bytes 01 to 03, which mean something there, as 04. Writes up to 64 bytes more than it copies. */
export function copyText(to: i32, start: i32, end: i32): void {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const one = splatOf(1);
    const two = splatOf(2);
    const four = splatOf(4);
    for (; p < end; p += 64) {
      const at = to + (p - start);
      v128.store(at, neutral(v128.load(p), one, two, four));
      v128.store(at, neutral(v128.load(p, 16), one, two, four), 16);
      v128.store(at, neutral(v128.load(p, 32), one, two, four), 32);
      v128.store(at, neutral(v128.load(p, 48), one, two, four), 48);
    }
    return;
  }
  for (; p < end; p++) {
    const c = load8(p);
    store<u8>(to + (p - start), c > 0 && c <= 3 ? 4 : c);
  }
}

function neutral(v: v128, one: v128, two: v128, four: v128): v128 {
  const less = i8x16.sub(v, one);
  return v128.bitselect(four, v, i8x16.eq(i8x16.min_u(less, two), less));
}

/**
 * First address in [start, end) of what may end a text at the start of a line (A2, A4, A7), or `end`: `Fr` behind LF or `>`; `--`, `be`,
 * `=y` behind LF.
 */
export function findLineMark(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const feed = splatOf(0x0a);
    const greater = splatOf(0x3e);
    const upper = splatOf(0x46);
    const small = splatOf(0x62);
    const signs = splatOf(0x3d);
    const bit = splatOf(0x10);
    for (; p < end; p += 32) {
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
  while (p < end && !isLineMark(p)) p++;
  return p;
}

/** `-` and `=` differ in one bit. */
function lineMarks(p: i32, feed: v128, greater: v128, upper: v128, small: v128, signs: v128, bit: v128): v128 {
  const v = v128.load(p);
  const before = v128.load(p - 1);
  const letter = v128.or(i8x16.eq(v, upper), i8x16.eq(v, small));
  const first = v128.or(letter, i8x16.eq(v128.or(v, bit), signs));
  return v128.and(first, v128.or(i8x16.eq(before, feed), i8x16.eq(before, greater)));
}

function isLineMark(p: i32): bool {
  const c = load8(p);
  const next = load8(p + 1);
  const before = load8(p - 1);
  if (c == 0x46) return next == 0x72 && (before == 0x0a || before == 0x3e);
  if (before != 0x0a) return false;
  return (c == 0x2d && next == 0x2d) || (c == 0x62 && next == 0x65) || (c == 0x3d && next == 0x79);
}

/** First byte in [start, end) that the name of a header field cannot have (A3), a colon or one up to 20 or from 7F on; else `end`. */
export function findNameEnd(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const v = v128.load(p);
      const others = v128.or(i8x16.lt_s(v, i8x16.splat(0x21)), i8x16.eq(v, i8x16.splat(0x7f)));
      const mask = i8x16.bitmask(v128.or(others, i8x16.eq(v, i8x16.splat(COLON as i8))));
      if (mask != 0) {
        const at = p + ctz(mask);
        return at < end ? at : end;
      }
    }
    return end;
  }
  while (p < end && load8(p) > 0x20 && load8(p) < 0x7f && load8(p) != COLON) p++;
  return p;
}

/** Writes `c` to [to, to + count), and up to 16 bytes more. */
export function fill(to: i32, count: i32, c: i32): void {
  if (ASC_FEATURE_SIMD) {
    const v = i8x16.splat(c as i8);
    for (let at = 0; at < count; at += 16) v128.store(to + at, v);
    return;
  }
  for (let at = 0; at < count; at++) store<u8>(to + at, c);
}
