// The line before each record of an ARC file (A12), the format of web archives before WARC: `URL address date type length`. Version 2 has
// five more words before the length. A URL may hold spaces, so the words are read from the end of the line.

import { isAlpha, isDigit } from "../bytes/ascii.ts";
import { COLON, SPACE } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { load8 } from "../platform/memory.ts";
import { isSchemeByte } from "../url/scheme.ts";
import { readContentType, readLength } from "./content.ts";
import { putCollected } from "./header.ts";
import { afterLine, lineEndBefore, NEED_SOURCE } from "./source.ts";

/** Most bytes of the line, its line break included. */
const LINE_BYTES_MAX: i32 = 8192;
const DATE_DIGITS: i32 = 14;
/** Words of version 2 between the type and the length: result code, checksum, location, offset, name of the file. */
const MORE_WORDS: i32 = 5;

// Addresses in the line that afterArcLine read last: of its URL, date and length, and of the ends of the URL and the line.
let url: i32 = 0;
let urlEnd: i32 = 0;
let date: i32 = 0;
let length: i32 = 0;
let lineEnd: i32 = 0;

/** Returns the address after the line at `p` if a record begins with this line; 0: none does; or NEED_SOURCE. */
export function afterArcLine(p: i32): i32 {
  const next = afterLine(p, LINE_BYTES_MAX);
  if (next <= 0) return next < 0 ? NEED_SOURCE : 0;
  url = p;
  lineEnd = lineEndBefore(p, next);
  const colon = schemeEnd();
  if (colon == p || colon == lineEnd || load8(colon) != COLON || !isAlpha(load8(p))) return 0;
  length = wordBefore(lineEnd);
  if (!areDigits(length, lineEnd)) return 0;
  const type = wordBefore(length - 1);
  let found = readDate(type);
  let at = type;
  for (let word = 0; word < MORE_WORDS && !found; word++) at = wordBefore(at - 1);
  if (!found) found = readDate(at);
  return found ? next : 0;
}

/** Finds the date, the word before `type`, and the end of the URL before date and IP address; returns false if one is missing. */
function readDate(type: i32): bool {
  if (type <= url) return false;
  date = wordBefore(type - 1);
  if (type - 1 - date != DATE_DIGITS || !areDigits(date, type - 1)) return false;
  const address = wordBefore(date - 1);
  urlEnd = address - 1;
  return urlEnd > schemeEnd();
}

/** Returns the start of the word that ends at `end`, or an address before the URL if there is none. */
function wordBefore(end: i32): i32 {
  let p = end;
  while (p > url && load8(p - 1) != SPACE) p--;
  return p > url && end > url ? p : url - 1;
}

function areDigits(start: i32, end: i32): bool {
  if (start < url || start == end) return false;
  for (let p = start; p < end; p++) if (!isDigit(load8(p))) return false;
  return true;
}

function schemeEnd(): i32 {
  let p = url;
  while (p < lineEnd && isSchemeByte(load8(p))) p++;
  return p;
}

/** Collects the URL, date, type and length of the line that `afterArcLine` has read. */
export function collectArcLine(): void {
  putCollected(mail.FIELD_TARGET_URI, url, urlEnd);
  putCollected(mail.FIELD_WARC_DATE, date, date + DATE_DIGITS);
  readContentType(date + DATE_DIGITS + 1, lineEnd);
  readLength(length, lineEnd);
}

/** Whether the scheme of the URL shows that the record holds a response of HTTP. */
export function isArcResponse(): bool {
  const end = schemeEnd();
  return isKeyword(url, end, "http") || isKeyword(url, end, "https");
}

/** Whether the scheme of the URL shows that the record describes the archive itself. */
export function isArcDescription(): bool {
  return isKeyword(url, schemeEnd(), "filedesc");
}
