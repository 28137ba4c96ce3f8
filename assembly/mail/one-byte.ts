// Decides whether a text is converted from a charset (A8, A18), and converts charsets of one byte. A text with a byte order mark of UTF-8
// is not converted. If a page names a charset and its header does not, only that one counts, if C216 allows it; the option then does not.
// Any other text is converted from the charset of its header, else from that of the option.

import { EQUALS, GREATER, LESS, NON_ASCII, SEMICOLON } from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { isQuote, isSpace } from "../html/space.ts";
import * as mail from "../layout/mail.ts";
import { CHARSET_TABLE, MAP_SCALE_ONE, PARAMETER_REGION } from "../layout/memory.ts";
import { copyBytes, load8, loadWord } from "../platform/memory.ts";
import { charsetNamed } from "./charset-name.ts";
import { putCharacter, putOne } from "./converted.ts";
import { MARK_BYTES, startsMark } from "./source.ts";

/** A page may name its charset in this many bytes at its start. */
const PAGE_START_BYTES: i32 = 1024;
/** Most bytes of the name of a charset. */
const NAME_BYTES_MAX: i32 = 32;

let isAtStart: bool = true;
/** Whether the text is converted from its charset. */
export let isConverting: bool = false;
/** CONVERT_* of the charset that the page names, if it has several bytes a character, else CONVERT_NONE. */
export let pageCharset: i32 = mail.CONVERT_NONE;

/** Begins a text, which is not converted before decideCharset has decided so. */
export function beginCharset(): void {
  isAtStart = true;
  isConverting = false;
  pageCharset = mail.CONVERT_NONE;
}

/**
 * Decides the charset of a text from its first bytes [start, end), and sets isConverting and pageCharset; returns false if more bytes are
 * needed. `charset`: CONVERT_* of the charset that the header names, or else of the option. `isPage`: the text is HTML or XML, and its
 * header names no charset. `isEnd`: this is the whole text.
 */
export function decideCharset(start: i32, end: i32, charset: i32, isPage: bool, isEnd: bool): bool {
  if (!isAtStart) return true;
  const wanted = isPage ? PAGE_START_BYTES : MARK_BYTES;
  const length = end - start;
  if (length < wanted && !isEnd) return false;
  isAtStart = false;
  const isMarked = length >= MARK_BYTES && startsMark(start);
  const bound = length < wanted ? end : start + wanted;
  const name = isPage && !isMarked ? findCharsetName(start, bound) : 0;
  if (name != 0) pageCharset = charsetAt(name, bound);
  isConverting = name == 0 ? !isMarked && charset != mail.CONVERT_NONE : pageCharset != mail.CONVERT_NONE;
  return true;
}

/** Writes the character of the byte `c` in the charset of one byte, or `c` if the text is not converted; `next`: the address after `c`. */
export function putByte(c: i32, next: i32): void {
  if (c >= NON_ASCII && isConverting) putCharacter(loadWord(CHARSET_TABLE + ((c - NON_ASCII) << 2)), next, MAP_SCALE_ONE);
  else putOne(c);
}

/** Returns the address after `charset=` in a `<meta>`, or `encoding=` in `<?xml`; 0: neither is in [start, end). */
function findCharsetName(start: i32, end: i32): i32 {
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
    } else if (isMeta || isDeclaration) {
      let after = isMeta ? findValue(p, end, "charset") : 0;
      if (after == 0 && isDeclaration) after = findValue(p, end, "encoding");
      if (after != 0) return after;
    }
  }
  return 0;
}

/** If `word`, optional white space and `=` begin at `p`, returns the address after the `=`; else 0. */
function findValue(p: i32, end: i32, word: string): i32 {
  const wordAfter = wordEnd(p, end, word);
  if (wordAfter == 0) return 0;
  const at = skipSpace(wordAfter, end);
  return at < end && load8(at) == EQUALS ? at + 1 : 0;
}

function skipSpace(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && isSpace(load8(p))) p++;
  return p;
}

/** Returns CONVERT_* of the charset that the page names at `p`, or CONVERT_NONE if C216 does not count it. */
function charsetAt(p: i32, end: i32): i32 {
  let start = skipSpace(p, end);
  if (start < end && isQuote(load8(start))) start++;
  let stop = start;
  while (stop < end && !isNameEnd(load8(stop))) stop++;
  if (stop - start > NAME_BYTES_MAX) return mail.CONVERT_NONE;
  copyBytes(PARAMETER_REGION, start, stop - start);
  const charset = charsetNamed(PARAMETER_REGION, PARAMETER_REGION + stop - start);
  // A page in UTF-16 cannot be read before its charset is known. Browsers ignore UTF-7.
  return charset >= mail.CONVERT_GB && charset <= mail.CONVERT_HZ ? charset : mail.CONVERT_NONE;
}

function isNameEnd(c: i32): bool {
  return isQuote(c) || isSpace(c) || c == SEMICOLON || c == GREATER;
}

/** Returns the end of `word` at `p`, whose letters may be upper or lower case; 0: it is not in [p, end). */
function wordEnd(p: i32, end: i32, word: string): i32 {
  return end - p >= word.length && startsWithAnyCase(p, word) ? p + word.length : 0;
}
