// Keys of CDX indices: URLs as the indices of web archives sort them.
import { SCHEMES } from "#core/tables/schemes.js";
import { splitAuthority, splitUrl } from "./reference.ts";

const KNOWN: ReadonlySet<string> = new Set(SCHEMES.map(({ name }) => name));
const WWW = /^www\d*\./;
/** Session parameters in lower case, in the order of removal. */
const SESSIONS = [/^jsessionid=[0-9a-z]{32}$/, /^phpsessid=[0-9a-z]{32}$/, /^sid=[0-9a-z]{32}$/, /^aspsessionid[a-z]{8}=[a-z]{24}$/];
/** Folders of ASP.NET with the id of a session, before the name of a page. */
const ASP_SESSIONS = [/^\((?:[a-z]\([0-9a-z]{24}\))+\)$/, /^\([0-9a-z]{24}\)$/];
const [PERCENT, HASH] = [0x25, 0x23];

/** Returns the key of a normal form. A URL without a host, or of a scheme that is not built in, stays as it is. (N11, C244) */
export function cdxKeyOf(normalForm: string): string {
  const { scheme, authority, path, query } = splitUrl(normalForm);
  if (authority === null || !KNOWN.has(scheme ?? "")) return normalForm;
  const { host, port } = splitAuthority(authority);
  const name = (host.endsWith(".") ? host.slice(0, -1) : host).toLowerCase().replace(WWW, "");
  if (name === "") return normalForm;
  const labels = name.startsWith("[") ? name : name.split(".").reverse().join(",");
  const sorted = query === null ? "" : queryOf(reencoded(query).toLowerCase());
  const authorityKey = port === null || port === "" ? labels : `${labels}:${port}`;
  return `${authorityKey})${pathOf(reencoded(path).toLowerCase())}${sorted === "" ? "" : `?${sorted}`}`;
}

/** Returns a path without empty and dot segments, folders of ASP_SESSIONS, and a final slash; `/` if nothing is left. */
function pathOf(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  for (const session of ASP_SESSIONS) {
    const index = segments.findLastIndex((segment) => session.test(segment));
    const isBeforePage = segments.slice(index + 1).some((segment) => segment.includes(".aspx"));
    if (index >= 0 && isBeforePage) segments.splice(index, 1);
  }
  return `/${segments.join("/")}`;
}

/** Returns a query without ids of sessions, its parameters sorted by name, then by value. */
function queryOf(query: string): string {
  const parameters = query.split("&");
  for (const session of SESSIONS) removeLast(parameters, 1, (text) => session.test(text));
  removeLast(parameters, 2, (text, index) => /^cfid=./.test(text) && /^cftoken=./.test(parameters[index + 1] ?? ""));
  // A NUL ends each name, because a shorter name comes first: `a=1` before `a-b=1`. It is in no query.
  const sorted = parameters.map((text) => text.replace("=", "\0=")).sort();
  return sorted.join("&").replaceAll("\0", "");
}

/** Removes `count` parameters from the last one on that `isRemoved` takes. The `&` before the end stays, as in the indices. */
function removeLast(parameters: string[], count: number, isRemoved: (text: string, index: number) => boolean): void {
  const index = parameters.findLastIndex(isRemoved);
  if (index < 0) return;
  const isEnd = index > 0 && index + count === parameters.length;
  parameters.splice(index, count, ...(isEnd ? [""] : []));
}

/** Decodes the triplets of an ASCII text until none is left, then encodes controls, spaces, `#`, `%` and bytes that are not ASCII. */
function reencoded(text: string): string {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    bytes.push(text.charCodeAt(index));
    for (let byte = tripletAtEnd(bytes); byte >= 0; byte = tripletAtEnd(bytes)) bytes.splice(-3, 3, byte);
  }
  let encoded = "";
  for (const byte of bytes) {
    const isPlain = byte > 0x20 && byte < 0x7f && byte !== HASH && byte !== PERCENT;
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

/** Returns the byte encoded by the triplet at the end of `bytes`, or -1. */
function tripletAtEnd(bytes: readonly number[]): number {
  const start = bytes.length - 3;
  if (start < 0 || bytes[start] !== PERCENT) return -1;
  const digits = String.fromCharCode(bytes[start + 1], bytes[start + 2]);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}
