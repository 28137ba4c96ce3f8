// The kernels: the few loops that look at every byte, in SIMD and scalar form, for asc. Same names in twin/kernel.ts.
// SIMD bodies may read up to 64 bytes behind `end` and 16 before `start`; what they find there is never returned.

import { CLASS_TABLE, NIBBLE_TABLES } from "../tables/areas.ts";
import { CLASS_SCHEME, SET_NOT_SCHEME } from "../tables/classes.ts";
import { load8, loadWord } from "./memory.ts";

const COLON: i32 = 0x3a;
const LESS: i32 = 0x3c;

function classOf(c: i32): i32 {
  return loadWord(CLASS_TABLE + (c << 2));
}

// The bytes that findTrigger compares with, 16 times each. Loaded, because V8 makes a constant anew each time that it is used.
const TRIGGER_BYTES: usize = memory.data(80, 16);
fillTriggerBytes();

function fillTriggerBytes(): void {
  memory.fill(TRIGGER_BYTES, COLON as u8, 16);
  memory.fill(TRIGGER_BYTES + 16, LESS as u8, 16);
  memory.fill(TRIGGER_BYTES + 32, 0x2f, 16);
  memory.fill(TRIGGER_BYTES + 48, 0x40, 16);
  memory.fill(TRIGGER_BYTES + 64, 0x20, 16);
}

// The last 64 bytes in which findTrigger found something, so that the remaining triggers cost a shift and a count.
let blockStart: i32 = -64;
let blockMask: u64 = 0;

/** Forgets what is known of the window's bytes; to be called when they have changed. */
export function resetTriggers(): void {
  blockStart = -64;
}

/**
 * First address in [start, end) where a URL may be decided, or `end`: a `:` with `/` behind it, or with a letter (or `@` `[` `\` `]`
 * `^` `_` `` ` ``) before it and no byte up to 0x20 behind it; a `<` with white space or a letter behind it.
 *
 *     for each byte b with its neighbours a before and c behind:
 *       b == ':' and (c == '/' or (c > 0x20 and a > 0x40 as signed bytes))  or  b == '<' and (c > 0x40 or c <= 0x20 as signed bytes)
 *
 * Departures: 64 bytes a turn, in two halves, since V8 does all loads of a block before anything else and would run out of registers (with
 * TRIGGER_BYTES a tenth off text without URLs); what costs more is told apart only where there is a hit; the mask is kept for the next call;
 * a `<` that begins a tag or an address (no colon behind the first name) is passed over, which takes a seventh off the scan of HTML.
 */
export function findTrigger(start: i32, end: i32): i32 {
  if (ASC_FEATURE_SIMD) {
    let p = start;
    const inBlock = p - blockStart;
    if (inBlock < 64 && inBlock >= 0) {
      const mask = blockMask >> (inBlock as u64);
      if (mask != 0) return least(p + (ctz(mask) as i32), end);
      p = blockStart + 64;
    }
    const colon = v128.load(TRIGGER_BYTES);
    const less = v128.load(TRIGGER_BYTES, 16);
    const slash = v128.load(TRIGGER_BYTES, 32);
    const letters = v128.load(TRIGGER_BYTES, 48);
    const space = v128.load(TRIGGER_BYTES, 64);
    for (; p < end; p += 64) {
      const first = v128.or(hit(p, colon, less, slash, letters, space), hit(p + 16, colon, less, slash, letters, space));
      if (i8x16.bitmask(first) == 0) {
        const second = v128.or(hit(p + 32, colon, less, slash, letters, space), hit(p + 48, colon, less, slash, letters, space));
        if (i8x16.bitmask(second) == 0) continue;
        p += 32;
      }
      const mask = triggers(p, end);
      blockStart = p;
      blockMask = mask;
      if (mask != 0) return least(p + (ctz(mask) as i32), end);
    }
    return end;
  }
  for (let p = start; p < end; p++) {
    const b = load8(p);
    if (b == COLON) {
      const next = load8(p + 1);
      if (next == 0x2f) return p;
      const before = load8(p - 1);
      if (next > 0x20 && before > 0x40 && before < 0x80) return p;
    } else if (b == LESS) {
      const next = load8(p + 1);
      if (next > 0x40 || next <= 0x20) return p;
    }
  }
  return end;
}

