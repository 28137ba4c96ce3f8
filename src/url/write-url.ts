// Writes a URL from its parts.
import { InputError, wrongInput } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { getUrlCore } from "../core/url-core.ts";
import { asWritten, partsWith } from "./core-url.ts";
import { percentEncode } from "./percent.ts";
import { composeAuthority, composeReference, pathAfter } from "./reference.ts";
import { schemeParts, withParts } from "./schemes/all.ts";
import { type Components, GENERIC_TYPES, type PartTypes } from "./schemes/parts.ts";
import type { ParsedUrl } from "./schemes/urls.ts";
import { URL_BYTES_LIMIT } from "./text.ts";

// Characters that would end a component, and lone surrogates.
const NOT_IN_USER = /[/:?#@\p{Cs}]/gu;
const NOT_IN_PASSWORD = /[/?#@\p{Cs}]/gu;
const NOT_IN_PATH = /[?#\p{Cs}]/gu;
const NOT_AFTER_PATH = /[#\p{Cs}]/gu;

// A host with one of these characters is refused: encoding them would make another host.
const NEVER_IN_HOST = /[\0-\x20\x7f"<>\\`]/;

/**
 * Writes the URL that has these parts. It is equivalent to the URL that they were parsed from: both have the same normal form.
 *
 * Parts may be changed before. The finer part wins: a part of the scheme over `path` and `query` (`cell` and `f` over `host` and
 * `fragment`), `user` and `password` over `userinfo`, wais `fields` over `wpath`. `query` and `searchpart` are changed together. Derived
 * parts are ignored: `flags`, ftp `commands`, and of gopher `selectorBytes`, `view`, `language`, `attributes`, `ask` and `request`.
 * A part that was not changed keeps its spelling from `path`, `query` or `userinfo`: `%3A` and `:` are one text but two URLs. A changed
 * part is written in UTF-8, with triplets for the characters that need them there; a changed generic component is written as it is, with
 * triplets for the characters that it cannot contain.
 * Throws InputError, whose message names the part, if `url` is no result of `parse`, or if a part would be read as another one. (P)
 */
export function format(url: ParsedUrl): string {
  checkParts(url);
  const components = writableComponents(url);
  const { userinfo, host, port, ...rest } = components;
  const authority = host === null ? null : composeAuthority({ userinfo, host, port: port === null ? null : `${port}` });
  const written = composeReference({ ...rest, authority });
  checkWritten(url, components, written);
  return written;
}

function checkParts(url: ParsedUrl): void {
  if (typeof url !== "object" || url === null || url.ok !== true) throw wrongInput("url", "a result of parse with ok: true", url);
  checkTypes(url, GENERIC_TYPES, "");
  checkTypes(url, schemeParts(url.scheme).types, ` of a URL of the scheme ${url.scheme}`);
  if (url.user === null && url.password !== null) throw new InputError("password cannot be written without a user");
}

function checkTypes(url: ParsedUrl, types: PartTypes, where: string): void {
  for (const [name, { expected, isRight }] of Object.entries(types)) {
    const part = partOf(url, name);
    if (!isRight(part)) throw new InputError(`${name}${where} ${expected}, not ${shownValue(part)}`);
  }
}

function partOf(url: ParsedUrl, name: string): unknown {
  return Object.hasOwn(url, name) ? url[name as keyof ParsedUrl] : undefined;
}

/** Returns the components to write, in a form in which no component runs into the next one, if possible. */
function writableComponents(url: ParsedUrl): Components {
  const parts = schemeParts(url.scheme);
  const given = parts.write(url);
  return {
    ...given,
    host: given.host === null || NEVER_IN_HOST.test(given.host) ? given.host : asUrlText(given.host),
    userinfo: parts.hasDecodedLogin ? writable(given.userinfo, NOT_IN_PASSWORD) : userinfoOf(url.user, url.password),
    path: pathAfter(given.scheme, given.host !== null, writable(given.path, parts.hasQueryInPath ? NOT_AFTER_PATH : NOT_IN_PATH)),
    query: writable(given.query, NOT_AFTER_PATH),
    fragment: writable(given.fragment, NOT_AFTER_PATH),
  };
}

/** Returns a component as written, with triplets for the characters that this component or any URL cannot contain. A `%` stays. */
function writable<Component extends string | null>(component: Component, outside: RegExp): Component | string {
  return component === null ? component : asUrlText(component.replace(outside, (one) => percentEncode(one, "rfc3986-unreserved")));
}

/** Returns a text with triplets for the characters that no URL can contain. An overlong text stays: its URL is refused later. */
function asUrlText(text: string): string {
  return asWritten(getUrlCore(), text) ?? text;
}

function userinfoOf(user: string | null, password: string | null): string | null {
  const name = writable(user, NOT_IN_USER);
  return password === null ? name : `${name}:${writable(password, NOT_IN_PASSWORD)}`;
}

/** Throws InputError, whose message names the part, if parsing `written` gives other parts. (P0) */
function checkWritten(url: ParsedUrl, components: Components, written: string): void {
  const after = readAgain(components, written);
  const { types, comparedParts = () => Object.keys(types) } = schemeParts(url.scheme);
  for (const name of comparedParts(url)) {
    // An absent part is written as empty if a part follows it: gopher's search before `plus`.
    const isFilled = partOf(url, name) === null && partOf(after, name) === "";
    if (!isFilled && comparable(partOf(url, name)) !== comparable(partOf(after, name))) throw cannotWrite(name, url.scheme);
  }
}

/** Parses `written`. Throws InputError if it is no URL, or if the parsed components differ from `wanted`. */
function readAgain(wanted: Components, written: string): ParsedUrl {
  const { scheme, host, path } = wanted;
  if (host !== null && path !== "" && !path.startsWith("/")) throw new InputError("path must be empty or begin with / after a host");
  const found = partsWith(getUrlCore(), written);
  const parts = schemeParts(scheme);
  if (!found.ok) {
    if (found.code === "overlong") throw new InputError(`the parts make a URL of more than ${URL_BYTES_LIMIT} bytes`);
    // The port is a number here, so an error in the authority is one of its host.
    throw cannotWrite(found.code === "bad-shape" ? ["path", ...Object.keys(parts.types)].join(", ") : "host", scheme);
  }
  for (const name of ["host", "userinfo", "port", "fragment"] as const) {
    if (found[name] !== wanted[name]) throw cannotWrite(name, scheme);
  }
  if (afterAuthority(found) !== afterAuthority(wanted)) throw cannotWrite("path", scheme);
  return withParts(found);
}

/** Joins path and query: in some schemes the first `?` belongs to the path. */
function afterAuthority({ path, query }: Pick<Components, "path" | "query">): string {
  return query === null ? path : `${path}?${query}`;
}

/** Returns a part as text to compare, with U+FFFD for a lone surrogate, as in a URL. */
function comparable(part: unknown): string {
  return JSON.stringify(part, (_, value: unknown) => (typeof value === "string" ? value.replace(/\p{Cs}/gu, "\ufffd") : value));
}

function cannotWrite(part: string, scheme: string): InputError {
  return new InputError(`${part} cannot be written in a URL of the scheme ${scheme}: parse would read it differently`);
}
