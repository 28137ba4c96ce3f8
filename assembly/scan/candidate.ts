// Reads a candidate in plain text: back from the colon to its scheme (X1), then through authority or shape (X2, X6) to its end (X3 to X5).

import { classOf, findByte, isAlpha } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, CR, DOT, LF, NON_ASCII, SLASH, SQUARE_CLOSE } from "../bytes/characters.ts";
import { CLASS_MARK, CLASS_TRAILING, SET_AUTHORITY, SET_DELIMITER, SET_NOT_HOST, SET_STOP } from "../bytes/classes.ts";
import * as code from "../layout/codes.ts";
import { HOST_END_BYTES, HOST_ENDS, HOST_LETTER_BIT, OPTION_ANY_SCHEME, OPTION_ENCODED, OPTION_NESTED } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { findInSet, findSchemeRun, usualLength } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { authorityEnd, hostEnd, hostStart, isHostName, parseAuthority, startsComponent, userinfoEnd } from "../url/authority.ts";
import { findKnown, isExperimental, isNeverExtracted, schemeFollows, shapeOf, specialOf } from "../url/scheme.ts";
import { isPlain } from "./context.ts";
import { isCutHost, MARK_BYTES_MAX, mayBeginMark, mayNeedMore } from "./defanged.ts";
import { isCut, openValue, skipTriplet, sourceOfValue, valueLimit } from "./encoded.ts";
import { closedEnd, findEnd, isSeparator, noteEnd, startCandidate, trimEnd } from "./end.ts";
import { copyLimit, copyTextEnd, isEscapedMatch, isEscapedSeparator, openCopy, skipEscaped, sourceOf, TOO_LONG } from "./escaped.ts";
import { findLineWrappedEnd, hyphenBreak, marks } from "./line-wrap.ts";
import { findGluedText } from "./name.ts";
import { readOpaque } from "./opaque.ts";
import { isQuoted, isShiftEnd } from "./prefix.ts";
import * as state from "./state.ts";

/** Address of the scheme that findScheme found. While a copy is read, its address in the copy. */
let scheme: i32 = 0;
/** Row of the scheme; SCHEME_UNKNOWN for x-* and for a scheme of X1 (c). */
let row: i32 = 0;
/** Whether a letter is before the scheme (X1 b). */
let glued: bool = false;
/** Whether the candidate is read in a copy of the text (X16, C146). */
let isCopy: bool = false;
/** Address of the scheme in the text that was copied. Some rules look at the bytes before the scheme there. */
let copySource: i32 = 0;
/** Whether a `'` is before the scheme in that text (X3). */
let copyQuoted: bool = false;
/** REASON_* of the candidate in the copy if it failed. */
let copyReason: i32 = 0;
/** End of that candidate in the copy before X5 if it did not fail. */
let copyUntrimmed: i32 = 0;
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

/** Reads the candidate if it has `:\/\/` at the colon; returns what readCandidate does. (X16) */
function readEscapedSlashes(run: i32, colon: i32): i32 {
  if (load8(colon + 1) != BACKSLASH || (state.options & OPTION_NESTED) != 0) return colon + 1;
  if (state.isOpenEnded(colon)) return state.NEED_INPUT;
  if (!findEscapedScheme(run, colon)) return colon + 1;
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  if (scheme >= state.runLimit(scheme, scheme + 1)) return colon + 1;
  const next = readEscaped(colon);
  return next == TOO_LONG ? reject(colon, code.REASON_OVERLONG) : next;
}

/** Finds the scheme before `:\/\/` at `colon`; returns false if there is no `:\/\/`, no scheme, or an opaque scheme. (C116) */
function findEscapedScheme(run: i32, colon: i32): bool {
  // The filter passes over other colons before a backslash.
  if (!isAlpha(load8(colon - 1)) || !isEscapedSeparator(colon) || !findScheme(skipEscaped(run), colon, true)) return false;
  return row < 0 || (shapeOf(row) & rows.SHAPE_OPAQUE) == 0;
}

