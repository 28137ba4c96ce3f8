// Bodies (A2, A4, A7, A13): finds the marks at line starts that end a text or a part of it.

import { CR, DOT, GREATER, HYPHEN, LF, LOWER_B, LOWER_R, SPACE, UPPER_F } from "../bytes/characters.ts";
import * as mail from "../layout/mail.ts";
import { findLineFeed, findLineMark } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { conversion, endPart, PART_MESSAGE, PART_SKIP, PART_TEXT, part, passPart, transfer } from "./body-part.ts";
import * as content from "./content.ts";
import { readDigestBorder } from "./digest.ts";
import { beginEnd, forgetSkippedBreak, isBreakSkipped, readUuencodeBegin, readYencBegin, skipLine } from "./encoded-block.ts";
import { DOUBTFUL, FROM_LINE, NO_FROM_LINE, QUOTES_MAX, readFromLine, startsFrom } from "./from-line.ts";
import { beginHeader } from "./header.ts";
import * as parts from "./parts.ts";
import * as pipe from "./pipe.ts";
import * as reader from "./reader.ts";
import { afterSeparator, startsSeparator } from "./separator.ts";
import { AFTER_RANGE, end, hasLength, isLast, isShort, NEED_SOURCE, rangeTo } from "./source.ts";
import { startMessage, startSegment, startText } from "./text-start.ts";

// Kinds of marks.
const NOTHING: i32 = 0;
const MESSAGE: i32 = 1; // A From_ line that begins a message, or a separator line of MMDF
const DELIMITER: i32 = 2;
const DIGEST: i32 = 3;
const UNQUOTE: i32 = 4; // A quote mark before `From `, which is removed
const UUENCODE: i32 = 5;
const YENC: i32 = 6;
const DOUBT: i32 = 7; // A From_ line that is only counted, as doubtful
const STUFFED: i32 = 8; // A stuffed dot, which is removed
const SEARCH_BYTES: i32 = 65536; // Most bytes of a text that are searched for marks before they are written

/** Address of the header of the enclosed message, if the last mark is a DIGEST. */
let enclosedStart: i32 = 0;
/** Address of the first quote mark before the last `>From`. */
let quotes: i32 = 0;
/** No unread MMDF separator or stuffed dot is before this address. Keeps the search linear if there are many other marks. */
let unmarked: i32 = 0;
/** Number of source bytes after the last one read in which doubtful From_ lines have been counted. */
let doubted: i32 = 0;

export function beginBodySearch(): void {
  doubted = 0;
}

/** Resets the search after the source bytes have moved. */
export function resetSearch(): void {
  unmarked = 0;
}

/** Reads the body from `p` on; returns the address after the bytes read, NEED_SOURCE or AFTER_RANGE. */
export function readBody(p: i32): i32 {
  if (!reader.hasMarks) return passText(p, end, isLast);
  const next = readText(p);
  if (next > p) {
    // In a message inside a body, other bytes are read.
    if (reader.format == mail.FORMAT_MBOX) doubted = next - p < doubted ? doubted - (next - p) : 0;
    forgetSkippedBreak();
  }
  return next;
}

function readText(p: i32): i32 {
  const isNews = reader.format == mail.FORMAT_NEWS;
  const isMmdf = reader.format == mail.FORMAT_MMDF;
  const isFar = end - p > SEARCH_BYTES;
  const bound = isFar ? p + SEARCH_BYTES : end;
  const isEnd = isLast && !isFar;
  const tail = isEnd ? bound : decidedEnd(p, bound);
  const other = isMmdf || (isNews && part != PART_SKIP) ? findOther(p, tail) : tail;
  let at = p;
  let mark = other == tail ? NOTHING : isMmdf ? readSeparator(other) : STUFFED;
  while (true) {
    at = findLineMark(at, other);
    if (at >= other) break;
    const found = readMark(p, at);
    if (found == DOUBT) {
      pipe.count(mail.COUNT_DOUBTFUL, 1);
      doubted = at + 1 - p;
    } else if (found != NOTHING) {
      mark = found;
      break;
    }
    at++;
  }
  if (at >= tail) return tail == p ? NEED_SOURCE : passText(p, tail, isEnd);
  const text = textEnd(p, at, mark);
  if (text > p) return passText(p, text, mark == MESSAGE || mark == DELIMITER || mark == DIGEST);
  return mark < 0 ? NEED_SOURCE : act(mark, p, at);
}

