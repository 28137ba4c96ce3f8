// Names of schemeless text (X10): how far they run, how many labels they have, whether they stand below a public suffix.

import { classOf } from "../bytes/ascii.ts";
import { DOT, HYPHEN, NON_ASCII } from "../bytes/characters.ts";
import { CLASS_ALPHA, CLASS_DIGIT, SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { keptLength } from "../bytes/utf8.ts";
import { HOST_REGION, STATE_ANSWER, STATE_ASKED, STATE_ASKED_LENGTH } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, loadWord, storeWord } from "../platform/memory.ts";
import { isTriplet } from "../url/authority.ts";

/** The name is one. */
export const IS_NAME: i32 = 1;
/** The name is none. */
export const NO_NAME: i32 = 0;
/** Whether it stands below a public suffix has to be asked. */
export const ASK_NAME: i32 = -1;

/** Longest name that may be asked about, in bytes (a name of the DNS has at most 253; characters outside ASCII take up to 4 each). */
const NAME_BYTES_MAX: i32 = 1024;

// The question before the last: one candidate may ask for a name and then for a shorter one.
let askedBefore: i32 = 0;
let lengthBefore: i32 = 0;
let answerBefore: i32 = 0;

/** Forgets the answers where the window's bytes have changed since. */
export function resetNames(): void {
  if (loadWord(STATE_ASKED) == 0) askedBefore = 0;
}

/** Whether `www.` or `ftp.` is at `p` in any case. */
export function hasHostPrefix(p: i32): bool {
  return startsWithAnyCase(p, "www.") || startsWithAnyCase(p, "ftp.");
}

/** Behind the longest run of host bytes and kept characters from `start` (X2, X4), `bound` at the latest. */
export function findNameEnd(start: i32, bound: i32, wrapped: bool): i32 {
  let p = start;
  while (true) {
    p = findInSet(p, bound, SET_NOT_HOST);
    if (p >= bound) return bound;
    if (load8(p) >= NON_ASCII) {
      const length = keptLength(p, wrapped);
      if (length == 0) return p;
      p += length;
    } else if (isTriplet(p) && p + 3 <= bound) {
      p += 3;
    } else {
      return p;
    }
  }
}

/** Number of labels of the name [start, end), a final dot aside; 0 where one of them is empty. */
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

/** Whether the labels of [start, end) are of letters, digits, inner hyphens and non-ASCII characters, the last one not behind a digit. */
function isDomainName(start: i32, end: i32): bool {
  let before = DOT;
  let first = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if ((before == DOT && c == HYPHEN) || (before == HYPHEN && c == DOT)) return false;
    if (c != DOT && c != HYPHEN && c < NON_ASCII && (classOf(c) & (CLASS_ALPHA | CLASS_DIGIT)) == 0) return false;
    if (before == DOT) first = c;
    before = c;
  }
  return before != HYPHEN && (classOf(first) & CLASS_DIGIT) == 0;
}

/**
 * Whether [start, end) is a domain name below a public suffix: IS_NAME, NO_NAME, or ASK_NAME with the name in HOST_REGION. `key`: the
 * address in the window that the answer is remembered by.
 */
export function judgeDomain(start: i32, end: i32, key: i32): i32 {
  const last = end > start && load8(end - 1) == DOT ? end - 1 : end;
  const length = last - start;
  if (length > NAME_BYTES_MAX || countLabels(start, last) < 2 || !isDomainName(start, last)) return NO_NAME;
  if (loadWord(STATE_ASKED) == key && loadWord(STATE_ASKED_LENGTH) == length) return loadWord(STATE_ANSWER);
  if (askedBefore == key && lengthBefore == length) return answerBefore;
  askedBefore = loadWord(STATE_ASKED);
  lengthBefore = loadWord(STATE_ASKED_LENGTH);
  answerBefore = loadWord(STATE_ANSWER);
  copyBytes(HOST_REGION, start, length);
  storeWord(STATE_ASKED_LENGTH, length);
  storeWord(STATE_ASKED, key);
  return ASK_NAME;
}
