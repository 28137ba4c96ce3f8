// Headers (A3): read field by field, written to the window field by field, and what they say is collected.

import * as mail from "../layout/mail.ts";
import { CONTEXT_RAW } from "../layout/memory.ts";
import { findFeedOrWord, findLineFeed, findNameEnd } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { beginContent, readContentType, readHttpEncoding, readLength, readTransferEncoding } from "./content.ts";
import { findFieldEnd, isFieldAt, nameLength } from "./field.ts";
import { DOUBTFUL, FROM_LINE, QUOTES_MAX, readFromLine, startsFrom } from "./from-line.ts";
import { isName } from "./names.ts";
import { readDelimiter, writePart } from "./parts.ts";
import * as pipe from "./pipe.ts";
import { end, isBlank, isLast, isShort, lineBreakAt, NEED_SOURCE } from "./source.ts";
import { putField } from "./words.ts";

/** Most bytes of a long field that are written at a time. */
const LONG_PIECE_BYTES: i32 = 65536;
/** Bytes of usual fields that are read in one step. */
const RUN_BYTES: i32 = 16384;
/** Most bytes of a field's name that are told. */
const NAME_COLLECTED_BYTES_MAX: i32 = 1000;

/** Where the body begins, when readHeader has come to the end of the header: 0 before. */
export let bodyStart: i32 = 0;

/** Begins a header, of a message or of a part; `type` is that of a body without Content-Type. */
export function beginHeader(isOutermost: bool, isMessage: bool, type: i32): void {
  storeWord(mail.MAIL_WHERE, mail.WHERE_HEADER);
  openHeader(isOutermost, type, writePart());
  if (isMessage) storeWord(mail.MAIL_FRESH, isOutermost ? 2 : 1);
}

/** Begins the header of a message that a text encloses, which is converted by CONVERT_*: its part is the text's (A13). */
export function beginDigestHeader(convert: i32): void {
  const part = writePart();
  storeWord(mail.MAIL_ENCLOSED, convert + 1);
  storeWord(mail.MAIL_WHERE, mail.WHERE_HEADER);
  openHeader(false, mail.TYPE_TEXT, part);
}

function openHeader(isOutermost: bool, type: i32, part: i32): void {
  storeWord(mail.MAIL_MODE, mail.MODE_HEADER);
  storeWord(mail.MAIL_OUTERMOST, isOutermost ? 1 : 0);
  storeWord(mail.MAIL_FRESH, 0);
  storeWord(mail.MAIL_SEEN, 0);
  beginContent(type);
  pipe.separate(false);
  pipe.addSegment(mail.WHERE_HEADER, part, 0);
}

/** Reads what stands at `p`, the start of a line: returns the address behind it, or NEED_SOURCE; at the header's end sets bodyStart. */
export function readHeader(p: i32): i32 {
  bodyStart = 0;
  if (loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_NEWS && load8(p - 1) == 0x0a && load8(p) == 0x2e) {
    if (isShort(p, 2)) return NEED_SOURCE;
    if (p + 1 < end && load8(p + 1) == 0x2e) return p + 1;
  }
  if (loadWord(mail.MAIL_FRESH) != 0) {
    if (isShort(p, 16)) return NEED_SOURCE;
    const isHttp = loadWord(mail.MAIL_IN_HTTP) != 0;
    if (!isHttp && isQuoted(p)) return p + 1;
    if (isHttp ? lineBreakAt(p) == 0 : startsFrom(p) || (load8(p) == 0x3e && startsFrom(p + 1))) {
      const colon = isFieldAt(p);
      if (colon < 0) return NEED_SOURCE;
      if (colon == 0) return isHttp ? readFirstLine(p) : readFromLineOf(p);
    }
  } else if (loadWord(mail.MAIL_FORMAT) != mail.MAIL_FORMAT_NEWS) {
    const next = readUsualFields(p);
    if (next > p) return next;
  }
  const lineBreak = lineBreakAt(p);
  if (lineBreak < 0) return NEED_SOURCE;
  if (lineBreak > 0) return finish(p + lineBreak);
  if (load8(p) == 0x2d && loadWord(mail.MAIL_DEPTH) > 0) {
    if (isShort(p, 2)) return NEED_SOURCE;
    const delimiter = load8(p + 1) == 0x2d ? readDelimiter(p) : 0;
    if (delimiter < 0) return NEED_SOURCE;
    if (delimiter > 0) return finish(p);
  }
  const colon = isFieldAt(p);
  if (colon < 0) return NEED_SOURCE;
  if (colon == 0) return finish(p);
  const fieldEnd = findFieldEnd(p);
  if (fieldEnd < 0) return NEED_SOURCE;
  storeWord(mail.MAIL_FRESH, 0);
  if (fieldEnd == 0) return startLongField(p, colon);
  putField(p, colon + 1, fieldEnd);
  endField(fieldEnd);
  note(p, nameLength(p, colon), colon + 1, fieldEnd);
  return fieldEnd;
}

