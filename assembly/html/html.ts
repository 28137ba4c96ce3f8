// HTML as the scanner reads it (X9): references in text and in the values of attributes are decoded; tags, and what delimits values,
// comments and declarations, give way to bytes CONTEXT_*, one for one. These are delimiter bytes, so that nothing runs over them, and the
// last one says what the text behind it is.

import { classOf, isAlpha, lower } from "../bytes/ascii.ts";
import { SET_MARKUP, SET_NOT_SCHEME, SET_QUOTED, SET_STOP } from "../bytes/classes.ts";
import {
  CONTEXT_ATTRIBUTE,
  CONTEXT_RAW,
  CONTEXT_TEXT,
  STATE_HTML,
  STATE_HTML_ELEMENT,
  STOP_END,
  STOP_FULL,
  STOP_INPUT,
} from "../layout/memory.ts";
import { NAME_BYTES_MAX } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { findKnown } from "../url/scheme.ts";
import { advance, begin, copyByte, copyRun, fillAt, findBound, finish, hasRoom, hide, isLast, kept, putAt, sourceEnd } from "./decoded.ts";
import { NEED_SOURCE, readReference } from "./reference.ts";

// Where the tokenizer stands, in STATE_HTML between calls.
const TEXT: i32 = 0;
/** Behind the start tag of a script or style. */
const ELEMENT: i32 = 1;
/** Directly behind `<!--`. */
const COMMENT_START: i32 = 2;
const COMMENT: i32 = 3;
/** `<!x`, `<?x`, `</ `: up to the `>`. */
const DECLARATION: i32 = 4;
/** Values of attributes. */
const DOUBLE_QUOTED: i32 = 5;
const SINGLE_QUOTED: i32 = 6;
const UNQUOTED: i32 = 7;
/** Inside a tag: its name, before an attribute, in an attribute's name, behind it, behind its `=`. */
const TAG_NAME: i32 = 8;
const GAP: i32 = 9;
const ATTRIBUTE_NAME: i32 = 10;
const NAME_END: i32 = 11;
const VALUE_START: i32 = 12;

/** Elements whose text is no markup. */
const NONE: i32 = 0;
const SCRIPT: i32 = 1;
const STYLE: i32 = 2;
/** `</script` and the byte behind it. */
const END_TAG_BYTES: i32 = 9;

/** Where readHtml has come to. */
export let reached: i32 = 0;
let mode: i32 = TEXT;
/** The element whose start tag is read, or whose text. */
let element: i32 = NONE;

/** Decodes the source to the window's end: returns STOP_END, STOP_INPUT where the rest needs more source, or STOP_FULL. */
export function decodeHtml(): i32 {
  const stop = readHtml(begin());
  finish(reached);
  return stop;
}

/** Starts a document. */
export function startHtml(): void {
  storeWord(STATE_HTML, TEXT);
  storeWord(STATE_HTML_ELEMENT, NONE);
}

/** Reads the source of decoded.ts from `source` on, to `reached`: returns what decodeHtml does. */
export function readHtml(source: i32): i32 {
  let p = source;
  mode = loadWord(STATE_HTML);
  element = loadWord(STATE_HTML_ELEMENT);
  let stop = STOP_END;
  while (p < sourceEnd) {
    if (!hasRoom()) {
      stop = STOP_FULL;
      break;
    }
    const next = step(p);
    if (next < 0) {
      stop = STOP_INPUT;
      break;
    }
    p = next;
  }
  storeWord(STATE_HTML, mode);
  storeWord(STATE_HTML_ELEMENT, element);
  reached = p;
  return stop;
}

/** Goes on from `p`, a byte at least: returns the address behind what was read, or NEED_SOURCE. */
function step(p: i32): i32 {
  if (mode == TEXT) return readText(p);
  if (mode >= TAG_NAME) return readTag(p);
  if (mode >= DOUBLE_QUOTED) return readValue(p);
  if (mode == ELEMENT) return readElement(p);
  return mode == DECLARATION ? readDeclaration(p) : readComment(p);
}

/** Whether fewer than `count` bytes are there, and more may come. */
function isShort(p: i32, count: i32): bool {
  return !isLast && sourceEnd - p < count;
}

function readText(p: i32): i32 {
  let c = load8(p);
  let end = p;
  if ((classOf(c) & (1 << SET_MARKUP)) == 0) {
    end = copyRun(p, SET_MARKUP);
    if (end == sourceEnd || !hasRoom()) return end;
    c = load8(end);
  }
  const next = c == 0x26 ? readReference(end, false) : c == 0x3c ? readMarkup(end) : copyByte(end);
  return next < 0 && end > p ? end : next;
}

