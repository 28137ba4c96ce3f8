// The marks that may end a text at the start of a line, for the kernels of both builds.

import { GREATER, LF } from "../bytes/characters.ts";
import { startsWith } from "../bytes/keyword.ts";
import { load8 } from "./memory.ts";

/** Whether `Fr` after LF, NUL or `>`, or `--`, `be` or `=y` after LF, is at `p` (A2, A4, A7). */
export function isLineMark(p: i32): bool {
  const before = load8(p - 1);
  if (before != LF && before != GREATER && before != 0) return false;
  if (startsWith(p, "Fr")) return true;
  return before == LF && (startsWith(p, "--") || startsWith(p, "be") || startsWith(p, "=y"));
}
