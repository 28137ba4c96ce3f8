// Header fields as lines of bytes (A3): whether one stands somewhere, and where it ends.

import { FIELD_BYTES_MAX } from "../layout/mail.ts";
import { findLineFeed, findNameEnd } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { end, isBlank, isLast, NEED_SOURCE, skipBlanks } from "./source.ts";

/** Address of the colon behind the name of the field at `p`; 0 where none stands there; NEED_SOURCE. */
export function isFieldAt(p: i32): i32 {
  const bound = p + FIELD_BYTES_MAX < end ? p + FIELD_BYTES_MAX : end;
  const at = findNameEnd(p, bound);
  if (at == p && at < bound) return 0;
  const colon = skipBlanks(at, bound);
  if (colon < bound) return load8(colon) == 0x3a ? colon : 0;
  return bound == end && !isLast ? NEED_SOURCE : 0;
}

/** Length of the name of the field at `p` whose colon stands at `colon`. */
export function nameLength(p: i32, colon: i32): i32 {
  let at = colon;
  while (at > p && isBlank(load8(at - 1))) at--;
  return at - p;
}

/** Behind the field that starts at `p`: its last line and that line's break; 0 where it is longer than FIELD_BYTES_MAX; NEED_SOURCE. */
export function findFieldEnd(p: i32): i32 {
  const bound = p + FIELD_BYTES_MAX < end ? p + FIELD_BYTES_MAX : end;
  let at = p;
  while (true) {
    const feed = findLineFeed(at, bound);
    if (feed + 1 >= bound) {
      if (bound < end || bound == p + FIELD_BYTES_MAX) return 0;
      return isLast ? end : NEED_SOURCE;
    }
    if (!isBlank(load8(feed + 1))) return feed + 1;
    at = feed + 1;
  }
}
