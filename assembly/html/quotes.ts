// Follows the quotes of HTML mail (C302): `blockquote` elements, `div` elements in which mail programs put a quote, and the header of a
// quoted message. The state is a few numbers, whatever the nesting, and every byte is read once, so cuts change nothing. TypeScript gets a
// row for each place at which the depth changes.

import { lower } from "../bytes/ascii.ts";
import { ASTERISK, COLON, LF, SPACE } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { CONTEXT_RAW, QUOTE_DEPTH_MAX, QUOTE_TOKENS, QUOTE_TOKENS_MAX, QUOTE_WORD, QUOTE_WORD_MAX } from "../layout/memory.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { characterAt, load8, store8 } from "../platform/memory.ts";
import { addQuoteRow, to } from "./decoded.ts";

// Elements whose tag is read.
const END_TAG: i32 = -1;
const OTHER: i32 = 0;
const DIV: i32 = 1;
const BLOCKQUOTE: i32 = 2;

// The meaning of the class or id of an element.
const NO_MARK: i32 = 0;
const QUOTE_MARK: i32 = 1; // The `div` has a quote in it, or the line before one
const HEADER_MARK: i32 = 2; // The header of a quoted message begins, and the message follows the element

// Bits of the fields of such a header, and the words for them in English, German, Dutch, Spanish, Portuguese and Italian.
const FROM_BIT: i32 = 1;
const FROM_WORDS = " from von van de da ";
const DATE_BIT: i32 = 2;
const DATE_WORDS = " sent date gesendet datum verzonden enviado fecha enviada data inviato ";
const TO_BIT: i32 = 4;
const TO_WORDS = " to an aan para a ";
const ALL_BITS: i32 = 15;
const SUBJECT_WORDS = " subject betreff onderwerp asunto assunto oggetto ";
const HEADER_BYTES_MAX: i32 = 2048; // Most bytes of text from the first of these fields to the last one
const OWN_BYTES_MAX: i32 = 256; // Most bytes of text between the start of a quote and its own header
const NOWHERE: i32 = -0x40000000; // An offset of no text

export let followsQuotes: bool = false;
let blockquotes: i32 = 0;
/** Number of open `div` elements from the outermost one with QUOTE_MARK on; 0: none is open. */
let divisions: i32 = 0;
/** Number of headers of quoted messages. */
let headers: i32 = 0;
/** This number before the outermost open quote, whose end ends the messages in it. */
let headersOutside: i32 = 0;
/** The depth in the last row. */
let depth: i32 = 0;
let element: i32 = OTHER;
let mark: i32 = NO_MARK;
/** Whether the attribute that is read is a class or an id. */
let isNamed: bool = false;
/** Address at which the next bytes of its value begin in the window; 0: no such value is read. */
let valueFrom: i32 = 0;
/** Number of bytes of the value in QUOTE_TOKENS. */
let tokensLength: i32 = 0;
/** Number of bytes of QUOTE_WORD, the word at the start of a line; -1: the rest of the line does not count. */
let wordLength: i32 = 0;
let textBytes: i32 = 0;
/** Bits of the fields of a header that may be complete soon. */
let fields: i32 = 0;
/** Number of bytes of text before the first of these fields. */
let fieldsAt: i32 = 0;
/** Number of bytes of text before the last quote, unless its own header has been read. */
let quoteAt: i32 = NOWHERE;
/** The same of the last HEADER_MARK, whose fields follow it. */
let markAt: i32 = NOWHERE;

export function beginQuotes(follows: bool): void {
  followsQuotes = follows;
  blockquotes = 0;
  divisions = 0;
  headers = 0;
  headersOutside = 0;
  depth = 0;
  element = OTHER;
  mark = NO_MARK;
  isNamed = false;
  valueFrom = 0;
  wordLength = 0;
  textBytes = 0;
  fields = 0;
  quoteAt = NOWHERE;
  markAt = NOWHERE;
}

/** Begins the start tag of the element with the name [name, end). */
export function beginQuoteTag(name: i32, end: i32): void {
  element = isKeyword(name, end, "blockquote") ? BLOCKQUOTE : isKeyword(name, end, "div") ? DIV : OTHER;
  mark = NO_MARK;
}

/** Reads the end tag of the element with the name [name, end). */
export function closeQuote(name: i32, end: i32): void {
  const isBlockquote = blockquotes > 0 && isKeyword(name, end, "blockquote");
  const isDiv = divisions > 0 && isKeyword(name, end, "div");
  element = END_TAG;
  if (!isBlockquote && !isDiv) return;
  if (isBlockquote) blockquotes--;
  if (isDiv) divisions--;
  if (isBlockquote || (isDiv && divisions == 0)) quoteAt = NOWHERE;
  if (blockquotes == 0 && divisions == 0) headers = headersOutside;
  report(to);
}

export function beginQuoteAttribute(): void {
  isNamed = false;
}

export function nameQuoteAttribute(name: i32, end: i32): void {
  isNamed = element != END_TAG && (isKeyword(name, end, "class") || isKeyword(name, end, "id"));
}

export function beginQuoteValue(): void {
  valueFrom = isNamed ? to : 0;
  tokensLength = 0;
}

/** Begins to read bytes of a value: in this call the window may be another one. */
export function resumeQuoteValue(): void {
  if (valueFrom > 0) valueFrom = to;
}

