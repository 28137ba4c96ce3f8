// Rows of counts: the numbers of a key, and the form in which keys and numbers go from thread to thread.
import { grown, viewOf } from "../base/arrays.ts";

/** Columns of a row: matches, messages, serial of the last counted message (0: none), earliest and latest time (NaN: none). */
export const COLUMNS = { count: 0, messages: 1, serial: 2, first: 3, last: 4 } as const;
export const COLUMN_NAMES = ["count", "messages", "serial", "first", "last"] as const;
export const COLUMNS_COUNT = COLUMN_NAMES.length;
/** The column for totals: that of the serials, which are not needed once all messages are counted. */
export const TOTAL = COLUMNS.serial;

/** An increment of a row. Times are seconds since 1970, NaN if there is none. */
export interface RowNumbers {
  count: number;
  messages: number;
  /** Number of the message, which the row may have counted already; 0: all messages are new to the row. */
  serial: number;
  first: number;
  last: number;
}

export function numbersOf(row: { number(column: number): number }): RowNumbers {
  const [count, messages, serial] = [row.number(COLUMNS.count), row.number(COLUMNS.messages), row.number(COLUMNS.serial)];
  return { count, messages, serial, first: row.number(COLUMNS.first), last: row.number(COLUMNS.last) };
}

export const NO_MATCHES: RowNumbers = { count: 0, messages: 0, serial: 0, first: Number.NaN, last: Number.NaN };

/** Adds to the numbers of a row, which are COLUMNS from `at` on. */
export function addNumbers(numbers: Float64Array, at: number, isNew: boolean, { count, messages, serial, first, last }: RowNumbers): void {
  if (isNew) {
    numbers[at + COLUMNS.first] = first;
    numbers[at + COLUMNS.last] = last;
  } else if (!Number.isNaN(first)) {
    // Comparisons with NaN are false.
    if (!(numbers[at + COLUMNS.first] <= first)) numbers[at + COLUMNS.first] = first;
    if (!(numbers[at + COLUMNS.last] >= last)) numbers[at + COLUMNS.last] = last;
  }
  numbers[at + COLUMNS.count] = numbers[at + COLUMNS.count] + count;
  if (serial !== 0 && messages > 0 && numbers[at + COLUMNS.serial] === serial) return;
  numbers[at + COLUMNS.messages] = numbers[at + COLUMNS.messages] + messages;
  if (serial !== 0) numbers[at + COLUMNS.serial] = serial;
}

/** Packed rows: for each a head of ROW_HEAD_BYTES bytes, and its key, unless it is that of the row before. */
export interface PackedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

/** Bytes before the key: count, messages, first, last, the month, and the length of the key. */
export const ROW_HEAD_BYTES = 4 * 8 + 2 * 4;
const SAME_KEY = -1; // Instead of the length: the key is that of the row before. Else a long URL would be there for each of its months.

/** Packs rows, without their serials. */
export class RowPacker {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #used = 0;
  #count = 0;

  /** `bytes`: room at first. */
  constructor(bytes: number) {
    this.#bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Adds a row of the key [start, end), or with `isSameKey` of the key of the row before. */
  add(bytes: Uint8Array, start: number, end: number, numbers: RowNumbers, month = 0, isSameKey = false): void {
    const { count, messages, first, last } = numbers;
    const key = this.#used + ROW_HEAD_BYTES;
    const keyEnd = isSameKey ? key : key + end - start;
    if (keyEnd > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, 2 * keyEnd);
      this.#view = new DataView(this.#bytes.buffer);
    }
    const view = this.#view;
    view.setFloat64(this.#used, count, true);
    view.setFloat64(this.#used + 8, messages, true);
    view.setFloat64(this.#used + 16, first, true);
    view.setFloat64(this.#used + 24, last, true);
    view.setInt32(key - 8, month, true);
    view.setInt32(key - 4, isSameKey ? SAME_KEY : end - start, true);
    if (!isSameKey) this.#bytes.set(bytes.subarray(start, end), key);
    this.#used = keyEnd;
    this.#count++;
  }

  finish(): PackedRows {
    return { bytes: this.#bytes.slice(0, this.#used), count: this.#count };
  }
}

/** Calls `add` with the key [start, end), the month and the other numbers of each packed row; they are valid until it returns. */
export function eachPacked(
  { bytes, count }: PackedRows,
  add: (view: DataView, start: number, end: number, more: RowNumbers & { month: number }) => void,
): void {
  const view = viewOf(bytes);
  const more = { month: 0, ...NO_MATCHES };
  let [start, end] = [0, 0];
  for (let index = 0, at = 0; index < count; index++) {
    more.count = view.getFloat64(at, true);
    more.messages = view.getFloat64(at + 8, true);
    more.first = view.getFloat64(at + 16, true);
    more.last = view.getFloat64(at + 24, true);
    const key = at + ROW_HEAD_BYTES;
    more.month = view.getInt32(key - 8, true);
    const length = view.getInt32(key - 4, true);
    if (length < SAME_KEY || (length === SAME_KEY && index === 0)) throw new RangeError(`a key of ${length} bytes`);
    if (length !== SAME_KEY) [start, end] = [key, key + length];
    at = Math.max(key, end);
    add(view, start, end, more);
  }
}
