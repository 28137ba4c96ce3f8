// Comparing text in memory with a short word of ASCII.

import { load8 } from "../platform/memory.ts";

/** The bit that the letters of ASCII have; digits and most punctuation do not. */
const LETTER_BIT: i32 = 0x40;

/** Whether `word`, of ASCII characters, is at `p` in this case. */
export function startsWith(p: i32, word: string): bool {
  const length = word.length;
  for (let i = 0; i < length; i++) {
    if (load8(p + i) != word.charCodeAt(i)) return false;
  }
  return true;
}

/** Whether `word`, of ASCII characters in lower case without a backtick or braces, is at `p` in any case. */
export function startsWithAnyCase(p: i32, word: string): bool {
  const length = word.length;
  for (let i = 0; i < length; i++) {
    const c = word.charCodeAt(i);
    // For a letter the bit in which the cases differ is set, so that both equal `c`.
    if ((load8(p + i) | ((c & LETTER_BIT) >> 1)) != c) return false;
  }
  return true;
}

/** Whether the text [start, end) is `word` in any case. */
export function isKeyword(start: i32, end: i32, word: string): bool {
  return end - start == word.length && startsWithAnyCase(start, word);
}
