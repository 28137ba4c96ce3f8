// Digests in plain text: a line of hyphens before the header of an enclosed message (A13).

import { HYPHEN } from "../bytes/characters.ts";
import { load8 } from "../platform/memory.ts";
import { findFieldColon } from "./field.ts";
import { end, isAfterEmptyLine, isLast, lineBreakAt, NEED_SOURCE } from "./source.ts";

/** Number of hyphens in the line. */
const BORDER_BYTES: i32 = 30;

/** Returns the start of the header after a digest border at `p`, the start of a line; 0: there is no border; or NEED_SOURCE. */
export function readDigestBorder(p: i32): i32 {
  let at = p;
  while (at < end && at <= p + BORDER_BYTES && load8(at) == HYPHEN) at++;
  if (at == end && at <= p + BORDER_BYTES && !isLast) return NEED_SOURCE;
  if (at != p + BORDER_BYTES || !isAfterEmptyLine(p)) return 0;
  for (let breaks = 0; breaks < 2; breaks++) {
    const length = lineBreakAt(at);
    if (length <= 0) return length;
    at += length;
  }
  const field = findFieldColon(at);
  return field <= 0 ? field : at;
}
