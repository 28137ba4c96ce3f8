/**
 * What a link shows: its text (C218), another host in that (C219), and whether its own style hides it (C179); targets of forms (C250).
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

/** C179: whether declarations of CSS hide an element. */
export function hides(style: string): boolean {
  const written = style.replace(/\/\*.*?\*\//gs, "").replace(/\s/g, "");
  const declared = written.toLowerCase().replaceAll("!important", "").split(";");
  const given = (name: string): string[] => declared.filter((one) => one.startsWith(`${name}:`)).map((one) => one.slice(name.length + 1));
  const [background] = declared.filter((one) => /^background(?:-color)?:/.test(one)).map((one) => one.slice(one.indexOf(":") + 1));
  const [color] = given("color");
  return (
    given("display").includes("none") ||
    given("visibility").includes("hidden") ||
    given("opacity").some((value) => /^(?:0+|0*\.0+)$/.test(value)) ||
    given("font-size").some((value) => /^(?:0+|0*\.0+)(?:%|[a-z]+)?$/.test(value)) ||
    (color !== undefined && background !== undefined && plainColor(color) === plainColor(background))
  );
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
  const name = url?.startsWith("mailto:") === true ? (/^[^?#]*?@([^,@?#]+)/.exec(url)?.[1] ?? null) : host;
  if (name === null || name === "" || name.startsWith("[")) {
    return name || null;
  }
  if (/^[0-9]/.test(name) && URL.canParse(`http://${name}`) && /^[0-9.]+$/.test(new URL(`http://${name}`).hostname)) {
    return new URL(`http://${name}`).hostname;
  }
  return parse(name.toLowerCase(), ASKED).domain ?? name.toLowerCase();
}

/** C219: whether the first host that a text shows is another one than that of the URL, which is no redirector's. */
export function showsOther(shown: readonly FoundUrl[], link: FoundUrl): boolean {
  const [first] = shown.map(siteOf).filter((site) => site !== null);
  const site = siteOf(link);
  return first !== undefined && site !== null && first !== site;
}
