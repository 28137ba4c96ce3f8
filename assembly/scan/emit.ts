// Writes the matches of rows to the output: a line for each URL, or raw form and URL for each row, with flags in the row.

import { findByte } from "../bytes/ascii.ts";
import { COLON, HASH, SLASH } from "../bytes/characters.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { ROW_LENGTH, ROW_NAME, SCHEME_MAILTO, SCHEME_ROW_BYTES, SHAPE_OPAQUE } from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { ENCODED_BYTES_MAX, hasEncoded, writeAddress } from "../url/address.ts";
import { copiedFlags, urlFlags } from "../url/flags.ts";
import { copyAddress, copyNormalized, copyOpaque, hasAuthority, hostAt, hostLength, normalizeUrl } from "../url/normalize.ts";
import { ROOM } from "../url/normalize-lines.ts";
import { isRfc1738, setProfile } from "../url/percent.ts";
import { shapeOf, specialOf } from "../url/scheme.ts";
import { hasShape } from "../url/shape.ts";
import { writeAsWritten } from "../url/written.ts";
import { rejoin } from "./delimited.ts";
import { writeDecoded } from "./encoded.ts";
import { writeUnescaped } from "./escaped.ts";
import * as state from "./state.ts";
import { writeValue } from "./url-value.ts";

/** Start of the raw form of the row that findRaw read last. */
let rawStart: i32 = 0;
/** End of that raw form. */
let rawEnd: i32 = 0;
/** Start of the URL of that row: of the raw form, or of a copy with a prefix (X10), in which an address may have triplets (C140). */
let urlStart: i32 = 0;
let urlEnd: i32 = 0;
/** The colon after the scheme of that URL. */
let colon: i32 = 0;
/** Whether copyNormalized or copyAddress wrote that URL. Then it has no userinfo, port or triplet. */
let copied: bool = false;

/** PROFILE_* of the scan. */
let profile: i32 = 0;
/** Byte after each line. */
let separator: i32 = 0;

/** Sets how rows are written: PROFILE_*, and the byte after each line. */
export function configureEmit(newProfile: i32, newSeparator: i32): void {
  profile = newProfile;
  separator = newSeparator;
}

/**
 * Writes the matches from row `first` on to OUTPUT_REGION: as lines, or as bytes to which the completed rows point. Sets RESULT_OUTPUT_END
 * and RESULT_LINES. Sets RESULT_REJECTED, because the profile may refuse matches. Returns the first row for which there is no room, or the
 * number of rows. (N, W)
 */
export function emit(first: i32): i32 {
  const isRaw = profile == layout.PROFILE_NONE;
  const asLines = (state.options & layout.OPTION_LINES) != 0;
  setProfile(profile);
  let at = layout.OUTPUT_REGION;
  let lines = 0;
  let i = first;
  for (; i < state.records; i++) {
    const row = layout.RECORD_REGION + multiply(i, code.RECORD_WORDS << 2);
    const length = loadWord(row + (code.RECORD_END << 2)) - loadWord(row + (code.RECORD_START << 2));
    if (at + multiply(length, isRaw ? 5 : 4) + ROOM > layout.OUTPUT_REGION + layout.OUTPUT_BYTES) break;
    const end = asLines ? emitLine(row, isRaw, at) : emitRow(row, isRaw, at);
    assert(end >= at && end <= layout.OUTPUT_REGION + layout.OUTPUT_BYTES);
    if (asLines && end > at) lines++;
    at = end;
  }
  note(rule.NOTE_WRITTEN, 0, 0);
  storeWord(layout.RESULT_OUTPUT_END, at);
  storeWord(layout.RESULT_LINES, lines);
  storeWord(layout.RESULT_REJECTED, state.rejected);
  return i;
}

/** HINT_* bits of matches whose raw form is not the bytes of their span. */
const REWRITTEN: i32 = code.HINT_BROKEN | code.HINT_VALUE | code.HINT_ESCAPED;

