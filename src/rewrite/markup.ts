// Markup in the window: the marks that a decoder of HTML leaves there (assembly/html/html.ts), tags, and styles that hide.
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT } from "#core/layout/memory.js";

/** Returns the first address in [at, high) of CONTEXT_TEXT or CONTEXT_RAW, or `high`. */
export function markFrom(bytes: Uint8Array, at: number, high: number): number {
  let found = at;
  while (found < high && bytes[found] !== CONTEXT_TEXT && bytes[found] !== CONTEXT_RAW) found++;
  return found;
}

/** Returns the address after the tag around `at`, and after the raw text of its element, if any; undefined if the raw text has no end. */
export function afterTag(bytes: Uint8Array, at: number, high: number): number | undefined {
  const end = markFrom(bytes, at, high);
  return bytes[end] === CONTEXT_RAW ? afterRaw(bytes, end, high) : end + 1;
}

/** Returns the address after the comment, or the text of an element, that begins with marks at `at`; undefined if its end is missing. */
export function afterRaw(bytes: Uint8Array, at: number, high: number): number | undefined {
  const start = afterMarks(bytes, at);
  const isConditional = bytes[start] === CONTEXT_TEXT && bytes[start + 1] === CONTEXT_TEXT && bytes[start + 2] !== CONTEXT_ATTRIBUTE;
  const end = afterMarks(bytes, markFrom(bytes, isConditional ? start + 2 : start, high));
  return end < high && bytes[end] === CONTEXT_TEXT ? end + 1 : undefined;
}

/** Returns the address of the next tag of an `a` after the tag around `at`, or where the text ends. */
export function linkEnd(bytes: Uint8Array, at: number, high: number): number {
  let next: number | undefined = afterTag(bytes, at, high);
  while (next !== undefined && next < high && bytes[next] !== CONTEXT_ATTRIBUTE) {
    const mark: number = bytes[next];
    next = mark === CONTEXT_TEXT ? afterTag(bytes, next + 1, high) : mark === CONTEXT_RAW ? afterRaw(bytes, next, high) : next + 1;
  }
  return Math.min(next ?? high, high);
}

/** Returns the address after the marks CONTEXT_RAW that begin at `at`. */
function afterMarks(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === CONTEXT_RAW) end++;
  return end;
}

/**
 * The mark in a tag. It replaces the name of the tag, the `=` before a value with the white space after the `=`, each quotation mark around
 * a value, and white space after an unquoted value.
 */
export const MARK = String.fromCharCode(CONTEXT_ATTRIBUTE);
/**
 * Returns a pattern of an attribute that captures its value. Two or more marks after the name are `=` and a quotation mark. One mark is
 * the `=` of an unquoted value. But if white space, `/` or the end of the tag follows, it ends a quoted value whose last word is the name.
 */
export function attributeOf(name: string): RegExp {
  return new RegExp(`[\\s/${MARK}]${name}\\s*(?:${MARK}{2,}|${MARK}(?![\\s/]|$))([^${MARK}]*)`, "i");
}

/** Declarations that hide any element, and one that hides text. */
export const SHOWS_NOTHING = /(?:^|;)(?:display:none|visibility:hidden|opacity:(?:0+|0*\.0+))(?=;|$)/;
export const SHOWS_NO_TEXT = /(?:^|;)font-size:(?:0+|0*\.0+)(?:[a-z]+|%)?(?=;|$)/;

const STYLE = attributeOf("style");

/** Returns the style in the content of a tag, in lower case, without comments, white space and `!important`. */
export function styleOf(content: string): string {
  const style = STYLE.exec(content)?.[1];
  if (style === undefined) return "";
  return withoutComments(style).replace(/\s+/g, "").toLowerCase().replaceAll("!important", "");
}

/** Matches the name in the content of a tag, and its values. */
const NAME = new RegExp(`^${MARK}+[^\\s/]*`);
const VALUES = new RegExp(`${MARK}{2}[^${MARK}]*${MARK}|${MARK}[^${MARK}]*${MARK}?`, "g");
const HIDDEN = /[\s/]hidden(?=[\s/]|$)/i;

export function hasHidden(content: string): boolean {
  return /hidden/i.test(content) && HIDDEN.test(content.replace(NAME, "").replace(VALUES, " "));
}

/** Returns a style without its comments. An expression would look for the end of each comment that has none. */
function withoutComments(style: string): string {
  let [text, at] = ["", 0];
  for (;;) {
    const start = style.indexOf("/*", at);
    const end = start < 0 ? -1 : style.indexOf("*/", start + 2);
    if (end < 0) return text + style.slice(at);
    text += style.slice(at, start);
    at = end + 2;
  }
}
