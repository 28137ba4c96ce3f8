// The host in normal form (N1, N7) and what its flags say (W).

import { classOf, lower } from "../bytes/ascii.ts";
import { DOT, HYPHEN, NON_ASCII, PERCENT, SQUARE_OPEN } from "../bytes/characters.ts";
import { CLASS_DIGIT, CLASS_FORBIDDEN_HOST, CLASS_HEX, SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair } from "../bytes/number.ts";
import { decodeCharacter } from "../bytes/utf8.ts";
import { FLAG_IDN, FLAG_NUMERIC_HOST, REASON_BAD_HOST } from "../layout/codes.ts";
import { HOST_REGION } from "../layout/memory.ts";
import { toALabels } from "../platform/callbacks.ts";
import { copyLower } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { isTriplet } from "./authority.ts";
import { writeIpLiteral } from "./ip-literal.ts";
import { writeTriplet } from "./percent.ts";

/** Writes the host [start, end) in normal form to `to`; returns the address after it, or -REASON_BAD_HOST. (N1, N7) */
export function writeHost(start: i32, end: i32, to: i32): i32 {
  if (load8(start) == SQUARE_OPEN) return writeIpLiteral(start, end, to);
  let plain = true;
  for (let p = start; p < end && plain; p++) plain = load8(p) < NON_ASCII && load8(p) != PERCENT;
  if (plain) {
    copyLower(to, start, end);
    return to + end - start;
  }
  const decodedEnd = decodeHost(start, end);
  if (!isPossibleHost(HOST_REGION, decodedEnd)) return -REASON_BAD_HOST;
  const isAscii = !hasNonAscii(HOST_REGION, decodedEnd);
  return writeName(HOST_REGION, isAscii ? decodedEnd : HOST_REGION + toALabels(decodedEnd - HOST_REGION), to);
}

/** Decodes the triplets of a host into HOST_REGION; returns the end. */
function decodeHost(start: i32, end: i32): i32 {
  let at = HOST_REGION;
  let p = start;
  while (p < end) {
    if (isTriplet(p)) {
      store8(at++, hexPair(p + 1));
      p += 3;
    } else {
      store8(at++, load8(p));
      p++;
    }
  }
  store8(at, 0);
  return at;
}

/** Whether it is well-formed UTF-8 without forbidden domain code points (N1). */
function isPossibleHost(start: i32, end: i32): bool {
  let p = start;
  while (p < end) {
    const c = load8(p);
    if (c < NON_ASCII) {
      if ((classOf(c) & CLASS_FORBIDDEN_HOST) != 0) return false;
      p++;
      continue;
    }
    const character = decodeCharacter(p);
    if (character == 0) return false;
    p += character & 7;
  }
  return true;
}

/** Writes an ASCII host name in lower case; what is no host byte of X2 becomes a triplet. A name that X2 would not take is none. */
function writeName(start: i32, end: i32, to: i32): i32 {
  if (start >= end || load8(start) == HYPHEN || load8(start) == DOT) return -REASON_BAD_HOST;
  let at = to;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if ((classOf(c) & (1 << SET_NOT_HOST)) == 0) store8(at++, lower(c));
    else at = writeTriplet(c, at);
  }
  return at;
}

/** Returns FLAG_NUMERIC_HOST and FLAG_IDN of the host [start, end) as written (W). */
export function hostFlags(start: i32, end: i32): i32 {
  if (load8(start) == SQUARE_OPEN) return 0;
  const decodedEnd = decodeHost(start, end);
  const idn = hasNonAscii(HOST_REGION, decodedEnd) || hasALabel(HOST_REGION, decodedEnd);
  return (isNumeric(HOST_REGION, decodedEnd) ? FLAG_NUMERIC_HOST : 0) | (idn ? FLAG_IDN : 0);
}

function hasNonAscii(start: i32, end: i32): bool {
  let p = start;
  while (p < end && load8(p) < NON_ASCII) p++;
  return p < end;
}

function hasALabel(start: i32, end: i32): bool {
  for (let p = start; p + 4 <= end; p++) {
    if ((p == start || load8(p - 1) == DOT) && startsWithAnyCase(p, "xn--")) return true;
  }
  return false;
}

/** Whether the host is one to four numbers joined by dots, a final dot allowed: decimal, octal or hexadecimal. */
function isNumeric(start: i32, end: i32): bool {
  let p = start;
  for (let parts = 0; parts < 4; parts++) {
    const hex = p + 1 < end && startsWithAnyCase(p, "0x");
    const digits = hex ? p + 2 : p;
    p = digits;
    while (p < end && (classOf(load8(p)) & (hex ? CLASS_HEX : CLASS_DIGIT)) != 0) p++;
    if (p == digits && !hex) return false;
    if (p == end) return true;
    if (load8(p) != DOT) return false;
    p++;
    if (p == end) return true;
  }
  return false;
}
