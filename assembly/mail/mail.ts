// Mail, news and web archives as the scanner reads them (A2 to A9, A12 to A14): the texts of messages one after the other, decoded, with
// delimiter bytes between them, and rows that tell where each text stands and which source bytes it was made of.

import * as mail from "../layout/mail.ts";
import { STOP_END, STOP_FULL, STOP_INPUT, STOP_OWNED } from "../layout/memory.ts";
import { findLineMark } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { endsBlock, readBody, startBody, startEnclosed, startMessage, startSegment, startText } from "./body.ts";
import { endPart } from "./body-part.ts";
import { FROM_LINE, readFromLine, readFromLineAnywhere, resetFromLines } from "./from-line.ts";
import { bodyStart, readHeader, readLongField } from "./header.ts";
import { skipLine } from "./lines.ts";
import { beginPipe, finishPipe, hasStepRoom } from "./pipe.ts";
import { readBetween, readOutside, readRecord, startsRnews } from "./records.ts";
import { AFTER_RANGE, beginSource, end, isLast, isShort, limitSource, lineBreakAt, NEED_SOURCE } from "./source.ts";

/** Longest body whose Content-Length is believed (A2): its end must be looked at before it is read. */
const LENGTH_MAX: i32 = 0x60000;

/** Reads the source: returns STOP_END, STOP_INPUT where the rest needs more source, STOP_FULL, or STOP_OWNED at the end of the range. */
export function decodeMail(): i32 {
  let p = beginSource();
  beginPipe();
  resetFromLines();
  let stop = STOP_END;
  while (p < end) {
    if (!hasStepRoom()) {
      stop = STOP_FULL;
      break;
    }
    const left = loadWord(mail.MAIL_REMAINING);
    if (left >= 0) limitSource(p, left);
    const next = step(p);
    if (next < 0) {
      stop = next == AFTER_RANGE ? STOP_OWNED : STOP_INPUT;
      break;
    }
    if (loadWord(mail.MAIL_OUTERMOST) != 0) passHeader(next - p);
    countDown(next - p, next);
    if (left >= 0) limitSource(0, -1);
    p = next;
  }
  limitSource(0, -1);
  if (stop == STOP_OWNED || (stop == STOP_END && isLast)) endMessage(p);
  finishPipe(p);
  return stop;
}

/** `count` bytes more of the header of a message are read. */
function passHeader(count: i32): void {
  const left = loadWord(mail.MAIL_HEADER_LEFT) - count;
  storeWord(mail.MAIL_HEADER_LEFT, left > 0 ? left : 0);
}

/** A message of known length has `count` bytes less to come; behind the last its text ends at `next`. */
function countDown(count: i32, next: i32): void {
  const left = loadWord(mail.MAIL_REMAINING);
  const mode = loadWord(mail.MAIL_MODE);
  if (left < 0 || mode == mail.MODE_BETWEEN) return;
  if (isNew) {
    isNew = false;
  } else {
    storeWord(mail.MAIL_REMAINING, left > count ? left - count : 0);
  }
  if (loadWord(mail.MAIL_REMAINING) > 0) return;
  endMessage(next);
  storeWord(mail.MAIL_REMAINING, -1);
  storeWord(mail.MAIL_MODE, mail.MODE_BETWEEN);
}

/** The message ends at `p`: a header without a body has an empty one. */
function endMessage(p: i32): void {
  let mode = loadWord(mail.MAIL_MODE);
  while (mode == mail.MODE_HEADER || mode == mail.MODE_LONG_FIELD) {
    endHeader(p);
    mode = loadWord(mail.MAIL_MODE);
  }
  endPart(p);
}

/** Whether the length of the message has become known in this step. */
let isNew: bool = false;

function step(p: i32): i32 {
  const mode = loadWord(mail.MAIL_MODE);
  if (mode == mail.MODE_BODY) return readBody(p);
  if (mode == mail.MODE_HEADER) return stepHeader(p);
  if (mode == mail.MODE_LONG_FIELD) return readLongField(p);
  if (mode == mail.MODE_SEEK) return seek(p);
  if (mode == mail.MODE_START) return start(p);
  if (mode == mail.MODE_BETWEEN || mode == mail.MODE_RECORD) {
    const next = mode == mail.MODE_RECORD ? readRecord(p) : readBetween(p);
    isNew = next >= 0 && loadWord(mail.MAIL_REMAINING) >= 0;
    return next;
  }
  if (mode == mail.MODE_OUTSIDE) return readOutside(p);
  const ends = endsBlock(p);
  return ends < 0 ? NEED_SOURCE : ends > 0 ? p : skipLine(p);
}

