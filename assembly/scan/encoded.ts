// Percent-encoded URLs in text (C146). Decodes the value that holds one into a copy, and maps addresses of the copy to the text.

import { classOf, lower } from "../bytes/ascii.ts";
import { AMPERSAND, COLON, COMMA, LOWER_F, PERCENT, ROUND_OPEN, SEMICOLON, SLASH, TWO } from "../bytes/characters.ts";
import { CLASS_QUERY } from "../bytes/classes.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { OUTPUT_REGION } from "../layout/memory.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { findEncodedThree } from "../platform/trigger.ts";
import { isSchemeByte, schemeFollows } from "../url/scheme.ts";
import * as state from "./state.ts";

/** Number of bytes on each side of the copy: before it those before the scheme, which its candidate may read; after it zeros. */
const AROUND: i32 = 16;
const TRIPLET_BYTES: i32 = 3; // Length of a triplet
const SEPARATOR_BYTES_MAX: i32 = 9; // Length of `%3A%2F%2F`
const COPY: i32 = OUTPUT_REGION + AROUND; // The copy is in OUTPUT_REGION, which is free until `emit`

/** End of the value in the text; 0: there is no copy. */
let valueEnd: i32 = 0;
let copyEnd: i32 = 0;
/** Address of the last candidate of openValue in the text. */
let source: i32 = 0;
/** Address of that candidate in the copy. */
let copied: i32 = 0;

/** Discards the copy. To be called when the bytes of the window or of OUTPUT_REGION have changed. */
export function resetEncoded(): void {
  valueEnd = 0;
}

/** Returns the first `%3A` in [start, end) that may end the scheme of an encoded URL, or `end`. */
export function findEncoded(start: i32, end: i32): i32 {
  for (let p = start; p < end; p++) {
    p = findEncodedThree(p, end);
    if (p >= end || (isSchemeByte(load8(p - 1)) && (isCut(p) || isEncodedSeparator(p)))) return p;
  }
  return end;
}

/** Whether the end of an open window may cut the `%3A%2F%2F` at `p`. */
export function isCut(p: i32): bool {
  return !state.final && p + SEPARATOR_BYTES_MAX > state.high;
}

/** Whether `%3A` is at `p` and two slashes, literal or in triplets, after it. */
function isEncodedSeparator(p: i32): bool {
  if (!isHexPair(p + 1) || hexPair(p + 1) != COLON) return false;
  const second = slashEnd(p + TRIPLET_BYTES);
  return second != 0 && slashEnd(second) != 0;
}

/** Returns the address after the slash or its triplet at `p`, or 0. */
function slashEnd(p: i32): i32 {
  if (load8(p) == SLASH) return p + 1;
  return load8(p) == PERCENT && load8(p + 1) == TWO && lower(load8(p + 2)) == LOWER_F ? p + TRIPLET_BYTES : 0;
}

/** Returns the first address in the scheme characters [run, colon) at which a name may begin: after the digits of a triplet. */
export function skipTriplet(run: i32, colon: i32): i32 {
  return run + 2 <= colon && load8(run - 1) == PERCENT && isHexPair(run) ? run + 2 : run;
}

/** Whether a value may contain `c`: a query character of RFC 3986, but no separator of values and no `%`. */
function isValueByte(c: i32): bool {
  return (classOf(c) & CLASS_QUERY) != 0 && c != AMPERSAND && c != COMMA && c != SEMICOLON;
}

/**
 * Decodes the value from `scheme` on, up to the byte at `last` at most, unless the copy has it already. Returns the address of the
 * candidate in the copy, or NEED_INPUT. A value with many candidates is decoded only once.
 */
export function openValue(scheme: i32, last: i32): i32 {
  if (scheme < valueEnd) {
    advance(scheme);
  } else {
    const end = decodeValue(scheme, last);
    if (end == state.NEED_INPUT) return end;
    source = scheme;
    copied = COPY;
    valueEnd = end;
    for (let i = 0; i < AROUND; i++) store8(copyEnd + i, 0);
  }
  copyBytes(copied - AROUND, scheme - AROUND, AROUND);
  return copied;
}

/**
 * Decodes the value from `start` up to the byte at `last` at most to COPY, and sets copyEnd. Returns its end in the text, or NEED_INPUT.
 */
function decodeValue(start: i32, last: i32): i32 {
  let p = start;
  copyEnd = COPY;
  while (p <= last) {
    if (p + TRIPLET_BYTES > state.high && !state.final) return state.NEED_INPUT;
    if (p >= state.high) return p;
    let c = load8(p);
    let length = 1;
    if (c == PERCENT) {
      if (p + TRIPLET_BYTES > state.high || !isHexPair(p + 1)) return p;
      c = hexPair(p + 1);
      length = TRIPLET_BYTES;
    } else if (!isValueByte(c)) {
      return p;
    } else if (c == ROUND_OPEN) {
      // A `(` before a scheme ends the unbroken run.
      if (state.isOpenEnded(p)) return state.NEED_INPUT;
      if (schemeFollows(p + 1, state.high)) return p;
    }
    store8(copyEnd++, c);
    p += length;
  }
  return p;
}

/** Moves `source` and `copied` to `scheme`. */
function advance(scheme: i32): void {
  while (source < scheme) {
    source += lengthAt(source);
    copied++;
  }
}

/** Returns the length of the byte of a value at `p`, literal or as a triplet. */
function lengthAt(p: i32): i32 {
  return load8(p) == PERCENT ? TRIPLET_BYTES : 1;
}

/** Returns the address after the copy. */
export function valueLimit(): i32 {
  return copyEnd;
}

/** Returns the address in the text for the address `end` in the copy, which is after the start of the last candidate. */
export function sourceOfValue(end: i32): i32 {
  let p = source;
  for (let at = copied; at < end; at++) p += lengthAt(p);
  return p;
}

/** Writes the value [start, end) decoded to `to`; returns the address after it. */
export function writeDecoded(start: i32, end: i32, to: i32): i32 {
  let at = to;
  for (let p = start; p < end; p += lengthAt(p)) store8(at++, load8(p) == PERCENT ? hexPair(p + 1) : load8(p));
  return at;
}
