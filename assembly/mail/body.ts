// Bodies (A2, A4, A7, A13): what a header says of its body begins here, and what ends a text at the start of a line is told here.

import { to } from "../html/decoded.ts";
import * as mail from "../layout/mail.ts";
import { findLineFeed, findLineMark } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { endPart, passPart, startPart } from "./body-part.ts";
import { DOUBTFUL, FROM_LINE, NO_FROM_LINE, QUOTES_MAX, readFromLine, startsFrom } from "./from-line.ts";
import { beginDigestHeader, beginHeader } from "./header.ts";
import { beginEnd, beginsUuencode, beginsYenc, readDigestBorder } from "./lines.ts";
import * as parts from "./parts.ts";
import * as pipe from "./pipe.ts";
import { AFTER_RANGE, end, isLast, isShort, NEED_SOURCE } from "./source.ts";

// What stands at a mark.
const NOTHING: i32 = 0;
const MESSAGE: i32 = 1;
const DELIMITER: i32 = 2;
const DIGEST: i32 = 3;
const UNQUOTE: i32 = 4;
const UUENCODE: i32 = 5;
const YENC: i32 = 6;
const DOUBT: i32 = 7;
const STUFFED: i32 = 8;
/** Most bytes of a text that are searched for marks before they are passed on. */
const SEARCH_BYTES: i32 = 65536;
/** The same where dots are searched for too (A14): every mark has both begin anew. */
const SEARCH_NEWS_BYTES: i32 = 4096;

/** Where the enclosed message of a DIGEST starts. */
let enclosed: i32 = 0;

/** Begins a message at the source byte that comes next. */
export function startMessage(): void {
  storeWord(mail.MAIL_DEPTH, 0);
  storeWord(mail.MAIL_MESSAGE, loadWord(mail.MAIL_MESSAGE) + 1);
  storeWord(mail.MAIL_IN_MESSAGE, 1);
  storeWord(mail.MAIL_REMAINING, -1);
  storeWord(mail.MAIL_DOUBTED, 0);
  storeWord(mail.MAIL_SKIPPED_BREAK, 0);
  storeWord(mail.MAIL_ENCLOSED, 0);
  storeWord(mail.MAIL_OUTSIDE, 0);
  storeWord(mail.MAIL_HEADER_LEFT, mail.HEADER_COLLECTED_BYTES);
  pipe.count(mail.COUNT_MESSAGES, 1);
  storeWord(mail.MAIL_MESSAGE_WINDOW, to);
  beginHeader(true, true, mail.TYPE_TEXT);
}

/** Begins a text without encodings. */
export function startText(where: i32): void {
  startSegment(where, mail.PART_TEXT, mail.TRANSFER_IDENTITY, mail.CONVERT_NONE);
}

/** Begins a text: PART_*, TRANSFER_*, CONVERT_*. */
export function startSegment(where: i32, part: i32, transfer: i32, convert: i32): void {
  storeWord(mail.MAIL_MODE, mail.MODE_BODY);
  storeWord(mail.MAIL_WHERE, where);
  if (part != mail.PART_SKIP) {
    pipe.separate(part == mail.PART_HTML);
    pipe.addSegment(where, parts.writePart(), 0);
  }
  startPart(part, transfer, convert);
}

