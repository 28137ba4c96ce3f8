// IP literals: IPv6 with a zone, and IPvFuture (X2, N7, RFC 3986 3.2.2, RFC 5952, RFC 6874).

import { CLASS_DIGIT, CLASS_HEX, CLASS_UNRESERVED, CLASS_USERINFO_KEPT } from "../bytes/classes.ts";
import { GROUPS } from "../layout/memory.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { hexValue, writeTriplets } from "./percent.ts";
import { classOf, lower } from "./scheme.ts";

// Eight words of a parsed address stand at GROUPS.

function isHex(c: i32): bool {
  return (classOf(c) & CLASS_HEX) != 0;
}

/** Whether [start, end), without the brackets, is an IPv6 address with or without a zone, or an IPvFuture. */
export function isIpLiteral(start: i32, end: i32): bool {
  if (start < end && lower(load8(start)) == 0x76) return isFuture(start + 1, end);
  const zone = findZone(start, end);
  if (zone < end && !isZone(zone, end)) return false;
  return parseGroups(start, zone);
}

function isFuture(start: i32, end: i32): bool {
  let p = start;
  while (p < end && isHex(load8(p))) p++;
  if (p == start || p + 1 >= end || load8(p) != 0x2e) return false;
  for (p++; p < end; p++) {
    if ((classOf(load8(p)) & CLASS_USERINFO_KEPT) == 0) return false;
  }
  return true;
}

/** The `%` before the zone, or `end`. */
function findZone(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) != 0x25) p++;
  return p;
}

/** First byte of the zone's name behind the `%` at `zone`, which may be written `%25`. */
function zoneName(zone: i32, end: i32): i32 {
  return zone + 3 < end && load8(zone + 1) == 0x32 && load8(zone + 2) == 0x35 ? zone + 3 : zone + 1;
}

function isZone(zone: i32, end: i32): bool {
  let p = zoneName(zone, end);
  if (p >= end) return false;
  while (p < end) {
    const c = load8(p);
    if (c == 0x25) {
      if (p + 2 >= end || !isHex(load8(p + 1)) || !isHex(load8(p + 2))) return false;
      p += 3;
    } else if ((classOf(c) & CLASS_UNRESERVED) != 0) {
      p++;
    } else {
      return false;
    }
  }
  return true;
}

/** Parses an IPv6 address into GROUPS; false if it is none. */
function parseGroups(start: i32, end: i32): bool {
  let p = start;
  let count = 0;
  let gap = -1;
  if (p + 1 < end && load8(p) == 0x3a) {
    if (load8(p + 1) != 0x3a) return false;
    gap = 0;
    p += 2;
  }
  while (p < end) {
    if (count == 8) return false;
    let value = 0;
    let digits = 0;
    while (p + digits < end && digits < 4 && isHex(load8(p + digits))) {
      value = (value << 4) | hexValue(load8(p + digits));
      digits++;
    }
    if (digits == 0) return false;
    if (p + digits < end && load8(p + digits) == 0x2e) {
      if (count > 6 || !parseDotted(p, end, count)) return false;
      count += 2;
      p = end;
      break;
    }
    storeWord(GROUPS + (count << 2), value);
    count++;
    p += digits;
    if (p == end) break;
    if (load8(p) != 0x3a) return false;
    p++;
    if (p == end) return false;
    if (load8(p) == 0x3a) {
      if (gap >= 0) return false;
      gap = count;
      p++;
    }
  }
  if (gap < 0) return count == 8;
  if (count == 8) return false;
  openGap(gap, count);
  return true;
}

/** Moves the groups behind `gap` to the end and puts zeros between. */
function openGap(gap: i32, count: i32): void {
  const shift = 8 - count;
  for (let i = count - 1; i >= gap; i--) storeWord(GROUPS + ((i + shift) << 2), loadWord(GROUPS + (i << 2)));
  for (let i = gap; i < gap + shift; i++) storeWord(GROUPS + (i << 2), 0);
}