/** Finds the raw form and the URL of the row. Writes them to REJOIN_REGION if they are not the bytes of the match. */
function findRaw(row: i32): void {
  rawStart = loadWord(row + (code.RECORD_START << 2));
  rawEnd = loadWord(row + (code.RECORD_END << 2));
  if ((loadWord(row + (code.RECORD_HINT << 2)) & REWRITTEN) != 0) {
    rawEnd = writeRaw(row, rawStart, rawEnd, layout.REJOIN_REGION);
    rawStart = layout.REJOIN_REGION;
    store8(rawEnd, 0);
  }
  assert(rawStart <= rawEnd);
  urlStart = rawStart;
  urlEnd = rawEnd;
  if (loadWord(row + (code.RECORD_KIND << 2)) == code.KIND_LINK) return;
  const length = loadWord(row + (code.RECORD_SCHEME_LENGTH << 2));
  if (length == 0) putPrefix(loadWord(row + (code.RECORD_SCHEME << 2)));
  else colon = rawStart + length;
}

/** Writes the raw form of the row, a match [start, end) whose hint has a bit of REWRITTEN, to `to`; returns the address after it. */
function writeRaw(row: i32, start: i32, end: i32, to: i32): i32 {
  const hint = loadWord(row + (code.RECORD_HINT << 2));
  if ((hint & code.HINT_BROKEN) != 0) return rejoin(start, end, hint >> code.HINT_SHIFT, to);
  if ((hint & code.HINT_VALUE) != 0) {
    const schemeLength = loadWord(row + (code.RECORD_SCHEME_LENGTH << 2));
    return writeValue(start, end, loadWord(row + (code.RECORD_SCHEME << 2)), schemeLength, to);
  }
  const isDecoded = loadWord(row + (code.RECORD_KIND << 2)) == code.KIND_NESTED;
  return isDecoded ? writeDecoded(start, end, to) : writeUnescaped(start, end, to);
}

/** Puts `mailto:`, `http://` or `ftp://` before the raw form, which moves to REJOIN_REGION after it. */
function putPrefix(scheme: i32): void {
  note(rule.X10_PREFIX, rawStart, rawEnd);
  const name = layout.SCHEME_TABLE + multiply(scheme, SCHEME_ROW_BYTES);
  const length = load8(name + ROW_LENGTH);
  const raw = layout.REJOIN_REGION + length + (scheme == SCHEME_MAILTO ? 1 : 3);
  const rawLength = rawEnd - rawStart;
  copyBytes(raw, rawStart, rawLength);
  copyBytes(layout.REJOIN_REGION, name + ROW_NAME, length);
  urlStart = layout.REJOIN_REGION;
  colon = urlStart + length;
  store8(colon, COLON);
  if (scheme != SCHEME_MAILTO) {
    store8(colon + 1, SLASH);
    store8(colon + 2, SLASH);
  }
  rawStart = raw;
  rawEnd = raw + rawLength;
  store8(rawEnd, 0);
  urlEnd = rawEnd;
  if (scheme == SCHEME_MAILTO && rawLength <= ENCODED_BYTES_MAX && hasEncoded(rawStart, rawEnd)) encodeAddress(length + 1);
}

/** Writes the URL of a mail address after its raw form, with triplets for `%` `?` `#`. `length`: bytes of the scheme and its colon. */
function encodeAddress(length: i32): void {
  const url = rawEnd + 1;
  copyBytes(url, urlStart, length);
  urlStart = url;
  colon = url + length - 1;
  urlEnd = writeAddress(rawStart, rawEnd, url + length);
  store8(urlEnd, 0);
}

/**
 * Writes the normalized URL of the row to `to`, as a copy if possible. Returns the end of the output, or -REASON_* if the profile refuses
 * the URL.
 */
function writeUrl(row: i32, to: i32): i32 {
  const hint = loadWord(row + (code.RECORD_HINT << 2));
  const scheme = loadWord(row + (code.RECORD_SCHEME << 2));
  const hinted = urlStart + (hint >> code.HINT_SHIFT);
  let end = 0;
  if ((hint & code.HINT_CLEAN_AUTHORITY) != 0) end = copyNormalized(urlStart, urlEnd, hinted, colon - urlStart, scheme, to);
  else if ((hint & code.HINT_CLEAN_ADDRESS) != 0) end = copyAddress(urlStart, urlEnd, colon, hinted, to);
  copied = end != 0;
  if (!copied) end = copyOpaque(urlStart, urlEnd, colon, scheme, to);
  if (end != 0) return end;
  const normalEnd = normalizeUrl(urlStart, urlEnd, colon, scheme, to);
  if (normalEnd < 0 || !isRfc1738 || !losesShape(scheme)) return normalEnd;
  note(rule.N8_REFUSED, urlStart, urlEnd);
  return -code.REASON_BAD_SHAPE;
}