/** A `<` in text. */
function readMarkup(p: i32): i32 {
  if (isShort(p, 2)) return NEED_SOURCE;
  const c = p + 1 < sourceEnd ? load8(p + 1) : 0;
  if (isAlpha(c)) return readStartTag(p);
  if (c == 0x3f) return startHidden(p, 2, DECLARATION);
  if (c == 0x21) {
    if (isShort(p, 4)) return NEED_SOURCE;
    const isComment = p + 4 <= sourceEnd && load8(p + 2) == 0x2d && load8(p + 3) == 0x2d;
    return isComment ? startHidden(p, 4, COMMENT_START) : startHidden(p, 2, DECLARATION);
  }
  if (c != 0x2f) return copyByte(p);
  if (isShort(p, 3)) return NEED_SOURCE;
  if (p + 2 == sourceEnd) return copyByte(p);
  const first = load8(p + 2);
  if (first == 0x3e) return hide(p, 3, CONTEXT_TEXT);
  if (!isAlpha(first)) return startHidden(p, 2, DECLARATION);
  element = NONE;
  const end = findNameEnd(p + 2);
  if (end < sourceEnd && load8(end) == 0x3e) return hide(p, end + 1 - p, CONTEXT_TEXT);
  mode = TAG_NAME;
  return hide(p, 2, CONTEXT_TEXT);
}

/** Behind the scheme characters at `p`, NAME_BYTES_MAX and one of them at most. */
function findNameEnd(p: i32): i32 {
  const bound = p + NAME_BYTES_MAX + 1;
  return findInSet(p, bound < sourceEnd ? bound : sourceEnd, SET_NOT_SCHEME);
}

function startHidden(p: i32, count: i32, next: i32): i32 {
  mode = next;
  return hide(p, count, CONTEXT_RAW);
}

/** `<` and a letter: a tag, but text where a known scheme or `URL` and `:` follow (X7). */
function readStartTag(p: i32): i32 {
  const name = p + 1;
  const end = findNameEnd(name);
  if (end == sourceEnd && !isLast && end - name <= NAME_BYTES_MAX) return NEED_SOURCE;
  if (end < sourceEnd && load8(end) == 0x3a && (isUrl(name, end) || findKnown(name, end - name) >= 0)) return copyByte(p);
  element = end == sourceEnd || endsName(load8(end)) ? elementOf(name, end - name) : NONE;
  if (element == NONE && end < sourceEnd && load8(end) == 0x3e) return hide(p, end + 1 - p, CONTEXT_TEXT);
  mode = TAG_NAME;
  return hide(p, 1, CONTEXT_TEXT);
}

function isUrl(name: i32, end: i32): bool {
  return end - name == 3 && lower(load8(name)) == 0x75 && lower(load8(name + 1)) == 0x72 && lower(load8(name + 2)) == 0x6c;
}

function elementOf(name: i32, length: i32): i32 {
  const first = lower(load8(name));
  if (first != 0x73) return NONE;
  const second = lower(load8(name + 1));
  const third = lower(load8(name + 2));
  const fourth = lower(load8(name + 3));
  const fifth = lower(load8(name + 4));
  if (length == 5) return second == 0x74 && third == 0x79 && fourth == 0x6c && fifth == 0x65 ? STYLE : NONE;
  const isScript = second == 0x63 && third == 0x72 && fourth == 0x69 && fifth == 0x70 && lower(load8(name + 5)) == 0x74;
  return length == 6 && isScript ? SCRIPT : NONE;
}

function isSpace(c: i32): bool {
  return c == 0x20 || c == 0x0a || c == 0x09 || c == 0x0d || c == 0x0c;
}

/** Whether `c` ends the name of a tag. */
function endsName(c: i32): bool {
  return c == 0x3e || c == 0x2f || isSpace(c);
}

/** A tag and the values of its attributes, as far as they are there. */
function readTag(start: i32): i32 {
  let p = start;
  while (true) {
    p = readNames(p);
    if (p == sourceEnd || !hasRoom()) return p;
    const c = load8(p);
    if (c == 0x3e) return closeTag(p);
    p = startValue(p, c);
    const next = readValue(p);
    if (next < 0) return p > start ? p : next;
    p = next;
    if (mode != GAP || p == sourceEnd || !hasRoom()) return p;
  }
}

/** The bytes of a tag up to its `>` or the first one of a value. */
function readNames(start: i32): i32 {
  const bound = findBound(start);
  let p = start;
  let now = mode;
  while (p < bound) {
    const c = load8(p);
    if (c == 0x3e || (now == VALUE_START && !isSpace(c))) break;
    now = modeAfter(c, now);
    // Most of a tag are names: the rest of one changes nothing.
    if (c > 0x3e) {
      const nameEnd = findInSet(p + 1, bound, SET_NOT_SCHEME);
      fillAt(p - start, nameEnd - p, CONTEXT_TEXT);
      p = nameEnd;
      continue;
    }
    putAt(p - start, now == VALUE_START ? CONTEXT_ATTRIBUTE : CONTEXT_TEXT);
    p++;
  }
  advance(p - start);
  mode = now;
  return p;
}

