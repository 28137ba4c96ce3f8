// Renumbers messages in records that were written before the number of earlier messages was known (A10).

import { countDigits } from "../bytes/number.ts";
import { OUTPUT_REGION, WINDOW_REGION } from "../layout/memory.ts";
import { NUMBER_ROWS } from "../layout/records.ts";
import { copyShort } from "../platform/kernel.ts";
import { loadWord } from "../platform/memory.ts";
import { putSum } from "./sum.ts";

/**
 * Copies the records in [WINDOW_REGION, end) to OUTPUT_REGION. Adds `high` * BILLION + `low` to each number that the first `count` pairs of
 * NUMBER_ROWS name. The byte at WINDOW_REGION has the offset `base` in these pairs. Returns the address after the copy.
 */
export function renumber(end: i32, count: i32, base: i32, high: i32, low: i32): i32 {
  let from = WINDOW_REGION;
  let to = OUTPUT_REGION;
  let last = -1;
  let written = 0;
  let length = 0;
  let lengthBefore = 0;
  const rowsEnd = NUMBER_ROWS + (count << 3);
  for (let row = NUMBER_ROWS; row < rowsEnd; row += 8) {
    const digits = WINDOW_REGION + loadWord(row) - base;
    const number = loadWord(row + 4);
    to = copyShort(to, from, digits - from);
    // A message often has several matches, with the same number.
    if (number == last) to = copyShort(to, written, length);
    else {
      last = number;
      lengthBefore = countDigits(number);
      written = to;
      to = putSum(high, low, number, to);
      length = to - written;
    }
    from = digits + lengthBefore;
  }
  return copyShort(to, from, end - from);
}
