// UTF-16 to UTF-8 (A8). What only says that it is UTF-16 is judged block by block: no URL in UTF-16 is without a zero byte.

import { findByte } from "../bytes/ascii.ts";
import { CONVERT_UTF16_BE, CONVERT_UTF16_LE, MAIL_CONVERT_COUNT, MAIL_CONVERT_STATE } from "../layout/mail.ts";
import { MAP_SCALE_ONE, MAP_SCALE_UTF16 } from "../layout/memory.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { putCharacter, putOne, putRun, skipTo } from "./converted.ts";

/** Bytes that are judged together where no byte order mark says what they are. */
const BLOCK_BYTES: i32 = 1024;

/** Reads [start, end) as `kind` says; without a byte order mark big-endian. Returns the address of what waits. */
export function readUtf16(kind: i32, start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  if (loadWord(MAIL_CONVERT_STATE) == 0) {
    if (end - start < 2) return start;
    const mark = unitAt(start, false);
    const isLittle = mark == 0xfffe || (mark != 0xfeff && kind == CONVERT_UTF16_LE);
    const isMarked = mark == 0xfeff || mark == 0xfffe;
    storeWord(MAIL_CONVERT_STATE, isLittle ? CONVERT_UTF16_LE : CONVERT_UTF16_BE);
    storeWord(MAIL_CONVERT_COUNT, isMarked ? 0 : BLOCK_BYTES);
    if (isMarked) {
      p = start + 2;
      skipTo(p, MAP_SCALE_UTF16);
    }
  }
  const isLittle = loadWord(MAIL_CONVERT_STATE) == CONVERT_UTF16_LE;
  const blockBytes = loadWord(MAIL_CONVERT_COUNT);
  if (blockBytes == 0) return readUnits(isLittle, p, end, end, isEnd);
  while (p < end) {
    // The second half of a pair may stand behind the block.
    if (end - p < blockBytes + 2 && !isEnd) return p;
    const stop = end - p < blockBytes ? end : p + blockBytes;
    if (findByte(p, stop, 0) < stop) {
      p = readUnits(isLittle, p, stop, end, isEnd);
    } else {
      skipTo(p, MAP_SCALE_ONE);
      putRun(p, stop);
      skipTo(stop, MAP_SCALE_UTF16);
      p = stop;
    }
  }
  return p;
}

/** Reads the units that begin in [start, stop), which may be the first of a pair; `end`: that of what is there. */
function readUnits(isLittle: bool, start: i32, stop: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < stop && p + 2 <= end) {
    const unit = unitAt(p, isLittle);
    if (unit < 0x80) {
      putOne(unit);
      p += 2;
      continue;
    }
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && p + 4 > end && !isEnd) break;
    const low = isHigh && p + 4 <= end ? unitAt(p + 2, isLittle) : 0;
    const isPair = low >= 0xdc00 && low < 0xe000;
    const point = isPair ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : isSurrogate(unit) ? 0xfffd : unit;
    p += isPair ? 4 : 2;
    putCharacter(point, p, MAP_SCALE_UTF16);
  }
  if (p < stop && p + 1 == end && isEnd) {
    putCharacter(0xfffd, end, MAP_SCALE_UTF16);
    p = end;
  }
  return p;
}

function isSurrogate(unit: i32): bool {
  return unit >= 0xd800 && unit < 0xe000;
}

function unitAt(p: i32, isLittle: bool): i32 {
  const first = load8(p);
  const second = load8(p + 1);
  return isLittle ? (second << 8) | first : (first << 8) | second;
}
