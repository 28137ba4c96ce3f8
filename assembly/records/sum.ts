// Sums that may be too large for a word: of a number in a row and the base from which the number counts.

import { writeDecimal, writeDigits } from "../bytes/number.ts";
import { BILLION } from "../layout/records.ts";
import { divide, multiply } from "../platform/arith.ts";

/** Puts the sum of `high` * BILLION + `low` and a number of 0 or more, in decimal; returns the address after it. */
export function putSum(high: i32, low: i32, number: i32, to: i32): i32 {
  const billions = divide(number, BILLION);
  let sumHigh = high + billions;
  let sumLow = low + number - multiply(billions, BILLION);
  if (sumLow >= BILLION) {
    sumLow -= BILLION;
    sumHigh++;
  }
  return sumHigh == 0 ? writeDecimal(sumLow, to) : writeDigits(sumLow, 9, writeDecimal(sumHigh, to));
}
