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
/** What shows that the quote of a value is missing: the end of a tag, the start of one, another attribute (C103). */
const TAG_END = /^[^<]*>/;
const TAG_START = new RegExp(`${WHITE}<`);
const ATTRIBUTE_START = new RegExp(`${WHITE}[A-Za-z0-9+.-]+${WHITE}*=$`);
const COMMON_START = new RegExp(`${WHITE}(?:alt|border|class|href|name|onclick|rel|src|style|target|title)${WHITE}*=$`, "i");
const SPECIAL = /^(?:https?|wss?|ftp|file)$/i;
/** The schemes before whose host browsers read any slashes as two (C193). */
const WITH_SERVER = /^(https?|wss?|ftp):([/\\]*)/i;

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

/** What C103 looks at beside the text itself. */
export interface ValueSigns {
  text: Source;
  isClosed: boolean;
}

/** Whether a reference of a value stands for `<` or `>`, and nothing before it shows that the quote is missing. */
function isMarked({ bytes, startOf, endOf }: Source): boolean {
  const isReference = (at: number): boolean => endOf(at) - startOf(at) > 1 && (at + 1 >= bytes.length || startOf(at + 1) !== startOf(at));
  const first = [...bytes].findIndex((byte, at) => /[<>]/.test(byte) && isReference(at));
  return first >= 0 && !TAG_END.test(bytes.slice(0, first)) && !TAG_START.test(bytes.slice(0, first));
}

/** Whether a text may be the URL of a value: nothing in it shows that the quote is missing (C103). */
export function mayBeUrl(written: string, { text, isClosed }: ValueSigns, rules: Rules): boolean {
  const isBroken = !isMarked(text) && (TAG_END.test(written) || TAG_START.test(written));
  const isJoined = (isClosed ? COMMON_START : ATTRIBUTE_START).test(written);
  return !isBroken && !isJoined && !new RegExp(`${WHITE}${rules.schemes.slashed}`, "i").test(written);
}

/** C102: the text of a value as browsers read it: without TAB, LF and CR. Bytes 01 to 03 are 04. */
export function keptOf(written: string): string {
  return written.replace(/[\t\n\r]/g, "").replace(/./gs, (byte) => (byte > "\0" && byte < "\x04" ? "\x04" : byte));
}

/** C193: what a URL without `//` has after its scheme, which may be relative to a base of that scheme; null where that cannot be. */
export function relativePart(kept: string): string | null {
  const [prefix, scheme = "", slashes = ""] = WITH_SERVER.exec(kept) ?? [];
  return prefix === undefined || slashes.length > 1 ? null : kept.slice(scheme.length + 1);
}

/** X9: the URL that a value is, or null where it is read as text. */
export function urlOfValue(signs: ValueSigns, form: ValueForm, rules: Rules): Found | null {
  const { bytes } = signs.text;
  const [start, end] = edgesOf(bytes, form);
  const written = bytes.slice(start, end);
  const kept = keptOf(written);
  const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(kept) ?? [];
  // Text in brackets after the colon is delimited (C90).
  if (bytes.length > rules.urlBytesMax || scheme === "" || kept[scheme.length + 1] === "<" || !mayBeUrl(written, signs, rules)) {
    return null;
  }
  const places = Array.from(written, (_, index) => start + index).filter((at) => !/[\t\n\r]/.test(bytes.charAt(at)));
  // In the schemes that browsers know a backslash before the query is a slash.
  const slashed = SPECIAL.test(scheme) ? kept.replace(/^[^?#]*/, (before) => before.replaceAll("\\", "/")) : kept;
  const [prefix = "", , slashes = ""] = WITH_SERVER.exec(slashed) ?? [];
  const after = prefix.length - slashes.length;
  const raw = prefix === "" ? slashed : `${slashed.slice(0, after)}//${slashed.slice(prefix.length)}`;
  // The two slashes are the first of those that are there, or stand where the rest begins.
  const placeOf = (index: number): number => places[after + Math.min(index, slashes.length)] ?? end - 1;
  const offsets = prefix === "" ? places : [...places.slice(0, after), placeOf(0), placeOf(1), ...places.slice(prefix.length)];
  if (!isWrappable(raw, false, { ...rules, place: "attribute" }) || hasWhiteHost(raw)) {
    return null;
  }
  return { start, end, offsets, raw, prefix: "", kind: kept.length === written.length ? "plain" : "rejoined", flags: [] };
}

/** C101: whether there is white space in the host, which is beyond ASCII there. */
function hasWhiteHost(raw: string): boolean {
  const [, authority = ""] = /^[^:]*:\/\/([^/?#]*)/.exec(raw) ?? [];
  return /(?=\P{ASCII})\p{Z}/u.test(Buffer.from(authority.slice(authority.lastIndexOf("@") + 1), "latin1").toString());
}
