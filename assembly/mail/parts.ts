// The multiparts and messages that are open (A4), and the numbers of parts (A5).

import { CR, DOT, HYPHEN } from "../bytes/characters.ts";
import { CONVERT_NONE, FIELD_BODY, WHERE_BODY, WHERE_HTML, WHERE_JSON } from "../layout/mail.ts";
import { BOUNDARY_REGION, MULTIPART_REGION } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, loadWord, storeWord } from "../platform/memory.ts";
import { boundaryLength } from "./content.ts";
import { beginLocation, openLocation, writeLocation } from "./location.ts";
import { heap, putHeap, putHeapNumber } from "./pipe.ts";
import { fields, where } from "./reader.ts";
import { end, isLast, lineBreakAt, NEED_SOURCE, skipBlanks } from "./source.ts";
import { writeDescription } from "./type-name.ts";

/** Most multiparts and messages inside each other (A4). */
const DEPTH_MAX: i32 = 32;
// The row of an open multipart or message.
/** Number of the part that is read; 0: none, which adds nothing to part numbers (A5). */
const ROW_PART: i32 = 0;
const ROW_DIGEST: i32 = 4; // 1 for multipart/digest; ENCODED_* bits if ROW_LENGTH is ENCODED; else 0
const ROW_LENGTH: i32 = 8; // Length of the boundary in bytes; 0 for a message without a transfer encoding; or ENCODED
const ROW_BOUNDARY: i32 = 12;
const ROW_BYTES: i32 = 512;
const ENCODED: i32 = -1; // ROW_LENGTH of an encoded message or a packed attachment: boundaries outside of it end nothing inside
export const ENCODED_CUT: i32 = 1; // The rest of the body is skipped
export const ENCODED_PACKED: i32 = 2; // The body is a packed attachment, not a message
const PADDING_BYTES_MAX: i32 = 256; // Most spaces and tabs after a delimiter

/** No delimiter line. */
export const NO_DELIMITER: i32 = 0;

/** Number of rows: of open multiparts, encoded messages, packed attachments, and messages that are the body of a message. */
export let depth: i32 = 0;
/** Whether the header or body belongs to a message itself, not to one of its parts (A5). */
let isInMessage: bool = false;
/** Whether the header belongs to a message inside a text (A13). The part number is then that of the text. */
export let isEnclosed: bool = false;
/** CONVERT_* of that text. */
export let enclosedConversion: i32 = CONVERT_NONE;

/** Number of the multipart of the delimiter line that readDelimiter found last. */
let delimiterLevel: i32 = 0;
/** Whether that line closes its multipart. */
export let isClosing: bool = false;
export let delimiterEnd: i32 = 0;

function rowOf(level: i32): i32 {
  return MULTIPART_REGION + multiply(level, ROW_BYTES);
}

/** Closes all multiparts, because a message begins, or without `inMessage` a record. */
export function beginParts(inMessage: bool): void {
  depth = 0;
  isInMessage = inMessage;
  isEnclosed = false;
  beginLocation();
}

/** Whether no more multiparts or messages can be opened. */
export function isDeep(): bool {
  return depth >= DEPTH_MAX;
}

function open(part: i32, digest: i32, length: i32): void {
  assert(length <= ROW_BYTES - ROW_BOUNDARY);
  const row = rowOf(depth);
  storeWord(row + ROW_PART, part);
  storeWord(row + ROW_DIGEST, digest);
  storeWord(row + ROW_LENGTH, length);
  copyBytes(row + ROW_BOUNDARY, BOUNDARY_REGION, length);
  openLocation(depth, length > 0);
  depth++;
}

export function openMultipart(isDigest: bool): void {
  isInMessage = false;
  open(0, isDigest ? 1 : 0, boundaryLength);
}

/** Opens an enclosed message. If it is the body of another message, it is part 1 of that message (A5). */
export function openMessage(): void {
  if (isInMessage) open(1, 0, 0);
  isInMessage = true;
}

/** Opens a message in a transfer encoding (C177), or an attachment that is unpacked (C178): bits ENCODED_*. */
export function openEncoded(bits: i32): void {
  open(isInMessage ? 1 : 0, bits, 0);
  storeWord(rowOf(depth - 1) + ROW_LENGTH, ENCODED);
  isInMessage = false;
}

/** Closes the multiparts and messages inside the innermost encoded message or packed attachment; returns its ENCODED_* bits. */
export function closeInEncoded(): i32 {
  while (loadWord(rowOf(depth - 1) + ROW_LENGTH) != ENCODED) depth--;
  assert(depth > 0);
  isInMessage = false;
  return loadWord(rowOf(depth - 1) + ROW_DIGEST);
}

