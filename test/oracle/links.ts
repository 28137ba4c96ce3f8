/**
 * Relative URLs in values of attributes (C106 to C109), and what they are resolved against: RFC 3986 5.2, and HTML on `base`.
 */
import type { Element, Piece } from "./html.ts";
import type { OracleOptions, Rules } from "./rules.ts";
import { KNOWN } from "./schemes.ts";
import { sliceOf } from "./source.ts";
import { split } from "./split.ts";
import { edgesOf, keptOf, mayBeUrl, relativePart, type ValueForm, type ValueSigns } from "./url-value.ts";

/** A link in a text: its span there, and its raw form. */
export interface Link {
  start: number;
  end: number;
  raw: string;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** RFC 3986, appendix B, with the characters of a scheme. */
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const BASE_BYTES_MAX = 2048;

/** C106: whether a relative URL is a link in an attribute. */
export function mayLink({ tag, attribute }: Element): boolean {
  return attribute !== "itemtype" && (attribute !== "data" || tag === "object");
}

/** The link of a value from an offset on, or null: it is none. */
export function linkAt(signs: ValueSigns, from: number, form: ValueForm, element: Element, rules: Rules): Link | null {
  const { text, isClosed } = signs;
  const { bytes } = text;
  if (!mayLink(element) || bytes.length - from > rules.urlBytesMax) {
    return null;
  }
  const [start, end] = edgesOf(bytes.slice(from), form).map((at) => at + from) as [number, number];
  const written = bytes.slice(start, end);
  if (form === "refresh" && start === from && written === bytes.slice(from).trim()) {
    return null;
  }
  const kept = keptOf(written);
  const reference = relativePart(kept) ?? kept;
  const isWhole = reference === kept;
  if (/^(?:$|#)/.test(reference) || (isWhole && SCHEME.test(kept)) || (!isWhole && (from > 0 || reference.startsWith("<")))) {
    return null;
  }
  if (!mayBeUrl(written, { text: sliceOf(text, from, bytes.length), isClosed }, rules)) {
    return null;
  }
  return { start, end, raw: kept.replace(/^[^?#]*/, (before) => before.replaceAll("\\", "/")) };
}

/** C193: the target of a link as browsers resolve it; null: it has no base. */
export function targetOf(base: string | null, raw: string): string | null {
  const rest = relativePart(raw);
  if (rest === null) {
    return base === null ? null : resolved(base, raw);
  }
  const prefix = raw.slice(0, raw.length - rest.length).toLowerCase();
  if (base === null || !base.toLowerCase().startsWith(prefix)) {
    return resolved("", `${prefix}//${rest.replace(/^\/+/, "")}`);
  }
  return resolved(base, /^[^/?#]*:/.test(rest) ? `./${rest}` : rest);
}

/** RFC 3986 5.2.4. */
function withoutDots(path: string): string {
  const output: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") {
      output.pop();
    }
    if (segment !== "." && segment !== "..") {
      output.push(segment);
    } else if (isLast) {
      output.push("");
    }
  }
  return `/${output.join("/")}`;
}

/** P10: whether a base is a URL with a hierarchy, which needs no host. */
function hasHierarchy(base: string, scheme: string): boolean {
  // What no URL can hold is written as triplets first.
  const parts = split(
    base.replace(/[\0- "<>\\`\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`),
    true,
  );
  return KNOWN.rows.get(scheme.toLowerCase())?.shape !== "opaque" && (!("reason" in parts) || parts.reason === "no-host");
}

/** RFC 3986 5.2.2 for references without a scheme; null: the base has no hierarchy. */
export function resolved(base: string, reference: string): string | null {
  const [, scheme, authority, basePath = "", baseQuery] = PARTS.exec(base) ?? [];
  const [, given, ownAuthority, path = "", query, fragment] = PARTS.exec(reference) ?? [];
  if (SCHEME.test(reference) && given !== undefined) {
    const isPath = (ownAuthority !== undefined || path.startsWith("/")) && KNOWN.rows.get(given.toLowerCase())?.shape !== "opaque";
    const [before] = /^[^:]*:(?:\/\/[^/?#]*)?/.exec(reference) ?? [""];
    return isPath && path.includes("/.") ? before + withoutDots(path) + reference.slice(before.length + path.length) : reference;
  }
  if (scheme === undefined || !hasHierarchy(base, scheme) || (authority === undefined && !basePath.startsWith("/"))) {
    return null;
  }
  const tail = (own: string | undefined): string => (own === undefined ? "" : `?${own}`) + (fragment === undefined ? "" : `#${fragment}`);
  const root = `${scheme}:${authority === undefined ? "" : `//${authority}`}`;
  if (ownAuthority !== undefined) {
    return `${scheme}://${ownAuthority}${path.includes("/.") ? withoutDots(path) : path}${tail(query)}`;
  }
  if (path === "") {
    return root + basePath + tail(query ?? baseQuery);
  }
  const directory = authority !== undefined && basePath === "" ? "/" : basePath.slice(0, basePath.lastIndexOf("/") + 1);
  const whole = path.startsWith("/") ? path : directory + path;
  return root + (whole.includes("/.") ? withoutDots(whole) : whole) + tail(query);
}

/** The base of each place of a page: its own address up to its first `base`, then the URL of that. */
export class Base {
  #isGiven = false;
  #url: string | null;
  readonly #address: string | null;

  constructor({ address, base }: OracleOptions) {
    this.#address = address ?? base ?? null;
    this.#url = this.#address;
  }

  get url(): string | null {
    return this.#url;
  }

  /** Takes the value of an attribute: `raw` is the URL that it is, or the link, or null. */
  take({ element }: Piece, raw: string | null): void {
    if (this.#isGiven || element?.tag !== "base" || element.attribute !== "href") {
      return;
    }
    this.#isGiven = true;
    const url =
      raw === null || raw.length > BASE_BYTES_MAX || /^(?:data|javascript):/i.test(raw) ? null : targetOf(this.#address ?? "", raw);
    this.#url = url === null || url.length > BASE_BYTES_MAX || resolved(url, "/") === null ? this.#address : url;
  }
}
