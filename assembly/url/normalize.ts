// Normalization of one URL, profiles rfc3986 (N1 to N7) and rfc1738 (N8), from raw bytes to output bytes.

import { findByte, isAlpha, lower } from "../bytes/ascii.ts";
import { AT, COLON, HASH, QUESTION, SEMICOLON, SLASH } from "../bytes/characters.ts";
import { CLASS_PATH, CLASS_QUERY, CLASS_UNRESERVED, CLASS_USERINFO_KEPT, SET_NOT_HOST } from "../bytes/classes.ts";
import { isKeyword, isSameText, startsWith } from "../bytes/keyword.ts";
import { writeDecimal } from "../bytes/number.ts";
import { REASON_NONE } from "../layout/codes.ts";
import * as rule from "../layout/notes.ts";
import * as row from "../layout/scheme-rows.ts";
import { copyClean, copyLower, findInSet } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import * as authority from "./authority.ts";
import { writeHost } from "./host.ts";
import { finishPath } from "./path.ts";
import { isRfc1738, troubleSet, writeTriplets } from "./percent.ts";
import { portOf, shapeOf, specialOf } from "./scheme.ts";

/** Address of the host in the output. */
export let hostAt: i32 = 0;
/** Length of the host in the output; 0: no host. */
export let hostLength: i32 = 0;
/** Whether the last URL of normalizeUrl, copyAddress or copyOpaque has an authority that X2 takes. Then authority.ts has its addresses. */
export let hasAuthority: bool = false;

/**
 * Writes a URL whose authority is only a host name, which ends at `nameEnd`, if the URL needs only lower case up to there, and a `/` if it
 * ends there. `scheme`: the row of the scheme. Returns the address after the output, or 0 if normalizeUrl must write the URL.
 */
export function copyNormalized(start: i32, end: i32, nameEnd: i32, schemeLength: i32, scheme: i32, to: i32): i32 {
  const special = specialOf(scheme);
  if (special == row.SPECIAL_FILE || isNoting()) return 0;
  const authorityEnd = nameEnd < end ? nameEnd : end;
  if (authorityEnd < end && load8(authorityEnd) != SLASH) return 0;
  if (end - authorityEnd < 2 && (shapeOf(scheme) & row.SHAPE_HIERARCHICAL) == 0) return 0;
  if (special == row.SPECIAL_FTP && findByte(authorityEnd, end, SEMICOLON) < end) return 0;
  copyLower(to, start, authorityEnd);
  const at = to + authorityEnd - start;
  hostAt = to + schemeLength + 3;
  hostLength = at - hostAt;
  if (authorityEnd == end) {
    store8(at, SLASH);
    return at + 1;
  }
  return copyClean(at, authorityEnd, end, troubleSet) ? at + end - authorityEnd : 0;
}

/**
 * Writes a mailto with a plain address, whose domain starts at `domain`, with scheme and domain in lower case. Returns the address after
 * the output, or 0 if normalizeUrl must write the URL.
 */
export function copyAddress(start: i32, end: i32, colon: i32, domain: i32, to: i32): i32 {
  if (isNoting()) return 0;
  const domainEnd = findInSet(domain, end, SET_NOT_HOST);
  copyLower(to, start, colon);
  copyClean(to + colon - start, colon, domain, troubleSet);
  copyLower(to + domain - start, domain, domainEnd);
  hostLength = 0;
  hasAuthority = false;
  return copyClean(to + domainEnd - start, domainEnd, end, troubleSet) ? to + end - start : 0;
}

/**
 * Writes a URL whose scheme never has an authority, if it needs only the changes of finishPath and a scheme in lower case. Returns the
 * address after the output, or 0 if normalizeUrl must write the URL.
 */
export function copyOpaque(start: i32, end: i32, colon: i32, scheme: i32, to: i32): i32 {
  if (scheme < 0 || (shapeOf(scheme) & row.SHAPE_AUTHORITY) != 0 || isNoting()) return 0;
  const path = to + colon + 1 - start;
  if (!copyClean(path, colon + 1, end, troubleSet)) return 0;
  for (let p = start; p <= colon; p++) store8(to + p - start, lower(load8(p)));
  const urlEnd = to + end - start;
  const query = findByte(path, urlEnd, QUESTION);
  finishPath(path, query, false, query < urlEnd, specialOf(scheme));
  hostLength = 0;
  hasAuthority = false;
  return urlEnd;
}

/**
 * Writes the URL [start, end) in normal form to `to`. `colon`: the colon after its scheme. Returns the address after the output, or
 * -REASON_*. The output is at most three times as long as the input, apart from A-labels.
 */