/**
 * Reads fields that are written to the window as they stand and of which nothing is collected, most of a header: returns the address
 * behind the last. What is anything else, or cannot be told yet, is left to readHeader. An eighth off list mail: a step of the reader for
 * each field costs as much as the field.
 */
function readUsualFields(start: i32): i32 {
  const collects = loadWord(mail.MAIL_COLLECTS) != 0;
  const stop = start + RUN_BYTES;
  let p = start;
  while (p < stop && load8(p) != 0x2d) {
    const bound = p + mail.FIELD_BYTES_MAX < end ? p + mail.FIELD_BYTES_MAX : end;
    const colon = findNameEnd(p, bound);
    if (colon == p || colon == bound || load8(colon) != 0x3a) break;
    const name = fieldName(p, colon - p);
    if (name >= 0 && (collects || name >= mail.FIELDS_COLLECTED)) break;
    let feed = findFeedOrWord(p, bound);
    while (feed + 1 < bound && load8(feed) == 0x0a && isBlank(load8(feed + 1))) feed = findFeedOrWord(feed + 1, bound);
    if (feed + 1 >= bound || load8(feed) != 0x0a) break;
    pipe.putSource(p, feed + 1 - p);
    pipe.markLast(CONTEXT_RAW);
    p = feed + 1;
  }
  return p;
}

function finish(start: i32): i32 {
  bodyStart = start;
  return start;
}

/** Whether the line at `p` has a mark before its `From ` that goes: not in the header of the message of the archive itself (A2). */
function isQuoted(p: i32): bool {
  const dialect = loadWord(mail.MAIL_DIALECT);
  if (loadWord(mail.MAIL_FORMAT) != mail.MAIL_FORMAT_MBOX || loadWord(mail.MAIL_OUTERMOST) != 0) return false;
  if (dialect == mail.MAIL_DIALECT_CL || load8(p - 1) != 0x0a) return false;
  let at = p;
  while (at < p + QUOTES_MAX && load8(at) == 0x3e) at++;
  return at > p && startsFrom(at) && (dialect != mail.MAIL_DIALECT_O || at == p + 1);
}

/** A From_ line in a header: of an archive one that begins no message, but for the first of all, is doubtful (A2). */
function readFromLineOf(p: i32): i32 {
  const isArchive = loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_MBOX && loadWord(mail.MAIL_REMAINING) < 0;
  if (isArchive && load8(p - 1) == 0x0a && loadWord(mail.MAIL_FRESH) == 1) {
    const found = readFromLine(p);
    if (found < 0) return NEED_SOURCE;
    // The next message: what holds this one is empty.
    if (found == FROM_LINE) return finish(p);
    if (found == DOUBTFUL) pipe.count(mail.COUNT_DOUBTFUL, 1);
  }
  const next = readFirstLine(p);
  if (next > p) storeWord(mail.MAIL_FRESH, 1);
  return next;
}

/** A From_ line, or the first line of HTTP: no field. */
function readFirstLine(p: i32): i32 {
  const bound = p + mail.FIELD_BYTES_MAX < end ? p + mail.FIELD_BYTES_MAX : end;
  const feed = findLineFeed(p, bound);
  if (feed == bound && bound == end && !isLast && end - p < mail.FIELD_BYTES_MAX) return NEED_SOURCE;
  const lineEnd = feed < bound ? feed + 1 : bound;
  // A line that is too long is of the body.
  if (feed == bound && end - p >= mail.FIELD_BYTES_MAX) return finish(p);
  if (loadWord(mail.MAIL_IN_HTTP) != 0) storeWord(mail.MAIL_FRESH, 0);
  pipe.putSource(p, lineEnd - p);
  endField(lineEnd);
  return lineEnd;
}

/** The line break at the end of a field gives way to a delimiter byte: nothing goes on in the next field. */
function endField(fieldEnd: i32): void {
  if (load8(fieldEnd - 1) == 0x0a) pipe.markLast(CONTEXT_RAW);
}

/** A field that is too long to be looked at as a whole: its name is told, so that it need not be looked for. */
function startLongField(p: i32, colon: i32): i32 {
  const length = nameLength(p, colon);
  pipe.omit(mail.COUNT_LONG_FIELD, p);
  const part = writePart();
  const name = pipe.heapEnd();
  for (let i = 0; i < length && i < NAME_COLLECTED_BYTES_MAX; i++) pipe.putHeap(load8(p + i));
  pipe.putHeap(0);
  pipe.addSegment(mail.WHERE_HEADER, part, name);
  storeWord(mail.MAIL_MODE, mail.MODE_LONG_FIELD);
  const stop = p + mail.FIELD_BYTES_MAX;
  putField(p, colon + 1, stop);
  note(p, length, colon + 1, stop);
  return stop;
}

