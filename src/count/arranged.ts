// Selects and orders the rows of a table for output: the largest ones, or the largest of each value of a field. Adds totals.
import { concat, viewOf } from "../base/arrays.ts";
import type { KeyField } from "../options/fields.ts";
import { addNumbers, COLUMNS, COLUMNS_COUNT, NO_MATCHES, numbersOf, TOTAL } from "./count-rows.ts";
import { eachRow, GroupTable } from "./group-table.ts";
import { compareKeys, END, endOfValues } from "./key-fields.ts";
import type { KeyRow, SpillSettings } from "./spill.ts";

/** Which rows are shown, and in which order. */
export interface RowOrder {
  /** Columns that rank the rows: by falling numbers, the first column first. */
  readonly numbers: readonly number[];
  /** Whether rows are sorted by their keys; otherwise the largest row is first. */
  readonly isByKey: boolean;
  /** Most rows: the largest ones. With `per` it is the most rows of each value. */
  readonly most: number;
  /** The first fields of the key, if each of their values has its own largest rows; empty: there are no such fields. */
  readonly per: readonly KeyField[];
  /** The first fields of the key: rows with equal values of these fields share a total; undefined: rows have none. */
  readonly total: readonly KeyField[] | undefined;
}

/** All rows, the largest ones first. */
export const ALL_ROWS: RowOrder = { numbers: [COLUMNS.count], isByKey: false, most: Number.POSITIVE_INFINITY, per: [], total: undefined };
/** Begins the keys of counts of messages. It is above all bytes that other keys begin with. */
export const MESSAGES = 0xff;

const NUMBER_BYTES = 8; // Bytes of a number in a key
const NUMBER_MOST = 2 ** 53; // All numbers of rows are less than this

/** Yields the wanted rows of a table in order, and undefined where the caller may pause, but not add. With totals it empties the table. */
export function* arranged(table: GroupTable, settings: SpillSettings, order: RowOrder): Generator<KeyRow | undefined> {
  const { numbers, isByKey, most, per, total } = order;
  const counted = total === undefined ? table : yield* withTotals(table, settings, total);
  const isWhole = most === Number.POSITIVE_INFINITY;
  if (isByKey && isWhole) return yield* counted.byKey();
  const largest = per.length === 0 ? counted.sorted(numbers, most) : largestPer(counted, settings, order);
  if (!isByKey) return yield* largest;
  const wanted = new GroupTable(settings);
  yield* eachRow(largest, (row) => addRow(wanted, row));
  yield* wanted.byKey();
}

/** Moves rows to a table with the values of `first` as keys. Counts those above 0, and Message-IDs if these are next in their keys. */
export function* countedByFirst(table: GroupTable, settings: SpillSettings, first: readonly KeyField[]): Generator<undefined, GroupTable> {
  const result = new GroupTable(settings);
  const isOtherMessage = otherPrefix([...first, "message_id"]);
  yield* table.eachByKey((row) => {
    if (row.number(COLUMNS.count) <= 0) return;
    const end = endOfValues(row.bytes, row.keyStart, first);
    const messages = isOtherMessage(row) && row.bytes[end] !== END ? 1 : 0;
    result.add(viewOf(row.bytes), row.keyStart, end, { ...numbersOf(row), count: 1, messages, serial: 0 });
  });
  table.clear();
  return result;
}

/** Moves the rows to a table with one row for equal values of `first`: it has the sums, and the key of the row with the earliest date. */
export function* withFirst(table: GroupTable, settings: SpillSettings, first: readonly KeyField[]): Generator<undefined, GroupTable> {
  const result = new GroupTable(settings);
  const isOtherKey = otherPrefix(first);
  const sums = new Float64Array(COLUMNS_COUNT);
  let [key, earliest] = [new Uint8Array(0), Number.NaN];
  const give = (): void => {
    if (key.length > 0) result.add(viewOf(key), 0, key.length, numbersOf({ number: (column) => sums[column] }));
    sums.fill(0);
  };
  yield* table.eachByKey((row) => {
    const [isOther, time] = [isOtherKey(row), row.number(COLUMNS.first)];
    if (isOther) give();
    if (isOther || time < earliest || (Number.isNaN(earliest) && !Number.isNaN(time))) {
      key = row.bytes.slice(row.keyStart, row.keyEnd);
      earliest = time;
    }
    addNumbers(sums, 0, isOther, { ...numbersOf(row), serial: 0 });
  });
  give();
  table.clear();
  return result;
}

/** Moves the rows to a table that gives each row a total: the sum of the counts of all rows with the same values of `first`. */
function* withTotals(table: GroupTable, settings: SpillSettings, first: readonly KeyField[]): Generator<undefined, GroupTable> {
  const totals = new GroupTable(settings);
  yield* table.eachByKey((row) => {
    const end = endOfValues(row.bytes, row.keyStart, first);
    totals.add(viewOf(row.bytes), row.keyStart, end, { ...NO_MATCHES, count: row.number(COLUMNS.count) });
  });
  return yield* joined(table, totals, settings);
}

