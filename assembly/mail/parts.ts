// Multiparts that are open (A4), and the numbers of parts (A5).

import * as mail from "../layout/mail.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, loadWord, storeWord } from "../platform/memory.ts";
import { heapEnd, putHeap, putHeapNumber } from "./pipe.ts";
import { end, isBlank, isLast, NEED_SOURCE } from "./source.ts";

/** Most spaces and tabs behind a delimiter. */
const PADDING_BYTES_MAX: i32 = 256;

/** No delimiter line. */
export const NO_DELIMITER: i32 = 0;

/** What readDelimiter found: the number of the multipart in the stack, whether it closes that, and the address behind the line. */
export let delimiterLevel: i32 = 0;
export let isClosing: bool = false;
export let delimiterEnd: i32 = 0;

function rowOf(level: i32): i32 {
  return mail.MAIL_STACK + multiply(level, mail.STACK_ROW_BYTES);
}

/** Whether nothing more can be opened. */
export function isDeep(): bool {
  return loadWord(mail.MAIL_DEPTH) >= mail.STACK_ROWS_MAX;
}

/** Opens a multipart with the boundary of the header. */
export function openMultipart(isDigest: bool): void {
  const row = rowOf(loadWord(mail.MAIL_DEPTH));
  const length = loadWord(mail.MAIL_BOUNDARY_LENGTH);
  storeWord(row + mail.STACK_PART, 0);
  storeWord(row + mail.STACK_DIGEST, isDigest ? 1 : 0);
  storeWord(row + mail.STACK_LENGTH, length);
  copyBytes(row + mail.STACK_BOUNDARY, mail.MAIL_BOUNDARY, length);
  storeWord(mail.MAIL_DEPTH, loadWord(mail.MAIL_DEPTH) + 1);
}

/** A message that is the only part of a message: counts as one (A5). */
export function openMessage(): void {
  const row = rowOf(loadWord(mail.MAIL_DEPTH));
  storeWord(row + mail.STACK_PART, 1);
  storeWord(row + mail.STACK_DIGEST, 0);
  storeWord(row + mail.STACK_LENGTH, 0);
  storeWord(mail.MAIL_DEPTH, loadWord(mail.MAIL_DEPTH) + 1);
}

/** The next part of multipart `level` begins; those inside it are over. */
export function nextPart(level: i32): void {
  const row = rowOf(level);
  storeWord(row + mail.STACK_PART, loadWord(row + mail.STACK_PART) + 1);
  storeWord(mail.MAIL_DEPTH, level + 1);
}

/** Whether a part of the innermost multipart is a message where nothing else is said. */
export function isInDigest(): bool {
  const depth = loadWord(mail.MAIL_DEPTH);
  return depth > 0 && loadWord(rowOf(depth - 1) + mail.STACK_DIGEST) != 0;
}

/** What stands at `p`, `--` at the start of a line: 1 for a delimiter line of an open multipart, NO_DELIMITER or NEED_SOURCE. */
export function readDelimiter(p: i32): i32 {
  for (let level = loadWord(mail.MAIL_DEPTH) - 1; level >= 0; level--) {
    const found = matchDelimiter(p, level);
    if (found != NO_DELIMITER) {
      delimiterLevel = level;
      return found;
    }
  }
  return NO_DELIMITER;
}

function matchDelimiter(p: i32, level: i32): i32 {
  const row = rowOf(level);
  const length = loadWord(row + mail.STACK_LENGTH);
  if (length == 0) return NO_DELIMITER;
  const boundary = row + mail.STACK_BOUNDARY;
  for (let i = 0; i < length; i++) {
    if (p + 2 + i >= end) return isLast ? NO_DELIMITER : NEED_SOURCE;
    if (load8(p + 2 + i) != load8(boundary + i)) return NO_DELIMITER;
  }
  const open = lineEnd(p + 2 + length);
  if (open != 0) {
    isClosing = false;
    delimiterEnd = open;
    return open < 0 ? NEED_SOURCE : 1;
  }
  const dashes = p + 2 + length;
  if (load8(dashes) != 0x2d) return NO_DELIMITER;
  if (dashes + 1 >= end) return isLast ? NO_DELIMITER : NEED_SOURCE;
  if (load8(dashes + 1) != 0x2d) return NO_DELIMITER;
  const close = lineEnd(dashes + 2);
  isClosing = true;
  delimiterEnd = close;
  return close < 0 ? NEED_SOURCE : close > 0 ? 1 : NO_DELIMITER;
}

/** Behind the line that holds nothing but white space from `start` on; 0: it holds more; NEED_SOURCE. */
function lineEnd(start: i32): i32 {
  const bound = start + PADDING_BYTES_MAX;
  let p = start;
  while (p < end && p < bound && isBlank(load8(p))) p++;
  if (p < end && load8(p) == 0x0d && p + 1 < end && load8(p + 1) == 0x0a) return p + 2;
  if (p < end && load8(p) == 0x0a) return p + 1;
  const isOpen = p == end || (load8(p) == 0x0d && p + 1 == end);
  if (!isOpen) return 0;
  return isLast ? end : NEED_SOURCE;
}

/** Writes the number of the part that is read to the heap, and a zero; its address, or 0 where none is told. */
export function writePart(): i32 {
  if (loadWord(mail.MAIL_COLLECTS) == 0) return 0;
  const where = loadWord(mail.MAIL_WHERE);
  const isBody = where == mail.WHERE_BODY || where == mail.WHERE_HTML || loadWord(mail.MAIL_ENCLOSED) != 0;
  const depth = loadWord(mail.MAIL_DEPTH);
  const first = heapEnd();
  for (let level = 0; level < depth; level++) {
    // Before the first part, and behind the last, a multipart is not in its number.
    const part = loadWord(rowOf(level) + mail.STACK_PART);
    if (part > 0) putNumber(part, heapEnd() > first);
  }
  if (isBody && loadWord(mail.MAIL_IN_MESSAGE) != 0) putNumber(1, heapEnd() > first);
  putHeap(0);
  return first;
}

function putNumber(value: i32, isNext: bool): void {
  if (isNext) putHeap(0x2e);
  putHeapNumber(value);
}
