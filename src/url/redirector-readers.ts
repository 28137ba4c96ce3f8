// Readers of the URL inside a redirector's URL, one for each way to write it. (N10)
import { percentDecode, percentEncode } from "./percent.ts";
import type { Reference } from "./reference.ts";

/** Returns the text that should be the URL inside a redirector's URL, or null. `url` is split from the normal form. */
export type ReadTarget = (url: Reference) => string | null;

const ENCODED_SCHEME = /^[a-z]{3,5}%3A/i;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns a function that reads the URL in the first of these parameters that has a value. */
export function inParameter(...names: readonly string[]): ReadTarget {
  return ({ query }) => decodedText(names.map((name) => parameter(query, name)).find((value) => value) ?? null);
}

/** Returns a function that reads the URL in a parameter in base64. The decoded text may be a percent-encoded URL. */
export function inBase64(name: string): ReadTarget {
  return ({ query }) => base64Text(parameter(query, name));
}

/** Returns a function that reads the URL in one segment of the path, counted from 1, in base64. */
export function inBase64Path(segment: number): ReadTarget {
  return ({ path }) => base64Text(path.split("/")[segment] ?? null);
}

/** Returns a function that reads the URL in one segment of the path, counted from 1. */
export function inPath(segment: number): ReadTarget {
  return ({ path }) => decodedText(path.split("/")[segment] ?? null);
}

/** Returns a function that reads the URL in the path from a segment on, counted from 1; the query and the fragment are part of it. */
export function inRest(segment: number): ReadTarget {
  return (url) => plainText(withTail(url.path.split("/").slice(segment).join("/"), url));
}

/** Reads the URL after the first `/*` in the path; the query and the fragment are part of it. */
export function readAfterStar(url: Reference): string | null {
  return plainText(withTail(url.path.slice(url.path.indexOf("/*") + "/*".length), url));
}

export function readFragment({ fragment }: Reference): string | null {
  return fragment;
}

export function readQuery({ query }: Reference): string | null {
  return plainText(query ?? "");
}

/** Reads the first parameter `u`: `a1`, then base64url, as in results of Bing. */
export function readBing({ query }: Reference): string | null {
  const encoded = /^a1([A-Za-z0-9_-]+)(?:=|%3D)*$/.exec(parameter(query, "u") ?? "")?.[1];
  return encoded === undefined ? null : base64Text(encoded);
}

/** Reads version 2 of URL Defense: `-` stands for a percent sign, `_` for a slash. */
export function readVersion2({ query }: Reference): string | null {
  return decodedText(parameter(query, "u")?.replaceAll("-", "%").replaceAll("_", "/") ?? null);
}

const VERSION_3 = /^__(.+?)__;([A-Za-z0-9_-]*)(?:=|%3D)*(?:!|%21)/s;
const RUN_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Shortest run, in characters: the length that the first of RUN_DIGITS stands for. */
const RUN_LEAST = 2;

/**
 * Reads version 3 of URL Defense. `*` replaces a character that mail programs change. `**` and a digit for the length replace a run of
 * such characters. The replaced characters follow the URL in base64url.
 */
export function readVersion3(url: Reference): string | null {
  const [, marked, replaced] = VERSION_3.exec(withTail(url.path.slice("/v3/".length), url)) ?? [];
  if (marked === undefined || replaced === undefined) return null;
  const characters = utf8Of(base64Bytes(replaced));
  const text = decodedText(marked);
  const whole = characters === null || text === null ? null : withCharacters(text, [...characters]);
  return whole === null ? null : withSlashes(whole);
}

function withCharacters(text: string, characters: readonly string[]): string | null {
  let used = 0;
  const url = text.replace(/\*(?:\*([A-Za-z0-9_-]))?/g, (_, digit: string | undefined) => {
    const from = used;
    used += digit === undefined ? 1 : RUN_DIGITS.indexOf(digit) + RUN_LEAST;
    return characters.slice(from, used).join("");
  });
  return used > characters.length ? null : url;
}

/** Reads the URL between `___` and `___.`, as Check Point writes it. */
export function readUnderscores(url: Reference): string | null {
  const text = withTail(url.path, url);
  const start = text.indexOf("___") + 3;
  const end = text.indexOf("___.", start + 1);
  return start < 3 || end < 0 ? null : withSlashes(plainText(text.slice(start, end)));
}

