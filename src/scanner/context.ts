// The text around a match, as a reader of the message sees it: decoded, without markup, white space folded.
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT, WINDOW_REGION } from "#core/layout/memory.js";
import { decodeUtf8 } from "../core/text.ts";

/** Bytes of text for one character, at most. */
const CHARACTER_BYTES = 4;
/** Bytes of markup between a match and text that are looked through. */
const MARKUP_BYTES = 512;
/** White space and controls; also those that act on the direction of text. */
const BLANKS = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]+/gu;
// The same of ASCII: most text is, and this takes a quarter of the time.
const ASCII_BLANKS = /[\0-\x20\x7f]+/g;
const ASCII = /^[\0-\x7f]*$/;

/** The text around a match. */
export interface Context {
  readonly before: string;
  /** The match as it is written. */
  readonly match: string;
  readonly after: string;
  /** Whether the text goes on before and after it, so that a word may be cut. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** Returns how many bytes on either side of a match are looked at for `length` characters; 0: none are asked for. */
export function contextBytes(length: number): number {
  return length === 0 ? 0 : CHARACTER_BYTES * length + MARKUP_BYTES;
}

/** Returns the text of `length` characters on either side of the match at the addresses [start, end); the text ends at `high`. */
export function contextOf(bytes: Uint8Array, start: number, end: number, high: number, length: number): Context {
  const most = contextBytes(length);
  const low = Math.max(WINDOW_REGION, start - most);
  const next = Math.min(high, end + most);
  const mark = markBefore(bytes, low, start);
  const allBefore = folded(textBefore(bytes, mark, low, start));
  const allAfter = folded(textAfter(bytes, mark, end, next));
  const [before, after] = [cut(allBefore, -length), cut(allAfter, length)];
  return {
    before: before.trimStart(),
    match: folded(decodeUtf8(bytes, start, end)),
    after: after.trimEnd(),
    isCutBefore: before !== allBefore || (start - most >= WINDOW_REGION && !hasBorder(bytes, low, start)),
    isCutAfter: after !== allAfter || (end + most <= high && !hasBorder(bytes, end, next)),
  };
}

/** Whether text in [low, high) may end there, so that not the number of bytes ends it. */
function hasBorder(bytes: Uint8Array, low: number, high: number): boolean {
  return bytes.subarray(low, high).includes(CONTEXT_RAW);
}

function folded(text: string): string {
  return ASCII.test(text) ? text.replace(ASCII_BLANKS, " ") : text.replace(BLANKS, " ");
}

/** Returns the first characters of a text, or the last ones if `length` is below 0. */
function cut(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text;
  const characters = ASCII.test(text) ? undefined : Array.from(text);
  if (characters !== undefined) return (length < 0 ? characters.slice(length) : characters.slice(0, length)).join("");
  return length < 0 ? text.slice(length) : text.slice(0, length);
}

/** Whether a byte stands for markup, or for the border of a text (X9). */
function isMark(byte: number | undefined): boolean {
  return byte === CONTEXT_TEXT || byte === CONTEXT_ATTRIBUTE || byte === CONTEXT_RAW;
}

/** Whether text after the mark `left` and before the mark `right` is shown: it is no value of an attribute, and no name of one. */
function isShown(left: number, right: number | undefined): boolean {
  return left !== CONTEXT_ATTRIBUTE && right !== CONTEXT_ATTRIBUTE;
}

/** The end of a tag such as `<br />`, which is between marks as text is. */
const EMPTY_TAG = /^\s*\/$/;
const EMPTY_TAG_LENGTH = 8;

/** Returns the bytes [first, end), which are between marks, as text. */
function runText(bytes: Uint8Array, first: number, end: number): string {
  const text = decodeUtf8(bytes, first, end);
  return text.length < EMPTY_TAG_LENGTH && EMPTY_TAG.test(text) ? "" : text;
}

/** Returns the text in [low, start), up to the last mark of what is plain; `mark`: the last mark before the match. */
function textBefore(bytes: Uint8Array, mark: number, low: number, start: number): string {
  let text = "";
  let end = start;
  for (let right: number | undefined; end > low; end--, right = bytes[end]) {
    let first = end;
    while (first > low && !isMark(bytes[first - 1])) first--;
    const left = first > low ? (bytes[first - 1] as number) : mark === CONTEXT_RAW ? CONTEXT_RAW : CONTEXT_TEXT;
    const isPlain = left === CONTEXT_RAW;
    if (isShown(left, right) && isPlain === (mark === CONTEXT_RAW)) text = runText(bytes, first, end) + text;
    if (isPlain) break;
    end = first;
  }
  return text;
}

/** Returns the text in [start, high), up to the next mark of what is plain; where `mark` is one, up to the next mark. */
function textAfter(bytes: Uint8Array, mark: number, start: number, high: number): string {
  let text = "";
  let first = start;
  for (let left = mark; first < high; left = bytes[first] as number, first++) {
    let end = first;
    while (end < high && !isMark(bytes[end])) end++;
    const right = end < high ? bytes[end] : CONTEXT_RAW;
    if (isShown(left, right)) text += runText(bytes, first, end);
    if (right === CONTEXT_RAW || mark === CONTEXT_RAW) break;
    first = end;
  }
  return text;
}

/** Returns the last mark in [low, address); if there is none, that of plain text. */
function markBefore(bytes: Uint8Array, low: number, address: number): number {
  let at = address;
  while (at > low && !isMark(bytes[at - 1])) at--;
  return at > low ? (bytes[at - 1] as number) : CONTEXT_RAW;
}