/** Begins the body of the header that was read, at the source address `body` (A4). */
export function startBody(body: i32): void {
  const type = loadWord(mail.MAIL_TYPE);
  const encoding = loadWord(mail.MAIL_ENCODING);
  const isOfParts = type == mail.TYPE_MULTIPART || type == mail.TYPE_DIGEST || type == mail.TYPE_MESSAGE;
  // Delimiter lines are looked for in bytes as they lie: what is encoded as a whole by HTTP is not taken apart.
  if (isOfParts && encoding == mail.TRANSFER_CHUNKED) pipe.omit(mail.COUNT_ENCODED_BODY, body);
  if (isOfParts && (encoding == mail.TRANSFER_CHUNKED || encoding == mail.TRANSFER_OPAQUE)) {
    startContent(mail.TYPE_TEXT, body);
    return;
  }
  if (type == mail.TYPE_MULTIPART || type == mail.TYPE_DIGEST) {
    const hasBoundary = loadWord(mail.MAIL_BOUNDARY_LENGTH) > 0;
    if (hasBoundary && !parts.isDeep()) {
      storeWord(mail.MAIL_IN_MESSAGE, 0);
      parts.openMultipart(type == mail.TYPE_DIGEST);
      startText(mail.WHERE_PREAMBLE);
      return;
    }
    pipe.omit(hasBoundary ? mail.COUNT_DEEP_MULTIPART : mail.COUNT_NO_BOUNDARY, body);
    startText(mail.WHERE_BODY);
    return;
  }
  if (type == mail.TYPE_MESSAGE && encoding == mail.TRANSFER_IDENTITY) {
    if (!parts.isDeep()) {
      if (loadWord(mail.MAIL_IN_MESSAGE) != 0) parts.openMessage();
      storeWord(mail.MAIL_IN_MESSAGE, 1);
      beginHeader(false, true, mail.TYPE_TEXT);
      return;
    }
    pipe.omit(mail.COUNT_DEEP_MULTIPART, body);
  } else if (type == mail.TYPE_MESSAGE && encoding != mail.TRANSFER_UUENCODE) {
    pipe.omit(mail.COUNT_ENCODED_BODY, body);
  }
  startContent(type, body);
}

/** Begins the body of a message that a text encloses: the text goes on, whatever its header says (A13). */
export function startEnclosed(): void {
  const convert = loadWord(mail.MAIL_ENCLOSED) - 1;
  startSegment(mail.WHERE_BODY, mail.PART_TEXT, mail.TRANSFER_IDENTITY, convert);
  storeWord(mail.MAIL_ENCLOSED, 0);
}

function startContent(type: i32, body: i32): void {
  const encoding = loadWord(mail.MAIL_ENCODING);
  const isUuencode = encoding == mail.TRANSFER_UUENCODE;
  const isOpaque = encoding == mail.TRANSFER_OPAQUE;
  const isText = type != mail.TYPE_OTHER || loadWord(mail.MAIL_ALL_PARTS) != 0;
  if (!isText || isUuencode || isOpaque) {
    if (isText) pipe.omit(isUuencode ? mail.COUNT_UUENCODE : mail.COUNT_ENCODED_BODY, body);
    pipe.count(mail.COUNT_PARTS_SKIPPED, 1);
    startSegment(mail.WHERE_BODY, mail.PART_SKIP, mail.TRANSFER_IDENTITY, mail.CONVERT_NONE);
    return;
  }
  const isHtml = type == mail.TYPE_HTML;
  const where = isHtml ? mail.WHERE_HTML : mail.WHERE_BODY;
  startSegment(where, isHtml ? mail.PART_HTML : mail.PART_TEXT, encoding, conversion(isHtml));
}

function conversion(isHtml: bool): i32 {
  const charset = loadWord(mail.MAIL_CHARSET);
  if (charset != mail.CONVERT_NONE || isHtml) return charset;
  return loadWord(mail.MAIL_FLOWED) == (mail.FLOWED_FORMAT | mail.FLOWED_DELSP) ? mail.CONVERT_FLOWED : mail.CONVERT_NONE;
}

/** Reads the body from `p` on: returns the address behind what was read, NEED_SOURCE or AFTER_RANGE. */
export function readBody(p: i32): i32 {
  const next = readText(p);
  if (next > p) {
    storeWord(mail.MAIL_DOUBTED, 0);
    storeWord(mail.MAIL_SKIPPED_BREAK, 0);
  }
  return next;
}

function readText(p: i32): i32 {
  const isNews = loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_NEWS;
  const most = isNews ? SEARCH_NEWS_BYTES : SEARCH_BYTES;
  const isFar = end - p > most;
  const bound = isFar ? p + most : end;
  const isEnd = isLast && !isFar;
  const tail = isEnd ? bound : decidedEnd(p, bound);
  const isUnstuffed = isNews && loadWord(mail.MAIL_PART) != mail.PART_SKIP;
  const stuffed = isUnstuffed ? findStuffed(p, tail) : tail;
  let at = p;
  let mark = stuffed < tail ? STUFFED : NOTHING;
  while (true) {
    at = findLineMark(at, stuffed);
    if (at >= stuffed) break;
    const found = readMark(p, at);
    if (found != NOTHING) {
      mark = found;
      break;
    }
    at++;
  }
  if (at >= tail) {
    if (tail == p) return NEED_SOURCE;
    return taken(p, passPart(p, tail, isEnd));
  }
  const text = textEnd(p, at, mark);
  if (text > p) return taken(p, passPart(p, text, mark == MESSAGE || mark == DELIMITER || mark == DIGEST));
  return mark < 0 ? NEED_SOURCE : act(mark, p, at);
}

