// gopher and Gopher+: the item, and the request for it (P3).
import { percentDecode } from "../percent.ts";
import { TEXT, TEXT_OR_NULL } from "./part-types.ts";
import { decode, decodeOrNull, IN_SEGMENT, type SchemeParts, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** A gopher URL. Its `path` includes a `?` and the text after it; `query` is null except in `gopher://host?x`. (P3) */
export interface GopherUrl extends UrlParts {
  readonly scheme: "gopher";
  /** The type of the item, one character; `1` if the URL has none. */
  readonly type: string;
  /** Decoded. It may contain any bytes, so use `selectorBytes` for requests. */
  readonly selector: string;
  readonly selectorBytes: Uint8Array;
  /** The search string, decoded. Null if the URL has none; empty if only the `%09` before it is there. */
  readonly search: string | null;
  /** The Gopher+ string, decoded; null if the URL has none. */
  readonly plus: string | null;
  /** The alternate view after `+`; null if there is none. */
  readonly view: string | null;
  /** The language after the view; null if there is none. */
  readonly language: string | null;
  /** The names of attributes after `!` (of the item) or `$` (of a directory), empty for all; null for other strings. */
  readonly attributes: readonly string[] | null;
  /** The answers to an ASK form after `+`; null for other strings. */
  readonly ask: readonly string[] | null;
  /** The bytes that a client sends; null if a CR or LF outside an ASK form would begin another request. */
  readonly request: Uint8Array | null;
}

type Written = Pick<GopherUrl, "type" | "selector" | "search" | "plus">;

const PLAIN = `${IN_SEGMENT}/;=`;
const ASK_FORM = /^\+[^\t\r\n]*\t1\r\n\+-1\r\n((?:[^\r\n]*\r\n)*)\.\r\n$/;

// One character, or the triplets of one, and the rest. A TAB is no type.
const TYPE = /^((?!%09|\t)(?:%[0-7][0-9A-F]|%[89A-F][0-9A-F](?:%[89AB][0-9A-F])*|.))?(.*)$/isu;

/** Returns the path, including a `?` and the text after it. An empty path stays empty. */
function wholePath(url: UrlParts): string {
  return url.path === "" || url.query === null ? url.path : `${url.path}?${url.query}`;
}

function split(path: string): Written {
  const [, type = "", rest = ""] = TYPE.exec(withoutSlash(path)) ?? [];
  const [, selector = "", search = null, plus = null] = /^(.*?)(?:(?:%09|\t)(.*?)(?:(?:%09|\t)(.*))?)?$/s.exec(rest) ?? [];
  return { type, selector, search, plus };
}

function answersOf(plus: string): string[] | null {
  const answers = ASK_FORM.exec(plus)?.[1]?.split("\r\n").slice(0, -1) ?? null;
  // A line with a dot ends the form, so it cannot be an answer.
  return answers === null || answers.includes(".") ? null : answers;
}

/** Returns the parts of a Gopher+ string, whose first character is its kind. */
function readPlus(written: string | null): Pick<GopherUrl, "view" | "language" | "attributes" | "ask"> {
  const text = decodeOrNull(written) ?? "";
  const [content = ""] = (written ?? "").replace(/^(?:%[0-9A-Fa-f]{2}|.)/su, "").split(/%09|\t/);
  const names = content.split(/%20| /).map(decode);
  const attributes = /^[!$]/.test(text) ? names.filter((name) => name !== "") : null;
  if (!text.startsWith("+")) return { view: null, language: null, attributes, ask: null };
  const [view = "", language = null] = names;
  return { view: view === "" ? null : view, language, attributes, ask: answersOf(text) };
}

function requestOf(written: Written, isAsk: boolean): Uint8Array | null {
  const { selector, search, plus } = written;
  const fields = plus === null ? [selector, search] : [selector, search === "" ? null : search, plus];
  const lines = fields.filter((field) => field !== null).map((field) => percentDecode(field));
  const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
  const checked = isAsk ? lines.slice(0, -1) : lines;
  if (checked.some((bytes) => bytes.some(isLineEnd))) return null;
  const bytes = lines.flatMap((line, index) => (index === 0 ? [...line] : [0x09, ...line]));
  return Uint8Array.from(isAsk ? bytes : [...bytes, 0x0d, 0x0a]);
}

export const gopher: SchemeParts<GopherUrl> = {
  types: { type: TEXT, selector: TEXT, search: TEXT_OR_NULL, plus: TEXT_OR_NULL },
  hasQueryInPath: true,
  read: (url) => {
    const path = wholePath(url);
    const written = split(path);
    const plus = readPlus(written.plus);
    return {
      path,
      query: url.path === "" ? url.query : null,
      type: written.type === "" ? "1" : decode(written.type),
      selector: decode(written.selector),
      selectorBytes: percentDecode(written.selector),
      search: decodeOrNull(written.search),
      plus: decodeOrNull(written.plus),
      ...plus,
      request: requestOf(written, plus.ask !== null),
    };
  },
  write: (url) => {
    const written = split(url.path);
    const selector = write(url.selector, written.selector, PLAIN);
    const isTypeLeftOut = written.type === "" && url.type === "1" && selector === "";
    const type = isTypeLeftOut ? "" : write(url.type, written.type, PLAIN);
    let body = `${type}${selector}`;
    if (url.search !== null || url.plus !== null) body += `%09${write(url.search ?? "", written.search, PLAIN)}`;
    if (url.plus !== null) body += `%09${write(url.plus, written.plus, PLAIN)}`;
    return { ...url, path: withSlash(body, url.path) };
  },
};
