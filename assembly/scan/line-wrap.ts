// Where a plain match at the end of a hard-wrapped line goes on in the next one (X8, option `guess`).

import { CLASS_ALPHA, CLASS_DIGIT, SET_DELIMITER, SET_STOP } from "../bytes/classes.ts";
import { load8 } from "../platform/memory.ts";
import { findAuthorityEnd } from "../url/find.ts";
import { classOf, lower } from "../url/scheme.ts";
import { isBorder } from "./context.ts";
import { findEnd, startCandidate, trimEnd } from "./end.ts";
import { breakLength, countQuoteMarks, findLineStart, NO_LINE } from "./line.ts";
import { isQuoted } from "./prefix.ts";
import * as state from "./state.ts";

/** Fewest bytes of a line that is taken for wrapped, and of one that is broken behind a `/`. */
const LINE_BYTES_MIN: i32 = 60;
const LINE_BYTES_MIN_SLASH: i32 = 40;
/** Most bytes of such a line. */
const LINE_BYTES_MAX: i32 = 80;
/** The line and the word that goes on behind it are longer than this together: the word did not fit. */
const WIDTH: i32 = 72;
/** Most line breaks inside a line-wrapped match, as in a delimited URL. */
const BREAKS_MAX: i32 = 8;
/** The next line does not start with the same quote marks. */
const NONE: i32 = 0;

/** quote marks on the line of the match that findLineWrappedEnd read last. */
export let marks: i32 = 0;
/** Whether a hyphen stands before a line break in that match. */
export let hyphenBreak: bool = false;

/**
 * End of the plain match [scheme, end) of a `//` scheme with what it goes on with in the next lines (X8): `end` where it does not go on,
 * or NEED_INPUT. The last byte stands at most urlBytesMax bytes behind the scheme's first.
 */
export function findLineWrappedEnd(scheme: i32, colon: i32, end: i32): i32 {
  if (breakLength(end) == 0 || load8(colon + 2) != 0x2f || findAuthorityEnd(colon + 3, end) == end) return end;
  let line = findLineStart(end, LINE_BYTES_MAX);
  if (line == NO_LINE || !isDelimited(line, end)) return end;
  marks = countQuoteMarks(line, scheme);
  hyphenBreak = false;
  const bound = state.lookAhead(scheme);
  const quoted = isQuoted(scheme);
  // Brackets that are open at the line's end may be closed behind it.
  startCandidate();
  findEnd(colon + 3, end, SET_STOP, quoted);
  let joined = end;
  for (let breaks = 0; breaks < BREAKS_MAX; breaks++) {
    const next = joined + breakLength(joined);
    if (next == joined || !isDelimited(line, joined)) break;
    const word = skipMarks(next, bound);
    if (word == state.NEED_INPUT) return word;
    if (word == NONE || !startsWord(word)) break;
    const wordEnd = findEnd(word, bound, SET_STOP, quoted);
    if (state.isOpenEnded(wordEnd)) return state.NEED_INPUT;
    if (wordEnd - scheme > state.urlBytesMax || joined - line + wordEnd - word <= WIDTH) break;
    const last = trimEnd(scheme, word, wordEnd, 0);
    if (!isSpaceOrNone(wordEnd) || !isPart(word, last, wordEnd)) break;
    if (load8(joined - 1) == 0x2d) hyphenBreak = true;
    joined = last;
    line = next;
  }
  return joined;
}

/** Whether a line of this length may have been broken by a mailer. A `=` at the end is most often that of quoted-printable. */
function isDelimited(line: i32, end: i32): bool {
  const last = load8(end - 1);
  const length = end - line;
  return last != 0x3d && length <= LINE_BYTES_MAX && length >= (last == 0x2f ? LINE_BYTES_MIN_SLASH : LINE_BYTES_MIN);
}

/** Behind as many quote marks as the match's line has, and one space behind them; NONE or NEED_INPUT. */
function skipMarks(line: i32, bound: i32): i32 {
  let p = line;
  for (let i = 0; i < marks; i++) {
    while (p < bound && load8(p) == 0x20) p++;
    if (state.isOpenEnded(p)) return state.NEED_INPUT;
    if (load8(p) != 0x3e) return NONE;
    p++;
  }
  if (marks > 0 && load8(p) == 0x20) p++;
  return state.isOpenEnded(p) ? state.NEED_INPUT : p;
}

function isLetterOrDigit(c: i32): bool {
  return (classOf(c) & (CLASS_ALPHA | CLASS_DIGIT)) != 0;
}

/** Whether a URL may go on at `p`: a letter or digit, or one sign before it; no name of a host such as `www.` or `ftp.`. */
function startsWord(p: i32): bool {
  const c = load8(p);
  if (!isLetterOrDigit(c)) return isInnerSign(c) && isLetterOrDigit(load8(p + 1));
  const a = lower(c);
  const b = lower(load8(p + 1));
  const d = lower(load8(p + 2));
  const www = a == 0x77 && b == 0x77 && d == 0x77;
  const ftp = a == 0x66 && b == 0x74 && d == 0x70;
  return !((www || ftp) && load8(p + 3) == 0x2e);
}

/** `/` `?` `&` `=` `%`, and `_` `~` `+` `-` `.` */
function isInnerSign(c: i32): bool {
  return isUrlSign(c) || c == 0x5f || c == 0x7e || c == 0x2b || c == 0x2d || c == 0x2e;
}

/** `/` `?` `&` `=` `%`: rare in words of prose. */
function isUrlSign(c: i32): bool {
  return c == 0x2f || c == 0x3f || c == 0x26 || c == 0x3d || c == 0x25;
}

/** Whether the text ends at `p`: the input, or a region of HTML. */
function isTextEnd(p: i32): bool {
  return p == state.high || isBorder(load8(p));
}

/** Whether the text ends at `p`, or white space or a byte that is not hard stands there: no `"`, `<`, `>`. */
function isSpaceOrNone(p: i32): bool {
  const c = load8(p);
  return isTextEnd(p) || (classOf(c) & (1 << SET_DELIMITER)) == 0 || c == 0x20 || c == 0x09 || breakLength(p) > 0;
}

/**
 * Whether the word [start, end), which X5 cuts to [start, last), is part of a URL rather than prose, an address or a new URL: no `:` and no
 * `@`, and behind the first byte a sign of URLs or a dot as before a file's suffix; or a digit, if the word is alone on its line.
 */
function isPart(start: i32, last: i32, end: i32): bool {
  const alone = isTextEnd(end) || breakLength(end) > 0;
  let found = false;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == 0x3a || c == 0x40) return false;
    if (alone && (classOf(c) & CLASS_DIGIT) != 0) found = true;
    if (p > start && p < last && (isUrlSign(c) || startsSuffix(p, last))) found = true;
  }
  return found;
}

/** Whether a dot stands at `p`, and behind it a letter and a letter or digit. */
function startsSuffix(p: i32, end: i32): bool {
  return load8(p) == 0x2e && p + 2 < end && (classOf(load8(p + 1)) & CLASS_ALPHA) != 0 && isLetterOrDigit(load8(p + 2));
}
