// Writes to the window, and the rows of source map, segments, fields and omissions (body-part.ts tells in which steps). Offsets of
// transferred bytes and of converted text in rows count from the first byte of the call; the window and the source have addresses.

import { LF } from "../bytes/characters.ts";
import { writeDecimal } from "../bytes/number.ts";
import { advance, beginWindow, finishWindow, hasRoomFor, isAscending, putAt, putText, setSource, to } from "../html/decoded.ts";
import { beginHtml, reached, readHtml } from "../html/html.ts";
import * as results from "../layout/decoded.ts";
import * as mail from "../layout/mail.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyShort, copyText } from "../platform/kernel.ts";
import { loadWord, store8, storeWord } from "../platform/memory.ts";
import { fields as collected, isOutside, message } from "./reader.ts";

/** Most source bytes that are decoded at a time. */
export const PIECE_BYTES: i32 = 8192;
export const JSON_PIECE_BYTES: i32 = 2048; // Most source bytes of JSON that are decoded at a time: three bytes have at most two segments
// The most that one step of the reader needs.
/** Bytes of the window. */
const STEP_BYTES: i32 = 3 * 65536;
const STEP_ROWS: i32 = 45056; // Rows of TRANSFER_MAP
const STEP_CONVERT_ROWS: i32 = 2 * PIECE_BYTES; // Rows of CONVERT_MAP
const STEP_HTML_ROWS: i32 = 4900; // Rows of MAP_REGION
const STEP_VALUE_ROWS: i32 = 4900; // Rows of VALUE_REGION
const STEP_SEGMENTS: i32 = 1400; // Rows of SEGMENT_REGION
const STEP_HEAP_BYTES: i32 = 36864; // Bytes of HEAP_REGION

/** Source address at which the current run continues without a new row; -1: there is no run. */
let mapped: i32 = -1;
/** MAP_SCALE_* of the current run. */
let mappedScale: i32 = 0;
/** Whether the next transferred bytes need no mapping. */
let isUnmapped: bool = false;
/** Whether each transferred byte maps to all source bytes in [wholeStart, wholeEnd) (C177, C178). */
let isWhole: bool = false;
// Source addresses in the call in which beginWhole was called.
let wholeStart: i32 = 0;
let wholeEnd: i32 = 0;
/** Number of transferred bytes of this call so far. */
let transferred: i32 = 0;
/** Number of bytes of converted text of this call so far. */
let converted: i32 = 0;
// Number of rows of each kind that this call has written.
let transferRows: i32 = 0;
let convertRows: i32 = 0;
let segments: i32 = 0;
let fields: i32 = 0;
let omissions: i32 = 0;
/** Next address of HEAP_REGION. */
export let heap: i32 = 0;
/** Whether the next text at WHERE_HTML is XML. */
let isXml: bool = false;
let followsQuotes: bool = false;

export function setFollowsQuotes(quotes: bool): void {
  followsQuotes = quotes;
}

/** Begins a call that writes to the window from `start` on, up to `bound`. */
export function beginPipe(start: i32, bound: i32): void {
  beginWindow(start, bound);
  mapped = -1;
  transferred = 0;
  converted = 0;
  transferRows = 0;
  convertRows = 0;
  segments = 0;
  fields = 0;
  omissions = 0;
  heap = layout.HEAP_REGION;
  storeWord(results.DECODED_MESSAGE_START, 0);
  for (let counter = 0; counter < mail.COUNT_WORDS; counter++) storeWord(results.DECODED_COUNTS + (counter << 2), 0);
}

/** Writes the results: everything before `source` has been read. */
export function finishPipe(source: i32): void {
  finishWindow(source);
  storeWord(results.DECODED_TRANSFERRED, transferred);
  storeWord(results.DECODED_CONVERTED, converted);
  storeWord(results.DECODED_TRANSFER_ROWS, transferRows);
  storeWord(results.DECODED_CONVERT_ROWS, convertRows);
  storeWord(results.DECODED_SEGMENTS, segments);
  storeWord(results.DECODED_FIELDS, fields);
  storeWord(results.DECODED_HEAP_END, heap);
  storeWord(results.DECODED_OMISSIONS, omissions);
}