/** Where the tokenizer stands behind the byte `c` of a tag; `>` and what begins a value are seen to elsewhere. */
function modeAfter(c: i32, before: i32): i32 {
  if (before == VALUE_START) return VALUE_START;
  // Letters, most of all.
  if (c > 0x3d) return before == TAG_NAME ? TAG_NAME : ATTRIBUTE_NAME;
  if (c == 0x2f) return GAP;
  if (isSpace(c)) return before == ATTRIBUTE_NAME || before == NAME_END ? NAME_END : GAP;
  if (before == TAG_NAME) return TAG_NAME;
  return c == 0x3d && before != GAP ? VALUE_START : ATTRIBUTE_NAME;
}

/** The first byte behind `=` and white space; an unquoted value starts with it. */
function startValue(p: i32, c: i32): i32 {
  mode = c == 0x22 ? DOUBLE_QUOTED : c == 0x27 ? SINGLE_QUOTED : UNQUOTED;
  return mode == UNQUOTED ? p : hide(p, 1, CONTEXT_ATTRIBUTE);
}

function closeTag(p: i32): i32 {
  mode = element == NONE ? TEXT : ELEMENT;
  return hide(p, 1, element == NONE ? CONTEXT_TEXT : CONTEXT_RAW);
}

function readValue(p: i32): i32 {
  const end = copyRun(p, mode == UNQUOTED ? SET_STOP : SET_QUOTED);
  if (end == sourceEnd || !hasRoom()) return end;
  const c = load8(end);
  if (c == 0x26) {
    const next = readReference(end, true);
    return next < 0 && end > p ? end : next;
  }
  if (mode == UNQUOTED) {
    if (c == 0x3e) return closeTag(end);
    if (!isSpace(c)) return copyByte(end);
  } else if (c != (mode == DOUBLE_QUOTED ? 0x22 : 0x27)) {
    return copyByte(end);
  }
  mode = GAP;
  return hide(end, 1, CONTEXT_TEXT);
}

/** The text of a script or style, up to its end tag. */
function readElement(p: i32): i32 {
  const end = copyRun(p, SET_MARKUP);
  if (end > p) return end;
  if (load8(p) != 0x3c) return copyByte(p);
  if (isShort(p, END_TAG_BYTES)) return NEED_SOURCE;
  const length = element == SCRIPT ? 6 : 5;
  const behind = p + 2 + length;
  const isEnd = behind < sourceEnd && load8(p + 1) == 0x2f && elementOf(p + 2, length) == element && endsName(load8(behind));
  if (!isEnd) return copyByte(p);
  element = NONE;
  mode = TAG_NAME;
  return hide(p, 2, CONTEXT_TEXT);
}

function readDeclaration(p: i32): i32 {
  const end = copyUpTo(p, 0x3e);
  if (end == sourceEnd || !hasRoom()) return end;
  mode = TEXT;
  return hide(end, 1, CONTEXT_TEXT);
}

/** A comment, up to its `-->` or `--!>`; `>` and `->` end it where it starts. */
function readComment(p: i32): i32 {
  const end = mode == COMMENT ? copyUpTo(p, 0x2d) : p;
  if (end == sourceEnd || !hasRoom()) return end;
  if (isShort(end, 4)) return end > p ? end : NEED_SOURCE;
  const length = commentEnd(end);
  mode = length > 0 ? TEXT : COMMENT;
  return length > 0 ? hide(end, length, CONTEXT_TEXT) : copyByte(end);
}

/** Copies the bytes from `start` to the first `c`, or as many as there are or fit; returns the address behind them. */
function copyUpTo(start: i32, c: i32): i32 {
  const bound = findBound(start);
  let p = start;
  for (; p < bound && load8(p) != c; p++) putAt(p - start, kept(load8(p)));
  advance(p - start);
  return p;
}

/** Length of what ends a comment at `p`, or 0. */
function commentEnd(p: i32): i32 {
  const left = sourceEnd - p;
  const dash = load8(p) == 0x2d;
  if (mode == COMMENT_START) {
    if (load8(p) == 0x3e) return 1;
    if (dash && left >= 2 && load8(p + 1) == 0x3e) return 2;
  }
  if (!dash || left < 3 || load8(p + 1) != 0x2d) return 0;
  if (load8(p + 2) == 0x3e) return 3;
  return left >= 4 && load8(p + 2) == 0x21 && load8(p + 3) == 0x3e ? 4 : 0;
}
