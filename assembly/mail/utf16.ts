// UTF-16 to UTF-8 (A8).

import { load8, loadWord, storeWord } from "../seam/memory.ts";
import { MAP_SCALE_UTF16 } from "../tables/areas.ts";
import { CONVERT_UTF16_BE, CONVERT_UTF16_LE, MAIL_CONVERT_STATE } from "../tables/mail.ts";
import { putCharacter, putOne, skipTo } from "./converted.ts";

/** Reads [start, end) as `kind` says; without a byte order mark big-endian. Returns the address of what waits. */
export function readUtf16(kind: i32, start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  if (loadWord(MAIL_CONVERT_STATE) == 0) {
    if (end - start < 2) return start;
    const mark = unitAt(start, false);
    const isLittle = mark == 0xfffe || (mark != 0xfeff && kind == CONVERT_UTF16_LE);
    storeWord(MAIL_CONVERT_STATE, isLittle ? CONVERT_UTF16_LE : CONVERT_UTF16_BE);
    if (mark == 0xfeff || mark == 0xfffe) {
      p = start + 2;
      skipTo(p, MAP_SCALE_UTF16);
    }
  }
  const isLittle = loadWord(MAIL_CONVERT_STATE) == CONVERT_UTF16_LE;
  while (p + 2 <= end) {
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
  if (p < end && isEnd) putCharacter(0xfffd, end, MAP_SCALE_UTF16);
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
