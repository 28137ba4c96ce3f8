// UTF-7 (RFC 2152) to UTF-8 (A8): `+` begins a run of base64 that holds UTF-16, a `-` behind it belongs to it.

import { MAIL_CONVERT_BITS, MAIL_CONVERT_COUNT, MAIL_CONVERT_HIGH, MAIL_CONVERT_STATE } from "../layout/mail.ts";
import { BASE64_TABLE } from "../layout/memory.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { putOne, putShifted, shiftAt, skipTo } from "./converted.ts";

const DIRECT: i32 = 0;
/** Directly behind a `+`. */
const OPENED: i32 = 1;
const SHIFTED: i32 = 2;

/** Reads [start, end); a `+` at the end waits, unless `isEnd`. Returns the address of what waits. */
export function readUtf7(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  let state = loadWord(MAIL_CONVERT_STATE);
  while (p < end) {
    const c = load8(p);
    const value = load8(BASE64_TABLE + c);
    if (state == DIRECT) {
      if (c != 0x2b) putOne(c);
      else if (p + 1 == end && !isEnd) break;
      else {
        shiftAt(p);
        state = OPENED;
      }
      p++;
    } else if (value < 64) {
      addBits(value);
      state = SHIFTED;
      p++;
    } else {
      if (c == 0x2d) p++;
      endRun(state, p);
      state = DIRECT;
    }
  }
  if (isEnd && state != DIRECT) {
    endRun(state, end);
    state = DIRECT;
  }
  storeWord(MAIL_CONVERT_STATE, state);
  return p;
}

/** A run ends before `end`: what is left of the bits is padding. `+-` is a plus sign, and so is a `+` that begins nothing. */
function endRun(state: i32, end: i32): void {
  if (state == OPENED) putShifted(0x2b);
  endPair();
  skipTo(end);
  storeWord(MAIL_CONVERT_COUNT, 0);
}

/** A high surrogate whose other half has not come. */
function endPair(): void {
  if (loadWord(MAIL_CONVERT_HIGH) != 0) putShifted(0xfffd);
  storeWord(MAIL_CONVERT_HIGH, 0);
}

function addBits(value: i32): void {
  const bits = (loadWord(MAIL_CONVERT_BITS) << 6) | value;
  const count = loadWord(MAIL_CONVERT_COUNT) + 6;
  if (count >= 16) {
    putUnit((bits >> (count - 16)) & 0xffff);
    storeWord(MAIL_CONVERT_COUNT, count - 16);
  } else {
    storeWord(MAIL_CONVERT_COUNT, count);
  }
  storeWord(MAIL_CONVERT_BITS, bits & 0xfffff);
}

/** A UTF-16 unit; a surrogate waits for its other half. */
function putUnit(unit: i32): void {
  const high = loadWord(MAIL_CONVERT_HIGH);
  const isLow = unit >= 0xdc00 && unit < 0xe000;
  if (isLow && high != 0) {
    storeWord(MAIL_CONVERT_HIGH, 0);
    putShifted(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
    return;
  }
  endPair();
  if (unit >= 0xd800 && unit < 0xdc00) storeWord(MAIL_CONVERT_HIGH, unit);
  else putShifted(isLow ? 0xfffd : unit);
}
