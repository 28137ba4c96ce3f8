// Values of attributes that are URLs (X9): one URL from end to end, read as browsers do. Any other value is text.

import { findByte, isAlpha, isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_DELIMITED, SET_DELIMITER, SET_NOT_SCHEME } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { takeValue, valueElement, valueForm } from "../html/values.ts";
import { HINT_UNSAFE, HINT_VALUE, KIND_LINK, KIND_PLAIN, KIND_REJOINED } from "../layout/codes.ts";
import { ELEMENT_BASE, ELEMENT_BITS, ELEMENT_LINK, REJOIN_REGION, VALUE_LINK, VALUE_REFRESH, VALUE_TOKEN } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { SCHEME_HTTP, SCHEME_UNKNOWN, SPECIAL_FILE, SPECIAL_FTP, SPECIAL_HTTP } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { findKnown, isSchemeByte, schemeFollows, specialOf } from "../url/scheme.ts";
import { isBorder, specialAt } from "./context.ts";
import { cleanHint, isUrl, maybeScheme } from "./delimited.ts";
import * as state from "./state.ts";

/** Whether the value that findBorder has looked at has no delimiter byte and no character beyond ASCII, as most have. */
let isClean: bool = false;
/** Whether the URL that holdsUrl has looked at holds TAB, LF or CR, and a backslash. */
let hasBreaks: bool = false;
let hasBackslash: bool = false;
/** Whether it holds what other raw forms do not: a quotation mark, a backslash, ill-formed UTF-8 perhaps. */
let isUnsafe: bool = false;

/**
 * Reads the value of VALUE_* at `at`, the first that has not been taken. Returns the end of the URL, or `at` where the value is text;
 * NEED_INPUT or AFTER_RANGE.
 */
export function readValue(at: i32): i32 {
  const form = valueForm;
  const element = valueElement();
  let end = findBorder(at);
  if (end - at > state.urlBytesMax) return readLink(at, at, at, element);
  if (end == state.high && !state.final) return state.NEED_INPUT;
  let start = at;
  if (form == VALUE_REFRESH) {
    start = skipRefresh(at, end);
    if (start == at) return asText(at);
    if (isQuote(load8(start - 1))) end = findByte(start, end, load8(start - 1));
  }
  while (start < end && isAround(load8(start), form)) start++;
  while (end > start && isAround(load8(end - 1), form)) end--;
  const colon = findInSet(start, end, SET_NOT_SCHEME);
  if (start == end || colon == end || load8(colon) != char.COLON || !isAlpha(load8(start))) return readLink(at, start, end, element);
  if (form == VALUE_LINK) return asText(at);
  if (load8(colon + 1) == char.LESS) return asBase(at, element);
  const length = colon - start;
  const row = findKnown(start, length);
  if (row == SCHEME_UNKNOWN && !maybeScheme(start, length, false)) return asBase(at, element);
  forgetBytes();
  if (!isClean && !holdsUrl(start, end)) return asBase(at, element);
  return readUrl(at, start, end, length, row, element);
}

function forgetBytes(): void {
  hasBreaks = false;
  hasBackslash = false;
  isUnsafe = false;
}

/**
 * Reports the relative URL [start, end) of the value at `at` if that is a link; the value is text too. Returns what readValue does. (C106)
 */
function readLink(at: i32, start: i32, end: i32, element: i32): i32 {
  if (element == 0 || (load8(element + ELEMENT_BITS) & ELEMENT_LINK) == 0) return asText(at);
  if (start == end || load8(start) == char.HASH) return asBase(at, element);
  forgetBytes();
  if (!isClean && !holdsUrl(start, end)) return asBase(at, element);
  if (hasBreaks && holdsScheme(REJOIN_REGION, writeValue(start, end, SCHEME_HTTP, REJOIN_REGION))) return asBase(at, element);
  if (state.isAfterRange(start)) return state.AFTER_RANGE;
  const hint = (hasBreaks || hasBackslash ? HINT_VALUE : 0) | (isUnsafe ? HINT_UNSAFE : 0);
  note(rule.X9_LINK, start, end);
  state.addAttribute(start, end, 0, SCHEME_HTTP, KIND_LINK, hint, element, false);
  return asText(at);
}

function holdsScheme(start: i32, end: i32): bool {
  const colon = findInSet(start, end, SET_NOT_SCHEME);
  return colon < end && load8(colon) == char.COLON && isAlpha(load8(start));
}

