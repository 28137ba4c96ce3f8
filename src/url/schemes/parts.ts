// The types of parts, and how the reader and the writer of a scheme are made of its syntax.
import { decodeUtf8 } from "../../core/text.ts";
import type { GenericUrl } from "../core-url.ts";
import { percentDecode, percentEncode } from "../percent.ts";
import { splitUserinfo } from "../reference.ts";
import type { UrlField, UrlParts } from "./urls.ts";

/** The components of a URL as written; `format` joins them. (P0) */
export type Components = Pick<GenericUrl, "scheme" | "userinfo" | "host" | "port" | "path" | "query" | "fragment">;

/** Tests a part that is given to `format`. */
export interface PartType {
  /** Follows the name of the part in error messages. */
  readonly expected: string;
  isRight(part: unknown): boolean;
}

export type PartTypes = Readonly<Record<string, PartType>>;

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

const isText = (part: unknown): part is string => typeof part === "string";
// Array.from turns holes into undefined; `every` would skip them.
const isList = (part: unknown, isRight: (one: unknown) => boolean): boolean => Array.isArray(part) && Array.from(part).every(isRight);
const isField = (part: unknown): boolean => isList(part, isText) && (part as readonly string[]).length === 2;

export const TEXT: PartType = { expected: "must be a string", isRight: isText };
export const TEXTS: PartType = { expected: "must be an array of strings", isRight: (part) => isList(part, isText) };
const FIELDS: PartType = { expected: "must be an array of pairs of strings", isRight: (part) => isList(part, isField) };
const SCHEME: PartType = {
  expected: "must be a letter, then letters, digits, +, . or -, in lower case",
  isRight: (part) => isText(part) && /^[a-z][a-z0-9+.-]*$/.test(part),
};
const PORT: PartType = {
  expected: "must be a whole number from 0 to 65535",
  isRight: (part) => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 65535,
};

export function nullable({ expected, isRight }: PartType): PartType {
  return { expected: `${expected}, or null`, isRight: (part) => part === null || isRight(part) };
}

export const TEXT_OR_NULL = nullable(TEXT);
export const LOGIN: PartTypes = { user: TEXT_OR_NULL, password: TEXT_OR_NULL };

export const GENERIC_TYPES: PartTypes = {
  scheme: SCHEME,
  userinfo: TEXT_OR_NULL,
  ...LOGIN,
  host: TEXT_OR_NULL,
  port: nullable(PORT),
  path: TEXT,
  query: TEXT_OR_NULL,
  fragment: TEXT_OR_NULL,
};

/** A part that is decoded from its text in the URL, and encoded into it. */
interface CodedPart<Part, Written> extends PartType {
  decode(written: Written): Part;
  /** Returns a part as written. Keeps `written` if it is this part already. */
  write(part: Part, written: Written | null | undefined): Written;
}

/** A part that is a text; `plain`: the characters that need no triplet in it, besides the unreserved ones. */
export function text(plain: string): CodedPart<string, string> {
  return { ...TEXT, decode, write: (part, written) => write(part, written, plain) };
}

/** A part that is in the URL as it is. */
export const VERBATIM: CodedPart<string, string> = { ...TEXT, decode: (written) => written, write: (part) => part };

export function texts(plain: string): CodedPart<readonly string[], readonly string[]> {
  const each = (parts: readonly string[], written: readonly string[] | null = []): string[] =>
    parts.map((part, index) => write(part, written?.[index], plain));
  return { ...TEXTS, decode: (written) => written.map(decode), write: each };
}

export function fields(plain: string): CodedPart<readonly UrlField[], readonly string[]> {
  const each = (parts: readonly UrlField[], written: readonly string[] | null = []): string[] =>
    parts.map((field, index) => writeField(field, written?.[index], plain));
  return { ...FIELDS, decode: (written) => written.map(fieldOf), write: each };
}

export function orNull<Part, Written>(type: CodedPart<Part, Written>): CodedPart<Part | null, Written | null> {
  return {
    ...nullable(type),
    decode: (written) => (written === null ? null : type.decode(written)),
    write: (part, written) => (part === null ? null : type.write(part, written)),
  };
}

