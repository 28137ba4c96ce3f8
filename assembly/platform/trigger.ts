// The search for triggers for asc, with SIMD: the loop that most bytes go through once. javascript/trigger.ts has the same names.
// It reads up to 34 bytes after `end` and one before `start`, but never returns what it finds there.

import { COLON, LOWER_L, PERCENT, SPACE, THREE, ZERO } from "../bytes/characters.ts";
import { least, splatOf } from "./vector.ts";

// The last 32 bytes in which findTrigger found something: the remaining triggers cost a shift and a count.
let blockStart: i32 = -32;
let blockMask: u32 = 0;

/** Forgets what is known of the window; to be called when its bytes have changed. */
export function resetTriggers(): void {
  blockStart = -32;
}

/**
 * Returns the first colon in [start, end) that may end a scheme or `URL`, or `end`. Passes over the colons that most text has: that of
 * `12:30`, after no letter and before a byte from `0` on; and that of `From: x`, but not those of `URL: x` and of `http:` with a space
 * at the end of the line, as delimited URLs may have them (X7).
 *
 *     for each byte b with a before, c and d after, as signed bytes:
 *       b == ':' and (a > ':' or c < '0') and not (c == ' ' and d > ' ' and a is none of 'L' 'l')
 *
 * Some triggers can end no scheme (`":"` in JSON, `:-)`): an operation here costs all text more than they do. A turn looks at 32 bytes,
 * because V8 does all loads of a turn first and would run out of registers with more.
 */
export function findTrigger(start: i32, end: i32): i32 {
  let p = start;
  const inBlock = p - blockStart;
  if (inBlock < 32 && inBlock >= 0) {
    const mask = blockMask >> inBlock;
    if (mask != 0) return least(p + ctz(mask), end);
    p = blockStart + 32;
  }
  const colon = splatOf(COLON);
  const space = splatOf(SPACE);
  const ell = splatOf(LOWER_L);
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

/** For each of the 16 bytes at `p`: whether it is a trigger. */
function triggers(p: i32, colon: v128, space: v128, ell: v128, zero: v128): v128 {
  const before = v128.load(p - 1);
  const next = v128.load(p, 1);
  const spaced = v128.and(i8x16.eq(next, space), i8x16.gt_s(v128.load(p, 2), space));
  const passed = v128.andnot(spaced, i8x16.eq(v128.or(before, space), ell));
  const sides = v128.or(i8x16.gt_s(before, colon), i8x16.lt_s(next, zero));
  return v128.and(v128.andnot(i8x16.eq(v128.load(p), colon), passed), sides);
}

/** Returns the first `%3` in [start, end), or `end` (C146). */
export function findEncodedThree(start: i32, end: i32): i32 {
  const percent = splatOf(PERCENT);
  const three = splatOf(THREE);
  for (let p = start; p < end; p += 16) {
    const mask = i8x16.bitmask(v128.and(i8x16.eq(v128.load(p), percent), i8x16.eq(v128.load(p, 1), three)));
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}
