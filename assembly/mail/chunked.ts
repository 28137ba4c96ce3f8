// The chunked transfer coding of HTTP (A12): lines with the length of a chunk in hexadecimal digits, then so many bytes.

import { digitValue } from "../bytes/number.ts";
import { MAIL_GROUP, MAIL_GROUP_LENGTH } from "../layout/mail.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { copyBytes, load8, loadWord, storeWord } from "../platform/memory.ts";
import { mapRun, passRun } from "./pipe.ts";
import { skipBlanks } from "./source.ts";

// What stands next, in MAIL_GROUP_LENGTH.
const FIRST_LINE: i32 = 0;
const CHUNK: i32 = 1;
/** Behind the last chunk, or from what is no chunk on: bytes stand as they are. */
const OVER: i32 = 2;
/** A line with a length, directly behind a chunk or behind an empty line. */
const SIZE_LINE: i32 = 3;
const AFTER_BREAK: i32 = 4;
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
    if (state != CHUNK && state != OVER) {
      const bound = p + LINE_BYTES_MAX < end ? p + LINE_BYTES_MAX : end;
      const feed = findLineFeed(p, bound);
      if (feed == end && !isEnd && end - p < LINE_BYTES_MAX) break;
      const isSize = (feed < bound || (feed == end && isEnd)) && readSize(p, feed, state);
      if (isSize) p = feed < end ? feed + 1 : end;
      else storeWord(MAIL_GROUP_LENGTH, OVER);
      // What stands as it is goes on in no chunk before it: the line break between them is kept.
      const isBroken = isSize ? loadWord(MAIL_GROUP_LENGTH) == OVER && feed < end : state == AFTER_BREAK;
      if (isBroken) at = copy(p - 1, 1, at);
    } else {
      const left = state == OVER ? end - p : loadWord(MAIL_GROUP);
      const count = left < end - p ? left : end - p;
      at = copy(p, count, at);
      p += count;
      storeWord(MAIL_GROUP, left - count);
      if (left == count && state == CHUNK) storeWord(MAIL_GROUP_LENGTH, SIZE_LINE);
    }
  }
  chunksEnd = at;
  return p;
}

/** Copies `count` source bytes to `to`; returns the address behind them. */
function copy(p: i32, count: i32, to: i32): i32 {
  mapRun(p, MAP_SCALE_ONE);
  passRun(count, count);
  copyBytes(to, p, count);
  return to + count;
}

/** Reads the line [start, end) with a length, or an empty one, which stands behind each chunk; false where it is neither. */
function readSize(start: i32, end: i32, state: i32): bool {
  const stop = end > start && load8(end - 1) == 0x0d ? end - 1 : end;
  let p = start;
  let size = 0;
  while (p < stop) {
    const digit = digitValue(load8(p), true);
    if (digit < 0) break;
    size = size > CHUNK_BYTES_MAX >> 4 ? CHUNK_BYTES_MAX : (size << 4) | digit;
    p++;
  }
  const behind = skipBlanks(p, stop);
  if (p == start) {
    if (p == stop && state != FIRST_LINE) storeWord(MAIL_GROUP_LENGTH, AFTER_BREAK);
    return p == stop;
  }
  if (behind < stop && load8(behind) != 0x3b) return false;
  storeWord(MAIL_GROUP, size);
  storeWord(MAIL_GROUP_LENGTH, size == 0 ? OVER : CHUNK);
  return true;
}
