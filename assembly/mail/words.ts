// The text of a header field on its way to the window: as it stands, but for RFC 2047's encoded words (A3).

import { lower } from "../bytes/ascii.ts";
import { SET_EQUALS } from "../bytes/classes.ts";
import { hexPair } from "../bytes/number.ts";
import { putText } from "../html/decoded.ts";
import { MAIL_GROUP_LENGTH } from "../layout/mail.ts";
import { MAP_SCALE_ONE, TRANSFER_REGION } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { base64End, endBase64, readBase64 } from "./base64.ts";
import { mapRun, mapUnit, passConverted, passRun, putSource } from "./pipe.ts";
import { isTriplet } from "./quoted-printable.ts";

/** Longest encoded word that is decoded: RFC 2047 allows 75 bytes. */
const WORD_BYTES_MAX: i32 = 4096;

// The word that findWord found last: where its text begins, and the byte that names its encoding.
let textStart: i32 = 0;
let encoding: i32 = 0;

/** Writes the field [start, end) to the window; encoded words begin at `body` or behind it. */
export function putField(start: i32, body: i32, end: i32): void {
  let p = start;
  let at = body;
  let isAfterWord = false;
  while (true) {
    at = findInSet(at, end, SET_EQUALS);
    if (at == end) break;
    const wordEnd = findWord(at, end);
    if (wordEnd == 0) {
      at++;
      continue;
    }
    // White space between two words belongs to neither.
    if (!isAfterWord || !isWhite(p, at)) putSource(p, at - p);
    putWord(textStart, wordEnd - 2);
    at = wordEnd;
    p = wordEnd;
    isAfterWord = true;
  }
  putSource(p, end - p);
}

/** Behind the encoded word at `p`, or 0. */
function findWord(p: i32, end: i32): i32 {
  const bound = p + WORD_BYTES_MAX < end ? p + WORD_BYTES_MAX : end;
  if (p + 8 > bound || load8(p + 1) != 0x3f) return 0;
  let at = p + 2;
  while (at < bound && load8(at) != 0x3f && load8(at) > 0x20) at++;
  if (at == p + 2 || at + 3 > bound || load8(at) != 0x3f || load8(at + 2) != 0x3f) return 0;
  encoding = lower(load8(at + 1));
  if (encoding != 0x62 && encoding != 0x71) return 0;
  textStart = at + 3;
  for (at = textStart; at + 1 < bound; at++) {
    const c = load8(at);
    if (c == 0x0a) return 0;
    if (c == 0x3f && load8(at + 1) == 0x3d) return at + 2;
  }
  return 0;
}

function isWhite(start: i32, end: i32): bool {
  let p = start;
  while (p < end && load8(p) <= 0x20) p++;
  return p == end;
}

function putWord(start: i32, end: i32): void {
  let written = TRANSFER_REGION;
  if (encoding == 0x62) {
    storeWord(MAIL_GROUP_LENGTH, 0);
    readBase64(start, end, TRANSFER_REGION, true);
    written = base64End;
    if (loadWord(MAIL_GROUP_LENGTH) > 0) {
      endBase64(end, written);
      written = base64End;
    }
  } else {
    written = readQ(start, end, TRANSFER_REGION);
  }
  passConverted(written - TRANSFER_REGION);
  putText(TRANSFER_REGION, written - TRANSFER_REGION);
}

/** The Q encoding: as quoted-printable, and `_` is a space. Returns the address behind what it wrote to `to`. */
function readQ(start: i32, end: i32, to: i32): i32 {
  let p = start;
  let at = to;
  while (p < end) {
    const c = load8(p);
    if (c == 0x3d && p + 2 < end && isTriplet(p)) {
      store8(at++, hexPair(p + 1));
      mapRun(p, MAP_SCALE_ONE);
      p += 3;
      mapUnit(1, p);
      continue;
    }
    mapRun(p, MAP_SCALE_ONE);
    passRun(1, 1);
    store8(at++, c == 0x5f ? 0x20 : c);
    p++;
  }
  return at;
}
