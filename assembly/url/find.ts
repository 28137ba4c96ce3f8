// Searching for single bytes in short texts.
import { AT, HASH, QUESTION, SLASH } from "../bytes/characters.ts";
import { startsWith } from "../bytes/keyword.ts";
import { load8 } from "../platform/memory.ts";

/** Returns the first `/` `?` `#` in [start, end), or `end`. */
export function findAuthorityEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && !startsComponent(load8(p))) p++;
  return p;
}

/** Whether `c` ends an authority: `/` `?` `#`. */
export function startsComponent(c: i32): bool {
  return c == SLASH || c == QUESTION || c == HASH;
}

/** Returns the last `@` or `%40` in [start, end), or `start - 1`. */
export function findLastAt(start: i32, end: i32): i32 {
  let p = end - 1;
  while (p >= start && load8(p) != AT && (p + 2 >= end || !startsWith(p, "%40"))) p--;
  return p;
}
