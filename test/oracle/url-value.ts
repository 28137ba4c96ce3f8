/**
 * Values of attributes that are URLs (X9): one URL from end to end, read as browsers do (WHATWG URL, basic URL parser, and HTML).
 */
import { isWrappable } from "./delimited.ts";
import type { Rules } from "./rules.ts";
import type { Source } from "./source.ts";
import type { Found } from "./step.ts";
import { CONTROLS } from "./unicode.ts";

/** What the value of an attribute is: one URL, a token of a list of URLs, what `meta` has for a refresh; or text. */
export type ValueForm = "url" | "token" | "refresh" | "text";

const URL_ATTRIBUTES = new Set(
  "action background cite codebase data dynsrc formaction href itemid longdesc lowsrc manifest poster src".split(" "),
);
const LIST_ATTRIBUTES = new Set("archive imagesrcset itemtype ping profile srcset".split(" "));

const WHITE = "[\\x00-\\x20]";
const REFRESH = new RegExp(`^${WHITE}*[0-9.]*${WHITE}*[;,]${WHITE}*url${WHITE}*=${WHITE}*(?:(["'])|)`, "i");
/** A URL holds no control but TAB, LF and CR. */
const CONTROL = new RegExp(`(?![\\t\\n\\r ])[${CONTROLS}]`);
/** What shows that the quote of a value is missing: the end of a tag, the start of one, another attribute. */
const UNCLOSED = new RegExp(`^[^<]*>|${WHITE}<|${WHITE}[A-Za-z0-9+.-]+${WHITE}*=$`);
const SPECIAL = /^(?:https?|wss?|ftp|file)$/i;

/** The form of the value of an attribute. */
export function formOf(tag: string, attribute: string): ValueForm {
  const name = attribute.toLowerCase();
  if (tag.toLowerCase() === "meta" && name === "content") {
    return "refresh";
  }
  return URL_ATTRIBUTES.has(name) ? "url" : LIST_ATTRIBUTES.has(name) ? "token" : "text";
}

/** Where the URL of a value starts and ends, without what is around it. */
export function edgesOf(bytes: string, form: ValueForm): [number, number] {
  const [prefix = bytes, quote] = form === "refresh" ? (REFRESH.exec(bytes) ?? []) : [""];
  const close = quote === undefined ? -1 : bytes.indexOf(quote, prefix.length);
  const inner = bytes.slice(prefix.length, close < 0 ? bytes.length : close);
  const around = form === "token" ? `[${CONTROLS},]` : `[${CONTROLS}]`;
  const start = prefix.length + (new RegExp(`^${around}*`).exec(inner)?.[0].length ?? 0);
  const after = new RegExp(`${around}*$`).exec(inner)?.[0].length ?? 0;
  return [start, Math.max(start, prefix.length + inner.length - after)];
}

/** Whether a text may be the URL of a value: nothing in it shows that the quote is missing (C101, C103). */
export function mayBeUrl(written: string, rules: Rules): boolean {
  return !CONTROL.test(written) && !UNCLOSED.test(written) && !new RegExp(`${WHITE}${rules.schemes.slashed}`, "i").test(written);
}

/** X9: the URL that a value is, or null where it is read as text. */
export function urlOfValue({ bytes }: Source, form: ValueForm, rules: Rules): Found | null {
  const [start, end] = edgesOf(bytes, form);
  const written = bytes.slice(start, end);
  const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(written) ?? [];
  // Text in brackets after the colon is delimited (C90).
  if (
    bytes.length > rules.urlBytesMax ||
    scheme === "" ||
    written[scheme.length + 1] === "<" ||
    CONTROL.test(written) ||
    UNCLOSED.test(written)
  ) {
    return null;
  }
  if (new RegExp(`${WHITE}${rules.schemes.slashed}`, "i").test(written)) {
    return null;
  }
  const offsets = Array.from(written, (_, index) => start + index).filter((at) => !/[\t\n\r]/.test(bytes.charAt(at)));
  const kept = offsets.map((at) => bytes.charAt(at)).join("");
  // In the schemes that browsers know a backslash before the query is a slash.
  const raw = SPECIAL.test(scheme) ? kept.replace(/^[^?#]*/, (before) => before.replaceAll("\\", "/")) : kept;
  if (!isWrappable(raw, false, { ...rules, place: "attribute" })) {
    return null;
  }
  return { start, end, offsets, raw, prefix: "", kind: kept === written ? "plain" : "rejoined", flags: [] };
}
