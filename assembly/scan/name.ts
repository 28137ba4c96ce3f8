// Names in text: their end (X2, X10), their number of labels, and whether they are below a public suffix.

import { isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import { COLON, DOT, HYPHEN, NON_ASCII } from "../bytes/characters.ts";
import { SET_NOT_HOST } from "../bytes/classes.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import { keptLength, startOfCharacter } from "../bytes/utf8.ts";
import { HOST_REGION } from "../layout/memory.ts";
import { hasPublicSuffix, isBelowSuffix } from "../platform/callbacks.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8 } from "../platform/memory.ts";
import { isTriplet, skipHostMarks } from "../url/authority.ts";
import { webFollows } from "../url/scheme.ts";
import * as state from "./state.ts";

/** Longest name, in bytes, that is checked against the public suffix list: 253 characters, as in the DNS, of up to 4 bytes. */
const NAME_BYTES_MAX: i32 = 1024;

/** Whether `www.` or `ftp.` is at `p` in any case. */
export function hasHostPrefix(p: i32): bool {
  return startsWithAnyCase(p, "www.") || startsWithAnyCase(p, "ftp.");
}

/**
 * Returns the address after the longest run of host bytes and kept characters from `start`, at most `bound` (X2, X4). `delimited`: the run
 * is in a delimited URL, which may hold more characters (X7).
 */
export function findNameEnd(start: i32, bound: i32, delimited: bool): i32 {
  let p = start;
  while (true) {
    p = findInSet(p, bound, SET_NOT_HOST);
    if (p >= bound) return bound;
    if (load8(p) >= NON_ASCII) {
      const length = keptLength(p, delimited);
      if (length == 0) return p;
      p += length;
      if (!delimited && p < bound && webFollows(p, state.high)) return p;
    } else if (isTriplet(p) && p + 3 <= bound) {
      p += 3;
    } else {
      return p;
    }
  }
}

/** Returns the number of labels of the name [start, end), which may have a final dot; 0 if a label is empty. */
export function countLabels(start: i32, end: i32): i32 {
  const last = end > start && load8(end - 1) == DOT ? end - 1 : end;
  if (last == start) return 0;
  let labels = 1;
  let before = DOT;
  for (let p = start; p < last; p++) {
    const c = load8(p);
    if (c == DOT) {
      if (before == DOT) return 0;
      labels++;
    }
    before = c;
  }
  return before == DOT ? 0 : labels;
}

/** Whether the labels in [start, end) have only letters, digits, inner hyphens and non-ASCII bytes. The last one begins with no digit. */
function isDomainName(start: i32, end: i32): bool {
  let before = DOT;
  let first = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if ((before == DOT && c == HYPHEN) || (before == HYPHEN && c == DOT)) return false;
    if (c != DOT && c != HYPHEN && c < NON_ASCII && !isAlphanumeric(c)) return false;
    if (before == DOT) first = c;
    before = c;
  }
  return before != HYPHEN && !isDigit(first);
}

/** Whether [start, end) is a domain name below a public suffix (X10). */
export function isPublicDomain(start: i32, end: i32): bool {
  const last = end > start && load8(end - 1) == DOT ? end - 1 : end;
  const length = last - start;
  if (length > NAME_BYTES_MAX || countLabels(start, end) < 2 || !isDomainName(start, last)) return false;
  copyBytes(HOST_REGION, start, length);
  return isBelowSuffix(length);
}

/**
 * Returns the start of non-ASCII text that directly follows a host name, in the last label of [start, end); `end` without such a text. The
 * name before the text is below a public suffix, and [start, end) is not. (X2)
 */
export function findGluedText(start: i32, end: i32): i32 {
  let last = end;
  while (last > start && load8(last - 1) == DOT) last--;
  let label = last;
  let text = end;
  while (label > start && load8(label - 1) != DOT) {
    label--;
    if (load8(label) >= NON_ASCII) text = label;
  }
  if (text == end || text == label || label == start || text - start > NAME_BYTES_MAX || isCombining(text)) return end;
  copyBytes(HOST_REGION, start, text - start);
  if (!hasPublicSuffix(text - start)) return end;
  if (last - start > NAME_BYTES_MAX) return text;
  copyBytes(HOST_REGION, start, last - start);
  return hasPublicSuffix(last - start) ? end : text;
}

/** Whether a character of U+0300 to U+036F is at `p`: an accent of the letter before it. */
function isCombining(p: i32): bool {
  return load8(p) == 0xcc || (load8(p) == 0xcd && load8(p + 1) < 0xb0);
}

/** Whether a non-ASCII character that a name may hold is before `start` (X4). */
export function isAfterName(start: i32): bool {
  if (load8(start - 1) < NON_ASCII) return false;
  const before = startOfCharacter(start);
  const length = keptLength(before, false);
  return length > 0 && before + length == start;
}

/** Returns an address after the bytes that decide about a port at `colon`: its digits, `.` `-` `_`, a triplet; `bound` without a colon. */
export function portBound(colon: i32, bound: i32): i32 {
  if (load8(colon) != COLON) return bound;
  let p = colon + 1;
  while (p < bound && isDigit(load8(p))) p++;
  p = skipHostMarks(p, bound);
  return p + 4 < bound ? p + 4 : bound;
}

/** Whether the last label of the name [start, end) may be that of a domain: it is no number of a version, and no ending of files. (C313) */
export function mayEndDomain(start: i32, end: i32): bool {
  const last = load8(end - 1) == DOT ? end - 1 : end;
  let label = last;
  while (label > start && load8(label - 1) != DOT) label--;
  return !isDigit(load8(label)) && !isFileType(label, last);
}

function isFileType(start: i32, end: i32): bool {
  const length = end - start;
  if (length == 2) return isKeyword(start, end, "gz") || isKeyword(start, end, "js");
  if (length == 4) {
    if (isKeyword(start, end, "html") || isKeyword(start, end, "jpeg") || isKeyword(start, end, "json")) return true;
    return isKeyword(start, end, "webp") || isKeyword(start, end, "yaml");
  }
  if (length != 3) return isKeyword(start, end, "service") || isKeyword(start, end, "socket") || isKeyword(start, end, "timer");
  if (isKeyword(start, end, "png") || isKeyword(start, end, "jpg") || isKeyword(start, end, "gif") || isKeyword(start, end, "svg"))
    return true;
  if (isKeyword(start, end, "css") || isKeyword(start, end, "htm") || isKeyword(start, end, "ico") || isKeyword(start, end, "pdf"))
    return true;
  return isKeyword(start, end, "tgz") || isKeyword(start, end, "txt") || isKeyword(start, end, "xml") || isKeyword(start, end, "yml");
}
