// Writes header fields to the window, with the encoded words of RFC 2047 decoded (A3).

import { lower } from "../bytes/ascii.ts";
import { EQUALS, LF, LOWER_B, LOWER_Q, QUESTION, SPACE, UNDERSCORE } from "../bytes/characters.ts";
import { SET_EQUALS } from "../bytes/classes.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { putText } from "../html/decoded.ts";
import { MAP_SCALE_ONE, TRANSFER_REGION } from "../layout/memory.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { base64End, beginBase64, endBase64, readBase64 } from "./base64.ts";
import { mapRun, mapUnit, passConverted, passRun, putSource } from "./pipe.ts";

/** Most bytes of an encoded word that is decoded, its marks included. RFC 2047 allows 75. */
const WORD_BYTES_MAX: i32 = 4096;

// The start of the text in the word that findWord found last, and the encoding of the word, `b` or `q`.
let textStart: i32 = 0;
let encoding: i32 = 0;

/** Writes the field [start, end) to the window. Decodes the encoded words from `body` on. */
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

/** Returns the end of the encoded word at `p`, a `=`, or 0. Sets textStart and encoding. */
function findWord(p: i32, end: i32): i32 {
  const bound = p + WORD_BYTES_MAX < end ? p + WORD_BYTES_MAX : end;
  if (p + 8 > bound || load8(p + 1) != QUESTION) return 0;
  let at = p + 2;
  while (at < bound && load8(at) != QUESTION && load8(at) > SPACE) at++;
  if (at == p + 2 || at + 3 > bound || load8(at) != QUESTION || load8(at + 2) != QUESTION) return 0;
  encoding = lower(load8(at + 1));
  if (encoding != LOWER_B && encoding != LOWER_Q) return 0;
  textStart = at + 3;
  for (at = textStart; at + 1 < bound; at++) {
    const c = load8(at);
    if (c == LF) return 0;
    if (c == QUESTION && load8(at + 1) == EQUALS) return at + 2;
  }
  return 0;
}

function isWhite(start: i32, end: i32): bool {
  let p = start;
  while (p < end && load8(p) <= SPACE) p++;
  return p == end;
}

function putWord(start: i32, end: i32): void {
  let written = TRANSFER_REGION;
  if (encoding == LOWER_B) {
    beginBase64();
    readBase64(start, end, TRANSFER_REGION, true);
    endBase64(end, base64End);
    written = base64End;
  } else {
    written = readQ(start, end, TRANSFER_REGION);
  }
  passConverted(written - TRANSFER_REGION);
  putText(TRANSFER_REGION, written - TRANSFER_REGION);
}

/** Decodes the Q encoding to `to`: quoted-printable, and `_` is a space. Returns the address after the bytes written. */
function readQ(start: i32, end: i32, to: i32): i32 {
  let p = start;
  let at = to;
  while (p < end) {
    const c = load8(p);
    if (c == EQUALS && p + 2 < end && isHexPair(p + 1)) {
      store8(at++, hexPair(p + 1));
      mapRun(p, MAP_SCALE_ONE);
      p += 3;
      mapUnit(1, p);
      continue;
    }
    mapRun(p, MAP_SCALE_ONE);
    passRun(1, 1);
    store8(at++, c == UNDERSCORE ? SPACE : c);
    p++;
  }
  return at;
}
