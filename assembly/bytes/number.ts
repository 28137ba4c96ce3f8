// Numbers in text: digits, hexadecimal pairs, decimal numbers.

import { divide } from "../platform/arith.ts";
import { load8, store8 } from "../platform/memory.ts";
import { classOf } from "./ascii.ts";
import { LOWER_A, NINE, ZERO } from "./characters.ts";
import { CLASS_DIGIT, CLASS_HEX } from "./classes.ts";

function hexValue(c: i32): i32 {
  return c <= NINE ? c - ZERO : (c | 0x20) - LOWER_A + 10;
}

/** Returns the value of the two hexadecimal digits at `p`. */
export function hexPair(p: i32): i32 {
  return (hexValue(load8(p)) << 4) | hexValue(load8(p + 1));
}

/** Whether two hexadecimal digits are at `p`. */
export function isHexPair(p: i32): bool {
  return (classOf(load8(p)) & classOf(load8(p + 1)) & CLASS_HEX) != 0;
}

/** Address of the first byte after the digits that parseNumber read. */
export let numberEnd: i32 = 0;

/**
 * Reads the decimal digits, or with `hex` the hexadecimal digits, at the start of [start, end). Sets numberEnd, to `start` if there are
 * none. Returns the value of the digits, or `limit` if the value is greater. `limit` is at most 100,000,000.
 */
export function parseNumber(start: i32, end: i32, hex: bool, limit: i32): i32 {
  const digits = hex ? CLASS_HEX : CLASS_DIGIT;
  let value = 0;
  let p = start;
  for (; p < end; p++) {
    const c = load8(p);
    if ((classOf(c) & digits) == 0) break;
    value = hex ? (value << 4) | hexValue(c) : value * 10 + c - ZERO;
    if (value > limit) value = limit;
  }
  numberEnd = p;
  return value;
}

/** Most decimal digits of an i32. */
const DIGITS_MOST: i32 = 10;

/** Returns the number of decimal digits of a value of 0 or more. */
export function countDigits(value: i32): i32 {
  let count = 1;
  for (let limit = 10; count < DIGITS_MOST && value >= limit; limit *= 10) count++;
  return count;
}

/** Writes a value of 0 or more in decimal; returns the address after it. */
export function writeDecimal(value: i32, to: i32): i32 {
  return writeDigits(value, countDigits(value), to);
}

/** Writes the last `count` decimal digits of a value of 0 or more, with leading zeros; returns the address after them. */
export function writeDigits(value: i32, count: i32, to: i32): i32 {
  let rest = value;
  for (let at = to + count - 1; at >= to; at--) {
    const tens = divide(rest, 10);
    store8(at, rest - tens * 10 + ZERO);
    rest = tens;
  }
  return to + count;
}
