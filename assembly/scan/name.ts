// Names in text: their end (X2, X10), their number of labels, and whether they are below a public suffix.

import { isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import { DOT, HYPHEN, NON_ASCII } from "../bytes/characters.ts";
import { SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { keptLength } from "../bytes/utf8.ts";
import { HOST_REGION } from "../layout/memory.ts";
import { hasPublicSuffix, isBelowSuffix } from "../platform/callbacks.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8 } from "../platform/memory.ts";
import { isTriplet } from "../url/authority.ts";
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
