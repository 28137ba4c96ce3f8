// Reads the bytes between articles of rnews batches (A14), records of WARC and ARC files (A12), messages of MMDF mailboxes (A17), and
// messages of an mbox that end by their Content-Length (A2), and the bytes around a message of Apple Mail (A1).

import { isDigit } from "../bytes/ascii.ts";
import { LF } from "../bytes/characters.ts";
import { isKeyword, startsWith } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { afterArcLine, collectArcLine, isArcDescription, isArcResponse } from "./arc.ts";
import { endPart, PART_SKIP, passPart } from "./body-part.ts";
import { beginRecord } from "./coded.ts";
import * as content from "./content.ts";
import { PAGE_START_BYTES } from "./eudora.ts";
import { FIELD_CONTENT_LENGTH, FIELD_CONTENT_TYPE, FIELD_WARC_TYPE, fieldOf, findFieldColon, findFieldEnd, nameLength } from "./field.ts";
import { beginHttpHeader, putCollected } from "./header.ts";
import { startBody } from "./header-end.ts";
import { beginParts } from "./parts.ts";
import { count } from "./pipe.ts";
import * as reader from "./reader.ts";
import { afterSeparator } from "./separator.ts";
import { AFTER_RANGE, afterLine, end, isShort, limitMessage, lineBreakAt, NEED_SOURCE, rangeTo } from "./source.ts";
import { beginBodies, beginMessage, startMessage, startSegment, startSkipped, startText } from "./text-start.ts";
import { forgetBody } from "./type-name.ts";
import { beginValue, tokenEnd } from "./value.ts";

/** Most bytes of a line that are read at a time. Further bytes of the first line of an article belong to the article (A14). */
const LINE_BYTES_MAX: i32 = 1024;
const TEXT_BYTES_MAX: i32 = 65536; // Most bytes of a text between articles or records that are written at a time
const RNEWS_BYTES: i32 = 9; // Length of `#! rnews `
const WARC_BYTES: i32 = 5; // Length of `WARC/`

// How the block of a record is read: not at all, as a body, as an HTTP response, as a body if it is JSON.
const BLOCK_SKIPPED: i32 = 0;
const BLOCK_BODY: i32 = 1;
const BLOCK_RESPONSE: i32 = 2;
const BLOCK_METADATA: i32 = 3;
let block: i32 = BLOCK_SKIPPED;

/** Bits 1 << FIELD_* of the fields of the record that have been read: only the first one of a name counts. */
let seen: i32 = 0;

/** Whether `#! rnews ` is at `p`. */
export function startsRnews(p: i32): bool {
  return end - p >= RNEWS_BYTES && startsWith(p, "#! rnews ");
}

/**
 * Returns the address after the line at `p`, or after its first LINE_BYTES_MAX bytes, if an article of a batch or a record begins with this
 * line; 0 if not, or NEED_SOURCE.
 */
function afterFirstLine(p: i32): i32 {
  if (reader.format == mail.FORMAT_ARC) return afterArcLine(p);
  const isWarc = reader.format == mail.FORMAT_WARC;
  if (isShort(p, isWarc ? WARC_BYTES : RNEWS_BYTES + 1)) return NEED_SOURCE;
  const isFirst = isWarc
    ? end - p >= WARC_BYTES && startsWith(p, "WARC/")
    : startsRnews(p) && p + RNEWS_BYTES < end && isDigit(load8(p + RNEWS_BYTES));
  return isFirst ? afterPiece(p) : 0;
}

/** Returns the address after the line at `p`, but at most after LINE_BYTES_MAX bytes; or NEED_SOURCE. */
function afterPiece(p: i32): i32 {
  const next = afterLine(p, LINE_BYTES_MAX);
  return next == 0 ? p + LINE_BYTES_MAX : next;
}

/** Passes a separator line, or begins the message after the last one (A17); returns what readBetween does. */
function readSeparators(p: i32): i32 {
  const next = afterSeparator(p);
  if (next != 0) return next;
  if (p >= rangeTo) return AFTER_RANGE;
  startMessage();
  return p;
}

/** Reads the next bytes between messages or records, or begins the next one; returns the address after them, NEED_SOURCE or AFTER_RANGE. */
export function readBetween(p: i32): i32 {
  if (reader.format == mail.FORMAT_MBOX) {
    // A From_ line was found here when the end of the message before it was looked for.
    if (p >= rangeTo) return AFTER_RANGE;
    startMessage();
    return p;
  }
  if (reader.format == mail.FORMAT_EMLX) return readAppleMail(p);
  if (reader.format == mail.FORMAT_MMDF) return readSeparators(p);
  const lineBreak = lineBreakAt(p);
  if (lineBreak != 0) return lineBreak < 0 ? NEED_SOURCE : p + lineBreak;
  const next = afterFirstLine(p);
  if (next < 0) return NEED_SOURCE;
  if (next == 0) {
    count(mail.COUNT_DOUBTFUL, 1);
    reader.leaveMessage();
    beginParts(false);
    startText(mail.WHERE_BODY);
    reader.enter(reader.MODE_OUTSIDE);
    return p;
  }
  if (reader.format == mail.FORMAT_WARC) {
    // The border of the range may be at a false start of a record. Then no record begins there, and the range continues.
    if (p == rangeTo) return AFTER_RANGE;
    startRecord(p);
  } else if (reader.format == mail.FORMAT_ARC) {
    startArcRecord(p, next);
  } else {
    startWithLength(p + RNEWS_BYTES, next);
  }
  return next;
}

