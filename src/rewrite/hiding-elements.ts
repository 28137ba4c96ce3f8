// Elements of links that hide them (C179), or hide links around them (C278), pictures without size (C275), targets of forms (C250): by the
// marks that a decoder of HTML leaves in the window (assembly/html/html.ts).
import * as code from "#core/layout/codes.js";
import { CONTEXT_ATTRIBUTE, CONTEXT_NAME, CONTEXT_RAW, CONTEXT_TEXT } from "#core/layout/memory.js";
import { firstIndex } from "../base/arrays.ts";
import { decodeLatin1 } from "../core/text.ts";
import type { Element } from "../matches/batch.ts";
import { LINK_BYTES } from "../scan/range.ts";

const CODE_BITS = 4;
const CODE_MASK = 0x0f;
/** Matches the name before the colon of a declaration that hides. White space may be after it. */
const PROPERTY = /(?:display|visibility|opacity|font-size)\s{0,8}$/i;
const PROPERTY_LENGTH = 18;
const [LOWER_E, LOWER_Y, SPACE, NO_BREAK_SPACE] = [0x65, 0x79, 0x20, 0xa0];
const ATTRIBUTE = " hidden";
/** Matches what may give text in an element without size a size of its own. */
const SIZED = /size|font|class/i;

/** Returns the number that names of elements are compared by. The window has no first letters, and the low bits of the others. */
function keyOf(name: string): number {
  return Array.from(name.slice(1)).reduce((key, letter) => (key << CODE_BITS) | (letter.charCodeAt(0) & CODE_MASK), 1);
}

function keysOf(names: string): ReadonlySet<number> {
  return new Set(names.split(" ").map(keyOf));
}

/** One number stands for `tr`, `br` and `hr`. */
const VOID = keysOf("area base basefont bgsound br col embed frame hr img input link meta param source tr track");
const ONE_LETTER = keyOf("p");
const INLINE = keysOf("p abbr big code em font label small span strike strong sub sup");
const CELLS = keysOf("td th");
const ITEMS = keysOf("li");
const TABLES = keysOf("table");
const LISTS = keysOf("ul");

/** Whether a tag hides all of its element, or only text without a size of its own. */
type Hiding = "all" | "text";

/** Most open elements that are followed, so that work is linear. */
const OPEN_MAX = 64;

/** An open element. `unsized`: address up to which nothing in it gives text a size. */
interface OpenElement {
  readonly key: number;
  readonly tag: number;
  readonly hides: Hiding | undefined;
  unsized: number;
}

/**
 * Follows the elements that hide what is in them, in the part [low, high) of the window. Returns a function that tells whether one of them
 * hides the URL [start, end); `hasText`: its link has text. It takes the URLs in their order.
 */
export function hidingElements(bytes: Uint8Array, low: number, high: number): (start: number, end: number, hasText: boolean) => boolean {
  const text = decodeLatin1(bytes.subarray(low, high));
  const hidingTags = hidingTagsIn(bytes, low, text);
  const addresses = [...hidingTags.keys()];
  /** Address up to which tags have been read. */
  let read = low;
  /** The open elements there, of those that begin at a hiding one or after it. */
  let open: OpenElement[] = [];

  /** Returns whether nothing gives text a size from the start tag of an element to the end of the link whose URL ends at `end`. */
  const isUnsized = (element: OpenElement, end: number): boolean => {
    const to = linkEnd(bytes, end, Math.min(end + LINK_BYTES, high));
    if (SIZED.test(text.slice(element.unsized - low, to - low))) return false;
    element.unsized = Math.max(element.unsized, end);
    return true;
  };

  const readTo = (start: number): void => {
    while (read < start) {
      if (open.length === 0) {
        const next = firstIndex(addresses.length, (index) => addresses[index] >= read);
        read = Math.min(addresses[next] ?? start, start);
        if (read === start) return;
      }
      const mark = bytes[read];
      let next: number | undefined = read + 1;
      if (isTagAt(bytes, read)) {
        const end = markFrom(bytes, read + 1, start);
        // The URL is in this tag.
        if (end === start) return;
        open = openAfter(open, bytes, read, end, hidingTags.get(read));
        next = afterTag(bytes, read + 1, start);
      } else if (mark === CONTEXT_ATTRIBUTE) next = afterTag(bytes, read + 1, start);
      else if (mark === CONTEXT_RAW) next = afterRaw(bytes, read, start);
      if (next === undefined) return;
      read = next;
    }
  };

  return (start, end, hasText) => {
    readTo(start);
    return open.some((element) => {
      const { tag, hides } = element;
      return tag >= start - LINK_BYTES && (hides === "all" || (hides === "text" && hasText && isUnsized(element, end)));
    });
  };
}

