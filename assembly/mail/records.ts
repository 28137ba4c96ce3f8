// Messages of known length: articles of rnews batches (A14), records of WARC files (A12).

import * as mail from "../layout/mail.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { startBody, startMessage, startText } from "./body.ts";
import { endPart, passPart, startPart } from "./body-part.ts";
import { beginContent, readContentType, readLength } from "./content.ts";
import { findFieldEnd, isFieldAt, nameLength } from "./field.ts";
import { beginHeader, tell } from "./header.ts";
import { findName } from "./names.ts";
import { count } from "./pipe.ts";
import { AFTER_RANGE, end, isDigit, isLast, isShort, lineBreakAt, NEED_SOURCE } from "./source.ts";
import { beginBody, skipSpace, tokenEnd } from "./value.ts";

const LINE_BYTES_MAX: i32 = 1024;
/** Most bytes of a text between articles that are passed on at a time. */
const TEXT_BYTES_MAX: i32 = 65536;
/** `#! rnews ` */
const RNEWS_BYTES: i32 = 9;
/** `WARC/` */
const WARC_BYTES: i32 = 5;

/** Whether `#! rnews ` stands at `p`. */
export function startsRnews(p: i32): bool {
  if (end - p < RNEWS_BYTES || load8(p) != 0x23 || load8(p + 1) != 0x21 || load8(p + 2) != 0x20) return false;
  const isName = load8(p + 3) == 0x72 && load8(p + 4) == 0x6e && load8(p + 5) == 0x65 && load8(p + 6) == 0x77 && load8(p + 7) == 0x73;
  return isName && load8(p + 8) == 0x20;
}

function startsWarc(p: i32): bool {
  if (end - p < WARC_BYTES || load8(p) != 0x57 || load8(p + 1) != 0x41) return false;
  return load8(p + 2) == 0x52 && load8(p + 3) == 0x43 && load8(p + 4) == 0x2f;
}

/** Behind the line at `p`; NEED_SOURCE. A line that is longer than any here is cut. */
function afterLine(p: i32): i32 {
  const bound = p + LINE_BYTES_MAX < end ? p + LINE_BYTES_MAX : end;
  const feed = findLineFeed(p, bound);
  if (feed < bound) return feed + 1;
  return !isLast && end - p < LINE_BYTES_MAX ? NEED_SOURCE : bound;
}

/** Reads what stands between two messages of known length: returns the address behind it, or NEED_SOURCE. */
export function readBetween(p: i32): i32 {
  if (loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_MBOX) {
    // A From_ line was seen here when the end of the message was looked for.
    if (p >= loadWord(mail.MAIL_TO)) return AFTER_RANGE;
    startMessage();
    return p;
  }
  const lineBreak = lineBreakAt(p);
  if (lineBreak != 0) return lineBreak < 0 ? NEED_SOURCE : p + lineBreak;
  const isWarc = loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_WARC;
  if (isShort(p, isWarc ? WARC_BYTES : RNEWS_BYTES + 1)) return NEED_SOURCE;
  const next = afterLine(p);
  if (next < 0) return NEED_SOURCE;
  if (isWarc && startsWarc(p)) {
    startRecord();
    return next;
  }
  if (!isWarc && isArticleAt(p)) {
    startMessage();
    readLength(p + RNEWS_BYTES, next);
    storeWord(mail.MAIL_REMAINING, loadWord(mail.MAIL_LENGTH));
    return next;
  }
  count(mail.COUNT_DOUBTFUL, 1);
  storeWord(mail.MAIL_OUTSIDE, 1);
  storeWord(mail.MAIL_ENCLOSED, 0);
  storeWord(mail.MAIL_DEPTH, 0);
  startText(mail.WHERE_BODY);
  storeWord(mail.MAIL_MODE, mail.MODE_OUTSIDE);
  return p;
}

/** Whether a line that begins an article stands at `p`. */
function isArticleAt(p: i32): bool {
  return startsRnews(p) && p + RNEWS_BYTES < end && isDigit(load8(p + RNEWS_BYTES));
}

