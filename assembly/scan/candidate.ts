// Reads a candidate in plain text: back from the colon to its scheme (X1), then through authority or shape (X2, X6) to its end (X3 to X5).

import { classOf, findByte, isAlpha } from "../bytes/ascii.ts";
import { AMPERSAND, BACKSLASH, COLON, DOT, ESC, NON_ASCII, SLASH, SPACE, SQUARE_CLOSE } from "../bytes/characters.ts";
import { CLASS_MARK, CLASS_TRAILING, SET_AUTHORITY, SET_DELIMITER, SET_NOT_HOST, SET_STOP } from "../bytes/classes.ts";
import * as code from "../layout/codes.ts";
import { OPTION_NESTED } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { authorityEnd, hostEnd, hostStart, isHostName, parseAuthority, startsComponent, userinfoEnd } from "../url/authority.ts";
import { schemeFollows, shapeOf, specialOf } from "../url/scheme.ts";
import { colorLength, colorsStart, findSeparator } from "./colors.ts";
import { isPlain } from "./context.ts";
import { isAtSign, isCutName, isEllipsis } from "./cut.ts";
import { isCutHost, MARK_BYTES_MAX, mayBeginMark, mayNeedMore, tornReason } from "./defanged.ts";
import { isCut, openValue, skipTriplet, sourceOfValue, valueLimit } from "./encoded.ts";
import { closedEnd, findEnd, isSeparator, noteEnd, startCandidate, trimEnd } from "./end.ts";
import * as escaped from "./escaped.ts";
import { findLineWrappedEnd, hyphenBreak, isHalfBreak, marks, mayContinue } from "./line-wrap.ts";
import { findGluedText } from "./name.ts";
import { readOpaque } from "./opaque.ts";
import { findNameStart, isQuoted } from "./prefix.ts";
import { findScheme, glued, moveScheme, row, scheme } from "./scheme-before.ts";
import * as state from "./state.ts";
import { findWindowsEnd, findWindowsPath, findWindowsTextEnd } from "./windows-path.ts";

/** Whether the candidate is read in a copy of the text (X16, C146). */
let isCopy: bool = false;
/** Address of the scheme in the text that was copied, or of the colors before it. Some rules look at the bytes before it there. */
let copySource: i32 = 0;
/** Whether a `'` is before the scheme in that text (X3). */
let copyQuoted: bool = false;
/** REASON_* of the candidate in the copy if it failed. */
let copyReason: i32 = 0;
/** End of that candidate in the copy before X5 if it did not fail. */
let copyUntrimmed: i32 = 0;
/** FLAG_* of that candidate. */
let copyFlags: i32 = 0;
/** Cache of isInScheme, because many names may be before one colon: the last colon, or 0. */
let askedColon: i32 = 0;
/** Start of the run of scheme characters before askedColon. */
let askedRun: i32 = 0;
/** Start of the scheme before askedColon, or NO_SCHEME. */
let askedScheme: i32 = 0;
/** Greater than any address. */
const NO_SCHEME: i32 = 0x7fffffff;
/** Whether findEnd has read the candidate, and may have left brackets open. */
let mayBeOpen: bool = false;

/** Reads the candidate whose scheme ends the run [run, colon). Returns where the scan continues, NEED_INPUT or AFTER_RANGE. */
export function readCandidate(run: i32, colon: i32): i32 {
  if (state.isOpen(colon)) return state.NEED_INPUT;
  const slashes = load8(colon + 1) == SLASH && load8(colon + 2) == SLASH;
  if (!findScheme(run, colon, slashes)) return readEscapedSlashes(run, colon);
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  const before = load8(scheme - 1);
  if (slashes && row >= 0 && startsRun(before)) state.startRun(scheme);
  if (scheme >= state.runLimit(scheme, scheme + 1)) return colon + 1;
  const shape = shapeOf(row);
  if (row < 0 || (slashes && (shape & rows.SHAPE_AUTHORITY) != 0)) return readAuthority(colon);
  if ((shape & rows.SHAPE_OPAQUE) != 0) return readOpaque(scheme, colon, row);
  if (specialOf(row) == rows.SPECIAL_FILE && load8(colon + 1) == SLASH) return readPath(colon);
  return readEscapedSlashes(run, colon);
}

