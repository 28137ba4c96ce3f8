// Groups and their counts, in memory while there is room. Increments of other groups wait on disk (partitions.ts), so counts stay exact.
import { isoDate } from "../mail/date.ts";
import type { KeyField } from "../options/fields.ts";
import type { PackedRows, RowNumbers } from "./count-rows.ts";
import { addNumbers, COLUMN_NAMES, COLUMNS, COLUMNS_COUNT, eachPacked, numbersOf, RowPacker, TOTAL } from "./count-rows.ts";
import { compareKeys, valuesOf } from "./key-fields.ts";
import { type KeyTable, NO_ROOM } from "./key-table.ts";
import { SpillTable, written } from "./partitions.ts";
import { mergeRuns, sortedAddresses } from "./sort-rows.ts";
import type { KeyRow, SpillSettings, SpillStream } from "./spill.ts";

const ROWS_AT_ONCE = 1024; // Rows that are read between two pauses
const ALL = Number.POSITIVE_INFINITY;

export class GroupTable {
  readonly #settings: SpillSettings;
  readonly #table: SpillTable;
  readonly #keys: KeyTable;
  #byKey: SpillStream | undefined; // All groups in the order of their keys, on disk; undefined: not made yet, or not needed

  constructor(settings: SpillSettings, table = new SpillTable(settings, COLUMNS_COUNT, COLUMNS_COUNT)) {
    this.#settings = settings;
    this.#table = table;
    this.#keys = table.keys;
  }

  /** Bytes that the groups in memory take, with the slots of the hash table. */
  get size(): number {
    return this.#keys.size;
  }

  /** Adds to the group of the key [start, end). Throws if the disk is full. */
  add(view: DataView, start: number, end: number, more: RowNumbers): void {
    const keys = this.#keys;
    if (keys.reach(view, start, end) === NO_ROOM) this.#spill(view, start, end, more);
    else addNumbers(keys.numbers, keys.at, keys.isNew, more);
  }

  /** Yields the groups in memory, in the order of their first increments. */
  rows(): Generator<KeyRow> {
    return this.#select(this.#keys.addresses());
  }

