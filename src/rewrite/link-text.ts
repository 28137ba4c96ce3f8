// The texts of links (C218), other hosts in them (C219), and the flags that their elements give.
import * as code from "#core/layout/codes.js";
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT, WINDOW_REGION } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeUtf8 } from "../core/text.ts";
import { type MatchBatch, matchBatch } from "../matches/batch.ts";
import { folded, isMark, runText } from "../scan/context.ts";
import { LINK_BYTES } from "../scan/range.ts";
import type { MakeStep } from "../scan/scan.ts";
import { afterRaw, afterTag, flagsOfElement, hidingElements, markFrom } from "./hiding-elements.ts";
import { otherHosts } from "./other-hosts.ts";

const TEXT_LENGTH = 200;

const [LINE_FEED, ROUND_OPEN, LESS, GREATER] = [0x0a, 0x28, 0x3c, 0x3e];
const [SQUARE_OPEN, SQUARE_CLOSE, PIPE] = [0x5b, 0x5d, 0x7c];

/** A part of the memory of the core: text [low, high), in which a URL is at [start, end). */
interface Span {
  readonly bytes: Uint8Array;
  readonly low: number;
  readonly start: number;
  readonly end: number;
  readonly high: number;
}

export const addLinkTexts: MakeStep = ({ core, window }) => {
  return (batch) => withTexts(core, batch, window.high);
};

function withTexts(core: Core, batch: MatchBatch, high: number): MatchBatch {
  const { rows, elements } = batch;
  const texts = new Map<number, string>();
  const lastEnd = rows[(batch.count - 1) * code.RECORD_WORDS + code.RECORD_END];
  let isHiddenAt: ReturnType<typeof hidingElements> | undefined;
  for (let row = 0, at = 0; row < batch.count; row++, at += code.RECORD_WORDS) {
    if (rows[at + code.RECORD_KIND] === code.KIND_NESTED) continue;
    const span = spanOf(core.bytes, rows[at + code.RECORD_START], rows[at + code.RECORD_END], high);
    const element = elements?.get(row);
    const text = element === undefined ? labelOf(span) : element.tag === "a" && element.attribute === "href" ? anchorText(span) : "";
    if (text !== "") texts.set(row, text);
    if (element === undefined) continue;
    const flags = flagsOfElement(element, tagOf(span));
    isHiddenAt ??= hidingElements(core.bytes, span.low, Math.min(WINDOW_REGION + lastEnd + LINK_BYTES, high));
    const isHidden = isHiddenAt(span.start, span.end, text !== "") && (flags & code.FLAG_PIXEL) === 0;
    rows[at + code.RECORD_FLAGS] |= flags | (isHidden ? code.FLAG_HIDDEN : 0);
  }
  if (texts.size === 0) return batch;
  for (const row of otherHosts(core.inner, batch, texts)) rows[row * code.RECORD_WORDS + code.RECORD_FLAGS] |= code.FLAG_OTHER_HOST;
  return matchBatch({ ...batch, texts });
}

function spanOf(bytes: Uint8Array, start: number, end: number, high: number): Span {
  const [from, to] = [WINDOW_REGION + start, WINDOW_REGION + end];
  const low = Math.max(WINDOW_REGION, from - LINK_BYTES);
  return { bytes, low, start: from, end: to, high: Math.min(high, to + LINK_BYTES) };
}

/** Returns the content of the tag around a URL, with the marks in it. */
function tagOf({ bytes, low, start, end, high }: Span): string {
  let first = start;
  while (first > low && bytes[first - 1] !== CONTEXT_TEXT && bytes[first - 1] !== CONTEXT_RAW) first--;
  // The tag of an `a` begins with CONTEXT_ATTRIBUTE, so the text before it was passed too: skip it.
  while (first < start && bytes[first] !== CONTEXT_ATTRIBUTE) first++;
  return decodeUtf8(bytes, first, markFrom(bytes, end, high));
}

/** Returns the text that readers see of an `a`, from the end of its start tag to the next tag of an `a`. (C218) */
function anchorText({ bytes, end, high }: Span): string {
  let text = "";
  let at: number | undefined = afterTag(bytes, end, high);
  while (at !== undefined && at < high && text.length <= 2 * TEXT_LENGTH) {
    let runEnd = at;
    while (runEnd < high && !isMark(bytes[runEnd])) runEnd++;
    if (runEnd > at) text = folded(text + runText(bytes, at, runEnd));
    at = afterMarkup(bytes, runEnd, high);
  }
  return cut(text);
}

/** Returns the address of the text after the markup at `at`; undefined if the markup is the tag of an `a`, or if the text ends. */
function afterMarkup(bytes: Uint8Array, at: number, high: number): number | undefined {
  if (at >= high || bytes[at] === CONTEXT_ATTRIBUTE) return undefined;
  if (bytes[at] === CONTEXT_TEXT) return afterTag(bytes, at + 1, high);
  return bytes[at + 1] === CONTEXT_RAW ? afterRaw(bytes, at, high) : undefined;
}

function cut(text: string): string {
  const shown = text.trim();
  return shown.length <= TEXT_LENGTH ? shown : Array.from(shown).slice(0, TEXT_LENGTH).join("").trim();
}

const IMAGE = /!\[[^[\]]*\]\([^()]*\)/g;

/** Returns the text of a link of Markdown, `[text](URL)`, or of Slack, `<URL|text>`, or an empty text. (C218) */
function labelOf(span: Span): string {
  const { bytes, low, start, end, high } = span;
  const before = start > low ? bytes[start - 1] : undefined;
  if (before !== ROUND_OPEN && before !== LESS) return "";
  if (before === LESS && bytes[end] === PIPE) {
    let last = end + 1;
    while (last < high && bytes[last] !== GREATER && bytes[last] !== LINE_FEED && !isMark(bytes[last])) last++;
    return last < high && bytes[last] === GREATER ? cut(folded(runText(bytes, end + 1, last))) : "";
  }
  const round = before === LESS ? start - 2 : start - 1;
  return bytes[round] === ROUND_OPEN && bytes[round - 1] === SQUARE_CLOSE ? bracketedText(span, round - 1) : "";
}

/** Returns the text in the brackets that end at `close`; empty if an empty line or markup is inside, or if no bracket opens them. */
function bracketedText({ bytes, low }: Span, close: number): string {
  let depth = 1;
  for (let at = close - 1; at >= low; at--) {
    const byte = bytes[at];
    if (isMark(byte) || (byte === LINE_FEED && bytes[at - 1] === LINE_FEED)) return "";
    if (byte === SQUARE_CLOSE) depth++;
    else if (byte === SQUARE_OPEN && --depth === 0) return cut(folded(runText(bytes, at + 1, close).replace(IMAGE, "")));
  }
  return "";
}
