// The search for triggers, the loop that most bytes see once, in SIMD and scalar form, for asc. Same names in twin/trigger.ts.
// Reads up to 64 bytes behind `end` and 16 before `start`; what it finds there is never returned.

import { SET_NOT_SCHEME } from "../tables/classes.ts";
import { load8 } from "./memory.ts";
import { bitsOf, highTable, lowTable, outside, splatOf } from "./vector.ts";

const COLON: i32 = 0x3a;
const LESS: i32 = 0x3c;

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
 * SPLATS a tenth off text without URLs); what costs more is told apart only where there is a hit; the mask is kept for the next call;
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
    const colon = splatOf(COLON);
    const less = splatOf(LESS);
    const slash = splatOf(0x2f);
    const letters = splatOf(0x40);
    const space = splatOf(0x20);
    for (; p < end; p += 64) {
      const first = v128.or(hit(p, colon, less, slash, letters, space), hit(p + 16, colon, less, slash, letters, space));
      if (i8x16.bitmask(first) == 0) {
        const second = v128.or(hit(p + 32, colon, less, slash, letters, space), hit(p + 48, colon, less, slash, letters, space));
        if (i8x16.bitmask(second) == 0) continue;
        if (p + 32 >= end) return end;
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
 * The triggers among the 64 bytes at `p`, a bit for each. Names end where a carry out of them comes to rest: where none of those behind a
 * `<` ends at a colon, all of these `<` are passed over at once.
 */
function triggers(p: i32, end: i32): u64 {
  const exact = bitsOf(exactTriggers(p), exactTriggers(p + 16), exactTriggers(p + 32), exactTriggers(p + 48));
  const tags = bitsOf(openedNames(p), openedNames(p + 16), openedNames(p + 32), openedNames(p + 48));
  if (tags == 0) return exact;
  const names = bitsOf(nameBytes(p), nameBytes(p + 16), nameBytes(p + 32), nameBytes(p + 48));
  const ends = names + (tags << 1);
  if (p + 64 <= end && tags >> 63 == 0 && ends >= names) {
    const colons = bitsOf(colonsOf(p), colonsOf(p + 16), colonsOf(p + 32), colonsOf(p + 48));
    if ((ends & ~names & colons) == 0) return exact;
  }
  let mask = exact;
  for (let rest = tags; rest != 0; rest &= rest - 1) {
    const at = p + (ctz(rest) as i32);
    if (at + 18 > end || !isTag(at + 1)) mask |= rest & -rest;
  }
  return mask;
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
  const length = ctz(~i8x16.bitmask(outside(p, lowTable(SET_NOT_SCHEME), highTable(SET_NOT_SCHEME), splatOf(0x0f))));
  return length > 0 && length < 16 && load8(p + length) != COLON;
}