/** Reads the candidate without the escapes in its text. Returns the address from which the scan continues, NEED_INPUT or TOO_LONG. (X16) */
function readEscaped(colon: i32): i32 {
  const start = scheme;
  const copy = openCopy(start);
  if (copy == state.NEED_INPUT || copy == TOO_LONG) return copy;
  // The copy gets the context of the last lookup, so look up the context of the text.
  isPlain(start);
  const end = readCopy(copy, copyLimit(), colon, false);
  if (end == 0) return reject(colon, copyReason);
  const sourceEnd = sourceOf(end);
  note(rule.X16_ESCAPES, start, sourceEnd);
  state.addRecord(start, sourceEnd, colon - start, row, code.KIND_PLAIN, glued ? code.FLAG_GLUED : 0, code.HINT_ESCAPED);
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
  const end = readCopy(copy, valueLimit(), colon, true);
  if (end == 0) return reject(colon, copyReason);
  if (sourceOfValue(copyUntrimmed) > limit) return state.skipOverlong(start, colon, limit);
  const sourceEnd = sourceOfValue(end);
  note(rule.X11_ENCODED, start, sourceEnd);
  state.addRecord(start, sourceEnd, colon - start, row, code.KIND_NESTED, glued ? code.FLAG_GLUED : 0, code.HINT_ESCAPED);
  return sourceEnd;
}

/**
 * Reads the candidate in its copy at `copy`, which ends at `limit`; `colon`: its colon in the text. `isDecoded`: as for enterCopy. Returns
 * the end of the match in the copy, or 0.
 */
function readCopy(copy: i32, limit: i32, colon: i32, isDecoded: bool): i32 {
  copyQuoted = isQuoted(scheme);
  copySource = scheme;
  isCopy = true;
  scheme = copy;
  state.enterCopy(copy, limit, isDecoded);
  const end = readAuthority(copy + colon - copySource);
  state.leaveCopy();
  isCopy = false;
  scheme = copySource;
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

/**
 * Returns the start of the scheme characters before the colon: at most urlBytesMax, none of an earlier match or an escape sequence (C173).
 */
export function findNameStart(colon: i32): i32 {
  let bound = colon - state.urlBytesMax;
  if (bound < state.lastEnd) bound = state.lastEnd;
  const run = findSchemeRun(bound, colon);
  return isShiftEnd(run) && run < colon ? run + 1 : run;
}

/** Finds the scheme that ends the run [run, colon) by X1 (a), (b) or (c). `slashes`: two slashes follow, perhaps with escapes. */
function findScheme(run: i32, colon: i32, slashes: bool): bool {
  scheme = run;
  glued = false;
  // Most candidates need no search in the table.
  if (slashes && usualLength(colon) == colon - run && run < colon) {
    row = colon - run == 4 ? rows.SCHEME_HTTP : rows.SCHEME_HTTPS;
    note(rule.X1_KNOWN, run, colon);
    return true;
  }
  row = findKnown(run, colon - run);
  if (row >= 0 || isExperimental(run, colon - run)) {
    note(rule.X1_KNOWN, run, colon);
    return row >= 0 || slashes;
  }
  if (!slashes) return false;
  return findSuffix(run, colon) || ((state.options & OPTION_ANY_SCHEME) != 0 && findAnySuffix(run, colon));
}

/** Finds the longest suffix of [run, colon) that could be a scheme (X1 c); returns false if there is none or it is never extracted. */
function findAnySuffix(run: i32, colon: i32): bool {
  let p = run;
  while (p < colon && !isAlpha(load8(p))) p++;
  scheme = p;
  row = rows.SCHEME_UNKNOWN;
  glued = false;
  note(rule.X1_ANY, p, colon);
  return colon - p > 1 && !isNeverExtracted(p, colon - p);
}

/** Finds the longest suffix of [run, colon) that is a known scheme and allowed there (X1 b); returns false if there is none. */
function findSuffix(run: i32, colon: i32): bool {
  let p = colon - rows.NAME_BYTES_MAX;
  if (p <= run) p = run + 1;
  for (; p < colon; p++) {
    row = findKnown(p, colon - p);
    if (row == rows.SCHEME_UNKNOWN) continue;
    glued = isAlpha(load8(p - 1));
    scheme = p;
    if (glued && row > rows.SCHEME_HTTPS) continue;
    note(rule.X1_SUFFIX, p, colon);
    if (glued) note(rule.X1_GLUED, p - 1, p);
    return true;
  }
  return false;
}

/** Returns the address of the scheme in the text, even while a copy is read. */
function origin(): i32 {
  return isCopy ? copySource : scheme;
}

/** Begins to count brackets. */
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
  const quoted = isQuotedHere();
  beginBrackets();
  const region = findEnd(start, bound, SET_AUTHORITY, quoted);
  if (state.isOpen(region)) return state.NEED_INPUT;
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
    const isCopyEnd = isCopy && hostEnd == copyLimit() && (state.options & OPTION_NESTED) == 0;
    const p = isCopyEnd ? copyTextEnd() : hostEnd;
    if (mayNeedMore(p, region)) return state.NEED_INPUT;
    const isLabel = findByte(hostStart, hostEnd, DOT) == hostEnd;
    if (isCutHost(p, region, isCopyEnd ? p + MARK_BYTES_MAX : bound, isLabel)) reason = code.REASON_DEFANGED;
  }
  if (reason == code.REASON_DEFANGED) {
    note(rule.X2_DEFANGED, hostEnd, region);
  }
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

