// Values of attributes that are URLs (X9): a value that is one URL is read as browsers do. Any other value is text.

import { findByte, isAlpha, isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_DELIMITED, SET_DELIMITER, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import { decodeCharacter } from "../bytes/utf8.ts";
import { isQuote } from "../html/space.ts";
import { hasLinks, takeValue, valueBits, valueElement, valueForm } from "../html/values.ts";
import { HINT_UNSAFE, HINT_VALUE, KIND_LINK, KIND_PLAIN, KIND_REJOINED } from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { SCHEME_HTTP, SCHEME_UNKNOWN, SPECIAL_FILE, SPECIAL_FTP, SPECIAL_HTTP } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { findAuthorityEnd } from "../url/authority.ts";
import { findKnown, isSchemeByte, schemeFollows, specialOf } from "../url/scheme.ts";
import { isBorder, specialAt } from "./context.ts";
import { cleanHint, isUrl, mayBeScheme } from "./delimited.ts";
import * as state from "./state.ts";

/** Whether the value that findBorder read has no delimiter byte, no `|` and no character beyond ASCII, like most values. */
let isClean: bool = false;
/** Whether the text that holdsUrl read has a TAB, LF or CR. */
let hasBreaks: bool = false;
/** Whether that text has a backslash. */
let hasBackslash: bool = false;
/** Whether that text may have bytes that no other raw form has: a control, a quotation mark, a backslash, ill-formed UTF-8. */
let isUnsafe: bool = false;

/**
 * Reads the next value, which begins at `at`, and takes it. Returns the end of its URL, or `at` if the value is read as text, also after a
 * link. Returns NEED_INPUT or AFTER_RANGE if the value is not taken.
 */
export function readValue(at: i32): i32 {
  const form = valueForm;
  const element = valueElement();
  let end = findBorder(at);
  if (end - at > state.urlBytesMax) return readLink(at, at, at, element);
  if (end == state.high && !state.final) return state.NEED_INPUT;
  let start = at;
  if (form == layout.VALUE_REFRESH) {
    start = skipRefresh(at, end);
    if (start == at) return asText(at);
    if (isQuote(load8(start - 1))) end = findByte(start, end, load8(start - 1));
  }
  while (start < end && isTrimmed(load8(start), form)) start++;
  while (end > start && isTrimmed(load8(end - 1), form)) end--;
  forgetBytes();
  let scheme = start;
  let colon = findInSet(start, end, SET_NOT_SCHEME);
  if (colon < end && isBreak(load8(colon))) {
    // A line break or tab may be in the scheme.
    if (!holdsUrl(start, end)) return asBase(at, element);
    scheme = layout.REJOIN_REGION;
    const textEnd = writeValue(start, end, SCHEME_HTTP, 0, layout.REJOIN_REGION);
    store8(textEnd, 0);
    colon = findInSet(scheme, textEnd, SET_NOT_SCHEME);
  }
  if (start == end || load8(colon) != char.COLON || colon == end || !isAlpha(load8(scheme))) return readLink(at, start, end, element);
  if (form == layout.VALUE_LINK) return asText(at);
  if (load8(colon + 1) == char.LESS) return asBase(at, element);
  const length = colon - scheme;
  const row = findKnown(scheme, length);
  if (row == SCHEME_UNKNOWN && !mayBeScheme(scheme, length, false)) return asBase(at, element);
  if (!isClean && !holdsUrl(start, end)) return asBase(at, element);
  return readUrl(at, start, end, length, row, element);
}

function forgetBytes(): void {
  hasBreaks = false;
  hasBackslash = false;
  isUnsafe = false;
}

/**
 * Reports the relative URL [start, end) of the value at `at` if it is a link. The value is also read as text. Returns what readValue does.
 * (C106)
 */
function readLink(at: i32, start: i32, end: i32, element: i32): i32 {
  if (!mayLink(element)) return asText(at);
  if (isPageItself(start, end)) return asBase(at, element);
  forgetBytes();
  if (!isClean && !holdsUrl(start, end)) return asBase(at, element);
  return addLink(at, start, end, element);
}

/** Whether the relative URL [start, end) is the URL of its own page: it is empty, or a fragment. */
function isPageItself(start: i32, end: i32): bool {
  return start == end || load8(start) == char.HASH;
}

/** Whether a relative URL is a link in the element and attribute at `element` (C106). */
function mayLink(element: i32): bool {
  return element != 0 && (load8(element + layout.ELEMENT_BITS) & layout.ELEMENT_LINK) != 0;
}

/** Reports the link [start, end) of the value at `at`; returns what readValue does. */
function addLink(at: i32, start: i32, end: i32, element: i32): i32 {
  if (state.isAfterRange(start)) return state.AFTER_RANGE;
  const hint = (hasBreaks || hasBackslash ? HINT_VALUE : 0) | (isUnsafe ? HINT_UNSAFE : 0);
  note(rule.X9_LINK, start, end);
  state.addAttribute(start, end, 0, SCHEME_HTTP, KIND_LINK, hint, element, false);
  return asText(at);
}

/**
 * Takes the value at `at` as text. Writes a row for the `href` of a `base`, because no later `base` counts. Returns what readValue does.
 */
function asBase(at: i32, element: i32): i32 {
  if (element == 0 || (load8(element + layout.ELEMENT_BITS) & layout.ELEMENT_BASE) == 0) return asText(at);
  if (state.isAfterRange(at)) return state.AFTER_RANGE;
  state.addAttribute(at, at, 0, SCHEME_HTTP, KIND_LINK, 0, element, true);
  return asText(at);
}

function asText(at: i32): i32 {
  takeValue();
  return at;
}

/** Reports the URL [start, end) of the value at `at` if it is one; returns what readValue does. */
function readUrl(at: i32, start: i32, end: i32, length: i32, row: i32, element: i32): i32 {
  let isBroken = hasBreaks || (hasBackslash && isSpecial(row));
  let text = isBroken ? layout.REJOIN_REGION : start;
  let textEnd = isBroken ? writeValue(start, end, row, 0, layout.REJOIN_REGION) : end;
  if (hasServer(row)) {
    const rest = skipSlashes(text + length + 1, textEnd);
    const slashes = rest - text - length - 1;
    if (slashes < 2 && mayLink(element)) {
      return isPageItself(text + length + 1, textEnd) ? asBase(at, element) : addLink(at, start, end, element);
    }
    if (slashes != 2) {
      isBroken = true;
      text = layout.REJOIN_REGION;
      textEnd = writeValue(start, end, row, length, layout.REJOIN_REGION);
    }
  }
  if (isBroken) store8(textEnd, 0);
  if (!isUrl(text, textEnd, length, row, false, specialAt(start, text, length, row))) return asBase(at, element);
  if (isUnsafe && hasWhiteHost(text + length + 1, textEnd)) return asBase(at, element);
  if (state.isAfterRange(start)) return state.AFTER_RANGE;
  takeValue();
  note(rule.X9_VALUE, start, end);
  if (isBroken) note(rule.X9_CLEANED, start, end);
  const hint = (isBroken ? HINT_VALUE : cleanHint(start)) | (isUnsafe ? HINT_UNSAFE : 0);
  const kind = hasBreaks ? KIND_REJOINED : KIND_PLAIN;
  if (element == 0 || !hasLinks) {
    state.addValueRecord(start, end, length, row, kind, hint, element);
  } else {
    state.endMatch(end);
    state.addAttribute(start, end, length, row, kind, hint, element, false);
  }
  return end;
}

/** Returns the end of the value at `at`, the first address at which a URL is overlong, or the end of the window. Sets isClean. */
function findBorder(at: i32): i32 {
  const bound = state.lookAhead(at);
  isClean = true;
  let p = at;
  while (true) {
    p = findInSet(p, bound, SET_DELIMITED);
    if (p == bound || isBorder(load8(p))) return p;
    isClean = false;
    p++;
  }
}

/** Whether `c` is removed at the ends of a value: white space and controls, and in a token of a list also a comma. */
function isTrimmed(c: i32, form: i32): bool {
  return c <= char.SPACE || c == char.DELETE || (c == char.COMMA && (form == layout.VALUE_TOKEN || form == layout.VALUE_LINK));
}

function skipSpace(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) <= char.SPACE) p++;
  return p;
}