/** The value at `at` is text. The `href` of a `base` is told all the same: no other one counts after it. Returns what readValue does. */
function asBase(at: i32, element: i32): i32 {
  if (element == 0 || (load8(element + ELEMENT_BITS) & ELEMENT_BASE) == 0) return asText(at);
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
  const isBroken = hasBreaks || (hasBackslash && isSpecial(row));
  const text = isBroken ? REJOIN_REGION : start;
  const textEnd = isBroken ? writeValue(start, end, row, REJOIN_REGION) : end;
  if (isBroken) store8(textEnd, 0);
  if (!isUrl(text, textEnd, length, row, false, specialAt(start, start, length, row))) return asBase(at, element);
  if (state.isAfterRange(start)) return state.AFTER_RANGE;
  takeValue();
  note(rule.X9_VALUE, start, end);
  if (isBroken) note(rule.X9_CLEANED, start, end);
  const hint = (isBroken ? HINT_VALUE : cleanHint(start)) | (isUnsafe ? HINT_UNSAFE : 0);
  const kind = hasBreaks ? KIND_REJOINED : KIND_PLAIN;
  if (element == 0) {
    state.addRecord(start, end, length, row, kind, 0, hint);
  } else {
    state.endMatch(end);
    state.addAttribute(start, end, length, row, kind, hint, element, false);
  }
  return end;
}

/** Returns the end of the value at `at`, or the first address that is too far from it, or the end of the window. Sets isClean. */
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

/** Whether `c` is no part of a URL at the edge of its value: white space and controls, of a token of a list a comma too. */
function isAround(c: i32, form: i32): bool {
  return c <= char.SPACE || c == char.DELETE || (c == char.COMMA && (form == VALUE_TOKEN || form == VALUE_LINK));
}

function isQuote(c: i32): bool {
  return c == char.QUOTE || c == char.APOSTROPHE;
}

function skipSpace(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && load8(p) <= char.SPACE) p++;
  return p;
}

/** Returns the address after `5; url=` and a quote in [at, end), or `at` where that is not there. */
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
 * Whether [start, end) may be one URL: it holds no control but TAB, LF and CR, no other URL after white space, and nothing shows that the
 * quote of its value is missing: a `>` that no `<` precedes, a `<` after white space, or after white space a name and `=` at its end.
 */
function holdsUrl(start: i32, end: i32): bool {
  let isOpened = false;
  let p = start;
  while (true) {
    p = findInSet(p, end, SET_DELIMITED);
    if (p == end) break;
    const c = load8(p);
    p++;
    if (c <= char.SPACE) {
      if (c != char.SPACE && !isBreak(c)) return false;
      if (load8(p) == char.LESS || schemeFollows(p, end)) return false;
      if (c != char.SPACE) hasBreaks = true;
    } else {
      if (c == char.DELETE || (c == char.GREATER && !isOpened)) return false;
      if (c == char.LESS) isOpened = true;
      else if (c == char.BACKSLASH) hasBackslash = true;
      if (c == char.QUOTE || c == char.BACKSLASH || c >= char.NON_ASCII) isUnsafe = true;
    }
  }
  return load8(end - 1) != char.EQUALS || !endsInName(start, end - 1);
}

/** Whether white space, a name and white space end at `end`. */
function endsInName(start: i32, end: i32): bool {
  let name = end;
  while (name > start && load8(name - 1) <= char.SPACE) name--;
  let p = name;
  while (p > start && isSchemeByte(load8(p - 1))) p--;
  return p < name && p > start && load8(p - 1) <= char.SPACE;
}

/** Whether browsers leave `c` out of URLs. */
function isBreak(c: i32): bool {
  return c == char.TAB || c == char.LF || c == char.CR;
}

/** Whether browsers read a backslash as a slash in URLs of the scheme of a row: http, https, ws, wss, ftp, file. */
function isSpecial(row: i32): bool {
  const special = specialOf(row);
  return special == SPECIAL_HTTP || special == SPECIAL_FTP || special == SPECIAL_FILE;
}

/** Writes the value [start, end) to `to` without TAB, LF, CR, and with `/` for `\` before a `?` or `#`; returns the address after it. */
export function writeValue(start: i32, end: i32, row: i32, to: i32): i32 {
  let turns = isSpecial(row);
  let at = to;
  let p = start;
  while (p < end) {
    const segment = p;
    p = findInSet(p, end, SET_DELIMITER);
    copyBytes(at, segment, p - segment);
    turns = turns && !holdsQuery(at, at + p - segment);
    at += p - segment;
    if (p == end) break;
    const c = load8(p++);
    if (!isBreak(c)) store8(at++, turns && c == char.BACKSLASH ? char.SLASH : c);
  }
  return at;
}

function holdsQuery(start: i32, end: i32): bool {
  return findByte(start, end, char.QUESTION) < end || findByte(start, end, char.HASH) < end;
}
