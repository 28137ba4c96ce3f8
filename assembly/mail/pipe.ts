// From source bytes to the window, and the rows that tell the way back. Three texts follow each other: *transferred* bytes (transfer
// encodings undone), *converted* text (charsets, format=flowed), and what stands in the window (HTML decoded). Where a stage has nothing
// to do its text is the one before. Rows give places as the distance from the first byte of this call, counted in that text.

import { writeDecimal } from "../bytes/number.ts";
import { advance, begin, finish, putAt, putText, rowsRoom, setSource, to, windowRoom } from "../html/decoded.ts";
import { reached, readHtml, startHtml } from "../html/html.ts";
import * as mail from "../layout/mail.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { loadWord, store8, storeWord } from "../platform/memory.ts";

/** Source bytes that a stage takes at a time. */
export const PIECE_BYTES: i32 = 8192;
/** Bytes of the window, and rows of each area, that one step of the reader may need. */
const STEP_BYTES: i32 = 3 * 65536;
const STEP_ROWS: i32 = 45056;
const STEP_CONVERT_ROWS: i32 = 2 * PIECE_BYTES;
const STEP_HTML_ROWS: i32 = 4300;
const STEP_HEAP_BYTES: i32 = 8192;

/** Source address and scale that go on without a row; -1: none. */
let mapped: i32 = -1;
let mappedScale: i32 = 0;
/** Places in the three texts, and rows. */
let transferred: i32 = 0;
let converted: i32 = 0;
let transferRows: i32 = 0;
let convertRows: i32 = 0;
let segments: i32 = 0;
let fields: i32 = 0;
let omissions: i32 = 0;
/** End of what stands in HEAP_REGION. */
let heap: i32 = 0;

/** Starts a call. */
export function beginPipe(): void {
  begin();
  mapped = -1;
  transferred = 0;
  converted = 0;
  transferRows = 0;
  convertRows = 0;
  segments = 0;
  fields = 0;
  omissions = 0;
  heap = layout.HEAP_REGION;
}

/** Writes the results: everything before `source` has been read. */
export function finishPipe(source: i32): void {
  finish(source);
  storeWord(layout.STATE_TRANSFERRED, transferred);
  storeWord(layout.STATE_CONVERTED, converted);
  storeWord(layout.STATE_TRANSFER_ROWS, transferRows);
  storeWord(layout.STATE_CONVERT_ROWS, convertRows);
  storeWord(layout.STATE_SEGMENTS, segments);
  storeWord(layout.STATE_FIELDS, fields);
  storeWord(layout.STATE_HEAP_END, heap);
  storeWord(layout.STATE_OMISSIONS, omissions);
}

/** Whether there is room for one step. */
export function hasStepRoom(): bool {
  if (windowRoom() < STEP_BYTES || transferRows + STEP_ROWS > layout.TRANSFER_MAP_ROWS_MAX) return false;
  if (convertRows + STEP_CONVERT_ROWS > layout.CONVERT_MAP_ROWS_MAX || rowsRoom() < STEP_HTML_ROWS) return false;
  if (segments + 8 > layout.SEGMENT_ROWS_MAX || fields + 4 > layout.FIELD_ROWS_MAX) return false;
  if (omissions + 4 > layout.OMISSION_ROWS_MAX) return false;
  return heap + STEP_HEAP_BYTES <= layout.HEAP_REGION + layout.HEAP_BYTES;
}

/** The next transferred byte is that of `source`; from there on they go by `scale`: MAP_SCALE_*. */
export function mapRun(source: i32, scale: i32): void {
  if (source != mapped || scale != mappedScale) addTransferRow(0, source, scale);
}

/** `width` bytes were transferred from source bytes that end at `source`; from there on one by one. */
export function mapUnit(width: i32, source: i32): void {
  transferred += width;
  addTransferRow(width, source, layout.MAP_SCALE_ONE);
}

function addTransferRow(width: i32, source: i32, scale: i32): void {
  const row = layout.TRANSFER_MAP + multiply(transferRows, layout.MAP_ROW_BYTES);
  storeWord(row, (transferred << layout.MAP_SHIFT) | width);
  storeWord(row + 4, (source << layout.MAP_SCALE_SHIFT) | scale);
  transferRows++;
  mapped = source;
  mappedScale = scale;
}

/** `count` bytes were transferred of `sourceCount` source bytes, by the scale of the run. */
export function passRun(count: i32, sourceCount: i32): void {
  transferred += count;
  mapped += sourceCount;
}

