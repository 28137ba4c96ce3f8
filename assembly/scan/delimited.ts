// Delimited URLs (X7): `<URL:...>` and `<scheme:...>`, which may hold white space, line breaks and quote marks; also `scheme:<...>`.

import { isAlpha } from "../bytes/ascii.ts";
import { BAR, COLON, DELETE, GREATER, HYPHEN, LESS, NON_ASCII, SLASH, SPACE, TAB } from "../bytes/characters.ts";
import { SET_DELIMITED, SET_DELIMITER, SET_NOT_HOST, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { keptLength } from "../bytes/utf8.ts";
import * as code from "../layout/codes.ts";
import { OPTION_ANY_SCHEME, OPTION_SCHEMELESS, REJOIN_REGION } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { authorityEnd, findAuthorityEnd, isHostName, parseAuthority, startsComponent } from "../url/authority.ts";
import { findKnown, isExperimental, isNeverExtracted, shapeOf, specialOf } from "../url/scheme.ts";
import { findCleanDomain, hasShape } from "../url/shape.ts";
import { specialAt } from "./context.ts";
import { endsInEllipsis } from "./cut.ts";
import { trimmedEnd } from "./delimited-end.ts";
import { breakLength, countQuoteMarks, findLineStart, NO_LINE } from "./line.ts";
import { isInReceived } from "./message-id.ts";
import { isUrlPrefix } from "./prefix.ts";
import { kindOfWhole } from "./schemeless.ts";
import { ruleOfKind, schemeOf } from "./schemeless-kinds.ts";
import * as state from "./state.ts";

const BREAKS_MAX: i32 = 8;
const NONE: i32 = 0; // No delimited URL here

/** Number of quote marks on the line of the `<`, or of the match that `rejoin` writes; -1: not counted yet. */
let marks: i32 = -1;
/** The `<` of the delimited URL that is read. */
let less: i32 = 0;
/** Number of line breaks in the white space that skipGap skipped last. */
let gapBreaks: i32 = 0;
/** End of the authority that isUrl found, if the authority is only a host name; else 0. */
let nameEnd: i32 = 0;
/** Start of the domain of a mailto with a plain address that isUrl found, else 0. */
let domainStart: i32 = 0;
/** Address up to which skipGap looked when it failed. */
let gapReached: i32 = 0;

/**
 * Reads the delimited URL with its `<` at `at` and its first name (`URL` or a scheme) at [name, colon). Returns the address after its `>`,
 * or that of the `|` before a label; 0 if it is no delimited URL, NEED_INPUT or AFTER_RANGE.
 */
export function readDelimited(at: i32, name: i32, colon: i32): i32 {
  if (state.isAfterRange(at + 1)) return state.AFTER_RANGE;
  open(at);
  return name > at + 1 && skipGap(at + 1) != name ? NONE : readNamed(name, colon);
}

/** Reads the delimited URL with its `<` at `at`, which may hold schemeless text. Returns what readDelimited does. */
export function readLess(at: i32): i32 {
  if (state.isAfterRange(at + 1)) return state.AFTER_RANGE;
  open(at);
  const name = load8(at + 1) <= SPACE ? skipGap(at + 1) : at + 1;
  return name < 0 ? none(gapReached) : readNamed(name, skipName(name));
}

function open(at: i32): void {
  less = at;
  marks = -1;
}

/** Reads the delimited URL from its first name [name, after) on. Returns what readDelimited does. */
function readNamed(name: i32, after: i32): i32 {
  let scheme = name;
  let colon = after;
  const prefixed = load8(colon) == COLON && isUrlPrefix(name);
  if (prefixed) {
    scheme = skipGap(colon + 1);
    if (scheme < 0) return none(gapReached);
    colon = skipName(scheme);
  }
  const row = load8(colon) == COLON ? findKnown(scheme, colon - scheme) : rows.SCHEME_UNKNOWN;
  if (row == rows.SCHEME_UNKNOWN && (state.options & OPTION_SCHEMELESS) != 0 && scheme - less <= state.urlBytesMax) {
    if (state.isOpenEnded(scheme)) return state.NEED_INPUT;
    const end = readContent(scheme, -1, rows.SCHEME_UNKNOWN, prefixed);
    if (end != NONE) return end;
  }
  if (load8(colon) != COLON || colon == scheme || scheme - less > state.urlBytesMax) return none(colon);
  const length = colon - scheme;
  if (row == rows.SCHEME_UNKNOWN && !mayBeScheme(scheme, length, prefixed)) return NONE;
  return readContent(scheme, length, row, prefixed);
}

/**
 * Reads `news:<a@b.example>`: a scheme [scheme, colon) whose shape has an `@`, and its text in angle brackets right after the colon.
 * Returns what readDelimited does. (X7, C90)
 */
export function readAngled(scheme: i32, colon: i32): i32 {
  const length = colon - scheme;
  const row = findKnown(scheme, length);
  if (!hasAt(specialOf(row)) || scheme >= state.runLimit(scheme, scheme + 1)) return NONE;
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  open(colon + 1);
  const bound = state.lookAhead(scheme);
  const start = colon + 2;
  let end = findInSet(start, bound, SET_DELIMITED);
  while (end < bound && (load8(end) >= NON_ASCII || load8(end) == BAR)) {
    const width = load8(end) == BAR ? 1 : keptLength(end, true);
    if (width == 0) break;
    end = findInSet(end + width, bound, SET_DELIMITED);
  }
  if (end >= bound || load8(end) != GREATER) return none(end);
  copyBytes(REJOIN_REGION, scheme, length + 1);
  copyBytes(REJOIN_REGION + length + 1, start, end - start);
  const textEnd = REJOIN_REGION + length + 1 + end - start;
  store8(textEnd, 0);
  if (!isUrl(REJOIN_REGION, textEnd, length, row, false, specialAt(scheme, scheme, length, row))) return NONE;
  note(rule.X1_KNOWN, scheme, colon);
  note(rule.X7_ANGLED, colon + 1, end + 1);
  state.addRecord(scheme, end + 1, length, row, code.KIND_WRAPPED, 0, brokenHint());
  return end + 1;
}

/** Whether the shape SPECIAL_* has an `@` (X6). */
function hasAt(special: i32): bool {
  return special == rows.SPECIAL_MAILTO || special == rows.SPECIAL_NEWS || special == rows.SPECIAL_AT || special == rows.SPECIAL_DOMAIN;
}

/**
 * Whether a delimited URL, or the value of an attribute, may have this unknown scheme: x-*, a scheme of X1 (c), or after `URL:` any scheme.
 * `data` and `javascript` are never allowed.
 */
export function mayBeScheme(scheme: i32, length: i32, prefixed: bool): bool {
  if (!prefixed && isExperimental(scheme, length)) return true;
  if (!prefixed && ((state.options & OPTION_ANY_SCHEME) == 0 || length < 2)) return false;
  return isAlpha(load8(scheme)) && !isNeverExtracted(scheme, length);
}

/** Returns the address after the scheme characters at `start`, at most urlBytesMax + 1 of them. */
function skipName(start: i32): i32 {
  return findInSet(start, state.lookAhead(start), SET_NOT_SCHEME);
}

/** Returns NONE, or NEED_INPUT if more input may change that. `reached`: the address up to which the text was read. */
function none(reached: i32): i32 {
  return state.isOpenEnded(reached) ? state.NEED_INPUT : NONE;
}

/**
 * Reads the text from the colon of the scheme to the `>`. `length`: that of the scheme; -1 if the text is schemeless and begins at
 * `scheme`. Writes a text with gaps to REJOIN_REGION without its white space. Returns what readDelimited does. (X7, X10)
 */
function readContent(scheme: i32, length: i32, row: i32, prefixed: bool): i32 {
  const bound = state.lookAhead(scheme);
  let p = scheme + length + 1;
  let segment = scheme;
  let rejoined = REJOIN_REGION;
  let breaks = 0;
  let flags = 0;
  let end = 0;
  let mayBeLabelled = !prefixed && row != rows.SCHEME_UNKNOWN && scheme == less + 1;
  while (true) {
    p = findInSet(p, bound, SET_DELIMITED);
    if (p >= bound) return none(p);
    const c = load8(p);
    if (c == GREATER) {
      end = p;
      break;
    }
    if (c >= NON_ASCII) {
      const width = keptLength(p, true);
      if (width == 0) return none(p);
      p += width;
      continue;
    }
    if (c == BAR) {
      const next = mayBeLabelled && segment == scheme ? readLabelled(scheme, p, bound, length, row) : NONE;
      if (next != NONE) return next;
      mayBeLabelled = false;
      p++;
      continue;
    }
    if (c != SPACE && c != TAB && breakLength(p) == 0) return none(p);
    const after = skipGap(p);
    if (after < 0) return none(gapReached);
    if (load8(after) == GREATER) {
      end = p;
      p = after;
      break;
    }
    breaks += gapBreaks;
    if ((gapBreaks == 0 && !prefixed) || breaks > BREAKS_MAX) return none(after);
    if (gapBreaks > 0 && load8(p - 1) == HYPHEN) flags = code.FLAG_HYPHEN_BREAK;
    noteGap(p, after);
    copyBytes(rejoined, segment, p - segment);
    rejoined += p - segment;
    segment = after;
    p = after;
  }
  if (p - scheme > state.urlBytesMax) return NONE;
  let text = scheme;
  let textEnd = end;
  if (segment != scheme) {
    text = REJOIN_REGION;
    textEnd = endRejoined(rejoined, segment, end);
  }
  const trimmed = textEnd - trimmedEnd(text, textEnd - (end - segment), textEnd, end);
  end -= trimmed;
  textEnd -= trimmed;
  if (length < 0) return addSchemeless(scheme, text, textEnd, end, p, flags);
  if (endsInEllipsis(text + length + 1, textEnd)) {
    if (findAuthorityEnd(text + length + 3, textEnd) == textEnd) return NONE;
    flags |= code.FLAG_CUT;
  }
  if (!isUrl(text, textEnd, length, row, prefixed, specialAt(less, text, length, row))) return NONE;
  // Checked last: text that is no delimited URL may still be a candidate that starts in the range (`<URL://`).
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  noteFound(ruleOfScheme(scheme, length, row, prefixed), scheme, scheme + length, p);
  const kind = breaks > 0 ? code.KIND_REJOINED : code.KIND_WRAPPED;
  state.addRecord(scheme, end, length, row, kind, flags, text == scheme ? cleanHint(scheme) : brokenHint());
  return p + 1;
}

/** Reports the schemeless text [scheme, end), which is [text, textEnd) without gaps, if it is a URL. `close`: the address of the `>`. */
function addSchemeless(scheme: i32, text: i32, textEnd: i32, end: i32, close: i32, flags: i32): i32 {
  const kind = kindOfWhole(text, textEnd, scheme);
  if (kind == 0 || (kind == code.KIND_IP && isInReceived(scheme))) return NONE;
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  noteFound(ruleOfKind(kind), scheme, end, close);
  state.addRecord(scheme, end, 0, schemeOf(kind, scheme), kind, flags, text == scheme ? 0 : brokenHint());
  return close + 1;
}

/** Copies the last piece [start, end) of a text to `to`, with a zero after it; returns its end. */
function endRejoined(to: i32, start: i32, end: i32): i32 {
  copyBytes(to, start, end - start);
  store8(to + end - start, 0);
  return to + end - start;
}

/**
 * Reads `<scheme:...|label>` of chat programs, with its first `|` at `bar`. Returns `bar`, where the scan continues; without a match NONE
 * or NEED_INPUT; or AFTER_RANGE. (X7, C94)
 */
function readLabelled(scheme: i32, bar: i32, bound: i32, length: i32, row: i32): i32 {
  let p = bar + 1;
  while (p < bound && isLabelByte(load8(p))) p++;
  if (p >= bound || p == bar + 1 || load8(p) != GREATER) return none(p);
  if (!isUrl(scheme, bar, length, row, false, specialAt(less, scheme, length, row))) return NONE;
  if (state.isAfterRange(scheme)) return state.AFTER_RANGE;
  note(ruleOfScheme(scheme, length, row, false), scheme, scheme + length);
  note(rule.X7_LABEL, bar, p + 1);
  state.addRecord(scheme, bar, length, row, code.KIND_WRAPPED, 0, cleanHint(scheme));
  return bar;
}

/** Returns the rule by which the scheme of a delimited URL was found (X1). */
function ruleOfScheme(scheme: i32, length: i32, row: i32, prefixed: bool): i32 {
  if (row != rows.SCHEME_UNKNOWN || isExperimental(scheme, length)) return rule.X1_KNOWN;
  return prefixed ? rule.X1_PREFIXED : rule.X1_ANY;
}

/** Notes the gap [start, end) that skipGap skipped. */
function noteGap(start: i32, end: i32): void {
  if (!isNoting()) return;
  note(gapBreaks > 0 ? rule.X7_BREAK : rule.X7_SPACE, start, end);
  if (gapBreaks > 0 && load8(start - 1) == HYPHEN) note(rule.X7_HYPHEN, start - 1, start);
}

/** Notes that the rule `finding` found the delimited URL by the text [start, end). Its `>` is at `close`. */
function noteFound(finding: i32, start: i32, end: i32, close: i32): void {
  note(finding, start, end);
  note(rule.X7_DELIMITED, less, close + 1);
}

function isLabelByte(c: i32): bool {
  return c >= SPACE && c != LESS && c != GREATER && c != BAR && c != DELETE;
}

function brokenHint(): i32 {
  return code.HINT_BROKEN | ((marks < 0 ? 0 : marks) << code.HINT_SHIFT);
}

/** Returns the HINT_* bits that isUrl found for the URL at `scheme`. */
export function cleanHint(scheme: i32): i32 {
  if (nameEnd > 0) return code.HINT_CLEAN_AUTHORITY | ((nameEnd - scheme) << code.HINT_SHIFT);
  return domainStart > 0 ? code.HINT_CLEAN_ADDRESS | ((domainStart - scheme) << code.HINT_SHIFT) : 0;
}

/**
 * Returns the address after the spaces, tabs and line breaks at `start` and the quote marks after the breaks. Returns -1 and sets
 * gapReached if no delimited URL has such a gap: an empty line, too few quote marks, more than urlBytesMax bytes; or if the window ends in
 * it. Sets gapBreaks.
 */
function skipGap(start: i32): i32 {
  const bound = state.lookAhead(start);
  let p = start;
  gapBreaks = 0;
  while (p < bound) {
    const c = load8(p);
    if (c == SPACE || c == TAB) {
      p++;
    } else {
      const width = breakLength(p);
      if (width == 0) return p;
      p = skipQuoteMarks(p + width, bound);
      if (p < 0 || isEmptyLine(p, bound)) return -1;
      gapBreaks++;
    }
  }
  gapReached = bound;
  return -1;
}

function isEmptyLine(start: i32, bound: i32): bool {
  let p = start;
  while (p < bound && (load8(p) == SPACE || load8(p) == TAB)) p++;
  gapReached = p;
  return breakLength(p) > 0;
}

/** Returns the address after the first `marks` quote marks of the line that starts at `line`; `line` if it has none, -1 if it has fewer. */
function skipQuoteMarks(line: i32, bound: i32): i32 {
  if (marks < 0) {
    const start = findLineStart(less, state.urlBytesMax);
    marks = start == NO_LINE ? 0 : countQuoteMarks(start, less);
  }
  let p = line;
  for (let i = 0; i < marks; i++) {
    let mark = p;
    while (mark < bound && load8(mark) == SPACE) mark++;
    if (load8(mark) != GREATER) {
      gapReached = mark;
      return i == 0 ? line : -1;
    }
    p = mark + 1;
  }
  return p;
}

/**
 * Whether the text [text, end) of a delimited URL or of a value is a URL. For `//` schemes, X2 must take the whole authority. Other schemes
 * need the shape `special` (X6). After `URL:` (`prefixed`), one byte is enough for opaque and unknown schemes. Sets nameEnd and
 * domainStart.
 */
export function isUrl(text: i32, end: i32, schemeLength: i32, row: i32, prefixed: bool, special: i32): bool {
  nameEnd = 0;
  domainStart = 0;
  const body = text + schemeLength + 1;
  if (body >= end) return false;
  const slashes = body + 1 < end && load8(body) == SLASH && load8(body + 1) == SLASH;
  if (row == rows.SCHEME_UNKNOWN) return prefixed || (slashes && isWholeAuthority(body + 2, end, false));
  const shape = shapeOf(row);
  const file = specialOf(row) == rows.SPECIAL_FILE;
  if (slashes && (shape & rows.SHAPE_AUTHORITY) != 0) return isWholeAuthority(body + 2, end, file);
  if (specialOf(row) == rows.SPECIAL_MAILTO) domainStart = findCleanDomain(body, end);
  if (domainStart != 0) return true;
  if ((shape & rows.SHAPE_OPAQUE) != 0) return prefixed || hasShape(special, body, end, 0);
  return file && load8(body) == SLASH;
}

/** Whether X2 takes the whole authority, from `start` to the first `/` `?` `#` or `end`. */
function isWholeAuthority(start: i32, end: i32, file: bool): bool {
  const name = findInSet(start, end, SET_NOT_HOST);
  if (isHostName(start, name) && (name == end || startsComponent(load8(name)))) {
    nameEnd = name;
    return true;
  }
  const region = findAuthorityEnd(start, end);
  const reason = parseAuthority(start, region);
  if (reason == code.REASON_NO_HOST) return file && region == start && region < end && load8(region) == SLASH;
  return reason == code.REASON_NONE && authorityEnd == region;
}

/**
 * Writes the text of a delimited or line-wrapped match [start, end) to `to` without white space, quote marks and angle brackets. Returns
 * the address after it. `quoteMarks`: their number on the line of the `<`, or of the first byte of a line-wrapped match.
 */
export function rejoin(start: i32, end: i32, quoteMarks: i32, to: i32): i32 {
  marks = quoteMarks;
  let at = to;
  let p = start;
  while (p < end) {
    const segment = p;
    p = findInSet(p, end, SET_DELIMITER);
    copyBytes(at, segment, p - segment);
    at += p - segment;
    if (p < end) p = isAngle(load8(p)) ? p + 1 : skipGap(p);
  }
  return at;
}

/** Whether `c` is one of the brackets in `news:<a@b.example>`. No other match has brackets in its span. */
function isAngle(c: i32): bool {
  return c == LESS || c == GREATER;
}
