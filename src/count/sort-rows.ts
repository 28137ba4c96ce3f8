// Sorts the rows of a table by falling numbers, then by the bytes of their keys, and merges sorted runs.
import type { KeyTable } from "./key-table.ts";

/** Most rows of a run that are compared with each other. The rows of a longer run are sorted by their values, level by level. */
const FEW = 32;
const WORD_BYTES = 4; // Bytes of a key that are compared at once
const EXACT_MOST = 2 ** 53; // Whole numbers up to here are exact
const ROWS_AT_ONCE = 1 << 14; // Merged rows between two pauses

/** The order of rows. A level is an index in `columns`, or the index of a word of the key plus the number of `columns`. */
interface Order {
  readonly table: KeyTable;
  readonly columns: readonly number[];
}

/** The wanted rows of a part of the table, in order, and the index of the present one. */
interface Part {
  readonly rows: Int32Array;
  at: number;
  next(): boolean;
}

/** Returns the addresses of the first `most` rows by falling numbers in `columns`, then by keys. Yields where the caller may pause. */
export function* sortedAddresses(table: KeyTable, columns: readonly number[], most: number): Generator<undefined, Int32Array<ArrayBuffer>> {
  const order = { table, columns };
  const parts: Part[] = [];
  for (const addresses of table.addressParts()) {
    const rows = addresses.slice();
    if (parts.length > 0) yield;
    sortPart(order, rows, most);
    parts.push({ rows: rows.subarray(0, most), at: -1, next: nextRow });
  }
  const first = new Int32Array(Math.min(most, table.count));
  let count = 0;
  for (const { rows, at } of mergeRuns(parts, (one, other) => isBefore(order, one.rows[one.at], other.rows[other.at], 0))) {
    if (count === first.length) break;
    first[count++] = rows[at];
    if (count % ROWS_AT_ONCE === 0) yield;
  }
  return first;
}

function nextRow(this: Part): boolean {
  return ++this.at < this.rows.length;
}

/** Sorts the rows of a part, so that the first `most` are in order. */
function sortPart(order: Order, part: Int32Array, most: number): void {
  // Each run has rows that are equal on all levels before its own.
  const runs = [{ rows: part, level: 0, most }];
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const { rows, level } = run;
    if (rows.length <= FEW) {
      rows.sort((one, other) => (isBefore(order, one, other, level) ? -1 : 1));
      continue;
    }
    const values = sortedByLevel(order, rows, level);
    for (let start = 0; start < Math.min(rows.length, run.most); ) {
      const end = runEnd(values, start);
      if (end - start > 1) runs.push({ rows: rows.subarray(start, end), level: level + 1, most: run.most - start });
      start = end;
    }
  }
}

/** Sorts rows by their values on a level; returns the values in that order. */
function sortedByLevel({ table, columns }: Order, rows: Int32Array, level: number): Float64Array {
  const column = columns[level];
  const values = new Float64Array(rows.length);
  let largest = 0;
  for (let index = 0; index < rows.length; index++) {
    const address = rows[index];
    if (column !== undefined) table.select(address);
    // Numbers below 0 count as 0: their rows are left out (`Counter`).
    const value = column === undefined ? table.keyWord(address, (level - columns.length) * WORD_BYTES) : Math.max(0, table.number(column));
    values[index] = value;
    if (value > largest) largest = value;
  }
  // The largest numbers come first.
  if (column !== undefined) for (let index = 0; index < values.length; index++) values[index] = largest - values[index];
  // Often all keys have the same start, and there is nothing to sort.
  if (runEnd(values, 0) < rows.length) sortByValues(rows, values, largest);
  return values;
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
    const number = Math.max(0, table.number(column));
    table.select(other);
    const otherNumber = Math.max(0, table.number(column));
    if (number !== otherNumber) return number > otherNumber;
  }
  return table.isKeyBefore(address, other, Math.max(0, level - columns.length) * WORD_BYTES);
}

/** A run that is read row by row. */
interface Cursor {
  /** Goes to the next row; returns false after the last one. */
  next(): boolean;
}

/** Yields, for each row in the merged order, the run that is at this row. */
export function* mergeRuns<Run extends Cursor>(runs: readonly Run[], isBefore: (one: Run, other: Run) => boolean): Generator<Run> {
  const heap = runs.filter((run) => run.next());
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) siftDown(heap, at, isBefore);
  for (let first = heap[0]; first !== undefined; first = heap[0]) {
    yield first;
    if (!first.next()) {
      const last = heap.pop() as Run;
      if (last === first) return;
      heap[0] = last;
    }
    siftDown(heap, 0, isBefore);
  }
}

/** Moves the run at `at` down a binary heap until no child is before it. */
function siftDown<Run>(heap: Run[], at: number, isBefore: (one: Run, other: Run) => boolean): void {
  const run = heap[at];
  let free = at;
  for (let child = 2 * free + 1; child < heap.length; child = 2 * free + 1) {
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], run)) break;
    heap[free] = heap[child];
    free = child;
  }
  heap[free] = run;
}
