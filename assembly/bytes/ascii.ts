// Single bytes: their classes, their case, and searches for them.

import { CLASS_TABLE } from "../layout/memory.ts";
import { load8, loadWord } from "../platform/memory.ts";
import { UPPER_A, UPPER_Z } from "./characters.ts";
import { CLASS_ALPHA, CLASS_DIGIT, SET_DELIMITER } from "./classes.ts";

/** Returns the bits of CLASS_* and SET_* of the byte `c`. */
export function classOf(c: i32): i32 {
  return loadWord(CLASS_TABLE + (c << 2));
}

export function isAlpha(c: i32): bool {
  return (classOf(c) & CLASS_ALPHA) != 0;
}

export function isDigit(c: i32): bool {
  return (classOf(c) & CLASS_DIGIT) != 0;
}

export function isAlphanumeric(c: i32): bool {
  return (classOf(c) & (CLASS_ALPHA | CLASS_DIGIT)) != 0;
}

/** Returns `c`, changed to lower case if it is an ASCII letter. */
export function lower(c: i32): i32 {
  return c >= UPPER_A && c <= UPPER_Z ? c | 0x20 : c;
}

/** Returns the address of the last delimiter byte in [start, end), or `start - 1`. */
export function findLastDelimiter(start: i32, end: i32): i32 {
  let p = end - 1;
  while (p >= start && (classOf(load8(p)) & (1 << SET_DELIMITER)) == 0) p--;
  return p;
}

/** Returns the address of the first byte equal to `byte` in [start, end), or `end`. */
export function findByte(start: i32, end: i32, byte: i32): i32 {
  let p = start;
  while (p < end && load8(p) != byte) p++;
  return p;
}
