// Code that the kernels for asc share: a byte repeated 16 times, sets of bytes by nibble tables, masks of 64 bytes.

import { NIBBLE_TABLES } from "../layout/memory.ts";

// Each ASCII byte, 16 times. Loaded before a loop, because V8 would make a constant anew at each use in the loop.
const SPLATS: usize = memory.data(16 * 128, 16);
for (let c = 0; c < 128; c++) memory.fill(SPLATS + (c << 4), c as u8, 16);

/** Returns the byte `c`, at most 7F, 16 times. */
export function splatOf(c: i32): v128 {
  return v128.load(SPLATS + (c << 4));
}

export function least(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/**
 * Returns for each of the 16 bytes at `p`: FF if it is not in the set with the nibble tables `low` and `high`, else 0. A byte is in the set
 * if the bits for its low nibble and those for its high nibble have one in common. `nibble` is 0f, 16 times.
 */
export function outside(p: i32, low: v128, high: v128, nibble: v128): v128 {
  const v = v128.load(p);
  const lowBits = i8x16.swizzle(low, v128.and(v, nibble));
  const highBits = i8x16.swizzle(high, v128.and(i16x8.shr_u(v, 4), nibble));
  return i8x16.eq(v128.and(lowBits, highBits), i8x16.splat(0));
}

/** Returns the nibble table of a set (SET_*) by low nibble. */
export function lowTable(set: i32): v128 {
  return v128.load(NIBBLE_TABLES + (set << 5));
}

/** Returns the nibble table of a set by high nibble. */
export function highTable(set: i32): v128 {
  return v128.load(NIBBLE_TABLES + (set << 5), 16);
}

/** Returns a bit for each of 64 bytes; the lowest bit is for the first byte of `a`. */
export function bitsOf(a: v128, b: v128, c: v128, d: v128): u64 {
  const low: u32 = i8x16.bitmask(a) | (i8x16.bitmask(b) << 16);
  const high: u32 = i8x16.bitmask(c) | (i8x16.bitmask(d) << 16);
  return (low as u64) | ((high as u64) << 32);
}
