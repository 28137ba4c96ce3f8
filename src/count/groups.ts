// Forms of groups: one that goes from thread to thread, and one that is shown.

import { grown, viewOf } from "../base/arrays.ts";
import { isoDate } from "../mail/date.ts";
import type { KeyField } from "../options/fields.ts";
import { TOTAL } from "./arranged.ts";
import { COLUMNS, type GroupRow, type GroupTable, NO_MATCHES } from "./group-table.ts";
import { valuesOf } from "./key-fields.ts";

/** Packed groups: for each a head of GROUP_HEAD_BYTES bytes, and its key. */
export interface GroupBatch {
  readonly kind: "groups";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

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

/** Bytes before the key: count, messages, first, last, and the length of the key. */
export const GROUP_HEAD_BYTES = 4 * 8 + 4;

/** Removes the groups in memory from a table; returns them packed. */
export function packed(table: GroupTable): GroupBatch {
  let bytes = new Uint8Array(table.size);
  let view = new DataView(bytes.buffer);
  let used = 0;
  let count = 0;
  for (const row of table.rows()) {
    const length = row.keyEnd - row.keyStart;
    if (used + GROUP_HEAD_BYTES + length > bytes.length) {
      bytes = grown(bytes, 2 * (used + GROUP_HEAD_BYTES + length));
      view = new DataView(bytes.buffer);
    }
    for (const [index, column] of PACKED_COLUMNS.entries()) view.setFloat64(used + 8 * index, row.number(column), true);
    view.setInt32(used + GROUP_HEAD_BYTES - 4, length, true);
    bytes.set(row.bytes.subarray(row.keyStart, row.keyEnd), used + GROUP_HEAD_BYTES);
    used += GROUP_HEAD_BYTES + length;
    count++;
  }
  table.clear();
  return { kind: "groups", bytes: bytes.slice(0, used), count };
}

const PACKED_COLUMNS = [COLUMNS.count, COLUMNS.messages, COLUMNS.first, COLUMNS.last] as const;

/** Adds packed groups to a table. The table and the groups must have counted different messages. */
export function addPacked(table: GroupTable, { bytes, count }: GroupBatch): void {
  const view = viewOf(bytes);
  const more = { ...NO_MATCHES };
  for (let index = 0, at = 0; index < count; index++) {
    more.count = view.getFloat64(at, true);
    more.messages = view.getFloat64(at + 8, true);
    more.first = view.getFloat64(at + 16, true);
    more.last = view.getFloat64(at + 24, true);
    const key = at + GROUP_HEAD_BYTES;
    at = key + view.getInt32(key - 4, true);
    if (at < key) throw new RangeError(`a key of ${at - key} bytes`);
    table.add(view, key, at, more);
  }
}

/** Returns the shown form of a group; `by`: the fields of its key; `total`: what the total of the row counts, if it has one. */
export function groupOf(row: GroupRow, by: readonly KeyField[], total?: "count" | "messages"): Group {
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

function dateOf(seconds: number): string | undefined {
  return Number.isNaN(seconds) ? undefined : isoDate(seconds);
}