/** Reads the URL of the page in an AMP viewer or an AMP cache: `s/` before the host stands for https. */
export function readAmp(url: Reference): string | null {
  const [, secure, rest] = /^\/(?:amp|[a-z]{1,3})\/(s\/)?(.+)$/s.exec(url.path) ?? [];
  return rest === undefined ? null : withTail(`${secure === undefined ? "http" : "https"}://${rest}`, url);
}

/** Reads the URL of a page from the host name of Google Translate: one hyphen stands for a dot, two for a hyphen. */
export function readTranslated({ authority, path, query, fragment }: Reference): string | null {
  const name = (authority ?? "").slice(0, -".translate.goog".length).replace(/--|-/g, (hyphens) => (hyphens === "-" ? "." : "-"));
  const parameters = query?.split("&") ?? [];
  const own = parameters.filter((one) => !one.startsWith("_x_tr_"));
  const scheme = parameters.includes("_x_tr_sch=http") ? "http" : "https";
  return withTail(`${scheme}://${name}${path}`, { query: own.length === 0 ? null : own.join("&"), fragment });
}

/**
 * Returns a function that reads the URL in a parameter whose delimiters may be percent-encoded. A URL that is not encoded reaches to the
 * end. One without a scheme gets that of the redirector.
 */
export function inTail(name: string): ReadTarget {
  const parameter = new RegExp(`(?:[?&]|%3F|%26)${name}(?:=|%3D)(.*)$`, "is");
  return (url) => {
    const value = parameter.exec(withTail(url.path, url))?.[1];
    if (value === undefined) return null;
    const isPlain = /^(?:[a-z]+:)?\/\//i.test(value);
    const page = isPlain ? value : (decodedText(value.split("&")[0] ?? null) ?? "");
    return page.startsWith("//") ? `${url.scheme}:${page}` : page;
  };
}

/** Reads the second segment of the path of Postmark: a URL without its scheme. An `s` in the first segment means https. */
export function readPostmark({ path }: Reference): string | null {
  const [, kind = "", target = null] = path.split("/");
  return target === null ? null : `${kind.includes("s") ? "https" : "http"}://${decodedText(target)}`;
}

/** Reads the URL in the path of Yahoo's search results, after `/RU=` and up to `/RK=` or `/RS=`. */
export function readYahoo({ path }: Reference): string | null {
  return decodedText(/\/RU=(.+?)(?:\/RK=|\/RS=|$)/s.exec(path)?.[1] ?? null);
}

/** Reads the parameter `url` of Disqus: a colon and a hash value follow the URL. */
export function readDisqus({ query }: Reference): string | null {
  return decodedText(parameter(query, "url"))?.replace(/:[A-Za-z0-9_-]{20,}$/, "") ?? null;
}

/** Returns the text of a path with the query and the fragment of a URL after it. */
export function withTail(path: string, { query, fragment }: Pick<Reference, "query" | "fragment">): string {
  return `${path}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
}

/** Returns a URL with two slashes after its scheme if it has one there: some programs remove the other. */
export function withSlashes(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/)(?!\/)/i, "$1/");
}

/** Returns the value of the first parameter with a name, as written; null if there is none. */
function parameter(query: string | null, name: string): string | null {
  const found = query?.split("&").find((one) => one.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

/**
 * Returns a text with its triplets decoded; null for null. If they give ill-formed UTF-8, which a string cannot contain, controls and bytes
 * above 7E become triplets again.
 */
export function decodedText(encoded: string | null): string | null {
  if (encoded === null || !encoded.includes("%")) return encoded;
  const bytes = percentDecode(encoded);
  return utf8Of(bytes) ?? percentEncode(bytes, "whatwg-c0-control");
}

/** Returns a URL with its triplets decoded if the colon after its scheme is one of them. Else the triplets are the URL's own. */
export function plainText(url: string): string {
  return ENCODED_SCHEME.test(url) ? (decodedText(url) ?? "") : url;
}

const BASE64 = /^[A-Za-z0-9+/_-]+=*$/;

/** Decodes base64 of either alphabet, percent-encoded or not, then a URL percent-encoded in it. Returns null for any other value. */
export function base64Text(value: string | null): string | null {
  const encoded = decodedText(value) ?? "";
  const text = BASE64.test(encoded) ? utf8Of(base64Bytes(encoded.replace(/(?<!=)=+$/, ""))) : null;
  return text !== null && ENCODED_SCHEME.test(text) ? decodedText(text) : text;
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function base64Bytes(text: string): Uint8Array {
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
