// The search for triggers, the loop that most bytes see once, in SIMD and scalar form, for asc. Same names in javascript/trigger.ts.
// Reads up to 34 bytes behind `end` and one before `start`; what it finds there is never returned.

import { load8 } from "./memory.ts";
import { splatOf } from "./vector.ts";

const COLON: i32 = 0x3a;
const SPACE: i32 = 0x20;
const ELL: i32 = 0x6c;
const ZERO: i32 = 0x30;

// The last 32 bytes in which findTrigger found something, so that the remaining triggers cost a shift and a count.
let blockStart: i32 = -32;
let blockMask: u32 = 0;

/** Forgets what is known of the window's bytes; to be called when they have changed. */
export function resetTriggers(): void {
  blockStart = -32;
}

/**
 * First address in [start, end) of a colon that may stand behind a scheme or behind `URL`, or `end`. The colons that most text has are
 * passed over: that of `12:30`, with no letter before it and a byte from `0` on behind it; and that of `From: x`, though not those of
 * `URL: x` and of `http:` with a space at the end of the line, as delimited URLs may have them (X7).
 *
 *     for each byte b with a before, c and d behind, as signed bytes:
 *       b == ':' and (a > ':' or c < '0') and not (c == ' ' and d > ' ' and a is none of 'L' 'l')
 *
 * Departures: what no scheme ends with is a trigger too (`":"` in JSON, `:-)`), as every operation here costs all text; 32 bytes a turn,
 * since V8 does all loads of a turn before anything else and would run out of registers.
 */
export function findTrigger(start: i32, end: i32): i32 {
  if (ASC_FEATURE_SIMD) {
    let p = start;
    const inBlock = p - blockStart;
    if (inBlock < 32 && inBlock >= 0) {
      const mask = blockMask >> inBlock;
      if (mask != 0) return least(p + ctz(mask), end);
      p = blockStart + 32;
    }
    const colon = splatOf(COLON);
    const space = splatOf(SPACE);
    const ell = splatOf(ELL);
    const zero = splatOf(ZERO);
    for (; p < end; p += 32) {
      const first = triggers(p, colon, space, ell, zero);
      const second = triggers(p + 16, colon, space, ell, zero);
      if (i8x16.bitmask(v128.or(first, second)) != 0) {
        blockStart = p;
        blockMask = i8x16.bitmask(first) | (i8x16.bitmask(second) << 16);
        return least(p + ctz(blockMask), end);
      }
    }
    return end;
  }
  for (let p = start; p < end; p++) {
    if (load8(p) == COLON && isTrigger(p)) return p;
  }
  return end;
}

function least(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/** For each of the 16 bytes at `p` whether it is a trigger. */
function triggers(p: i32, colon: v128, space: v128, ell: v128, zero: v128): v128 {
  const before = v128.load(p - 1);
  const next = v128.load(p, 1);
  const spaced = v128.and(i8x16.eq(next, space), i8x16.gt_s(v128.load(p, 2), space));
  const passed = v128.andnot(spaced, i8x16.eq(v128.or(before, space), ell));
  const sides = v128.or(i8x16.gt_s(before, colon), i8x16.lt_s(next, zero));
  return v128.and(v128.andnot(i8x16.eq(v128.load(p), colon), passed), sides);
}

/** Whether the colon at `p` is a trigger. */
function isTrigger(p: i32): bool {
  const before = load8(p - 1);
  const next = load8(p + 1);
  const behind = load8(p + 2);
  if (next == SPACE && behind > SPACE && behind < 0x80 && (before | 0x20) != ELL) return false;
  return (before > COLON && before < 0x80) || next < ZERO || next >= 0x80;
}
