// The input and output of the decoders of HTML and JSON: source bytes, the end of the window, rows of the source map. In a body part the
// source bytes are its converted text. Source bytes are copied one for one; only references of HTML and escapes of JSON change the distance
// to the source, and need a row.

import { SET_NOT_SCHEME } from "../bytes/classes.ts";
import { DECODED_END, DECODED_MAP_ROWS, DECODED_QUOTES, DECODED_SOURCE } from "../layout/decoded.ts";
import * as layout from "../layout/memory.ts";
import { X9_REFERENCE } from "../layout/notes.ts";
import { multiply } from "../platform/arith.ts";
import { copyText, copyUnquoted, copyUntil, fill } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { freeValues, hasElements, hasValueRoom } from "./values.ts";

/** Most bytes that are written after hasRoom by functions that do not check the room themselves. */
const ROOM: i32 = 48;
/** Most rows of quotes that are written between two checks of the room: those of a text, whose depth only grows, and of its tag. */
const QUOTE_ROOM: i32 = layout.QUOTE_DEPTH_MAX + 2;
export const NAME_CODE: i32 = 0x10; // The bits that the codes of the letters of a name have in common
const NEUTRAL: i32 = 4; // Replaces a source byte that equals CONTEXT_*. It is a delimiter byte too (X3)

export let sourceEnd: i32 = 0;
/** Whether the source ends at sourceEnd. */
export let isLast: bool = false;
/** Address after the last byte of the window, where the next byte is written. */
export let to: i32 = 0;
/** Address at which the room of the window ends. */
let limit: i32 = 0;
/** Number of rows of the source map that this call has written. */
let rows: i32 = 0;
/** Number of rows of quotes that this call has written. */
let quoteRows: i32 = 0;
/** This number is added to source addresses in rows of the source map. */
let bias: i32 = 0;

/** Begins a call that writes to the window from `start` on, up to `bound`. Frees the rows of values that have been taken. */
export function beginWindow(start: i32, bound: i32): void {
  freeValues();
  to = start;
  limit = bound;
  rows = 0;
  quoteRows = 0;
}

/** Sets the end of the source bytes. `last`: the source ends there. `added`: the number to add to source addresses in rows. */
export function setSource(end: i32, last: bool, added: i32): void {
  sourceEnd = end;
  isLast = last;
  bias = added;
}

/** Writes the results to DECODED_*: all source bytes before the address `source` are decoded. */
export function finishWindow(source: i32): void {
  assert(to <= limit);
  storeWord(DECODED_SOURCE, source);
  storeWord(DECODED_END, to);
  storeWord(DECODED_MAP_ROWS, rows);
  storeWord(DECODED_QUOTES, quoteRows);
}

/** Whether there is room for one step. */
export function hasRoom(): bool {
  return hasRoomFor(0, 1, 1);
}

/** Whether there is room for `bytes` more bytes in the window, `mapRows` rows of the source map and `valueRows` rows of values. */
export function hasRoomFor(bytes: i32, mapRows: i32, valueRows: i32): bool {
  if (quoteRows + QUOTE_ROOM > layout.QUOTE_ROWS_MAX) return false;
  return to + ROOM + bytes <= limit && rows + mapRows <= layout.MAP_ROWS_MAX && hasValueRoom(valueRows);
}

/** Appends `count` bytes at `source` to the window, the bytes 01 to 03 as 04. There must be room for 64 bytes more. */
export function putText(source: i32, count: i32): void {
  assert(count >= 0 && to + count <= limit);
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

/** Copies the bytes of `source` that names of tags and attributes have to `distance` bytes after the end of the window, up to `bound`. */
export function copyNameAt(distance: i32, source: i32, bound: i32): i32 {
  return copyUntil(to + distance, source, bound, SET_NOT_SCHEME);
}

/** Moves the end of the window to after the `count` bytes that putAt and copyNameAt have written there. */
export function advance(count: i32): void {
  assert(count >= 0 && to + count <= limit);
  to += count;
}

/** Writes CONTEXT_* for each of the `count` bytes at `source`, at most ROOM; returns the address after them. */
export function hide(source: i32, count: i32, context: i32): i32 {
  fill(to, count, context);
  to += count;
  return source + count;
}

/** Writes CONTEXT_* for the byte at `source`; returns the address after it. */
export function hideByte(source: i32, context: i32): i32 {
  store8(to, context);
  to++;
  return source + 1;
}

export function hideName(name: i32, end: i32): void {
  putName(0, name, end);
  to += end - name;
}

/** Writes CONTEXT_ATTRIBUTE for the first letter of a name, and NAME_CODE for the others, with their low bits if elements are read. */
export function putName(distance: i32, name: i32, end: i32): void {
  if (!hasElements) fill(to + distance, end - name, NAME_CODE);
  else for (let p = name; p < end; p++) putAt(distance + p - name, NAME_CODE | (load8(p) & 0x0f));
  // A long name goes on in another call.
  if ((load8(to + distance - 1) & 0xf0) != NAME_CODE) putAt(distance, layout.CONTEXT_ATTRIBUTE);
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
 * Copies the bytes from `source` to the first backslash or `&`, or as far as source and room go, with CONTEXT_RAW for quotation marks;
 * returns the address after them.
 */
export function copyUnquotedRun(source: i32): i32 {
  const end = copyUnquoted(to, source, findBound(source));
  to += end - source;
  return end;
}

/** Writes the row of a quote: from `address` of the window on, texts have this depth (C302). */
export function addQuoteRow(address: i32, depth: i32): void {
  const row = layout.QUOTE_REGION + multiply(quoteRows++, layout.QUOTE_ROW_BYTES);
  storeWord(row, address);
  storeWord(row + 4, depth);
  assert(quoteRows <= layout.QUOTE_ROWS_MAX && (quoteRows == 1 || isAscending(row, 0)));
}

/** Whether the word at `word` in a row of two words, without its low bits, is not less than the same word of the row before. */
export function isAscending(word: i32, bits: i32): bool {
  return loadWord(word) >> bits >= loadWord(word - layout.MAP_ROW_BYTES) >> bits;
}

/** Writes the `length` bytes at `value`, which replace the source bytes that end at `end`, and a row of the source map; returns `end`. */
export function putReference(value: i32, length: i32, end: i32): i32 {
  for (let i = 0; i < length; i++) copyByte(value + i);
  const row = layout.MAP_REGION + multiply(rows, layout.MAP_ROW_BYTES);
  storeWord(row, (to << layout.MAP_SHIFT) | length);
  storeWord(row + 4, ((end + bias) << layout.MAP_SCALE_SHIFT) | layout.MAP_SCALE_ONE);
  assert(rows == 0 || (isAscending(row, layout.MAP_SHIFT) && isAscending(row + 4, layout.MAP_SCALE_SHIFT)));
  rows++;
  note(X9_REFERENCE, to - length, to);
  return end;
}