type AsWritten<Part> = Part extends readonly UrlField[] ? readonly string[] : Part;
/** The parts of a scheme as written in a URL. */
type Written<Url, Name extends keyof Url> = { readonly [One in Name]: AsWritten<Url[One]> };
type Own<Url> = Omit<Url, keyof UrlParts>;

/** The components of which a scheme makes parts. */
type Divided = Pick<Components, "host" | "path" | "query" | "fragment">;

/** The syntax of a scheme. `Name`: the parts that the URL is divided into. */
interface Syntax<Url extends UrlParts, Name extends keyof Own<Url>> extends Pick<SchemeParts<Url>, "hasQueryInPath" | "comparedParts"> {
  readonly parts: { readonly [One in Name]: CodedPart<Url[One], Written<Url, Name>[One]> };
  /** Returns the components that this scheme reads in another way than P0. */
  components?(url: UrlParts): Partial<Divided>;
  split(url: Divided): Written<Url, Name>;
  /** Returns the components of which `split` makes these parts. `before`: the parts in the components of `url`. */
  join(parts: Written<Url, Name>, url: Url, before: Written<Url, Name>): Partial<Components>;
  /** Returns the decoded parts with those that are made of them. */
  complete?(parts: Pick<Url, Name>, written: Written<Url, Name>): Own<Url>;
}

/** Returns the reader and the writer of a scheme whose URL is divided into parts, which are decoded one by one. */
export function scheme<Url extends UrlParts, Name extends keyof Own<Url> = keyof Own<Url>>(syntax: Syntax<Url, Name>): SchemeParts<Url> {
  const { parts, split, join, components, complete, ...rest } = syntax;
  const names = Object.keys(parts) as Name[];
  const read = (url: UrlParts): ReturnType<SchemeParts<Url>["read"]> => {
    const { host, path, query, fragment } = url;
    const own = components?.(url);
    const written = split(own === undefined ? url : { host, path, query, fragment, ...own });
    const decoded = {} as { [One in Name]: Url[One] };
    for (const name of names) decoded[name] = parts[name].decode(written[name]);
    return Object.assign(complete?.(decoded, written) ?? decoded, own) as ReturnType<SchemeParts<Url>["read"]>;
  };
  const writeAll = (url: Url): Components => {
    const before = split(url);
    const written = {} as { -readonly [One in Name]: Written<Url, Name>[One] };
    for (const name of names) written[name] = parts[name].write(url[name], before[name]);
    return { ...url, ...join(written, url, before) };
  };
  return { ...rest, types: parts as PartTypes, read, write: writeAll };
}

/** The characters that need no triplet in a path segment. Left out: the unreserved ones, and `;` and `=`, which many schemes reserve. */
export const IN_SEGMENT = "!$&'()*+,:@";

/** Returns the text of a component, with U+FFFD for ill-formed UTF-8. (P0) */
export function decode(written: string): string {
  return written.includes("%") ? decodeUtf8(percentDecode(written)) : written;
}

export function decodeOrNull(written: string | null): string | null {
  return written === null ? null : decode(written);
}

/** Returns a text with triplets for all characters but the unreserved ones and those in `plain`. */
function encode(part: string, plain: string): string {
  return part.replace(/[^A-Za-z0-9._~-]/gu, (character) =>
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
function writeField([name, value]: UrlField, written: string | undefined, plain: string): string {
  const [oldName, oldValue] = written === undefined ? [] : fieldOf(written);
  return written !== undefined && oldName === name && oldValue === value ? written : `${encode(name, plain)}=${encode(value, plain)}`;
}

/** Splits a text at the first `delimiter`, which is one character. `after` is null if there is none. */
export function splitAt(whole: string, delimiter: string): readonly [before: string, after: string | null] {
  const at = whole.indexOf(delimiter);
  return at < 0 ? [whole, null] : [whole.slice(0, at), whole.slice(at + 1)];
}

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