/** Whether a URL without authority has its shape only with its fragment, which RFC 1738 does not count as part of a URL (N8, X6). */
function losesShape(scheme: i32): bool {
  if (hasAuthority || (shapeOf(scheme) & SHAPE_OPAQUE) == 0) return false;
  const fragment = findByte(colon, urlEnd, HASH);
  if (fragment == urlEnd) return false;
  const special = specialOf(scheme);
  return hasShape(special, colon + 1, urlEnd, 0) && !hasShape(special, colon + 1, fragment, 0);
}

function emitLine(row: i32, isRaw: bool, to: i32): i32 {
  findRaw(row);
  const end = isRaw ? writeAsWritten(rawStart, rawEnd, to) : writeUrl(row, to);
  if (end < 0) {
    refuse(row, -end);
    return to;
  }
  store8(end, separator);
  return end + 1;
}

/**
 * Writes the raw form, if it is wanted, and the URL to `to`, and completes the row. Returns the end of the output. The profile `none` needs
 * the normal form only for host and flags.
 */
function emitRow(row: i32, isRaw: bool, to: i32): i32 {
  note(rule.NOTE_URL, row, row);
  findRaw(row);
  const isWhole = isRaw || (state.options & layout.OPTION_URLS) == 0;
  const rawLength = isWhole ? rawEnd - rawStart : 0;
  copyBytes(to, rawStart, rawLength);
  const url = to + rawLength;
  if (loadWord(row + (code.RECORD_KIND << 2)) == code.KIND_LINK) {
    // A link has only a raw form: its URL needs a base (C106).
    completeRow(row, to, rawLength, to, 0, to, 0);
    return url;
  }
  const end = writeUrl(row, url);
  const scheme = loadWord(row + (code.RECORD_SCHEME << 2));
  const flags = isWhole ? flagsOfUrl(row, scheme) : 0;
  const refused = end < 0;
  const after = refused ? url : end;
  let urlAt = url;
  let writtenEnd = after;
  if (isRaw) {
    note(rule.NOTE_AS_WRITTEN, rawStart, rawEnd);
    // The result differs from the raw form only if it has triplets, which are rare. Then it is longer.
    writtenEnd = writeAsWritten(rawStart, rawEnd, after);
    urlAt = writtenEnd - after == rawLength ? to : after;
    writtenEnd = urlAt == to ? url : writtenEnd;
  }
  storeWord(row + (code.RECORD_FLAGS << 2), loadWord(row + (code.RECORD_FLAGS << 2)) | flags);
  completeRow(row, to, rawLength, urlAt, writtenEnd - urlAt, hostAt, refused ? 0 : hostLength);
  if (refused && !isRaw) refuse(row, -end);
  return urlAt == to ? after : writtenEnd;
}

function flagsOfUrl(row: i32, scheme: i32): i32 {
  if (!copied) return urlFlags(urlStart, urlEnd, colon, scheme);
  if (hostLength == 0) return 0;
  const path = urlStart + (loadWord(row + (code.RECORD_HINT << 2)) >> code.HINT_SHIFT);
  return copiedFlags(scheme, path, urlEnd);
}

/** Stores the addresses and lengths of the raw form, the URL and the host in the row, and REASON_NONE. */
function completeRow(row: i32, raw: i32, rawLength: i32, url: i32, urlLength: i32, host: i32, length: i32): void {
  storeWord(row + (code.RECORD_RAW << 2), raw);
  storeWord(row + (code.RECORD_RAW_LENGTH << 2), rawLength);
  storeWord(row + (code.RECORD_URL << 2), url);
  storeWord(row + (code.RECORD_URL_LENGTH << 2), urlLength);
  storeWord(row + (code.RECORD_HOST << 2), host);
  storeWord(row + (code.RECORD_HOST_LENGTH << 2), length);
  storeWord(row + (code.RECORD_REASON << 2), code.REASON_NONE);
}

/** Stores in the row why the profile refuses its match. Counts the match, and lists it on request (X12). */
function refuse(row: i32, reason: i32): void {
  storeWord(row + (code.RECORD_REASON << 2), reason);
  state.addRefused(loadWord(row + (code.RECORD_START << 2)), loadWord(row + (code.RECORD_END << 2)), reason);
}