/** `width` bytes of text were made of the transferred bytes that end `behind` bytes before the last; from there on by `scale`. */
export function mapConverted(width: i32, behind: i32, scale: i32): void {
  converted += width;
  const row = layout.CONVERT_MAP + multiply(convertRows, layout.MAP_ROW_BYTES);
  storeWord(row, (converted << layout.MAP_SHIFT) | width);
  storeWord(row + 4, ((transferred - behind) << layout.MAP_SCALE_SHIFT) | scale);
  convertRows++;
}

/** `count` bytes of text are copies of transferred bytes. */
export function passConverted(count: i32): void {
  converted += count;
}

/** Writes plain text that stands at `from`, `count` bytes, to the window: source bytes as they are. */
export function putSource(from: i32, count: i32): void {
  if (count == 0) return;
  mapRun(from, layout.MAP_SCALE_ONE);
  passRun(count, count);
  converted += count;
  putText(from, count);
}

/** Puts `c`, one byte that ends a field, in the place of the last one of the window. */
export function markLast(c: i32): void {
  putAt(-1, c);
}

/**
 * Has the text [start, end) of HTML read, which was put behind all other text; `isEnd`: the part ends. Returns the address of what waits
 * for more, or for room.
 */
export function putHtml(start: i32, end: i32, isEnd: bool): i32 {
  setSource(end, isEnd, converted - end);
  readHtml(start);
  return reached;
}

/** Begins a text: nothing that was before it goes on in it. */
export function separate(isHtml: bool): void {
  putAt(0, 0x0a);
  putAt(1, isHtml ? layout.CONTEXT_TEXT : layout.CONTEXT_RAW);
  putAt(2, 0x0a);
  advance(3);
  transferred += 3;
  converted += 3;
  mapped = -1;
  if (isHtml) startHtml();
}

/** Writes the row of a segment that begins at the window's end (A3, A4); `part` and `field` are addresses in the heap, or 0. */
export function addSegment(where: i32, part: i32, field: i32): void {
  if (loadWord(mail.MAIL_COLLECTS) == 0) return;
  const row = layout.SEGMENT_REGION + multiply(segments, mail.SEGMENT_ROW_BYTES);
  storeWord(row + mail.SEGMENT_WINDOW, to);
  storeWord(row + mail.SEGMENT_WHERE, where);
  storeWord(row + mail.SEGMENT_MESSAGE, loadWord(mail.MAIL_OUTSIDE) != 0 ? 0 : loadWord(mail.MAIL_MESSAGE));
  storeWord(row + mail.SEGMENT_PART, part);
  storeWord(row + mail.SEGMENT_FIELD, field);
  segments++;
}

/** Writes a row for a field of the current message, whose body stands in the heap from `start` on. */
export function addField(name: i32, start: i32): void {
  const row = layout.FIELD_REGION + multiply(fields, mail.FIELD_ROW_BYTES);
  storeWord(row + mail.FIELD_MESSAGE, loadWord(mail.MAIL_MESSAGE));
  storeWord(row + mail.FIELD_NAME, name);
  storeWord(row + mail.FIELD_ADDRESS, start);
  storeWord(row + mail.FIELD_LENGTH, heap - start);
  fields++;
}

/** Address of the next byte of the heap. */
export function heapEnd(): i32 {
  return heap;
}

/** Writes a byte to the heap. */
export function putHeap(c: i32): void {
  store8(heap++, c);
}

/** Writes a number to the heap, in decimal. */
export function putHeapNumber(value: i32): void {
  heap = writeDecimal(value, heap);
}

/** Adds to the counter COUNT_*. */
export function count(counter: i32, by: i32): void {
  const at = mail.MAIL_COUNTS + (counter << 2);
  storeWord(at, loadWord(at) + by);
}

/** Counts what is not read as it is meant, by COUNT_*, and writes a row for it: it begins at the source address `source`. */
export function omit(counter: i32, source: i32): void {
  count(counter, 1);
  const row = layout.OMISSION_REGION + multiply(omissions, mail.OMISSION_ROW_BYTES);
  storeWord(row + mail.OMISSION_COUNTER, counter);
  storeWord(row + mail.OMISSION_SOURCE, source);
  storeWord(row + mail.OMISSION_MESSAGE, loadWord(mail.MAIL_MESSAGE));
  omissions++;
}
