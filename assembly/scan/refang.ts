// Defanged text, read as the URLs that it stands for (X15): the last step of decoding, in the window itself. What is read is never longer
// than what was written.

import { classOf, isAlphanumeric, lower } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, LOWER_O, LOWER_S, LOWER_X, PLUS, SLASH, SQUARE_CLOSE, SQUARE_OPEN } from "../bytes/characters.ts";
import { CLASS_BRACKET, SET_COLON } from "../bytes/classes.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { resetValues } from "../html/values.ts";
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "../layout/decoded.ts";
import { MAP_REGION, REFANG_ROW_BYTES, REFANG_ROW_TEXT, REFANG_ROWS_MAX, STOP_END, STOP_FULL } from "../layout/memory.ts";
import { X15_MARK } from "../layout/notes.ts";
import { multiply } from "../platform/arith.ts";
import { characterAt, copyBytes, load8, store8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { isMarked, MARK_BYTES_MAX, markEnd, readWholeMark } from "./defanged.ts";

/** Classes of what may begin a mark or `://`: brackets, and `:` with `<`. */
const MAY_BEGIN: i32 = CLASS_BRACKET | (1 << SET_COLON);
/** Length of `://`. */
const SEPARATOR: i32 = 3;

/** Address after the last byte that has been written. */
let to: i32 = 0;
let rows: i32 = 0;

/**
 * Reads the text [from, end) and writes it from `start` on, which is at or before `from`; `isLast`: no more text follows. Sets DECODED_END,
 * DECODED_SOURCE, the first byte that was not read, and DECODED_MAP_ROWS. Returns STOP_FULL where there was no room for more rows.
 */
export function refang(from: i32, end: i32, start: i32, isLast: bool): i32 {
  to = start;
  rows = 0;
  // What is read is shorter: the values of attributes would not be where they were.
  resetValues();
  const bound = isLast ? end : end - MARK_BYTES_MAX;
  let stop = STOP_END;
  let p = from;
  while (p < bound) {
    if (rows + 2 > REFANG_ROWS_MAX) {
      stop = STOP_FULL;
      break;
    }
    const run = p;
    while (p < bound && (classOf(load8(p)) & MAY_BEGIN) == 0) p++;
    if (to != run) copyBytes(to, run, p - run);
    to += p - run;
    if (p < bound) p = readOne(p, end);
  }
  storeWord(DECODED_END, to);
  storeWord(DECODED_SOURCE, p);
  storeWord(DECODED_MAP_ROWS, rows);
  return stop;
}

/** Reads the colon or bracket at `p`, and the mark that it may begin; returns the address after them. */
function readOne(p: i32, end: i32): i32 {
  const after = readSeparator(p, end);
  if (after != 0) return after;
  const byte = isMarked(load8(to - 1)) ? readWholeMark(p, end) : 0;
  const next = byte == 0 ? p + 1 : markEnd;
  if (byte != 0) addRow(p, next, to + 1, next, 1);
  store8(to, byte == 0 ? load8(p) : byte);
  to++;
  return next;
}

/** Reads `://` after a name, or what is written for it; returns the address after it, or 0. */
function readSeparator(p: i32, end: i32): i32 {
  const length = separatorLength(p, end);
  if (length == 0) return 0;
  const name = findName(to);
  if (name == to && (load8(p) == COLON || !endsName(load8(to - 1)))) return 0;
  if (name < to) readName(name, p);
  if (load8(p + 1) != SLASH) addRow(p, p + length, to + SEPARATOR, p + length, SEPARATOR);
  store8(to, COLON);
  store8(to + 1, SLASH);
  store8(to + 2, SLASH);
  to += SEPARATOR;
  return p + length;
}

/** Whether a scheme may end in the byte `c`. */
function endsName(c: i32): bool {
  return c == PLUS || isAlphanumeric(c);
}

/** Returns the length of `://`, `:\\`, `[:]//` or `[://]` at `p` and before `end`, or 0. */
function separatorLength(p: i32, end: i32): i32 {
  if (p + SEPARATOR > end) return 0;
  if (load8(p) == COLON) {
    const c = load8(p + 1);
    return (c == SLASH || c == BACKSLASH) && load8(p + 2) == c ? SEPARATOR : 0;
  }
  if (p + 5 > end || load8(p) != SQUARE_OPEN || load8(p + 1) != COLON) return 0;
  if (load8(p + 2) == SQUARE_CLOSE) return load8(p + 3) == SLASH && load8(p + 4) == SLASH ? 5 : 0;
  return load8(p + 2) == SLASH && load8(p + 3) == SLASH && load8(p + 4) == SQUARE_CLOSE ? 5 : 0;
}

/** Returns the start of the name before `end`: http, https, ftp, or one that is written for them. Returns `end` if there is none. */
function findName(end: i32): i32 {
  const last = lower(load8(end - 1)) == LOWER_S ? end - 1 : end;
  let name = end;
  if (isKeyword(last - 4, last, "http") || isKeyword(last - 4, last, "hxxp")) name = last - 4;
  else if (isKeyword(end - 4, end, "meow")) name = end - 4;
  else if (isKeyword(end - 3, end, "ftp") || isKeyword(end - 3, end, "fxp")) name = end - 3;
  return isAlphanumeric(load8(name - 1)) ? end : name;
}

/** Puts http or ftp in the place of a defanged name, which has been written to [name, to) and ends at `p` in the text. */
function readName(name: i32, p: i32): void {
  const third = lower(load8(name + 2));
  // hxxp, meow; fxp.
  if (third == LOWER_X || third == LOWER_O) putName(name, p, "http");
  else if (lower(load8(name + 1)) == LOWER_X) putName(name, p, "ftp");
}

function putName(name: i32, p: i32, word: string): void {
  const length = word.length;
  addRow(name, name + length, name + length, p - (to - name) + length, length);
  for (let i = 0; i < length; i++) store8(name + i, characterAt(word, i));
}

/** Writes a row: the text [text, textEnd) is read as the `width` bytes before `after`, and ends at `source`. */
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
