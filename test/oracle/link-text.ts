/**
 * What a link shows: its text (C218), another host in that (C219), and whether its own style hides it (C179); pictures without size (C275);
 * targets of forms (C250).
 */

import { parse } from "tldts";
import type { Element, Piece } from "./html.ts";
import { textOf } from "./unicode.ts";

const ASKED = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/** A URL that was found in a text. */
interface FoundUrl {
  url: string | null;
  host: string | null;
}

/** One with its span in the text, in bytes. */
interface ShownUrl extends FoundUrl {
  start: number;
  end: number;
}

/** The text of a link with white space and controls folded, of 200 characters at most. */
function shownText(bytes: string): string {
  const text = textOf(bytes.replaceAll("\xE2\x80\x8B", "")).replace(
    /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]+/gu,
    " ",
  );
  return [...text.trim()].slice(0, 200).join("").trim();
}

/** C218: the text of the `a` whose `href` is the piece of a number: what the pieces up to the next tag of an `a` show. */
export function anchorText(pieces: readonly Piece[], index: number): string {
  const rest = pieces.slice(index + 1);
  const next = rest.findIndex(({ isAnchor }) => isAnchor === true);
  const inside = rest.slice(0, next < 0 ? rest.length : next).filter(({ isShown }) => isShown === true);
  return shownText(inside.map(({ text }) => text.bytes).join(""));
}

/** C218: the text of a link of Markdown or Slack whose URL is between two offsets of a text. */
export function labelText(bytes: string, start: number, end: number): string {
  const slack = bytes[start - 1] === "<" ? /^\|([^>\n]*)>/.exec(bytes.slice(end))?.[1] : undefined;
  if (slack !== undefined) {
    return shownText(slack);
  }
  const before = bytes.slice(0, start);
  const close = before.length - (/\]\(<?$/.exec(before)?.[0].length ?? 0);
  if (close === before.length) {
    return "";
  }
  let depth = 1;
  for (let at = close - 1; at >= 0; at--) {
    if (bytes[at] === "]") {
      depth++;
    } else if (bytes[at] === "[" && --depth === 0) {
      const label = bytes.slice(at + 1, close);
      return label.includes("\n\n") ? "" : shownText(label.split(/!\[[^[\]]*\]\([^()]*\)/).join(""));
    }
  }
  return "";
}

/** The declarations of CSS in a style, in order, as `name:value`. */
function declarationsIn(style: string): string[] {
  const written = style.replace(/\/\*.*?\*\//gs, "").replace(/\s/g, "");
  return written.toLowerCase().replaceAll("!important", "").split(";");
}

/** The values of a property in declarations. */
function valuesOf(name: string, declared: readonly string[]): string[] {
  return declared.filter((one) => one.startsWith(`${name}:`)).map((one) => one.slice(name.length + 1));
}

/** C179: whether text in an element with a style has no size. */
export function hidesText(style: string): boolean {
  return valuesOf("font-size", declarationsIn(style)).some((value) => /^(?:0+|0*\.0+)(?:%|[a-z]+)?$/.test(value));
}

/** C179: whether declarations of CSS hide an element; a picture has no text. */
export function hides(style: string, isPicture: boolean): boolean {
  const declared = declarationsIn(style);
  const [background] = declared.filter((one) => /^background(?:-color)?:/.test(one)).map((one) => one.slice(one.indexOf(":") + 1));
  const [color] = valuesOf("color", declared);
  const isAll =
    valuesOf("display", declared).includes("none") ||
    valuesOf("visibility", declared).includes("hidden") ||
    valuesOf("opacity", declared).some((value) => /^(?:0+|0*\.0+)$/.test(value));
  const isText = hidesText(style) || (color !== undefined && background !== undefined && plainColor(color) === plainColor(background));
  return isAll || (isText && !isPicture);
}

/** C275: whether a picture has a pixel at most, or no width, or no height. */
export function isPixel(style: string, sizes: { width?: string; height?: string }): boolean {
  const declared = declarationsIn(style);
  const [width, height] = (["width", "height"] as const).map((name) => {
    return valuesOf(name, declared).find((value) => value !== "") ?? sizes[name]?.trim() ?? "";
  });
  const isNothing = [width, height].some((size) => ["0", "0px", "0%"].includes(size ?? ""));
  return isNothing || [width, height].every((size) => ["0", "0px", "1", "1px"].includes(size ?? ""));
}

/** C250: whether an attribute says where a form is sent. */
export function isFormTarget({ tag, attribute }: Element): boolean {
  return tag === "form" ? attribute === "action" : /^(?:button|input)$/.test(tag) && attribute === "formaction";
}

/** A color in six digits, if it has three, or is white or black. */
function plainColor(color: string): string {
  const named = color === "white" ? "#fff" : color === "black" ? "#000" : color;
  return /^#[0-9a-f]{3}$/.test(named) ? named.replace(/[0-9a-f]/g, "$&$&") : named;
}

/** C219: the registrable domain of a host, or its last two labels; an address as it is. */
function siteOf({ url, host }: FoundUrl): string | null {
  const own = url?.startsWith("mailto:") === true ? (/^[^?#]*?@([^,@?#]+)/.exec(url)?.[1] ?? null) : host;
  const named = /\.mimecast(?:protect)?\.com$/.test(own ?? "") ? /[?&]domain=([^&#]*)/.exec(url ?? "")?.[1] : undefined;
  const name = named || own;
  if (name === null || name === "" || name.startsWith("[")) {
    return name || null;
  }
  if (/^[0-9]/.test(name) && URL.canParse(`http://${name}`) && /^[0-9.]+$/.test(new URL(`http://${name}`).hostname)) {
    return new URL(`http://${name}`).hostname;
  }
  return parse(name.toLowerCase(), ASKED).domain ?? name.toLowerCase();
}

/** C219: the URL that a text is: no letters and digits are beside it. A public suffix with a dot is one too. */
function shownIn(text: string, found: readonly ShownUrl[]): FoundUrl | undefined {
  const bytes = Buffer.from(text);
  const isWhole = ({ start, end }: ShownUrl): boolean => !/[\p{L}\p{N}]/u.test(`${bytes.subarray(0, start)}${bytes.subarray(end)}`);
  const host = text.toLowerCase();
  const { publicSuffix, isIcann } = parse(host, ASKED);
  return isIcann === true && publicSuffix === host && host.includes(".") ? { url: `http://${host}/`, host } : found.find(isWhole);
}

/** C219: whether a text is a host of another site than that of the URL, which is no redirector's. */
export function showsOther(text: string, found: readonly ShownUrl[], link: FoundUrl): boolean {
  const shown = shownIn(text, found);
  const first = shown === undefined ? null : siteOf(shown);
  const site = siteOf(link);
  return first !== null && site !== null && !`.${site}`.endsWith(`.${first}`) && !`.${first}`.endsWith(`.${site}`);
}
