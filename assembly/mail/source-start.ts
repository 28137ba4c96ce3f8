// The start of a source, and the search for the first message of a range (A1, A2, A17).

import { LF } from "../bytes/characters.ts";
import * as mail from "../layout/mail.ts";
import { findLineMark } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { startsRnews } from "./between.ts";
import { findOther } from "./body.ts";
import { PART_HTML, PART_JSON, PART_TEXT } from "./body-part.ts";
import { TRANSFER_IDENTITY } from "./content.ts";
import { linesOf } from "./folded.ts";
import { FROM_LINE, readFromLine } from "./from-line.ts";
import { FIRST_LINE_BYTES } from "./header.ts";
import { setXml } from "./pipe.ts";
import * as reader from "./reader.ts";
import { afterSeparator } from "./separator.ts";
import * as source from "./source.ts";
import { AFTER_RANGE, end, isLast, isShort, lineBreakAt, NEED_SOURCE, rangeFrom, rangeTo } from "./source.ts";
import { conversionOf, startMessage, startSegment, startText } from "./text-start.ts";

const BLANKS_MAX: i32 = 256; // Most blanks of a line before a message, and most zeros before the first line (A1)
const ZEROS_MAX: i32 = 4096;

/** Whether the next source byte is the first one of the source, where a byte order mark may be. */
let isFirst: bool = false;

/** Begins a source; `hasStart`: its bytes begin with the first one, where a byte order mark may be. */
export function beginStart(hasStart: bool): void {
  isFirst = hasStart;
}

/**
 * Begins the text or the first message of the source, or the text before that message (A2); returns the address after the bytes read,
 * NEED_SOURCE or AFTER_RANGE.
 */
export function readStart(p: i32): i32 {
  if (!reader.hasMarks) {
    startWhole();
    return p;
  }
  const leading = skipLeading(p);
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

/** Begins a text that no line of an archive ends. */
function startWhole(): void {
  if (reader.format == mail.FORMAT_JSON) {
    startSegment(mail.WHERE_JSON, PART_JSON, TRANSFER_IDENTITY, reader.charset);
  } else {
    const isXml = reader.format == mail.FORMAT_XML;
    const isHtml = reader.format == mail.FORMAT_HTML || isXml;
    setXml(isXml);
    const convert = conversionOf(reader.charset, linesOf(reader.format));
    startSegment(isHtml ? mail.WHERE_HTML : mail.WHERE_BODY, isHtml ? PART_HTML : PART_TEXT, TRANSFER_IDENTITY, convert);
  }
}

/** Skips the bytes that leadingEnd finds; returns the address after them, or NEED_SOURCE. */
function skipLeading(p: i32): i32 {
  const next = leadingEnd(p);
  if (next >= 0) isFirst = false;
  return next;
}

/**
 * Returns the address after a byte order mark, zeros or a line of blanks at `p`, before the first line (A1); `p`: there is none; or
 * NEED_SOURCE. Tests of a line look at the bytes before it. Before a source there are line breaks, so these bytes become some too.
 */
function leadingEnd(p: i32): i32 {
  if (isShort(p, source.MARK_BYTES)) return NEED_SOURCE;
  if (isFirst && end - p >= source.MARK_BYTES && source.startsMark(p)) return eraseTo(p, p + source.MARK_BYTES);
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
export function seekMessage(p: i32): i32 {
  if (reader.format == mail.FORMAT_WARC) {
    // The range begins at a record, because only lengths show where the next record is.
    reader.enter(reader.MODE_BETWEEN);
    return p;
  }
  if (isFirst) {
    const leading = skipLeading(p);
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

/** Looks for the first separator line after which a message of the range may begin (A17); returns what seekMessage does. */
function seekSeparator(p: i32, tail: i32): i32 {
  const at = findOther(p, tail);
  if (at >= rangeTo) return AFTER_RANGE;
  const next = at < tail ? afterSeparator(at) : tail;
  if (next <= p) return at > p ? at : NEED_SOURCE;
  if (at < tail && next >= rangeFrom) reader.enter(reader.MODE_BETWEEN);
  return next;
}