/** Reads the candidate if its slashes are escaped, colored or references; returns what readCandidate does. (X16, C297, C311) */
function readEscapedSlashes(run: i32, colon: i32): i32 {
  if ((state.options & OPTION_NESTED) != 0) return colon + 1;
  const after = load8(colon + 1);
  const end = after == BACKSLASH || after == AMPERSAND ? colon : findSeparator(colon);
  if (end == 0) return colon + 1;
  if (end < 0 || state.isOpenEnded(colon)) return state.NEED_INPUT;
  if (after == AMPERSAND && !escaped.areReferences(colon + 1)) return colon + 1;
  const isFound = after == BACKSLASH ? findEscapedScheme(run, colon) : findSlashed(findNameStart(end), end);
  return isFound ? readSlashed(colon, end, after == AMPERSAND) : colon + 1;
}

/** Reads the candidate of a scheme and `\://` with its colon at `colon`; returns what readCandidate does. (C297) */
export function readEscapedColon(colon: i32): i32 {
  const end = colon - 1;
  if (!isAlpha(load8(end - 1)) || (state.options & OPTION_NESTED) != 0) return colon + 1;
  if (state.isOpenEnded(colon)) return state.NEED_INPUT;
  const isFound = escaped.isSeparatorAt(colon, 1) && findSlashed(escaped.skipEscaped(findNameStart(end)), end);
  return isFound ? readSlashed(colon, end, false) : colon + 1;
}

/** Reads the candidate that findSlashed found, whose scheme ends at `end`; returns what readCandidate does. */
function readSlashed(colon: i32, end: i32, isReference: bool): i32 {
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  if (scheme >= state.runLimit(scheme, scheme + 1)) return colon + 1;
  if (isReference) return reject(colon, code.REASON_DEFANGED);
  const next = readEscaped(colon, end - scheme);
  return next == escaped.TOO_LONG ? reject(colon, code.REASON_OVERLONG) : next;
}

/** Finds the scheme before `:\/\/` at `colon`; returns false if there is no `:\/\/`, no scheme, or an opaque scheme. (C116) */
function findEscapedScheme(run: i32, colon: i32): bool {
  // The filter passes over other colons before a backslash.
  return isAlpha(load8(colon - 1)) && escaped.isSeparatorAt(colon, 2) && findSlashed(escaped.skipEscaped(run), colon);
}

/** Finds the scheme that ends the run [run, end), before a colon and slashes; returns false if there is none, or an opaque one. */
function findSlashed(run: i32, end: i32): bool {
  return findScheme(run, end, true) && (row < 0 || (shapeOf(row) & rows.SHAPE_OPAQUE) == 0);
}

/**
 * Reads the candidate without the escapes in its text; `length`: that of its scheme. Returns the address from which the scan continues,
 * NEED_INPUT or TOO_LONG. (X16)
 */
function readEscaped(colon: i32, length: i32): i32 {
  const start = scheme;
  const copy = escaped.openCopy(start);
  if (copy == state.NEED_INPUT || copy == escaped.TOO_LONG) return copy;
  // The copy gets the context of the last lookup, so look up the context of the text.
  isPlain(start);
  const end = readCopy(copy, escaped.copyLimit(), length, false);
  if (end == 0) return reject(colon, copyReason);
  const sourceEnd = escaped.sourceOf(end);
  note(rule.X16_ESCAPES, start, sourceEnd);
  state.addRecord(start, sourceEnd, length, row, code.KIND_PLAIN, copyFlags, code.HINT_ESCAPED);
  return sourceEnd;
}

/** Reads the percent-encoded URL whose scheme ends at the `%3A` at `colon`; returns what readCandidate does. (C146) */
export function readEncoded(colon: i32): i32 {
  if (isCut(colon)) return state.NEED_INPUT;
  if (!findScheme(skipTriplet(findNameStart(colon), colon), colon, true)) return colon + 1;
  if (row < 0 || (shapeOf(row) & rows.SHAPE_OPAQUE) != 0) return colon + 1;
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  const start = scheme;
  const limit = state.runLimit(start, start + state.urlBytesMax + 1);
  if (start >= limit) return colon + 1;
  const copy = openValue(start, limit);
  if (copy == state.NEED_INPUT) return copy;
  // The slashes are too far from the start of the run (X12).
  if (copy + colon - start + 3 > valueLimit()) return colon + 1;
  const end = readCopy(copy, valueLimit(), colon - start, true);
  if (end == 0) return reject(colon, copyReason);
  if (sourceOfValue(copyUntrimmed) > limit) return state.skipOverlong(start, colon, limit);
  const sourceEnd = sourceOfValue(end);
  note(rule.X11_ENCODED, start, sourceEnd);
  state.addRecord(start, sourceEnd, colon - start, row, code.KIND_NESTED, copyFlags, code.HINT_ESCAPED);
  return sourceEnd;
}