/** Returns the open elements after the tag [tag, end), which may be an end tag. `hides`: how this tag hides its element. */
function openAfter(open: OpenElement[], bytes: Uint8Array, tag: number, end: number, hides: Hiding | undefined): OpenElement[] {
  // An end tag has a mark for its slash.
  const isEnd = bytes[tag + 2] === CONTEXT_ATTRIBUTE;
  let at = tag + (isEnd ? 3 : 2);
  let key = 1;
  for (; at < end && bytes[at] >> CODE_BITS === 1; at++) key = (key << CODE_BITS) | (bytes[at] & CODE_MASK);
  // The name has other characters than letters and digits.
  if (bytes[at] === CONTEXT_NAME) return open;
  const isVoid = VOID.has(key);
  let left = open;
  if (isEnd && !isVoid) {
    // The end tag of a block closes all in it, also if the block begins before the elements that are followed.
    const last = open.findLastIndex((element) => element.key === key);
    if (!INLINE.has(key)) open.length = Math.max(last, 0);
    else if (last >= 0) open.splice(last, 1);
  } else if (isEnd || CELLS.has(key)) closeInside(open, CELLS, TABLES);
  else if (ITEMS.has(key)) closeInside(open, ITEMS, LISTS);
  else if (!isVoid && !INLINE.has(key)) left = open.filter((element) => element.key !== ONE_LETTER);
  if (!isEnd && !isVoid) left.push({ key, tag, hides, unsized: end });
  if (left.length > OPEN_MAX) left.shift();
  return left;
}

/** Returns the start tags that hide their elements in a text, which is in the window from `low` on, by their ascending addresses. */
function hidingTagsIn(bytes: Uint8Array, low: number, text: string): ReadonlyMap<number, Hiding> {
  const found = new Map<number, Hiding>();
  let [known, tag, tested] = [low, low, -1];
  for (const index of signsIn(text)) {
    // Between two signs there may be no mark: then both are in one tag or text.
    const mark = markBefore(bytes, known, low + index);
    if (mark > known) tag = mark;
    known = low + index;
    if (tag === tested || !isTagAt(bytes, tag)) continue;
    tested = tag;
    const content = text.slice(tag + 1 - low, markFrom(bytes, tag + 1, low + text.length) - low);
    const hiding = hidingOf(content, styleOf(content));
    if (hiding !== undefined) found.set(tag, hiding);
  }
  return found;
}

/** Returns whether the tag of an element other than `a` begins at an address. */
function isTagAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === CONTEXT_TEXT && bytes[at + 1] === CONTEXT_ATTRIBUTE;
}

/** Returns the indices in a text of what tags that hide their elements have, in ascending order. Searches for single bytes are fast. */
function signsIn(text: string): number[] {
  const signs: number[] = [];
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    const endsProperty = (before | 0x20) === LOWER_E || (before | 0x20) === LOWER_Y || before <= SPACE || before === NO_BREAK_SPACE;
    if (endsProperty && PROPERTY.test(text.slice(Math.max(0, at - PROPERTY_LENGTH), at))) signs.push(at);
  }
  for (let at = text.indexOf(ATTRIBUTE); at >= 0; at = text.indexOf(ATTRIBUTE, at + 1)) signs.push(at + 1);
  return signs.sort((a, b) => a - b);
}

/** Returns the address of the last mark before `at` that begins or ends a tag or text, or `low`. */
function markBefore(bytes: Uint8Array, low: number, at: number): number {
  let mark = at;
  while (mark > low && bytes[mark] !== CONTEXT_TEXT && bytes[mark] !== CONTEXT_RAW) mark--;
  return mark;
}

/** Closes the last open element of `keys` with all in it, or all in the last one of `around`. */
function closeInside(open: OpenElement[], keys: ReadonlySet<number>, around: ReadonlySet<number>): void {
  const last = open.findLastIndex(({ key }) => keys.has(key));
  open.length = Math.max(last, open.findLastIndex(({ key }) => around.has(key)) + 1, 0);
}

// Tags, and styles that hide.

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
function linkEnd(bytes: Uint8Array, at: number, high: number): number {
  let next: number | undefined = afterTag(bytes, at, high);
  while (next !== undefined && next < high && bytes[next] !== CONTEXT_ATTRIBUTE) {
    const mark: number = bytes[next];
    next = mark === CONTEXT_TEXT ? afterTag(bytes, next + 1, high) : mark === CONTEXT_RAW ? afterRaw(bytes, next, high) : next + 1;
  }
  return Math.min(next ?? high, high);
}

