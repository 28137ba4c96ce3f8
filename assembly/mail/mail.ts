// Decodes mail, news, web archives and JSON for the scan, and text, HTML and XML in a charset (A1 to A9, A12 to A14, A16 to A18). Writes
// the texts of all messages one after the other, with delimiter bytes between them, and rows that name the part and the source bytes of
// each text.

import { LF } from "../bytes/characters.ts";
import { DECODED_OPEN_MESSAGE } from "../layout/decoded.ts";
import * as mail from "../layout/mail.ts";
import { STOP_END, STOP_FULL, STOP_INPUT, STOP_MESSAGE, STOP_OWNED } from "../layout/memory.ts";
import { findLineMark } from "../platform/kernel.ts";
import { load8, store8, storeWord } from "../platform/memory.ts";
import { readBetween, readOutside, readRecord, startsRnews } from "./between.ts";
import {
  beginBodies,
  conversionOf,
  findOther,
  readBlockEnd,
  readBody,
  resetSearch,
  startBody,
  startMessage,
  startSegment,
  startText,
} from "./body.ts";
import { endPart, PART_HTML, PART_JSON, PART_NONE, PART_SKIP, PART_TEXT, passDecoded, passPart, startPart } from "./body-part.ts";
import { moveCoded } from "./coded.ts";
import { boundaryLength, CODED_START_BYTES, checkCodings, contentLength, isHttpCoded, TRANSFER_IDENTITY } from "./content.ts";
import { skipLine } from "./encoded-block.ts";
import {
  beginEncodedMessages,
  endEnclosingMessage,
  isInEncodedMessage,
  mayBePacked,
  moveEncodedMessage,
  PACKED_START_BYTES,
} from "./encoded-message.ts";
import { PAGE_START_BYTES } from "./eudora.ts";
import { linesOf } from "./folded.ts";
import { FROM_LINE, readFromLine, readFromLineAnywhere, resetFromLines } from "./from-line.ts";
import { bodyStart, closeHeader, collectedLeft, FIRST_LINE_BYTES, isOutermost, passHeader, readHeader, readLongField } from "./header.ts";
import { forgetHeap } from "./json-names.ts";
import { beginMember, endMember, enterEncoded } from "./member.ts";
import { beginPipe, finishPipe, hasStepRoom, setFollowsQuotes, setXml } from "./pipe.ts";
import * as reader from "./reader.ts";
import { afterSeparator } from "./separator.ts";
import * as source from "./source.ts";
import { AFTER_RANGE, end, isLast, isShort, lineBreakAt, MARK_BYTES, NEED_SOURCE, rangeFrom, rangeTo, startsMark } from "./source.ts";

/**
 * A longer Content-Length is not believed (A2): the end of the body is checked before the body is read, so the source bytes of one call
 * must hold the body.
 */
const LENGTH_MAX: i32 = 0x60000;
const BLANKS_MAX: i32 = 256; // Most blanks of a line before a message, and most zeros before the first line (A1)
const ZEROS_MAX: i32 = 4096;

/** `step` returns this if the host passes the bytes of an encoded message or of an unpacked text next. */
const ENCODED_MESSAGE: i32 = -3;

/** Whether the next source byte is the first one of the source, where a byte order mark may be. */
let isFirst: bool = false;
/** Whether the length of the message has become known in this step. */
let isLengthNew: bool = false;
/** Address of the first source byte that the last call did not read. */
let lastNext: i32 = 0;

/**
 * Begins a source of FORMAT_* and DIALECT_*. `allParts`: parts that are not text are read (A4). `charset`: CONVERT_* of texts that name
 * none (A18). `fields`: bits 1 << FIELD_* of the header fields that are collected; 0: neither fields nor segments are collected.
 * `isRange`: a range is read that begins after the first byte of the source. `hasStart`: the bytes begin with the first one of the source,
 * where a byte order mark may be. `quotes`: the quotes of HTML have rows (C302).
 */
