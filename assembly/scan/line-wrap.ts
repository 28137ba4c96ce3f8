// Finds the continuation of a plain match in the next hard-wrapped lines, to join it (X8, option `guess`) or to flag it (C142).

import { classOf, isAlpha, isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_DELIMITER, SET_STOP } from "../bytes/classes.ts";
import { isQuote } from "../html/space.ts";
import { HINT_CLEAN_AUTHORITY } from "../layout/codes.ts";
import { HOST_END_BYTES, HOST_ENDS, HOST_LETTER_BIT, OPTION_ENCODED } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { load8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { findAuthorityEnd } from "../url/authority.ts";
import { schemeFollows } from "../url/scheme.ts";
import { isBorder } from "./context.ts";
import { findEnd, startCandidate, trimEnd } from "./end.ts";
import { breakLength, countQuoteMarks, findLineStart, NO_LINE } from "./line.ts";
import { hasHostPrefix } from "./name.ts";
import { isQuoted } from "./prefix.ts";
import * as state from "./state.ts";

/** Fewest bytes of a wrapped line. */
const LINE_BYTES_MIN: i32 = 60;
const LINE_BYTES_MIN_SLASH: i32 = 40; // Fewest bytes of a wrapped line that ends in a `/`
const LINE_BYTES_MAX: i32 = 80; // Most bytes of a wrapped line
const WIDTH: i32 = 72; // A line counts as wrapped before a word only if it would be longer than this, in bytes, with the word
const BREAKS_MAX: i32 = 8; // Most line breaks inside a line-wrapped match, as in a delimited URL
const VALUE_BREAKS_MAX: i32 = 3; // Most line breaks inside a value in quotation marks
const INDENT_MAX: i32 = 2; // Most spaces before the next word
const NONE: i32 = 0; // No address: the next lines do not continue the match

/** Number of quote marks on the line of the match that findLineWrappedEnd read last. */
export let marks: i32 = 0;
/** Whether a hyphen is before a line break in that match. */
export let hyphenBreak: bool = false;

/**
 * Returns the end of the plain match [scheme, end) of a `//` scheme, including its continuation lines; `end` if it has none, or NEED_INPUT.
 * The match has at most urlBytesMax bytes. `isWhole`: X5 removes only open brackets from the match. (X8)
 */
export function findLineWrappedEnd(scheme: i32, colon: i32, end: i32, isWhole: bool): i32 {
  if (breakLength(end) == 0 || load8(colon + 2) != char.SLASH) return end;
  const hasPath = findAuthorityEnd(colon + 3, end) < end;
  if (isAfterEquals(scheme)) {
    const valueEnd = findValueEnd(scheme, colon, end, hasPath);
    if (valueEnd != NONE) return valueEnd;
  }
  return isWhole && hasPath ? findWordsEnd(scheme, colon, end) : end;
}

/** Whether a `=` and a quotation mark are directly before `scheme`: `href="`. */
function isAfterEquals(scheme: i32): bool {
  return isQuote(load8(scheme - 1)) && load8(scheme - 2) == char.EQUALS;
}

/**
 * Returns the end of the match [scheme, end) after `="` or `='`, including the next lines up to the closing quotation mark; NONE if they do
 * not continue it, or NEED_INPUT. No line may be empty, because `rejoin` removes no empty line. A host is never joined: without a path
 * (`hasPath`), the first added line must begin with a `/`. (C141)
 */
function findValueEnd(scheme: i32, colon: i32, end: i32, hasPath: bool): i32 {
  const line = findLineStart(scheme, state.urlBytesMax);
  if (line == NO_LINE) return NONE;
  const quote = load8(scheme - 1);
  const quoted = quote == char.APOSTROPHE;
  const bound = state.lookAhead(scheme);
  marks = countQuoteMarks(line, scheme);
  hyphenBreak = false;
  startCandidate(scheme);
  findEnd(colon + 3, end, SET_STOP, quoted);
  let joined = end;
  for (let breaks = 0; breaks < VALUE_BREAKS_MAX; breaks++) {
    const last = load8(joined - 1);
    const next = joined + breakLength(joined);
    if (next == joined || last == char.EQUALS) return NONE;
    const word = skipQuoteMarks(next, bound);
    if (word == state.NEED_INPUT || word == NONE) return word;
    if (breaks == 0 && !hasPath && load8(word) != char.SLASH) return NONE;
    const wordEnd = findEnd(word, bound, SET_STOP, quoted);
    if (state.isOpenEnded(wordEnd)) return state.NEED_INPUT;
    if (wordEnd <= word || wordEnd - scheme > state.urlBytesMax || schemeFollows(word, wordEnd)) return NONE;
    if (last == char.HYPHEN) hyphenBreak = true;
    if (load8(wordEnd) == quote) {
      const trimmed = trimEnd(scheme, word, wordEnd, 0);
      if (trimmed <= word || load8(wordEnd - 1) == char.EQUALS) return NONE;
      note(rule.X8_VALUE, end, wordEnd);
      if (trimmed < wordEnd) note(rule.X5_PUNCTUATION, trimmed, wordEnd);
      if (hyphenBreak) note(rule.X8_HYPHEN, scheme, trimmed);
      return trimmed;
    }
    joined = wordEnd;
  }
  return NONE;
}

/** Returns what findLineWrappedEnd does, for a match that continues word by word. (C28, C52) */
function findWordsEnd(scheme: i32, colon: i32, end: i32): i32 {
  let line = findLineStart(end, LINE_BYTES_MAX);
  if (line == NO_LINE || !mayBeBroken(line, end)) return end;
  marks = countQuoteMarks(line, scheme);
  hyphenBreak = false;
  const bound = state.lookAhead(scheme);
  const quoted = isQuoted(scheme);
  // Brackets that are open at the end of the line may be closed in the next one.
  startCandidate(scheme);
  findEnd(colon + 3, end, SET_STOP, quoted);
  let joined = end;
  for (let breaks = 0; breaks < BREAKS_MAX; breaks++) {
    const next = joined + breakLength(joined);
    if (next == joined || !mayBeBroken(line, joined)) break;
    const word = skipQuoteMarks(next, bound);
    if (word == state.NEED_INPUT) return word;
    if (word == NONE || !startsWord(word)) break;
    const wordEnd = findEnd(word, bound, SET_STOP, quoted);
    if (state.isOpenEnded(wordEnd)) return state.NEED_INPUT;
    if (wordEnd - scheme > state.urlBytesMax || joined - line + wordEnd - word <= WIDTH) break;
    const last = trimEnd(scheme, word, wordEnd, 0);
    const afterSlash = load8(joined - 1) == char.SLASH;
    if (!isSpaceOrNone(wordEnd) || !isPart(word, last, wordEnd, afterSlash)) break;
    note(rule.X8_LINE, joined, word);
    if (last < wordEnd) note(rule.X5_PUNCTUATION, last, wordEnd);
    if (load8(joined - 1) == char.HYPHEN) {
      hyphenBreak = true;
      note(rule.X8_HYPHEN, joined - 1, joined);
    }
    joined = last;
    line = next;
  }
  return joined;
}

/** Whether a mailer may have broken the line [line, end). A `=` at its end most often belongs to quoted-printable. */
function mayBeBroken(line: i32, end: i32): bool {
  const last = load8(end - 1);
  const length = end - line;
  return last != char.EQUALS && length <= LINE_BYTES_MAX && length >= (last == char.SLASH ? LINE_BYTES_MIN_SLASH : LINE_BYTES_MIN);
}

/** Returns the address after `marks` quote marks and an indent; NONE if the line has fewer marks, or NEED_INPUT. */
function skipQuoteMarks(line: i32, bound: i32): i32 {
  let p = line;
  for (let i = 0; i < marks; i++) {
    while (p < bound && load8(p) == char.SPACE) p++;
    if (state.isOpenEnded(p)) return state.NEED_INPUT;
    if (load8(p) != char.GREATER) return NONE;
    p++;
  }
  for (let i = 0; i < INDENT_MAX && p < bound && load8(p) == char.SPACE; i++) p++;
  return state.isOpenEnded(p) ? state.NEED_INPUT : p;
}

/** Whether a URL may continue at `p`: with a letter or digit, or with a sign before one, but not with `www.` or `ftp.`. */
function startsWord(p: i32): bool {
  const c = load8(p);
  if (!isAlphanumeric(c)) return isInnerSign(c) && isAlphanumeric(load8(p + 1));
  return !hasHostPrefix(p);
}

/** Whether `c` is one of `/` `?` `&` `=` `%`, and `_` `~` `+` `-` `.` */
function isInnerSign(c: i32): bool {
  return isUrlSign(c) || c == char.UNDERSCORE || c == char.TILDE || c == char.PLUS || c == char.HYPHEN || c == char.DOT;
}

/** Whether `c` is one of `/` `?` `&` `=` `%`: rare in words of prose. */
function isUrlSign(c: i32): bool {
  return c == char.SLASH || c == char.QUESTION || c == char.AMPERSAND || c == char.EQUALS || c == char.PERCENT;
}

/** Whether the window or a context of decoded text ends at `p`. */
function isTextEnd(p: i32): bool {
  return p == state.high || isBorder(load8(p));
}

/**
 * Whether the text ends at `p`, or the byte at `p` is white space or no delimiter byte. False for other delimiter bytes, such as `"` or
 * `<`.
 */
function isSpaceOrNone(p: i32): bool {
  const c = load8(p);
  return isTextEnd(p) || (classOf(c) & (1 << SET_DELIMITER)) == 0 || c == char.SPACE || c == char.TAB || breakLength(p) > 0;
}

/**
 * Whether the word [start, end), which X5 cuts to [start, last), is taken for part of a URL rather than prose, an address or a new URL. It
 * has no `:` or `@`. After its first byte it has a sign of URLs or the dot of a file suffix; or it is alone on its line and has a digit.
 * Prose has slashes too (`and/or`), so a `/` counts only with a digit, a dot or another sign, or after a line that ends in a `/`.
 */
function isPart(start: i32, last: i32, end: i32, afterSlash: bool): bool {
  const alone = isTextEnd(end) || breakLength(end) > 0;
  let found = false;
  let hasSlash = false;
  let isOfUrl = afterSlash;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == char.COLON || c == char.AT) return false;
    if (alone && isDigit(c)) found = true;
    if (p >= last) continue;
    const isSlash = c == char.SLASH;
    if (isDigit(c) || c == char.DOT || (isUrlSign(c) && !isSlash)) isOfUrl = true;
    if (p > start && isSlash) hasSlash = true;
    if (p > start && !isSlash && (isUrlSign(c) || startsSuffix(p, last))) found = true;
  }
  return found || (hasSlash && isOfUrl);
}

