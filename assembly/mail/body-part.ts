// The text of one segment on its way to the window: transfer encoding, then charset and flowed lines, then HTML (A6, A8, A9, X9).

import { putText } from "../html/decoded.ts";
import * as mail from "../layout/mail.ts";
import { CONVERT_REGION, MAP_SCALE_ONE, TRANSFER_REGION } from "../layout/memory.ts";
import { copyBytes, loadWord, storeWord } from "../platform/memory.ts";
import { base64End, endBase64, findLines, isForeignNext, readBase64 } from "./base64.ts";
import { chunksEnd, readChunks } from "./chunked.ts";
import { beginConvert, convert, convertedEnd } from "./convert.ts";
import * as pipe from "./pipe.ts";
import { quotedEnd, readQuotedPrintable } from "./quoted-printable.ts";

/** Most bytes that are copied to the window at a time. */
const COPY_BYTES: i32 = 65536;

/** Begins a text. */
export function startPart(part: i32, transfer: i32, converted: i32): void {
  storeWord(mail.MAIL_PART, part);
  storeWord(mail.MAIL_TRANSFER, transfer);
  storeWord(mail.MAIL_CONVERT, converted);
  storeWord(mail.MAIL_TRANSFER_USED, 0);
  storeWord(mail.MAIL_CONVERT_USED, 0);
  storeWord(mail.MAIL_GROUP, 0);
  storeWord(mail.MAIL_GROUP_LENGTH, 0);
  beginConvert();
}

/**
 * Hands on source bytes of the text, [start, end) or the first of them; `isEnd`: the text ends at `end`. Returns the address of the first
 * that was not taken; where that is `start`, more source is needed.
 */
export function passPart(start: i32, end: i32, isEnd: bool): i32 {
  const part = loadWord(mail.MAIL_PART);
  if (part == mail.PART_NONE || part == mail.PART_SKIP) {
    if (part == mail.PART_SKIP) pipe.count(mail.COUNT_BYTES_SKIPPED, end - start);
    return end;
  }
  const transfer = loadWord(mail.MAIL_TRANSFER);
  if (part == mail.PART_TEXT && transfer == mail.TRANSFER_IDENTITY && loadWord(mail.MAIL_CONVERT) == mail.CONVERT_NONE) {
    const count = end - start < COPY_BYTES ? end - start : COPY_BYTES;
    pipe.putSource(start, count);
    return start + count;
  }
  const stop = end - start < pipe.PIECE_BYTES ? end : start + pipe.PIECE_BYTES;
  return passPiece(transfer, start, stop, isEnd && stop == end);
}

function passPiece(transfer: i32, start: i32, stop: i32, isEnd: bool): i32 {
  const to = TRANSFER_REGION + loadWord(mail.MAIL_TRANSFER_USED);
  let next = stop;
  let written = to;
  let isOver = false;
  if (transfer == mail.TRANSFER_QUOTED_PRINTABLE) {
    next = readQuotedPrintable(start, stop, to, isEnd);
    written = quotedEnd;
  } else if (transfer == mail.TRANSFER_BASE64) {
    const lines = findLines(start, stop, isEnd);
    next = readBase64(start, lines, to, isEnd);
    written = base64End;
    if (isForeignNext && next == lines) {
      // A list footer that was put behind the base64, say.
      endBase64(lines, written);
      written = base64End;
      storeWord(mail.MAIL_TRANSFER, mail.TRANSFER_REST);
      isOver = next == start;
    }
  } else if (transfer == mail.TRANSFER_CHUNKED) {
    next = readChunks(start, stop, to, isEnd);
    written = chunksEnd;
  } else {
    pipe.mapRun(start, MAP_SCALE_ONE);
    pipe.passRun(stop - start, stop - start);
    copyBytes(to, start, stop - start);
    written = to + (stop - start);
  }
  passTransferred(to, written, false);
  return isOver ? passPiece(mail.TRANSFER_REST, start, stop, isEnd) : next;
}

/** The text ends before the source byte `end`. */
export function endPart(end: i32): void {
  const part = loadWord(mail.MAIL_PART);
  if (part == mail.PART_TEXT || part == mail.PART_HTML) {
    const to = TRANSFER_REGION + loadWord(mail.MAIL_TRANSFER_USED);
    const isBase64 = loadWord(mail.MAIL_TRANSFER) == mail.TRANSFER_BASE64;
    if (isBase64) endBase64(end, to);
    passTransferred(to, isBase64 ? base64End : to, true);
  }
  storeWord(mail.MAIL_PART, mail.PART_NONE);
  if (loadWord(mail.MAIL_CONVERT) == mail.CONVERT_NONE) return;
  // What follows is as it was transferred.
  pipe.mapConverted(0, 0, MAP_SCALE_ONE);
  storeWord(mail.MAIL_CONVERT, mail.CONVERT_NONE);
}

/** Bytes were transferred to [from, end), behind those that wait. */
function passTransferred(from: i32, end: i32, isEnd: bool): void {
  if (loadWord(mail.MAIL_CONVERT) == mail.CONVERT_NONE) {
    pipe.passConverted(end - from);
    storeWord(mail.MAIL_TRANSFER_USED, putConverted(TRANSFER_REGION, end, isEnd));
    return;
  }
  const to = CONVERT_REGION + loadWord(mail.MAIL_CONVERT_USED);
  const next = convert(TRANSFER_REGION, end, to, isEnd);
  copyBytes(TRANSFER_REGION, next, end - next);
  storeWord(mail.MAIL_TRANSFER_USED, end - next);
  storeWord(mail.MAIL_CONVERT_USED, putConverted(CONVERT_REGION, convertedEnd, isEnd));
}

/** Writes the text [start, end) to the window; what HTML cannot decide yet moves to `start`: returns its length. */
function putConverted(start: i32, end: i32, isEnd: bool): i32 {
  if (loadWord(mail.MAIL_PART) == mail.PART_TEXT) {
    putText(start, end - start);
    return 0;
  }
  const waiting = pipe.putHtml(start, end, isEnd);
  copyBytes(start, waiting, end - waiting);
  return end - waiting;
}