export function beginMail(
  format: i32,
  dialect: i32,
  allParts: bool,
  charset: i32,
  fields: i32,
  isRange: bool,
  hasStart: bool,
  quotes: bool,
): void {
  reader.beginReader(format, dialect, allParts, charset, fields, isRange);
  setFollowsQuotes(quotes);
  isFirst = hasStart;
  isLengthNew = false;
  closeHeader();
  beginBodies(false);
  beginEncodedMessages();
  startPart(PART_NONE, TRANSFER_IDENTITY, mail.CONVERT_NONE);
}

/**
 * Decodes the source [start, sourceEnd) to the window from `to` on, up to `limit`; `last`: the source ends at `sourceEnd`. Reads the
 * messages that start at the addresses [from, before). Returns STOP_END; STOP_INPUT: the rest needs more source; STOP_FULL; STOP_OWNED at
 * the end of the range; or STOP_MESSAGE: the next call passes a collected message or a text of an attachment.
 */
export function decodeMail(start: i32, sourceEnd: i32, last: bool, to: i32, limit: i32, from: i32, before: i32): i32 {
  source.beginSource(sourceEnd, last, from, before);
  beginPipe(to, limit);
  resetFromLines();
  resetSearch();
  moveCoded(start - lastNext);
  moveEncodedMessage(start - lastNext);
  forgetHeap();
  let p = start;
  let stop = STOP_END;
  while (true) {
    if (p >= end && !isTextNext()) {
      if (!isLast) break;
      endMessage(p);
      if (!isTextNext() && !(isInEncodedMessage() && endMember())) break;
    }
    if (!hasStepRoom()) {
      stop = STOP_FULL;
      break;
    }
    const left = reader.remaining;
    if (left >= 0) source.limitSource(p, left);
    const message = reader.message;
    const next = step(p);
    if (next < 0) {
      stop = next == AFTER_RANGE ? STOP_OWNED : next == ENCODED_MESSAGE ? STOP_MESSAGE : STOP_INPUT;
      break;
    }
    // Bytes before the start of the message are not in its header.
    if (isOutermost && reader.message == message) passHeader(next - p);
    countDown(next - p, next);
    if (left >= 0) source.limitSource(0, -1);
    p = next;
  }
  source.limitSource(0, -1);
  if (stop == STOP_OWNED) endMessage(p);
  lastNext = p;
  storeWord(DECODED_OPEN_MESSAGE, isOutermost && collectedLeft > 0 ? reader.message : 0);
  finishPipe(p);
  return stop;
}

/** Whether the host has the next bytes, decoded or unpacked, so that no source byte is needed. */
function isTextNext(): bool {
  return reader.mode == reader.MODE_DECODED || reader.mode == reader.MODE_MESSAGE || reader.mode == reader.MODE_MEMBER;
}

/** Counts `count` bytes of a message or block of known length as read. After the last byte of the message, ends its text at `next`. */
function countDown(count: i32, next: i32): void {
  const left = reader.remaining;
  if (left < 0 || reader.mode == reader.MODE_BETWEEN) return;
  if (!isLengthNew) reader.limitMessage(left > count ? left - count : 0);
  isLengthNew = false;
  if (reader.remaining > 0) return;
  endMessage(next);
  reader.limitMessage(-1);
  if (reader.mode == reader.MODE_MESSAGE) endEnclosingMessage();
  else if (reader.mode != reader.MODE_DECODED) reader.enter(reader.MODE_BETWEEN);
}

/** Ends the message at `p`. A header without a body gets an empty body. If isTextNext(), the text is still to be read, and does not end. */
function endMessage(p: i32): void {
  while (reader.mode == reader.MODE_HEADER || reader.mode == reader.MODE_LONG_FIELD) endHeader(p);
  if (!isTextNext()) endPart(p);
}

/** Writes the next piece of the text of a coded body. At its end, begins to skip the rest of a body that is too long. */
function stepDecoded(p: i32): i32 {
  if (passDecoded()) return p;
  endPart(p);
  if (reader.remaining > 0) startPart(PART_SKIP, TRANSFER_IDENTITY, mail.CONVERT_NONE);
  reader.enter(reader.remaining > 0 ? reader.MODE_BODY : reader.MODE_BETWEEN);
  return p;
}

