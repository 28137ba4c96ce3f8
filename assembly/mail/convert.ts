// What becomes of the bytes of a text before it is read (A8, A9): which converter reads it.

import * as mail from "../layout/mail.ts";
import { MAP_SCALE_ONE, MAP_SCALE_UTF16 } from "../layout/memory.ts";
import { loadWord, storeWord } from "../platform/memory.ts";
import { at, beginConverted } from "./converted.ts";
import { readFlowed } from "./flowed.ts";
import { readHz } from "./hz.ts";
import { readUtf7 } from "./utf7.ts";
import { readUtf16 } from "./utf16.ts";

/** Behind the last byte that was written. */
export let convertedEnd: i32 = 0;

/** Begins a text. */
export function beginConvert(): void {
  storeWord(mail.MAIL_CONVERT_STATE, 0);
  storeWord(mail.MAIL_CONVERT_BITS, 0);
  storeWord(mail.MAIL_CONVERT_COUNT, 0);
  storeWord(mail.MAIL_CONVERT_HIGH, 0);
}

/** Converts the last transferred bytes [start, end) to `to`; returns the address of what waits for more, `end` if `isEnd`. */
export function convert(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  const kind = loadWord(mail.MAIL_CONVERT);
  // A shifted run that was begun is one with what comes of it.
  const isNew = (kind != mail.CONVERT_UTF7 && kind != mail.CONVERT_HZ) || loadWord(mail.MAIL_CONVERT_STATE) == 0;
  beginConverted(to, start, end, kind <= mail.CONVERT_UTF16_BE ? MAP_SCALE_UTF16 : MAP_SCALE_ONE, isNew);
  const next = readKind(kind, start, end, isEnd);
  convertedEnd = at;
  return isEnd ? end : next;
}

function readKind(kind: i32, start: i32, end: i32, isEnd: bool): i32 {
  if (kind <= mail.CONVERT_UTF16_BE) return readUtf16(kind, start, end, isEnd);
  if (kind == mail.CONVERT_UTF7) return readUtf7(start, end, isEnd);
  if (kind == mail.CONVERT_HZ) return readHz(start, end, isEnd);
  return readFlowed(start, end, isEnd);
}
