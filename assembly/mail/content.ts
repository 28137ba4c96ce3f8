// What a header says of its body (A4, A6, A8, A9): collected field by field in MAIL_TYPE and its neighbours.

import { lower } from "../bytes/ascii.ts";
import { hexPair } from "../bytes/number.ts";
import * as mail from "../layout/mail.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { findName, isName } from "./names.ts";
import { isTriplet } from "./quoted-printable.ts";
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
  value.beginBody();
  const p = value.skipSpace(start, end);
  const typeEnd = value.tokenEnd(p, end);
  const slash = value.skipSpace(typeEnd, end);
  const subtype = slash < end && load8(slash) == 0x2f ? value.skipSpace(slash + 1, end) : end;
  const subtypeEnd = value.tokenEnd(subtype, end);
  const isPair = typeEnd > p && subtypeEnd > subtype;
  const type = isPair ? typeOf(p, typeEnd, subtype, subtypeEnd) : mail.TYPE_TEXT;
  const behind = isPair ? subtypeEnd : p;
  storeWord(mail.MAIL_TYPE, type);
  if (type == mail.TYPE_MULTIPART || type == mail.TYPE_DIGEST) {
    readBoundary(behind, end);
    return;
  }
  if (findValue(mail.NAME_CHARSET, behind, end)) storeWord(mail.MAIL_CHARSET, charsetOf(VALUE, valueLength));
  const isFlowed = findValue(mail.NAME_FORMAT, behind, end) && isName(mail.NAME_FLOWED, VALUE, valueLength);
  if (isFlowed && findValue(mail.NAME_DELSP, behind, end) && isName(mail.NAME_YES, VALUE, valueLength)) {
    storeWord(mail.MAIL_FLOWED, mail.FLOWED_FORMAT | mail.FLOWED_DELSP);
  }
}

