// Shared by the readers and writers of the schemes: decodes and encodes components.
import { decodeUtf8 } from "../../core/text.ts";
import type { GenericUrl, UrlParts } from "../core-url.ts";
import { percentDecode, percentEncode } from "../percent.ts";
import { splitUserinfo } from "../reference.ts";
import type { PartTypes } from "./part-types.ts";

export type { UrlParts };

/** The components of a URL as written; `format` joins them. (P0) */
export type Components = Pick<GenericUrl, "scheme" | "userinfo" | "host" | "port" | "path" | "query" | "fragment">;

/** A name and its value, decoded. */
export type UrlField = readonly [name: string, value: string];

/** Reads and writes the parts of a scheme. */
export interface SchemeParts<Url extends UrlParts> {
  /** The parts that `format` reads. */
  readonly types: PartTypes;
  /** Returns the parts of this scheme, and the generic components that this scheme reads in another way than P0. */
  read(url: UrlParts): Omit<Url, keyof UrlParts> & Partial<Pick<Url, "user" | "password" | "host" | "path" | "query">>;
  /** Returns the components written from these parts. */
  write(url: Url): Components;
  /** Whether `write` writes the userinfo, because `user` and `password` are decoded. */
  readonly hasDecodedLogin?: true;
  /** Whether the path may contain a `?`. */
  readonly hasQueryInPath?: true;
  /** Returns the names of the parts that must be equal after the written URL is parsed; all of `types` if absent. */
  comparedParts?(url: Url): readonly string[];
}

/** The characters that need no triplet in a path segment. Left out: the unreserved ones, and `;` and `=`, which many schemes reserve. */
export const IN_SEGMENT = "!$&'()*+,:@";

/** Returns the text of a component, with U+FFFD for ill-formed UTF-8. (P0) */
export function decode(written: string): string {
  return written.includes("%") ? decodeUtf8(percentDecode(written)) : written;
}

/** Returns the text of a component, or null if it is absent. (P0) */
export function decodeOrNull(written: string | null | undefined): string | null {
  return written === null || written === undefined ? null : decode(written);
}

/** Returns a text with triplets for all characters but the unreserved ones and those in `plain`. */
function encode(text: string, plain: string): string {
  return text.replace(/[^A-Za-z0-9._~-]/gu, (character) =>
    plain.includes(character) ? character : percentEncode(character, "rfc3986-unreserved"),
  );
}

/**
 * Returns a part as a component. Keeps `written` if it is this part already: the text alone does not distinguish `%3A` from `:`, which
 * make two URLs, nor show which bytes U+FFFD replaced. Encodes all characters but the unreserved ones and those in `plain`. (P0, P11)
 */
export function write(part: string, written: string | null | undefined, plain: string): string {
  return typeof written === "string" && decode(written) === part ? written : encode(part, plain);
}

/** Splits `name=value` at its first `=` and decodes both. (P0) */
export function fieldOf(written: string): UrlField {
  const [name, value] = splitAt(written, "=");
  return [decode(name), decode(value ?? "")];
}

/** Returns a field as a component. Keeps `written` if it is this field already, with or without its `=`. (P0) */
export function writeField(field: UrlField, written: string | undefined, plain: string): string {
  const [name, value] = field;
  const old = written === undefined ? undefined : fieldOf(written);
  if (written !== undefined && old?.[0] === name && old[1] === value) return written;
  return `${encode(name, plain)}=${encode(value, plain)}`;
}

/** Splits a text at the first `delimiter`, which is one character. `after` is null if there is none. */
export function splitAt(text: string, delimiter: string): readonly [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns a path without its leading `/`. */
export function withoutSlash(path: string): string {
  return path.startsWith("/") ? path.slice(1) : path;
}

/** Returns `body` with a leading `/`. Returns an empty path if `body` and the path before, as written, are empty. (N5) */
export function withSlash(body: string, before: string): string {
  return body === "" && before === "" ? "" : `/${body}`;
}

/** Returns user and password, decoded; null if absent. (P1, P6) */
export function readLogin(url: UrlParts): { user: string | null; password: string | null } {
  return { user: decodeOrNull(url.user), password: decodeOrNull(url.password) };
}

/** Returns the userinfo that has this decoded user and password, or null if there is no user. (P1, P6) */
export function writeLogin(url: Pick<UrlParts, "user" | "password" | "userinfo">): string | null {
  if (url.user === null) return null;
  const written = splitUserinfo(url.userinfo);
  const name = write(url.user, written.user, "!$&'()*+,;=");
  return url.password === null ? name : `${name}:${write(url.password, written.password, "!$&'()*+,;=:")}`;
}