/** Closes the innermost encoded message or packed attachment, after closeInEncoded. */
export function closeEncoded(): void {
  depth--;
}

/** Passes the delimiter line that readDelimiter found: closes what is open inside its multipart, then ends it or begins its next part. */
export function passDelimiter(): void {
  depth = delimiterLevel;
  if (isClosing) return;
  const row = rowOf(depth++);
  storeWord(row + ROW_PART, loadWord(row + ROW_PART) + 1);
  isInMessage = false;
}

/** Whether a part of the innermost multipart is a message by default. */
export function isInDigest(): bool {
  return depth > 0 && loadWord(rowOf(depth - 1) + ROW_DIGEST) != 0;
}

/** Returns 1 for a delimiter line of an open multipart at `p`, the `--` at the start of a line; NO_DELIMITER or NEED_SOURCE. */
export function readDelimiter(p: i32): i32 {
  for (let level = depth - 1; level >= 0; level--) {
    if (loadWord(rowOf(level) + ROW_LENGTH) == ENCODED) break;
    const found = matchDelimiter(p, level);
    if (found != NO_DELIMITER) {
      delimiterLevel = level;
      return found;
    }
  }
  return NO_DELIMITER;
}

function matchDelimiter(p: i32, level: i32): i32 {
  const row = rowOf(level);
  const length = loadWord(row + ROW_LENGTH);
  if (length == 0) return NO_DELIMITER;
  const boundary = row + ROW_BOUNDARY;
  for (let i = 0; i < length; i++) {
    if (p + 2 + i >= end) return isLast ? NO_DELIMITER : NEED_SOURCE;
    if (load8(p + 2 + i) != load8(boundary + i)) return NO_DELIMITER;
  }
  const rest = p + 2 + length;
  delimiterEnd = lineEnd(rest);
  isClosing = false;
  if (delimiterEnd != 0) return delimiterEnd < 0 ? NEED_SOURCE : 1;
  if (load8(rest) != HYPHEN) return NO_DELIMITER;
  if (rest + 1 >= end) return isLast ? NO_DELIMITER : NEED_SOURCE;
  if (load8(rest + 1) != HYPHEN) return NO_DELIMITER;
  delimiterEnd = lineEnd(rest + 2);
  isClosing = true;
  return delimiterEnd < 0 ? NEED_SOURCE : delimiterEnd > 0 ? 1 : NO_DELIMITER;
}

/** Returns the end of the line if only spaces and tabs, at most PADDING_BYTES_MAX, are from `start` on; 0 if not, or NEED_SOURCE. */
function lineEnd(start: i32): i32 {
  const bound = start + PADDING_BYTES_MAX;
  const p = skipBlanks(start, bound < end ? bound : end);
  const lineBreak = lineBreakAt(p);
  if (lineBreak != 0) return lineBreak < 0 ? NEED_SOURCE : p + lineBreak;
  return p == end || (p + 1 == end && load8(p) == CR) ? end : 0;
}

/** Writes SEGMENT_PART of the part that is read to the heap; returns its heap address, or 0 if segments are not collected. */
export function writePart(): i32 {
  if (fields == 0) return 0;
  const first = heap;
  for (let level = 0; level < depth; level++) {
    // A multipart adds nothing to the number of its preamble and epilogue.
    const part = loadWord(rowOf(level) + ROW_PART);
    if (part > 0) putNumber(part, heap > first);
  }
  const isBody = where == WHERE_BODY || where == WHERE_HTML || where == WHERE_JSON || isEnclosed;
  if (isBody && isInMessage) putNumber(1, heap > first);
  putHeap(0);
  if ((fields & (1 << FIELD_BODY)) == 0) return first;
  if (isBody && !isEnclosed) {
    writeDescription();
  } else {
    putHeap(0);
    putHeap(0);
  }
  return first;
}

/** Writes the URL of the part that is read to the heap if the part is HTML; returns its heap address, or 0 if there is no URL (C107). */
export function writePartUrl(): i32 {
  return where == WHERE_HTML ? writeLocation(depth) : 0;
}

/** Begins the header of a message inside the text with this CONVERT_* (A13). */
export function beginEnclosed(conversion: i32): void {
  isEnclosed = true;
  enclosedConversion = conversion;
}

/** Ends that header: the text continues. */
export function endEnclosed(): void {
  isEnclosed = false;
}

function putNumber(value: i32, isNext: bool): void {
  if (isNext) putHeap(DOT);
  putHeapNumber(value);
}