/** Parses the dotted tail of an address (four decimal octets without leading zeros) into groups `count` and `count + 1`. */
function parseDotted(start: i32, end: i32, count: i32): bool {
  let p = start;
  let address = 0;
  for (let i = 0; i < 4; i++) {
    let value = 0;
    let digits = 0;
    while (p < end && digits < 3 && (classOf(load8(p)) & CLASS_DIGIT) != 0) {
      value = value * 10 + load8(p) - 0x30;
      digits++;
      p++;
    }
    if (digits == 0 || value > 255 || (digits > 1 && load8(p - digits) == 0x30)) return false;
    address = (address << 8) | value;
    if (i < 3) {
      if (p >= end || load8(p) != 0x2e) return false;
      p++;
    }
  }
  storeWord(GROUPS + (count << 2), (address >> 16) & 0xffff);
  storeWord(GROUPS + ((count + 1) << 2), address & 0xffff);
  return p == end;
}

/** Writes the literal [start, end), brackets included, in normal form to `to` (N7); returns the address behind it. It is a valid one. */
export function writeIpLiteral(start: i32, end: i32, to: i32): i32 {
  let at = to;
  store8(at++, 0x5b);
  if (lower(load8(start + 1)) == 0x76) {
    for (let p = start + 1; p < end - 1; p++) store8(at++, lower(load8(p)));
  } else {
    const zone = findZone(start + 1, end - 1);
    parseGroups(start + 1, zone);
    at = writeGroups(at);
    if (zone < end - 1) {
      store8(at, 0x25);
      store8(at + 1, 0x32);
      store8(at + 2, 0x35);
      at = writeTriplets(zoneName(zone, end - 1), end - 1, CLASS_UNRESERVED, at + 3);
    }
  }
  store8(at++, 0x5d);
  return at;
}

function isMapped(): bool {
  for (let i = 0; i < 5; i++) {
    if (loadWord(GROUPS + (i << 2)) != 0) return false;
  }
  return loadWord(GROUPS + 20) == 0xffff;
}

function writeGroups(to: i32): i32 {
  let at = to;
  const count = isMapped() ? 6 : 8;
  // The first of the longest runs of two zero groups or more.
  let best = -1;
  let bestLength = 1;
  let i = 0;
  while (i < count) {
    let run = i;
    while (run < count && loadWord(GROUPS + (run << 2)) == 0) run++;
    if (run - i > bestLength) {
      best = i;
      bestLength = run - i;
    }
    i = run + 1;
  }
  for (i = 0; i < count; i++) {
    if (i == best) {
      store8(at++, 0x3a);
      store8(at++, 0x3a);
      i += bestLength - 1;
      continue;
    }
    if (i > 0 && i != best + bestLength) store8(at++, 0x3a);
    at = writeHex(loadWord(GROUPS + (i << 2)), at);
  }
  return count == 6 ? writeDotted(at) : at;
}

function writeHex(value: i32, to: i32): i32 {
  let at = to;
  let shift = 12;
  while (shift > 0 && value >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) {
    const digit = (value >> shift) & 15;
    store8(at++, digit < 10 ? digit + 0x30 : digit + 0x57);
  }
  return at;
}

function writeDotted(to: i32): i32 {
  let at = to;
  store8(at++, 0x3a);
  for (let i = 0; i < 4; i++) {
    const group = loadWord(GROUPS + ((6 + (i >> 1)) << 2));
    if (i > 0) store8(at++, 0x2e);
    at = writeDecimal((i & 1) == 0 ? group >> 8 : group & 255, at);
  }
  return at;
}

/** Writes a number of 0 or more in decimal; returns the address behind it. */
export function writeDecimal(value: i32, to: i32): i32 {
  let at = to;
  let unit = value < 100000 ? 10000 : 1000000000;
  let rest = value;
  while (unit > 1 && rest < unit) unit = tenth(unit);
  for (; unit > 0; unit = tenth(unit)) {
    let digit = 0;
    while (rest >= unit) {
      rest -= unit;
      digit++;
    }
    store8(at++, digit + 0x30);
  }
  return at;
}

/** A tenth of a power of ten. */
function tenth(unit: i32): i32 {
  if (unit == 1000000000) return 100000000;
  if (unit == 100000000) return 10000000;
  if (unit == 10000000) return 1000000;
  if (unit == 1000000) return 100000;
  if (unit == 100000) return 10000;
  if (unit == 10000) return 1000;
  if (unit == 1000) return 100;
  if (unit == 100) return 10;
  return unit == 10 ? 1 : 0;
}
