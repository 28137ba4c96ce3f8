// The shapes of schemes without `//` (X6), checked on what X3 to X5 leave.

import { classOf, findByte, isAlpha, isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import { ASTERISK, AT, COLON, COMMA, DOT, EQUALS, HASH, HYPHEN, PERCENT, PLUS, QUESTION, SQUARE_OPEN, TILDE } from "../bytes/characters.ts";
import { CLASS_WORD, SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWith } from "../bytes/keyword.ts";
import { hexPair } from "../bytes/number.ts";
import { REASON_NONE } from "../layout/codes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { hostEnd, isHostName, parseAuthority } from "./authority.ts";

/**
 * Facts about a body, known from a candidate that failed before it in the same text: no `@` inside, no `?`, no `=` after the first
 * `?`.
 */
export const WITHOUT_AT: i32 = 1;
export const WITHOUT_QUESTION: i32 = 2;
export const WITHOUT_EQUALS: i32 = 4;

/**
 * Whether [start, bodyEnd), the text after the colon, has the shape that SPECIAL_* asks for; for other schemes one byte is enough.
 * `facts` (WITHOUT_*) saves searching for what is known not to be there.
 */
export function hasShape(special: i32, start: i32, bodyEnd: i32, facts: i32): bool {
  if ((facts & WITHOUT_AT) != 0 && (special == rows.SPECIAL_AT || special == rows.SPECIAL_DOMAIN)) return false;
  if ((facts & WITHOUT_QUESTION) != 0 && special == rows.SPECIAL_MAGNET) return false;
  // N6 takes an empty fragment; what is left must have the shape as well.
  const isEmpty = bodyEnd > start && load8(bodyEnd - 1) == HASH && findByte(start, bodyEnd, HASH) == bodyEnd - 1;
  const end = isEmpty ? bodyEnd - 1 : bodyEnd;
  if (start >= end) return false;
  if (special == rows.SPECIAL_MAILTO) return isMailto(start, end, facts);
  if (special == rows.SPECIAL_NEWS) return isNews(start, end, facts);
  if (special == rows.SPECIAL_AT || special == rows.SPECIAL_DOMAIN) return hasInnerAt(start, end, facts);
  if (special == rows.SPECIAL_URN) return isUrn(start, end);
  if (special == rows.SPECIAL_TEL) return isTel(start, end);
  if (special == rows.SPECIAL_MAGNET) return findByte(start, end, QUESTION) < end;
  return true;
}

function hasInnerAt(start: i32, end: i32, facts: i32): bool {
  return (facts & WITHOUT_AT) == 0 && findByte(start + 1, end - 1, AT) < end - 1;
}

/** Returns the last `@` or `%40` in [start, end), or `start - 1`. */
export function findLastAt(start: i32, end: i32): i32 {
  let p = end - 1;
  while (p >= start && load8(p) != AT && (p + 2 >= end || !startsWith(p, "%40"))) p--;
  return p;
}

/** Whether it has a `?` and a `=` after it, or is an address: text, `@` or `%40`, and from the last of these to a `,` or the end a host. */
function isMailto(start: i32, end: i32, facts: i32): bool {
  const question = (facts & WITHOUT_QUESTION) != 0 ? end : findByte(start, end, QUESTION);
  if ((facts & WITHOUT_EQUALS) == 0 && findByte(question, end, EQUALS) < end) return true;
  const at = findLastAt(start, question);
  if (at <= start) return false;
  const domain = load8(at) == AT ? at + 1 : at + 3;
  const domainEnd = findByte(domain, question, COMMA);
  return domain < domainEnd && isDomain(domain, domainEnd);
}

/**
 * Returns the domain of the mailto whose body is [start, end), if a plain address is at its start with `?` or the end after it; else 0.
 * Such a mailto has its shape (X6).
 */
export function findCleanDomain(start: i32, end: i32): i32 {
  const at = findInSet(start, end, SET_NOT_HOST);
  if (at == start || at == end || load8(at) != AT) return 0;
  const after = findInSet(at + 1, end, SET_NOT_HOST);
  if ((after < end && load8(after) != QUESTION) || !isHostName(at + 1, after)) return 0;
  return at + 1;
}

/** Whether it is a host name that stays one when N2 decodes its triplets. */
function isDomain(start: i32, end: i32): bool {
  if (findInSet(start, end, SET_NOT_HOST) == end) return isHostName(start, end);
  if (load8(start) == SQUARE_OPEN || parseAuthority(start, end) != REASON_NONE || hostEnd != end) return false;
  for (let p = start; p < end; p++) {
    if (load8(p) != PERCENT) continue;
    const value = hexPair(p + 1);
    if (value == TILDE || (p == start && (value == HYPHEN || value == DOT))) return false;
  }
  return true;
}

/** Whether it is `*`, a group of two or more parts, or a message-id. `news://` is looked at by X2 before. */
function isNews(start: i32, end: i32, facts: i32): bool {
  if (end - start == 1 && load8(start) == ASTERISK) return true;
  return isGroup(start, end) || hasInnerAt(start, end, facts);
}

function isGroup(start: i32, end: i32): bool {
  if (!isAlpha(load8(start))) return false;
  let dots = 0;
  let before = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == DOT) {
      if (before == DOT) return false;
      dots++;
    } else if ((classOf(c) & CLASS_WORD) == 0) {
      return false;
    }
    before = c;
  }
  return dots > 0 && before != DOT;
}

/** Whether it is a namespace id of 2 to 32 letters, digits and inner hyphens, a colon, at least one character. */
function isUrn(start: i32, end: i32): bool {
  let p = start;
  while (p < end && p - start <= 32 && (load8(p) == HYPHEN || isAlphanumeric(load8(p)))) p++;
  const length = p - start;
  if (length < 2 || length > 32 || p + 1 >= end || load8(p) != COLON) return false;
  return load8(start) != HYPHEN && load8(p - 1) != HYPHEN;
}

function isTel(start: i32, end: i32): bool {
  const digit = load8(start) == PLUS ? start + 1 : start;
  return digit < end && isDigit(load8(digit));
}
