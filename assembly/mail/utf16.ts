// UTF-16 to UTF-8 (A8). Without a byte order mark, only blocks with a zero byte are converted: a URL in UTF-16 has zero bytes.

import { findByte } from "../bytes/ascii.ts";
import { NON_ASCII } from "../bytes/characters.ts";
import { codePointOf, isLowSurrogate, isSurrogate, REPLACEMENT } from "../bytes/utf8.ts";
import { CONVERT_UTF16, CONVERT_UTF16_BE, CONVERT_UTF16_LE } from "../layout/mail.ts";
import { MAP_SCALE_ONE, MAP_SCALE_UTF16 } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { putCharacter, putOne, putRun, skipTo } from "./converted.ts";

const BLOCK_BYTES: i32 = 1024;
const MARK: i32 = 0xfeff; // The byte order mark of a big-endian text
const SWAPPED_MARK: i32 = 0xfffe; // The byte order mark of a little-endian text, read as big-endian

let isAtStart: bool = true;
let isLittle: bool = false;
/** Whether the text begins with a byte order mark. */
let isMarked: bool = false;

/** Whether `convert` is CONVERT_UTF16, CONVERT_UTF16_LE or CONVERT_UTF16_BE. */
export function isUtf16(convert: i32): bool {
  return convert >= CONVERT_UTF16 && convert <= CONVERT_UTF16_BE;
}

export function beginUtf16(): void {
  isAtStart = true;
}

/**
 * Converts [start, end) by `kind`, CONVERT_UTF16, _LE or _BE. A byte order mark counts for more; without one CONVERT_UTF16 is big-endian.
 * Returns the end of the bytes read. The rest waits.
 */
export function readUtf16(kind: i32, start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  if (isAtStart) {
    if (end - start < 2) return start;
    isAtStart = false;
    isLittle = false;
    const mark = unitAt(start);
    isMarked = mark == MARK || mark == SWAPPED_MARK;
    isLittle = mark == SWAPPED_MARK || (!isMarked && kind == CONVERT_UTF16_LE);
    if (isMarked) {
      p = start + 2;
      skipTo(p, MAP_SCALE_UTF16);
    }
  }
  if (isMarked) return readUnits(p, end, end, isEnd);
  while (p < end) {
    // The second half of a pair may be after the block.
    if (end - p < BLOCK_BYTES + 2 && !isEnd) return p;
    const stop = end - p < BLOCK_BYTES ? end : p + BLOCK_BYTES;
    if (findByte(p, stop, 0) < stop) {
      p = readUnits(p, stop, end, isEnd);
    } else {
      skipTo(p, MAP_SCALE_ONE);
      putRun(p, stop);
      skipTo(stop, MAP_SCALE_UTF16);
      p = stop;
    }
  }
  return p;
}

/** Converts the units that begin in [start, stop). A pair may continue up to `end`. Returns the end of the bytes read. */
function readUnits(start: i32, stop: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < stop && p + 2 <= end) {
    const unit = unitAt(p);
    if (unit < NON_ASCII) {
      putOne(unit);
      p += 2;
      continue;
    }
    const isHigh = isSurrogate(unit) && !isLowSurrogate(unit);
    if (isHigh && p + 4 > end && !isEnd) break;
    const low = isHigh && p + 4 <= end ? unitAt(p + 2) : 0;
    const isPair = isLowSurrogate(low);
    const point = isPair ? codePointOf(unit, low) : isSurrogate(unit) ? REPLACEMENT : unit;
    p += isPair ? 4 : 2;
    putCharacter(point, p, MAP_SCALE_UTF16);
  }
  if (p < stop && p + 1 == end && isEnd) {
    putCharacter(REPLACEMENT, end, MAP_SCALE_UTF16);
    p = end;
  }
  return p;
}

function unitAt(p: i32): i32 {
  const first = load8(p);
  const second = load8(p + 1);
  return isLittle ? (second << 8) | first : (first << 8) | second;
}
