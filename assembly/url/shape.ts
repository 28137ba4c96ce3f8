// The shapes of URLs without `//` (X6). They are checked on what X3 to X5 leave of a match, and on all of any other URL.

import { classOf, findByte, isAlpha, isAlphanumeric, isDigit, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_HEX, CLASS_WORD, SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWith, startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair } from "../bytes/number.ts";
import { REASON_NONE } from "../layout/codes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { hostEnd, isHostName, parseAuthority } from "./authority.ts";
import { isAddressLiteral } from "./ip-literal.ts";

// Facts about a body that are known from an earlier candidate, which failed in the same run.
/** The body has no `@` between its first and last byte. */
export const WITHOUT_AT: i32 = 1;
export const WITHOUT_QUESTION: i32 = 2; // The body has no `?`
export const WITHOUT_EQUALS: i32 = 4; // The body has no `=` after its first `?`
export const WITHOUT_CONTEXT: i32 = 8; // The body has no `;phone-context=` with a byte after it

/** Fewest digits of a global telephone number: with its country code the shortest has seven. */
const DIGITS_MIN: i32 = 7;
const CONTEXT_BYTES: i32 = 15; // Length of `;phone-context=`

/**
 * Whether the text after the colon, [start, bodyEnd), has the shape SPECIAL_*. A scheme without special rules needs one byte. `facts`:
 * WITHOUT_* bits of the bytes that are known to be absent, which saves a search.
 */
export function hasShape(special: i32, start: i32, bodyEnd: i32, facts: i32): bool {
  if ((facts & WITHOUT_AT) != 0 && (special == rows.SPECIAL_AT || special == rows.SPECIAL_DOMAIN)) return false;
  if ((facts & WITHOUT_QUESTION) != 0 && special == rows.SPECIAL_MAGNET) return false;
  // N6 removes an empty fragment. The rest must have the shape too.
  const isEmpty = bodyEnd > start && load8(bodyEnd - 1) == char.HASH && findByte(start, bodyEnd, char.HASH) == bodyEnd - 1;
  const end = isEmpty ? bodyEnd - 1 : bodyEnd;
  if (start >= end) return false;
  if (special == rows.SPECIAL_MAILTO) return isMailto(start, end, facts);
  if (special == rows.SPECIAL_NEWS) return isNews(start, end, facts);
  if (special == rows.SPECIAL_AT || special == rows.SPECIAL_DOMAIN) return hasInnerAt(start, end, facts);
  if (special == rows.SPECIAL_URN) return isUrn(start, end);
  if (special == rows.SPECIAL_TEL) return isTel(start, end);
  if (special == rows.SPECIAL_TEL_IN_TEXT) return isGlobalTel(start, end) || (isLocalTel(start, end) && hasContext(start, end, facts));
  if (special == rows.SPECIAL_MAGNET) return findByte(start, end, char.QUESTION) < end;
  return true;
}

function hasInnerAt(start: i32, end: i32, facts: i32): bool {
  return (facts & WITHOUT_AT) == 0 && findByte(start + 1, end - 1, char.AT) < end - 1;
}

/** Returns the last `@` or `%40` in [start, end), or `start - 1`. */
export function findLastAt(start: i32, end: i32): i32 {
  let p = end - 1;
  while (p >= start && load8(p) != char.AT && (p + 2 >= end || !startsWith(p, "%40"))) p--;
  return p;
}

/** Whether [start, end) has a `?` and a later `=`, or is an address: text, `@` or `%40`, and then a host up to `,` or the end. */
function isMailto(start: i32, end: i32, facts: i32): bool {
  const question = (facts & WITHOUT_QUESTION) != 0 ? end : findByte(start, end, char.QUESTION);
  if ((facts & WITHOUT_EQUALS) == 0 && findByte(question, end, char.EQUALS) < end) return true;
  const at = findLastAt(start, question);
  if (at <= start) return false;
  const domain = load8(at) == char.AT ? at + 1 : at + 3;
  const domainEnd = findByte(domain, question, char.COMMA);
  return domain < domainEnd && isDomain(domain, domainEnd);
}

/**
 * Returns the start of the domain if [start, end), the body of a mailto, is a plain address or begins with one and `?`; else 0. A mailto
 * with a plain address has its shape (X6).
 */
export function findCleanDomain(start: i32, end: i32): i32 {
  const at = findInSet(start, end, SET_NOT_HOST);
  if (at == start || at == end || load8(at) != char.AT) return 0;
  const after = findInSet(at + 1, end, SET_NOT_HOST);
  if ((after < end && load8(after) != char.QUESTION) || !isHostName(at + 1, after)) return 0;
  return at + 1;
}