/** Returns the address after `5; url=` and perhaps a quote at the start of [at, end), or `at` if they are not there. */
function skipRefresh(at: i32, end: i32): i32 {
  let p = skipSpace(at, end);
  while (p < end && (isDigit(load8(p)) || load8(p) == char.DOT)) p++;
  p = skipSpace(p, end);
  if (p == end || (load8(p) != char.SEMICOLON && load8(p) != char.COMMA)) return at;
  p = skipSpace(p + 1, end);
  if (p + 3 > end || !startsWithAnyCase(p, "url")) return at;
  p = skipSpace(p + 3, end);
  if (p == end || load8(p) != char.EQUALS) return at;
  p = skipSpace(p + 1, end);
  return p < end && isQuote(load8(p)) ? p + 1 : p;
}

/**
 * Whether [start, end) may be one URL: no URL follows white space, and nothing shows that the quote after the value is missing, such as a
 * `>` without a `<` before it, a `<` after white space, or white space, a name and `=` at the end. Sets hasBreaks, hasBackslash and
 * isUnsafe for the bytes that it reads.
 */
function holdsUrl(start: i32, end: i32): bool {
  let isOpened = (valueBits & layout.VALUE_MARKED) != 0;
  const isMarked = isOpened;
  let p = start;
  while (true) {
    p = findInSet(p, end, SET_DELIMITED);
    if (p == end) break;
    const c = load8(p);
    p++;
    if (c <= char.SPACE) {
      if ((load8(p) == char.LESS && !isMarked) || schemeFollows(p, end)) return false;
      if (isBreak(c)) hasBreaks = true;
      else if (c != char.SPACE) isUnsafe = true;
    } else {
      if (c == char.GREATER && !isOpened) return false;
      if (c == char.LESS) isOpened = true;
      else if (c == char.BACKSLASH) hasBackslash = true;
      if (c == char.QUOTE || c == char.BACKSLASH || c >= char.DELETE) isUnsafe = true;
    }
  }
  return load8(end - 1) != char.EQUALS || !endsInName(start, end - 1, (valueBits & layout.VALUE_CLOSED) != 0);
}

