// The host in normal form (N1, N7), and its flags (W).

import { classOf, findByte, lower } from "../bytes/ascii.ts";
import { AT, BACKSLASH, COLON, DOT, NON_ASCII, PERCENT, SQUARE_OPEN, ZERO } from "../bytes/characters.ts";
import { CLASS_DIGIT, CLASS_FORBIDDEN_HOST, CLASS_HEX, SET_NOT_HOST } from "../bytes/classes.ts";
import { isSameText, startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair } from "../bytes/number.ts";
import { decodeCharacter } from "../bytes/utf8.ts";
import { FLAG_IDN, FLAG_NUMERIC_HOST, FLAG_OBFUSCATED, LABELS_DISGUISED, REASON_BAD_HOST } from "../layout/codes.ts";
import { HOST_REGION } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { toALabels } from "../platform/callbacks.ts";
import { copyLower } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { isHostName, isTriplet, startsComponent } from "./authority.ts";
import { isMappedAddress, writeIpLiteral } from "./ip-literal.ts";
import { writeTriplet } from "./percent.ts";

/** Whether decodeHost has decoded the triplet of a host byte, which needs no encoding (W). */
let hidesHostByte: bool = false;

/** Writes the host [start, end) in normal form to `to`; returns the address after it, or -REASON_BAD_HOST. (N1, N7) */
export function writeHost(start: i32, end: i32, to: i32): i32 {
  if (load8(start) == SQUARE_OPEN) {
    const literalEnd = writeIpLiteral(start, end, to);
    if (isNoting() && (end - start != literalEnd - to || !isSameText(start, end, to))) note(rule.N7_ADDRESS, start, end);
    return literalEnd;
  }
  let plain = true;
  for (let p = start; p < end && plain; p++) plain = load8(p) < NON_ASCII && load8(p) != PERCENT;
  if (plain) {
    copyLower(to, start, end);
    if (isNoting() && !isSameText(start, end, to)) note(rule.N1_HOST, start, end);
    return to + end - start;
  }
  const decodedEnd = decodeHost(start, end);
  const isPossible = isPossibleHost(HOST_REGION, decodedEnd);
  const isAscii = !hasNonAscii(HOST_REGION, decodedEnd);
  const isDecoded = decodedEnd - HOST_REGION < end - start;
  const nameEnd = isAscii || !isPossible ? decodedEnd : HOST_REGION + (toALabels(decodedEnd - HOST_REGION) & ~LABELS_DISGUISED);
  const written = isPossible ? writeName(HOST_REGION, nameEnd, to) : -REASON_BAD_HOST;
  if (isDecoded) note(rule.N1_DECODED, start, end);
  if (written < 0) note(rule.N1_REFUSED, start, end);
  else if (!isAscii) note(rule.N1_LABELS, start, end);
  return written;
}

/** Decodes the triplets of a host into HOST_REGION; returns the end. */
function decodeHost(start: i32, end: i32): i32 {
  let at = HOST_REGION;
  let p = start;
  hidesHostByte = false;
  while (p < end) {
    if (isTriplet(p)) {
      const value = hexPair(p + 1);
      if (isHostCharacter(value)) hidesHostByte = true;
      store8(at++, value);
      p += 3;
    } else {
      store8(at++, load8(p));
      p++;
    }
  }
  store8(at, 0);
  return at;
}

function isHostCharacter(c: i32): bool {
  return (classOf(c) & (1 << SET_NOT_HOST)) == 0;
}

/** Whether the decoded host [start, end) is well-formed UTF-8 without forbidden domain code points (N1). */
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

/** Writes an ASCII host name in lower case to `to`, and bytes that X2 does not allow as triplets. Returns the end, or -REASON_BAD_HOST. */
function writeName(start: i32, end: i32, to: i32): i32 {
  if (!isHostName(start, end)) return -REASON_BAD_HOST;
  let at = to;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (isHostCharacter(c)) store8(at++, lower(c));
    else at = writeTriplet(c, at);
  }
  return at;
}

