// Where a match ends: its end in plain text (X3, X4, references of X5), without trailing punctuation (X5).

import { classOf, findByte, isAlpha, isAlphanumeric, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import {
  CHARACTER_TRAILING,
  CLASS_BRACKET,
  CLASS_MARK,
  CLASS_SEPARATOR,
  CLASS_TRAILING,
  CLASS_WORD,
  SET_AUTHORITY,
  SET_DELIMITER,
} from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { classBefore, decodeCharacter, keptLength, startOfCharacter } from "../bytes/utf8.ts";
import * as rule from "../layout/notes.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";
import { schemeFollows, webFollows } from "../url/scheme.ts";
import { isPlain } from "./context.ts";
import { findReferenceEnd } from "./reference-end.ts";
import * as state from "./state.ts";

const SOFT_HYPHEN: i32 = 0xad;
const ZERO_WIDTH_SPACE: i32 = 0x200b;
const WORD_JOINER: i32 = 0x2060;
const IDEOGRAPHIC_STOP: i32 = 0x3002;
const FULLWIDTH_STOP: i32 = 0xff0e;
const HALFWIDTH_STOP: i32 = 0xff61;
const HOST_BYTES_MAX: i32 = 253; // Most bytes of a host in which an ideographic full stop is a dot: those of a name in the DNS
const OPEN_BYTES_MAX: i32 = 64; // Most bytes that are removed from a match from an open bracket on, or as the link text of AsciiDoc
const RULER_BYTES_MIN: i32 = 4; // Fewest marks of a ruler
const PARAMETER_BYTES_MAX: i32 = 32; // Bytes before a scheme in which the name of a parameter of a wiki's template is looked for
const EMPHASIS_BYTES_MAX: i32 = 256; // Bytes before a scheme in which the marks that open emphasis are looked for
const EMPHASIS_MARKS_MAX: i32 = 3; // Most marks that open emphasis
const TAG_BYTES_MAX: i32 = 16; // Longest name of a tag of BBCode

// Number of open brackets of each kind at the address that findEnd has reached.
let round: i32 = 0;
let square: i32 = 0;
let curly: i32 = 0;
/** Whether the next `|` ends the candidate, as isAfterBar decides. */
let inBars: bool = false;
/** Address of the last closing bracket that findEnd has passed or stopped at in this candidate; 0: none. */
export let lastCloser: i32 = 0;

/** Starts a candidate whose first byte is at `start`: no bracket is open. */
export function startCandidate(start: i32): void {
  inBars = isAfterBar(start);
  round = 0;
  square = 0;
  curly = 0;
  lastCloser = 0;
}

/**
 * Whether the next `|` ends the match that starts at `start`: a `|`, `[[`, `{{`, or a `|`, a name and `=` are before the match (X3, C202).
 */
export function isAfterBar(start: i32): bool {
  const c = load8(start - 1);
  if (c == char.BAR) return true;
  if (c == char.SQUARE_OPEN || c == char.CURLY_OPEN) return load8(start - 2) == c;
  let p = start - 1;
  const low = state.lookBack(start, PARAMETER_BYTES_MAX);
  while (p >= low && load8(p) == char.SPACE) p--;
  if (p < low || load8(p) != char.EQUALS) return false;
  do p--;
  while (p >= low && (load8(p) == char.SPACE || (classOf(load8(p)) & CLASS_WORD) != 0));
  return p >= low && load8(p) == char.BAR;
}

/**
 * Returns the end of the match that has reached `start`: the first byte in [start, bound) that does not belong to it, or `bound`. With
 * SET_AUTHORITY it also stops at `/` `?` `#`, and continues from there when it is called again. `quoted`: a `'` is before the scheme.
 * (X3, X4)
 */
export function findEnd(start: i32, bound: i32, set: i32, quoted: bool): i32 {
  let p = start;
  while (true) {
    p = findInSet(p, bound, set);
    if (p >= bound) return bound;
    const c = load8(p);
    if ((classOf(c) & (1 << SET_DELIMITER)) != 0) return p;
    if (c >= char.NON_ASCII) {
      let length = keptLength(p, false);
      if (length == 0 && set == SET_AUTHORITY && load8(start - 1) == char.SLASH) length = lengthInHost(start, p);
      if (length == 0) {
        note(rule.X4_CHARACTER, p, p + 1);
        return p;
      }
      p += length;
      if (p < bound && noteIf(webFollows(p, state.high), rule.X3_WEB, p)) return p;
      continue;
    }
    if (endsHere(p, bound, c, quoted)) return p;
    if (set == SET_AUTHORITY && (c == char.SLASH || c == char.QUESTION || c == char.HASH)) return p;
    p++;
  }
}

/**
 * Returns the length in bytes of the character at `p` if an authority that starts at `start` may hold it, though X4 ends a match at it:
 * UTS 46 drops it from a host, or reads it as a dot. Returns 0 for others, and before another URL of the web. (C281)
 */
function lengthInHost(start: i32, p: i32): i32 {
  const character = decodeCharacter(p);
  const point = character >> 3;
  const length = character & 7;
  if (length == 0 || !isAlphanumeric(load8(p + length)) || webFollows(p + length, state.high)) return 0;
  if (point == SOFT_HYPHEN || point == ZERO_WIDTH_SPACE || point == WORD_JOINER) return length;
  const isStop = point == IDEOGRAPHIC_STOP || point == FULLWIDTH_STOP || point == HALFWIDTH_STOP;
  return isStop && p - start < HOST_BYTES_MAX && findByte(start, p, char.DOT) == p ? length : 0;
}

/** Whether the ASCII byte `c` at `p`, where findEnd has stopped, ends the match. It is no delimiter byte. */
function endsHere(p: i32, bound: i32, c: i32, quoted: bool): bool {
  if (c == char.AMPERSAND) return noteIf(findReferenceEnd(p) < bound && isPlain(p), rule.X5_REFERENCE, p);
  if (c == char.APOSTROPHE) return noteIf(quoted, rule.X3_QUOTE, p);
  if (c == char.BAR && inBars) return noteIf(true, rule.X3_BAR, p);
  if (isSeparator(c) && schemeFollows(p + 1, state.high)) return noteIf(true, rule.X3_SEPARATOR, p);
  if (c == char.SQUARE_OPEN && isClosingTag(p, bound)) return noteIf(true, rule.X3_TAG, p);
  return noteIf((classOf(c) & CLASS_BRACKET) != 0 && passBracket(p, c), rule.X3_BRACKET, p);
}

/** Notes that the rule `ending` ends the match at `p`, if `isEnd`. Returns `isEnd`. */
function noteIf(isEnd: bool, ending: i32, p: i32): bool {
  if (isEnd) note(ending, p, p + 1);
  return isEnd;
}

/** Whether a closing tag of BBCode such as `[/url]` is at `p`, and ends before or at `bound`. */
function isClosingTag(p: i32, bound: i32): bool {
  if (load8(p + 1) != char.SLASH) return false;
  let end = p + 2;
  while (end - p - 2 < TAG_BYTES_MAX && isAlpha(load8(end))) end++;
  return end > p + 2 && end < bound && load8(end) == char.SQUARE_CLOSE;
}

/** Whether `c` ends a match before a scheme and `://` (X3): `,` `;` `|` or an opening bracket. */
export function isSeparator(c: i32): bool {
  return (classOf(c) & CLASS_SEPARATOR) != 0;
}

/** Counts the bracket `c` at `p`. Returns whether it closes a bracket that is not open in the match. */
function passBracket(p: i32, c: i32): bool {
  if (c == char.ROUND_OPEN) round++;
  else if (c == char.SQUARE_OPEN) square++;
  else if (c == char.CURLY_OPEN) curly++;
  else lastCloser = p;
  if (c == char.ROUND_CLOSE) round--;
  else if (c == char.SQUARE_CLOSE) square--;
  else if (c == char.CURLY_CLOSE) curly--;
  return round < 0 || square < 0 || curly < 0;
}

/**
 * Cuts the match that findEnd ended at `end` at each opening bracket that is not closed before the cut. Returns the new end. Looks back at
 * most OPEN_BYTES_MAX bytes, not before `floor`. (X5)
 */
export function closedEnd(floor: i32, end: i32): i32 {
  if (round <= 0 && square <= 0 && curly <= 0) return end;
  let closed = end;
  let low = end - OPEN_BYTES_MAX;
  if (low < floor) low = floor;
  // Closing brackets before `closed` whose opening bracket has not been found yet.
  let rounds = 0;
  let squares = 0;
  let curlies = 0;
  for (let p = end - 1; p >= low; p--) {
    const c = load8(p);
    if ((classOf(c) & CLASS_BRACKET) == 0) continue;
    if (c == char.ROUND_CLOSE) rounds++;
    else if (c == char.SQUARE_CLOSE) squares++;
    else if (c == char.CURLY_CLOSE) curlies++;
    else if (c == char.ROUND_OPEN) rounds--;
    else if (c == char.SQUARE_OPEN) squares--;
    else curlies--;
    if (rounds < 0 || squares < 0 || curlies < 0) {
      closed = p;
      rounds = 0;
      squares = 0;
      curlies = 0;
    }
  }
  return closed;
}

/**
 * Returns the end of a match without the trailing punctuation before `end`, but not below `floor` (X5). `scheme`: the first byte of the
 * match, because the marks before it decide too. Also removes any `-` or `_` at the end of a host that ends at `hostEnd` (0: no host).
 */
export function trimEnd(scheme: i32, floor: i32, end: i32, hostEnd: i32): i32 {
  let p = end;
  const keepsRuler = hostEnd != 0 && isInQuotes(scheme, end);
  let mayClose = true;
  let mayHaveText = true;
  while (p > floor) {
    const c = load8(p - 1);
    const bits = classOf(c);
    if ((bits & CLASS_TRAILING) != 0) {
      if (c == char.SEMICOLON && p - 5 >= floor && load8(p - 5) == char.AMPERSAND && startsWithAnyCase(p - 4, "amp;")) break;
      p--;
    } else if ((bits & CLASS_MARK) != 0) {
      const ruler = keepsRuler ? 0 : rulerLength(floor, p, c);
      let marks = ruler > 0 ? ruler : mirroredMarks(scheme, floor, p);
      if (marks == 0 && mayClose && isEmphasis(c)) {
        mayClose = false;
        marks = closingMarks(scheme, floor, p);
      }
      if (marks > 0) p -= marks;
      else if ((c == char.UNDERSCORE || c == char.HYPHEN) && p <= hostEnd) p--;
      else break;
    } else if (c == char.SQUARE_CLOSE && mayHaveText) {
      // Only once in a match, because each look may go back to the start of the match.
      mayHaveText = false;
      const text = findLinkText(floor, p);
      if (text == p) break;
      p = text;
    } else if (c >= char.NON_ASCII && classBefore(p) == CHARACTER_TRAILING) {
      p = startOfCharacter(p);
    } else {
      break;
    }
  }
  return p;
}

/**
 * Returns an address after all bytes that X5 can remove from `start` on: trailing punctuation, the text after an opening bracket, a
 * reference. Of a match that ends there or later, X5 leaves some bytes after `start`. At most `bound`.
 */
export function trailingBound(start: i32, bound: i32): i32 {
  let last = start;
  let p = start;
  while (p < bound) {
    const c = load8(p);
    const bits = classOf(c);
    // Of the brackets, only opening ones are trailing punctuation.
    if ((bits & (CLASS_TRAILING | CLASS_BRACKET)) == (CLASS_TRAILING | CLASS_BRACKET)) last = p + OPEN_BYTES_MAX;
    const isTrailing = (bits & (CLASS_TRAILING | CLASS_MARK)) != 0;
    const length = isTrailing ? 1 : c >= char.NON_ASCII ? keptLength(p, false) : 0;
    if (length == 0 || (!isTrailing && classBefore(p + length) != CHARACTER_TRAILING)) break;
    p += length;
  }
  if (p < bound && load8(p) == char.AMPERSAND) p = skipReference(p + 1, bound);
  if (last < p) last = p;
  return last < bound ? last + 1 : bound;
}

/** Returns the address after the bytes of references at `start`, at most `bound`. */
function skipReference(start: i32, bound: i32): i32 {
  let p = start;
  while (p < bound && (isAlphanumeric(load8(p)) || load8(p) == char.HASH || load8(p) == char.SEMICOLON)) p++;
  return p;
}

/** Whether the same quotation mark is before the scheme and at `end`, after the match. (C204) */
function isInQuotes(scheme: i32, end: i32): bool {
  const c = load8(end);
  return (c == char.QUOTE || c == char.APOSTROPHE || c == char.BACKTICK) && load8(scheme - 1) == c;
}

/**
 * Returns the `[` of the link text of AsciiDoc, `[]` or `[Text]`, that ends at `end`; else `end`. After the name of a parameter `[]`
 * belongs to the name: `?a[]`. In a query `[Text]` is no link text. (C205)
 */
function findLinkText(floor: i32, end: i32): i32 {
  let open = end - 2;
  while (open > floor && end - open < OPEN_BYTES_MAX && (classOf(load8(open)) & CLASS_BRACKET) == 0) open--;
  if (open <= floor || load8(open) != char.SQUARE_OPEN) return end;
  const isEmpty = open == end - 2;
  const first = load8(open + 1);
  const before = load8(open - 1);
  // A backslash is in a path of Windows (C291).
  const isAfterPath = before == char.SLASH || before == char.BACKSLASH || isAlphanumeric(before);
  if (!isEmpty && (!isAlpha(first) || lower(first) == first || !isAfterPath)) return end;
  for (let p = open - 1; p >= floor; p--) {
    const c = load8(p);
    if (c == char.QUESTION || (isEmpty && c == char.AMPERSAND)) return end;
    if (isEmpty && (c == char.EQUALS || c == char.SLASH || c == char.HASH)) break;
  }
  return open;
}

/**
 * Returns the length of the run of one mark before `end` if the run closes emphasis, else 0. The nearest run of that mark before the
 * scheme, on its line, must have the same length and open emphasis. (C203)
 */
function closingMarks(scheme: i32, floor: i32, end: i32): i32 {
  const mark = load8(end - 1);
  let marks = 1;
  while (end - marks > floor && load8(end - 1 - marks) == mark) marks++;
  // Strikethrough has two `~`; a single `~` is a home directory.
  if (marks > EMPHASIS_MARKS_MAX || (marks == 1 && mark == char.TILDE)) return 0;
  const low = state.lookBack(scheme, EMPHASIS_BYTES_MAX);
  let p = scheme - 1;
  while (p >= low && load8(p) != mark && (load8(p) >= char.SPACE || load8(p) == char.TAB)) p--;
  if (p < low || load8(p) != mark) return 0;
  let run = 1;
  while (run <= marks && load8(p - run) == mark) run++;
  return run == marks && isOpening(load8(p - run), load8(p + 1)) ? marks : 0;
}

/** Whether marks between these two bytes open emphasis: a word follows them, and no word is before. `*.c` is a pattern. */
function isOpening(before: i32, after: i32): bool {
  if (after <= char.SPACE || after == char.DOT || (classOf(after) & CLASS_MARK) != 0) return false;
  if (before <= char.SPACE || isEmphasis(before) || before == char.BAR || before == char.GREATER) return true;
  if (before == char.QUOTE || before == char.APOSTROPHE) return true;
  return (classOf(before) & (CLASS_BRACKET | CLASS_TRAILING)) == (CLASS_BRACKET | CLASS_TRAILING);
}

/** Returns the length of the run of `mark` before `end`; 0: it is too short for a ruler. (X5) */
function rulerLength(floor: i32, end: i32, mark: i32): i32 {
  let p = end;
  while (p > floor && load8(p - 1) == mark) p--;
  return end - p < RULER_BYTES_MIN ? 0 : end - p;
}

/**
 * Returns the length of the longest run of marks before `end` that mirrors the marks before the scheme, at most 8; 0: there is none. A
 * single mark counts only if it is one of emphasis. (X5, X13)
 */
function mirroredMarks(scheme: i32, floor: i32, end: i32): i32 {
  let marks = 0;
  while (marks < 8 && (classOf(load8(scheme - 1 - marks)) & CLASS_MARK) != 0) marks++;
  if (marks > end - floor) marks = end - floor;
  for (; marks > 0; marks--) {
    let i = 0;
    while (i < marks && load8(end - marks + i) == load8(scheme - 1 - i)) i++;
    if (i == marks) break;
  }
  return marks > 1 || isEmphasis(load8(end - 1)) ? marks : 0;
}

/** Whether `c` is a mark that emphasizes on its own. Any other single mark may belong to the URL: `u=http://a/?q=`. (C93) */
function isEmphasis(c: i32): bool {
  return c == char.ASTERISK || c == char.UNDERSCORE || c == char.TILDE;
}

/** Notes why a match that X3 and X4 end at `end` ends at `trimmed`. `closed`: its end after the cut at open brackets. */
export function noteEnd(trimmed: i32, closed: i32, end: i32): void {
  if (!isNoting()) return;
  if (end < state.high && (classOf(load8(end)) & (1 << SET_DELIMITER)) != 0) note(rule.X3_DELIMITER, end, end + 1);
  if (closed < end) note(rule.X5_OPEN, closed, end);
  if (trimmed < closed) note(rule.X5_PUNCTUATION, trimmed, closed);
}
