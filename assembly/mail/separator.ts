// Lines of four bytes 01, which separate the messages of an MMDF mailbox (A17).

import { LF } from "../bytes/characters.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { end, isLast, isShort, lineBreakAt, NEED_SOURCE } from "./source.ts";

const MARK: i32 = 1;
const MARKS: i32 = 4;

/** Returns the address after the separator line at `p`, the start of a line; 0: there is none; or NEED_SOURCE. */
export function afterSeparator(p: i32): i32 {
  let at = p;
  while (at < end && at < p + MARKS && load8(at) == MARK) at++;
  if (at < p + MARKS) return isShort(at, 1) ? NEED_SOURCE : 0;
  if (at == end) return isLast ? at : NEED_SOURCE;
  const lineBreak = lineBreakAt(at);
  return lineBreak <= 0 ? lineBreak : at + lineBreak;
}

/** Returns the first start of a line in [start, stop) at which a separator line is, or may be if more source comes; else `stop`. */
export function findSeparator(start: i32, stop: i32): i32 {
  let at = load8(start - 1) == LF ? start : findLineFeed(start, stop) + 1;
  while (at < stop) {
    if (load8(at) == MARK && afterSeparator(at) != 0) return at;
    at = findLineFeed(at, stop) + 1;
  }
  return stop;
}