/** Reads the line with the length of the message, or begins the property list after the message; returns what readBetween does. */
function readAppleMail(p: i32): i32 {
  if (reader.message > 0) {
    beginBodies(false);
    reader.leaveMessage();
    startSegment(mail.WHERE_BODY, PART_SKIP, content.TRANSFER_IDENTITY, mail.CONVERT_NONE);
    return p;
  }
  const next = afterPiece(p);
  if (next < 0) return NEED_SOURCE;
  startWithLength(p, next);
  return next;
}

/** Begins the message after the line [start, next), which begins with the length of the message. */
function startWithLength(start: i32, next: i32): void {
  startMessage();
  content.readLength(start, next);
  limitByLength(next);
}

/** Reads text up to the next article or record (A12, A14); returns the address after the bytes read, or NEED_SOURCE. */
export function readOutside(p: i32): i32 {
  if (load8(p - 1) == LF) {
    const next = afterFirstLine(p);
    if (next < 0) return NEED_SOURCE;
    if (next > 0) {
      endPart(p);
      reader.enter(reader.MODE_BETWEEN);
      return p;
    }
  }
  const bound = p + TEXT_BYTES_MAX < end ? p + TEXT_BYTES_MAX : end;
  const feed = findLineFeed(p, bound);
  return passPart(p, feed < bound ? feed + 1 : bound, false);
}

/** Begins a record, and its header, at the source address `p`. */
function startRecord(p: i32): void {
  beginRecord(p);
  beginMessage(false);
  reader.enter(reader.MODE_RECORD);
  block = BLOCK_SKIPPED;
  seen = 0;
  content.beginContent(content.TYPE_TEXT, mail.CONVERT_NONE);
  forgetBody();
}

/** Begins a record of an ARC file, at the source address `p`; its block begins at `start`. */
function startArcRecord(p: i32, start: i32): void {
  startRecord(p);
  collectArcLine();
  if (!isArcDescription()) block = isArcResponse() ? BLOCK_RESPONSE : BLOCK_BODY;
  startBlock(start);
}

/** Reads a field of the header of a record, or the end of the header; returns the address after it, or NEED_SOURCE. */
export function readRecord(p: i32): i32 {
  // The rest of a line that is too long.
  if (load8(p - 1) != LF) return afterPiece(p);
  const lineBreak = lineBreakAt(p);
  if (lineBreak < 0) return NEED_SOURCE;
  if (lineBreak > 0) {
    if (content.boundaryLength > 0 && isShort(p + lineBreak, PAGE_START_BYTES)) return NEED_SOURCE;
    startBlock(p + lineBreak);
    return p + lineBreak;
  }
  const colon = findFieldColon(p);
  if (colon < 0) return NEED_SOURCE;
  const fieldEnd = colon > 0 ? findFieldEnd(p) : afterPiece(p);
  if (fieldEnd < 0) return NEED_SOURCE;
  // A field that is too long: the rest is skipped line by line.
  if (fieldEnd == 0) return end - p > mail.FIELD_BYTES_MAX ? p + mail.FIELD_BYTES_MAX : end;
  if (colon > 0) collect(p, nameLength(p, colon), colon + 1, fieldEnd);
  return fieldEnd;
}

/** Collects a field if it is the first of its name that has a value: the name is the `length` bytes at `p`, the body is [start, end). */
function collect(p: i32, length: i32, start: i32, end: i32): void {
  const name = fieldOf(p, length);
  if (name < 0 || (seen & (1 << name)) != 0 || beginValue(start, end) == end) return;
  seen |= 1 << name;
  if (name == mail.FIELD_TARGET_URI || name == mail.FIELD_WARC_DATE) putCollected(name, start, end);
  else if (name == FIELD_CONTENT_TYPE) content.readContentType(start, end);
  else if (name == FIELD_CONTENT_LENGTH) content.readLength(start, end);
  else if (name == FIELD_WARC_TYPE) readType(start, end);
}

function readType(start: i32, end: i32): void {
  const type = beginValue(start, end);
  const typeEnd = tokenEnd(type, end);
  if (isKeyword(type, typeEnd, "response")) block = BLOCK_RESPONSE;
  else if (isKeyword(type, typeEnd, "resource") || isKeyword(type, typeEnd, "conversion")) block = BLOCK_BODY;
  else if (isKeyword(type, typeEnd, "metadata")) block = BLOCK_METADATA;
}

/** Makes the message or block at the source address `start` as long as its length says, or empty without a length. */
function limitByLength(start: i32): void {
  limitMessage(start, content.contentLength < 0 ? 0 : content.contentLength);
}

/** Begins the block of a record, at the source address `start`. */
function startBlock(start: i32): void {
  limitByLength(start);
  if (block == BLOCK_RESPONSE) beginHttpHeader();
  else if (block == BLOCK_BODY || (block == BLOCK_METADATA && content.type == content.TYPE_JSON)) startBody(start);
  else startSkipped();
}
