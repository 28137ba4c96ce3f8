// The last changes to a path, after N2, by its scheme: dot segments (N4), empty paths (N5), lower case (N6).

import { findByte, lower } from "../bytes/ascii.ts";
import { AT, COLON, COMMA, DOT, LOWER_A, LOWER_D, LOWER_I, ONE, PERCENT, SEMICOLON, SLASH } from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import * as rule from "../layout/notes.ts";
import * as row from "../layout/scheme-rows.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { findLastAt } from "./shape.ts";

/**
 * Finishes the path [start, end) of the output in place; returns its new end. `special`: SPECIAL_* of the scheme. `hasQuery`: a `?`
 * follows.
 */
export function finishPath(start: i32, end: i32, hierarchical: bool, hasQuery: bool, special: i32): i32 {
  let at = hierarchical ? removeDotSegments(start, end) : end;
  if (at < end) note(rule.N4_DOTS, start, end);
  if (at == start && (hierarchical || special == row.SPECIAL_LOGIN)) {
    store8(at++, SLASH);
    note(rule.N5_PATH, start, end);
  } else if (special == row.SPECIAL_GOPHER && at - start < 2 && !hasQuery) {
    // The path is empty or `/`: an empty selector of the default type. A `?` would be part of the selector (P3).
    store8(start, SLASH);
    store8(start + 1, ONE);
    at = start + 2;
    note(rule.N5_PATH, start, end);
  } else if (special == row.SPECIAL_FTP) {
    lowerType(start, at);
  } else if (special == row.SPECIAL_MAILTO) {
    lowerDomains(start, at);
  } else if (special == row.SPECIAL_DOMAIN) {
    lowerDomain(start, at);
  } else if (special == row.SPECIAL_URN) {
    const colon = findByte(start, at, COLON);
    if (colon < at) lowerLetters(start, colon);
  }
  return at;
}

/** Applies RFC 3986 5.2.4 to a path that is empty or starts with `/`. */
function removeDotSegments(start: i32, end: i32): i32 {
  let at = start;
  let p = start;
  while (p < end) {
    let next = p + 1;
    while (next < end && load8(next) != SLASH) next++;
    const dots = dotsOf(p + 1, next);
    if (dots == 0) {
      copyBytes(at, p, next - p);
      at += next - p;
    } else {
      if (dots == 2) at = beforeLastSegment(start, at);
      if (next == end) store8(at++, SLASH);
    }
    p = next;
  }
  return at;
}

/** Returns 1 if the segment [start, end) is `.`, 2 if it is `..`, else 0. */
function dotsOf(start: i32, end: i32): i32 {
  const length = end - start;
  if (length < 1 || length > 2 || load8(start) != DOT || load8(end - 1) != DOT) return 0;
  return length;
}

function beforeLastSegment(start: i32, end: i32): i32 {
  let p = end;
  while (p > start) {
    p--;
    if (load8(p) == SLASH) break;
  }
  return p;
}

/** Lower-cases `;type=` and one of a, i, d at the end of an ftp path. */
function lowerType(start: i32, end: i32): void {
  const type = end - 7;
  if (type < start || !startsWithAnyCase(type, ";type=")) return;
  const code = lower(load8(end - 1));
  if (code == LOWER_A || code == LOWER_I || code == LOWER_D) lowerLetters(type, end);
}

/** Lower-cases the domain of each address of a mailto. */
function lowerDomains(start: i32, end: i32): void {
  let address = start;
  while (address < end) {
    const next = findByte(address, end, COMMA);
    const at = findLastAt(address, next);
    if (at >= address) lowerLetters(at, next);
    address = next + 1;
  }
}

/** Lower-cases the domain of a sip, sips or xmpp address: from its first `@` to the next `/` `;` or `,`, or to the end. */
function lowerDomain(start: i32, end: i32): void {
  const at = findByte(start, end, AT);
  let domainEnd = at;
  while (domainEnd < end && !endsDomain(load8(domainEnd))) domainEnd++;
  lowerLetters(at, domainEnd);
}

/** Whether `c` is `/` `;` or `,`. */
function endsDomain(c: i32): bool {
  return c == SLASH || c == SEMICOLON || c == COMMA;
}

/** Lower-cases the letters of [start, end), but not those of triplets. */
function lowerLetters(start: i32, end: i32): void {
  let p = start;
  while (p < end) {
    if (load8(p) == PERCENT) {
      p += 3;
    } else {
      if (isNoting() && load8(p) != lower(load8(p))) note(rule.N6_CASE, p, p + 1);
      store8(p, lower(load8(p)));
      p++;
    }
  }
}
