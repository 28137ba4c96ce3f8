// The flags of a URL (W) that its raw form and the results of the normalizer decide.

import { findByte } from "../bytes/ascii.ts";
import { AMPERSAND, COLON, DELETE, DOT, HASH, HYPHEN, PERCENT, QUESTION, SLASH, SPACE, SQUARE_OPEN } from "../bytes/characters.ts";
import { isSameText, startsWithAnyCase } from "../bytes/keyword.ts";
import { hexPair } from "../bytes/number.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { SCHEME_HTTPS, SHAPE_KNOWN, SPECIAL_GOPHER, SPECIAL_MAILTO, SPECIAL_PROSPERO, SPECIAL_URN } from "../layout/scheme-rows.ts";
import { load8, loadBytes } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { authorityEnd, hostEnd, hostStart, isTriplet, portStart, portValue, userinfoEnd } from "./authority.ts";
import { hostFlags, showsHost } from "./host.ts";
import { NAMED_BYTES_LEAST, namedSlot } from "./named-host-hash.ts";
import { hasAuthority, hostAt, hostLength } from "./normalize.ts";
import { portOf, shapeOf, specialOf } from "./scheme.ts";

/** The value of the field `body` in the URL of a mailto, without a value empty. */
let bodyStart: i32 = 0;
let bodyEnd: i32 = 0;

/** Returns FLAG_* of the URL [start, end), the last one that normalizeUrl or copyOpaque read. `colon`: the colon after its scheme. */
export function urlFlags(start: i32, end: i32, colon: i32, scheme: i32): i32 {
  const flags = hasAuthority ? authorityFlags(colon + 3, scheme) | hostTableFlags(scheme, authorityEnd, end) : 0;
  const urn = specialOf(scheme) == SPECIAL_URN ? urnFlags(colon + 1, end) : 0;
  return flags | urn | percentFlags(start, end, scheme);
}

/** Returns FLAG_* of the URL that copyNormalized wrote. `path`: the start of its path; `end`: the end of the URL that was read. */
export function copiedFlags(scheme: i32, path: i32, end: i32): i32 {
  return hostFlags(hostAt, hostAt + hostLength, isKnown(scheme)) | hostTableFlags(scheme, path, end);
}

/**
 * Returns the flags that the table of hosts gives the last URL that was normalized: short links (C213), namespaces (C215). `path`: the
 * start of the path in the URL that was read; `end`: the end of that URL. src/core/tables.ts fills the table.
 */
function hostTableFlags(scheme: i32, path: i32, end: i32): i32 {
  if (scheme < 0 || scheme > SCHEME_HTTPS || path >= end || load8(path) != SLASH) return 0;
  const flags = namedFlags(hostAt, hostAt + hostLength, path, end);
  if ((flags & code.FLAG_SHORTENER) != 0) note(rule.W_SHORTENER, path, end);
  if ((flags & code.FLAG_NAMESPACE) != 0) note(rule.W_NAMESPACE, path, end);
  return flags;
}

/**
 * Returns FLAG_SHORTENER and FLAG_NAMESPACE of the host [start, end) in normal form. The URL has a path at `path`, not an empty one, and
 * ends at `urlEnd`.
 */
function namedFlags(start: i32, end: i32, path: i32, urlEnd: i32): i32 {
  const last = end - NAMED_BYTES_LEAST;
  if (last < start) return 0;
  let flags = 0;
  let slot = namedSlot(loadBytes(last), last > start ? load8(last - 1) : 0);
  while (true) {
    const at = layout.NAMED_SLOTS + (slot << 1);
    const number = load8(at) | (load8(at + 1) << 8);
    if (number == 0) return flags;
    const row = layout.NAMED_ROWS + ((number - 1) << 3);
    if (hasHost(row, start, end) && hasPath(row, path, pathEnd(path, urlEnd))) {
      flags |= load8(row + layout.NAMED_KIND) == layout.NAMED_SHORT ? code.FLAG_SHORTENER : code.FLAG_NAMESPACE;
    }
    slot = (slot + 1) & (layout.NAMED_SLOTS_COUNT - 1);
  }
}

/** Whether the host [start, end) is the host of the row, or a host below it if the name in the row begins with a dot. */
function hasHost(row: i32, start: i32, end: i32): bool {
  const name = row + layout.NAMED_HOST;
  const length = load8(row);
  if (end - start < length || (end - start > length && load8(name) != DOT)) return false;
  return isSameText(name, name + length, end - length);
}

function pathEnd(path: i32, urlEnd: i32): i32 {
  let p = path;
  while (p < urlEnd && load8(p) != QUESTION && load8(p) != HASH) p++;
  return p;
}

/** Whether the row allows the path [start, end). */
function hasPath(row: i32, start: i32, end: i32): bool {
  const kind = load8(row + layout.NAMED_KIND);
  if (kind == layout.NAMED_SHORT) return end - start > 1;
  const first = row + layout.NAMED_HOST + load8(row);
  const length = load8(row + layout.NAMED_PATH_LENGTH);
  if (end - start < length || !isSameText(first, first + length, start)) return false;
  if (kind == layout.NAMED_WHOLE) return end - start == length;
  if (kind == layout.NAMED_BEGIN) return true;
  const suffix = first + length;
  const suffixLength = load8(row + layout.NAMED_SUFFIX_LENGTH);
  return end - start >= length + suffixLength && isSameText(suffix, suffix + suffixLength, end - suffixLength);
}