/** Where the text [p, at) ends: a quotation mark goes with the `From ` behind it, a line break with the delimiter line behind it. */
function textEnd(p: i32, at: i32, mark: i32): i32 {
  const c = load8(at);
  if (c == 0x46 && load8(at - 1) == 0x3e) return quotes;
  if (c != 0x2d || (mark != DELIMITER && (mark >= 0 || loadWord(mail.MAIL_DEPTH) == 0))) return at;
  const text = at - 1 > p && load8(at - 2) == 0x0d ? at - 2 : at - 1;
  return text > p ? text : p;
}

function taken(p: i32, next: i32): i32 {
  return next == p ? NEED_SOURCE : next;
}

/** Up to where a text can be read of which bytes up to `bound` are looked at: what may be a mark waits. */
function decidedEnd(p: i32, bound: i32): i32 {
  let tail = bound - 1;
  while (tail > p && tail > bound - 2 - QUOTES_MAX && load8(tail - 1) == 0x3e) tail--;
  if (loadWord(mail.MAIL_DEPTH) > 0) {
    // A line break may belong to a delimiter line.
    if (tail > p && load8(tail) == 0x2d && load8(tail - 1) == 0x0a) tail--;
    if (tail > p && load8(tail) == 0x0a && load8(tail - 1) == 0x0d) tail--;
  }
  return tail > p ? tail : p;
}

/** The first dot in [p, stop) that was put before another at the start of a line (A14), or `stop`. */
function findStuffed(p: i32, stop: i32): i32 {
  let at = load8(p - 1) == 0x0a ? p : findLineFeed(p, stop) + 1;
  while (at < stop) {
    if (load8(at) == 0x2e && at + 1 < end && load8(at + 1) == 0x2e) return at;
    at = findLineFeed(at, stop) + 1;
  }
  return stop;
}

/** What stands at `at`, of a text that is read from `p` on; NEED_SOURCE where that cannot be told yet. */
function readMark(p: i32, at: i32): i32 {
  const c = load8(at);
  const isUnbound = loadWord(mail.MAIL_REMAINING) < 0 && loadWord(mail.MAIL_FORMAT) == mail.MAIL_FORMAT_MBOX;
  if (c == 0x46) {
    if (!isUnbound || (at == p && loadWord(mail.MAIL_DOUBTED) != 0)) return NOTHING;
    if (load8(at - 1) == 0x3e) return readQuoted(p, at);
    const found = readFromLine(at);
    if (found == FROM_LINE) return MESSAGE;
    return found == DOUBTFUL ? DOUBT : found == NO_FROM_LINE ? NOTHING : NEED_SOURCE;
  }
  if (c == 0x2d) {
    const found = parts.readDelimiter(at);
    if (found != parts.NO_DELIMITER) return found < 0 ? NEED_SOURCE : DELIMITER;
    if (!isPlainBody()) return NOTHING;
    enclosed = readDigestBorder(at);
    return enclosed > 0 ? DIGEST : enclosed < 0 ? NEED_SOURCE : NOTHING;
  }
  if (!isPlainBody()) return NOTHING;
  const found = c == 0x62 ? beginsUuencode(at) : beginsYenc(at);
  if (found <= 0) return found;
  return c == 0x62 ? UUENCODE : YENC;
}

/** Whether the text is a body as it stands. */
function isPlainBody(): bool {
  if (loadWord(mail.MAIL_WHERE) != mail.WHERE_BODY || loadWord(mail.MAIL_PART) != mail.PART_TEXT) return false;
  return loadWord(mail.MAIL_TRANSFER) == mail.TRANSFER_IDENTITY && loadWord(mail.MAIL_MESSAGE) > 0;
}

