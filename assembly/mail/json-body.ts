// Decodes JSON text into the window (A16).

import { sourceEnd, to } from "../html/decoded.ts";
import { readBackslash, readPlain } from "../json/strings.ts";
import { endPiece, readEscaped, readNames } from "./json-names.ts";
import * as pipe from "./pipe.ts";
import { fields } from "./reader.ts";

/** Decodes the source of html/decoded.ts from `start` on; returns the address after the bytes read. The rest waits for more bytes. */
function read(start: i32): i32 {
  const collects = fields != 0;
  let p = start;
  while (p < sourceEnd) {
    const plain = to;
    p = readPlain(p);
    const escaped = to;
    if (collects) readNames(plain, escaped);
    if (p == sourceEnd) break;
    const next = readBackslash(p);
    if (next < 0) break;
    if (collects) readEscaped(escaped, to);
    p = next;
  }
  if (collects) endPiece();
  return p;
}

/** Decodes [start, end), the end of the converted text; `isEnd`: the text ends. Returns the address after the bytes read. */
export function putJson(start: i32, end: i32, isEnd: bool): i32 {
  pipe.setConverted(end, end, isEnd);
  return read(start);
}

/** Decodes the source bytes [start, end) that have no encodings; `isEnd`: the text ends. Returns the address after the bytes read. */
export function putJsonSource(start: i32, end: i32, isEnd: bool): i32 {
  pipe.setConverted(start, end, isEnd);
  const next = read(start);
  if (next > start) pipe.passSource(start, next - start);
  return next;
}
