// Searching for single bytes in short texts.
import { load8 } from "../platform/memory.ts";

/** First byte equal to `byte` in [start, end), or `end`. */
export function findByte(start: i32, end: i32, byte: i32): i32 {
  let p = start;
  while (p < end && load8(p) != byte) p++;
  return p;
}

/** First `/` `?` `#` in [start, end), or `end`. */
export function findAuthorityEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && !startsComponent(load8(p))) p++;
  return p;
}

/** Whether `c` ends an authority: `/` `?` `#`. */
export function startsComponent(c: i32): bool {
  return c == 0x2f || c == 0x3f || c == 0x23;
}

/** The last `@` or `%40` in [start, end), or `start - 1`. */
export function findLastAt(start: i32, end: i32): i32 {
  let p = end - 1;
  while (p >= start && load8(p) != 0x40 && !isEncodedAt(p, end)) p--;
  return p;
}

function isEncodedAt(p: i32, end: i32): bool {
  return p + 2 < end && load8(p) == 0x25 && load8(p + 1) == 0x34 && load8(p + 2) == 0x30;
}