/**
 * Reads the candidate in its copy at `copy`, which ends at `limit`; `length`: that of its scheme. `isDecoded`: as for enterCopy. Returns
 * the end of the match in the copy, or 0.
 */
function readCopy(copy: i32, limit: i32, length: i32, isDecoded: bool): i32 {
  const start = scheme;
  copySource = isDecoded ? start : colorsStart(start);
  copyQuoted = isQuoted(copySource);
  isCopy = true;
  moveScheme(copy);
  state.enterCopy(copy, limit, isDecoded);
  const end = readAuthority(copy + length);
  state.leaveCopy();
  isCopy = false;
  moveScheme(start);
  return end;
}

/** Whether the scheme, which has `://`, starts an unbroken run after the byte `before` (X3, X12). */
function startsRun(before: i32): bool {
  return before >= NON_ASCII ? row <= rows.SCHEME_HTTPS : isSeparator(before);
}

/** Clears the cache of isInScheme. To be called when the bytes of the window have changed. */
export function resetInScheme(): void {
  askedColon = 0;
}

/** Whether the byte at `p` is in a scheme before `://` or `:\/\/`; only scheme characters are between `p` and `colon` (X1, X16). */
export function isInScheme(p: i32, colon: i32): bool {
  if (load8(colon) != COLON || (load8(colon + 1) != SLASH && load8(colon + 1) != BACKSLASH)) return false;
  let run = colon == askedColon ? askedRun : findNameStart(colon);
  if (run < state.lastEnd) run = state.lastEnd;
  if (colon != askedColon || run != askedRun) {
    askedColon = colon;
    askedRun = run;
    askedScheme = hasScheme(run, colon) ? scheme : NO_SCHEME;
  }
  return askedScheme <= p;
}

function hasScheme(run: i32, colon: i32): bool {
  if (load8(colon + 1) == BACKSLASH) return (state.options & OPTION_NESTED) == 0 && findEscapedScheme(run, colon);
  return load8(colon + 2) == SLASH && findScheme(run, colon, true);
}

/** Returns the address of the scheme in the text, even while a copy is read. */
function origin(): i32 {
  return isCopy ? copySource : scheme;
}

function beginBrackets(): void {
  startCandidate(origin());
  mayBeOpen = true;
}

function reject(colon: i32, reason: i32): i32 {
  if (isCopy) {
    copyReason = reason;
    return 0;
  }
  return state.addRejected(scheme, reason, colon + 3);
}

