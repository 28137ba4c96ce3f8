// Splits one URL into its components (P0), and normalizes it.

import { classOf, findByte } from "../bytes/ascii.ts";
import { COLON, DELETE, HASH, QUESTION, SLASH, SPACE } from "../bytes/characters.ts";
import { CLASS_ALPHA, SET_NOT_HOST, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { startsAuthority } from "../bytes/keyword.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import { SCHEME_HTTP, SCHEME_UNKNOWN, SHAPE_AUTHORITY, SHAPE_OPAQUE, SPECIAL_FILE, SPECIAL_MAILTO } from "../layout/scheme-rows.ts";
import { findInSet, usualLength } from "../platform/kernel.ts";
import { load8, storeWord } from "../platform/memory.ts";
import * as authority from "./authority.ts";
import { copiedFlags, urlFlags } from "./flags.ts";
import { copyAddress, copyNormalized, copyOpaque, hasAuthority, hostLength, normalizeUrl } from "./normalize.ts";
import { isRfc1738, setProfile } from "./percent.ts";
import { findKnown, shapeOf, specialOf } from "./scheme.ts";
import { findCleanDomain, hasShape } from "./shape.ts";
import { writeAsWritten } from "./written.ts";

/** Start of the URL that checkUrl has read. */
let start: i32 = 0;
/** End of that URL; for RFC 1738 before its fragment. */
let end: i32 = 0;
let colon: i32 = 0;
let row: i32 = 0;
/** Whether `//` follows the colon, in a scheme that may have an authority. */
let hasSlashes: bool = false;
/** Address of the byte for which checkUrl or splitAuthority refuses the URL. */
let errorAt: i32 = 0;

function isTrimmed(c: i32): bool {
  return c <= SPACE || c == DELETE;
}

/** Trims [from, to), and checks scheme and shape but not the authority. Sets the variables above. Returns REASON_*. */
function checkUrl(from: i32, to: i32): i32 {
  start = from;
  end = to;
  while (start < end && isTrimmed(load8(start))) start++;
  while (end > start && isTrimmed(load8(end - 1))) end--;
  errorAt = start;
  if (start == end) return code.REASON_EMPTY;
  colon = findInSet(start, end, SET_NOT_SCHEME);
  if (colon == end || load8(colon) != COLON || (classOf(load8(start)) & CLASS_ALPHA) == 0) return code.REASON_NO_SCHEME;
  row = findKnown(start, colon - start);
  errorAt = colon + 1;
  return checkShape();
}

/** Checks the text after the colon, but not an authority; returns REASON_*. */
function checkShape(): i32 {
  hasSlashes = colon + 2 < end && startsAuthority(colon) && (row == SCHEME_UNKNOWN || (shapeOf(row) & SHAPE_AUTHORITY) != 0);
  if (row == SCHEME_UNKNOWN || hasSlashes) return code.REASON_NONE;
  if ((shapeOf(row) & SHAPE_OPAQUE) != 0) return hasShape(specialOf(row), colon + 1, end, 0) ? code.REASON_NONE : code.REASON_BAD_SHAPE;
  if (specialOf(row) != SPECIAL_FILE) return code.REASON_NO_HOST;
  return colon + 1 < end && load8(colon + 1) == SLASH ? code.REASON_NONE : code.REASON_BAD_SHAPE;
}

/**
 * Normalizes the URL [from, to) to OUTPUT_REGION by PROFILE_*. Returns the end of the output, or -REASON_* if the URL is refused. (N1 to
 * N8)
 */
export function normalize(from: i32, to: i32, profile: i32): i32 {
  if (profile == layout.PROFILE_NONE) return writeWhole(from, to, layout.OUTPUT_REGION);
  setProfile(profile);
  return writeNormal(from, to, layout.OUTPUT_REGION);
}

/** Returns FLAG_* of the URL [from, to), and from bit FLAG_BITS on the REASON_* if it is refused. Overwrites OUTPUT_REGION. (W) */
export function flagsOf(from: i32, to: i32): i32 {
  setProfile(layout.PROFILE_RFC3986);
  let reason = checkNormal(from, to);
  if (reason == code.REASON_NONE) {
    const copied = copyUrl(layout.OUTPUT_REGION);
    // A copied URL with a host has no flags but those of its host.
    if (copied != 0 && hostLength > 0) return copiedFlags(row, colon + 3 + hostLength, end);
    const result = copied != 0 ? copied : normalizeUrl(start, end, colon, row, layout.OUTPUT_REGION);
    if (result < 0) reason = -result;
  }
  // If N1 refuses only the host, the rest still has flags.
  const isRead = reason == code.REASON_NONE || (reason == code.REASON_BAD_HOST && hasAuthority);
  return (reason << code.FLAG_BITS) | (isRead ? urlFlags(start, end, colon, row) : 0);
}

/**
 * Writes the URL [from, to) in normal form to `at`; returns the address after it, or -REASON_*. To be called after setProfile.
 */
export function writeNormal(from: i32, to: i32, at: i32): i32 {
  // Fast path: most URLs need only a check of their host name.
  if (usualLength(from + 4) == 4 && startsAuthority(from + 4)) {
    const name = findInSet(from + 7, to, SET_NOT_HOST);
    const end = authority.isHostName(from + 7, name) ? copyNormalized(from, to, name, 4, SCHEME_HTTP, at) : 0;
    if (end != 0) return end;
  }
  const reason = checkNormal(from, to);
  if (reason != code.REASON_NONE) return -reason;
  const copied = copyUrl(at);
  return copied != 0 ? copied : normalizeUrl(start, end, colon, row, at);
}

/**
 * Copies the URL [from, to) to `at`, with triplets for characters that no URL can contain; returns the address after it, or -REASON_*.
 * (C25, C45)
 */
export function writeWhole(from: i32, to: i32, at: i32): i32 {
  let reason = checkUrl(from, to);
  if (reason == code.REASON_NONE && hasSlashes) {
    reason = authority.parseWholeAuthority(colon + 3, authority.findAuthorityEnd(colon + 3, end), end, row);
  }
  return reason != code.REASON_NONE ? -reason : writeAsWritten(start, end, at);
}

/** Does what checkUrl does. For RFC 1738, which has no fragments, the URL must be valid without its fragment (N8). */
function checkNormal(from: i32, to: i32): i32 {
  const reason = checkUrl(from, to);
  if (reason != code.REASON_NONE || !isRfc1738) return reason;
  const fragment = findByte(colon, end, HASH);
  if (fragment == end) return reason;
  end = fragment;
  return checkShape();
}

/** Writes the URL of checkUrl to `at` if a copy function of normalize.ts can; returns the address after the output, or 0. */
function copyUrl(at: i32): i32 {
  const body = colon + 1;
  if (hasSlashes) {
    const name = findInSet(body + 2, end, SET_NOT_HOST);
    return authority.isHostName(body + 2, name) ? copyNormalized(start, end, name, colon - start, row, at) : 0;
  }
  const domain = specialOf(row) == SPECIAL_MAILTO ? findCleanDomain(body, end) : 0;
  return domain != 0 ? copyAddress(start, end, colon, domain, at) : copyOpaque(start, end, colon, row, at);
}

function setPart(part: i32, from: i32, to: i32): void {
  storeWord(layout.RESULT_SPLIT + (part << 2), from);
  storeWord(layout.RESULT_SPLIT + ((part + 1) << 2), to);
}

/** Splits the URL [from, to) into its components: writes the words SPLIT_* at RESULT_SPLIT. Returns REASON_*. (P0) */
export function split(from: i32, to: i32): i32 {
  for (let part = 0; part < code.SPLIT_WORDS; part++) storeWord(layout.RESULT_SPLIT + (part << 2), -1);
  let reason = checkUrl(from, to);
  let path = colon + 1;
  if (reason == code.REASON_NONE && hasSlashes) {
    path = authority.findAuthorityEnd(colon + 3, end);
    reason = splitAuthority(colon + 3, path);
  }
  storeWord(layout.RESULT_SPLIT + (code.SPLIT_ERROR << 2), errorAt);
  storeWord(layout.RESULT_SPLIT + (code.SPLIT_PORT << 2), authority.portValue);
  if (reason != code.REASON_NONE) return reason;
  const fragment = findByte(path, end, HASH);
  const query = findByte(path, fragment, QUESTION);
  setPart(code.SPLIT_SCHEME, start, colon);
  setPart(code.SPLIT_PATH, path, query);
  if (query < fragment) setPart(code.SPLIT_QUERY, query + 1, fragment);
  if (fragment < end) setPart(code.SPLIT_FRAGMENT, fragment + 1, end);
  return code.REASON_NONE;
}

function splitAuthority(from: i32, to: i32): i32 {
  const reason = authority.parseWholeAuthority(from, to, end, row);
  errorAt = authority.authorityEnd;
  if (reason != code.REASON_NONE) return reason;
  if (authority.userinfoEnd >= 0) setPart(code.SPLIT_USERINFO, from, authority.userinfoEnd);
  setPart(code.SPLIT_HOST, authority.hostStart, authority.hostEnd);
  if (authority.portStart >= 0 && authority.authorityEnd > authority.portStart) {
    setPart(code.SPLIT_PORT_DIGITS, authority.portStart, authority.authorityEnd);
  }
  return code.REASON_NONE;
}
