// Text that something cut: URLs before an ellipsis (C294), and hosts before an ellipsis or a mark that archives put into them (C293).

import { classOf, findByte, isAlphanumeric } from "../bytes/ascii.ts";
import { AMPERSAND, ASTERISK, DOT, SLASH, SQUARE_OPEN } from "../bytes/characters.ts";
import { SET_NOT_HOST } from "../bytes/classes.ts";
import { startsWith } from "../bytes/keyword.ts";
import { load8 } from "../platform/memory.ts";

/** Most bytes of a name before ` at `, and of the first label of the one after it. */
const LABEL_BYTES_MAX: i32 = 30;
/** Length of ` at `. */
export const AT_BYTES: i32 = 4;
const ELLIPSIS_DOTS: i32 = 3;

/** Whether U+2026, three dots, or fewer dots and U+2026 are at `start`. */
export function isEllipsis(start: i32): bool {
  const p = skipDots(start);
  return p - start == ELLIPSIS_DOTS || isEllipsisCharacter(p);
}

/** Whether the host [start, end) ends where something cut it. */
export function isCutName(start: i32, end: i32): bool {
  if (load8(start) == SQUARE_OPEN) return false;
  const p = skipDots(end);
  if (isEllipsisCharacter(p)) return true;
  const c = load8(p);
  if (c == ASTERISK && load8(p + 1) == ASTERISK && isAlphanumeric(load8(p + 2))) return true;
  if (p - end < ELLIPSIS_DOTS && (p > end || !isAtBeforeName(p))) return false;
  return findByte(start, end, DOT) == end;
}

/** Whether a space at `p` begins an ` at ` that stands for an `@`, as archives of lists write it after a name. (C293) */
export function isAtSign(p: i32): bool {
  return isAfterName(p) && isAtBeforeName(p);
}

/** Whether `//` and a name without a dot are directly before `end`. */
export function isAfterName(end: i32): bool {
  let p = end;
  while (end - p < LABEL_BYTES_MAX && isLabelByte(load8(p - 1))) p--;
  return p < end && load8(p - 1) == SLASH && load8(p - 2) == SLASH;
}

function isLabelByte(c: i32): bool {
  return c != DOT && (classOf(c) & (1 << SET_NOT_HOST)) == 0;
}

/** Whether the URL whose scheme ends before `body` has `//` there, and ends in an ellipsis at `end`. */
export function endsInEllipsis(body: i32, end: i32): bool {
  const c = load8(end - 1);
  return (c == DOT || c == 0xa6) && isEllipsis(end - ELLIPSIS_DOTS) && startsWith(body, "//");
}

function skipDots(start: i32): i32 {
  let p = start;
  while (p - start < ELLIPSIS_DOTS && load8(p) == DOT) p++;
  return p;
}

function isEllipsisCharacter(p: i32): bool {
  if (load8(p) == AMPERSAND) return startsWith(p, "&hellip;") || startsWith(p, "&#8230;");
  return load8(p) == 0xe2 && load8(p + 1) == 0x80 && load8(p + 2) == 0xa6;
}

/** Whether ` at `, a label, a dot and a letter or digit are at `at`. */
function isAtBeforeName(at: i32): bool {
  if (!startsWith(at, " at ")) return false;
  const start = at + AT_BYTES;
  let p = start;
  while (p - start < LABEL_BYTES_MAX && isLabelByte(load8(p))) p++;
  return p > start && load8(p) == DOT && isAlphanumeric(load8(p + 1));
}