/** Writes what is there of a long field: returns the address behind it, or NEED_SOURCE. */
export function readLongField(p: i32): i32 {
  const bound = p + LONG_PIECE_BYTES < end ? p + LONG_PIECE_BYTES : end;
  let at = p;
  while (true) {
    const feed = findLineFeed(at, bound);
    if (feed + 1 >= bound) break;
    if (!isBlank(load8(feed + 1))) {
      pipe.putSource(p, feed + 1 - p);
      pipe.markLast(CONTEXT_RAW);
      pipe.addSegment(mail.WHERE_HEADER, writePart(), 0);
      storeWord(mail.MAIL_MODE, mail.MODE_HEADER);
      return feed + 1;
    }
    at = feed + 1;
  }
  // A line break at the end waits for what is behind it.
  const stop = isLast && bound == end ? end : bound - 1;
  if (stop == p) return NEED_SOURCE;
  pipe.putSource(p, stop - p);
  return stop;
}

/** Collects what a field says: its name at `p`, its body in [start, fieldEnd). */
function note(p: i32, length: i32, start: i32, fieldEnd: i32): void {
  const name = fieldName(p, length);
  if (name < 0) return;
  if (name < mail.FIELDS_COLLECTED) {
    const isCollected = loadWord(mail.MAIL_OUTERMOST) != 0 && loadWord(mail.MAIL_HEADER_LEFT) > 0;
    if (isCollected && (loadWord(mail.MAIL_FIELDS) & (1 << name)) != 0) tell(name, start, fieldEnd);
    return;
  }
  const isHttp = loadWord(mail.MAIL_IN_HTTP) != 0;
  const isEncoding = name == mail.NAME_HTTP_TRANSFER || name == mail.NAME_CONTENT_ENCODING;
  const bit = 1 << (name - mail.FIELDS_COLLECTED);
  // Encodings of HTTP add up.
  if ((loadWord(mail.MAIL_SEEN) & bit) != 0 && !isEncoding) return;
  storeWord(mail.MAIL_SEEN, loadWord(mail.MAIL_SEEN) | bit);
  if (name == mail.NAME_CONTENT_TYPE) readContentType(start, fieldEnd);
  else if (name == mail.NAME_CONTENT_LENGTH) {
    if (!isHttp) readLength(start, fieldEnd);
  } else if (name == mail.NAME_TRANSFER_ENCODING) {
    if (!isHttp) readTransferEncoding(start, fieldEnd);
  } else if (isHttp) readHttpEncoding(name == mail.NAME_HTTP_TRANSFER, start, fieldEnd);
}

/** NAME_* of a field of mail or HTTP, by its length first: most are none of these. */
function fieldName(p: i32, length: i32): i32 {
  if (length == 4) return isName(mail.FIELD_DATE, p, 4) ? mail.FIELD_DATE : isName(mail.FIELD_FROM, p, 4) ? mail.FIELD_FROM : -1;
  if (length == 7)
    return isName(mail.FIELD_SUBJECT, p, 7) ? mail.FIELD_SUBJECT : isName(mail.FIELD_LIST_ID, p, 7) ? mail.FIELD_LIST_ID : -1;
  if (length == 10) {
    if (isName(mail.FIELD_MESSAGE_ID, p, 10)) return mail.FIELD_MESSAGE_ID;
    return isName(mail.FIELD_NEWSGROUPS, p, 10) ? mail.FIELD_NEWSGROUPS : -1;
  }
  if (length == 12) return isName(mail.NAME_CONTENT_TYPE, p, 12) ? mail.NAME_CONTENT_TYPE : -1;
  if (length == 14) return isName(mail.NAME_CONTENT_LENGTH, p, 14) ? mail.NAME_CONTENT_LENGTH : -1;
  if (length == 16) return isName(mail.NAME_CONTENT_ENCODING, p, 16) ? mail.NAME_CONTENT_ENCODING : -1;
  if (length == 17) return isName(mail.NAME_HTTP_TRANSFER, p, 17) ? mail.NAME_HTTP_TRANSFER : -1;
  return length == 25 && isName(mail.NAME_TRANSFER_ENCODING, p, 25) ? mail.NAME_TRANSFER_ENCODING : -1;
}

/** Tells of a field of the message, but for white space at its ends. */
export function tell(name: i32, start: i32, fieldEnd: i32): void {
  if (loadWord(mail.MAIL_COLLECTS) == 0) return;
  let p = start;
  let stop = fieldEnd;
  while (p < stop && load8(p) <= 0x20) p++;
  while (stop > p && load8(stop - 1) <= 0x20) stop--;
  if (stop > p + mail.FIELD_COLLECTED_BYTES_MAX) stop = p + mail.FIELD_COLLECTED_BYTES_MAX;
  const address = pipe.heapEnd();
  for (; p < stop; p++) pipe.putHeap(load8(p));
  pipe.addField(name, address);
}
