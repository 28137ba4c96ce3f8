// Decodes mail, news, web archives and JSON for the scan, and text, HTML and XML in a charset (A1 to A9, A12 to A14, A16 to A18). Writes
// the texts of all messages one after the other, with delimiter bytes between them, and rows that name the part and the source bytes of
// each text.

import { DECODED_OPEN_MESSAGE } from "../layout/decoded.ts";
import { CONVERT_NONE } from "../layout/mail.ts";
import { STOP_END, STOP_FULL, STOP_INPUT, STOP_MESSAGE, STOP_OWNED } from "../layout/memory.ts";
import { storeWord } from "../platform/memory.ts";
import { readBetween, readOutside, readRecord } from "./between.ts";
import { beginBodySearch, readBlock, readBody, resetSearch } from "./body.ts";
import { endPart, PART_NONE, readDecodedText, startPart } from "./body-part.ts";
import { moveCoded } from "./coded.ts";
import { TRANSFER_IDENTITY } from "./content.ts";
import { beginEncodedMessages, endEnclosingMessage, isInEncodedMessage, moveEncodedMessage } from "./encoded-message.ts";
import { resetFromLines } from "./from-line.ts";
import { closeHeader, collectedLeft, isOutermost, readLongField } from "./header.ts";
import { endHeader, readHeader } from "./header-end.ts";
import { forgetHeap } from "./json-names.ts";
import { beginMember, endMember, enterEncoded } from "./member.ts";
import { beginPipe, finishPipe, hasStepRoom, setFollowsQuotes } from "./pipe.ts";
import * as reader from "./reader.ts";
import * as source from "./source.ts";
import { beginStart, readStart, seekMessage } from "./source-start.ts";
import { beginBodies } from "./text-start.ts";

/** Address of the first source byte that the last call did not read. */
let lastNext: i32 = 0;

/**
 * Begins a source of FORMAT_* and DIALECT_*. `allParts`: parts that are not text are read (A4). `charset`: CONVERT_* of texts that name
 * none (A18). `fields`: bits 1 << FIELD_* of the header fields that are collected; 0: neither fields nor segments are collected.
 * `isRange`: a range is read that begins after the first byte of the source. `hasStart`: the bytes begin with the first one of the source,
 * where a byte order mark may be. `quotes`: the quotes of HTML have rows (C302).
 */
export function beginMail(
  format: i32,
  dialect: i32,
  allParts: bool,
  charset: i32,
  fields: i32,
  isRange: bool,
  hasStart: bool,
  quotes: bool,
): void {
  reader.beginReader(format, dialect, allParts, charset, fields, isRange);
  setFollowsQuotes(quotes);
  beginStart(hasStart);
  source.limitMessage(0, -1);
  closeHeader();
  beginBodySearch();
  beginBodies(false);
  beginEncodedMessages();
  startPart(PART_NONE, TRANSFER_IDENTITY, CONVERT_NONE);
}

/**
 * Decodes the source [start, sourceEnd) to the window from `to` on, up to `limit`; `last`: the source ends at `sourceEnd`. Reads the
 * messages that start at the addresses [from, before). Returns STOP_END; STOP_INPUT: the rest needs more source; STOP_FULL; STOP_OWNED at
 * the end of the range; or STOP_MESSAGE: the next call passes a collected message or a text of an attachment.
 */
export function decodeMail(start: i32, sourceEnd: i32, last: bool, to: i32, limit: i32, from: i32, before: i32): i32 {
  assert(start <= sourceEnd && to <= limit && from <= before);
  const left = source.remainingAt(lastNext);
  source.beginSource(sourceEnd, last, from, before);
  source.limitMessage(start, left);
  beginPipe(to, limit);
  resetFromLines();
  resetSearch();
  moveCoded(start - lastNext);
  moveEncodedMessage(start - lastNext);
  forgetHeap();
  let p = start;
  let stop = STOP_END;
  while (true) {
    if (p >= source.end && !isTextNext()) {
      if (!source.isLast) break;
      endMessage(p);
      if (!isTextNext() && !(isInEncodedMessage() && endMember())) break;
    }
    if (!hasStepRoom()) {
      stop = STOP_FULL;
      break;
    }
    const next = step(p);
    if (next < 0) {
      stop = next == source.AFTER_RANGE ? STOP_OWNED : next == source.HOST_NEXT ? STOP_MESSAGE : STOP_INPUT;
      break;
    }
    assert(next >= p && next <= source.end);
    p = next;
    if (source.remainingAt(p) == 0) endAtLength(p);
  }
  // At the end of the source nothing is left to wait for.
  assert(stop != STOP_INPUT || !last);
  if (stop == STOP_OWNED) endMessage(p);
  lastNext = p;
  storeWord(DECODED_OPEN_MESSAGE, isOutermost && collectedLeft > 0 ? reader.message : 0);
  finishPipe(p);
  return stop;
}

/** Reads the next bytes at `p`; returns the address after them, NEED_SOURCE, AFTER_RANGE or HOST_NEXT. */
function step(p: i32): i32 {
  switch (reader.mode) {
    case reader.MODE_BODY:
      return readBody(p);
    case reader.MODE_HEADER:
      return readHeader(p);
    case reader.MODE_LONG_FIELD:
      return readLongField(p);
    case reader.MODE_SEEK:
      return seekMessage(p);
    case reader.MODE_START:
      return readStart(p);
    case reader.MODE_BETWEEN:
      return readBetween(p);
    case reader.MODE_RECORD:
      return readRecord(p);
    case reader.MODE_OUTSIDE:
      return readOutside(p);
    case reader.MODE_DECODED:
      return readDecodedText(p);
    case reader.MODE_MESSAGE:
      return enterEncoded(p);
    case reader.MODE_MEMBER:
      return beginMember();
    default: // MODE_UUENCODE, MODE_YENC, MODE_YENC_END
      return readBlock(p);
  }
}

/** Whether the host has the next bytes, decoded or unpacked, so that no source byte is needed. */
function isTextNext(): bool {
  return reader.mode == reader.MODE_DECODED || reader.mode == reader.MODE_MESSAGE || reader.mode == reader.MODE_MEMBER;
}

/** Ends the message at `p`. A header without a body gets an empty body. If isTextNext(), the text is still to be read, and does not end. */
function endMessage(p: i32): void {
  while (reader.mode == reader.MODE_HEADER || reader.mode == reader.MODE_LONG_FIELD) endHeader(p);
  if (!isTextNext()) endPart(p);
}

/** Ends the message or block of known length, whose last byte is before `p`. */
function endAtLength(p: i32): void {
  endMessage(p);
  source.limitMessage(p, -1);
  if (reader.mode == reader.MODE_MESSAGE) endEnclosingMessage();
  else if (reader.mode != reader.MODE_DECODED) reader.enter(reader.MODE_BETWEEN);
}
