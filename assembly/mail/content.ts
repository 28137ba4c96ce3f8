// What a header says about its body (A4, A6, A8, A9, A12), collected field by field.

import { isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import * as mail from "../layout/mail.ts";
import { BOUNDARY_REGION, PARAMETER_REGION } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { charsetNamed } from "./charset-name.ts";
import { fields, format } from "./reader.ts";
import { hasName, isOctetStream, keepName, keepType } from "./type-name.ts";
import * as value from "./value.ts";

export const TYPE_TEXT: i32 = 0;
export const TYPE_HTML: i32 = 1;
export const TYPE_MULTIPART: i32 = 2;
export const TYPE_DIGEST: i32 = 3;
export const TYPE_MESSAGE: i32 = 4;
export const TYPE_OTHER: i32 = 5;
export const TYPE_JSON: i32 = 6;
export const TYPE_XML: i32 = 7;

export const TRANSFER_IDENTITY: i32 = 0;
export const TRANSFER_QUOTED_PRINTABLE: i32 = 1;
export const TRANSFER_BASE64: i32 = 2;
export const TRANSFER_UUENCODE: i32 = 3;
export const TRANSFER_CHUNKED: i32 = 4;
export const TRANSFER_OPAQUE: i32 = 5; // Codings of HTTP that cannot be undone: one is unknown, or there are too many
export const TRANSFER_REST: i32 = 6; // Lines of text in a body in base64 (A6)
export const TRANSFER_CODED: i32 = 7; // A body in codings of HTTP, perhaps also chunked, which the host decodes
export const TRANSFER_DECODED: i32 = 8; // The decoded text of such a body

/** Most bytes of a boundary, and of a file name. */
const BOUNDARY_BYTES_MAX: i32 = 256;
const LENGTH_MAX: i32 = 0x7ffffff0; // Greatest Content-Length; greater ones are read as this one
const TENTH_MAX: i32 = 214748362; // Greatest length that can take another digit

/** TYPE_* of the body. */
export let type: i32 = TYPE_TEXT;
/** TRANSFER_* of the body. */
export let encoding: i32 = TRANSFER_IDENTITY;
/** Whether HTTP says that the body is chunked. */
export let isChunked: bool = false;
/** Codings of Content-Encoding: CODING_BITS for each coding, the lowest bits for the last one. */
let contentCodings: i32 = 0;
/** Codings of Transfer-Encoding, in the same form. */
let transferCodings: i32 = 0;
/** CONVERT_* of the charset that the header names. */
export let charset: i32 = mail.CONVERT_NONE;
/** Whether the header names a charset, known or unknown (A18). */
export let hasCharset: bool = false;
/** Length of the boundary in BOUNDARY_REGION; 0: there is none, or it is too long. */
export let boundaryLength: i32 = 0;
/** Content-Length, or the length that a line before the message or record gives (A1, A12, A14); -1: there is none. */
export let contentLength: i32 = -1;
/** TYPE_* by the end of the name of the attachment (C176, C324). */
let namedType: i32 = TYPE_OTHER;
/** Whether a Content-Disposition has been read. Later ones are ignored. */
let hasDisposition: bool = false;
/** CONVERT_FLOWED, CONVERT_FOLDED or CONVERT_NONE: how the lines of the body are joined (A9). */
export let lines: i32 = mail.CONVERT_NONE;

/** Begins a header; `initial` is the type of a body without Content-Type, `joins` is CONVERT_* for its lines. */
export function beginContent(initial: i32, joins: i32): void {
  type = initial;
  encoding = TRANSFER_IDENTITY;
  isChunked = false;
  contentCodings = 0;
  transferCodings = 0;
  charset = mail.CONVERT_NONE;
  hasCharset = false;
  boundaryLength = 0;
  contentLength = -1;
  namedType = TYPE_OTHER;
  hasDisposition = false;
  lines = joins;
}

/** Ends a header of a message or part. */
export function endContent(): void {
  if (type == TYPE_OTHER && isOctetStream()) type = namedType;
}

/** Reads Content-Type: the type, and the parameters that matter. */
export function readContentType(start: i32, end: i32): void {
  const p = value.beginValue(start, end);
  const typeEnd = value.tokenEnd(p, end);
  const slash = value.skipSpace(typeEnd, end);
  const subtype = slash < end && load8(slash) == char.SLASH ? value.skipSpace(slash + 1, end) : end;
  const subtypeEnd = value.tokenEnd(subtype, end);
  const isPair = typeEnd > p && subtypeEnd > subtype;
  type = isPair ? typeOf(p, typeEnd, subtype, subtypeEnd) : TYPE_TEXT;
  const isKept = type == TYPE_OTHER || (fields & (1 << mail.FIELD_BODY)) != 0;
  if (isKept && isPair) keepType(p, typeEnd, subtype, subtypeEnd);
  const parameters = isPair ? subtypeEnd : p;
  if (type == TYPE_MULTIPART || type == TYPE_DIGEST) {
    readBoundary(parameters, end);
    return;
  }
  if (isKept && findName("name", parameters, end)) {
    if (!hasName()) keepName(PARAMETER_REGION, valueLength);
    const ofName = typeOfName();
    if (ofName != TYPE_OTHER) namedType = ofName;
  }
  if (findValue("charset", parameters, end)) readCharset(PARAMETER_REGION, PARAMETER_REGION + valueLength);
  if (isPair && isFolded(subtype, subtypeEnd)) lines = mail.CONVERT_FOLDED;
  else if (isValue("format", "flowed", parameters, end) && isValue("delsp", "yes", parameters, end)) lines = mail.CONVERT_FLOWED;
}

/** Finds the file name of an attachment in `parameter`. Returns false if there is none, or if it is too long. */
function findName(parameter: string, start: i32, end: i32): bool {
  return findValue(parameter, start, end) && valueLength > 0 && valueLength <= BOUNDARY_BYTES_MAX;
}

/** Returns TYPE_* by the end of the file name that findName found. */
function typeOfName(): i32 {
  const end = PARAMETER_REGION + valueLength;
  // Before a shorter name are zeros, the end of BOUNDARY_REGION.
  if (startsWithAnyCase(end - 4, ".eml")) return TYPE_MESSAGE;
  return startsWithAnyCase(end - 4, ".htm") || startsWithAnyCase(end - 5, ".html") ? TYPE_HTML : TYPE_OTHER;
}

/** Reads Content-Disposition: the name of an attachment. The first of two fields counts. */
export function readDisposition(start: i32, end: i32): void {
  const p = value.beginValue(start, end);
  if (hasDisposition || p == end) return;
  hasDisposition = true;
  if (!findName("filename", p, end)) return;
  keepName(PARAMETER_REGION, valueLength);
  if (namedType == TYPE_OTHER) namedType = typeOfName();
}

/** Returns TYPE_* of the type [start, typeEnd) and the subtype [subtype, end). */
function typeOf(start: i32, typeEnd: i32, subtype: i32, end: i32): i32 {
  if (isKeyword(start, typeEnd, "text")) {
    if (isKeyword(subtype, end, "plain")) return TYPE_TEXT;
    return isHtml(subtype, end) ? TYPE_HTML : isJson(subtype, end) ? TYPE_JSON : isXml(subtype, end) ? TYPE_XML : TYPE_TEXT;
  }
  if (isKeyword(start, typeEnd, "multipart")) return isKeyword(subtype, end, "digest") ? TYPE_DIGEST : TYPE_MULTIPART;
  if (isKeyword(start, typeEnd, "message")) {
    return isKeyword(subtype, end, "rfc822") || isKeyword(subtype, end, "global") || isKeyword(subtype, end, "news")
      ? TYPE_MESSAGE
      : TYPE_TEXT;
  }
  if (isKeyword(start, typeEnd, "application") && isKeyword(subtype, end, "xhtml+xml")) return TYPE_HTML;
  if (isJson(subtype, end)) return TYPE_JSON;
  if (isXml(subtype, end)) return TYPE_XML;
  // JavaScript is text in a web archive, and an attachment in mail.
  const isWeb = format == mail.FORMAT_WARC || format == mail.FORMAT_ARC;
  return isWeb && isKeyword(suffixOf(subtype, end), end, "javascript") ? TYPE_TEXT : TYPE_OTHER;
}

function isHtml(start: i32, end: i32): bool {
  const name = suffixOf(start, end);
  return isKeyword(name, end, "html") || isKeyword(name, end, "htm") || isKeyword(name, end, "amp-html");
}

/** Whether the subtype is one of calendars or cards, whose lines are folded. */
function isFolded(start: i32, end: i32): bool {
  const name = suffixOf(start, end);
  if (isKeyword(name, end, "calendar") || isKeyword(name, end, "vcalendar") || isKeyword(name, end, "ics")) return true;
  return isKeyword(name, end, "vcard") || isKeyword(name, end, "directory");
}

/** Whether the subtype is JSON, or lines of JSON. */
function isJson(start: i32, end: i32): bool {
  const name = suffixOf(start, end);
  return isKeyword(name, end, "json") || isKeyword(name, end, "ndjson") || isKeyword(name, end, "jsonl");
}

function isXml(start: i32, end: i32): bool {
  return isKeyword(suffixOf(start, end), end, "xml");
}

/** Returns the start of the suffix of a subtype: after the last `+`, and after an `x-` there. */
function suffixOf(start: i32, end: i32): i32 {
  let name = end;
  while (name > start && load8(name - 1) != char.PLUS) name--;
  return end - name > 2 && startsWithAnyCase(name, "x-") ? name + 2 : name;
}

function readCharset(start: i32, end: i32): void {
  // A gateway writes `unknown-8bit` if the message names none (RFC 1428).
  hasCharset = end > start && !isKeyword(start, end, "unknown-8bit") && !isKeyword(start, end, "x-unknown");
  charset = charsetNamed(start, end);
}

/** Length of the value that findValue put into PARAMETER_REGION, without quotation marks. */
let valueLength: i32 = 0;
/** Whether the value has more than BOUNDARY_BYTES_MAX + 1 bytes, not counting white space after them. */
let isCut: bool = false;
/** Whether the parameter was found in sections (RFC 2231). */
let hasSections: bool = false;

/** Whether the parameter `name` in [start, end) has this value in any case. */
function isValue(name: string, expected: string, start: i32, end: i32): bool {
  return findValue(name, start, end) && isKeyword(PARAMETER_REGION, PARAMETER_REGION + valueLength, expected);
}

/**
 * Finds the value of the parameter `name` in [start, end) and puts it into PARAMETER_REGION: the first plain value, else the first one of
 * RFC 2231 (`name*=`), else its sections (`name*0=`, `name*1*=`), at most ten, in any order. Returns false if there is none.
 */
function findValue(name: string, start: i32, end: i32): bool {
  valueLength = 0;
  isCut = false;
  hasSections = false;
  if (addSection(name, value.WHOLE, start, end)) return true;
  let section = 0;
  while (hasSections && section <= value.SECTION_MAX && addSection(name, section, start, end)) section++;
  return section > 0;
}

/** Adds the first value of `section` that is not percent-encoded, else the first one. Returns false if there is none. */
function addSection(name: string, section: i32, start: i32, end: i32): bool {
  let rank = 0;
  const before = valueLength;
  const wasCut = isCut;
  let at = start;
  while (rank < 2) {
    at = value.readParameter(at, end);
    if (at == 0) break;
    if (!isKeyword(value.nameStart, value.nameEnd, name)) continue;
    if (value.section >= 0) hasSections = true;
    const kind = value.isExtended ? 1 : 2;
    if (value.section != section || kind <= rank) continue;
    rank = kind;
    valueLength = before;
    if (section == value.WHOLE && name == "boundary") value.extendValue(end);
    addValue(section <= 0);
    isCut = isCut || wasCut;
  }
  return rank > 0;
}

/** Adds the value of readParameter, at most BOUNDARY_BYTES_MAX + 1 bytes in all; `isFirst`: a charset may be at its start. */
function addValue(isFirst: bool): void {
  let p = value.valueStart;
  if (value.isExtended && isFirst) p = afterLanguage(p, value.valueEnd);
  isCut = false;
  for (; p < value.valueEnd && !isCut; p++) {
    let c = load8(p);
    if (c == char.BACKSLASH && value.isQuoted && p + 1 < value.valueEnd) {
      c = load8(++p);
      if (isFolding(c)) continue;
    } else if (isFolding(c)) {
      continue;
    } else if (c == char.PERCENT && value.isExtended && p + 2 < value.valueEnd && isHexPair(p + 1)) {
      c = hexPair(p + 1);
      p += 2;
    }
    if (valueLength <= BOUNDARY_BYTES_MAX) store8(PARAMETER_REGION + valueLength++, c);
    else isCut = !value.isWhiteSpace(c);
  }
}

function readBoundary(start: i32, end: i32): void {
  findValue("boundary", start, end);
  let length = valueLength;
  while (length > 0 && value.isWhiteSpace(load8(PARAMETER_REGION + length - 1))) length--;
  boundaryLength = isCut || length > BOUNDARY_BYTES_MAX ? 0 : length;
  copyBytes(BOUNDARY_REGION, PARAMETER_REGION, boundaryLength);
}

/** Whether `c` is part of the line break of a folded field. */
function isFolding(c: i32): bool {
  return c == char.LF || c == char.CR;
}

/** Returns the address after the charset and the language of an extended value, each with a `'` at its end; `start`: they are missing. */
function afterLanguage(start: i32, end: i32): i32 {
  let p = start;
  let marks = 0;
  while (p < end && marks < 2) {
    if (load8(p) == char.APOSTROPHE) marks++;
    p++;
  }
  return marks == 2 ? p : start;
}

export function readTransferEncoding(start: i32, end: i32): void {
  let p = value.beginValue(start, end);
  if (p < end && load8(p) == char.QUOTE) p = value.skipSpace(p + 1, end);
  const stop = value.tokenEnd(p, end);
  if (isKeyword(p, stop, "quoted-printable")) encoding = TRANSFER_QUOTED_PRINTABLE;
  else if (isKeyword(p, stop, "base64")) encoding = TRANSFER_BASE64;
  else encoding = isUuencode(p, stop) ? TRANSFER_UUENCODE : TRANSFER_IDENTITY;
}

function isUuencode(start: i32, end: i32): bool {
  const name = end - start > 2 && startsWithAnyCase(start, "x-") ? start + 2 : start;
  return isKeyword(name, end, "uuencode") || isKeyword(name, end, "uue");
}

/** Reads Transfer-Encoding or Content-Encoding of HTTP: a list of words. */
export function readHttpEncoding(isTransfer: bool, start: i32, end: i32): void {
  let p = value.beginValue(start, end);
  while (p < end) {
    const word = p;
    p = value.tokenEnd(p, end);
    if (p > word && !isKeyword(word, p, "identity")) addHttpEncoding(isTransfer, word, p);
    p = value.skipSpace(p, end);
    if (p == end || load8(p) != char.COMMA) return;
    p = value.skipSpace(p + 1, end);
  }
}

function addHttpEncoding(isTransfer: bool, start: i32, end: i32): void {
  if (isTransfer && isKeyword(start, end, "chunked")) {
    isChunked = true;
    if (encoding == TRANSFER_IDENTITY) encoding = TRANSFER_CHUNKED;
    return;
  }
  const coding = codingOf(start, end);
  const isFull = codings() >> multiply(mail.CODING_BITS, mail.CODINGS_MAX - 1) > 0;
  if (coding == 0 || isFull) encoding = TRANSFER_OPAQUE;
  else if (encoding != TRANSFER_OPAQUE) encoding = TRANSFER_CODED;
  if (isFull) return;
  if (isTransfer) transferCodings = (transferCodings << mail.CODING_BITS) | coding;
  else contentCodings = (contentCodings << mail.CODING_BITS) | coding;
}

/** Returns CODING_* of the name [start, end), or 0. */
function codingOf(start: i32, end: i32): i32 {
  if (isKeyword(start, end, "gzip") || isKeyword(start, end, "x-gzip")) return mail.CODING_GZIP;
  if (isKeyword(start, end, "deflate")) return mail.CODING_DEFLATE;
  if (isKeyword(start, end, "br")) return mail.CODING_BROTLI;
  return isKeyword(start, end, "zstd") ? mail.CODING_ZSTD : 0;
}

/** Returns the codings of the body, CODING_BITS for each. The lowest is undone first, so transfer codings are the lowest. */
export function codings(): i32 {
  let all = contentCodings;
  for (let left = transferCodings; left > 0; left >>= mail.CODING_BITS) all <<= mail.CODING_BITS;
  return all | transferCodings;
}

/** Number of bytes at the start of a body that show whether it has the coding that its header names (A12). */
export const CODED_START_BYTES: i32 = 1024;

/** Whether the header names codings of HTTP, known or unknown, besides chunked and identity. */
export function isHttpCoded(): bool {
  return encoding == TRANSFER_CODED || encoding == TRANSFER_OPAQUE;
}

/** Forgets the codings if [start, end), the start of the body, shows that it has none (A12). */
export function checkCodings(start: i32, end: i32): void {
  const first = codings() & ((1 << mail.CODING_BITS) - 1);
  // gzip and zstd begin with control characters. deflate and br may differ from text only by bytes above ASCII.
  const hasMagic = encoding == TRANSFER_OPAQUE || first == mail.CODING_GZIP || first == mail.CODING_ZSTD;
  for (let p = start; p < end; p++) if (isBinary(load8(p)) || (!hasMagic && load8(p) > char.TILDE)) return;
  contentCodings = 0;
  transferCodings = 0;
  encoding = isChunked ? TRANSFER_CHUNKED : TRANSFER_IDENTITY;
}

/** Whether `c` is a control character that text does not contain: all from 00 to 1F but TAB, LF, form feed, CR and ESC (C211). */
function isBinary(c: i32): bool {
  return c < char.TAB || c == char.VERTICAL_TAB || (c > char.CR && c < char.SPACE && c != char.ESC);
}

/** Reads the number at the start of [start, end) as the Content-Length. */
export function readLength(start: i32, end: i32): void {
  contentLength = -1;
  for (let p = value.beginValue(start, end); p < end && isDigit(load8(p)); p++) {
    const digit = load8(p) - char.ZERO;
    if (contentLength < 0) contentLength = digit;
    else contentLength = contentLength > TENTH_MAX ? LENGTH_MAX : contentLength * 10 + digit;
  }
}