/** Reads the authority after `://`, and the rest up to the end by X3 to X5. Returns what readCandidate does, or readCopy in a copy. */
function readAuthority(colon: i32): i32 {
  const start = colon + 3;
  const bound = state.lookAhead(scheme);
  mayBeOpen = false;
  // The slashes are too far from the first byte of the scheme (X12).
  if (start > bound) return colon + 1;
  const end = findInSet(start, bound, SET_NOT_HOST);
  // Fast path: most authorities are only a host name.
  if (end < bound && isHostName(start, end)) {
    const c = load8(end);
    if (c == SLASH) return readClean(start, end, colon, bound);
    const isLast = (classOf(c) & (1 << SET_DELIMITER)) != 0 || (isSeparator(c) && schemeFollows(end + 1, state.high));
    if (isLast && !mayBeginMark(end)) return finish(start, end, end, colon, cleanHint(end));
  }
  const windows = readWindows(colon, end);
  if (windows != 0) return windows;
  const quoted = isQuotedHere();
  beginBrackets();
  const region = findEnd(start, bound, SET_AUTHORITY, quoted);
  if (state.isOpen(region)) return state.NEED_INPUT;
  if (load8(region) == ESC && (state.options & OPTION_NESTED) == 0 && region <= state.runLimit(scheme, region)) {
    if (state.isOpenEnded(region)) return state.NEED_INPUT;
    const next = colorLength(region, state.high) != 0 ? readEscaped(colon, colon - scheme) : escaped.TOO_LONG;
    if (next != escaped.TOO_LONG) return next;
  }
  // A colon that is the last byte read (X12) is no port, whatever follows.
  const isCutPort = region == bound && load8(region - 1) == COLON;
  let reason = parseAuthority(start, isCutPort ? region - 1 : region);
  // Most hosts are ASCII up to their end.
  const isAscii = hostStart == start && end >= hostEnd;
  if (!isAscii && (reason == code.REASON_NONE || reason == code.REASON_BAD_PORT)) {
    const nameEnd = findGluedText(hostStart, hostEnd);
    if (nameEnd < hostEnd) {
      note(rule.X2_GLUED, nameEnd, hostEnd);
      return finish(hostStart, nameEnd, nameEnd, colon, 0);
    }
  }
  // In `http://evil[.]example/` a mark follows the host: `evil` alone is another host.
  if (reason == code.REASON_NONE && authorityEnd == hostEnd) {
    // If the host ends with the copy, the bytes after the host are those of the text.
    const isCopyEnd = isCopy && hostEnd == escaped.copyLimit() && (state.options & OPTION_NESTED) == 0;
    const p = isCopyEnd ? escaped.copyTextEnd() : hostEnd;
    if (mayNeedMore(p, region)) return state.NEED_INPUT;
    const isLabel = findByte(hostStart, hostEnd, DOT) == hostEnd;
    if (isCutHost(p, region, isCopyEnd ? p + MARK_BYTES_MAX : bound, isLabel)) reason = code.REASON_DEFANGED;
    else if (!isCopy) reason = tornReason(hostStart, hostEnd, bound);
    if (reason == state.NEED_INPUT) return state.NEED_INPUT;
  }
  if (reason == code.REASON_DEFANGED) note(rule.X2_DEFANGED, hostEnd, region);
  const withoutHost = reason == code.REASON_NO_HOST && region == start && load8(start) == SLASH && specialOf(row) == rows.SPECIAL_FILE;
  if (userinfoEnd >= 0) note(rule.X2_USERINFO, start, userinfoEnd + 1);
  if (reason != code.REASON_NONE && !withoutHost) {
    note(rule.X2_REFUSED, start, region);
    return region > state.runLimit(scheme, region) ? overlong(colon, region) : reject(colon, reason);
  }
  if (withoutHost || (authorityEnd == region && region < bound && startsComponent(load8(region)))) {
    const floor = withoutHost ? start : hostStart;
    const nameEnd = withoutHost ? start : hostEnd;
    return finish(floor, nameEnd, findEnd(region, bound, SET_STOP, quoted), colon, 0);
  }
  if (authorityEnd < region) note(rule.X2_END, authorityEnd, authorityEnd + 1);
  return finish(hostStart, hostEnd, authorityEnd, colon, 0);
}

function isQuotedHere(): bool {
  return isCopy ? copyQuoted : isQuoted(scheme);
}

function cleanHint(nameEnd: i32): i32 {
  return code.HINT_CLEAN_AUTHORITY | ((nameEnd - scheme) << code.HINT_SHIFT);
}

/** Reads the path after the host name [start, nameEnd): the common case. */
function readClean(start: i32, nameEnd: i32, colon: i32, bound: i32): i32 {
  let end = findInSet(nameEnd, bound, SET_STOP);
  if (end < bound && (classOf(load8(end)) & (1 << SET_DELIMITER)) == 0) {
    beginBrackets();
    end = findEnd(end, bound, SET_STOP, isQuotedHere());
  }
  return finish(start, nameEnd, end, colon, cleanHint(nameEnd));
}

/** Reads a file URL with a path of Windows. Returns what readCandidate does, or 0 if it is none. (C291) */
function readWindows(colon: i32, nameEnd: i32): i32 {
  if (specialOf(row) != rows.SPECIAL_FILE || isCopy || (state.options & OPTION_NESTED) != 0) return 0;
  if (state.isOpenEnded(nameEnd)) return state.NEED_INPUT;
  const path = findWindowsPath(colon, nameEnd);
  if (path == 0) return 0;
  const textEnd = findWindowsTextEnd(scheme, state.lookAhead(scheme));
  if (state.isOpenEnded(textEnd)) return state.NEED_INPUT;
  if (textEnd - scheme > state.urlBytesMax) return 0;
  beginBrackets();
  const end = findWindowsEnd(path, textEnd, isQuoted(scheme));
  if (end == state.NEED_INPUT || (end != 0 && state.isOpen(end))) return state.NEED_INPUT;
  if (end == 0) return 0;
  const closed = closedEnd(path, end);
  const trimmed = trimEnd(scheme, path, closed, path);
  noteEnd(trimmed, closed, end);
  state.addRecord(scheme, trimmed, colon - scheme, row, code.KIND_PLAIN, glued ? code.FLAG_GLUED : 0, code.HINT_VALUE);
  return trimmed;
}

