// The text around a match, as a reader of the message sees it: decoded, without markup, white space folded.
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT, WINDOW_REGION } from "#core/layout/memory.js";
import { decodeUtf8 } from "../core/text.ts";
import type { Context } from "../matches/batch.ts";

/** Most bytes of one character. */
const CHARACTER_BYTES = 4;
/** Most bytes of markup that are searched for text, on either side of a match. */
const MARKUP_BYTES = 512;
/** White space, controls, bidirectional controls and noncharacters. */
const BLANKS = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]+/gu;
// BLANKS of ASCII: most text is ASCII, and this pattern is faster.
const ASCII_BLANKS = /[\0-\x20\x7f]+/g;
const ASCII = /^[\0-\x7f]*$/;
/** Matches every text that folding can change. Most short texts do not match. */
const UNFOLDED = /[^ -~]| {2}/;

/** Returns how many bytes on either side of a match are read for `length` characters; 0: no context is wanted. */
export function contextBytes(length: number): number {
  return length === 0 ? 0 : CHARACTER_BYTES * length + MARKUP_BYTES;
}

/** Returns at most `length` characters of text on either side of the match at the addresses [start, end); the text ends at `high`. */
export function contextOf(bytes: Uint8Array, start: number, end: number, high: number, length: number): Context {
  const most = contextBytes(length);
  const low = Math.max(WINDOW_REGION, start - most);
  const next = Math.min(high, end + most);
  const first = runStart(bytes, low, start);
  const mark = first > low ? bytes[first - 1] : CONTEXT_RAW;
  // In the text that a reader sees, an attribute value is a separate word.
  const gap = mark === CONTEXT_ATTRIBUTE ? " " : "";
  return {
    before: cut(folded(textBefore(bytes, mark, first, low, start, length) + gap), -length).trimStart(),
    match: folded(decodeUtf8(bytes, start, end)),
    after: cut(folded(gap + textAfter(bytes, mark, end, next, length)), length).trimEnd(),
  };
}

export function folded(text: string): string {
  if (!UNFOLDED.test(text)) return text;
  return ASCII.test(text) ? text.replace(ASCII_BLANKS, " ") : text.replace(BLANKS, " ");
}

function cut(text: string, length: number): string {
  if (text.length <= Math.abs(length)) return text;
  const [from, to] = length < 0 ? [length, undefined] : [0, length];
  return ASCII.test(text) ? text.slice(from, to) : Array.from(text).slice(from, to).join("");
}

/** Returns whether a byte replaces markup or the border of a text (X9): CONTEXT_TEXT, CONTEXT_ATTRIBUTE or CONTEXT_RAW. */
export function isMark(byte: number): boolean {
  return byte <= CONTEXT_RAW && byte > 0;
}

/** Returns whether a folded text has at least `length` characters, even if folding it with adjacent text removes one. */
function isEnough(text: string, length: number): boolean {
  return text.length > 2 * length || (text.length > length && ASCII.test(text));
}

/** The core inserts it before a character beyond ASCII that may not belong to the URL before it (C175). */
const ZERO_WIDTH_SPACE = "\u200b";

/** Returns the bytes [first, end), which are between marks, as text without zero-width spaces. */
export function runText(bytes: Uint8Array, first: number, end: number): string {
  return decodeUtf8(bytes, first, end).replaceAll(ZERO_WIDTH_SPACE, "");
}

/** Returns the folded text of bytes at an end of a run, or undefined if they are not ASCII or give at most `length` characters. */
function endText(bytes: Uint8Array, first: number, end: number, length: number): string | undefined {
  for (let at = first; at < end; at++) if (bytes[at] > 0x7f) return undefined;
  const text = folded(decodeUtf8(bytes, first, end));
  return text.length > length ? text : undefined;
}

/** Returns a number of bytes that nearly always contain more than `length` characters. */
function usualBytes(length: number): number {
  return length + (length >> 1) + 16;
}

/**
 * Returns the text in [low, start) after the last CONTEXT_RAW, without attribute values, or at least the last `length` characters of it.
 * `mark`: the last mark before the match, or CONTEXT_RAW if there is none; `firstOfLast`: the address after that mark, or `low`.
 */
function textBefore(bytes: Uint8Array, mark: number, firstOfLast: number, low: number, start: number, length: number): string {
  let text = "";
  let end = start;
  for (; end > low; end--) {
    const first = end === start ? firstOfLast : runStart(bytes, low, end);
    const left = first > low ? bytes[first - 1] : mark === CONTEXT_RAW ? CONTEXT_RAW : CONTEXT_TEXT;
    const isPlain = left === CONTEXT_RAW;
    // Most runs are empty: marks follow each other.
    if (first < end && left !== CONTEXT_ATTRIBUTE && isPlain === (mark === CONTEXT_RAW)) {
      const from = end - usualBytes(length);
      text = ((from > first ? endText(bytes, from, end, length) : undefined) ?? runText(bytes, first, end)) + text;
      if (text.length > length) text = folded(text);
    }
    if (isPlain || isEnough(text, length)) break;
    end = first;
  }
  return text;
}

/**
 * Returns the text in [start, high) before the next CONTEXT_RAW, without attribute values, or at least the first `length` characters of it.
 * If `mark`, the last mark before the match, is CONTEXT_RAW, the text ends at the next mark of any kind.
 */
function textAfter(bytes: Uint8Array, mark: number, start: number, high: number, length: number): string {
  let text = "";
  let first = start;
  for (let left = mark; first < high; left = bytes[first], first++) {
    let end = first;
    while (end < high && !isMark(bytes[end])) end++;
    const right = end < high ? bytes[end] : CONTEXT_RAW;
    if (first < end && left !== CONTEXT_ATTRIBUTE) {
      const to = first + usualBytes(length);
      text += (to < end ? endText(bytes, first, to, length) : undefined) ?? runText(bytes, first, end);
      if (text.length > length) text = folded(text);
    }
    if (right === CONTEXT_RAW || mark === CONTEXT_RAW || isEnough(text, length)) break;
    first = end;
  }
  return text;
}

/** Returns the address after the last mark in [low, address), or `low`. */
function runStart(bytes: Uint8Array, low: number, address: number): number {
  let at = address;
  while (at > low && !isMark(bytes[at - 1])) at--;
  return at;
}
