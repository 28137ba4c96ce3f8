// Sorts the rows of a table by falling numbers, then by the bytes of their keys.
import type { KeyTable } from "./key-table.ts";

/** Most rows of a run that are compared with each other. The rows of a longer run are sorted by their values, level by level. */
const FEW = 32;
/** Bytes of a key that are compared at once. */
const WORD_BYTES = 4;
/** Whole numbers up to here are exact. */
const EXACT_MOST = 2 ** 53;
/** Rows between two pauses. A longer run is sorted in parts. */
const ROWS_AT_ONCE = 1 << 16;

/** The order of rows. A level is an index in `columns`, or the index of a word of the key plus the number of `columns`. */
interface Order {
  readonly table: KeyTable;
  readonly columns: readonly number[];
}

/** Addresses of rows that are equal on all levels before `level`; the first `most` are wanted in order. */
interface RowRun {
  readonly rows: Int32Array;
  readonly level: number;
  readonly most: number;
}

/** Rows and their values on a level. */
interface Sorted {
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

/**
 * Returns the addresses of the first `most` rows, in order; `columns`: the numbers by which they are sorted. Yields where the caller may
 * pause.
 */
export function* sortedAddresses(table: KeyTable, columns: readonly number[], most: number): Generator<undefined, Int32Array<ArrayBuffer>> {
  const addresses = new Int32Array(table.count);
  let used = 0;
  for (const part of table.addressParts()) {
    addresses.set(part, used);
    used += part.length;
    if (used < addresses.length) yield;
  }
  const order = { table, columns };
  const runs: RowRun[] = [{ rows: addresses, level: 0, most }];
  let done = 0;
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    if (run.rows.length > ROWS_AT_ONCE) {
      for (const part of yield* dividedLarge(order, run)) if (part.rows.length > 1) runs.push(part);
      continue;
    }
    sortRun(order, run);
    done += run.rows.length;
    if (done < ROWS_AT_ONCE) continue;
    done = 0;
    yield;
  }
  return addresses.subarray(0, Math.min(most, addresses.length));
}

/** Sorts a large run by its level; returns the runs of rows that are equal on that level too. */
function* dividedLarge(order: Order, { rows, level, most }: RowRun): Generator<undefined, Iterable<RowRun>> {
  const count = rows.length;
  const values = new Float64Array(count);
  let largest = 0;
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const end = start + ROWS_AT_ONCE;
    largest = Math.max(largest, readValues(order, level, rows.subarray(start, end), values.subarray(start, end)));
    yield;
  }
  if (level < order.columns.length) turnAround(values, largest);
  if (runEnd(values, 0) < count) yield* sortByManyValues(rows, values, largest);
  return dividedRun(rows, values, level, most);
}

/** Sorts a run of at most ROWS_AT_ONCE rows by all levels from its own on. */
function sortRun(order: Order, run: RowRun): void {
  const { columns } = order;
  let { rows, level, most } = run;
  while (rows.length > FEW) {
    const values = new Float64Array(rows.length);
    const largest = readValues(order, level, rows, values);
    if (level < columns.length) turnAround(values, largest);
    // Often all keys have the same start, and there is nothing to sort.
    if (runEnd(values, 0) < rows.length) sortByValues(rows, values, largest);
    // The longest run comes last, in this loop instead of a call: so the depth of calls stays small.
    let longest: RowRun = { rows: rows.subarray(0, 0), level: level + 1, most: 0 };
    for (let next of dividedRun(rows, values, level, most)) {
      if (next.rows.length > longest.rows.length) [next, longest] = [longest, next];
      if (next.rows.length > 1) sortRun(order, next);
    }
    ({ rows, level, most } = longest);
  }
  rows.sort((one, other) => (isBefore(order, one, other, level) ? -1 : 1));
}

