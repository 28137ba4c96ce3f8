// Where the values of attributes that are URLs begin in the window (X9): the decoder adds rows, the scan takes them.

import { VALUE_REGION, VALUE_ROWS_MAX, VALUE_SHIFT } from "../layout/memory.ts";
import { copyBytes, loadWord, storeWord } from "../platform/memory.ts";

/** Greater than any address. */
const NO_ADDRESS: i32 = 0x7fffffff;
/** Most rows that the decoder adds between two looks at the room. */
const ROOM: i32 = 4;

/** Address of the first value that has not been taken; greater than any address if there is none. */
export let valueAt: i32 = NO_ADDRESS;
/** Its VALUE_*. */
export let valueForm: i32 = 0;
/** Rows that have been taken, and all rows. */
let taken: i32 = 0;
let count: i32 = 0;

function wordAt(row: i32): i32 {
  return VALUE_REGION + (row << 2);
}

/** Forgets all values. */
export function resetValues(): void {
  taken = 0;
  count = 0;
  valueAt = NO_ADDRESS;
}

/** Whether there is room for `rows` more rows. */
export function hasValueRoom(rows: i32): bool {
  return count + rows + ROOM <= VALUE_ROWS_MAX;
}

/** Adds the value that begins at `address` of the window; `form`: VALUE_*. */
export function addValue(address: i32, form: i32): void {
  storeWord(wordAt(count), (address << VALUE_SHIFT) | form);
  count++;
  if (taken + 1 == count) showFirst();
}

/** Takes the first value. */
export function takeValue(): void {
  taken++;
  showFirst();
}

/** Takes the values before `position`. */
export function dropValues(position: i32): void {
  while (valueAt < position) takeValue();
}

/** Frees the rows that have been taken. */
export function freeValues(): void {
  if (taken == 0) return;
  copyBytes(VALUE_REGION, wordAt(taken), (count - taken) << 2);
  count -= taken;
  taken = 0;
}

/** Follows the bytes of the window, which move down by `distance`. */
export function moveValuesDown(distance: i32): void {
  for (let row = taken; row < count; row++) storeWord(wordAt(row), loadWord(wordAt(row)) - (distance << VALUE_SHIFT));
  showFirst();
}

function showFirst(): void {
  if (taken == count) {
    valueAt = NO_ADDRESS;
    return;
  }
  const word = loadWord(wordAt(taken));
  valueAt = word >> VALUE_SHIFT;
  valueForm = word & ((1 << VALUE_SHIFT) - 1);
}