export function normalizeUrl(start: i32, end: i32, colon: i32, scheme: i32, to: i32): i32 {
  const body = colon + 1;
  const shape = shapeOf(scheme);
  const slashes = body + 1 < end && startsWith(body, "//");
  copyLower(to, start, body);
  let at = to + body - start;
  if (isNoting() && !isSameText(start, body, to)) note(rule.N1_SCHEME, start, colon);
  hostAt = at;
  hostLength = 0;
  const isDrive = slashes && specialOf(scheme) == row.SPECIAL_FILE && isDriveAt(body + 2, end);
  hasAuthority = slashes && !isDrive && (scheme < 0 || (shape & row.SHAPE_AUTHORITY) != 0);
  let path = isDrive ? body + 2 : body;
  if (hasAuthority) {
    path = authority.findAuthorityEnd(body + 2, end);
    at = writeAuthority(body + 2, path, end, scheme, at);
    if (at < 0) return at;
  } else if (specialOf(scheme) == row.SPECIAL_FILE) {
    at = writeSlashes(at);
    note(rule.N5_FILE, start, body);
  }
  const fragment = findByte(path, end, HASH);
  const query = findByte(path, fragment, QUESTION);
  const pathAt = at;
  if (isDrive) store8(at++, SLASH);
  // The triplets of a urn stay (N2).
  at = writeTriplets(path, query, CLASS_PATH, specialOf(scheme) == row.SPECIAL_URN ? 0 : CLASS_UNRESERVED, at);
  const hierarchical = (shape & row.SHAPE_HIERARCHICAL) != 0 && (hasAuthority || specialOf(scheme) == row.SPECIAL_FILE);
  at = finishPath(pathAt, at, hierarchical, query < fragment, specialOf(scheme));
  if (query < fragment) {
    store8(at, QUESTION);
    at = writeTriplets(query + 1, fragment, CLASS_QUERY, CLASS_UNRESERVED, at + 1);
  }
  if (fragment + 1 == end) note(rule.N6_FRAGMENT, fragment, end);
  else if (fragment < end && isRfc1738) note(rule.N8_FRAGMENT, fragment, end);
  if (fragment + 1 < end && !isRfc1738) {
    store8(at, HASH);
    at = writeTriplets(fragment + 1, end, CLASS_QUERY, CLASS_UNRESERVED, at + 1);
  }
  return at;
}

/** Whether the authority at `start` of a file URL is a drive of Windows, a letter and `:`. (C292) */
function isDriveAt(start: i32, end: i32): bool {
  if (start + 1 >= end || !isAlpha(load8(start)) || load8(start + 1) != COLON) return false;
  return start + 2 == end || authority.startsComponent(load8(start + 2));
}

function writeSlashes(at: i32): i32 {
  store8(at, SLASH);
  store8(at + 1, SLASH);
  return at + 2;
}

/** Writes `//` and the authority [start, end) of a URL that ends at `urlEnd`. Returns the address after them, or -REASON_*. */
function writeAuthority(start: i32, end: i32, urlEnd: i32, scheme: i32, to: i32): i32 {
  const reason = authority.parseWholeAuthority(start, end, urlEnd, scheme);
  if (reason != REASON_NONE) {
    hasAuthority = false;
    return -reason;
  }
  let at = writeSlashes(to);
  if (authority.hostStart == authority.hostEnd) return at;
  const special = specialOf(scheme);
  if (authority.userinfoEnd >= 0) at = writeUserinfo(start, authority.userinfoEnd, special == row.SPECIAL_HTTP, at);
  hostAt = at;
  const host = writeHost(authority.hostStart, authority.hostEnd, at);
  if (host < 0) return host;
  hostLength = host - at;
  const after = writePort(scheme, host);
  if (special != row.SPECIAL_FILE || after != host || hostAt != to + 2 || !isKeyword(at, host, "localhost")) return after;
  hostLength = 0;
  note(rule.N5_FILE, authority.hostStart, authority.hostEnd);
  return at;
}

function writeUserinfo(start: i32, end: i32, dropsEmpty: bool, to: i32): i32 {
  const colon = findByte(start, end, COLON);
  const last = dropsEmpty && colon + 1 == end ? colon : end;
  if (dropsEmpty && (last == start || last < end)) note(rule.N1_USERINFO, last, end + 1);
  if (dropsEmpty && last == start) return to;
  const at = writeTriplets(start, last, CLASS_USERINFO_KEPT, CLASS_UNRESERVED, to);
  store8(at, AT);
  return at + 1;
}

function writePort(scheme: i32, to: i32): i32 {
  const digits = authority.portStart >= 0 && authority.authorityEnd > authority.portStart;
  if (!digits || (authority.portValue != 0 && authority.portValue == portOf(scheme))) {
    if (authority.authorityEnd > authority.hostEnd) note(rule.N3_PORT, authority.hostEnd, authority.authorityEnd);
    return to;
  }
  store8(to, COLON);
  const end = writeDecimal(authority.portValue, to + 1);
  if (isNoting() && end - to < authority.authorityEnd - authority.hostEnd) note(rule.N3_PORT, authority.hostEnd, authority.authorityEnd);
  return end;
}
