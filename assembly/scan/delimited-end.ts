// Where a delimited URL ends before its `>`: punctuation of a list or a sentence that stands inside the angle brackets (C290).

import { isAlphanumeric } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import * as rule from "../layout/notes.ts";
import { load8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";

/** Most bytes of a character reference between its `&` and `;`. */
const REFERENCE_BYTES_MAX: i32 = 32;

/**
 * Returns the end of the URL in [text, end), the text of a delimited URL, without final `,` and `;`, and without final closing brackets and
 * a final `'` that nothing opens. Never before `floor + 1`. `noted`: the end in the window. (C290)
 */
export function trimmedEnd(text: i32, floor: i32, end: i32, noted: i32): i32 {
  const last = load8(end - 1);
  if (last != char.COMMA && last != char.SEMICOLON && last != char.APOSTROPHE && !isClosing(last)) return end;
  let round = 0;
  let square = 0;
  let curly = 0;
  let quotes = 0;
  // The address after the last byte that stays.
  let kept = text;
  for (let p = text; p < end; p++) {
    const c = load8(p);
    let goes = c == char.COMMA;
    if (c == char.SEMICOLON) goes = !endsReference(text, p);
    else if (c == char.APOSTROPHE) goes = quotes++ == 0;
    else if (c == char.ROUND_OPEN) round++;
    else if (c == char.SQUARE_OPEN) square++;
    else if (c == char.CURLY_OPEN) curly++;
    else if (c == char.ROUND_CLOSE) goes = --round < 0;
    else if (c == char.SQUARE_CLOSE) goes = --square < 0;
    else if (c == char.CURLY_CLOSE) goes = --curly < 0;
    if (round < 0) round = 0;
    if (square < 0) square = 0;
    if (curly < 0) curly = 0;
    if (!goes || p <= floor) kept = p + 1;
  }
  if (kept < end) note(rule.X5_PUNCTUATION, noted - (end - kept), noted);
  return kept;
}

function isClosing(c: i32): bool {
  return c == char.ROUND_CLOSE || c == char.SQUARE_CLOSE || c == char.CURLY_CLOSE;
}

/** Whether the `;` at `p` ends a character reference, which begins at `start` or after it. */
function endsReference(start: i32, p: i32): bool {
  let at = p - 1;
  while (at > start && p - at <= REFERENCE_BYTES_MAX && isAlphanumeric(load8(at))) at--;
  if (at == p - 1) return false;
  if (load8(at) == char.HASH) at--;
  return at >= start && load8(at) == char.AMPERSAND;
}
