// The body of a structured header field: tokens, parameters, quoted strings, comments (RFC 2045 5.1, RFC 2231).

import { isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { load8 } from "../platform/memory.ts";

/** Start of the value that readParameter found last, without its quotation marks. */
export let valueStart: i32 = 0;
export let valueEnd: i32 = 0;
/** Start of the name of the parameter. */
export let nameStart: i32 = 0;
/** End of the name, without the suffixes of RFC 2231. */
export let nameEnd: i32 = 0;
/** The section number of the value, or WHOLE. */
export let section: i32 = 0;
/** Whether the name shows that the value is percent-encoded. */
export let isExtended: bool = false;
export let isQuoted: bool = false;

/** Highest number of a section that is read. */
export const SECTION_MAX: i32 = 9;
export const WHOLE: i32 = -1; // The section number of a value that is no section

/** Whether `c` is ASCII white space: a space, or 09 to 0D. */
export function isWhiteSpace(c: i32): bool {
  return c == char.SPACE || (c >= char.TAB && c <= char.CR);
}

/** Address of the first parenthesis that is not closed, or 0. No comment begins there or later, so no search for an end is repeated. */
let unclosed: i32 = 0;

/** Begins to read the body of a field in [start, end); returns its first byte that is neither white space nor in a comment, or `end`. */
export function beginValue(start: i32, end: i32): i32 {
  unclosed = 0;
  return skipSpace(start, end);
}

/** Returns the first byte in [start, end) that is neither white space nor in a comment, or `end`. */
export function skipSpace(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    if (isWhiteSpace(load8(p))) {
      p++;
      continue;
    }
    const comment = commentEnd(p, end);
    if (comment == 0) break;
    p = comment;
  }
  return p;
}

/** Returns the end of the comment at `start`, or 0. */
function commentEnd(start: i32, end: i32): i32 {
  if (load8(start) != char.ROUND_OPEN || (unclosed > 0 && start >= unclosed)) return 0;
  let depth = 0;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == char.ROUND_OPEN) depth++;
    else if (c == char.BACKSLASH) p++;
    else if (c == char.ROUND_CLOSE) {
      depth--;
      if (depth == 0) return p + 1;
    }
  }
  unclosed = start;
  return 0;
}

/** Returns the end of the token at `start`: it ends at white space, `;`, `,`, `/`, `=`, `(` or a quotation mark. */
export function tokenEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && !endsToken(load8(p))) p++;
  return p;
}

function endsToken(c: i32): bool {
  return (
    isWhiteSpace(c) ||
    c == char.SEMICOLON ||
    c == char.COMMA ||
    c == char.SLASH ||
    c == char.EQUALS ||
    c == char.ROUND_OPEN ||
    c == char.QUOTE
  );
}

/** Reads the next parameter in [start, end): a word, `=` and a value. Returns the address after it; 0: there is none. */
export function readParameter(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    p = skipSpace(p, end);
    nameStart = p;
    const name = tokenEnd(p, end);
    p = skipSpace(name, end);
    if (p == end) break;
    if (name == nameStart) {
      p = load8(p) == char.QUOTE ? quotedEnd(p + 1, end) + 1 : p + 1;
      continue;
    }
    if (load8(p) != char.EQUALS) continue;
    readSuffixes(name);
    p = skipSpace(p + 1, end);
    isQuoted = p < end && load8(p) == char.QUOTE;
    if (isQuoted) {
      valueStart = p + 1;
      valueEnd = quotedEnd(valueStart, end);
      return valueEnd + 1;
    }
    valueStart = p;
    while (p < end && load8(p) != char.SEMICOLON && !isWhiteSpace(load8(p))) p++;
    valueEnd = p;
    return p;
  }
  return 0;
}

/** Adds to an unquoted value in [start, end) the words after it that begin neither a comment nor a parameter: `abc def`. */
export function extendValue(end: i32): void {
  if (isQuoted || isExtended) return;
  let p = valueEnd;
  while (p < end && isWhiteSpace(load8(p))) {
    while (p < end && isWhiteSpace(load8(p))) p++;
    const word = p;
    while (p < end && load8(p) != char.SEMICOLON && load8(p) != char.EQUALS && !isWhiteSpace(load8(p))) p++;
    if (p == word || load8(word) == char.ROUND_OPEN || (p < end && load8(p) == char.EQUALS)) return;
    valueEnd = p;
  }
}

/** Reads the suffixes of RFC 2231 at the end of the name [nameStart, end): `*`, a digit, `*`. */
function readSuffixes(end: i32): void {
  let p = end;
  isExtended = p > nameStart && load8(p - 1) == char.ASTERISK;
  if (isExtended) p--;
  const isNumbered = p > nameStart + 2 && isDigit(load8(p - 1)) && load8(p - 2) == char.ASTERISK;
  section = isNumbered ? load8(p - 1) - char.ZERO : WHOLE;
  nameEnd = isNumbered ? p - 2 : p;
}

/** Returns the address of the closing quotation mark, or `end`. */
function quotedEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) != char.QUOTE) p += load8(p) == char.BACKSLASH ? 2 : 1;
  return p < end ? p : end;
}
