// Forms of groups: one that goes from thread to thread, and one that is shown.
import { isoDate } from "../mail/date.ts";
import type { KeyField } from "../options/fields.ts";
import { TOTAL } from "./arranged.ts";
import { COLUMNS, eachPacked, NO_MATCHES, type PackedRows, RowPacker } from "./count-rows.ts";
import { type GroupRow, type GroupTable, numbersOf } from "./group-table.ts";
import { valuesOf } from "./key-fields.ts";

/** Packed rows of groups. */
export interface GroupBatch extends PackedRows {
  readonly kind: "groups";
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

/** Removes the groups in memory from a table; returns them packed. */
export function packed(table: GroupTable): GroupBatch {
  const rows = new RowPacker(table.size);
  for (const row of table.rows()) rows.add(row.bytes, row.keyStart, row.keyEnd, numbersOf(row));
  table.clear();
  return { kind: "groups", ...rows.finish() };
}

/** Adds packed groups to a table. The table and the groups must have counted different messages. */
export function addPacked(table: GroupTable, groups: GroupBatch): void {
  const more = { ...NO_MATCHES };
  eachPacked(groups, more, (view, start, end) => table.add(view, start, end, more));
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