/** Whether [start, end) ends in white space and a name, perhaps with white space after it; `isKnown`: a name that many elements have. */
function endsInName(start: i32, end: i32, isKnown: bool): bool {
  let name = end;
  while (name > start && load8(name - 1) <= char.SPACE) name--;
  let p = name;
  while (p > start && isSchemeByte(load8(p - 1))) p--;
  return p < name && p > start && load8(p - 1) <= char.SPACE && (!isKnown || isCommonName(p, name));
}

/** Whether [name, end) is the name of an attribute that often follows a URL (C103). */
function isCommonName(name: i32, end: i32): bool {
  if (end - name == 3) return isKeyword(name, end, "alt") || isKeyword(name, end, "rel") || isKeyword(name, end, "src");
  if (end - name == 4) return isKeyword(name, end, "href") || isKeyword(name, end, "name");
  if (isKeyword(name, end, "title") || isKeyword(name, end, "style") || isKeyword(name, end, "class")) return true;
  return isKeyword(name, end, "target") || isKeyword(name, end, "border") || isKeyword(name, end, "onclick");
}

/** Whether browsers remove `c` from URLs. */
function isBreak(c: i32): bool {
  return c == char.TAB || c == char.LF || c == char.CR;
}

/** Whether browsers read a backslash as a slash in URLs of the scheme in `row`: http, https, ws, wss, ftp, file. */
function isSpecial(row: i32): bool {
  const special = specialOf(row);
  return special == SPECIAL_HTTP || special == SPECIAL_FTP || special == SPECIAL_FILE;
}

/** Whether browsers read any number of slashes after the scheme in `row` as two: http, https, ws, wss, ftp. */
function hasServer(row: i32): bool {
  const special = specialOf(row);
  return special == SPECIAL_HTTP || special == SPECIAL_FTP;
}

/** Returns the address after the slashes and backslashes at `start`. */
function skipSlashes(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && (load8(p) == char.SLASH || load8(p) == char.BACKSLASH)) p++;
  return p;
}

/** Whether `//` and a host with white space beyond ASCII, which no real host has, are at `start`. */
function hasWhiteHost(start: i32, end: i32): bool {
  if (load8(start) != char.SLASH || load8(start + 1) != char.SLASH) return false;
  const bound = findAuthorityEnd(start + 2, end);
  let isFound = false;
  for (let p = start; p < bound; p++) {
    if (load8(p) == char.AT) isFound = false;
    else if (load8(p) >= char.NON_ASCII && isWhite(decodeCharacter(p) >> 3)) isFound = true;
  }
  return isFound;
}

/** Whether a code point has the general category Z*, beyond ASCII. */
function isWhite(point: i32): bool {
  if (point >= 0x2000 && point <= 0x200a) return true;
  return point == 0xa0 || point == 0x1680 || point == 0x2028 || point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

/**
 * Writes the value [start, end) to `to` without TAB, LF, CR. In schemes that isSpecial accepts, writes `/` for `\` before the first `?` or
 * `#`. If `length` is that of the scheme rather than 0, and hasServer accepts the scheme, writes two slashes after its colon. Returns the
 * address after the text.
 */
export function writeValue(start: i32, end: i32, row: i32, length: i32, to: i32): i32 {
  let turnsBackslashes = isSpecial(row);
  let at = to;
  let p = start;
  while (p < end) {
    const segment = p;
    p = findInSet(p, end, SET_DELIMITER);
    copyBytes(at, segment, p - segment);
    turnsBackslashes = turnsBackslashes && !holdsQuery(at, at + p - segment);
    at += p - segment;
    if (p == end) break;
    const c = load8(p++);
    if (!isBreak(c)) store8(at++, turnsBackslashes && c == char.BACKSLASH ? char.SLASH : c);
  }
  if (length == 0 || !hasServer(row)) return at;
  const after = to + length + 1;
  const rest = skipSlashes(after, at);
  copyBytes(after + 2, rest, at - rest);
  store8(after, char.SLASH);
  store8(after + 1, char.SLASH);
  return at + after + 2 - rest;
}

function holdsQuery(start: i32, end: i32): bool {
  return findByte(start, end, char.QUESTION) < end || findByte(start, end, char.HASH) < end;
}