/** Decodes the text [p, stop), or its first bytes; returns the address after them, or NEED_SOURCE. */
function passText(p: i32, stop: i32, isEnd: bool): i32 {
  const next = passPart(p, stop, isEnd);
  return next == p && reader.mode == reader.MODE_BODY ? NEED_SOURCE : next;
}

/** Returns the end of the text before the mark at `at`. Quote marks belong to a `From ` after them, a line break to a delimiter line. */
function textEnd(p: i32, at: i32, mark: i32): i32 {
  const c = load8(at);
  if (c == UPPER_F && load8(at - 1) == GREATER) return quotes;
  if (c != HYPHEN || (mark != DELIMITER && (mark >= 0 || parts.depth == 0))) return at;
  const text = at - 1 > p && load8(at - 2) == CR ? at - 2 : at - 1;
  return text > p ? text : p;
}

/** Returns the end of the text in [p, bound) without the bytes at its end that may begin a mark. */
function decidedEnd(p: i32, bound: i32): i32 {
  let tail = bound - 1;
  while (tail > p && tail > bound - 2 - QUOTES_MAX && load8(tail - 1) == GREATER) tail--;
  if (parts.depth > 0) {
    // A line break may belong to a delimiter line.
    if (tail > p && load8(tail) == HYPHEN && load8(tail - 1) == LF) tail--;
    if (tail > p && load8(tail) == LF && load8(tail - 1) == CR) tail--;
  }
  return tail > p ? tail : p;
}

/** Returns the first address in [p, stop) of a line that may be a separator of MMDF (A17), in news of a stuffed dot (A14); or `stop`. */
export function findOther(p: i32, stop: i32): i32 {
  const isMmdf = reader.format == mail.FORMAT_MMDF;
  let at = p > unmarked ? p : unmarked;
  while (at < stop && !(load8(at - 1) == LF && (isMmdf ? startsSeparator(at) : isStuffed(at)))) at = findLineFeed(at, stop) + 1;
  unmarked = at < stop ? at : stop;
  return unmarked;
}

/** Whether two dots are at `p`, the start of a line: the first of them is stuffed. */
function isStuffed(p: i32): bool {
  return load8(p) == DOT && p + 1 < end && load8(p + 1) == DOT;
}

/** Returns MESSAGE for a separator line at `p` (A17), NOTHING or NEED_SOURCE. */
function readSeparator(p: i32): i32 {
  const after = afterSeparator(p);
  return after > 0 ? MESSAGE : after;
}

/** Returns the kind of the mark at `at` in a text that is read from `p` on, NOTHING or NEED_SOURCE. */
function readMark(p: i32, at: i32): i32 {
  const c = load8(at);
  if (c == UPPER_F) return readFromMark(p, at);
  if (c == HYPHEN) {
    const found = parts.readDelimiter(at);
    if (found != parts.NO_DELIMITER) return found < 0 ? NEED_SOURCE : DELIMITER;
    if (!isPlainBody()) return NOTHING;
    enclosedStart = readDigestBorder(at);
    return enclosedStart > 0 ? DIGEST : enclosedStart < 0 ? NEED_SOURCE : NOTHING;
  }
  if (!isPlainBody()) return NOTHING;
  const found = c == LOWER_B ? readUuencodeBegin(at) : readYencBegin(at);
  if (found <= 0) return found;
  return c == LOWER_B ? UUENCODE : YENC;
}

/** Returns what readMark does for the `Fr` at `at`. A From_ line ends a message of an mbox, unless the length of the message is known. */
function readFromMark(p: i32, at: i32): i32 {
  if (hasLength() || reader.format != mail.FORMAT_MBOX || at - p < doubted) return NOTHING;
  if (load8(at - 1) == GREATER) return readQuoted(p, at);
  const found = readFromLine(at);
  if (found == FROM_LINE) return MESSAGE;
  return found == DOUBTFUL ? DOUBT : found == NO_FROM_LINE ? NOTHING : NEED_SOURCE;
}

/** Whether the text is a plain text body of a message, without transfer encoding: only these have encoded files and digests (A7, A13). */
function isPlainBody(): bool {
  return reader.where == mail.WHERE_BODY && part == PART_TEXT && transfer == content.TRANSFER_IDENTITY && reader.message > 0;
}