/** Where the marks of an UNQUOTE begin. */
let quotes: i32 = 0;

/** `>From ` at the start of a line: the first mark before the word at `at` goes (A2). */
function readQuoted(p: i32, at: i32): i32 {
  const dialect = loadWord(mail.MAIL_DIALECT);
  const isText = loadWord(mail.MAIL_MESSAGE) > 0 && loadWord(mail.MAIL_PART) != mail.PART_SKIP;
  if (dialect == mail.MAIL_DIALECT_CL || at - 1 < p || !isText) return NOTHING;
  let first = at - 1;
  while (first > at - QUOTES_MAX && load8(first - 1) == 0x3e) first--;
  quotes = first;
  if (first < p || load8(first - 1) != 0x0a || (dialect == mail.MAIL_DIALECT_O && first < at - 1)) return NOTHING;
  if (isShort(at, 5)) return NEED_SOURCE;
  return startsFrom(at) ? UNQUOTE : NOTHING;
}

/** Does what the mark at `at` asks for: the text before it, which ends at `p`, has been passed on. */
function act(mark: i32, p: i32, at: i32): i32 {
  if (mark == UNQUOTE) return quotes + 1;
  if (mark == STUFFED) return at + 1;
  if (mark == DOUBT) {
    pipe.count(mail.COUNT_DOUBTFUL, 1);
    storeWord(mail.MAIL_DOUBTED, 1);
    return at;
  }
  if (mark == UUENCODE || mark == YENC) return startBlock(mark, at);
  if (mark == MESSAGE && at >= loadWord(mail.MAIL_TO)) return AFTER_RANGE;
  const convert = loadWord(mail.MAIL_CONVERT);
  endPart(p);
  if (mark == MESSAGE) {
    startMessage();
    return at;
  }
  if (mark == DIGEST) {
    beginDigestHeader(convert);
    return enclosed;
  }
  if (at == p && loadWord(mail.MAIL_SKIPPED_BREAK) != 0) pipe.count(mail.COUNT_BYTES_SKIPPED, load8(at - 2) == 0x0d ? -2 : -1);
  if (parts.isClosing) {
    storeWord(mail.MAIL_DEPTH, parts.delimiterLevel);
    startText(mail.WHERE_EPILOGUE);
  } else {
    parts.nextPart(parts.delimiterLevel);
    storeWord(mail.MAIL_IN_MESSAGE, 0);
    beginHeader(false, false, parts.isInDigest() ? mail.TYPE_MESSAGE : mail.TYPE_TEXT);
  }
  return parts.delimiterEnd;
}

/** Begins a block that is skipped at `p`: what stands behind it is a text of its own. */
function startBlock(mark: i32, p: i32): i32 {
  const convert = loadWord(mail.MAIL_CONVERT);
  endPart(p);
  startSegment(mail.WHERE_BODY, mail.PART_TEXT, mail.TRANSFER_IDENTITY, convert);
  pipe.omit(mark == UUENCODE ? mail.COUNT_UUENCODE : mail.COUNT_YENC, p);
  storeWord(mail.MAIL_MODE, mark == UUENCODE ? mail.MODE_UUENCODE : mail.MODE_YENC);
  if (mark == YENC) return p;
  pipe.count(mail.COUNT_BYTES_SKIPPED, beginEnd - p);
  return beginEnd;
}

/** In a block that is skipped (A7): returns what readBody does; what ends a text ends the block. */
export function endsBlock(p: i32): i32 {
  const c = load8(p);
  if (load8(p - 1) != 0x0a || (c != 0x46 && c != 0x2d)) return 0;
  if (isShort(p, 2)) return NEED_SOURCE;
  const isMark = c == 0x46 ? load8(p + 1) == 0x72 : load8(p + 1) == 0x2d;
  const mark = isMark ? readMark(p, p) : NOTHING;
  if (mark < 0) return NEED_SOURCE;
  if (mark == DOUBT && loadWord(mail.MAIL_MODE) == mail.MODE_YENC) pipe.count(mail.COUNT_DOUBTFUL, 1);
  if (mark != MESSAGE && mark != DELIMITER) return 0;
  storeWord(mail.MAIL_MODE, mail.MODE_BODY);
  return 1;
}
