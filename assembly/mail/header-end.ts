// The end of a header: where its message ends (A2), and how its body is read (A4, C177, C178, C314).

import { LF } from "../bytes/characters.ts";
import * as mail from "../layout/mail.ts";
import { load8 } from "../platform/memory.ts";
import { PART_HTML, PART_JSON, PART_MESSAGE, PART_TEXT, startPart } from "./body-part.ts";
import { beginCoded } from "./coded.ts";
import * as content from "./content.ts";
import { beginEncodedMessage, mayBePacked, PACKED_START_BYTES, startsPacked, startsPdf } from "./encoded-message.ts";
import { PAGE_START_BYTES, startsPage } from "./eudora.ts";
import { FROM_LINE, readFromLineAnywhere } from "./from-line.ts";
import { beginHeader, bodyStart, closeHeader, isOutermost, passHeader, readFields } from "./header.ts";
import * as parts from "./parts.ts";
import * as pipe from "./pipe.ts";
import * as reader from "./reader.ts";
import { end, isLast, isShort, limitMessage, lineBreakAt, NEED_SOURCE } from "./source.ts";
import { conversionOf, startSegment, startSkipped, startText } from "./text-start.ts";
import { forgetBody, writeDescription } from "./type-name.ts";

/**
 * A longer Content-Length is not believed (A2): the end of the body is checked before the body is read, so the source bytes of one call
 * must hold the body.
 */
const LENGTH_MAX: i32 = 0x60000;

/** Reads the next fields at `p`, and after the last one begins the body; returns the address after the bytes read, or NEED_SOURCE. */
export function readHeader(p: i32): i32 {
  const next = readFields(p);
  if (next < 0 || bodyStart == 0) return passHeader(p, next);
  if (content.isHttpCoded() && isShort(next, content.CODED_START_BYTES)) return NEED_SOURCE;
  if (mayBePacked() && isShort(next, PACKED_START_BYTES)) return NEED_SOURCE;
  if (content.boundaryLength > 0 && isShort(next, PAGE_START_BYTES)) return NEED_SOURCE;
  const ends = readLengthEnd(next);
  if (ends < 0) return NEED_SOURCE;
  if (ends > 0) limitMessage(next, ends - next);
  endHeader(next);
  return next;
}

/** Ends a header, and begins its body at `body`. */
export function endHeader(body: i32): void {
  closeHeader();
  if (content.isHttpCoded()) content.checkCodings(body, end - body < content.CODED_START_BYTES ? end : body + content.CODED_START_BYTES);
  startBody(body);
}

/**
 * Returns the end of the body at `p` by its Content-Length, if a From_ line or the end of the source is there, perhaps after an empty line,
 * which then belongs to the body (A2); 0: neither is there, or lengths do not count; or NEED_SOURCE.
 */