/** Returns FLAG_NAMESPACE if the namespace id of the urn is `schemas` or begins with `schemas-`, else 0. (C215) */
function urnFlags(start: i32, end: i32): i32 {
  const after = start + 7;
  if (after >= end || !startsWithAnyCase(start, "schemas") || (load8(after) != HYPHEN && load8(after) != COLON)) return 0;
  return noted(code.FLAG_NAMESPACE, rule.W_NAMESPACE, start, end);
}

function authorityFlags(start: i32, scheme: i32): i32 {
  let flags = hostStart < hostEnd ? hostFlags(hostStart, hostEnd, isKnown(scheme)) : 0;
  if (userinfoEnd >= 0) {
    if (scheme >= 0 && scheme <= SCHEME_HTTPS) flags |= noted(code.FLAG_USERINFO, rule.W_USERINFO, start, userinfoEnd);
    const colon = findByte(start, userinfoEnd, COLON);
    if (colon + 1 < userinfoEnd) flags |= noted(code.FLAG_PASSWORD, rule.W_PASSWORD, colon + 1, userinfoEnd);
    if (showsHost(start, userinfoEnd)) flags |= noted(code.FLAG_OBFUSCATED, rule.W_HOST, start, userinfoEnd);
  }
  const port = portOf(scheme);
  if (port != 0 && portStart >= 0 && authorityEnd > portStart && portValue != port) {
    flags |= noted(code.FLAG_ODD_PORT, rule.W_ODD_PORT, portStart, authorityEnd);
    if (portValue < 1024) flags |= noted(code.FLAG_RESERVED_PORT, rule.W_RESERVED_PORT, portStart, authorityEnd);
  }
  return flags;
}

function isKnown(scheme: i32): bool {
  return (shapeOf(scheme) & SHAPE_KNOWN) != 0;
}

/** Notes that the rule `setting` sets `flag` because of [start, end). Returns `flag`. */
function noted(flag: i32, setting: i32, start: i32, end: i32): i32 {
  note(setting, start, end);
  return flag;
}

function percentFlags(start: i32, end: i32, scheme: i32): i32 {
  const special = specialOf(scheme);
  const path = hasAuthority ? authorityEnd : start;
  const fragment = findByte(path, end, HASH);
  if (special == SPECIAL_MAILTO) findBody(path, fragment);
  let flags = 0;
  let tabs = 0;
  let p = findByte(start, end, PERCENT);
  while (p < end) {
    if (hasAuthority && p < hostEnd && p > hostStart && load8(hostStart) == SQUARE_OPEN) {
      // A zone: its `%` need not be encoded.
      p = hostEnd;
    } else if (p + 2 >= end || !isTriplet(p)) {
      flags |= noted(code.FLAG_BAD_PERCENT, rule.W_PERCENT, p, p + 1);
      p++;
    } else {
      const value = hexPair(p + 1);
      const exempt = p >= path && p < fragment && isExempt(special, value, p, fragment, tabs);
      if (value == 9) tabs++;
      p += 3;
      if (exempt && value == 13 && special == SPECIAL_GOPHER) p += 3;
      else if ((value < SPACE || value == DELETE) && !exempt) flags |= noted(code.FLAG_ENCODED_CONTROL, rule.W_CONTROL, p - 3, p);
    }
    p = findByte(p, end, PERCENT);
  }
  return flags;
}

/** Sets bodyStart and bodyEnd to the first field `body` of the mailto [start, end). (RFC 6068) */
function findBody(start: i32, end: i32): void {
  let p = findByte(start, end, QUESTION);
  while (p < end) {
    bodyStart = p + 6;
    p = findByte(p + 1, end, AMPERSAND);
    bodyEnd = p;
    if (bodyStart <= p && startsWithAnyCase(bodyStart - 5, "body=")) return;
  }
  bodyStart = end;
  bodyEnd = end;
}

/**
 * Whether the syntax of a scheme needs the control `value`, whose triplet is at `p`: in gopher `%09` and, after the third, `%0D%0A`; in
 * prospero `%00`; in the body of a mailto `%0D`, `%0A` and `%09`. `end`: the end of path and query. `tabs`: number of `%09` before `p`.
 */
function isExempt(special: i32, value: i32, p: i32, end: i32, tabs: i32): bool {
  if (special == SPECIAL_PROSPERO) return value == 0;
  if (special == SPECIAL_MAILTO) return p >= bodyStart && p < bodyEnd && (value == 9 || value == 10 || value == 13);
  if (special != SPECIAL_GOPHER) return false;
  if (value == 9) return true;
  return value == 13 && tabs >= 3 && p + 5 < end && isTriplet(p + 3) && hexPair(p + 4) == 10;
}
