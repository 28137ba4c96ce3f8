/**
 * Relative URLs in values of attributes (C106 to C109), and what they are resolved against: RFC 3986 5.2, and HTML on `base`.
 */
import type { Element, Piece } from "./html.ts";
import type { OracleOptions, Rules } from "./rules.ts";
import { KNOWN } from "./schemes.ts";
import type { Source } from "./source.ts";
import { split } from "./split.ts";
import { edgesOf, mayBeUrl, type ValueForm } from "./url-value.ts";

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

/** The link of a value from an offset on, or null: it is none. */
export function linkAt({ bytes }: Source, from: number, form: ValueForm, element: Element, rules: Rules): Link | null {
  const { tag, attribute } = element;
  if (attribute === "itemtype" || (attribute === "data" && tag !== "object") || bytes.length - from > rules.urlBytesMax) {
    return null;
  }
  const [start, end] = edgesOf(bytes.slice(from), form).map((at) => at + from) as [number, number];
  const written = bytes.slice(start, end);
  if (form === "refresh" && start === from && written === bytes.slice(from).trim()) {
    return null;
  }
  const kept = written.replace(/[\t\n\r]/g, "");
  if (kept === "" || kept.startsWith("#") || SCHEME.test(kept) || SCHEME.test(written) || !mayBeUrl(written, rules)) {
    return null;
  }
  return { start, end, raw: kept.replace(/^[^?#]*/, (before) => before.replaceAll("\\", "/")) };
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
  const parts = split(base, true);
  return KNOWN.rows.get(scheme.toLowerCase())?.shape !== "opaque" && (!("reason" in parts) || parts.reason === "no-host");
}

/** RFC 3986 5.2.2 for references without a scheme; null: the base has no hierarchy. */
export function resolved(base: string, reference: string): string | null {
  const [, scheme, authority, basePath = "", baseQuery] = PARTS.exec(base) ?? [];
  const [, given, ownAuthority, path = "", query, fragment] = PARTS.exec(reference) ?? [];
  if (SCHEME.test(reference) && given !== undefined) {
    return reference;
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
      raw === null || raw.length > BASE_BYTES_MAX || /^(?:data|javascript):/i.test(raw) ? null : resolved(this.#address ?? "", raw);
    this.#url = url === null || url.length > BASE_BYTES_MAX || resolved(url, "/") === null ? this.#address : url;
  }
}
