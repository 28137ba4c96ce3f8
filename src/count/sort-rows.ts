// Rows of a table in order: by numbers, the largest first, then by the bytes of their keys.
import type { KeyTable } from "./key-table.ts";

/** Fewer keys are sorted by insertion. */
const FEW = 8;
/** Whole numbers up to here are exact. */
const EXACT_MOST = 2 ** 53;

/** Returns the addresses of the rows that are the first `most`, in order; `columns`: the numbers that they go by. */
export function sortedAddresses(table: KeyTable, columns: readonly number[], most: number): Int32Array<ArrayBuffer> {
  const addresses = table.addresses();
  const numbers = columns.map((column) => numbersOf(table, addresses, column));
  const wanted = wantedOf(numbers[0] as Float64Array, most);
  sortByNumbers(wanted, numbers, (rows) => {
    const keys = Int32Array.from(rows, (row) => addresses[row] as number);
    sortByKeys(table, keys, 0, keys.length, 0);
    // Rows of a run stand for their addresses from here on.
    rows.set(keys);
  });
  return wanted.subarray(0, Math.min(most, wanted.length));
}

function numbersOf(table: KeyTable, addresses: Int32Array, column: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(addresses, (address) => {
    table.select(address);
    return table.number(column);
  });
}

/** Returns the rows that may be among the first `most`: those that are smaller than the last of these need no order. */
function wantedOf(largest: Float64Array, most: number): Int32Array<ArrayBuffer> {
  const rows = Int32Array.from(largest.keys());
  if (largest.length <= most) return rows;
  const least = largest.slice().sort()[largest.length - most] as number;
  return rows.filter((row) => (largest[row] as number) >= least);
}

/** Sorts rows by numbers, and each run of rows with the same numbers with `sortRun`. */
function sortByNumbers(rows: Int32Array, numbers: readonly Float64Array[], sortRun: (rows: Int32Array) => void): void {
  const [first, ...others] = numbers;
  if (first === undefined || rows.length < 2) {
    sortRun(rows);
    return;
  }
  sortByNumber(rows, first);
  const values = Float64Array.from(rows, (row) => first[row] as number);
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    while (end < rows.length && values[end] === values[start]) end++;
    sortByNumbers(rows.subarray(start, end), others, sortRun);
    start = end;
  }
}

function sortByNumber(rows: Int32Array, numbers: Float64Array): void {
  const largest = rows.reduce((most, row) => Math.max(most, numbers[row] as number), 0);
  const count = numbers.length;
  if ((largest + 1) * count > EXACT_MOST) {
    rows.sort((one, other) => (numbers[other] as number) - (numbers[one] as number));
    return;
  }
  // A number and its row in one: numbers alone are sorted ten times as fast.
  const both = Float64Array.from(rows, (row) => (largest - (numbers[row] as number)) * count + row).sort();
  for (let index = 0; index < rows.length; index++) rows[index] = (both[index] as number) % count;
}

type Part = readonly [low: number, high: number, same: number];

/** Sorts the addresses [from, to), whose keys begin with the same `depth` bytes: multikey quicksort (Bentley and Sedgewick). */
function sortByKeys(table: KeyTable, addresses: Int32Array, from: number, to: number, depth: number): void {
  let [low, high, same] = [from, to, depth];
  while (high - low > FEW) {
    const pivot = medianByte(table, addresses, low, high, same);
    let [less, at, greater] = [low, low, high];
    while (at < greater) {
      const address = addresses[at] as number;
      const byte = table.keyByte(address, same);
      if (byte === pivot) at++;
      else if (byte < pivot) {
        addresses[at++] = addresses[less] as number;
        addresses[less++] = address;
      } else {
        addresses[at] = addresses[--greater] as number;
        addresses[greater] = address;
      }
    }
    // The largest part comes last, in this loop: so hardly any calls are open at a time.
    const parts = [
      [low, less, same],
      [less, greater, same + 1],
      [greater, high, same],
    ] as const;
    const [one, other, largest] = parts.toSorted((first, second) => first[1] - first[0] - (second[1] - second[0])) as [Part, Part, Part];
    sortByKeys(table, addresses, ...one);
    sortByKeys(table, addresses, ...other);
    [low, high, same] = largest;
  }
  for (let index = low + 1; index < high; index++) {
    const address = addresses[index] as number;
    let place = index;
    for (; place > low && table.isKeyBefore(address, addresses[place - 1] as number, same); place--) {
      addresses[place] = addresses[place - 1] as number;
    }
    addresses[place] = address;
  }
}

function medianByte(table: KeyTable, addresses: Int32Array, low: number, high: number, depth: number): number {
  const one = table.keyByte(addresses[low] as number, depth);
  const other = table.keyByte(addresses[(low + high) >> 1] as number, depth);
  const third = table.keyByte(addresses[high - 1] as number, depth);
  return Math.max(Math.min(one, other), Math.min(Math.max(one, other), third));
}