/** Reads text between articles or records up to the next (A12, A14): returns the address behind what was read, or NEED_SOURCE. */
export function readOutside(p: i32): i32 {
  if (load8(p - 1) == 0x0a) {
    if (isShort(p, RNEWS_BYTES + 1)) return NEED_SOURCE;
    if (loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_WARC ? startsWarc(p) : isArticleAt(p)) {
      endPart(p);
      storeWord(mail.MAIL_MODE, mail.MODE_BETWEEN);
      return p;
    }
  }
  const bound = p + TEXT_BYTES_MAX < end ? p + TEXT_BYTES_MAX : end;
  const feed = findLineFeed(p, bound);
  return passPart(p, feed < bound ? feed + 1 : bound, false);
}

function startRecord(): void {
  storeWord(mail.MAIL_MODE, mail.MODE_RECORD);
  storeWord(mail.MAIL_MESSAGE, loadWord(mail.MAIL_MESSAGE) + 1);
  storeWord(mail.MAIL_DEPTH, 0);
  storeWord(mail.MAIL_IN_MESSAGE, 0);
  storeWord(mail.MAIL_IN_HTTP, 0);
  storeWord(mail.MAIL_RECORD_TYPE, -1);
  storeWord(mail.MAIL_OUTSIDE, 0);
  storeWord(mail.MAIL_ENCLOSED, 0);
  storeWord(mail.MAIL_SKIPPED_BREAK, 0);
  storeWord(mail.MAIL_SEEN, 0);
  beginContent(mail.TYPE_TEXT);
  count(mail.COUNT_MESSAGES, 1);
}

/** Reads a field of a record's header, or its end; returns the address behind it, or NEED_SOURCE. */
export function readRecord(p: i32): i32 {
  // The rest of a line that is too long.
  if (load8(p - 1) != 0x0a) return afterLine(p);
  const lineBreak = lineBreakAt(p);
  if (lineBreak < 0) return NEED_SOURCE;
  if (lineBreak > 0) {
    startBlock(p + lineBreak);
    return p + lineBreak;
  }
  const colon = isFieldAt(p);
  if (colon < 0) return NEED_SOURCE;
  const fieldEnd = colon > 0 ? findFieldEnd(p) : afterLine(p);
  if (fieldEnd < 0) return NEED_SOURCE;
  // Longer than a field may be: the rest of it is passed over line by line.
  if (fieldEnd == 0) return end - p > mail.FIELD_BYTES_MAX ? p + mail.FIELD_BYTES_MAX : end;
  if (colon > 0) note(p, nameLength(p, colon), colon + 1, fieldEnd);
  return fieldEnd;
}

function note(p: i32, length: i32, start: i32, fieldEnd: i32): void {
  const name = findName(mail.FIELD_TARGET_URI, mail.NAME_WARC_TYPE, p, length);
  const bit = 1 << (name < 0 ? 0 : name);
  if (name < 0 || (loadWord(mail.MAIL_SEEN) & bit) != 0) return;
  storeWord(mail.MAIL_SEEN, loadWord(mail.MAIL_SEEN) | bit);
  if (name == mail.FIELD_TARGET_URI || name == mail.FIELD_WARC_DATE) tell(name, start, fieldEnd);
  else if (name == mail.NAME_CONTENT_TYPE) readContentType(start, fieldEnd);
  else if (name == mail.NAME_CONTENT_LENGTH) readLength(start, fieldEnd);
  else if (name == mail.NAME_WARC_TYPE) {
    beginBody();
    const type = skipSpace(start, fieldEnd);
    storeWord(mail.MAIL_RECORD_TYPE, findName(mail.NAME_RESPONSE, mail.NAME_CONVERSION, type, tokenEnd(type, fieldEnd) - type));
  }
}

/** The block of a record, at `block`: an HTTP response, a body, or nothing that is read. */
function startBlock(block: i32): void {
  const length = loadWord(mail.MAIL_LENGTH);
  storeWord(mail.MAIL_REMAINING, length < 0 ? 0 : length);
  const type = loadWord(mail.MAIL_RECORD_TYPE);
  if (type == mail.NAME_RESPONSE) {
    storeWord(mail.MAIL_IN_HTTP, 1);
    beginHeader(false, true, mail.TYPE_TEXT);
  } else if (type >= 0) {
    startBody(block);
  } else {
    count(mail.COUNT_PARTS_SKIPPED, 1);
    storeWord(mail.MAIL_MODE, mail.MODE_BODY);
    storeWord(mail.MAIL_WHERE, mail.WHERE_BODY);
    startPart(mail.PART_SKIP, mail.TRANSFER_IDENTITY, mail.CONVERT_NONE);
  }
}
