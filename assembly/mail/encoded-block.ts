// Uuencoded and yEnc blocks in plain text, which are skipped (A7).

import { BACKTICK, GREATER, LF, SEVEN, SPACE, ZERO } from "../bytes/characters.ts";
import { startsWith } from "../bytes/keyword.ts";
import { COUNT_BYTES_SKIPPED, DIALECT_CL, DIALECT_O, FORMAT_MBOX } from "../layout/mail.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { FROM_BYTES, QUOTES_MAX } from "./from-line.ts";
import { count } from "./pipe.ts";
import { dialect, enter, format, MODE_BODY, MODE_UUENCODE, MODE_YENC, MODE_YENC_END, mode } from "./reader.ts";
import { afterLine, end, isLast, isShort, lineEndBefore, NEED_SOURCE, skipBlanks } from "./source.ts";

/** Most bytes of a line of a uuencoded block, its line break included. */
const LINE_BYTES_MAX: i32 = 512;
const BEGIN_BYTES: i32 = 11; // Shortest `begin` line: `begin `, three digits, a space and a name

/** Address after the `begin` line that readUuencodeBegin found. */
export let beginEnd: i32 = 0;
/** Whether a line break right before the next source byte was counted as skipped. */
export let isBreakSkipped: bool = false;

/** Forgets the line break that was skipped: text follows it. */
export function forgetSkippedBreak(): void {
  isBreakSkipped = false;
}

/** Returns 1 if a uuencoded block begins at `p`, the start of a line, and sets beginEnd; 0 if not, or NEED_SOURCE. */
export function readUuencodeBegin(p: i32): i32 {
  if (isShort(p, BEGIN_BYTES)) return NEED_SOURCE;
  if (end - p < BEGIN_BYTES || !startsWith(p, "begin ")) return 0;
  let at = p + 6;
  while (at < p + 10 && load8(at) >= ZERO && load8(at) <= SEVEN) at++;
  if (at < p + 9 || load8(at) != SPACE) return 0;
  const first = afterLine(p, LINE_BYTES_MAX);
  if (first <= 0) return first;
  if (first >= end) return isLast ? 0 : NEED_SOURCE;
  beginEnd = first;
  const second = afterLine(first, LINE_BYTES_MAX);
  if (second <= 0) return second;
  return load8(first) != SPACE && load8(first) != BACKTICK && isUuencodeLine(first, lineEndBefore(first, second)) ? 1 : 0;
}

/**
 * Whether the line [start, end) has the length that its first byte says: four characters for three bytes. Some writers leave out up to
 * three spaces at the end of a line, some add a character.
 */
function isUuencodeLine(start: i32, end: i32): bool {
  const first = unquoted(start, end);
  const c = load8(first);
  if (end == first || c < SPACE || c > BACKTICK) return false;
  let characters = 0;
  for (let left = (c - SPACE) & 63; left > 0; left -= 3) characters += 4;
  const length = end - first - 1;
  return length <= characters + 1 && length >= characters - 3;
}

/** Returns the address after the quote mark that A2 removes from the line [start, end), or `start`. */
function unquoted(start: i32, end: i32): i32 {
  if (load8(start) != GREATER || format != FORMAT_MBOX || dialect == DIALECT_CL) return start;
  let p = start + 1;
  while (p < start + QUOTES_MAX && load8(p) == GREATER) p++;
  if (dialect == DIALECT_O && p > start + 1) return start;
  return end - p >= FROM_BYTES && startsWith(p, "From ") ? start + 1 : start;
}

/** Returns 1 if a yEnc block begins at `p`, the start of a line; 0 if not, or NEED_SOURCE. */
export function readYencBegin(p: i32): i32 {
  if (isShort(p, 8)) return NEED_SOURCE;
  return end - p >= 8 && startsWith(p, "=ybegin ") ? 1 : 0;
}

/**
 * Skips a line of a block, in yEnc perhaps a part of a line; returns the address after it, or NEED_SOURCE. Ends the block after its last
 * line. A line that cannot be uuencoded ends a uuencoded block and is not skipped: returns `p`.
 */
export function skipLine(p: i32): i32 {
  if (mode != MODE_UUENCODE) return skipYencLine(p);
  const next = afterLine(p, LINE_BYTES_MAX);
  if (next == NEED_SOURCE) return NEED_SOURCE;
  const stop = lineEndBefore(p, next);
  const isEnd = next > 0 && isUuencodeEnd(p, stop);
  const isOver = isEnd || next == 0 || !isUuencodeLine(p, stop);
  if (isOver) enter(MODE_BODY);
  return isOver && !isEnd ? p : skipTo(p, next);
}

/** Counts [p, next) as skipped, and returns `next`. Sets isBreakSkipped. */
function skipTo(p: i32, next: i32): i32 {
  count(COUNT_BYTES_SKIPPED, next - p);
  isBreakSkipped = load8(next - 1) == LF;
  return next;
}

function skipYencLine(p: i32): i32 {
  if (load8(p - 1) == LF && mode == MODE_YENC) {
    if (isShort(p, 5)) return NEED_SOURCE;
    if (end - p >= 5 && startsWith(p, "=yend")) enter(MODE_YENC_END);
  }
  const feed = findLineFeed(p, end);
  if (feed < end && mode == MODE_YENC_END) enter(MODE_BODY);
  return skipTo(p, feed < end ? feed + 1 : end);
}

function isUuencodeEnd(p: i32, stop: i32): bool {
  return stop - p >= 3 && startsWith(p, "end") && skipBlanks(p + 3, stop) == stop;
}