  /** Yields the first `most` groups by falling `numbers` (COLUMNS), then by keys, and undefined where the caller may pause, but not add. */
  *sorted(numbers: readonly number[], most: number): Generator<KeyRow | undefined> {
    if (this.#byKey !== undefined) {
      const groups = new GroupTable(this.#settings);
      yield* groups.#addAll(this.#byKey.again());
      return yield* groups.sorted(numbers, most);
    }
    if (!this.#keys.isFull) return yield* this.#select(yield* sortedAddresses(this.#keys, numbers, most));
    for (const run = yield* this.#run(numbers, most); run.next(); ) yield run;
  }

  /**
   * Yields all groups in the order of their keys, and undefined where the caller may pause, but not add. It can be called again. If the
   * groups take more than half of the memory, they go to disk, so that the caller has room for a table of its own.
   */
  *byKey(): Generator<KeyRow | undefined> {
    const isSmall = !this.#keys.isFull && this.size <= this.#settings.memory / 2;
    if (isSmall && this.#byKey === undefined) return yield* this.#select(yield* sortedAddresses(this.#keys, [], ALL));
    this.#byKey ??= yield* this.#run([], ALL);
    for (const run = this.#byKey.again(); run.next(); ) yield run;
  }

  /** Calls `visit` with each group of `byKey`. Yields where the caller may pause, but not add. */
  eachByKey(visit: (row: KeyRow) => void): Generator<undefined> {
    return eachRow(this.byKey(), visit);
  }

  clear(): void {
    this.#keys.clear();
  }

  *#select(addresses: Int32Array): Generator<KeyRow> {
    for (const address of addresses) {
      this.#keys.select(address);
      yield this.#keys;
    }
  }

  #spill(view: DataView, start: number, end: number, more: RowNumbers): void {
    const stream = this.#table.streamFor(view, start, end);
    stream.add(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start, end);
    for (const name of COLUMN_NAMES) stream.setNumber(COLUMNS[name], more[name]);
  }

  /** Writes the groups that `sorted` yields to disk; returns their stream. Removes all groups from memory. */
  *#run(numbers: readonly number[], most: number): Generator<undefined, SpillStream> {
    const [table, settings] = [this.#table, this.#settings];
    const sorted = this.#select(yield* sortedAddresses(this.#keys, numbers, most));
    const runs = [yield* written(settings, COLUMNS_COUNT, sorted)];
    for (const rows of table.finish()) {
      const groups = new GroupTable(settings, table.next());
      yield* groups.#addAll(rows);
      runs.push(yield* groups.#run(numbers, most));
    }
    return runs.length === 1 ? runs[0] : yield* written(settings, COLUMNS_COUNT, mergeRuns(runs, isBefore(numbers)), most);
  }

  *#addAll(rows: SpillStream): Generator<undefined> {
    for (let row = 0; rows.next(); row++) {
      if (row % ROWS_AT_ONCE === 0) yield;
      this.add(rows.view, rows.keyStart, rows.keyEnd, numbersOf(rows));
    }
  }
}

function isBefore(numbers: readonly number[]): (one: KeyRow, other: KeyRow) => boolean {
  return (one, other) => {
    for (const column of numbers) {
      const difference = other.number(column) - one.number(column);
      if (difference !== 0) return difference < 0;
    }
    return compareKeys(one.bytes, one.keyStart, other.bytes, other.keyStart) < 0;
  };
}

/** Calls `visit` with each row. Yields where the caller may pause. */
export function* eachRow(rows: Iterable<KeyRow | undefined>, visit: (row: KeyRow) => void): Generator<undefined> {
  for (const row of rows) {
    if (row === undefined) yield;
    else visit(row);
  }
}

export interface GroupBatch extends PackedRows {
  readonly kind: "groups";
}

/** The shown form of a group. */
export interface Group {
  /** Values of the fields of its key; undefined: no value. */
  readonly values: readonly (string | undefined)[];
  /** Matches, or distinct keys if these are counted. */
  readonly count: number;
  /** Messages with one of its matches; 0 if the inputs have no messages, or if distinct keys are counted. */
  readonly messages: number;
  /** Date of the earliest message with one of its matches, RFC 3339 in UTC; undefined: none has a date. */
  readonly first: string | undefined;
  /** Date of the latest such message. */
  readonly last: string | undefined;
  /** All messages with the values of the group's first fields, also those without a match; undefined: not wanted. */
  readonly of_messages?: number | undefined;
  /** The count as a percentage of the total of the group (`RowOrder.total`), or the messages of `of_messages`; undefined: not wanted. */
  readonly share?: number | undefined;
}

/** Removes the groups in memory from a table; returns them packed. */
export function packed(table: GroupTable): GroupBatch {
  const rows = new RowPacker(table.size);
  for (const row of table.rows()) rows.add(row.bytes, row.keyStart, row.keyEnd, numbersOf(row));
  table.clear();
  return { kind: "groups", ...rows.finish() };
}

/** Adds packed groups to a table. The table and the groups must have counted different messages. */
export function addPacked(table: GroupTable, groups: GroupBatch): void {
  eachPacked(groups, (view, start, end, more) => table.add(view, start, end, more));
}

/** Returns the shown form of a group. `by`: the fields of its key; `total`: what the total of the row counts, if it has one. */
export function groupOf(row: KeyRow, by: readonly KeyField[], total?: "count" | "messages"): Group {
  const [earliest, latest] = [row.number(COLUMNS.first), row.number(COLUMNS.last)];
  const first = dateOf(earliest);
  return {
    values: valuesOf(row.bytes, row.keyStart, by),
    count: row.number(COLUMNS.count),
    messages: row.number(COLUMNS.messages),
    first,
    last: latest === earliest ? first : dateOf(latest),
    ...(total === undefined ? {} : { share: percentOf(row.number(COLUMNS[total]), row.number(TOTAL)) }),
    ...(total === "messages" ? { of_messages: row.number(TOTAL) } : {}),
  };
}

/** Returns a percentage with two digits after the point. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;
}

/** Returns a time in seconds since 1970 as text; undefined for NaN. */
function dateOf(seconds: number): string | undefined {
  return Number.isNaN(seconds) ? undefined : isoDate(seconds);
}
