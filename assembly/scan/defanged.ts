// Marks of defanged text: `[.]`, `(dot)`, `[at]` and others, which somebody wrote so that no program takes the text for a URL (C131).

import { isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import {
  AT,
  COLON,
  CURLY_CLOSE,
  CURLY_OPEN,
  DOT,
  NON_ASCII,
  ROUND_CLOSE,
  ROUND_OPEN,
  SQUARE_CLOSE,
  SQUARE_OPEN,
} from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { load8 } from "../platform/memory.ts";

/** Most bytes that readMark looks at: those of `[dot]`, and the one after it. */
export const MARK_BYTES_MAX: i32 = 6;
/** The address after the mark that readMark found. */
export let markEnd: i32 = 0;

/** Returns the byte that the mark at `p` stands for, `.`, `@` or `:`; 0 if there is none, or none that goes on before `end`. */
export function readMark(p: i32, end: i32): i32 {
  const open = load8(p);
  let byte = 0;
  if (open == SQUARE_OPEN) byte = markUpTo(p, end, SQUARE_CLOSE);
  else if (open == ROUND_OPEN) byte = markUpTo(p, end, ROUND_CLOSE);
  else if (open == CURLY_OPEN) byte = markUpTo(p, end, CURLY_CLOSE);
  if (byte == 0) return 0;
  const next = load8(markEnd);
  if (byte == COLON) return isDigit(next) ? byte : 0;
  return isMarked(next) ? byte : 0;
}

/** Whether `c` may be on either side of a mark: a letter, a digit, a byte that is not ASCII. */
export function isMarked(c: i32): bool {
  return c >= NON_ASCII || isAlphanumeric(c);
}

/** Returns what the mark at `p` that ends in `close`, with one byte more before `end`, stands for, or 0. Sets markEnd. */
function markUpTo(p: i32, end: i32, close: i32): i32 {
  const isSquare = close == SQUARE_CLOSE;
  for (let length = 3; length <= 5; length++) {
    markEnd = p + length;
    if (markEnd >= end) return 0;
    if (load8(markEnd - 1) != close) continue;
    const c = load8(p + 1);
    if (length == 3) return c == DOT || (isSquare && (c == AT || c == COLON)) ? c : 0;
    if (length == 4) return isSquare && startsWithAnyCase(p + 1, "at") ? AT : 0;
    if (startsWithAnyCase(p + 1, "dot")) return close == CURLY_CLOSE ? 0 : DOT;
    return isSquare && startsWithAnyCase(p + 1, "d0t") ? DOT : 0;
  }
  return 0;
}