function least(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/** Of what stands behind a colon only the space is looked at: the rest up to 0x20 is rare. */
function hit(p: i32, colon: v128, less: v128, slash: v128, letters: v128, space: v128): v128 {
  const v = v128.load(p);
  const next = v128.load(p, 1);
  const opaque = v128.andnot(i8x16.gt_s(v128.load(p - 1), letters), i8x16.eq(next, space));
  return v128.or(v128.and(i8x16.eq(v, colon), v128.or(i8x16.eq(next, slash), opaque)), i8x16.eq(v, less));
}

/**
 * The triggers among the 64 bytes at `p`, a bit for each. Names end where a carry out of them comes to rest: where none of those behind a `<`
 * ends at a colon, all of these `<` are passed over at once.
 */
function triggers(p: i32, end: i32): u64 {
  const exact = bits(exactTriggers(p), exactTriggers(p + 16), exactTriggers(p + 32), exactTriggers(p + 48));
  const tags = bits(openedNames(p), openedNames(p + 16), openedNames(p + 32), openedNames(p + 48));
  if (tags == 0) return exact;
  const names = bits(nameBytes(p), nameBytes(p + 16), nameBytes(p + 32), nameBytes(p + 48));
  const ends = names + (tags << 1);
  if (p + 64 <= end && tags >> 63 == 0 && ends >= names) {
    const colons = bits(colonsOf(p), colonsOf(p + 16), colonsOf(p + 32), colonsOf(p + 48));
    if ((ends & ~names & colons) == 0) return exact;
  }
  let mask = exact;
  for (let rest = tags; rest != 0; rest &= rest - 1) {
    const at = p + (ctz(rest) as i32);
    if (at + 18 > end || !isTag(at + 1)) mask |= rest & -rest;
  }
  return mask;
}

function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low: u32 = i8x16.bitmask(a) | (i8x16.bitmask(b) << 16);
  const high: u32 = i8x16.bitmask(c) | (i8x16.bitmask(d) << 16);
  return (low as u64) | ((high as u64) << 32);
}

/** Colons that are triggers, and `<` before white space. */
function exactTriggers(p: i32): v128 {
  const v = v128.load(p);
  const next = v128.load(p, 1);
  const visible = i8x16.eq(i8x16.max_u(next, i8x16.splat(0x21)), next);
  const opaque = v128.and(i8x16.gt_s(v128.load(p - 1), i8x16.splat(0x40)), visible);
  const colon = v128.and(i8x16.eq(v, i8x16.splat(COLON as i8)), v128.or(i8x16.eq(next, i8x16.splat(0x2f)), opaque));
  const less = v128.and(i8x16.eq(v, i8x16.splat(LESS as i8)), i8x16.lt_s(next, i8x16.splat(0x21)));
  return v128.or(colon, less);
}

/** `<` before a letter. */
function openedNames(p: i32): v128 {
  return v128.and(i8x16.eq(v128.load(p), i8x16.splat(LESS as i8)), i8x16.gt_s(v128.load(p, 1), i8x16.splat(0x40)));
}

/** Whatever a scheme may hold, and some more. */
function nameBytes(p: i32): v128 {
  const v = v128.load(p);
  const middle = v128.and(i8x16.gt_s(v, i8x16.splat(0x2a)), i8x16.lt_s(v, i8x16.splat(0x3a)));
  return v128.or(i8x16.gt_s(v, i8x16.splat(0x40)), middle);
}

function colonsOf(p: i32): v128 {
  return i8x16.eq(v128.load(p), i8x16.splat(COLON as i8));
}

/** Whether a name without a colon behind it stands at `p`: a tag or an address. Looks at 16 bytes and the one behind. */
function isTag(p: i32): bool {
  const others = i8x16.bitmask(inSet(p, SET_NOT_SCHEME)) | 0x10000;
  const length = ctz(others);
  return length > 0 && length < 16 && load8(p + length) != COLON;
}

/** For each of the 16 bytes at `p` whether it is of `set`: its bit by low nibble and its bit by high nibble meet. */
function inSet(p: i32, set: i32): v128 {
  const v = v128.load(p);
  const low = i8x16.swizzle(v128.load(NIBBLE_TABLES + (set << 5)), v128.and(v, i8x16.splat(15)));
  const high = i8x16.swizzle(v128.load(NIBBLE_TABLES + (set << 5), 16), i8x16.shr_u(v, 4));
  return i8x16.ne(v128.and(low, high), i8x16.splat(0));
}

