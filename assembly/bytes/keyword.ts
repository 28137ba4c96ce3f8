// Compares text in memory with a short word of ASCII, or with other text. The first character of a word is compared outside of the loop,
// because nearly all texts differ there.

import { characterAt, load8 } from "../platform/memory.ts";
import { COLON, SLASH } from "./characters.ts";

/** The bit that is set in ASCII letters, and not in digits and most punctuation. */
const LETTER_BIT: i32 = 0x40;

/** Whether `word`, of ASCII characters, is at `p` in the same case. */
export function startsWith(p: i32, word: string): bool {
  return isSame(load8(p), characterAt(word, 0), 0) && continuesWith(p, word, 0);
}

/** Whether `://` is at `p`. Each URL is asked for it, so that there is no loop. */
export function startsAuthority(p: i32): bool {
  return load8(p) == COLON && load8(p + 1) == SLASH && load8(p + 2) == SLASH;
}

/** Whether `word`, of lower-case letters, digits and punctuation below `@`, is at `p` in any case. */
export function startsWithAnyCase(p: i32, word: string): bool {
  return isSame(load8(p), characterAt(word, 0), LETTER_BIT) && continuesWith(p, word, LETTER_BIT);
}

/** Whether the text [start, end) is `word` in any case. */
export function isKeyword(start: i32, end: i32, word: string): bool {
  return end - start == word.length && startsWithAnyCase(start, word);
}

/** Whether the text [start, end) is the same as the one of its length at `other`. */
export function isSameText(start: i32, end: i32, other: i32): bool {
  let p = start;
  while (p < end && load8(p) == load8(other + p - start)) p++;
  return p == end;
}

/** Whether the byte `c` is `known`. If `ignored` is LETTER_BIT rather than 0, letters may differ in case. */
function isSame(c: i32, known: i32, ignored: i32): bool {
  return (c | ((known & ignored) >> 1)) == known;
}

function continuesWith(p: i32, word: string, ignored: i32): bool {
  const length = word.length;
  for (let i = 1; i < length; i++) {
    if (!isSame(load8(p + i), characterAt(word, i), ignored)) return false;
  }
  return true;
}
