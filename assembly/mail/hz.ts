// HZ (RFC 1843) to GB 2312 with the high bit set (A8): `~{` and `~}` shift, `~~` is a tilde, `~` before a line break goes.

import { load8, loadWord, storeWord } from "../seam/memory.ts";
import { MAIL_CONVERT_STATE } from "../tables/mail.ts";
import { putOne, skipTo } from "./converted.ts";

const SHIFTED: i32 = 1;

/** Reads [start, end); a `~` at the end waits, unless `isEnd`. Returns the address of what waits. */
export function readHz(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < end) {
    const c = load8(p);
    const isShifted = loadWord(MAIL_CONVERT_STATE) == SHIFTED;
    if (c == 0x7e) {
      if (p + 1 == end && !isEnd) break;
      const next = p + 1 < end ? load8(p + 1) : 0;
      if (next == 0x7b || next == 0x7d || next == 0x0a) {
        if (next != 0x0a) storeWord(MAIL_CONVERT_STATE, next == 0x7b ? SHIFTED : 0);
        p += 2;
        skipTo(p);
        continue;
      }
      if (next == 0x7e) {
        putOne(c);
        p += 2;
        skipTo(p);
        continue;
      }
    }
    if (c == 0x0a) storeWord(MAIL_CONVERT_STATE, 0);
    putOne(isShifted && c > 0x20 && c < 0x7f ? c | 0x80 : c);
    p++;
  }
  return p;
}