function afterMarks(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === CONTEXT_RAW) end++;
  return end;
}

/**
 * The mark in a tag. It replaces the name of the tag, the `=` before a value with the white space after the `=`, each quotation mark around
 * a value, and white space after an unquoted value.
 */
const MARK = String.fromCharCode(CONTEXT_ATTRIBUTE);
/**
 * Returns a pattern of an attribute that captures its value. Two or more marks after the name are `=` and a quotation mark. One mark is
 * the `=` of an unquoted value. But if white space, `/` or the end of the tag follows, it ends a quoted value whose last word is the name.
 */
function attributeOf(name: string): RegExp {
  return new RegExp(`[\\s/${MARK}]${name}\\s*(?:${MARK}{2,}|${MARK}(?![\\s/]|$))([^${MARK}]*)`, "i");
}

/** Declarations that hide any element, and one that hides text. */
const SHOWS_NOTHING = /(?:^|;)(?:display:none|visibility:hidden|opacity:(?:0+|0*\.0+))(?=;|$)/;
const SHOWS_NO_TEXT = /(?:^|;)font-size:(?:0+|0*\.0+)(?:[a-z]+|%)?(?=;|$)/;

const STYLE = attributeOf("style");

/** Returns the style in the content of a tag, in lower case, without comments, white space and `!important`. */
function styleOf(content: string): string {
  const style = STYLE.exec(content)?.[1];
  if (style === undefined) return "";
  return withoutComments(style).replace(/\s+/g, "").toLowerCase().replaceAll("!important", "");
}

const NAME = new RegExp(`^${MARK}+[^\\s/]*`);
const VALUES = new RegExp(`${MARK}{2}[^${MARK}]*${MARK}|${MARK}[^${MARK}]*${MARK}?`, "g");
const HIDDEN = /[\s/]hidden(?=[\s/]|$)/i;

function hasHidden(content: string): boolean {
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

/** Returns how the tag of an element hides it. `style`: the style in the tag. */
function hidingOf(content: string, style: string): Hiding | undefined {
  if (SHOWS_NOTHING.test(style) || hasHidden(content)) return "all";
  return SHOWS_NO_TEXT.test(style) ? "text" : undefined;
}

// The elements of links.

/** Pairs of an element and its attribute that is the target of a form. (C250) */
const FORM_TARGETS: readonly string[] = ["form action", "button formaction", "input formaction"];

/** Returns the flags that a URL gets from its element, whose tag has this content. */
export function flagsOfElement({ tag, attribute }: Element, content: string): number {
  const style = styleOf(content);
  const isPicture = tag === "img";
  if (isPicture && hasNoSize(content, style)) return code.FLAG_PIXEL;
  const hiding = hidingOf(content, style);
  // A picture has no text, whose size and color would count. (C179)
  const isHidden = hiding === "all" || (!isPicture && (hiding === "text" || hasColorOfBackground(style)));
  return (isHidden ? code.FLAG_HIDDEN : 0) | (FORM_TARGETS.includes(`${tag} ${attribute}`) ? code.FLAG_FORM : 0);
}

const SIZES = ["width", "height"].map((name) => [attributeOf(name), new RegExp(`(?:^|;)${name}:([^;]+)`)] as const);
const PIXEL_AT_MOST = /^[01](?:px)?$/;
const NOTHING = /^0(?:px|%)?$/;
/** Matches a tag that may give such a size outside of a style. */
const MAY_BE_SMALL = /(?:width|height)[^0-9a-z]*[01](?![0-9.])/i;

/** Returns whether a picture has a pixel at most, or no width, or no height. Its style wins over the attributes in its tag. (C275) */
function hasNoSize(content: string, style: string): boolean {
  if (style === "" && !MAY_BE_SMALL.test(content)) return false;
  const sizes = SIZES.map(([attribute, property]) => property.exec(style)?.[1] ?? attribute.exec(content)?.[1]?.trim() ?? "");
  return sizes.every((size) => PIXEL_AT_MOST.test(size)) || sizes.some((size) => NOTHING.test(size));
}

const COLOR = /(?:^|;)color:([^;]+)/;
const BACKGROUND = /(?:^|;)background(?:-color)?:([^;]+)/;

function hasColorOfBackground(style: string): boolean {
  const [color, background] = [COLOR, BACKGROUND].map((property) => plainColor(property.exec(style)?.[1]));
  return color !== "" && color === background;
}

/** Returns `#rgb`, `white` and `black` as `#rrggbb`, any other color as written. */
function plainColor(color = ""): string {
  if (color === "white") return "#ffffff";
  if (color === "black") return "#000000";
  return color.replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, "#$1$1$2$2$3$3");
}