/** Whether a quote is before the candidate (X3). */
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

/** Reads `file:/x`, which has a path but no authority. */
function readPath(colon: i32): i32 {
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
  if (end > state.runLimit(scheme, end)) return overlong(colon, end);
  if (load8(end) == BACKSLASH && (state.options & OPTION_NESTED) == 0 && load8(colon + 1) == SLASH && load8(colon + 2) == SLASH) {
    if (state.isOpenEnded(end)) return state.NEED_INPUT;
    const next = isEscapedMatch(scheme, nameEnd, end) ? readEscaped(colon) : TOO_LONG;
    if (next != TOO_LONG) return next;
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
  if (isCopy) {
    copyUntrimmed = end;
    noteEnd(trimmed, closed, end);
    return trimmed;
  }
  let flags = glued ? code.FLAG_GLUED : 0;
  if (state.followsLines && mayContinue(floor, nameEnd, end, hint) && isPlain(scheme)) {
    if (isHalfBreak(end)) return state.NEED_INPUT;
    // A bracket that is open at the end of the line may be closed in the next line.
    const whole = closed == end ? trimmed : trimEnd(scheme, floor, end, nameEnd);
    const joined = findLineWrappedEnd(scheme, colon, end, whole == end);
    if (joined < 0) return joined;
    if (joined != end && state.joinsLines) return addLineWrapped(joined, colon, flags);
    if (joined != end) flags |= code.FLAG_CUT;
  }
  noteEnd(trimmed, closed, end);
  state.addRecord(scheme, trimmed, colon - scheme, row, code.KIND_PLAIN, flags, hint);
  return trimmed;
}

/**
 * Whether a match that ends at `end` may continue in the next line, and the answer matters. If lines are not joined, it matters only for
 * redirectors and for matches around nested ones. A quick test of the host [host, hostEnd) excludes most matches. (C142)
 */
function mayContinue(host: i32, hostEnd: i32, end: i32, hint: i32): bool {
  const c = load8(end);
  if (c != LF && c != CR) return false;
  const isAsked = state.joinsLines || isNoting() || (state.options & OPTION_ENCODED) != 0;
  if (isAsked || (hint & code.HINT_CLEAN_AUTHORITY) == 0 || hostEnd - host < HOST_END_BYTES) return true;
  const first = load8(hostEnd - HOST_END_BYTES) | HOST_LETTER_BIT;
  const second = load8(hostEnd - HOST_END_BYTES + 1);
  return ((load8(HOST_ENDS + first) >> (second & 7)) & 1) != 0;
}

/** Whether a CR is at `p`, the last byte of an open window: its LF may come next. */
function isHalfBreak(p: i32): bool {
  return load8(p) == CR && p + 1 == state.high && !state.final;
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