/** Reads the next bytes at `p`; returns the address after them, NEED_SOURCE, AFTER_RANGE or ENCODED_MESSAGE. */
function step(p: i32): i32 {
  const mode = reader.mode;
  if (mode == reader.MODE_BODY) return reader.hasMarks ? readBody(p) : readWhole(p);
  if (mode == reader.MODE_HEADER) return stepHeader(p);
  if (mode == reader.MODE_LONG_FIELD) return readLongField(p);
  if (mode == reader.MODE_SEEK) return seek(p);
  if (mode == reader.MODE_START) return start(p);
  if (mode == reader.MODE_BETWEEN || mode == reader.MODE_RECORD) {
    const next = mode == reader.MODE_RECORD ? readRecord(p) : readBetween(p);
    isLengthNew = next >= 0 && reader.remaining >= 0;
    return next;
  }
  if (mode == reader.MODE_OUTSIDE) return readOutside(p);
  if (mode == reader.MODE_DECODED) return stepDecoded(p);
  if (mode == reader.MODE_MESSAGE || mode == reader.MODE_MEMBER) {
    if (mode == reader.MODE_MESSAGE) enterEncoded();
    else beginMember();
    return ENCODED_MESSAGE;
  }
  const ends = readBlockEnd(p);
  return ends < 0 ? NEED_SOURCE : ends > 0 ? p : skipLine(p);
}

/** Reads the start of the source: begins its text or its first message, or the text before that (A2); returns what `step` does. */
function start(p: i32): i32 {
  if (reader.format == mail.FORMAT_UTF16) {
    startSegment(mail.WHERE_BODY, PART_TEXT, TRANSFER_IDENTITY, mail.CONVERT_UTF16);
    return p;
  }
  if (reader.format == mail.FORMAT_JSON) {
    startSegment(mail.WHERE_JSON, PART_JSON, TRANSFER_IDENTITY, mail.CONVERT_NONE);
    return p;
  }
  if (!reader.hasMarks) {
    const isXml = reader.format == mail.FORMAT_XML;
    const isHtml = reader.format == mail.FORMAT_HTML || isXml;
    setXml(isXml);
    const convert = conversionOf(reader.charset, linesOf(reader.format));
    startSegment(isHtml ? mail.WHERE_HTML : mail.WHERE_BODY, isHtml ? PART_HTML : PART_TEXT, TRANSFER_IDENTITY, convert);
    return p;
  }
  const leading = skipLeading(p);
  if (leading > p) isFirst = false;
  if (leading != p) return leading;
  if (reader.format == mail.FORMAT_MBOX) {
    const found = readFromLine(p);
    if (found < 0) return NEED_SOURCE;
    if (found == FROM_LINE && p >= rangeTo) return AFTER_RANGE;
    if (found == FROM_LINE) startMessage();
    else startText(mail.WHERE_BODY);
    return p;
  }
  if (isShort(p, FIRST_LINE_BYTES)) return NEED_SOURCE;
  const isNews = reader.format == mail.FORMAT_NEWS || reader.format == mail.FORMAT_RNEWS;
  const hasLength = reader.format == mail.FORMAT_WARC || reader.format == mail.FORMAT_ARC || reader.format == mail.FORMAT_EMLX;
  if (hasLength || reader.format == mail.FORMAT_MMDF || (isNews && startsRnews(p))) reader.enter(reader.MODE_BETWEEN);
  else startMessage();
  return p;
}

/**
 * Returns the address after a byte order mark, zeros or a line of blanks at `p`, before the first line (A1); `p`: there is none; or
 * NEED_SOURCE. Tests of a line look at the bytes before it. Before a source there are line breaks, so these bytes become some too.
 */
function skipLeading(p: i32): i32 {
  if (isShort(p, MARK_BYTES)) return NEED_SOURCE;
  if (isFirst && end - p >= MARK_BYTES && startsMark(p)) {
    return eraseTo(p, p + MARK_BYTES);
  }
  let next = p;
  if (isFirst && p < end && load8(p) == 0) {
    if (isShort(p, ZEROS_MAX + 1)) return NEED_SOURCE;
    while (next < end && next - p < ZEROS_MAX && load8(next) == 0) next++;
    return eraseTo(p, next);
  }
  while (next < end && next - p < BLANKS_MAX && source.isBlank(load8(next))) next++;
  const lineBreak = lineBreakAt(next);
  if (lineBreak <= 0) return lineBreak < 0 ? NEED_SOURCE : p;
  return eraseTo(p, next) + lineBreak;
}

