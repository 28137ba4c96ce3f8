// The authority (X2): userinfo, host and port in a region that ends at `/` `?` `#` or where the match must end.

import { classOf, findByte } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_USERINFO, SET_NOT_HOST } from "../bytes/classes.ts";
import { isHexPair, numberEnd, parseNumber } from "../bytes/number.ts";
import { REASON_BAD_HOST, REASON_BAD_PORT, REASON_NO_HOST, REASON_NONE } from "../layout/codes.ts";
import { SPECIAL_FILE } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { isIpLiteral } from "./ip-literal.ts";
import { findKnown, specialOf } from "./scheme.ts";

/** The `@` after the userinfo; -1: there is no userinfo. */
export let userinfoEnd: i32 = -1;
export let hostStart: i32 = 0;
export let hostEnd: i32 = 0;
/** The address after the colon of the port; -1: no colon after the host belongs to the match. */
export let portStart: i32 = -1;
/** Value of the port, 0 if it has no digits. */
export let portValue: i32 = 0;
/** The end of the authority. If it is the end of the region, the match may continue there. */
export let authorityEnd: i32 = 0;

const PORT_MAX: i32 = 65535;

/** Returns the first `/` `?` `#` in [start, end), or `end`. */
export function findAuthorityEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && !startsComponent(load8(p))) p++;
  return p;
}

/** Whether `c` ends an authority: `/` `?` `#`. */
export function startsComponent(c: i32): bool {
  return c == char.SLASH || c == char.QUESTION || c == char.HASH;
}

/** Whether a percent triplet is at `p`. */
export function isTriplet(p: i32): bool {
  return load8(p) == char.PERCENT && isHexPair(p + 1);
}

/** Whether the run of host bytes [start, end) is a host name: it is not empty and begins with no `-` or `.` (X2). */
export function isHostName(start: i32, end: i32): bool {
  return start < end && load8(start) != char.HYPHEN && load8(start) != char.DOT;
}

/**
 * Parses the authority in [start, end) and sets the addresses above; returns REASON_*. `end` is at `/` `?` `#`, or where the match must
 * end. If the match ends before `end`, authorityEnd is its end (X2).
 */
export function parseAuthority(start: i32, end: i32): i32 {
  userinfoEnd = findUserinfoEnd(start, end);
  hostStart = userinfoEnd < 0 ? start : userinfoEnd + 1;
  hostEnd = hostStart;
  portStart = -1;
  portValue = 0;
  authorityEnd = hostStart;
  if (hostStart >= end) return reasonWithoutHost(start);
  if (load8(hostStart) == char.SQUARE_OPEN) {
    hostEnd = findByte(hostStart, end, char.SQUARE_CLOSE);
    if (hostEnd == end || !isIpLiteral(hostStart + 1, hostEnd)) return REASON_BAD_HOST;
    hostEnd++;
  } else {
    hostEnd = skipHost(hostStart, end);
    if (!isHostName(hostStart, hostEnd)) return reasonWithoutHost(start);
    if (load8(hostEnd) == char.COLON && isSchemeName()) return REASON_BAD_HOST;
  }
  authorityEnd = hostEnd;
  if (hostEnd < end && load8(hostEnd) == char.COLON) return parsePort(hostEnd + 1, end);
  return REASON_NONE;
}

function isSchemeName(): bool {
  return load8(hostEnd + 1) == char.SLASH && load8(hostEnd + 2) == char.SLASH && findKnown(hostStart, hostEnd - hostStart) >= 0;
}

/** Returns the last `@` in [start, end); -1: there is none, or a backslash is before it, which programs read as a slash. */
function findUserinfoEnd(start: i32, end: i32): i32 {
  let at = end - 1;
  while (at >= start && load8(at) != char.AT) at--;
  return at < start || findByte(start, at, char.BACKSLASH) < at ? -1 : at;
}

/** Returns the reason for a missing host: REASON_BAD_HOST after a userinfo that RFC 3986 does not allow, else REASON_NO_HOST (X12). */
function reasonWithoutHost(start: i32): i32 {
  for (let p = start; p < userinfoEnd; p++) {
    const c = load8(p);
    if (c < char.NON_ASCII && (classOf(c) & CLASS_USERINFO) == 0) return REASON_BAD_HOST;
  }
  return REASON_NO_HOST;
}

/** Returns the address after the longest run of host bytes from `start`, at most `end`. Takes every non-ASCII byte for a host byte. */
function skipHost(start: i32, end: i32): i32 {
  let p = start;
  while (p < end) {
    p = findInSet(p, end, SET_NOT_HOST);
    if (p >= end) return end;
    if (isTriplet(p) && p + 3 <= end) p += 3;
    else if (load8(p) >= char.NON_ASCII) p++;
    else return p;
  }
  return p;
}

function isHostByte(p: i32, end: i32): bool {
  if (p >= end) return false;
  const c = load8(p);
  return c >= char.NON_ASCII || (classOf(c) & (1 << SET_NOT_HOST)) == 0 || (p + 3 <= end && isTriplet(p));
}

/** Parses the port, the longest run of digits at `start`, which is after the colon. Returns REASON_*. (X2) */
function parsePort(start: i32, end: i32): i32 {
  const value = parseNumber(start, end, false, PORT_MAX + 1);
  const p = numberEnd;
  const c = p < end ? load8(p) : 0;
  if (c == char.COLON) {
    if (isHostByte(p + 1, end)) {
      authorityEnd = p;
      return REASON_BAD_PORT;
    }
    if (p == start) return REASON_NONE;
  } else if (p < end ? endsInHostByte(p, end) : p == start && !startsComponent(load8(end))) {
    return REASON_NONE;
  }
  if (p == start && p < end) return REASON_NONE;
  authorityEnd = p;
  if (value > PORT_MAX) return REASON_BAD_PORT;
  portStart = start;
  portValue = value;
  return REASON_NONE;
}

/** Whether any number of `.` `-` `_` and then an ASCII host byte are at `p`. Then the match ends before the colon of the port. */
function endsInHostByte(p: i32, end: i32): bool {
  const at = skipHostMarks(p, end);
  return at < end && load8(at) < char.NON_ASCII && isHostByte(at, end);
}

/** Returns the first byte in [start, end) that is none of `.` `-` `_`, or `end`. */
export function skipHostMarks(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && (load8(p) == char.DOT || load8(p) == char.HYPHEN || load8(p) == char.UNDERSCORE)) p++;
  return p;
}

/**
 * Parses all of [start, end) as the authority of a URL that ends at `urlEnd` (P0); returns REASON_*. `scheme`: the row of the scheme. The
 * authority may be empty for an unknown scheme, and for file if a `/` follows. A colon at the end of the URL is an empty port.
 */
export function parseWholeAuthority(start: i32, end: i32, urlEnd: i32, scheme: i32): i32 {
  const reason = parseAuthority(start, end);
  if (reason == REASON_NO_HOST && start == end) {
    const path = end < urlEnd && load8(end) == char.SLASH;
    return scheme < 0 || (path && specialOf(scheme) == SPECIAL_FILE) ? REASON_NONE : REASON_NO_HOST;
  }
  if (reason != REASON_NONE || authorityEnd == end) return reason;
  if (load8(hostEnd) != char.COLON) return REASON_BAD_HOST;
  return authorityEnd == hostEnd && hostEnd + 1 == end && end == urlEnd ? REASON_NONE : REASON_BAD_PORT;
}
