// What a header says of its body (A4, A6, A8, A9): collected field by field in MAIL_TYPE and its neighbours.

import { load8, loadWord, store8, storeWord } from "../seam/memory.ts";
import * as mail from "../tables/mail.ts";
import { hexPair } from "../url/percent.ts";
import { findName, isName } from "./names.ts";
import { isDigit } from "./source.ts";
import * as value from "./value.ts";

/** Above this a length is not believed. */
const LENGTH_MAX: i32 = 0x7ffffff0;

/** Forgets what was collected; `type` is that of a body without Content-Type. */
export function beginContent(type: i32): void {
  storeWord(mail.MAIL_TYPE, type);
  storeWord(mail.MAIL_ENCODING, mail.TRANSFER_IDENTITY);
  storeWord(mail.MAIL_CHARSET, mail.CONVERT_NONE);
  storeWord(mail.MAIL_BOUNDARY_LENGTH, 0);
  storeWord(mail.MAIL_LENGTH, -1);
  storeWord(mail.MAIL_FLOWED, 0);
}

/** Content-Type: the type, and the parameters that matter. */
export function readContentType(start: i32, end: i32): void {
  const p = value.skipSpace(start, end);
  const typeEnd = value.tokenEnd(p, end);
  const isPair = typeEnd < end && load8(typeEnd) == 0x2f;
  const subtypeEnd = isPair ? value.tokenEnd(typeEnd + 1, end) : typeEnd;
  storeWord(mail.MAIL_TYPE, isPair ? typeOf(p, typeEnd, subtypeEnd) : mail.TYPE_TEXT);
  storeWord(mail.MAIL_BOUNDARY_LENGTH, 0);
  let at = value.readParameter(subtypeEnd, end);
  while (at > 0) {
    readParameter();
    at = value.readParameter(at, end);
  }
}

/** TYPE_* of the type that ends at `slash`, and its subtype. */
function typeOf(start: i32, slash: i32, end: i32): i32 {
  const length = slash - start;
  const name = slash + 1;
  const subtype = end - name;
  if (isName(mail.NAME_TEXT, start, length)) return isName(mail.NAME_HTML, name, subtype) ? mail.TYPE_HTML : mail.TYPE_TEXT;
  if (isName(mail.NAME_MULTIPART, start, length)) return isName(mail.NAME_DIGEST, name, subtype) ? mail.TYPE_DIGEST : mail.TYPE_MULTIPART;
  if (isName(mail.NAME_MESSAGE, start, length)) {
    return findName(mail.NAME_RFC822, mail.NAME_NEWS, name, subtype) >= 0 ? mail.TYPE_MESSAGE : mail.TYPE_TEXT;
  }
  if (isName(mail.NAME_XHTML, name, subtype)) return mail.TYPE_HTML;
  // The web's types of text; in mail they are attachments.
  const isWebText = loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_WARC && isTextOfWeb(name, subtype);
  return isWebText ? mail.TYPE_TEXT : mail.TYPE_OTHER;
}

/** JSON, XML, JavaScript, and what ends in `+json` or `+xml`. */
function isTextOfWeb(start: i32, length: i32): bool {
  let name = start + length;
  while (name > start && load8(name - 1) != 0x2b) name--;
  return findName(mail.NAME_JSON, mail.NAME_JAVASCRIPT, name, start + length - name) >= 0;
}

function readParameter(): void {
  const length = value.nameEnd - value.nameStart;
  const start = value.valueStart;
  const size = value.valueEnd - start;
  if (isName(mail.NAME_BOUNDARY, value.nameStart, length)) addBoundary();
  else if (isName(mail.NAME_CHARSET, value.nameStart, length)) storeWord(mail.MAIL_CHARSET, charsetOf(start, size));
  else if (isName(mail.NAME_FORMAT, value.nameStart, length) && isName(mail.NAME_FLOWED, start, size)) setFlowed(mail.FLOWED_FORMAT);
  else if (isName(mail.NAME_DELSP, value.nameStart, length) && isName(mail.NAME_YES, start, size)) setFlowed(mail.FLOWED_DELSP);
}

