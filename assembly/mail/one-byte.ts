// Decides whether a text is converted from a charset (A8, A18), and converts charsets of one byte. A text with a byte order mark of UTF-8
// is not converted, nor is well-formed UTF-8 in a text whose header names a charset of one byte (C301). If a page names a charset and its
// header does not, only that one counts, if C216 allows it; the option then does not. Any other text is converted from the charset of its
// header, else from that of the option.

import { EQUALS, GREATER, LESS, NON_ASCII, SEMICOLON } from "../bytes/characters.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { decodeCharacter, FIRST_BYTE_LEAST } from "../bytes/utf8.ts";
import { isQuote, isSpace } from "../html/space.ts";
import * as mail from "../layout/mail.ts";
import { CHARSET_TABLE, MAP_SCALE_ONE, NAMED_CHARSET_TABLE, PARAMETER_REGION } from "../layout/memory.ts";
import { copyBytes, load8, loadWord } from "../platform/memory.ts";
import { charsetNamed } from "./charset-name.ts";
import { putCharacter, putOne } from "./converted.ts";
import { MARK_BYTES, startsMark } from "./source.ts";

/** A page may name its charset in this many bytes at its start. */
const PAGE_START_BYTES: i32 = 1024;
const THAI_BYTE: i32 = 0xa1; // The first letter of Thai in its charsets
const THAI_CHARACTER: i32 = 0xe01;
const SEQUENCE_BYTES_MAX: i32 = 4; // Most bytes of a character in UTF-8
const NAME_BYTES_MAX: i32 = 32; // Most bytes of the name of a charset

let isAtStart: bool = true;
export let isConverting: bool = false;
/** CONVERT_* of the charset that the page names, if it is converted, else CONVERT_NONE. */
export let pageCharset: i32 = mail.CONVERT_NONE;

/** CHARSET_TABLE or NAMED_CHARSET_TABLE. */
let table: i32 = CHARSET_TABLE;

/** Begins a text, which is not converted before decideCharset has decided so. `assumed`: no header names its charset. */
export function beginCharset(assumed: bool): void {
  table = assumed ? CHARSET_TABLE : NAMED_CHARSET_TABLE;
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
  if (name != 0) {
    pageCharset = charsetAt(name, bound);
    table = NAMED_CHARSET_TABLE;
  }
  isConverting = name == 0 ? !isMarked && charset != mail.CONVERT_NONE : pageCharset != mail.CONVERT_NONE;
  return true;
}

/** Writes the character of the byte `c` in the charset of one byte, or `c` if the text is not converted; `next`: the address after `c`. */
export function putByte(c: i32, next: i32): void {
  if (c >= NON_ASCII && isConverting) putCharacter(characterIn(table, c), next, MAP_SCALE_ONE);
  else putOne(c);
}

/** Returns the character of the byte `c` in a table of charsets of one byte. */
function characterIn(charsetTable: i32, c: i32): i32 {
  return loadWord(charsetTable + ((c - NON_ASCII) << 2));
}

/**
 * Returns the length of the UTF-8 sequence at `p` in a text that names a charset of one byte: many texts name the wrong one. 0: there is
 * none; -1: undecided. Words of Thai are well-formed UTF-8 too often to tell. (C301)
 */
export function sequenceLength(p: i32, end: i32, isEnd: bool): i32 {
  if (!isConverting || table == CHARSET_TABLE || load8(p) < FIRST_BYTE_LEAST || characterIn(table, THAI_BYTE) == THAI_CHARACTER) return 0;
  if (end - p < SEQUENCE_BYTES_MAX && !isEnd) return -1;
  const length = decodeCharacter(p) & 7;
  return length <= end - p ? length : 0;
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
  return charset >= mail.CONVERT_ONE_BYTE && charset <= mail.CONVERT_HZ ? charset : mail.CONVERT_NONE;
}

function isNameEnd(c: i32): bool {
  return isQuote(c) || isSpace(c) || c == SEMICOLON || c == GREATER;
}

/** Returns the end of `word` at `p`, whose letters may be upper or lower case; 0: it is not in [p, end). */
function wordEnd(p: i32, end: i32, word: string): i32 {
  return end - p >= word.length && startsWithAnyCase(p, word) ? p + word.length : 0;
}
