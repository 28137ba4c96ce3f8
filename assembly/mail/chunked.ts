// The chunked transfer coding of HTTP (A12): a line before each chunk has its length in hexadecimal digits.

import { CR, SEMICOLON } from "../bytes/characters.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { copyBytes, load8 } from "../platform/memory.ts";
import { mapRun, passRun } from "./pipe.ts";
import { skipBlanks } from "./source.ts";

// What comes next.
const FIRST_LINE: i32 = 0;
const CHUNK: i32 = 1;
const OVER: i32 = 2; // After the last chunk, or from an invalid line on: bytes are copied
const SIZE_LINE: i32 = 3; // After a chunk: its line break, or a length
const AFTER_BREAK: i32 = 4; // After that line break: a length
const LINE_BYTES_MAX: i32 = 1024; // Most bytes of a line with a length, its line break included
const CHUNK_BYTES_MAX: i32 = 0x7ffffff; // Greatest length of a chunk; greater ones are read as this one

/** Address after the last byte that was written. */
export let chunksEnd: i32 = 0;
let next: i32 = FIRST_LINE;
/** Bytes of the chunk that are still to come. */
let left: i32 = 0;
/** Whether the chunks hold text, which needs rows of the source map. */
let isText: bool = false;

/** Begins a body; `text`: the chunks hold text, and not the output of a coding. */
export function beginChunks(text: bool): void {
  next = FIRST_LINE;
  isText = text;
}

/** Copies the chunks in [start, end) to `to`; returns the end of the bytes read. A line that may continue waits, unless `isEnd`. */
export function readChunks(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  let p = start;
  let at = to;
  while (p < end) {
    if (next != CHUNK && next != OVER) {
      const state = next;
      const bound = p + LINE_BYTES_MAX < end ? p + LINE_BYTES_MAX : end;
      const feed = findLineFeed(p, bound);
      if (feed == end && !isEnd && end - p < LINE_BYTES_MAX) break;
      const isSize = (feed < bound || (feed == end && isEnd)) && readSize(p, feed);
      if (isSize) p = feed < end ? feed + 1 : end;
      else next = OVER;
      // The bytes that are copied next are no chunk, so the line break before them is kept.
      const keepsFeed = isSize ? next == OVER && feed < end : state == AFTER_BREAK;
      if (keepsFeed) at = copy(p - 1, 1, at);
    } else {
      const count = next == CHUNK && left < end - p ? left : end - p;
      at = copy(p, count, at);
      p += count;
      if (next == CHUNK) left -= count;
      if (next == CHUNK && left == 0) next = SIZE_LINE;
    }
  }
  chunksEnd = at;
  return p;
}

/** Copies `count` source bytes to `to`; returns the address after them. */
function copy(p: i32, count: i32, to: i32): i32 {
  if (isText) {
    mapRun(p, MAP_SCALE_ONE);
    passRun(count, count);
  }
  copyBytes(to, p, count);
  return to + count;
}

/** Reads the line [start, end) before a chunk: an empty one, or one with a length. Returns false for any other line. */
function readSize(start: i32, end: i32): bool {
  const stop = end > start && load8(end - 1) == CR ? end - 1 : end;
  const size = parseNumber(start, stop, true, CHUNK_BYTES_MAX);
  if (numberEnd == start) {
    if (start == stop && next != FIRST_LINE) next = AFTER_BREAK;
    return start == stop;
  }
  const extension = skipBlanks(numberEnd, stop);
  if (extension < stop && load8(extension) != SEMICOLON) return false;
  left = size;
  next = size == 0 ? OVER : CHUNK;
  return true;
}