/** TYPE_* of the type [start, typeEnd) and the subtype [name, end). */
function typeOf(start: i32, typeEnd: i32, name: i32, end: i32): i32 {
  const length = typeEnd - start;
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

/** JSON, XML, JavaScript, and what ends in `+json` or `+xml`; an `x-` before them is nothing. */
function isTextOfWeb(start: i32, length: i32): bool {
  let name = start + length;
  while (name > start && load8(name - 1) != 0x2b) name--;
  if (start + length - name > 2 && lower(load8(name)) == 0x78 && load8(name + 1) == 0x2d) name += 2;
  return findName(mail.NAME_JSON, mail.NAME_JAVASCRIPT, name, start + length - name) >= 0;
}

function charsetOf(start: i32, length: i32): i32 {
  const name = findName(mail.NAME_UTF16, mail.NAME_HZ, start, length);
  if (name < 0) return mail.CONVERT_NONE;
  if (name >= mail.NAME_UTF7) return name == mail.NAME_HZ ? mail.CONVERT_HZ : mail.CONVERT_UTF7;
  return mail.CONVERT_UTF16 + (name - mail.NAME_UTF16);
}

/** The value that findValue found: at VALUE, without quotation marks, its length. */
const VALUE: i32 = mail.MAIL_BOUNDARY;
let valueLength: i32 = 0;
/** Whether more than white space was left out behind it. */
let isCut: bool = false;

/**
 * Finds the value of the parameter NAME_* in [start, end): the first that is whole, else the first of RFC 2231 (`name*=`), else its
 * sections (`name*0=`, `name*1*=`), ten at most, in any order.
 */
function findValue(name: i32, start: i32, end: i32): bool {
  valueLength = 0;
  isCut = false;
  let rank = 0;
  let section = -1;
  let at = value.readParameter(start, end);
  for (; at > 0; at = value.readParameter(at, end)) {
    if (!isName(name, value.nameStart, value.nameEnd - value.nameStart)) continue;
    const kind = value.section >= 0 ? 1 : value.isExtended ? 2 : 3;
    if (kind == 1 && value.section == 0) section = 0;
    if (kind <= rank || kind == 1) continue;
    rank = kind;
    valueLength = 0;
    addValue(kind == 2);
    if (kind == 3) return true;
  }
  if (rank > 0 || section < 0) return rank > 0;
  for (let next = 0; next <= value.SECTION_MAX; next++) {
    if (!addSection(name, next, start, end)) break;
  }
  return true;
}

/** Adds the first section of that number; false where there is none. */
function addSection(name: i32, section: i32, start: i32, end: i32): bool {
  let rank = 0;
  const before = valueLength;
  const wasCut = isCut;
  for (let at = value.readParameter(start, end); at > 0; at = value.readParameter(at, end)) {
    if (value.section != section || !isName(name, value.nameStart, value.nameEnd - value.nameStart)) continue;
    const kind = value.isExtended ? 1 : 2;
    if (kind <= rank) continue;
    rank = kind;
    valueLength = before;
    addValue(section == 0);
    isCut = isCut || wasCut;
  }
  return rank > 0;
}

/** Adds the value that was read last, up to one byte more than a boundary may have; `isFirst`: a charset may stand before it. */
function addValue(isFirst: bool): void {
  let p = value.valueStart;
  if (value.isExtended && isFirst) p = afterLanguage(p, value.valueEnd);
  isCut = false;
  for (; p < value.valueEnd && !isCut; p++) {
    let c = load8(p);
    if (c == 0x5c && value.isQuoted && p + 1 < value.valueEnd) {
      c = load8(++p);
      if (isBreak(c)) continue;
    } else if (isBreak(c)) {
      continue;
    } else if (c == 0x25 && value.isExtended && p + 2 < value.valueEnd && isTriplet(p)) {
      c = hexPair(p + 1);
      p += 2;
    }
    if (valueLength <= mail.BOUNDARY_BYTES_MAX) store8(VALUE + valueLength++, c);
    else isCut = !isTrailing(c);
  }
}

/** The boundary of a multipart; a length of 0 says that there is none that can be used. */
function readBoundary(start: i32, end: i32): void {
  findValue(mail.NAME_BOUNDARY, start, end);
  // White space that goes may stand behind the longest that is looked at.
  let length = valueLength;
  while (length > 0 && isTrailing(load8(VALUE + length - 1))) length--;
  storeWord(mail.MAIL_BOUNDARY_LENGTH, isCut || length > mail.BOUNDARY_BYTES_MAX ? 0 : length);
}

/** Of a line break, which folding put there. */
function isBreak(c: i32): bool {
  return c == 0x0a || c == 0x0d;
}

function isTrailing(c: i32): bool {
  return c == 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** Behind the charset and the language of an extended value: two `'`. */
function afterLanguage(start: i32, end: i32): i32 {
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
  value.beginBody();
  const p = value.skipSpace(start, end);
  const length = value.tokenEnd(p, end) - p;
  let encoding = mail.TRANSFER_IDENTITY;
  if (isName(mail.NAME_QUOTED_PRINTABLE, p, length)) encoding = mail.TRANSFER_QUOTED_PRINTABLE;
  else if (isName(mail.NAME_BASE64, p, length)) encoding = mail.TRANSFER_BASE64;
  else if (findName(mail.NAME_UUENCODE_FIRST, mail.NAME_UUENCODE_LAST, p, length) >= 0) encoding = mail.TRANSFER_UUENCODE;
  storeWord(mail.MAIL_ENCODING, encoding);
}

/** Transfer-Encoding and Content-Encoding of HTTP: words with commas between them. */
export function readHttpEncoding(isTransfer: bool, start: i32, end: i32): void {
  value.beginBody();
  let p = start;
  while (p < end) {
    p = value.skipSpace(p, end);
    const word = p;
    p = value.tokenEnd(p, end);
    if (p > word && !isName(mail.NAME_IDENTITY, word, p - word)) {
      const isChunked = isTransfer && isName(mail.NAME_CHUNKED, word, p - word);
      if (!isChunked) storeWord(mail.MAIL_ENCODING, mail.TRANSFER_OPAQUE);
      else if (loadWord(mail.MAIL_ENCODING) == mail.TRANSFER_IDENTITY) storeWord(mail.MAIL_ENCODING, mail.TRANSFER_CHUNKED);
    }
    p = value.skipSpace(p, end);
    if (p == end || load8(p) != 0x2c) return;
    p++;
  }
}

/** Content-Length: -1 where it is none. */
export function readLength(start: i32, end: i32): void {
  value.beginBody();
  let p = value.skipSpace(start, end);
  let length = -1;
  for (; p < end && isDigit(load8(p)); p++) {
    const digit = load8(p) - 0x30;
    if (length < 0) length = digit;
    else length = length > 200000000 ? LENGTH_MAX : length * 10 + digit;
  }
  storeWord(mail.MAIL_LENGTH, length);
}
