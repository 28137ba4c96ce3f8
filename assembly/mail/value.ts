// The body of a structured header field: tokens, parameters, quoted strings, comments (RFC 2045 5.1, RFC 2231).

import { load8 } from "../platform/memory.ts";
import { isDigit } from "./source.ts";

/** The value of the parameter that readParameter found last; inside quotation marks without these. */
export let valueStart: i32 = 0;
export let valueEnd: i32 = 0;
/** Its name, without what RFC 2231 puts behind it. */
export let nameStart: i32 = 0;
export let nameEnd: i32 = 0;
/** The number of the section that it is, or -1; whether it is percent-encoded; whether it stands in quotation marks. */
export let section: i32 = -1;
export let isExtended: bool = false;
export let isQuoted: bool = false;

/** Highest number of a section that is read. */
export const SECTION_MAX: i32 = 9;

function isSpace(c: i32): bool {
  return c == 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** The first parenthesis that nothing closes: it begins no comment, nor does any behind it, so that each is looked at once. */
let unclosed: i32 = 0;

/** Begins to read another body. */
export function beginBody(): void {
  unclosed = 0;
}

/** First byte in [p, end) that is neither white space nor in a comment. */
export function skipSpace(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    if (isSpace(load8(p))) {
      p++;
      continue;
    }
    const behind = commentEnd(p, end);
    if (behind == 0) break;
    p = behind;
  }
  return p;
}

/** Behind the comment at `p`, or 0 where none stands there. */
function commentEnd(start: i32, end: i32): i32 {
  if (load8(start) != 0x28 || (unclosed > 0 && start >= unclosed)) return 0;
  let depth = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == 0x28) depth++;
    else if (c == 0x5c) p++;
    else if (c == 0x29) {
      depth--;
      if (depth == 0) return p + 1;
    }
  }
  unclosed = start;
  return 0;
}

/** Behind the token at `p`: up to white space, `;`, `,`, `/`, `=`, `(` or a quotation mark. */
export function tokenEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    const c = load8(p);
    if (isSpace(c) || c == 0x3b || c == 0x2c || c == 0x2f || c == 0x3d || c == 0x28 || c == 0x22) break;
    p++;
  }
  return p;
}

/** Reads the next parameter behind a `;` in [start, end); returns the address behind it, or 0 where there is none. */
export function readParameter(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    p = findSemicolon(p, end);
    if (p == end) break;
    p = skipSpace(p + 1, end);
    nameStart = p;
    p = tokenEnd(p, end);
    const name = p;
    p = skipSpace(p, end);
    if (p >= end || load8(p) != 0x3d) continue;
    readNumber(name);
    p = skipSpace(p + 1, end);
    isQuoted = p < end && load8(p) == 0x22;
    if (isQuoted) {
      valueStart = p + 1;
      valueEnd = quotedEnd(valueStart, end);
      return valueEnd + 1;
    }
    valueStart = p;
    while (p < end && load8(p) != 0x3b && !isSpace(load8(p))) p++;
    valueEnd = p;
    return p;
  }
  return 0;
}

/** The first `;` in [start, end) that stands neither in quotation marks nor in a comment, or `end`. */
function findSemicolon(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) != 0x3b) {
    const comment = commentEnd(p, end);
    p = comment > 0 ? comment : load8(p) == 0x22 ? quotedEnd(p + 1, end) + 1 : p + 1;
  }
  return p < end ? p : end;
}

/** Reads what RFC 2231 puts behind the name [nameStart, end): `*`, a number, `*`. */
function readNumber(end: i32): void {
  let p = end;
  isExtended = p > nameStart && load8(p - 1) == 0x2a;
  if (isExtended) p--;
  const isNumbered = p > nameStart + 2 && isDigit(load8(p - 1)) && load8(p - 2) == 0x2a;
  section = isNumbered ? load8(p - 1) - 0x30 : -1;
  nameEnd = isNumbered ? p - 2 : p;
}

/** The closing quotation mark, or `end`. */
function quotedEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) != 0x22) p += load8(p) == 0x5c ? 2 : 1;
  return p < end ? p : end;
}
