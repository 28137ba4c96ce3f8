// Where a decoder stands: the source that is left, the window's end that it writes to, and the rows of the source map.
// Source bytes are copied one to one but for references, so that only these need a row.

import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyText, copyUntil, fill } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";

/** Most bytes that are written between two calls of hasRoom, beside those of copyRun. */
const ROOM: i32 = 48;
/** What the text of a source holds in the place of a byte that would look like CONTEXT_*: hard as well (X3). */
const NEUTRAL: i32 = 4;

/** Behind the last source byte. */
export let sourceEnd: i32 = 0;
/** Whether the source ends there. */
export let isLast: bool = false;
/** Next address of the window. */
export let to: i32 = 0;
let limit: i32 = 0;
let rows: i32 = 0;
/** What is added to an address of the source in rows of the source map. */
let bias: i32 = 0;

/** Reads the arguments; returns the next source byte's address. */
export function begin(): i32 {
  sourceEnd = loadWord(layout.STATE_SOURCE_END);
  isLast = loadWord(layout.STATE_SOURCE_FINAL) != 0;
  to = loadWord(layout.STATE_DECODED);
  limit = loadWord(layout.STATE_DECODED_LIMIT);
  rows = 0;
  bias = 0;
  return loadWord(layout.STATE_SOURCE);
}

/** Takes another source: up to `end`, and whether it ends there; rows count its addresses with `added`. */
export function setSource(end: i32, last: bool, added: i32): void {
  sourceEnd = end;
  isLast = last;
  bias = added;
}

/** Writes the results: everything before `source` is decoded. */
export function finish(source: i32): void {
  storeWord(layout.STATE_SOURCE, source);
  storeWord(layout.STATE_DECODED, to);
  storeWord(layout.STATE_MAP_ROWS, rows);
}

/** Whether there is room for one step. */
export function hasRoom(): bool {
  return to + ROOM <= limit && rows < layout.MAP_ROWS_MAX;
}

/** Bytes of the window that may still be written. */
export function windowRoom(): i32 {
  return limit - to - ROOM;
}

/** Rows of the source map that may still be written. */
export function rowsRoom(): i32 {
  return layout.MAP_ROWS_MAX - rows;
}

/** Copies `count` bytes of plain text, for which there is room and 64 bytes more. */
export function putText(source: i32, count: i32): void {
  copyText(to, source, source + count);
  to += count;
}

/** Behind the source bytes from `source` on for which there is room, one for one. */
export function findBound(source: i32): i32 {
  const room = limit - to;
  return sourceEnd - source < room ? sourceEnd : source + room;
}

/** Writes one byte, `distance` bytes behind the last one. */
export function putAt(distance: i32, c: i32): void {
  store8(to + distance, c);
}

/** Writes `count` times the byte `c`, `distance` bytes behind the last one. */
export function fillAt(distance: i32, count: i32, c: i32): void {
  fill(to + distance, count, c);
}

/** Takes what putAt has written. */
export function advance(count: i32): void {
  to += count;
}

/** Writes CONTEXT_* in the place of each of the `count` bytes at `source`, ROOM at most; returns the address behind them. */
export function hide(source: i32, count: i32, region: i32): i32 {
  fill(to, count, region);
  to += count;
  return source + count;
}

/** Copies the byte at `source`; returns the address behind it. */
export function copyByte(source: i32): i32 {
  store8(to, kept(load8(source)));
  to++;
  return source + 1;
}

/** The byte that stands for `c` of a source. */
export function kept(c: i32): i32 {
  return c > 0 && c <= layout.CONTEXT_RAW ? NEUTRAL : c;
}

/** Copies the bytes from `source` to the first one of `set`, or as many as there are or fit; returns the address behind them. */
export function copyRun(source: i32, set: i32): i32 {
  const end = copyUntil(to, source, findBound(source), set);
  to += end - source;
  return end;
}

/** Writes the `length` bytes at `value` in the place of the source bytes that end at `end`; returns `end`. */
export function putReference(value: i32, length: i32, end: i32): i32 {
  for (let i = 0; i < length; i++) copyByte(value + i);
  const row = layout.MAP_REGION + multiply(rows, layout.MAP_ROW_BYTES);
  storeWord(row, (to << layout.MAP_SHIFT) | length);
  storeWord(row + 4, ((end + bias) << layout.MAP_SCALE_SHIFT) | layout.MAP_SCALE_ONE);
  rows++;
  return end;
}
