// The search for triggers for asc without SIMD, eight bytes a turn. A loop over single bytes would be slower than the search of Buffer in
// the JavaScript build, so that comparisons would measure this search. Reads up to 8 bytes after `end`.

import { COLON, PERCENT, THREE } from "../bytes/characters.ts";
import { load8 } from "./memory.ts";
import { isTrigger } from "./trigger-colon.ts";

/** The lowest bit of each of eight bytes. */
const LOW_BITS: u64 = u64.MAX_VALUE / 255;
/** The highest bit of each of eight bytes. */
const HIGH_BITS: u64 = LOW_BITS << 7;

/** Does nothing, because this search keeps no triggers. */
export function resetTriggers(): void {}

/** Returns the address of the first byte `c` in [start, end), or `end`. */
function findByte(start: i32, end: i32, c: i32): i32 {
  const wanted = LOW_BITS * (c as u64);
  for (let p = start; p < end; p += 8) {
    const difference = load<u64>(p) ^ wanted;
    const zeros = (difference - LOW_BITS) & ~difference & HIGH_BITS;
    if (zeros == 0) continue;
    const at = p + ((ctz(zeros) >> 3) as i32);
    return at < end ? at : end;
  }
  return end;
}

/** Returns the first address in [start, end) of a colon that may end a scheme's name, or `end`: see ../trigger.ts. */
export function findTrigger(start: i32, end: i32): i32 {
  let p = findByte(start, end, COLON);
  while (p < end && !isTrigger(p)) p = findByte(p + 1, end, COLON);
  return p;
}

/** Returns the address of the first `%3` in [start, end), or `end` (C146). */
export function findEncodedThree(start: i32, end: i32): i32 {
  let p = findByte(start, end, PERCENT);
  while (p < end && load8(p + 1) != THREE) p = findByte(p + 1, end, PERCENT);
  return p;
}