/**
 * Returns FLAG_NUMERIC_HOST, FLAG_IDN and FLAG_OBFUSCATED of the host [start, end) of a raw form or of a normal form (W). `isKnown`: of a
 * known scheme, in which any number is an address.
 */
export function hostFlags(start: i32, end: i32, isKnown: bool): i32 {
  if (load8(start) == SQUARE_OPEN) {
    if (!isMappedAddress(start + 1, end - 1)) return 0;
    note(rule.W_NUMERIC, start, end);
    return FLAG_NUMERIC_HOST;
  }
  const decodedEnd = decodeHost(start, end);
  const isAscii = !hasNonAscii(HOST_REGION, decodedEnd);
  const idn = !isAscii || hasALabel(HOST_REGION, decodedEnd);
  let number = numberFlags(HOST_REGION, decodedEnd);
  if ((number & FLAG_OBFUSCATED) != 0 && !isKnown) number = 0;
  const labels = isAscii ? 0 : toALabels(decodedEnd - HOST_REGION);
  if ((labels & LABELS_DISGUISED) != 0) {
    note(rule.W_MAPPED, start, end);
    return FLAG_IDN | FLAG_OBFUSCATED | numberFlags(HOST_REGION, HOST_REGION + (labels & ~LABELS_DISGUISED));
  }
  if (idn) note(rule.W_IDN, start, end);
  if (number != 0) note(rule.W_NUMERIC, start, end);
  if ((number & FLAG_OBFUSCATED) != 0) note(rule.W_NUMBER, start, end);
  if (hidesHostByte) note(rule.W_TRIPLET, start, end);
  return number | (idn ? FLAG_IDN : 0) | (hidesHostByte ? FLAG_OBFUSCATED : 0);
}

/** Whether the userinfo [start, end) has two labels and a dot between them, like a host, at its start or after an `@` (W). */
export function showsHost(start: i32, end: i32): bool {
  for (let p = start; p < end; p++) {
    const at = findByte(p, end, AT);
    const decodedEnd = decodeHost(p, at);
    const label = skipLabel(HOST_REGION, decodedEnd);
    const next = label + 1;
    if (label > HOST_REGION && label < decodedEnd && load8(label) == DOT && skipLabel(next, decodedEnd) > next) return true;
    p = at;
  }
  return false;
}

/** Returns the address after the bytes of a label at `start`. */
function skipLabel(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) != DOT && (load8(p) >= NON_ASCII || isHostCharacter(load8(p)))) p++;
  return p;
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

/**
 * Returns FLAG_NUMERIC_HOST if the decoded host is one to four decimal, octal or hexadecimal numbers with dots between, perhaps with a
 * final dot, up to endsHost. Adds FLAG_OBFUSCATED unless it is four decimal numbers. Returns 0 for other hosts.
 */
function numberFlags(start: i32, end: i32): i32 {
  let p = start;
  let flags = FLAG_NUMERIC_HOST;
  for (let parts = 1; parts <= 4; parts++) {
    const hex = p + 1 < end && startsWithAnyCase(p, "0x");
    const digits = hex ? p + 2 : p;
    p = digits;
    while (p < end && (classOf(load8(p)) & (hex ? CLASS_HEX : CLASS_DIGIT)) != 0) p++;
    if (p == digits && !hex) return 0;
    if (hex || (load8(digits) == ZERO && p - digits > 1)) flags = FLAG_NUMERIC_HOST | FLAG_OBFUSCATED;
    const isLast = endsHost(p, end) || (load8(p) == DOT && endsHost(p + 1, end));
    if (isLast) return parts < 4 ? FLAG_NUMERIC_HOST | FLAG_OBFUSCATED : flags;
    if (load8(p) != DOT) return 0;
    p++;
  }
  return 0;
}

/** Whether a program that decodes a URL before it splits the URL takes `p` for the end of the host. */
function endsHost(p: i32, end: i32): bool {
  return p >= end || startsComponent(load8(p)) || load8(p) == COLON || load8(p) == BACKSLASH;
}
