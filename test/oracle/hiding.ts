/**
 * Elements around a link that hide it (C278).
 */
import { hides, hidesText } from "./link-text.ts";

/** A tag of a page: its name in lower case, its offsets, its style, and whether it has the attribute `hidden`. */
export interface HidingTag {
  name: string;
  isEnd: boolean;
  from: number;
  to: number;
  style: string;
  isHidden: boolean;
}

interface Open {
  key: string;
  tag: HidingTag;
}

const BYTES_BEFORE = 4096;
const OPEN_MAX = 64;
const SIGN = /(?:display|visibility|opacity|font-size)\s{0,8}:/i;

/** What names are compared by: the low bits of their letters but the first. */
function keyOf(name: string): string {
  return [...name.slice(1)].map((letter) => (letter.charCodeAt(0) % 16).toString(16)).join("");
}

const keysOf = (names: string): string[] => names.split(" ").map(keyOf);
const VOID = keysOf("area base basefont bgsound br col embed frame hr img input link meta param source tr track");
const INLINE = keysOf("p abbr big code em font label small span strike strong sub sup");
const CELL = keysOf("td th");
const ITEM = keysOf("li");

/** Closes the last element of `keys`, or what is in the last one of `around`, or all. */
function closed(open: readonly Open[], keys: readonly string[], around: readonly string[]): Open[] {
  const last = open.findLastIndex(({ key }) => keys.includes(key));
  const outer = open.findLastIndex(({ key }) => around.includes(key));
  return open.slice(0, Math.max(last, outer + 1));
}

function afterTag(open: readonly Open[], tag: HidingTag): Open[] {
  const key = keyOf(tag.name);
  if (tag.name === "a" || !/^[a-z][a-z0-9+.-]*$/.test(tag.name) || (!tag.isEnd && VOID.includes(key))) {
    return [...open];
  }
  if (tag.isEnd && !VOID.includes(key)) {
    const last = open.findLastIndex((one) => one.key === key);
    return INLINE.includes(key) ? open.filter((_, index) => index !== last) : open.slice(0, Math.max(last, 0));
  }
  const isBlock = !INLINE.includes(key);
  const left =
    tag.isEnd || CELL.includes(key)
      ? closed(open, CELL, keysOf("table"))
      : ITEM.includes(key)
        ? closed(open, ITEM, keysOf("ul"))
        : open.filter((one) => !isBlock || one.key !== keyOf("p"));
  return tag.isEnd ? left : [...left, { key, tag }].slice(-OPEN_MAX);
}

/** Whether an element hides the URL [start, end), before which the page has these tags. `text`: that of its link. */
export function isHiddenAround(page: string, tags: readonly HidingTag[], start: number, end: number, text: string): boolean {
  const before = tags.filter(({ from, to }) => to <= start && from >= start - BYTES_BEFORE);
  const open = before.reduce<Open[]>(afterTag, []);
  const link = page.slice(end).search(/<\/?a(?=[\s/>])/i);
  const between = (from: number, to: number): string => page.slice(from, to).replace(/<\/?[a-z][^\s/>]*/gi, "<");
  return open.some(({ tag }) => {
    const isSized = /size|font|class/i.test(between(tag.to - 1, link < 0 ? page.length : end + link));
    const style = SIGN.test(tag.style) ? tag.style : "";
    return tag.isHidden || hides(style, true) || (text !== "" && !isSized && hidesText(style));
  });
}