/** Whether a dot is at `p`, and after it a letter and a letter or digit. */
function startsSuffix(p: i32, end: i32): bool {
  return load8(p) == char.DOT && p + 2 < end && isAlpha(load8(p + 1)) && isAlphanumeric(load8(p + 2));
}

/**
 * Whether a match that ends at `end` may continue in the next line, and the answer matters. If lines are not joined, it matters only for
 * redirectors and for matches around nested ones. A quick test of the host [host, hostEnd) excludes most matches. (C142)
 */
export function mayContinue(host: i32, hostEnd: i32, end: i32, hint: i32): bool {
  const c = load8(end);
  if (c != char.LF && c != char.CR) return false;
  const isAsked = state.joinsLines || isNoting() || (state.options & OPTION_ENCODED) != 0;
  if (isAsked || (hint & HINT_CLEAN_AUTHORITY) == 0 || hostEnd - host < HOST_END_BYTES) return true;
  const first = load8(hostEnd - HOST_END_BYTES) | HOST_LETTER_BIT;
  const second = load8(hostEnd - HOST_END_BYTES + 1);
  return ((load8(HOST_ENDS + first) >> (second & 7)) & 1) != 0;
}

/** Whether a CR is at `p`, the last byte of an open window: its LF may come next. */
export function isHalfBreak(p: i32): bool {
  return load8(p) == char.CR && p + 1 == state.high && !state.final;
}