/** Whether [start, end) is an address literal in brackets, perhaps encoded, or a host name that N2 leaves a host name. */
function isDomain(start: i32, end: i32): bool {
  if (findInSet(start, end, SET_NOT_HOST) == end) return isHostName(start, end);
  const literal = load8(start) == char.SQUARE_OPEN ? start + 1 : startsWithAnyCase(start, "%5b") ? start + 3 : end;
  const literalEnd = load8(end - 1) == char.SQUARE_CLOSE ? end - 1 : startsWithAnyCase(end - 3, "%5d") ? end - 3 : start;
  if (literal < literalEnd && isAddressLiteral(literal, literalEnd)) return true;
  if (load8(start) == char.SQUARE_OPEN || parseAuthority(start, end) != REASON_NONE || hostEnd != end) return false;
  for (let p = start; p < end; p++) {
    if (load8(p) != char.PERCENT) continue;
    const value = hexPair(p + 1);
    if (value == char.TILDE || (p == start && (value == char.HYPHEN || value == char.DOT))) return false;
  }
  return true;
}

/** Whether [start, end) is `*`, a newsgroup of two or more parts, or a message-id. `news://` is read by X2 instead. */
function isNews(start: i32, end: i32, facts: i32): bool {
  if (end - start == 1 && load8(start) == char.ASTERISK) return true;
  return isGroup(start, end) || hasInnerAt(start, end, facts);
}

function isGroup(start: i32, end: i32): bool {
  if (!isAlpha(load8(start))) return false;
  let dots = 0;
  let before = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == char.DOT) {
      if (before == char.DOT) return false;
      dots++;
    } else if ((classOf(c) & CLASS_WORD) == 0) {
      return false;
    }
    before = c;
  }
  return dots > 0 && before != char.DOT;
}

/** Whether [start, end) is a namespace id of 2 to 32 letters, digits and inner hyphens, a colon, and at least one character. */
function isUrn(start: i32, end: i32): bool {
  let p = start;
  while (p < end && p - start <= 32 && (load8(p) == char.HYPHEN || isAlphanumeric(load8(p)))) p++;
  const length = p - start;
  if (length < 2 || length > 32 || p + 1 >= end || load8(p) != char.COLON) return false;
  return load8(start) != char.HYPHEN && load8(p - 1) != char.HYPHEN;
}

function isTel(start: i32, end: i32): bool {
  const digit = load8(start) == char.PLUS ? start + 1 : start;
  return digit < end && isDigit(load8(digit));
}

/** Whether [start, end) is `+` and digits with `-` `.` `(` `)` between, up to the end or a `;` `?` `#` (RFC 3966). */
function isGlobalTel(start: i32, end: i32): bool {
  if (load8(start) != char.PLUS || !isTel(start, end)) return false;
  let digits = 0;
  let p = start + 1;
  while (p < end && (isDigit(load8(p)) || isVisualSeparator(load8(p)))) {
    if (isDigit(load8(p))) digits++;
    p++;
  }
  const isWhole = p == end || load8(p) == char.SEMICOLON || load8(p) == char.QUESTION || load8(p) == char.HASH;
  return digits >= DIGITS_MIN && isWhole;
}

function isVisualSeparator(c: i32): bool {
  return c == char.HYPHEN || c == char.DOT || c == char.ROUND_OPEN || c == char.ROUND_CLOSE;
}

/** Whether [start, end) is a digit, then hex digits, `*`, separators and the pauses `p` and `w` of RFC 2806 up to a `;` (RFC 3966). */
export function isLocalTel(start: i32, end: i32): bool {
  if (!isDigit(load8(start))) return false;
  let p = start + 1;
  while (p < end && isLocalTelByte(load8(p))) p++;
  return p < end && load8(p) == char.SEMICOLON;
}

function isLocalTelByte(c: i32): bool {
  return (
    (classOf(c) & CLASS_HEX) != 0 || c == char.ASTERISK || isVisualSeparator(c) || lower(c) == char.LOWER_P || lower(c) == char.LOWER_W
  );
}

function hasContext(start: i32, end: i32, facts: i32): bool {
  if ((facts & WITHOUT_CONTEXT) != 0) return false;
  let p = findByte(start, end, char.SEMICOLON);
  while (p + CONTEXT_BYTES < end && !startsWithAnyCase(p + 1, "phone-context=")) p = findByte(p + 1, end, char.SEMICOLON);
  return p + CONTEXT_BYTES < end;
}
