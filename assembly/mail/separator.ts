// Lines of four bytes 01, which separate the messages of an MMDF mailbox (A17).

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

/** Whether a separator line is at `p`, the start of a line, or may be there with more source. */
export function startsSeparator(p: i32): bool {
  return load8(p) == MARK && afterSeparator(p) != 0;
}