/** First byte of `set` (SET_*) in [start, end), or `end`. */
export function findInSet(start: i32, end: i32, set: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    while (p < end) {
      const mask = i8x16.bitmask(inSet(p, set)) | (i8x16.bitmask(inSet(p + 16, set)) << 16);
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

/** First LF in [start, end), or `end`. 64 bytes a turn: most lines take one, so that the branch is foreseen. */
export function findLineFeed(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    while (p < end) {
      const mask =
        (lineFeeds(p) as u64) |
        ((lineFeeds(p + 16) as u64) << 16) |
        ((lineFeeds(p + 32) as u64) << 32) |
        ((lineFeeds(p + 48) as u64) << 48);
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

function lineFeeds(p: i32): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(p), i8x16.splat(0x0a)));
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
    const others = i8x16.bitmask(inSet(end - 16, SET_NOT_SCHEME));
    if (others != 0) {
      p = end + 16 - (clz(others) as i32);
      return p > low ? p : low;
    }
  }
  while (p > low && (classOf(load8(p - 1)) & CLASS_SCHEME) != 0) p--;
  return p;
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
    while (p < end) {
      const mask =
        (troubleMask(p, trouble) as u64) |
        ((troubleMask(p + 16, trouble) as u64) << 16) |
        ((troubleMask(p + 32, trouble) as u64) << 32) |
        ((troubleMask(p + 48, trouble) as u64) << 48);
      const at = to + (p - start);
      v128.store(at, v128.load(p));
      v128.store(at, v128.load(p, 16), 16);
      v128.store(at, v128.load(p, 32), 32);
      v128.store(at, v128.load(p, 48), 48);
      if (mask != 0) return p + (ctz(mask) as i32) >= end;
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
  const upper = i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(v, v128.and(upper, i8x16.splat(0x20)));
}

function troubleMask(p: i32, trouble: i32): i32 {
  const dot = v128.and(i8x16.eq(v128.load(p), i8x16.splat(0x2f)), i8x16.eq(v128.load(p, 1), i8x16.splat(0x2e)));
  return i8x16.bitmask(v128.or(inSet(p, trouble), dot));
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
    for (; p < end; p += 64) {
      const at = to + (p - start);
      v128.store(at, neutral(v128.load(p)));
      v128.store(at, neutral(v128.load(p, 16)), 16);
      v128.store(at, neutral(v128.load(p, 32)), 32);
      v128.store(at, neutral(v128.load(p, 48)), 48);
    }
    return;
  }
  for (; p < end; p++) {
    const c = load8(p);
    store<u8>(to + (p - start), c > 0 && c <= 3 ? 4 : c);
  }
}

function neutral(v: v128): v128 {
  return v128.bitselect(i8x16.splat(4), v, i8x16.lt_u(i8x16.sub(v, i8x16.splat(1)), i8x16.splat(3)));
}

/**
 * First address in [start, end) of what may end a text at the start of a line (A2, A4, A7), or `end`: `Fr` behind LF or `>`; `--`, `be`,
 * `=y` behind LF. The high nibble of the first byte names the byte that it must be.
 */
export function findLineMark(start: i32, end: i32): i32 {
  let p = start;
  if (ASC_FEATURE_SIMD) {
    const firsts = i8x16(0, 0, 0x2d, 0x3d, 0x46, 0, 0x62, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (; p < end; p += 64) {
      const a = lineMarks(p, firsts);
      const b = lineMarks(p + 16, firsts);
      const c = lineMarks(p + 32, firsts);
      const d = lineMarks(p + 48, firsts);
      if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue;
      let rest =
        (i8x16.bitmask(a) as u64) |
        ((i8x16.bitmask(b) as u64) << 16) |
        ((i8x16.bitmask(c) as u64) << 32) |
        ((i8x16.bitmask(d) as u64) << 48);
      while (rest != 0) {
        const at = p + (ctz(rest) as i32);
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

function lineMarks(p: i32, firsts: v128): v128 {
  const v = v128.load(p);
  const before = v128.load(p - 1);
  const first = i8x16.eq(i8x16.swizzle(firsts, i8x16.shr_u(v, 4)), v);
  return v128.and(first, v128.or(i8x16.eq(before, i8x16.splat(0x0a)), i8x16.eq(before, i8x16.splat(0x3e))));
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
