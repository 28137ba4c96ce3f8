// Rows of a table in order: by numbers, the largest first, then by the bytes of their keys.
import type { KeyTable } from "./key-table.ts";

/** Fewer keys are sorted by insertion. */
const FEW = 8;
/** Bytes of a key that are compared at once, and the largest number that they are. */
const WORD_BYTES = 4;
const WORD_MOST = 2 ** 32 - 1;
/** So many keys are compared as wholes: that takes less code, which most runs would have to warm up. */
const COMPARED_MOST = 1024;
/** Whole numbers up to here are exact. */
const EXACT_MOST = 2 ** 53;

/** Returns the addresses of the rows that are the first `most`, in order; `columns`: the numbers that they go by. */
export function sortedAddresses(table: KeyTable, columns: readonly number[], most: number): Int32Array<ArrayBuffer> {
  const addresses = table.addresses();
  const numbers = columns.map((column) => numbersOf(table, addresses, column));
  const wanted = wantedOf(numbers[0] as Float64Array, most);
  sortByNumbers(wanted, numbers, most, (rows, count) => {
    // Rows of a run stand for their addresses from here on.
    for (let index = 0; index < rows.length; index++) rows[index] = addresses[rows[index] as number] as number;
    if (rows.length > COMPARED_MOST) sortByKeys(table, rows, 0, count);
    else if (rows.length > 1) rows.sort((one, other) => (table.isKeyBefore(one, other, 0) ? -1 : 1));
  });
  return wanted.subarray(0, Math.min(most, wanted.length));
}

function numbersOf(table: KeyTable, addresses: Int32Array, column: number): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(addresses.length);
  for (let row = 0; row < numbers.length; row++) {
    table.select(addresses[row] as number);
    numbers[row] = table.number(column);
  }
  return numbers;
}

/** Returns the rows that may be among the first `most`: those that are smaller than the last of these need no order. */
function wantedOf(largest: Float64Array, most: number): Int32Array<ArrayBuffer> {
  const count = largest.length;
  const least = count <= most ? Number.NEGATIVE_INFINITY : (largest.slice().sort()[count - most] as number);
  const rows = new Int32Array(count);
  let wanted = 0;
  for (let row = 0; row < count; row++) if ((largest[row] as number) >= least) rows[wanted++] = row;
  return rows.subarray(0, wanted);
}

/** Sorts rows by numbers so far that the first `most` are in order, and each run of rows with the same numbers with `sortRun`. */
function sortByNumbers(
  rows: Int32Array,
  numbers: readonly Float64Array[],
  most: number,
  sortRun: (rows: Int32Array, most: number) => void,
): void {
  const [first, ...others] = numbers;
  if (first === undefined || rows.length < 2) {
    sortRun(rows, most);
    return;
  }
  let largest = 0;
  for (const row of rows) largest = Math.max(largest, first[row] as number);
  const values = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) values[index] = largest - (first[rows[index] as number] as number);
  sortByValues(rows, values, largest);
  for (let start = 0; start < Math.min(rows.length, most); ) {
    const end = runEnd(values, start);
    sortByNumbers(rows.subarray(start, end), others, most - start, sortRun);
    start = end;
  }
}

/** Sorts rows by their values, whole numbers up to `largest`, and the values too. */
function sortByValues(rows: Int32Array, values: Float64Array, largest: number): void {
  const count = rows.length;
  const old = rows.slice();
  if ((largest + 1) * count > EXACT_MOST) {
    const order = Uint32Array.from(old.keys()).sort((one, other) => (values[one] as number) - (values[other] as number));
    for (let index = 0; index < count; index++) rows[index] = old[order[index] as number] as number;
    values.sort();
    return;
  }
  // A value and its row in one: numbers alone are sorted ten times as fast.
  for (let index = 0; index < count; index++) values[index] = (values[index] as number) * count + index;
  values.sort();
  for (let index = 0; index < count; index++) {
    const both = values[index] as number;
    const value = Math.floor(both / count);
    rows[index] = old[both - value * count] as number;
    values[index] = value;
  }
}

/** Returns the end of the values that are the same as that at `start`. */
function runEnd(values: Float64Array, start: number): number {
  let end = start + 1;
  while (end < values.length && values[end] === values[start]) end++;
  return end;
}

/**
 * Sorts the addresses of rows whose keys begin with the same `depth` bytes, so far that the first `most` are in order: by a word of the
 * keys, then the runs by the next one.
 */
function sortByKeys(table: KeyTable, addresses: Int32Array, depth: number, most: number): void {
  let [rows, same, wanted] = [addresses, depth, most];
  while (rows.length > FEW) {
    const words = new Float64Array(rows.length);
    for (let index = 0; index < rows.length; index++) words[index] = table.keyWord(rows[index] as number, same);
    same += WORD_BYTES;
    // Many keys begin like all others.
    if (runEnd(words, 0) === rows.length) continue;
    sortByValues(rows, words, WORD_MOST);
    // The longest run comes last, in this loop: so hardly any calls are open at a time.
    let longest = { run: rows.subarray(0, 0), count: 0 };
    for (let start = 0; start < Math.min(rows.length, wanted); ) {
      const end = runEnd(words, start);
      let next = { run: rows.subarray(start, end), count: wanted - start };
      if (next.run.length > longest.run.length) [next, longest] = [longest, next];
      if (next.run.length > 1) sortByKeys(table, next.run, same, next.count);
      start = end;
    }
    [rows, wanted] = [longest.run, longest.count];
  }
  sortFew(table, rows, same);
}

function sortFew(table: KeyTable, rows: Int32Array, depth: number): void {
  for (let index = 1; index < rows.length; index++) {
    const address = rows[index] as number;
    let place = index;
    for (; place > 0 && table.isKeyBefore(address, rows[place - 1] as number, depth); place--) rows[place] = rows[place - 1] as number;
    rows[place] = address;
  }
}
