// Lines: their start, the quote marks there, and line breaks (X7, X8).
import { CR, GREATER, LF, SPACE } from "../bytes/characters.ts";
import { WINDOW_REGION } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { isBorder } from "./context.ts";
import * as state from "./state.ts";

/** No line starts near enough. */
export const NO_LINE: i32 = 0;

/** Returns the start of the line of `at`, or NO_LINE if it is more than `bytesMax` bytes before `at`. */
export function findLineStart(at: i32, bytesMax: i32): i32 {
  const bound = state.lookBack(at, bytesMax);
  let line = at;
  while (line > bound && !endsLine(load8(line - 1))) line--;
  return line > WINDOW_REGION && !endsLine(load8(line - 1)) ? NO_LINE : line;
}

/** Whether a line begins after `c`: an LF, or in decoded text the border of a context. */
function endsLine(c: i32): bool {
  return c == LF || isBorder(c);
}

/** Returns the number of quote marks `(SP* >)+` at the very start of a line, before `end`. */
export function countQuoteMarks(line: i32, end: i32): i32 {
  let count = 0;
  for (let p = line; p < end; p++) {
    const c = load8(p);
    if (c == GREATER) count++;
    else if (c != SPACE) break;
  }
  return count;
}

/** Returns the length of the line break at `p`, LF or CR LF, in bytes; 0: there is none. */
export function breakLength(p: i32): i32 {
  const c = load8(p);
  if (c == LF) return 1;
  return c == CR && load8(p + 1) == LF ? 2 : 0;
}
