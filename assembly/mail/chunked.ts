// The chunked transfer coding of HTTP (A12): lines with the length of a chunk in hexadecimal digits, then so many bytes.

import { findLineFeed } from "../seam/kernel.ts";
import { copyBytes, load8, loadWord, storeWord } from "../seam/memory.ts";
import { MAP_SCALE_ONE } from "../tables/areas.ts";
import { MAIL_GROUP, MAIL_GROUP_LENGTH } from "../tables/mail.ts";
import { digitValue } from "../url/percent.ts";
import { passRun, traceRun } from "./pipe.ts";

// What stands next, in MAIL_GROUP_LENGTH.
const SIZE_LINE: i32 = 0;
const CHUNK: i32 = 1;
/** Behind the last chunk, or behind what is no chunk. */
const OVER: i32 = 2;
/** Longest line with a length. */
const LINE_BYTES_MAX: i32 = 1024;
const CHUNK_BYTES_MAX: i32 = 0x7ffffff;

/** Behind the last byte that was written. */
export let chunksEnd: i32 = 0;

/** Copies what the chunks in [start, end) hold to `to`; a line that may go on waits, unless `isEnd`. Returns the address of what waits. */
export function readChunks(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  let p = start;
  let at = to;
  while (p < end) {
    const state = loadWord(MAIL_GROUP_LENGTH);
    if (state == OVER) {
      p = end;
    } else if (state == CHUNK) {
      const left = loadWord(MAIL_GROUP);
      const count = left < end - p ? left : end - p;
      traceRun(p, MAP_SCALE_ONE);
      passRun(count, count);
      copyBytes(at, p, count);
      at += count;
      p += count;
      storeWord(MAIL_GROUP, left - count);
      if (left == count) storeWord(MAIL_GROUP_LENGTH, SIZE_LINE);
    } else {
      const feed = findLineFeed(p, end);
      if (feed == end && !isEnd && end - p < LINE_BYTES_MAX) break;
      readSize(p, feed);
      p = feed < end ? feed + 1 : end;
    }
  }
  chunksEnd = at;
  return p;
}

/** A line with a length; an empty one stands behind each chunk. */
function readSize(start: i32, end: i32): void {
  let p = start;
  let size = 0;
  while (p < end) {
    const digit = digitValue(load8(p), true);
    if (digit < 0) break;
    size = size > CHUNK_BYTES_MAX >> 4 ? CHUNK_BYTES_MAX : (size << 4) | digit;
    p++;
  }
  if (p == start) {
    const isEmpty = p == end || load8(p) == 0x0d;
    if (!isEmpty) storeWord(MAIL_GROUP_LENGTH, OVER);
    return;
  }
  storeWord(MAIL_GROUP, size);
  storeWord(MAIL_GROUP_LENGTH, size == 0 ? OVER : CHUNK);
}
