// Header fields as lines of bytes (A3): where one is, and where it ends.

import { COLON } from "../bytes/characters.ts";
import { FIELD_BYTES_MAX } from "../layout/mail.ts";
import { findLineFeed, findNameEnd } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { end, isBlank, isLast, NEED_SOURCE, skipBlanks } from "./source.ts";

/** Returns where a field, or a line of one, that starts at `p` is cut: at FIELD_BYTES_MAX or at the end of the source. */
export function fieldBound(p: i32): i32 {
  return end - p > FIELD_BYTES_MAX ? p + FIELD_BYTES_MAX : end;
}

/** Returns the address of the colon after the name of the field at `p`; 0: no field is there; or NEED_SOURCE. */
export function isFieldAt(p: i32): i32 {
  const bound = fieldBound(p);
  const at = findNameEnd(p, bound);
  if (at == p && at < bound) return 0;
  const colon = skipBlanks(at, bound);
  if (colon < bound) return load8(colon) == COLON ? colon : 0;
  return bound == end && !isLast ? NEED_SOURCE : 0;
}

/** Returns the length of the name of the field at `p` with its colon at `colon`. */
export function nameLength(p: i32, colon: i32): i32 {
  let at = colon;
  while (at > p && isBlank(load8(at - 1))) at--;
  return at - p;
}

/** Returns the end of the field at `p`, its last line break included; 0: it is longer than FIELD_BYTES_MAX; or NEED_SOURCE. */
export function findFieldEnd(p: i32): i32 {
  const bound = fieldBound(p);
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
