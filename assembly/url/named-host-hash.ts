// The hash of the table of hosts with flags, for the core and for the code that fills the table.

import { NAMED_SLOTS_COUNT } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";

export const NAMED_BYTES_LEAST: i32 = 4;

/** Returns the first slot of a host. `last`: its last four bytes as a word. `before`: the byte before them, or 0. */
export function namedSlot(last: i32, before: i32): i32 {
  return (multiply(last + multiply(before, 69069), -1640531535) >> 20) & (NAMED_SLOTS_COUNT - 1);
}
