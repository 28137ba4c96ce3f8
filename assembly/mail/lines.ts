// Blocks of encoded lines in plain text that are no text (A7), and the borders of digests (A13).

import * as mail from "../layout/mail.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { isFieldAt } from "./field.ts";
import { count } from "./pipe.ts";
import { end, isAfterEmptyLine, isLast, isShort, lineBreakAt, NEED_SOURCE, skipBlanks } from "./source.ts";

/** Bytes of a `begin` line and the one behind it that are looked at. */
const BEGIN_BYTES_MAX: i32 = 512;
const DIGEST_HYPHENS: i32 = 30;

/** Behind the line break of the line at `p`; 0: it is too long; NEED_SOURCE. */
function afterLine(p: i32): i32 {
  const bound = p + BEGIN_BYTES_MAX < end ? p + BEGIN_BYTES_MAX : end;
  const feed = findLineFeed(p, bound);
  if (feed < bound) return feed + 1;
  if (bound < end || end - p >= BEGIN_BYTES_MAX) return 0;
  return isLast ? end : NEED_SOURCE;
}

/** Behind the line of the block that beginsUuencode has found. */
export let beginEnd: i32 = 0;

/** Whether a uuencoded block begins at `p`, `be` at the start of a line: 1, 0 or NEED_SOURCE. */
export function beginsUuencode(p: i32): i32 {
  if (isShort(p, 11)) return NEED_SOURCE;
  if (end - p < 11 || load8(p + 2) != 0x67 || load8(p + 3) != 0x69 || load8(p + 4) != 0x6e || load8(p + 5) != 0x20) return 0;
  let at = p + 6;
  while (at < p + 10 && load8(at) >= 0x30 && load8(at) < 0x38) at++;
  if (at < p + 9 || load8(at) != 0x20) return 0;
  const first = afterLine(p);
  if (first <= 0) return first;
  if (first >= end) return isLast ? 0 : NEED_SOURCE;
  beginEnd = first;
  const second = afterLine(first);
  if (second <= 0) return second;
  let stop = load8(second - 1) == 0x0a ? second - 1 : second;
  if (stop > first && load8(stop - 1) == 0x0d) stop--;
  return load8(first) != 0x20 && load8(first) != 0x60 && isUuencodeLine(first, stop) ? 1 : 0;
}

/**
 * Whether the line [start, end) has the length that its first byte says: three bytes in four characters. Some writers leave up to three
 * spaces off the end, some add a character.
 */
function isUuencodeLine(start: i32, end: i32): bool {
  const c = load8(start);
  if (end == start || c < 0x20 || c > 0x60) return false;
  let characters = 0;
  for (let left = (c - 0x20) & 63; left > 0; left -= 3) characters += 4;
  const length = end - start - 1;
  return length <= characters + 1 && length >= characters - 3;
}

/** Whether a yEnc block begins at `p`, `=y` at the start of a line: 1, 0 or NEED_SOURCE. */
export function beginsYenc(p: i32): i32 {
  if (isShort(p, 8)) return NEED_SOURCE;
  if (end - p < 8) return 0;
  const isBegin = load8(p + 2) == 0x62 && load8(p + 3) == 0x65 && load8(p + 4) == 0x67 && load8(p + 5) == 0x69 && load8(p + 6) == 0x6e;
  return isBegin && load8(p + 7) == 0x20 ? 1 : 0;
}

/** Skips a line of a block, or what is there of it; returns the address behind it, or NEED_SOURCE. Behind the last one text goes on. */
export function skipLine(p: i32): i32 {
  if (loadWord(mail.MAIL_MODE) != mail.MODE_UUENCODE) return skipYenc(p);
  const next = afterLine(p);
  if (next == NEED_SOURCE) return NEED_SOURCE;
  let stop = next > 0 && load8(next - 1) == 0x0a ? next - 1 : next;
  if (stop > p && load8(stop - 1) == 0x0d) stop--;
  const isEnd = next > 0 && isUuencodeEnd(p, stop);
  if (isEnd || next == 0 || !isUuencodeLine(p, stop)) storeWord(mail.MAIL_MODE, mail.MODE_BODY);
  if (!isEnd && loadWord(mail.MAIL_MODE) == mail.MODE_BODY) return p;
  return skipTo(p, next);
}

/** Counts [p, next) as skipped, and remembers that a line break is the last of it. */
function skipTo(p: i32, next: i32): i32 {
  count(mail.COUNT_BYTES_SKIPPED, next - p);
  storeWord(mail.MAIL_SKIPPED_BREAK, load8(next - 1) == 0x0a ? 1 : 0);
  return next;
}

function skipYenc(p: i32): i32 {
  if (load8(p - 1) == 0x0a && loadWord(mail.MAIL_MODE) == mail.MODE_YENC) {
    if (isShort(p, 5)) return NEED_SOURCE;
    if (isYend(p)) storeWord(mail.MAIL_MODE, mail.MODE_YENC_END);
  }
  const feed = findLineFeed(p, end);
  if (feed < end && loadWord(mail.MAIL_MODE) == mail.MODE_YENC_END) storeWord(mail.MAIL_MODE, mail.MODE_BODY);
  return skipTo(p, feed < end ? feed + 1 : end);
}

function isUuencodeEnd(p: i32, stop: i32): bool {
  if (stop - p < 3 || load8(p) != 0x65 || load8(p + 1) != 0x6e || load8(p + 2) != 0x64) return false;
  return skipBlanks(p + 3, stop) == stop;
}

function isYend(p: i32): bool {
  if (end - p < 5 || load8(p) != 0x3d || load8(p + 1) != 0x79) return false;
  return load8(p + 2) == 0x65 && load8(p + 3) == 0x6e && load8(p + 4) == 0x64;
}

/**
 * Where the header of an enclosed message starts, if the line at `p`, which starts with `--`, is the border of a digest: else 0, or
 * NEED_SOURCE.
 */
export function readDigestBorder(p: i32): i32 {
  let at = p;
  while (at < end && at <= p + DIGEST_HYPHENS && load8(at) == 0x2d) at++;
  if (at == end && at <= p + DIGEST_HYPHENS && !isLast) return NEED_SOURCE;
  if (at != p + DIGEST_HYPHENS || !isAfterEmptyLine(p)) return 0;
  for (let breaks = 0; breaks < 2; breaks++) {
    const length = lineBreakAt(at);
    if (length <= 0) return length;
    at += length;
  }
  const field = isFieldAt(at);
  return field <= 0 ? field : at;
}