/** Whether there is room for one step. */
export function hasStepRoom(): bool {
  if (!hasRoomFor(STEP_BYTES, STEP_HTML_ROWS, STEP_VALUE_ROWS) || transferRows + STEP_ROWS > layout.TRANSFER_MAP_ROWS_MAX) return false;
  if (convertRows + STEP_CONVERT_ROWS > layout.CONVERT_MAP_ROWS_MAX) return false;
  if (segments + STEP_SEGMENTS > layout.SEGMENT_ROWS_MAX || fields + 8 > layout.FIELD_ROWS_MAX) return false;
  if (omissions + 4 > layout.OMISSION_ROWS_MAX) return false;
  return heap + STEP_HEAP_BYTES <= layout.HEAP_REGION + layout.HEAP_BYTES;
}

/** Sets whether the next transferred bytes are only collected for the host. They need no mapping, as all bytes if nothing is collected. */
export function setUnmapped(unmapped: bool): void {
  isUnmapped = unmapped || collected == 0;
}

/** Maps all transferred bytes until endWhole to the source bytes in [start, end). */
export function beginWhole(start: i32, end: i32): void {
  isWhole = true;
  wholeStart = start;
  wholeEnd = end;
}

/** Maps the next transferred bytes to source bytes of their own again. */
export function endWhole(): void {
  isWhole = false;
  mapped = -1;
}

/** Maps the next transferred byte to `source`, and the bytes after it by `scale`, MAP_SCALE_*. */
export function mapRun(source: i32, scale: i32): void {
  if (!isUnmapped && (source != mapped || scale != mappedScale)) beginRun(source, scale);
}

function beginRun(source: i32, scale: i32): void {
  if (isWhole) mapWhole(wholeStart, wholeEnd, 0);
  else addTransferRow(0, source, scale);
}

/** Maps the next `count` transferred bytes to all source bytes in [start, end). */
export function mapWhole(start: i32, end: i32, count: i32): void {
  if (end != mapped || mappedScale != layout.MAP_SCALE_WHOLE) {
    addTransferRow(0, start, layout.MAP_SCALE_ONE);
    addTransferRow(0, end, layout.MAP_SCALE_WHOLE);
  }
  transferred += count;
}

/** Maps `width` transferred bytes to the source bytes that end at `source`, and later bytes one by one. */
export function mapUnit(width: i32, source: i32): void {
  if (isUnmapped) return;
  transferred += width;
  if (isWhole) return;
  addTransferRow(width, source, layout.MAP_SCALE_ONE);
}

function addTransferRow(width: i32, source: i32, scale: i32): void {
  const row = layout.TRANSFER_MAP + multiply(transferRows, layout.MAP_ROW_BYTES);
  storeWord(row, (transferred << layout.MAP_SHIFT) | width);
  storeWord(row + 4, (source << layout.MAP_SCALE_SHIFT) | scale);
  assert(transferRows == 0 || (isAscending(row, layout.MAP_SHIFT) && (isWhole || isAscending(row + 4, layout.MAP_SCALE_SHIFT))));
  transferRows++;
  mapped = source;
  mappedScale = scale;
}

/** Adds `count` transferred bytes, from `sourceCount` source bytes, to the run. */
export function passRun(count: i32, sourceCount: i32): void {
  assert(count >= 0 && sourceCount >= 0);
  if (isUnmapped) return;
  transferred += count;
  if (!isWhole) mapped += sourceCount;
}

/** Maps `width` bytes of text to the transferred bytes up to the last `rest` ones, and later text by `scale`. */
export function mapConverted(width: i32, rest: i32, scale: i32): void {
  if (collected == 0) return;
  converted += width;
  const row = layout.CONVERT_MAP + multiply(convertRows, layout.MAP_ROW_BYTES);
  storeWord(row, (converted << layout.MAP_SHIFT) | width);
  storeWord(row + 4, ((transferred - rest) << layout.MAP_SCALE_SHIFT) | scale);
  assert(rest >= 0 && (convertRows == 0 || (isAscending(row, layout.MAP_SHIFT) && isAscending(row + 4, layout.MAP_SCALE_SHIFT))));
  convertRows++;
}

/** Adds `count` bytes of converted text to the current run, like copies of transferred bytes. */
export function passConverted(count: i32): void {
  converted += count;
}

/** Copies the `count` source bytes at `from` to the window. */
export function putSource(from: i32, count: i32): void {
  if (count == 0) return;
  passSource(from, count);
  putText(from, count);
}

/** Maps the `count` source bytes at `from` to transferred bytes and converted text: they have no encoding and need no conversion. */
export function passSource(from: i32, count: i32): void {
  mapRun(from, layout.MAP_SCALE_ONE);
  passRun(count, count);
  converted += count;
}

/** Replaces the last byte of the window with CONTEXT_RAW, so that no match runs over it. */
export function delimitLast(): void {
  putAt(-1, layout.CONTEXT_RAW);
}

