// The form in which a table goes from thread to thread.
import { grown, viewOf } from "../base/arrays.ts";
import { type MonthCell, noAddition } from "./month-cells.ts";
import type { ValueTable } from "./value-table.ts";

export interface PackedTable {
  /** For each value a head of HEAD_BYTES bytes, its key, and its cells. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** The bound of the table (`ValueTable.bound`). */
  readonly bound: number;
  /** The rest of the table (`ValueTable.rest`). */
  readonly rest: readonly MonthCell[];
}

/** Bytes before a key: the earliest and the latest time, the length of the key, and the number of its cells, which follow the key. */
const HEAD_BYTES = 2 * 8 + 2 * 4;
/** Bytes of a cell: matches, messages, month. */
const CELL_BYTES = 2 * 8 + 4;

/** Returns the packed form of a table, without values and months that have no matches. */
export function packedTable(table: ValueTable): PackedTable {
  let bytes = new Uint8Array(table.size);
  let view = new DataView(bytes.buffer);
  let [used, count] = [0, 0];
  const reserve = (more: number): void => {
    if (used + more <= bytes.length) return;
    bytes = grown(bytes, 2 * (used + more));
    view = new DataView(bytes.buffer);
  };
  for (const address of table.addresses()) {
    table.select(address);
    const key = table.key();
    const head = used;
    reserve(HEAD_BYTES + key.length);
    view.setFloat64(head, table.first, true);
    view.setFloat64(head + 8, table.last, true);
    view.setInt32(head + 16, key.length, true);
    bytes.set(key, head + HEAD_BYTES);
    used += HEAD_BYTES + key.length;
    let cells = 0;
    table.visitCells(({ month, matches, messages }) => {
      if (matches === 0) return;
      reserve(CELL_BYTES);
      view.setFloat64(used, matches, true);
      view.setFloat64(used + 8, messages, true);
      view.setInt32(used + 16, month, true);
      used += CELL_BYTES;
      cells++;
    });
    view.setInt32(head + 20, cells, true);
    if (cells === 0) used = head;
    else count++;
  }
  return { bytes: bytes.slice(0, used), count, bound: table.bound, rest: [...table.rest] };
}

/** Adds a packed table to a table. Both must have counted different messages. */
export function addPackedTable(table: ValueTable, { bytes, count, bound, rest }: PackedTable): void {
  const view = viewOf(bytes);
  const more = noAddition();
  for (let index = 0, at = 0; index < count; index++) {
    more.first = view.getFloat64(at, true);
    more.last = view.getFloat64(at + 8, true);
    const cells = view.getInt32(at + 20, true);
    const key = at + HEAD_BYTES;
    const keyEnd = key + view.getInt32(at + 16, true);
    at = keyEnd + cells * CELL_BYTES;
    if (keyEnd < key || at < keyEnd) throw new RangeError("a packed table has a negative length");
    for (let cell = keyEnd; cell < at; cell += CELL_BYTES) {
      more.matches = view.getFloat64(cell, true);
      more.messages = view.getFloat64(cell + 8, true);
      more.month = view.getInt32(cell + 16, true);
      table.add(view, key, keyEnd, more);
    }
  }
  table.bound += bound;
  for (const [month, matches, messages] of rest) table.rest.addNumbers(month, matches, messages);
}