/** Makes the bytes [p, next) line breaks; returns `next`. */
function eraseTo(p: i32, next: i32): i32 {
  for (let at = p; at < next; at++) store8(at, LF);
  return next;
}

/** Looks for the first message of the range; returns the address after the bytes read, NEED_SOURCE or AFTER_RANGE. */
function seek(p: i32): i32 {
  if (reader.format == mail.FORMAT_WARC) {
    // The range begins at a record, because only lengths show where the next record is.
    reader.enter(reader.MODE_BETWEEN);
    return p;
  }
  if (isFirst) {
    const leading = skipLeading(p);
    if (leading < 0) return NEED_SOURCE;
    isFirst = false;
    if (leading != p) return leading;
  }
  const tail = isLast ? end : end - 1;
  if (reader.format == mail.FORMAT_MMDF) return seekSeparator(p, tail);
  let at = p;
  while (true) {
    at = findLineMark(at, tail);
    // No later message belongs to the range. Without this check each range inside a long message would read to the end of that message.
    if (at >= rangeTo) return AFTER_RANGE;
    if (at >= tail) return tail > p ? tail : NEED_SOURCE;
    const found = readFromLine(at);
    if (found < 0) return at > p ? at : NEED_SOURCE;
    if (found == FROM_LINE && at >= rangeFrom) break;
    at++;
  }
  startMessage();
  return at;
}

/** Looks for the first separator line after which a message of the range may begin (A17); returns what `seek` does. */
function seekSeparator(p: i32, tail: i32): i32 {
  const at = findOther(p, tail);
  if (at >= rangeTo) return AFTER_RANGE;
  const next = at < tail ? afterSeparator(at) : tail;
  if (next <= p) return at > p ? at : NEED_SOURCE;
  if (at < tail && next >= rangeFrom) reader.enter(reader.MODE_BETWEEN);
  return next;
}

/** Reads a text that no line of an archive ends (`reader.hasMarks` is false). */
function readWhole(p: i32): i32 {
  const next = passPart(p, end, isLast);
  return next == p ? NEED_SOURCE : next;
}

function stepHeader(p: i32): i32 {
  const next = readHeader(p);
  if (next < 0 || bodyStart == 0) return next;
  if (isHttpCoded() && isShort(next, CODED_START_BYTES)) return NEED_SOURCE;
  if (mayBePacked() && isShort(next, PACKED_START_BYTES)) return NEED_SOURCE;
  if (boundaryLength > 0 && isShort(next, PAGE_START_BYTES)) return NEED_SOURCE;
  if (isOutermost && reader.dialect == mail.DIALECT_CL && reader.format == mail.FORMAT_MBOX) {
    const ends = readLengthEnd(next);
    if (ends < 0) return NEED_SOURCE;
    if (ends > 0) {
      reader.limitMessage(ends - next);
      isLengthNew = true;
      source.limitSource(next, ends - next);
    }
  }
  endHeader(bodyStart);
  if (isLengthNew) source.limitSource(0, -1);
  return next;
}

/** Ends a header, and begins its body at `body`. */
function endHeader(body: i32): void {
  closeHeader();
  if (isHttpCoded()) checkCodings(body, end - body < CODED_START_BYTES ? end : body + CODED_START_BYTES);
  startBody(body);
}

/**
 * Returns the end of the body at `p` by its Content-Length, if a From_ line or the end of the source is there, perhaps after an empty line,
 * which then belongs to the body (A2); 0: neither is there; or NEED_SOURCE.
 */
function readLengthEnd(p: i32): i32 {
  if (contentLength < 0 || contentLength > LENGTH_MAX) return 0;
  const at = p + contentLength;
  if (at > end) return isLast ? 0 : NEED_SOURCE;
  if (at == end) return isLast ? at : NEED_SOURCE;
  if (contentLength > 0 && load8(at - 1) != LF) return 0;
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