/**
 * Decodes the HTML [start, end) to the window: the last bytes of the converted text. `isEnd`: the part ends. Returns the address after the
 * bytes read. The rest waits for more bytes or for room.
 */
export function putHtml(start: i32, end: i32, isEnd: bool): i32 {
  setConverted(end, end, isEnd);
  readHtml(start);
  return reached;
}

/** Sets the end of the text that is decoded next. The converted text so far ends at the address `at`. `isEnd`: the part ends at `end`. */
export function setConverted(at: i32, end: i32, isEnd: bool): void {
  setSource(end, isEnd, converted - at);
}

/** Sets whether the next text at WHERE_HTML is XML (C195). */
export function setXml(xml: bool): void {
  isXml = xml;
}

/**
 * Begins a text at WHERE_*, and its segment. `part` and `field` are addresses in the heap, or 0. No match continues from the text before.
 */
export function beginSegment(where: i32, part: i32, field: i32): void {
  const isHtml = where == mail.WHERE_HTML;
  putAt(0, LF);
  putAt(1, isHtml ? layout.CONTEXT_TEXT : layout.CONTEXT_RAW);
  putAt(2, LF);
  advance(3);
  transferred += 3;
  converted += 3;
  mapped = -1;
  if (isHtml) beginHtml(isXml, followsQuotes && !isXml);
  addSegment(to, where, part, field);
}

/** Writes the row of a segment that begins at `start` in the window (A3, A4); `part` and `field` are addresses in the heap, or 0. */
export function addSegment(start: i32, where: i32, part: i32, field: i32): void {
  if (collected == 0) return;
  const row = layout.SEGMENT_REGION + multiply(segments, mail.SEGMENT_ROW_BYTES);
  storeWord(row + mail.SEGMENT_WINDOW, start);
  storeWord(row + mail.SEGMENT_WHERE, where);
  storeWord(row + mail.SEGMENT_MESSAGE, isOutside ? 0 : message);
  storeWord(row + mail.SEGMENT_PART, part);
  storeWord(row + mail.SEGMENT_FIELD, field);
  assert(start <= to && (segments == 0 || start >= loadWord(row + mail.SEGMENT_WINDOW - mail.SEGMENT_ROW_BYTES)));
  segments++;
}

/** Writes the row of the field `name`, FIELD_*, of the message. The body of the field is at the end of the heap, from `start` on. */
export function addField(name: i32, start: i32): void {
  const row = layout.FIELD_REGION + multiply(fields, mail.FIELD_ROW_BYTES);
  storeWord(row + mail.FIELD_MESSAGE, message);
  storeWord(row + mail.FIELD_NAME, name);
  storeWord(row + mail.FIELD_ADDRESS, start);
  storeWord(row + mail.FIELD_LENGTH, heap - start);
  assert(start <= heap);
  fields++;
}

export function putHeap(c: i32): void {
  store8(heap++, c);
}

/** Writes `length` bytes at `from` to the heap, and up to 16 more. */
export function putHeapBytes(from: i32, length: i32): void {
  heap = copyShort(heap, from, length);
}

/** Writes `length` bytes of a decoded text to the heap, and up to 64 more. */
export function putHeapText(text: i32, length: i32): void {
  copyText(heap, text, text + length);
  heap += length;
}

/** Writes a number to the heap, in decimal. */
export function putHeapNumber(value: i32): void {
  heap = writeDecimal(value, heap);
}

/** Adds `by` to the counter COUNT_*. */
export function count(counter: i32, by: i32): void {
  const at = results.DECODED_COUNTS + (counter << 2);
  storeWord(at, loadWord(at) + by);
}

/** Reports that a message begins at the end of the window. */
export function markMessage(): void {
  storeWord(results.DECODED_MESSAGE_START, to);
}

/**
 * Counts an omission by COUNT_*, and writes its row (A15). The omission begins at the source address `source`, or between beginWhole and
 * endWhole at the start given there. `text`: OMISSION_TEXT.
 */
export function omit(counter: i32, source: i32, text: i32 = 0): void {
  count(counter, 1);
  const row = layout.OMISSION_REGION + multiply(omissions, mail.OMISSION_ROW_BYTES);
  storeWord(row + mail.OMISSION_COUNTER, counter);
  storeWord(row + mail.OMISSION_SOURCE, isWhole ? wholeStart : source);
  storeWord(row + mail.OMISSION_MESSAGE, message);
  storeWord(row + mail.OMISSION_TEXT, text);
  omissions++;
}
