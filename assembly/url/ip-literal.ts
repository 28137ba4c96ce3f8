// IP literals: IPv6 with a zone, and IPvFuture (X2, N7, RFC 3986 3.2.2, RFC 5952, RFC 6874).

import { classOf, findByte, lower } from "../bytes/ascii.ts";
import { COLON, DOT, LOWER_A, LOWER_V, PERCENT, SQUARE_CLOSE, SQUARE_OPEN, ZERO } from "../bytes/characters.ts";
import { CLASS_HEX, CLASS_UNRESERVED, CLASS_USERINFO_KEPT } from "../bytes/classes.ts";
import { startsWith, startsWithAnyCase } from "../bytes/keyword.ts";
import { isHexPair, numberEnd, parseNumber, writeDecimal } from "../bytes/number.ts";
import { GROUPS } from "../layout/memory.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { writeTriplet, writeTriplets } from "./percent.ts";

/** Highest value of a group. The eight groups of an address are words at GROUPS. */
const GROUP_MAX: i32 = 0xffff;

/** Whether [start, end), without the brackets, is an IPv6 address with or without a zone, or an IPvFuture. */
export function isIpLiteral(start: i32, end: i32): bool {
  if (start < end && lower(load8(start)) == LOWER_V) return isFuture(start + 1, end);
  const zone = findByte(start, end, PERCENT);
  if (zone < end && !isZone(zone, end)) return false;
  return parseGroups(start, zone);
}

/** Whether [start, end), without the brackets, is the address literal of a mail domain: IPv4, or `IPv6:` and an address (RFC 5321). */
export function isAddressLiteral(start: i32, end: i32): bool {
  if (end - start > 5 && startsWithAnyCase(start, "ipv6:")) return isIpv6(start + 5, end);
  return isIpv4(start, end);
}

/** Whether [start, end) is an IPv4 address: four decimal numbers up to 255, without leading zeros, with dots between. */
export function isIpv4(start: i32, end: i32): bool {
  return parseDotted(start, end, 0);
}

/** Whether [start, end) is an IPv6 address, without brackets and zone. */
export function isIpv6(start: i32, end: i32): bool {
  return parseGroups(start, end);
}

/** Whether [start, end), without the brackets, is an IPv4-mapped IPv6 address (::ffff:0:0/96), with or without a zone. */
export function isMappedAddress(start: i32, end: i32): bool {
  return parseGroups(start, findByte(start, end, PERCENT)) && isMapped();
}

function isFuture(start: i32, end: i32): bool {
  let p = start;
  while (p < end && (classOf(load8(p)) & CLASS_HEX) != 0) p++;
  if (p == start || p + 1 >= end || load8(p) != DOT) return false;
  for (p++; p < end; p++) {
    if ((classOf(load8(p)) & CLASS_USERINFO_KEPT) == 0) return false;
  }
  return true;
}

/** Returns the first byte of the name of a zone; its `%` is at `zone`, and may be written `%25`. */
function zoneName(zone: i32, end: i32): i32 {
  return zone + 3 < end && startsWith(zone, "%25") ? zone + 3 : zone + 1;
}

function isZone(zone: i32, end: i32): bool {
  let p = zoneName(zone, end);
  if (p >= end) return false;
  while (p < end) {
    const c = load8(p);
    if (c == PERCENT) {
      if (p + 2 >= end || !isHexPair(p + 1)) return false;
      p += 3;
    } else if ((classOf(c) & CLASS_UNRESERVED) != 0) {
      p++;
    } else {
      return false;
    }
  }
  return true;
}

/** Parses an IPv6 address into GROUPS; returns false if [start, end) is none. */
function parseGroups(start: i32, end: i32): bool {
  let p = start;
  let count = 0;
  let gap = -1;
  if (p + 1 < end && load8(p) == COLON) {
    if (load8(p + 1) != COLON) return false;
    gap = 0;
    p += 2;
  }
  while (p < end) {
    if (count == 8) return false;
    const value = parseNumber(p, p + 4 < end ? p + 4 : end, true, GROUP_MAX);
    if (numberEnd == p) return false;
    if (numberEnd < end && load8(numberEnd) == DOT) {
      if (count > 6 || !parseDotted(p, end, count)) return false;
      count += 2;
      p = end;
      break;
    }
    storeWord(GROUPS + (count << 2), value);
    count++;
    p = numberEnd;
    if (p == end) break;
    if (load8(p) != COLON) return false;
    p++;
    if (p == end) return false;
    if (load8(p) == COLON) {
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

/** Moves the groups after `gap` to the end and puts zeros between. */
function openGap(gap: i32, count: i32): void {
  const shift = 8 - count;
  for (let i = count - 1; i >= gap; i--) storeWord(GROUPS + ((i + shift) << 2), loadWord(GROUPS + (i << 2)));
  for (let i = gap; i < gap + shift; i++) storeWord(GROUPS + (i << 2), 0);
}

/** Parses the IPv4 address [start, end) into the groups `count` and `count + 1`; returns false if the text is no IPv4 address. */
function parseDotted(start: i32, end: i32, count: i32): bool {
  let p = start;
  let address = 0;
  for (let i = 0; i < 4; i++) {
    const value = parseNumber(p, end, false, 256);
    const digits = numberEnd - p;
    if (digits == 0 || value > 255 || (digits > 1 && load8(p) == ZERO)) return false;
    address = (address << 8) | value;
    p = numberEnd;
    if (i < 3) {
      if (p >= end || load8(p) != DOT) return false;
      p++;
    }
  }
  storeWord(GROUPS + (count << 2), (address >> 16) & GROUP_MAX);
  storeWord(GROUPS + ((count + 1) << 2), address & GROUP_MAX);
  return p == end;
}

/** Writes the valid literal [start, end), brackets included, in normal form to `to` (N7); returns the address after it. */
export function writeIpLiteral(start: i32, end: i32, to: i32): i32 {
  let at = to;
  store8(at++, SQUARE_OPEN);
  if (lower(load8(start + 1)) == LOWER_V) {
    for (let p = start + 1; p < end - 1; p++) store8(at++, lower(load8(p)));
  } else {
    const zone = findByte(start + 1, end - 1, PERCENT);
    parseGroups(start + 1, zone);
    at = writeGroups(at);
    if (zone < end - 1) {
      at = writeTriplets(zoneName(zone, end - 1), end - 1, CLASS_UNRESERVED, CLASS_UNRESERVED, writeTriplet(PERCENT, at));
    }
  }
  store8(at++, SQUARE_CLOSE);
  return at;
}

function isMapped(): bool {
  for (let i = 0; i < 5; i++) {
    if (loadWord(GROUPS + (i << 2)) != 0) return false;
  }
  return loadWord(GROUPS + 20) == GROUP_MAX;
}

function writeGroups(to: i32): i32 {
  let at = to;
  const count = isMapped() ? 6 : 8;
  // The first of the longest runs of two or more zero groups.
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
      store8(at++, COLON);
      store8(at++, COLON);
      i += bestLength - 1;
      continue;
    }
    if (i > 0 && i != best + bestLength) store8(at++, COLON);
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
    store8(at++, digit < 10 ? digit + ZERO : digit - 10 + LOWER_A);
  }
  return at;
}

function writeDotted(to: i32): i32 {
  let at = to;
  store8(at++, COLON);
  for (let i = 0; i < 4; i++) {
    const group = loadWord(GROUPS + ((6 + (i >> 1)) << 2));
    if (i > 0) store8(at++, DOT);
    at = writeDecimal((i & 1) == 0 ? group >> 8 : group & 255, at);
  }
  return at;
}
