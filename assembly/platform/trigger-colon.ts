// The test for a colon that may end the name of a scheme, for the searches that look at one colon after the other.

import { lower } from "../bytes/ascii.ts";
import { ASTERISK, COLON, LOWER_L, NON_ASCII, SPACE, ZERO } from "../bytes/characters.ts";
import { load8 } from "./memory.ts";

/** Whether the colon at `p` is a trigger: see findTrigger in trigger.ts. */
export function isTrigger(p: i32): bool {
  const before = load8(p - 1);
  const next = load8(p + 1);
  const after = load8(p + 2);
  if (next == SPACE && after > SPACE && after < NON_ASCII && lower(before) != LOWER_L) return false;
  return before < NON_ASCII && (before > COLON || (before > ASTERISK && (next < ZERO || next >= NON_ASCII)));
}
