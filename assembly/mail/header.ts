// Reads headers (A3): writes them to the window field by field, and collects the values of some fields.

import { lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { to } from "../html/decoded.ts";
import * as mail from "../layout/mail.ts";
import { findFeedOrWord, findFieldNameEnd, findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import * as content from "./content.ts";
import * as fields from "./field.ts";
import { DOUBTFUL, FROM_BYTES, FROM_LINE, QUOTES_MAX, readFromLine, startsFrom } from "./from-line.ts";
import { beginLocation, readLocation } from "./location.ts";
import { depth, readDelimiter, writePart } from "./parts.ts";
import * as pipe from "./pipe.ts";
import * as reader from "./reader.ts";
import { afterLine, end, hasLength, isBlank, isLast, isShort, lineBreakAt, NEED_SOURCE } from "./source.ts";
import { forgetBody } from "./type-name.ts";
import { beginValue } from "./value.ts";
import { putField } from "./words.ts";

/** Most bytes of a long field that are written at a time. */
const LONG_PIECE_BYTES: i32 = 65536;
const RUN_BYTES: i32 = 16384; // One step reads the usual fields that begin in this many bytes
const RUN_COLLECTED_MOST: i32 = 4; // Most of these fields that one step has room to collect
const NAME_COLLECTED_BYTES_MAX: i32 = 1000; // Most bytes of the name of a long field that are collected
const FIELD_COLLECTED_BYTES_MAX: i32 = 2048; // Most bytes of a field that are collected
/** Fields that begin after this many bytes of a header are not collected, because matches in the header wait for collected fields. */
const HEADER_COLLECTED_BYTES: i32 = 0x40000;
export const FIRST_LINE_BYTES: i32 = 16; // Number of source bytes that are needed to know what the first line of a source or header is

// Positions in a header. From_ lines, and the first line of HTTP, are looked for before the first field.
/** After the start of the first field, and anywhere in the header of a body part. */
const LATER: i32 = 0;
const BEFORE_FIELDS: i32 = 1; // Before the first field of a message or of HTTP
const AT_START: i32 = 2; // At the first line of an outermost message

/** Whether the header of an outermost message is read. */
export let isOutermost: bool = false;
/** Number of the next source bytes of an outermost header in which a collected field may begin. */
export let collectedLeft: i32 = 0;
/** Address of the body if readFields has read the header to its end; else 0. */
export let bodyStart: i32 = 0;
let isHttp: bool = false;
/** LATER, BEFORE_FIELDS or AT_START. */
let position: i32 = LATER;
/** Bits 1 << FIELD_* of the fields that have been read, for the fields that count only once. */
let seen: i32 = 0;

/**
 * Begins a header. `outermost`: it is that of an outermost message. `isMessage`: it is that of a message or of HTTP, not of a body part.
 * `type`: TYPE_* of a body without Content-Type.
 */
export function beginHeader(outermost: bool, isMessage: bool, type: i32): void {
  reader.enterText(reader.MODE_HEADER, mail.WHERE_HEADER);
  isOutermost = outermost;
  collectedLeft = outermost && reader.fields != 0 ? HEADER_COLLECTED_BYTES : 0;
  isHttp = false;
  position = !isMessage ? LATER : outermost ? AT_START : BEFORE_FIELDS;
  seen = 0;
  content.beginContent(type, mail.CONVERT_NONE);
  forgetBody();
  beginLocation();
  pipe.beginSegment(mail.WHERE_HEADER, writePart(), 0);
}

export function beginHttpHeader(): void {
  beginHeader(false, true, content.TYPE_TEXT);
  isHttp = true;
}

export function closeHeader(): void {
  isOutermost = false;
}

/** Counts the bytes [p, next) of a header as read, unless `next` is NEED_SOURCE; returns `next`. */
export function passHeader(p: i32, next: i32): i32 {
  if (next >= 0) collectedLeft = collectedLeft > next - p ? collectedLeft - (next - p) : 0;
  return next;
}

/** Reads the next lines or fields at `p`; returns the address after them, or NEED_SOURCE. Sets bodyStart at the end of the header. */
export function readFields(p: i32): i32 {
  bodyStart = 0;
  const isNews = reader.format == mail.FORMAT_NEWS;
  if (isNews && load8(p - 1) == char.LF && load8(p) == char.DOT) {
    if (isShort(p, 2)) return NEED_SOURCE;
    if (p + 1 < end && load8(p + 1) == char.DOT) {
      const name = fields.findFieldColon(p + 1);
      // A line without a field begins the body, and the body reader removes its dot.
      return name < 0 ? NEED_SOURCE : name == 0 ? finish(p) : p + 1;
    }
  }
  if (position != LATER) {
    if (isShort(p, FIRST_LINE_BYTES)) return NEED_SOURCE;
    if (!isHttp && isQuoted(p)) return p + 1;
    if (isHttp ? lineBreakAt(p) == 0 : startsFrom(p) || (load8(p) == char.GREATER && startsFrom(p + 1))) {
      const colon = fields.findFieldColon(p);
      if (colon < 0) return NEED_SOURCE;
      if (colon == 0) return isHttp ? readFirstLine(p) : readFromLineOf(p);
    }
  } else if (!isNews) {
    const next = readUsualFields(p);
    if (next > p) return next;
  }
  const lineBreak = lineBreakAt(p);
  if (lineBreak < 0) return NEED_SOURCE;
  if (lineBreak > 0) return finish(p + lineBreak);
  if (load8(p) == char.HYPHEN && depth > 0) {
    if (isShort(p, 2)) return NEED_SOURCE;
    const delimiter = load8(p + 1) == char.HYPHEN ? readDelimiter(p) : 0;
    if (delimiter < 0) return NEED_SOURCE;
    if (delimiter > 0) return finish(p);
  }
  const colon = fields.findFieldColon(p);
  if (colon < 0) return NEED_SOURCE;
  if (colon == 0) return finish(p);
  const fieldEnd = fields.findFieldEnd(p);
  if (fieldEnd < 0) return NEED_SOURCE;
  position = LATER;
  if (fieldEnd == 0) return startLongField(p, colon);
  putField(p, colon + 1, fieldEnd);
  delimitField(fieldEnd);
  collect(p, fields.nameLength(p, colon), colon + 1, fieldEnd);
  return fieldEnd;
}

/**
 * Writes the usual fields from `start` on to the window: those that do not describe the body and have nothing to decode, which are most of
 * a header. Collects some of them. Returns the address after the last one, or `start`; readFields reads any other or incomplete field. One
 * step reads many fields, because a step costs as much as a field.
 */
function readUsualFields(start: i32): i32 {
  const stop = start + RUN_BYTES;
  let left = RUN_COLLECTED_MOST;
  let p = start;
  while (p < stop && load8(p) != char.HYPHEN) {
    const bound = fields.fieldBound(p);
    const colon = findFieldNameEnd(p, bound);
    if (colon == p || colon == bound || load8(colon) != char.COLON) break;
    if (mayDescribeBody(load8(p), colon - p)) break;
    let feed = findFeedOrWord(p, bound);
    while (feed + 1 < bound && load8(feed) == char.LF && isBlank(load8(feed + 1))) feed = findFeedOrWord(feed + 1, bound);
    if (feed + 1 >= bound || load8(feed) != char.LF) break;
    if (collectedLeft > p - start) {
      const named = fields.namedFieldOf(p, colon - p);
      if (named >= 0 || mayBeCollected(load8(p), colon - p)) {
        if (left-- == 0) break;
        collectField(fields.fieldOf(p, colon - p), colon + 1, feed + 1);
        collectField(named, colon + 1, feed + 1);
      }
    }
    pipe.putSource(p, feed + 1 - p);
    pipe.delimitLast();
    p = feed + 1;
  }
  return p;
}

/** Whether a field that describes the body may have a name of this length with this first letter. */
function mayDescribeBody(first: i32, length: i32): bool {
  const c = lower(first);
  if (length == 12 || length == 14 || length == 16 || length == 19 || length == 25) return c == char.LOWER_C;
  return length == 17 && c == char.LOWER_T;
}

/** Whether a collected field may have a name of this length with this first letter. */
function mayBeCollected(first: i32, length: i32): bool {
  if (length == 8) return mayBeReceived(first);
  if (length != 4 && length != 7 && length != 10) return false;
  const c = lower(first);
  let field = -1;
  if (length == 4) field = c == char.LOWER_D ? mail.FIELD_DATE : c == char.LOWER_F ? mail.FIELD_FROM : -1;
  else if (length == 7) field = c == char.LOWER_S ? mail.FIELD_SUBJECT : c == char.LOWER_L ? mail.FIELD_LIST_ID : -1;
  else field = c == char.LOWER_M ? mail.FIELD_MESSAGE_ID : c == char.LOWER_N ? mail.FIELD_NEWSGROUPS : -1;
  return field >= 0 && (reader.fields & (1 << field)) != 0;
}

/** Whether a name of 8 letters with this first letter may be the Received to collect. */
function mayBeReceived(first: i32): bool {
  const bit = 1 << mail.FIELD_RECEIVED;
  return lower(first) == char.LOWER_R && (reader.fields & bit) != 0 && (seen & bit) == 0;
}

function finish(start: i32): i32 {
  bodyStart = start;
  return start;
}

/** Whether a `From ` with quote marks is at `p`, the first of which is removed. An outermost header has none that lose a mark (A2). */
function isQuoted(p: i32): bool {
  if (reader.format != mail.FORMAT_MBOX || isOutermost) return false;
  if (reader.dialect == mail.DIALECT_CL || load8(p - 1) != char.LF) return false;
  let at = p;
  while (at < p + QUOTES_MAX && load8(at) == char.GREATER) at++;
  return at > p && startsFrom(at) && (reader.dialect != mail.DIALECT_O || at == p + 1);
}

/**
 * Reads a line `From ` or `>From ` in a header. In an mbox message of unknown length, a `From ` that is not the first line of the outermost
 * message may begin the next message, or be doubtful (A2).
 */
function readFromLineOf(p: i32): i32 {
  const isArchive = reader.format == mail.FORMAT_MBOX && !hasLength();
  if (isArchive && load8(p - 1) == char.LF && position == BEFORE_FIELDS) {
    const found = readFromLine(p);
    if (found < 0) return NEED_SOURCE;
    // The next message begins: the current one has no body.
    if (found == FROM_LINE) return finish(p);
    if (found == DOUBTFUL) pipe.count(mail.COUNT_DOUBTFUL, 1);
  }
  const next = readFirstLine(p);
  if (next > p) position = BEFORE_FIELDS;
  return next;
}

/** Reads a From_ line or the first line of HTTP. */
function readFirstLine(p: i32): i32 {
  const lineEnd = afterLine(p, mail.FIELD_BYTES_MAX);
  if (lineEnd < 0) return NEED_SOURCE;
  // A line that is too long belongs to the body.
  if (lineEnd == 0) return finish(p);
  if (isHttp) position = LATER;
  pipe.putSource(p, lineEnd - p);
  delimitField(lineEnd);
  if (collectedLeft > 0 && startsFrom(p)) collectField(mail.FIELD_FROM_LINE, p + FROM_BYTES, lineEnd);
  return lineEnd;
}

/** Replaces the line break at the end of a field with CONTEXT_RAW, because no match continues after it, as one may after a line break. */
function delimitField(fieldEnd: i32): void {
  if (load8(fieldEnd - 1) == char.LF) pipe.delimitLast();
}

/**
 * Reads the first FIELD_BYTES_MAX bytes of a longer field; returns the address after them. The row of its segment has the name, because the
 * name may leave the window.
 */
function startLongField(p: i32, colon: i32): i32 {
  const length = fields.nameLength(p, colon);
  pipe.omit(mail.COUNT_LONG_FIELD, p);
  const part = writePart();
  const name = pipe.heap;
  for (let i = 0; i < length && i < NAME_COLLECTED_BYTES_MAX; i++) pipe.putHeap(load8(p + i));
  pipe.putHeap(0);
  pipe.addSegment(to, mail.WHERE_HEADER, part, name);
  reader.enter(reader.MODE_LONG_FIELD);
  const stop = p + mail.FIELD_BYTES_MAX;
  putField(p, colon + 1, stop);
  collect(p, length, colon + 1, stop);
  return stop;
}

/** Reads the next bytes of a long field; returns the address after them, or NEED_SOURCE. */
export function readLongField(p: i32): i32 {
  const bound = p + LONG_PIECE_BYTES < end ? p + LONG_PIECE_BYTES : end;
  let at = p;
  while (true) {
    const feed = findLineFeed(at, bound);
    if (feed + 1 >= bound) break;
    if (!isBlank(load8(feed + 1))) {
      pipe.putSource(p, feed + 1 - p);
      pipe.delimitLast();
      pipe.addSegment(to, mail.WHERE_HEADER, writePart(), 0);
      reader.enter(reader.MODE_HEADER);
      return passHeader(p, feed + 1);
    }
    at = feed + 1;
  }
  // A line break at the end waits for the byte after it.
  const stop = isLast && bound == end ? end : bound - 1;
  if (stop == p) return NEED_SOURCE;
  pipe.putSource(p, stop - p);
  return passHeader(p, stop);
}

/** Collects what a field says about its message or body: its name is the `length` bytes at `p`, its body is [start, fieldEnd). */
function collect(p: i32, length: i32, start: i32, fieldEnd: i32): void {
  if (collectedLeft > 0) collectField(fields.namedFieldOf(p, length), start, fieldEnd);
  const field = fields.fieldOf(p, length);
  if (field < 0) return;
  if (field < fields.FIELD_CONTENT_TYPE || field == mail.FIELD_RECEIVED) {
    if (collectedLeft > 0) collectField(field, start, fieldEnd);
    return;
  }
  const bit = 1 << field;
  if (field == fields.FIELD_CONTENT_DISPOSITION) {
    if (!isHttp) content.readDisposition(start, fieldEnd);
    return;
  }
  if (field >= mail.FIELD_CONTENT_LOCATION) {
    if (!isHttp && (reader.fields & bit) != 0) readLocation(start, fieldEnd, field == mail.FIELD_CONTENT_BASE);
    return;
  }
  const isEncoding = field >= fields.FIELD_CONTENT_ENCODING;
  // Encodings of HTTP add up. Any other field counts only once, when it first has a value.
  if (((seen & bit) != 0 && !isEncoding) || beginValue(start, fieldEnd) == fieldEnd) return;
  seen |= bit;
  if (field == fields.FIELD_CONTENT_TYPE) content.readContentType(start, fieldEnd);
  else if (isEncoding && isHttp) content.readHttpEncoding(field == fields.FIELD_TRANSFER_ENCODING, start, fieldEnd);
  else if (field == fields.FIELD_CONTENT_LENGTH && !isHttp) content.readLength(start, fieldEnd);
  else if (field == fields.FIELD_CONTENT_TRANSFER_ENCODING && !isHttp) content.readTransferEncoding(start, fieldEnd);
}

/** Collects the field FIELD_*, or none for -1, of an outermost message if reader.fields has it. */
function collectField(field: i32, start: i32, fieldEnd: i32): void {
  if (!isOutermost || field < 0 || (reader.fields & (1 << field)) == 0) return;
  if (field == mail.FIELD_RECEIVED) collectReceived(start, fieldEnd);
  else putCollected(field, start, fieldEnd);
}

/** Collects the date of a Received, the text after its last semicolon. Only the first Received with a semicolon counts. */
function collectReceived(start: i32, fieldEnd: i32): void {
  if ((seen & (1 << mail.FIELD_RECEIVED)) != 0) return;
  let date = fieldEnd;
  while (date > start && load8(date - 1) != char.SEMICOLON) date--;
  if (date == start) return;
  seen |= 1 << mail.FIELD_RECEIVED;
  putCollected(mail.FIELD_RECEIVED, date, fieldEnd);
}

/** Writes the body of a field to the heap, without white space at its ends, at most FIELD_COLLECTED_BYTES_MAX bytes, and its row. */
export function putCollected(field: i32, start: i32, fieldEnd: i32): void {
  if (reader.fields == 0) return;
  let p = start;
  let stop = fieldEnd;
  while (p < stop && load8(p) <= char.SPACE) p++;
  while (stop > p && load8(stop - 1) <= char.SPACE) stop--;
  if (stop > p + FIELD_COLLECTED_BYTES_MAX) stop = p + FIELD_COLLECTED_BYTES_MAX;
  const body = pipe.heap;
  pipe.putHeapBytes(p, stop - p);
  pipe.addField(field, body);
}
