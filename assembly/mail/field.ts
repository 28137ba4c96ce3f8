// Header fields as lines of bytes (A3): their starts, their ends, and their names.

import { lower } from "../bytes/ascii.ts";
import { COLON } from "../bytes/characters.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import * as layout from "../layout/memory.ts";
import { findFieldNameEnd, findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import * as reader from "./reader.ts";
import { end, isBlank, isLast, NEED_SOURCE, skipBlanks } from "./source.ts";

/** Fields that describe a record or a body. Their numbers follow FIELD_WARC_DATE of layout/mail.ts. */
export const FIELD_WARC_TYPE: i32 = 8;
export const FIELD_CONTENT_TYPE: i32 = 9;
export const FIELD_CONTENT_LENGTH: i32 = 10;
export const FIELD_CONTENT_TRANSFER_ENCODING: i32 = 11;
export const FIELD_CONTENT_ENCODING: i32 = 12;
export const FIELD_TRANSFER_ENCODING: i32 = 13;
export const FIELD_CONTENT_DISPOSITION: i32 = 18; // This number follows FIELD_FROM_LINE of layout/mail.ts

/** Returns the highest end of a field that starts at `p`: FIELD_BYTES_MAX bytes on, or the end of the source bytes. */
export function fieldBound(p: i32): i32 {
  return end - p > mail.FIELD_BYTES_MAX ? p + mail.FIELD_BYTES_MAX : end;
}

/** Returns the address of the colon after the name of the field at `p`; 0: no field is there; or NEED_SOURCE. */
export function findFieldColon(p: i32): i32 {
  const bound = fieldBound(p);
  const at = findFieldNameEnd(p, bound);
  if (at == p && at < bound) return 0;
  const colon = skipBlanks(at, bound);
  if (colon < bound) return load8(colon) == COLON ? colon : 0;
  return bound == end && !isLast ? NEED_SOURCE : 0;
}

/** Returns the length of the name of the field at `p`. Its colon is at `colon`. */
export function nameLength(p: i32, colon: i32): i32 {
  let at = colon;
  while (at > p && isBlank(load8(at - 1))) at--;
  return at - p;
}

/** Returns the end of the field at `p`, its last line break included; 0: it is longer than FIELD_BYTES_MAX; or NEED_SOURCE. */
export function findFieldEnd(p: i32): i32 {
  const bound = fieldBound(p);
  let at = p;
  while (true) {
    const feed = findLineFeed(at, bound);
    if (feed + 1 >= bound) {
      if (bound < end || bound == p + mail.FIELD_BYTES_MAX) return 0;
      return isLast ? end : NEED_SOURCE;
    }
    if (!isBlank(load8(feed + 1))) return feed + 1;
    at = feed + 1;
  }
}

/** Returns FIELD_* of the field at `p`, whose name has `length` bytes, or -1. Compares lengths first: most fields have another name. */
export function fieldOf(p: i32, length: i32): i32 {
  if (length == 4) return startsWithAnyCase(p, "date") ? mail.FIELD_DATE : startsWithAnyCase(p, "from") ? mail.FIELD_FROM : -1;
  if (length == 7) return startsWithAnyCase(p, "subject") ? mail.FIELD_SUBJECT : startsWithAnyCase(p, "list-id") ? mail.FIELD_LIST_ID : -1;
  if (length == 8) return startsWithAnyCase(p, "received") ? mail.FIELD_RECEIVED : -1;
  if (length == 9)
    return startsWithAnyCase(p, "warc-date") ? mail.FIELD_WARC_DATE : startsWithAnyCase(p, "warc-type") ? FIELD_WARC_TYPE : -1;
  if (length == 10) {
    if (startsWithAnyCase(p, "message-id")) return mail.FIELD_MESSAGE_ID;
    return startsWithAnyCase(p, "newsgroups") ? mail.FIELD_NEWSGROUPS : -1;
  }
  if (length == 12) {
    if (startsWithAnyCase(p, "content-type")) return FIELD_CONTENT_TYPE;
    return startsWithAnyCase(p, "content-base") ? mail.FIELD_CONTENT_BASE : -1;
  }
  if (length == 14) return startsWithAnyCase(p, "content-length") ? FIELD_CONTENT_LENGTH : -1;
  if (length == 15) return startsWithAnyCase(p, "warc-target-uri") ? mail.FIELD_TARGET_URI : -1;
  if (length == 16) {
    if (startsWithAnyCase(p, "content-encoding")) return FIELD_CONTENT_ENCODING;
    return startsWithAnyCase(p, "content-location") ? mail.FIELD_CONTENT_LOCATION : -1;
  }
  if (length == 17) return startsWithAnyCase(p, "transfer-encoding") ? FIELD_TRANSFER_ENCODING : -1;
  if (length == 19) return startsWithAnyCase(p, "content-disposition") ? FIELD_CONTENT_DISPOSITION : -1;
  return length == 25 && startsWithAnyCase(p, "content-transfer-encoding") ? FIELD_CONTENT_TRANSFER_ENCODING : -1;
}

/** Returns FIELD_NAMED plus the number of the name in HEADER_NAMES if records ask for the field at `p` by its name; else -1. */
export function namedFieldOf(p: i32, length: i32): i32 {
  let field = mail.FIELD_NAMED;
  let row = layout.HEADER_NAMES;
  while (field < mail.FIELD_NAMED + mail.FIELDS_NAMED_MAX && (reader.fields & (1 << field)) != 0) {
    if (load8(row) == length && isNamed(p, row + 1, length)) return field;
    row += layout.HEADER_NAME_ROW_BYTES;
    field++;
  }
  return -1;
}

/** Whether the `length` bytes at `p`, in any case, are the name at `name`, which is in lower case. */
function isNamed(p: i32, name: i32, length: i32): bool {
  let i = 0;
  while (i < length && lower(load8(p + i)) == load8(name + i)) i++;
  return i == length;
}

/** Whether the name [start, stop) of a field is one of mail (A1, without C160). */
export function isMailName(start: i32, stop: i32): bool {
  return (
    isKeyword(start, stop, "from") ||
    isKeyword(start, stop, "received") ||
    isKeyword(start, stop, "return-path") ||
    isKeyword(start, stop, "date") ||
    isKeyword(start, stop, "message-id") ||
    isKeyword(start, stop, "to") ||
    isKeyword(start, stop, "subject") ||
    isKeyword(start, stop, "delivered-to") ||
    isKeyword(start, stop, "newsgroups") ||
    isKeyword(start, stop, "path") ||
    isKeyword(start, stop, "mime-version") ||
    isKeyword(start, stop, "xref") ||
    isKeyword(start, stop, "reply-to") ||
    isKeyword(start, stop, "sender") ||
    isKeyword(start, stop, "cc") ||
    isKeyword(start, stop, "references") ||
    isKeyword(start, stop, "in-reply-to") ||
    isKeyword(start, stop, "organization") ||
    isKeyword(start, stop, "lines") ||
    isRareMailName(start, stop)
  );
}

/** Whether the name [start, stop) is one of the less frequent names of mail. */
function isRareMailName(start: i32, stop: i32): bool {
  return (
    startsWithAnyCase(start, "arc-") ||
    startsWithAnyCase(start, "resent-") ||
    startsWithAnyCase(start, "x-mozilla-") ||
    startsWithAnyCase(start, "x-ms-exchange-") ||
    isKeyword(start, stop, "bcc") ||
    isKeyword(start, stop, "errors-to") ||
    isKeyword(start, stop, "apparently-to") ||
    isKeyword(start, stop, "envelope-to") ||
    isKeyword(start, stop, "x-original-to") ||
    isKeyword(start, stop, "x-received") ||
    isKeyword(start, stop, "x-mailer") ||
    isKeyword(start, stop, "x-originating-ip") ||
    isKeyword(start, stop, "received-spf") ||
    isKeyword(start, stop, "authentication-results") ||
    isKeyword(start, stop, "dkim-signature") ||
    isKeyword(start, stop, "domainkey-signature") ||
    isKeyword(start, stop, "list-id") ||
    isKeyword(start, stop, "list-unsubscribe")
  );
}
