// Joins the folded lines of calendars and cards, and decodes the escapes of their texts (A9, C170).

import { lower } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, COMMA, CR, LF, LOWER_N, SEMICOLON } from "../bytes/characters.ts";
import * as mail from "../layout/mail.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { joinLine, putCharacter } from "./converted.ts";
import { readCharacter } from "./multi-byte.ts";
import { isBlank } from "./source.ts";

/** Returns CONVERT_* for the lines of a source of FORMAT_*. */
export function linesOf(format: i32): i32 {
  if (format == mail.FORMAT_FOLDED) return mail.CONVERT_FOLDED;
  return format == mail.FORMAT_LDIF ? mail.CONVERT_LDIF : mail.CONVERT_NONE;
}

/**
 * Unfolds the lines of [start, end); returns the end of the bytes read. Undecided bytes wait, unless `isEnd`. `hasEscapes`: escapes are
 * decoded.
 */
export function readFolded(start: i32, end: i32, isEnd: bool, hasEscapes: bool): i32 {
  let p = start;
  while (p < end) {
    const c = load8(p);
    const isBackslash = hasEscapes && c == BACKSLASH;
    if (isBackslash || c == CR || c == LF) {
      const next = foldEnd(isBackslash ? p + 1 : p, end, isEnd);
      if (next < 0 || (next == end && isBackslash && !isEnd)) break;
      if (!isBackslash && next > p) {
        joinLine(next);
        p = next;
        continue;
      }
      const meant = isBackslash && next < end ? meaningOf(load8(next)) : 0;
      if (meant > 0) {
        p = next + 1;
        putCharacter(meant, p, MAP_SCALE_ONE);
        continue;
      }
    }
    const next = readCharacter(p, end, isEnd);
    if (next < 0) break;
    p = next;
  }
  return p;
}

/** Returns the address after the fold at `p`, a line break and a space or tab; `p` if there is none; -1: undecided. */
function foldEnd(p: i32, end: i32, isEnd: bool): i32 {
  const feed = p < end && load8(p) == CR ? p + 1 : p;
  if (feed >= end) return isEnd ? p : -1;
  if (load8(feed) != LF) return p;
  if (feed + 1 >= end) return isEnd ? p : -1;
  return isBlank(load8(feed + 1)) ? feed + 2 : p;
}

/** Returns the character that `c` stands for after a backslash, or 0. */
function meaningOf(c: i32): i32 {
  if (lower(c) == LOWER_N) return LF;
  return c == BACKSLASH || c == COLON || c == COMMA || c == SEMICOLON ? c : 0;
}
