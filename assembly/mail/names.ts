// The names that headers are searched for: MAIL_NAMES, in the order of NAME_* (tables/mail.ts).

import { MAIL_NAME_BYTES, MAIL_NAMES } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { isSameName } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";

/** Whether [start, start + length) is the name NAME_*, in any case. */
export function isName(name: i32, start: i32, length: i32): bool {
  const at = MAIL_NAMES + multiply(name, MAIL_NAME_BYTES);
  return load8(at) == length && isSameName(at + 1, start, length);
}

/** The first of the names [first, last] that [start, start + length) is, or -1. */
export function findName(first: i32, last: i32, start: i32, length: i32): i32 {
  for (let name = first; name <= last; name++) {
    if (isName(name, start, length)) return name;
  }
  return -1;
}
