// The input and output of the decoders of HTML and JSON: source bytes, the end of the window, rows of the source map. In a body part the
// source bytes are its converted text. Source bytes are copied one for one; only references of HTML and escapes of JSON change the distance
// to the source, and need a row.

import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "../layout/decoded.ts";
import * as layout from "../layout/memory.ts";
import { X9_REFERENCE } from "../layout/notes.ts";
import { multiply } from "../platform/arith.ts";
import { copyText, copyUnquoted, copyUntil, fill } from "../platform/kernel.ts";
import { copyBytes, load8, store8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { freeValues, hasValueRoom } from "./values.ts";

/** Most bytes that are written after hasRoom by functions that do not check the room themselves. */
const ROOM: i32 = 48;
/** Replaces a source byte that equals CONTEXT_*. It is a delimiter byte too (X3). */
const NEUTRAL: i32 = 4;

/** Address after the last source byte. */
export let sourceEnd: i32 = 0;
/** Whether the source ends at sourceEnd. */
export let isLast: bool = false;
/** Address after the last byte of the window, where the next byte is written. */
export let to: i32 = 0;
/** Address at which the room of the window ends. */
let limit: i32 = 0;
/** Number of rows of the source map that this call has written. */
let rows: i32 = 0;
/** This number is added to source addresses in rows of the source map. */
let bias: i32 = 0;

/** Begins a call that writes to the window from `start` on, up to `bound`. Frees the rows of values that have been taken. */
export function beginWindow(start: i32, bound: i32): void {
  freeValues();
  to = start;
  limit = bound;
  rows = 0;
}

/** Sets the end of the source bytes. `last`: the source ends there. `added`: the number to add to source addresses in rows. */
export function setSource(end: i32, last: bool, added: i32): void {
  sourceEnd = end;
  isLast = last;
  bias = added;
}

/** Writes the results to DECODED_*: all source bytes before the address `source` are decoded. */
export function finishWindow(source: i32): void {
  storeWord(DECODED_SOURCE, source);
  storeWord(DECODED_END, to);
  storeWord(DECODED_MAP_ROWS, rows);
}

/** Whether there is room for one step. */
export function hasRoom(): bool {
  return hasRoomFor(0, 1, 1);
}

/** Whether there is room for `bytes` more bytes in the window, `mapRows` rows of the source map and `valueRows` rows of values. */
export function hasRoomFor(bytes: i32, mapRows: i32, valueRows: i32): bool {
  return to + ROOM + bytes <= limit && rows + mapRows <= layout.MAP_ROWS_MAX && hasValueRoom(valueRows);
}

/** Appends `count` bytes at `source` to the window, the bytes 01 to 03 as 04. There must be room for 64 bytes more. */
export function putText(source: i32, count: i32): void {
  copyText(to, source, source + count);
  to += count;
}

/** Returns the end of the source bytes from `source` on that fit into the window one for one. */
export function findBound(source: i32): i32 {
  const room = limit - to;
  return sourceEnd - source < room ? sourceEnd : source + room;
}

/** Writes the byte `c` at `distance` bytes after the end of the window, or with a negative `distance` before it. */
export function putAt(distance: i32, c: i32): void {
  store8(to + distance, c);
}

/** Copies `count` bytes that are none of CONTEXT_* from `source` to `distance` bytes after the end of the window. */
export function copyAt(distance: i32, source: i32, count: i32): void {
  copyBytes(to + distance, source, count);
}

/** Writes the byte `c` `count` times, from `distance` bytes after the end of the window on. */
export function fillAt(distance: i32, count: i32, c: i32): void {
  fill(to + distance, count, c);
}

/** Moves the end of the window to after the `count` bytes that putAt, copyAt and fillAt have written there. */
export function advance(count: i32): void {
  to += count;
}

/** Writes CONTEXT_* for each of the `count` bytes at `source`, at most ROOM; returns the address after them. */
export function hide(source: i32, count: i32, context: i32): i32 {
  fill(to, count, context);
  to += count;
  return source + count;
}

/** Copies the byte at `source`, 01 to 03 as 04; returns the address after it. */
export function copyByte(source: i32): i32 {
  store8(to, neutral(load8(source)));
  to++;
  return source + 1;
}

/** Returns the byte that is written for the source byte `c`. */
export function neutral(c: i32): i32 {
  return c > 0 && c <= layout.CONTEXT_RAW ? NEUTRAL : c;
}

/** Whether fewer than `count` bytes are at `source`, and more may come. */
export function isShort(source: i32, count: i32): bool {
  return !isLast && sourceEnd - source < count;
}

/** Copies the bytes from `source` to the first `c` or `other`, or as far as source and room go; returns the address after them. */
export function copyUpTo(source: i32, c: i32, other: i32): i32 {
  const bound = findBound(source);
  let p = source;
  for (; p < bound && load8(p) != c && load8(p) != other; p++) putAt(p - source, neutral(load8(p)));
  advance(p - source);
  return p;
}

/** Copies the bytes from `source` to the first one in `set`, SET_*, or as far as source and room go; returns the address after them. */
export function copyRun(source: i32, set: i32): i32 {
  const end = copyUntil(to, source, findBound(source), set);
  to += end - source;
  return end;
}

/**
 * Copies the bytes from `source` to the first backslash, or as far as source and room go, with CONTEXT_RAW for quotation marks; returns the
 * address after them.
 */
export function copyUnquotedRun(source: i32): i32 {
  const end = copyUnquoted(to, source, findBound(source));
  to += end - source;
  return end;
}

/** Writes the `length` bytes at `value`, which replace the source bytes that end at `end`, and a row of the source map; returns `end`. */
export function putReference(value: i32, length: i32, end: i32): i32 {
  for (let i = 0; i < length; i++) copyByte(value + i);
  const row = layout.MAP_REGION + multiply(rows, layout.MAP_ROW_BYTES);
  storeWord(row, (to << layout.MAP_SHIFT) | length);
  storeWord(row + 4, ((end + bias) << layout.MAP_SCALE_SHIFT) | layout.MAP_SCALE_ONE);
  rows++;
  note(X9_REFERENCE, to - length, to);
  return end;
}