/** Keeps the bytes of the value that have been read; `isEnd`: the value has ended. */
export function keepQuoteValue(isEnd: bool): void {
  if (valueFrom == 0) return;
  for (let p = valueFrom; p < to && tokensLength < QUOTE_TOKENS_MAX; p++) store8(QUOTE_TOKENS + tokensLength++, load8(p));
  valueFrom = isEnd ? 0 : to;
  if (!isEnd) return;
  let start = QUOTE_TOKENS;
  const bound = QUOTE_TOKENS + tokensLength;
  for (let p = start; p <= bound; p++) {
    if (p < bound && load8(p) > SPACE) continue;
    const found = markOf(start, p);
    if (found > mark) mark = found;
    start = p + 1;
  }
}

/** Returns the mark of a class or id. Programs that quote a quote write their own prefixes before its names. */
function markOf(start: i32, end: i32): i32 {
  if (endsWith(start, end, "divRplyFwdMsg") || endsWith(start, end, "OutlookMessageHeader")) return HEADER_MARK;
  if (endsWith(start, end, "stopSpelling")) return HEADER_MARK;
  if (endsWith(start, end, "gmail_quote") || endsWith(start, end, "moz-cite-prefix")) return QUOTE_MARK;
  if (endsWith(start, end, "yahoo_quoted") || endsWith(start, end, "moz-forward-container")) return QUOTE_MARK;
  if (endsWith(start, end, "protonmail_quote") || endsWith(start, end, "zmail_extra")) return QUOTE_MARK;
  return endsWith(start, end, "reference-message-container") ? QUOTE_MARK : NO_MARK;
}

/** Whether [start, end) ends in `name` in the same case. */
function endsWith(start: i32, end: i32, name: string): bool {
  const from = end - name.length;
  let i = 0;
  while (i < name.length && from >= start && load8(from + i) == characterAt(name, i)) i++;
  return i == name.length;
}

/** Ends a tag, before its `>`. */
export function endQuoteTag(): void {
  keepQuoteValue(true);
  wordLength = 0;
  if (element == OTHER && mark == NO_MARK) return;
  const opens = element == BLOCKQUOTE || (element == DIV && mark == QUOTE_MARK && divisions == 0);
  if (opens && blockquotes == 0 && divisions == 0) headersOutside = headers;
  if (opens) quoteAt = textBytes;
  if (element == BLOCKQUOTE) blockquotes++;
  else if (element == DIV && (opens || divisions > 0)) divisions++;
  if (mark == HEADER_MARK) {
    addHeader(textBytes);
    markAt = textBytes;
  }
  element = OTHER;
  mark = NO_MARK;
  report(to);
}

/** Adds a header that begins after `at` bytes of text, unless it is that of the quote it is in. */
function addHeader(at: i32): void {
  if (at - quoteAt > OWN_BYTES_MAX) headers++;
  quoteAt = NOWHERE;
}

/** Looks for headers in the text of the window from `from` on, or begins a line at the markup there. */
export function readQuoteText(from: i32): void {
  if (from < to && load8(from) > 0 && load8(from) <= CONTEXT_RAW) {
    wordLength = 0;
    return;
  }
  for (let p = from; p < to; p++) {
    if (wordLength < 0) {
      const feed = findLineFeed(p, to);
      textBytes += feed - p;
      if (feed == to) return;
      p = feed;
      wordLength = 0;
    }
    const c = load8(p);
    textBytes++;
    if (c == COLON) {
      readField(p);
      wordLength = -1;
    } else if (c <= SPACE || c == ASTERISK) {
      if (wordLength > 0) wordLength = c == LF ? 0 : -1;
    } else if (wordLength < QUOTE_WORD_MAX) {
      store8(QUOTE_WORD + wordLength++, lower(c));
    } else {
      wordLength = -1;
    }
  }
}

/** Reads the word before the colon at `p`, which may be the name of a field. */
function readField(p: i32): void {
  const bit = isIn(FROM_WORDS)
    ? FROM_BIT
    : isIn(DATE_WORDS)
      ? DATE_BIT
      : isIn(TO_WORDS)
        ? TO_BIT
        : isIn(SUBJECT_WORDS)
          ? ALL_BITS - FROM_BIT - DATE_BIT - TO_BIT
          : 0;
  if (bit == 0) return;
  if (fields == 0 || textBytes - fieldsAt > HEADER_BYTES_MAX || (bit == FROM_BIT && (fields & bit) != 0)) {
    fields = 0;
    fieldsAt = textBytes;
  }
  fields |= bit;
  if (fields != ALL_BITS) return;
  fields = 0;
  if (fieldsAt - markAt > OWN_BYTES_MAX) addHeader(fieldsAt);
  markAt = NOWHERE;
  report(p);
}

/** Whether the word is one of `words`, which have a space before and after each. */
function isIn(words: string): bool {
  for (let at = 1; at < words.length; at++) {
    let i = 0;
    while (i < wordLength && characterAt(words, at + i) == load8(QUOTE_WORD + i)) i++;
    if (i == wordLength && i > 0 && characterAt(words, at + i) == SPACE) return true;
    while (characterAt(words, at) != SPACE) at++;
  }
  return false;
}

/** Writes a row if the depth changes at the address `at` of the window. */
function report(at: i32): void {
  const quotes = blockquotes > 0 || divisions == 0 ? blockquotes : 1;
  const next = quotes + headers < QUOTE_DEPTH_MAX ? quotes + headers : QUOTE_DEPTH_MAX;
  if (next != depth) addQuoteRow(at, next);
  depth = next;
}