/** The start of the source: a message, or text before the first one (A2). */
function start(p: i32): i32 {
  const format = loadWord(mail.MAIL_FORMAT);
  if (format != mail.MAIL_FORMAT_UTF16) {
    const leading = skipLeading(p);
    if (leading > p) storeWord(mail.MAIL_FRESH, 0);
    if (leading != p) return leading;
  }
  if (format == mail.MAIL_FORMAT_MBOX) {
    const found = readFromLine(p);
    if (found < 0) return NEED_SOURCE;
    if (found == FROM_LINE && p >= loadWord(mail.MAIL_TO)) return AFTER_RANGE;
    if (found == FROM_LINE) startMessage();
    else startText(mail.WHERE_BODY);
    return p;
  }
  if (format == mail.MAIL_FORMAT_UTF16) {
    startSegment(mail.WHERE_BODY, mail.PART_TEXT, mail.TRANSFER_IDENTITY, mail.CONVERT_UTF16);
    return p;
  }
  if (isShort(p, 16)) return NEED_SOURCE;
  const isNews = format == mail.MAIL_FORMAT_NEWS || format == mail.MAIL_FORMAT_RNEWS;
  if (format == mail.MAIL_FORMAT_WARC || (isNews && startsRnews(p))) storeWord(mail.MAIL_MODE, mail.MODE_BETWEEN);
  else startMessage();
  return p;
}

/** Behind a byte order mark or an empty line, which may stand before the first line (A1); NEED_SOURCE. */
function skipLeading(p: i32): i32 {
  if (isShort(p, 3)) return NEED_SOURCE;
  if (loadWord(mail.MAIL_FRESH) != 0 && end - p >= 3 && load8(p) == 0xef && load8(p + 1) == 0xbb && load8(p + 2) == 0xbf) {
    // The first line then stands behind line breaks, as it does where there is no mark.
    for (let i = 0; i < 3; i++) store8(p + i, 0x0a);
    return p + 3;
  }
  const lineBreak = lineBreakAt(p);
  return lineBreak < 0 ? NEED_SOURCE : p + lineBreak;
}

/** Looks for the first message of the range. */
function seek(p: i32): i32 {
  if (loadWord(mail.MAIL_FRESH) != 0) {
    const leading = skipLeading(p);
    if (leading < 0) return NEED_SOURCE;
    storeWord(mail.MAIL_FRESH, 0);
    if (leading != p) return leading;
  }
  const tail = isLast ? end : end - 1;
  let at = p;
  while (true) {
    at = findLineMark(at, tail);
    if (at >= tail) return tail > p ? tail : NEED_SOURCE;
    const found = readFromLine(at);
    if (found < 0) return at > p ? at : NEED_SOURCE;
    if (found == FROM_LINE && at >= loadWord(mail.MAIL_FROM)) break;
    at++;
  }
  if (at >= loadWord(mail.MAIL_TO)) return AFTER_RANGE;
  startMessage();
  return at;
}

function stepHeader(p: i32): i32 {
  const next = readHeader(p);
  if (next < 0 || bodyStart == 0) return next;
  const isCounted = loadWord(mail.MAIL_DIALECT) == mail.MAIL_DIALECT_CL && loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_MBOX;
  if (isCounted && loadWord(mail.MAIL_OUTERMOST) != 0) {
    const ends = readLengthEnd(next);
    if (ends < 0) return NEED_SOURCE;
    if (ends > 0) {
      storeWord(mail.MAIL_REMAINING, ends - next);
      isNew = true;
    }
  }
  endHeader(bodyStart);
  return next;
}

/** What a header says is known: its body begins at `body`. */
function endHeader(body: i32): void {
  storeWord(mail.MAIL_OUTERMOST, 0);
  storeWord(mail.MAIL_IN_HTTP, 0);
  if (loadWord(mail.MAIL_ENCLOSED) != 0) startEnclosed();
  else startBody(body);
}

/**
 * Where the body at `p` ends by its Content-Length, if a From_ line or the end of the source stands there (A2); 0: it does not hold;
 * NEED_SOURCE.
 */
function readLengthEnd(p: i32): i32 {
  const length = loadWord(mail.MAIL_LENGTH);
  if (length < 0 || length > LENGTH_MAX) return 0;
  const at = p + length;
  if (at > end) return isLast ? 0 : NEED_SOURCE;
  if (at == end) return isLast ? at : NEED_SOURCE;
  if (length > 0 && load8(at - 1) != 0x0a) return 0;
  const first = readFromLineAnywhere(at);
  if (first < 0) return NEED_SOURCE;
  if (first == FROM_LINE) return at;
  const lineBreak = lineBreakAt(at);
  if (lineBreak <= 0) return lineBreak;
  const line = at + lineBreak;
  if (line == end) return isLast ? line : NEED_SOURCE;
  const second = readFromLineAnywhere(line);
  return second < 0 ? NEED_SOURCE : second == FROM_LINE ? line : 0;
}
