// Writes defanged text as the URLs that it stands for (X15): the last step of decoding, in the window itself. The refanged text is never
// longer than the defanged text.

import { classOf, findByte, isAlphanumeric, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_BRACKET, SET_COLON, SET_DELIMITER } from "../bytes/classes.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import { moveReadValues, moveWaitingValues } from "../html/values.ts";
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "../layout/decoded.ts";
import { MAP_REGION, REFANG_ROW_BYTES, REFANG_ROW_TEXT, REFANG_ROWS_MAX, REFANG_TEXT_MAX, STOP_END, STOP_FULL } from "../layout/memory.ts";
import { X15_MARK } from "../layout/notes.ts";
import { multiply } from "../platform/arith.ts";
import { findInSet } from "../platform/kernel.ts";
import { characterAt, copyBytes, load8, store8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { isMarked, MARK_BYTES_MAX, markEnd, readMark } from "./defanged.ts";

/** Classes of the bytes that may begin a mark or `://`, apart from `\` and `&`: brackets and `:`. The set of `:` has `<` too. */
const MAY_BEGIN: i32 = CLASS_BRACKET | (1 << SET_COLON);
const SEPARATOR_BYTES: i32 = 3; // Length of `://`
const SLASH_MARK_BYTES: i32 = 3; // Length of `[/]`

/** Address after the last byte that has been written. */
let to: i32 = 0;
/** Number of rows that have been written. */
let rows: i32 = 0;
/** Whether the next text continues an unbroken run after `:\\`, in which a backslash is a slash. */
let isBackslashed: bool = false;
/** Address in that run up to which it has been checked; 0: there is no such run. */
let runFrom: i32 = 0;

export function resetRefang(): void {
  isBackslashed = false;
}

/**
 * Reads the text [from, end) and writes it from `start` on, which is at or before `from`; `isLast`: no more text follows. Sets DECODED_END,
 * DECODED_SOURCE (the first byte that was not read) and DECODED_MAP_ROWS. Returns STOP_END, or STOP_FULL if there is no room for more rows.
 */
export function refang(from: i32, end: i32, start: i32, isLast: bool): i32 {
  assert(start <= from && from <= end);
  to = start;
  rows = 0;
  runFrom = isBackslashed ? start : 0;
  const bound = isLast ? end : end - MARK_BYTES_MAX;
  let stop = STOP_END;
  let p = from;
  while (p < bound) {
    if (rows + 2 > REFANG_ROWS_MAX) {
      stop = STOP_FULL;
      break;
    }
    const run = p;
    while (p < bound && !mayBegin(load8(p))) p++;
    // Values move down, because refanging made the text before them shorter.
    moveReadValues(p, run - to);
    if (to != run) copyBytes(to, run, p - run);
    to += p - run;
    if (p < bound) p = readOne(p, end);
    assert(to <= p && p <= end && rows <= REFANG_ROWS_MAX);
  }
  isBackslashed = isRunUnbroken();
  // The host moves the bytes that were not read to the end of the refanged text.
  if (stop == STOP_END) moveWaitingValues(p - to);
  storeWord(DECODED_END, to);
  storeWord(DECODED_SOURCE, p);
  storeWord(DECODED_MAP_ROWS, rows);
  return stop;
}

function mayBegin(c: i32): bool {
  return (classOf(c) & MAY_BEGIN) != 0 || c == char.BACKSLASH || c == char.AMPERSAND;
}

/** Reads the byte at `p`, and the mark or `://` that it may begin. Writes what they stand for; returns the address after them. */
function readOne(p: i32, end: i32): i32 {
  const isSlash = load8(p) == char.BACKSLASH && isRunUnbroken();
  const after = isSlash ? 0 : readSeparator(p, end);
  if (after != 0) return after;
  let byte = 0;
  let next = p + 1;
  if (isSlash) {
    byte = char.SLASH;
  } else if (isSlashMark(p, end) && (classOf(load8(to - 1)) & (1 << SET_DELIMITER)) == 0) {
    byte = char.SLASH;
    next = p + SLASH_MARK_BYTES;
  } else if (isMarked(load8(to - 1))) {
    byte = readMark(p, end);
    if (byte != 0 && markEnd - p > REFANG_TEXT_MAX) byte = 0;
    if (byte != 0) next = markEnd;
  } else if (isMarkEnd(p, end)) {
    addRow(p - 1, markEnd, to, markEnd, 1);
    return markEnd;
  }
  if (byte != 0) addRow(p, next, to + 1, next, 1);
  store8(to, byte == 0 ? load8(p) : byte);
  to++;
  return next;
}

/** Whether the bytes at `p`, before `end`, make a mark with the dot before them, which has been written. Sets markEnd. */
function isMarkEnd(p: i32, end: i32): bool {
  if (load8(p - 1) != char.DOT || load8(to - 1) != char.DOT || !isMarked(load8(to - 2))) return false;
  return readMark(p, end) != 0 && load8(markEnd - 1) == char.SQUARE_CLOSE && findByte(p, markEnd, char.SQUARE_OPEN) == markEnd;
}

/** Whether the run after the last `:\\` is still unbroken. Checks each byte once. */
function isRunUnbroken(): bool {
  if (runFrom == 0) return false;
  const isUnbroken = findInSet(runFrom, to, SET_DELIMITER) >= to;
  runFrom = isUnbroken ? to : 0;
  return isUnbroken;
}

/** Whether `[/]` is at `p` and before `end`. */
function isSlashMark(p: i32, end: i32): bool {
  return p + SLASH_MARK_BYTES <= end && load8(p) == char.SQUARE_OPEN && load8(p + 1) == char.SLASH && load8(p + 2) == char.SQUARE_CLOSE;
}

/**
 * Reads `://`, or a defanged form of it, at `p`, and the name before it; returns the address after it, or 0. A form that begins with `:`
 * needs a name of findName before it.
 */
function readSeparator(p: i32, end: i32): i32 {
  const length = separatorLength(p, end);
  if (length == 0) return 0;
  const name = findName(to);
  if (name == to && (load8(p) == char.COLON || !endsName(load8(to - 1)))) return 0;
  if (name < to) readName(name, p);
  if (load8(p + 1) != char.SLASH || length != SEPARATOR_BYTES) {
    addRow(p, p + length, to + SEPARATOR_BYTES, p + length, SEPARATOR_BYTES);
    runFrom = load8(p + length - 1) == char.BACKSLASH ? to + SEPARATOR_BYTES : 0;
  }
  store8(to, char.COLON);
  store8(to + 1, char.SLASH);
  store8(to + 2, char.SLASH);
  to += SEPARATOR_BYTES;
  return p + length;
}

/** Whether a scheme may end in the byte `c`. */
function endsName(c: i32): bool {
  return c == char.PLUS || isAlphanumeric(c);
}

/**
 * Returns the length of `://` at `p` and before `end`, or 0. Colon and slashes may be in brackets, the colon may be a reference or an
 * escape, and backslashes count as slashes.
 */
function separatorLength(p: i32, end: i32): i32 {
  const isMark = load8(p) == char.SQUARE_OPEN && load8(p + 1) == char.COLON;
  const written = load8(p) == char.COLON || isMark ? 1 : escapedColonLength(p);
  if (written == 0) return 0;
  let q = p + written;
  if (isMark && load8(p + 2) == char.SQUARE_CLOSE) q = p + 3;
  else if (isMark) return load8(p + 4) == char.SQUARE_CLOSE && p + 5 <= end && isSlashes(p + 2) ? 5 : 0;
  if (load8(q) == char.BACKSLASH) q = load8(q + 1) == char.BACKSLASH ? q + 2 : end + 1;
  else if (load8(q) == char.SQUARE_OPEN && isSlashes(q + 1)) q = load8(q + 3) == char.SQUARE_CLOSE ? q + 4 : end + 1;
  else q = skipSlash(skipSlash(q, end), end);
  return q <= end ? q - p : 0;
}

/** Returns the length of a reference or an escape for a colon at `p`; 0: there is none. */
function escapedColonLength(p: i32): i32 {
  if (startsWithAnyCase(p, "&#58;")) return 5;
  return startsWithAnyCase(p, "&#x3a;") || (load8(p) == char.BACKSLASH && startsWithAnyCase(p + 1, "u003a")) ? 6 : 0;
}

function isSlashes(p: i32): bool {
  return load8(p) == char.SLASH && load8(p + 1) == char.SLASH;
}

/** Returns the address after the `/` or `[/]` at `p`, or one after `end`. */
function skipSlash(p: i32, end: i32): i32 {
  if (p >= end) return end + 1;
  return load8(p) == char.SLASH ? p + 1 : isSlashMark(p, end) ? p + SLASH_MARK_BYTES : end + 1;
}

/** Returns the start of the name before `end`: http, https, ftp, or a defanged form of these. Returns `end` if there is none. */
function findName(end: i32): i32 {
  const last = lower(load8(end - 1)) == char.LOWER_S ? end - 1 : end;
  let name = end;
  if (isKeyword(last - 4, last, "http") || isKeyword(last - 4, last, "hxxp")) name = last - 4;
  else if (isKeyword(end - 4, end, "meow")) name = end - 4;
  else if (isKeyword(end - 3, end, "ftp") || isKeyword(end - 3, end, "fxp")) name = end - 3;
  return isAlphanumeric(load8(name - 1)) ? end : name;
}

/** Replaces a defanged name with http or ftp. It has been written to [name, to), and ends at `p` in the text. */
function readName(name: i32, p: i32): void {
  const third = lower(load8(name + 2));
  // hxxp and meow stand for http, fxp for ftp.
  if (third == char.LOWER_X || third == char.LOWER_O) putName(name, p, "http");
  else if (lower(load8(name + 1)) == char.LOWER_X) putName(name, p, "ftp");
}

function putName(name: i32, p: i32, word: string): void {
  const length = word.length;
  addRow(name, name + length, name + length, p - (to - name) + length, length);
  for (let i = 0; i < length; i++) store8(name + i, characterAt(word, i));
}

/**
 * Writes a row: the text [text, textEnd) is read as the `width` bytes before `after`. `source`: where that text ends in the bytes that are
 * read.
 */
function addRow(text: i32, textEnd: i32, after: i32, source: i32, width: i32): void {
  const row = MAP_REGION + multiply(rows, REFANG_ROW_BYTES);
  rows++;
  storeWord(row, after);
  storeWord(row + 4, source);
  storeWord(row + 8, width);
  storeWord(row + 12, textEnd - text);
  copyBytes(row + REFANG_ROW_TEXT, text, textEnd - text);
  note(X15_MARK, after - width, after);
}
