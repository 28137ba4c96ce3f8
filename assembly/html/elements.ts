// The elements that change how HTML is read (X9): those whose text is no markup, `svg` and `math`, and `meta`.

import { lower } from "../bytes/ascii.ts";
import { LOWER_A } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { characterAt, load8 } from "../platform/memory.ts";

/** All other elements. */
export const NONE: i32 = 0;
export const META: i32 = 1;
export const FOREIGN: i32 = 2; // `svg` and `math`
export const SCRIPT: i32 = 3; // The text of this element and of all later ones is no markup (C190)
export const STYLE: i32 = 4;
export const XMP: i32 = 5;
export const IFRAME: i32 = 6;
export const NOEMBED: i32 = 7;
export const NOFRAMES: i32 = 8;
export const PLAINTEXT: i32 = 9; // No end tag ends the text of this element
export const TITLE: i32 = 10; // The text of this element and of the later one has references
export const TEXTAREA: i32 = 11;

/** The first letters of these names, a in the lowest bit: i m n p s t x. */
const FIRST_LETTERS: i32 = 0x8cb100;
/** Number of open `svg` and `math` elements. */
let foreign: i32 = 0;
/** Whether the document is XML, in which no element has text without markup (C195). */
export let isXml: bool = false;

export function beginElements(xml: bool): void {
  foreign = 0;
  isXml = xml;
}

/** Whether the text is inside `svg` or `math`, or XML. */
export function isForeign(): bool {
  return foreign > 0 || isXml;
}

/**
 * Returns as which element, NONE to TEXTAREA, a start tag with the name [name, end) is read. In XML this is META or NONE, in `svg` and
 * `math` META, FOREIGN or NONE, because all text there is markup. A tag that breaks out of `svg` and `math` ends them.
 */
export function startElement(name: i32, end: i32): i32 {
  const element = elementOf(name, end);
  if (isXml) return element == META ? META : NONE;
  if (foreign == 0) return element;
  if (breaksOut(name, end)) foreign = 0;
  return element > FOREIGN ? NONE : element;
}

/** Counts an `svg` or `math`, whose start tag has ended. */
export function enterForeign(): void {
  foreign++;
}

/** Reads an end tag with the name [name, end) inside `svg` or `math`. A `p` or `br` ends all of these, `svg` or `math` ends one. */
export function endForeign(name: i32, end: i32): void {
  if (isKeyword(name, end, "p") || isKeyword(name, end, "br")) foreign = 0;
  else if (elementOf(name, end) == FOREIGN) foreign--;
}

/** Returns META to TEXTAREA for the element with the name [name, end), in any case; NONE for all others. */
export function elementOf(name: i32, end: i32): i32 {
  const length = end - name;
  const letter = lower(load8(name)) - LOWER_A;
  if (length < 3 || letter < 0 || ((FIRST_LETTERS >> letter) & 1) == 0) return NONE;
  if (length == 3) return isKeyword(name, end, "svg") ? FOREIGN : isKeyword(name, end, "xmp") ? XMP : NONE;
  if (length == 4) return isKeyword(name, end, "meta") ? META : isKeyword(name, end, "math") ? FOREIGN : NONE;
  if (length == 5) return isKeyword(name, end, "style") ? STYLE : isKeyword(name, end, "title") ? TITLE : NONE;
  if (length == 6) return isKeyword(name, end, "script") ? SCRIPT : isKeyword(name, end, "iframe") ? IFRAME : NONE;
  if (length == 7) return isKeyword(name, end, "noembed") ? NOEMBED : NONE;
  if (length == 8) return isKeyword(name, end, "textarea") ? TEXTAREA : isKeyword(name, end, "noframes") ? NOFRAMES : NONE;
  return length == 9 && isKeyword(name, end, "plaintext") ? PLAINTEXT : NONE;
}

/** Returns the length of the name of an element from SCRIPT on. */
export function nameLengthOf(element: i32): i32 {
  if (element == XMP) return 3;
  if (element == STYLE || element == TITLE) return 5;
  if (element == SCRIPT || element == IFRAME) return 6;
  return element == NOEMBED ? 7 : element == PLAINTEXT ? 9 : 8;
}

/** Whether the start tag with the name [name, end) ends `svg` and `math`, or begins HTML inside them (C192). */
function breaksOut(name: i32, end: i32): bool {
  const length = end - name;
  if (length == 1) return isIn("b i p s u", name, 1);
  if (length == 2) return isIn("br dd dl dt em h1 h2 h3 h4 h5 h6 hr li mi mn mo ms ol tt ul", name, 2);
  if (length == 3) return isIn("big div img pre sub sup var", name, 3);
  if (length == 4) return isIn("body code head menu meta nobr ruby span", name, 4);
  if (length == 5) return isIn("embed mtext small table", name, 5);
  if (length == 6) return isIn("center strike strong", name, 6);
  if (length == 7) return isIn("listing", name, 7);
  return isKeyword(name, end, "blockquote") || isKeyword(name, end, "foreignobject") || isKeyword(name, end, "annotation-xml");
}

/** Whether [name, name + length) is one of `names`, in any case. All `names` have this length, with spaces between. */
function isIn(names: string, name: i32, length: i32): bool {
  for (let at = 0; at < names.length; at += length + 1) {
    let i = 0;
    while (i < length && characterAt(names, at + i) == lower(load8(name + i))) i++;
    if (i == length) return true;
  }
  return false;
}