/** Yields the runs of rows with the same value that have a wanted row. */
function* dividedRun(rows: Int32Array, values: Float64Array, level: number, most: number): Generator<RowRun> {
  for (let start = 0; start < Math.min(rows.length, most); ) {
    const end = runEnd(values, start);
    yield { rows: rows.subarray(start, end), level: level + 1, most: most - start };
    start = end;
  }
}

/** Reads the values of rows on a level; returns the largest. Numbers below 0 count as 0: their rows are left out (`Counter`). */
function readValues({ table, columns }: Order, level: number, rows: Int32Array, values: Float64Array): number {
  const column = columns[level];
  let largest = 0;
  for (let index = 0; index < rows.length; index++) {
    const address = rows[index];
    if (column !== undefined) table.select(address);
    const value = column === undefined ? table.keyWord(address, (level - columns.length) * WORD_BYTES) : Math.max(0, table.number(column));
    values[index] = value;
    if (value > largest) largest = value;
  }
  return largest;
}

/** Subtracts the values from the largest one, so that their order is reversed. */
function turnAround(values: Float64Array, largest: number): void {
  for (let index = 0; index < values.length; index++) values[index] = largest - values[index];
}

/** Sorts many rows and their values, like `sortByValues`. */
function* sortByManyValues(rows: Int32Array, values: Float64Array, largest: number): Generator<undefined> {
  const count = rows.length;
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const end = start + ROWS_AT_ONCE;
    sortByValues(rows.subarray(start, end), values.subarray(start, end), largest);
    yield;
  }
  let from: Sorted = { rows, values };
  let to: Sorted = { rows: new Int32Array(count), values: new Float64Array(count) };
  for (let length = ROWS_AT_ONCE; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) yield* merge(from, to, start, length);
    [from, to] = [to, from];
  }
  rows.set(from.rows);
  values.set(from.values);
}

/** Merges two sorted runs of `length` rows; the first begins at `start`. At the end of the rows a run may be shorter or missing. */
function* merge(from: Sorted, to: Sorted, start: number, length: number): Generator<undefined> {
  const middle = Math.min(start + length, from.rows.length);
  const end = Math.min(middle + length, from.rows.length);
  for (let [at, one, other] = [start, start, middle]; at < end; ) {
    for (const stop = Math.min(at + ROWS_AT_ONCE, end); at < stop; at++) {
      const isOne = other === end || (one < middle && from.values[one] <= from.values[other]);
      const next = isOne ? one++ : other++;
      to.rows[at] = from.rows[next];
      to.values[at] = from.values[next];
    }
    yield;
  }
}

/** Sorts rows by their values, and the values too. Values are whole numbers from 0 to `largest`. */
function sortByValues(rows: Int32Array, values: Float64Array, largest: number): void {
  const count = rows.length;
  const old = rows.slice();
  if ((largest + 1) * count > EXACT_MOST) {
    const order = Uint32Array.from(old.keys()).sort((one, other) => values[one] - values[other]);
    for (let index = 0; index < count; index++) rows[index] = old[order[index]];
    values.sort();
    return;
  }
  // A value and its row in one number, because numbers without a comparison function are sorted much faster.
  for (let index = 0; index < count; index++) values[index] = values[index] * count + index;
  values.sort();
  for (let index = 0; index < count; index++) {
    const both = values[index];
    const value = Math.floor(both / count);
    rows[index] = old[both - value * count];
    values[index] = value;
  }
}

/** Returns the end of the values that are equal to the value at `start`. */
function runEnd(values: Float64Array, start: number): number {
  let end = start + 1;
  while (end < values.length && values[end] === values[start]) end++;
  return end;
}

/** Returns whether a row is before another; both are equal on all levels before `level`. */
function isBefore({ table, columns }: Order, address: number, other: number, level: number): boolean {
  for (let index = level; index < columns.length; index++) {
    const column = columns[index];
    table.select(address);
    const number = table.number(column);
    table.select(other);
    if (number !== table.number(column)) return number > table.number(column);
  }
  return table.isKeyBefore(address, other, Math.max(0, level - columns.length) * WORD_BYTES);
}
