// Text in the charset of the option, whose characters are single bytes, to UTF-8 (A18). A page that names its charset is read as it is, and
// so is a text that begins with the byte order mark of UTF-8, in charsets of several bytes too.

import { EQUALS, GREATER, LESS, NON_ASCII } from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { isSpace } from "../html/space.ts";
import { CHARSET_TABLE, MAP_SCALE_ONE } from "../layout/memory.ts";
import { load8, loadWord } from "../platform/memory.ts";
import { putCharacter, putOne } from "./converted.ts";
import { MARK_BYTES, startsMark } from "./source.ts";

/** Bytes at the start of a page in which it may name its charset. */
const PAGE_START_BYTES: i32 = 1024;

let isAtStart: bool = true;
/** Whether the text is read in its charset, not as it is. */
export let isConverting: bool = false;

/** Begins a text, which is read as it is unless startsCharset decides otherwise. */
export function beginCharset(): void {
  isAtStart = true;
  isConverting = false;
}

/** Whether [start, end), the text from its start on, is enough to decide how it is read; `isEnd`: it is the whole text. */
export function startsCharset(start: i32, end: i32, isPage: bool, isEnd: bool): bool {
  if (!isAtStart) return true;
  const wanted = isPage ? PAGE_START_BYTES : MARK_BYTES;
  const length = end - start;
  if (length < wanted && !isEnd) return false;
  isAtStart = false;
  const isMarked = length >= MARK_BYTES && startsMark(start);
  isConverting = !isMarked && !(isPage && namesCharset(start, length < wanted ? end : start + wanted));
  return true;
}

/** Writes the byte `c`, which ends before `next`, or the character that it is. */
export function putByte(c: i32, next: i32): void {
  if (c >= NON_ASCII && isConverting) putCharacter(loadWord(CHARSET_TABLE + ((c - NON_ASCII) << 2)), next, MAP_SCALE_ONE);
  else putOne(c);
}

/** Whether a page that begins with [start, end) names its charset: `charset=` after `<meta`, `encoding=` after `<?xml`, before a `>`. */
function namesCharset(start: i32, end: i32): bool {
  let isMeta = false;
  let isDeclaration = false;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == GREATER) {
      isMeta = false;
      isDeclaration = false;
    } else if (c == LESS) {
      isMeta = isMeta || wordEnd(p + 1, end, "meta") > 0;
      isDeclaration = isDeclaration || wordEnd(p + 1, end, "?xml") > 0;
    } else if ((isMeta && isNamed(p, end, "charset")) || (isDeclaration && isNamed(p, end, "encoding"))) {
      return true;
    }
  }
  return false;
}

/** Whether `word`, perhaps white space, and `=` are at `p`. */
function isNamed(p: i32, end: i32, word: string): bool {
  let at = wordEnd(p, end, word);
  if (at == 0) return false;
  while (at < end && isSpace(load8(at))) at++;
  return at < end && load8(at) == EQUALS;
}

/** Returns the end of `word`, in any case, at `p`; 0: it is not in [p, end). */
function wordEnd(p: i32, end: i32, word: string): i32 {
  return end - p >= word.length && startsWithAnyCase(p, word) ? p + word.length : 0;
}
