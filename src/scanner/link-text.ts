// The texts of links (C218), other hosts in them (C219), the styles that hide links (C179), and the targets of forms (C250).
import * as code from "#core/layout/codes.js";
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT, WINDOW_REGION } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeUtf8 } from "../core/text.ts";
import { type Element, type MatchBatch, matchBatch } from "./batch.ts";
import { folded, isMark, runText } from "./context.ts";
import { otherHosts } from "./other-hosts.ts";
import { LINK_BYTES } from "./range.ts";

/** Most characters of the text of a link. */
const TEXT_LENGTH = 200;

const LINE_FEED = 0x0a;
const ROUND_OPEN = 0x28;
const LESS = 0x3c;
const GREATER = 0x3e;
const SQUARE_OPEN = 0x5b;
const SQUARE_CLOSE = 0x5d;
const PIPE = 0x7c;

/** A part of the memory of the core: text [low, high), in which a URL is at [start, end). */
interface Span {
  readonly bytes: Uint8Array;
  readonly low: number;
  readonly start: number;
  readonly end: number;
  readonly high: number;
}

/**
 * Returns the batch with the texts of its links, and sets the flags of its rows. Offsets in rows count from the start of the window, whose
 * text ends at the address `high`.
 */
export function addLinkTexts(core: Core, batch: MatchBatch, high: number): MatchBatch {
  const { rows, elements } = batch;
  const texts = new Map<number, string>();
  for (let row = 0, at = 0; row < batch.count; row++, at += code.RECORD_WORDS) {
    if (rows[at + code.RECORD_KIND] === code.KIND_NESTED) continue;
    const span = spanOf(core.bytes, rows[at + code.RECORD_START], rows[at + code.RECORD_END], high);
    const element = elements?.get(row);
    if (element !== undefined) rows[at + code.RECORD_FLAGS] |= flagsOfElement(element, tagOf(span));
    const text = element === undefined ? labelOf(span) : element.tag === "a" && element.attribute === "href" ? anchorText(span) : "";
    if (text !== "") texts.set(row, text);
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

/** Returns the first address in [at, high) of CONTEXT_TEXT or CONTEXT_RAW, or `high`. */
function markFrom(bytes: Uint8Array, at: number, high: number): number {
  let found = at;
  while (found < high && bytes[found] !== CONTEXT_TEXT && bytes[found] !== CONTEXT_RAW) found++;
  return found;
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

/** Returns the address after the tag around `at`, and after the raw text of its element, if any; undefined if the raw text has no end. */
function afterTag(bytes: Uint8Array, at: number, high: number): number | undefined {
  const end = markFrom(bytes, at, high);
  return bytes[end] === CONTEXT_RAW ? afterRaw(bytes, end, high) : end + 1;
}

/** Returns the address after the comment, or the text of an element, that begins with marks at `at`; undefined if its end is missing. */
function afterRaw(bytes: Uint8Array, at: number, high: number): number | undefined {
  const start = afterMarks(bytes, at);
  const isConditional = bytes[start] === CONTEXT_TEXT && bytes[start + 1] === CONTEXT_TEXT && bytes[start + 2] !== CONTEXT_ATTRIBUTE;
  const end = afterMarks(bytes, markFrom(bytes, isConditional ? start + 2 : start, high));
  return end < high && bytes[end] === CONTEXT_TEXT ? end + 1 : undefined;
}

/** Returns the address after the marks CONTEXT_RAW that begin at `at`. */
function afterMarks(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === CONTEXT_RAW) end++;
  return end;
}

/** Returns the first TEXT_LENGTH characters of a folded text, trimmed. */
function cut(text: string): string {
  const shown = text.trim();
  return shown.length <= TEXT_LENGTH ? shown : Array.from(shown).slice(0, TEXT_LENGTH).join("").trim();
}

/** Matches an image of Markdown. */
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

/**
 * The mark in a tag. It replaces the name of the tag, the `=` before a value with the white space after the `=`, each quotation mark around
 * a value, and white space after an unquoted value.
 */
const MARK = String.fromCharCode(CONTEXT_ATTRIBUTE);
/**
 * Matches `style` and captures its value. Two or more marks after the name are `=` and a quotation mark. One mark is the `=` of an unquoted
 * value. But if white space, `/` or the end of the tag follows, the mark ends a quoted value whose last word is `style`.
 */
const STYLE = new RegExp(`[\\s/${MARK}]style\\s*(?:${MARK}{2,}|${MARK}(?![\\s/]|$))([^${MARK}]*)`, "i");
/** Declarations that hide an element. */
const SHOWS_NOTHING = /(?:^|;)(?:display:none|visibility:hidden|opacity:0*\.?0+|font-size:0*\.?0+(?:[a-z]+|%)?)(?=;|$)/;
const COLOR = /(?:^|;)color:([^;]+)/;
const BACKGROUND = /(?:^|;)background(?:-color)?:([^;]+)/;
const COLOR_NAMES: Readonly<Record<string, string>> = { white: "#ffffff", black: "#000000" };

/** Pairs of an element and its attribute that is the target of a form. (C250) */
const FORM_TARGETS: readonly string[] = ["form action", "button formaction", "input formaction"];

/** Returns the flags that a URL gets from its element. */
function flagsOfElement({ tag, attribute }: Element, content: string): number {
  return (isHidden(content) ? code.FLAG_HIDDEN : 0) | (FORM_TARGETS.includes(`${tag} ${attribute}`) ? code.FLAG_FORM : 0);
}

/** Returns whether the style in a tag hides the element. (C179) */
function isHidden(tag: string): boolean {
  const written = STYLE.exec(tag)?.[1];
  if (written === undefined) return false;
  const style = written
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, "")
    .toLowerCase()
    .replaceAll("!important", "");
  if (SHOWS_NOTHING.test(style)) return true;
  const [color, background] = [COLOR, BACKGROUND].map((property) => plainColor(property.exec(style)?.[1]));
  return color !== undefined && color === background;
}

/** Returns `#rgb`, `white` and `black` as `#rrggbb`, any other color as written. */
function plainColor(color: string | undefined): string | undefined {
  if (color === undefined) return undefined;
  if (/^#[0-9a-f]{3}$/.test(color)) return color.replace(/[0-9a-f]/g, "$&$&");
  return COLOR_NAMES[color] ?? color;
}