/**
 * Moves the rows to a table that gives each row the number of all messages with its first values. `areWhole`: these values are the key of
 * the row, and values without a match get a row too.
 */
export function* withMessages(table: GroupTable, settings: SpillSettings, areWhole: boolean): Generator<undefined, GroupTable> {
  const [rows, totals] = [new GroupTable(settings), new GroupTable(settings)];
  yield* table.eachByKey((row) => {
    const [view, total] = [viewOf(row.bytes), row.number(COLUMNS.messages)];
    if (row.bytes[row.keyStart] !== MESSAGES) addRow(rows, row, 0);
    // Keys with MESSAGES come last, and a later serial replaces that of the row.
    else if (areWhole) rows.add(view, row.keyStart + 1, row.keyEnd, { ...NO_MATCHES, serial: total });
    else totals.add(view, row.keyStart + 1, row.keyEnd, { ...NO_MATCHES, count: total });
  });
  table.clear();
  return areWhole ? rows : yield* joined(rows, totals, settings);
}

/** Moves the rows to a table with totals. The keys of `totals` are the first values of the rows. */
function* joined(table: GroupTable, totals: GroupTable, settings: SpillSettings): Generator<undefined, GroupTable> {
  const result = new GroupTable(settings);
  const later = totals.byKey();
  function* next(): Generator<undefined, { readonly bytes: Uint8Array; readonly total: number } | undefined> {
    for (let step = later.next(); step.done !== true; step = later.next()) {
      if (step.value !== undefined)
        return { bytes: step.value.bytes.slice(step.value.keyStart, step.value.keyEnd), total: step.value.number(COLUMNS.count) };
      yield;
    }
    return undefined;
  }
  let all = yield* next();
  for (const row of table.byKey()) {
    if (row === undefined) {
      yield;
      continue;
    }
    while (all !== undefined && compareKeys(all.bytes, 0, row.bytes, row.keyStart) < 0) all = yield* next();
    const isSame = all !== undefined && compareKeys(all.bytes, 0, row.bytes, row.keyStart) === 0;
    addRow(result, row, isSame ? all?.total : 0);
  }
  table.clear();
  return result;
}

/** Yields the largest rows of each value of the fields `per`, the values in order. */
function* largestPer(table: GroupTable, settings: SpillSettings, { numbers, most, per }: RowOrder): Generator<KeyRow | undefined> {
  // With these numbers after the values of the fields, the keys have the wanted order.
  const ranked = new GroupTable(settings);
  const inserted = numbers.length * NUMBER_BYTES;
  let bytes = new Uint8Array(0);
  yield* table.eachByKey((row) => {
    const length = row.keyEnd - row.keyStart + inserted;
    if (length > bytes.length) bytes = new Uint8Array(2 * length);
    const view = new DataView(bytes.buffer);
    const middle = endOfValues(row.bytes, row.keyStart, per);
    bytes.set(row.bytes.subarray(row.keyStart, middle));
    let at = middle - row.keyStart;
    for (const column of numbers) {
      // Doubles above 0 are sorted correctly by their bytes.
      view.setFloat64(at, NUMBER_MOST - row.number(column));
      at += NUMBER_BYTES;
    }
    bytes.set(row.bytes.subarray(middle, row.keyEnd), at);
    ranked.add(view, 0, length, numbersOf(row));
  });
  const isOther = otherPrefix(per);
  let rank = 0;
  for (const row of ranked.byKey()) {
    if (row !== undefined && isOther(row)) rank = 0;
    if (row === undefined) yield;
    else if (rank++ < most) yield withoutBytes(row, endOfValues(row.bytes, row.keyStart, per), inserted);
  }
}

/** Returns a row whose key does not have the `length` bytes from `at` on. */
function withoutBytes(row: KeyRow, at: number, length: number): KeyRow {
  const bytes = concat([row.bytes.subarray(row.keyStart, at), row.bytes.subarray(at + length, row.keyEnd)]);
  return { bytes, keyStart: 0, keyEnd: bytes.length, number: (column) => row.number(column) };
}

/** Adds a row of another table, with `total` in the column TOTAL. */
function addRow(table: GroupTable, row: KeyRow, total = row.number(TOTAL)): void {
  table.add(viewOf(row.bytes), row.keyStart, row.keyEnd, { ...numbersOf(row), serial: total });
}

/** Returns a function that returns whether the values of `fields`, the first ones of a key, differ from those of the row before. */
export function otherPrefix(fields: readonly KeyField[]): (row: KeyRow) => boolean {
  let last: Uint8Array | undefined;
  return ({ bytes, keyStart }) => {
    const end = endOfValues(bytes, keyStart, fields);
    if (last?.length === end - keyStart && last.every((byte, index) => byte === bytes[keyStart + index])) return false;
    last = bytes.slice(keyStart, end);
    return true;
  };
}