/** Reads `file:/x`, which has a path but no authority. */
function readPath(colon: i32): i32 {
  const windows = readWindows(colon, colon);
  if (windows != 0) return windows;
  const start = colon + 1;
  beginBrackets();
  return finish(start, start, findEnd(start, state.lookAhead(scheme), SET_STOP, isQuoted(scheme)), colon, 0);
}

/**
 * Reports the match that ends at `end`: removes trailing punctuation (X5) and looks for its continuation in the next line (X8). Refuses it
 * if X5 leaves nothing after `floor`. `nameEnd`: the end of the host. Returns what readAuthority does.
 */
function finish(floor: i32, nameEnd: i32, end: i32, colon: i32, hint: i32): i32 {
  if (state.isOpen(end)) return state.NEED_INPUT;
  const after = load8(end);
  const windows = after == BACKSLASH ? readWindows(colon, nameEnd) : 0; // `file://localhost/C:\x`
  if (windows != 0) return windows;
  if (end > state.runLimit(scheme, end)) return overlong(colon, end);
  const mayGoOn = after == BACKSLASH || after == ESC;
  if (mayGoOn && (state.options & OPTION_NESTED) == 0 && load8(colon + 1) == SLASH && load8(colon + 2) == SLASH) {
    if (state.isOpenEnded(end)) return state.NEED_INPUT;
    const next = escaped.isEscapedMatch(scheme, nameEnd, end) ? readEscaped(colon, colon - scheme) : escaped.TOO_LONG;
    if (next != escaped.TOO_LONG) return next;
  }
  const closed = mayBeOpen ? closedEnd(nameEnd, end) : end;
  const last = load8(closed - 1);
  let trimmed = closed;
  if (last >= NON_ASCII || last == SQUARE_CLOSE || (classOf(last) & (CLASS_TRAILING | CLASS_MARK)) != 0) {
    trimmed = trimEnd(origin(), floor, closed, nameEnd);
    if (trimmed <= floor) {
      noteEnd(trimmed, closed, end);
      return reject(colon, code.REASON_NO_HOST);
    }
  }
  if (trimmed <= nameEnd && floor < nameEnd) {
    if (after == SPACE && state.isOpenEnded(end)) return state.NEED_INPUT;
    if (isCutName(floor, trimmed)) {
      const isAt = !isCopy && (state.options & OPTION_NESTED) == 0 && isAtSign(end);
      const next = isAt ? readEscaped(colon, colon - scheme) : escaped.TOO_LONG;
      if (next != escaped.TOO_LONG) return next;
      note(rule.X2_REFUSED, floor, trimmed);
      return reject(colon, code.REASON_BAD_HOST);
    }
  }
  let flags = glued ? code.FLAG_GLUED : 0;
  if ((trimmed < closed || after == DOT || after == AMPERSAND || after >= NON_ASCII) && isEllipsis(trimmed)) flags |= code.FLAG_CUT;
  if (isCopy) {
    copyUntrimmed = end;
    copyFlags = flags;
    noteEnd(trimmed, closed, end);
    return trimmed;
  }
  if (state.followsLines && mayContinue(floor, nameEnd, end, hint) && isPlain(scheme)) {
    if (isHalfBreak(end)) return state.NEED_INPUT;
    // A bracket that is open at the end of the line may be closed in the next line.
    const whole = closed == end ? trimmed : trimEnd(scheme, floor, end, nameEnd);
    const joined = findLineWrappedEnd(scheme, colon, end, whole == end);
    if (joined < 0) return joined;
    if (joined != end && state.joinsLines) return addLineWrapped(joined, colon, flags);
    if (joined != end) flags |= code.FLAG_LINE_CUT;
  }
  noteEnd(trimmed, closed, end);
  state.addRecord(scheme, trimmed, colon - scheme, row, code.KIND_PLAIN, flags, hint);
  return trimmed;
}

function addLineWrapped(end: i32, colon: i32, flags: i32): i32 {
  const hint = code.HINT_BROKEN | (marks << code.HINT_SHIFT);
  state.addRecord(scheme, end, colon - scheme, row, code.KIND_GUESSED, hyphenBreak ? flags | code.FLAG_HYPHEN_BREAK : flags, hint);
  return end;
}

/** Refuses the match, which ends after the limit of its unbroken run, and skips the rest of the run (X12). */
function overlong(colon: i32, end: i32): i32 {
  return state.skipOverlong(scheme, colon, state.runLimit(scheme, end));
}
