// HZ (RFC 1843) to GB 2312 with the high bit set (A8): `~{` and `~}` shift, `~~` is a tilde, `~` before a line break goes.

import { MAIL_CONVERT_STATE } from "../layout/mail.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { putCharacter, putOne, shiftAt, skipTo } from "./converted.ts";

const DIRECT: i32 = 0;
/** In a shifted run, before the first byte of a pair or before the second. */
const SHIFTED: i32 = 1;
const IN_PAIR: i32 = 2;

/** Reads [start, end); what `~` begins waits at the end, unless `isEnd`. Returns the address of what waits. */
export function readHz(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < end) {
    const state = loadWord(MAIL_CONVERT_STATE);
    if (load8(p) == 0x7e && state != IN_PAIR) {
      const length = shiftLength(p, end);
      if (p + length > end && !isEnd) break;
      const next = p + length <= end ? readShift(p, length) : p;
      if (next > p) {
        p = next;
        continue;
      }
    }
    readOne(p, state);
    p++;
  }
  return p;
}

/** Bytes that must be there to tell what the `~` at `p` begins. */
function shiftLength(p: i32, end: i32): i32 {
  return p + 1 < end && load8(p + 1) == 0x0d ? 3 : 2;
}

/** Behind the shift of `length` bytes at `p`; `p` where there is none. */
function readShift(p: i32, length: i32): i32 {
  const next = load8(p + 1);
  if (loadWord(MAIL_CONVERT_STATE) == SHIFTED) {
    if (next != 0x7d) return p;
    storeWord(MAIL_CONVERT_STATE, DIRECT);
    skipTo(p + 2);
    return p + 2;
  }
  if (next == 0x7b) {
    shiftAt(p);
    storeWord(MAIL_CONVERT_STATE, SHIFTED);
    return p + 2;
  }
  if (next == 0x7e) {
    putCharacter(next, p + 2, MAP_SCALE_ONE);
    return p + 2;
  }
  if (load8(p + length - 1) != 0x0a) return p;
  skipTo(p + length);
  return p + length;
}

function readOne(p: i32, state: i32): void {
  const c = load8(p);
  if (state == DIRECT) {
    putOne(c);
  } else if (c == 0x0a || c == 0x0d) {
    // A run ends with its line.
    skipTo(p);
    storeWord(MAIL_CONVERT_STATE, DIRECT);
    putOne(c);
  } else {
    putOne(c > 0x20 && c < 0x7f ? c | 0x80 : c);
    storeWord(MAIL_CONVERT_STATE, state == SHIFTED ? IN_PAIR : SHIFTED);
  }
}