function readLengthEnd(p: i32): i32 {
  if (!isOutermost || reader.dialect != mail.DIALECT_CL || reader.format != mail.FORMAT_MBOX) return 0;
  if (content.contentLength < 0 || content.contentLength > LENGTH_MAX) return 0;
  const at = p + content.contentLength;
  if (at > end) return isLast ? 0 : NEED_SOURCE;
  if (at == end) return isLast ? at : NEED_SOURCE;
  if (content.contentLength > 0 && load8(at - 1) != LF) return 0;
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

/** Begins the body after the header that was read, at the source address `body` (A4). */
export function startBody(body: i32): void {
  // The enclosing text continues in any case (A13).
  if (parts.isEnclosed) {
    forgetBody();
    startSegment(mail.WHERE_BODY, PART_TEXT, content.TRANSFER_IDENTITY, parts.enclosedConversion);
    parts.endEnclosed();
    return;
  }
  content.endContent();
  const isEncoded = content.encoding == content.TRANSFER_CHUNKED || content.encoding == content.TRANSFER_CODED;
  const isMultipart = content.type == content.TYPE_MULTIPART || content.type == content.TYPE_DIGEST;
  const isMessage = content.type == content.TYPE_MESSAGE;
  const isIdentity = content.encoding == content.TRANSFER_IDENTITY;
  const isPacked = mayBePacked() && startsPacked(body);
  if (isPacked && startsPdf(body)) pipe.omit(mail.COUNT_PDF, body);
  if ((isMultipart || isMessage) && (isEncoded || content.encoding == content.TRANSFER_OPAQUE)) {
    // Delimiter lines are looked for in source bytes, so a body that HTTP encodes as a whole is not split into parts.
    if (isEncoded) pipe.omit(mail.COUNT_ENCODED_BODY, body);
    startContent(content.TYPE_TEXT, body);
  } else if (isMultipart) {
    startMultipart(body);
  } else if (isMessage && content.encoding != content.TRANSFER_UUENCODE && !parts.isDeep()) {
    if (isIdentity) parts.openMessage();
    if (isIdentity) beginHeader(false, true, content.TYPE_TEXT);
    else startEncodedMessage(body, false);
  } else if (isPacked && !parts.isDeep()) {
    startEncodedMessage(body, true);
  } else {
    if (isPacked || (isMessage && content.encoding != content.TRANSFER_UUENCODE)) pipe.omit(mail.COUNT_DEEP_MULTIPART, body);
    startContent(content.type, body);
  }
}

/**
 * Begins to collect a message in base64 or quoted-printable, or a packed attachment, at the source address `body`. The message or
 * attachment is read after the end of the body (C177, C178).
 */
function startEncodedMessage(body: i32, isPacked: bool): void {
  beginEncodedMessage(body, isPacked);
  reader.enter(reader.MODE_BODY);
  startPart(PART_MESSAGE, content.encoding, mail.CONVERT_NONE);
}

function startMultipart(body: i32): void {
  const hasBoundary = content.boundaryLength > 0;
  if (hasBoundary && !parts.isDeep()) {
    parts.openMultipart(content.type == content.TYPE_DIGEST);
    if (startsPage(body, false)) startPage(reader.charset);
    else startText(startsPage(body, true) ? mail.WHERE_BODY : mail.WHERE_PREAMBLE);
    return;
  }
  pipe.omit(hasBoundary ? mail.COUNT_DEEP_MULTIPART : mail.COUNT_NO_BOUNDARY, body);
  startText(mail.WHERE_BODY);
}

function startContent(type: i32, body: i32): void {
  const isUuencode = content.encoding == content.TRANSFER_UUENCODE;
  const isText = type != content.TYPE_OTHER || reader.readsAllParts;
  if (!isText || isUuencode || content.encoding == content.TRANSFER_OPAQUE) {
    if (isText) pipe.omit(isUuencode ? mail.COUNT_UUENCODE : mail.COUNT_ENCODED_BODY, body);
    else pipe.omit(mail.COUNT_ATTACHMENT, body, writeDescription());
    startSkipped();
    return;
  }
  if (content.encoding == content.TRANSFER_CODED) beginCoded(body, type != content.type);
  const named = content.hasCharset ? content.charset : reader.charset;
  if (type == content.TYPE_HTML || type == content.TYPE_XML) {
    pipe.setXml(type == content.TYPE_XML);
    // The page may name its charset.
    const isAssumed = !content.hasCharset && reader.charset == mail.CONVERT_NONE;
    startSegment(mail.WHERE_HTML, PART_HTML, content.encoding, isAssumed ? mail.CONVERT_ASSUMED : conversionOf(named, mail.CONVERT_NONE));
  } else if (type == content.TYPE_JSON) {
    startSegment(mail.WHERE_JSON, PART_JSON, content.encoding, content.charset);
  } else {
    startSegment(mail.WHERE_BODY, PART_TEXT, content.encoding, conversionOf(named, content.lines));
  }
}

/** Begins the page of a multipart without parts (C314). */
function startPage(charset: i32): void {
  pipe.setXml(false);
  startSegment(mail.WHERE_HTML, PART_HTML, content.TRANSFER_IDENTITY, charset == mail.CONVERT_NONE ? mail.CONVERT_ASSUMED : charset);
}