/** Returns UNQUOTE if the `F` at `at` is that of a quoted `From ` whose first quote mark is removed (A2); NOTHING or NEED_SOURCE. */
function readQuoted(p: i32, at: i32): i32 {
  if (reader.dialect == mail.DIALECT_CL || at - 1 < p || reader.message == 0 || part == PART_SKIP) return NOTHING;
  let first = at - 1;
  while (first > at - QUOTES_MAX && load8(first - 1) == GREATER) first--;
  quotes = first;
  if (first < p || load8(first - 1) != LF || (reader.dialect == mail.DIALECT_O && first < at - 1)) return NOTHING;
  if (isShort(at, 5)) return NEED_SOURCE;
  return startsFrom(at) ? UNQUOTE : NOTHING;
}

/** Acts on the mark at `at`. The text before the mark has been written up to `p`. Returns the address after the bytes read. */
function act(mark: i32, p: i32, at: i32): i32 {
  if (mark == UNQUOTE) return quotes + 1;
  if (mark == STUFFED) return at + 1;
  if (mark == UUENCODE || mark == YENC) return startBlock(mark, at);
  if (part == PART_MESSAGE) {
    // The mark is read again after the message or attachment.
    endPart(p);
    return p;
  }
  const isMmdf = reader.format == mail.FORMAT_MMDF;
  if (mark == MESSAGE && at >= rangeTo && !isMmdf) return AFTER_RANGE;
  const convert = conversion;
  endPart(p);
  if (mark == MESSAGE && isMmdf) {
    reader.enter(reader.MODE_BETWEEN);
    return at;
  }
  if (mark == MESSAGE) {
    startMessage();
    return at;
  }
  if (mark == DIGEST) {
    parts.beginEnclosed(convert);
    beginHeader(false, false, content.TYPE_TEXT);
    return enclosedStart;
  }
  if (at == p && isBreakSkipped) pipe.count(mail.COUNT_BYTES_SKIPPED, load8(at - 2) == CR ? -2 : -1);
  parts.passDelimiter();
  if (parts.isClosing) {
    startText(mail.WHERE_EPILOGUE);
  } else {
    beginHeader(false, false, parts.isInDigest() ? content.TYPE_MESSAGE : content.TYPE_TEXT);
  }
  return parts.delimiterEnd;
}

/** Begins to skip the UUENCODE or YENC block at `p`. The text after it is a segment of its own. Returns the end of the bytes read. */
function startBlock(mark: i32, p: i32): i32 {
  const convert = conversion;
  endPart(p);
  startSegment(mail.WHERE_BODY, PART_TEXT, content.TRANSFER_IDENTITY, convert);
  pipe.omit(mark == UUENCODE ? mail.COUNT_UUENCODE : mail.COUNT_YENC, p);
  reader.enter(mark == UUENCODE ? reader.MODE_UUENCODE : reader.MODE_YENC);
  if (mark == YENC) return p;
  pipe.count(mail.COUNT_BYTES_SKIPPED, beginEnd - p);
  return beginEnd;
}

/** Returns the kind of the mark at `p`, the start of a line in a block; NOTHING or NEED_SOURCE. */
function readEdge(p: i32): i32 {
  const c = load8(p);
  if (c <= SPACE) return reader.format == mail.FORMAT_MMDF ? readSeparator(p) : NOTHING;
  if (c != UPPER_F && c != HYPHEN) return NOTHING;
  if (isShort(p, 2)) return NEED_SOURCE;
  return load8(p + 1) == (c == UPPER_F ? LOWER_R : HYPHEN) ? readMark(p, p) : NOTHING;
}

/** Skips the next line of a block, or ends the block before a mark that ends the text (A7); returns what readBody does. */
export function readBlock(p: i32): i32 {
  const mark = load8(p - 1) == LF ? readEdge(p) : NOTHING;
  if (mark < 0) return NEED_SOURCE;
  if (mark == DOUBT && reader.mode == reader.MODE_YENC) pipe.count(mail.COUNT_DOUBTFUL, 1);
  if (mark != MESSAGE && mark != DELIMITER) return skipLine(p);
  reader.enter(reader.MODE_BODY);
  return p;
}