function setFlowed(bit: i32): void {
  storeWord(mail.MAIL_FLOWED, loadWord(mail.MAIL_FLOWED) | bit);
}

function charsetOf(start: i32, length: i32): i32 {
  const name = findName(mail.NAME_UTF16, mail.NAME_HZ, start, length);
  if (name < 0) return mail.CONVERT_NONE;
  if (name >= mail.NAME_UTF7) return name == mail.NAME_HZ ? mail.CONVERT_HZ : mail.CONVERT_UTF7;
  return mail.CONVERT_UTF16 + (name - mail.NAME_UTF16);
}

/** Puts the value, or a section of it, into MAIL_BOUNDARY; a length of 0 says that there is none. */
function addBoundary(): void {
  let length = value.isContinued ? loadWord(mail.MAIL_BOUNDARY_LENGTH) : 0;
  let p = value.valueStart;
  if (value.isExtended && !value.isContinued) p = behindLanguage(p, value.valueEnd);
  while (p < value.valueEnd && length < mail.BOUNDARY_BYTES_MAX) {
    let c = load8(p);
    if (c == 0x5c && p + 1 < value.valueEnd) c = load8(++p);
    else if (c == 0x25 && value.isExtended && p + 2 < value.valueEnd) {
      c = hexPair(p + 1) & 0xff;
      p += 2;
    }
    p++;
    store8(mail.MAIL_BOUNDARY + length, c);
    length++;
  }
  if (p < value.valueEnd) length = 0;
  while (length > 0 && isTrailing(load8(mail.MAIL_BOUNDARY + length - 1))) length--;
  storeWord(mail.MAIL_BOUNDARY_LENGTH, length);
}

function isTrailing(c: i32): bool {
  return c == 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** Behind the charset and the language of an extended value: two `'`. */
function behindLanguage(start: i32, end: i32): i32 {
  let p = start;
  let marks = 0;
  while (p < end && marks < 2) {
    if (load8(p) == 0x27) marks++;
    p++;
  }
  return marks == 2 ? p : start;
}

/** Content-Transfer-Encoding. */
export function readTransferEncoding(start: i32, end: i32): void {
  const p = value.skipSpace(start, end);
  const length = value.tokenEnd(p, end) - p;
  let encoding = mail.TRANSFER_IDENTITY;
  if (isName(mail.NAME_QUOTED_PRINTABLE, p, length)) encoding = mail.TRANSFER_QUOTED_PRINTABLE;
  else if (isName(mail.NAME_BASE64, p, length)) encoding = mail.TRANSFER_BASE64;
  else if (findName(mail.NAME_UUENCODE_FIRST, mail.NAME_UUENCODE_LAST, p, length) >= 0) encoding = mail.TRANSFER_UUENCODE;
  storeWord(mail.MAIL_ENCODING, encoding);
}

/** Transfer-Encoding and Content-Encoding of HTTP. */
export function readHttpEncoding(isTransfer: bool, start: i32, end: i32): void {
  const p = value.skipSpace(start, end);
  const length = value.tokenEnd(p, end) - p;
  if (length == 0 || isName(mail.NAME_IDENTITY, p, length)) return;
  const isChunked = isTransfer && isName(mail.NAME_CHUNKED, p, length);
  if (!isChunked) storeWord(mail.MAIL_ENCODING, mail.TRANSFER_OPAQUE);
  else if (loadWord(mail.MAIL_ENCODING) == mail.TRANSFER_IDENTITY) storeWord(mail.MAIL_ENCODING, mail.TRANSFER_CHUNKED);
}

/** Content-Length: -1 where it is none. */
export function readLength(start: i32, end: i32): void {
  let p = value.skipSpace(start, end);
  let length = -1;
  for (; p < end && isDigit(load8(p)); p++) {
    const digit = load8(p) - 0x30;
    if (length < 0) length = digit;
    else length = length > 200000000 ? LENGTH_MAX : length * 10 + digit;
  }
  storeWord(mail.MAIL_LENGTH, length);
}
