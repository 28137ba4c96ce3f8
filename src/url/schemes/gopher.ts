// gopher and Gopher+: what a client sends and what it asks for (P3).
import { percentDecode } from "../percent.ts";
import { type Components, IN_SEGMENT, textOf, textOrNull, type UrlParts, withoutSlash, write } from "./parts.ts";

/** A gopher URL. Its `path` holds the `?` and what follows it; `query` is null but for `gopher://host?x`. @see docs/rules.md P3 */
export interface GopherUrl extends UrlParts {
  readonly scheme: "gopher";
  /** One character; `1` where the URL has none. */
  readonly type: string;
  /** Decoded; may hold any byte, so `selectorBytes` is what counts. */
  readonly selector: string;
  readonly selectorBytes: Uint8Array;
  /** Decoded; null where the URL has none, empty where it stands between two delimiters. */
  readonly search: string | null;
  /** The Gopher+ string, decoded. */
  readonly plus: string | null;
  /** `+`: the alternate view that is named. */
  readonly view: string | null;
  /** `+`: the language that is named behind the view. */
  readonly language: string | null;
  /** `!` and `$`: names of item or directory attributes, none for all of them; null for other strings. */
  readonly attributes: readonly string[] | null;
  /** `+`: the answers to an ASK form. */
  readonly ask: readonly string[] | null;
  /** The bytes that a client sends; null where a CR or LF outside an ASK form would end the request and start another. */
  readonly request: Uint8Array | null;
}

interface Written {
  readonly type: string;
  readonly selector: string;
  readonly search: string | null;
  readonly plus: string | null;
}

const PLAIN = `${IN_SEGMENT}/;=`;
const ASK_FORM = /^\+[^\t\r\n]*\t1\r\n\+-1\r\n((?:[^\r\n]*\r\n)*)\.\r\n$/;

// One character and the rest; triplets that make one character stay together. A TAB is no type.
const TYPE = /^((?!%09|\t)(?:%[0-7][0-9A-F]|%[89A-F][0-9A-F](?:%[89AB][0-9A-F])*|.))?(.*)$/isu;

/** The path with the `?` that belongs to it. */
function wholePath(url: UrlParts): string {
  return url.path === "" || url.query === null ? url.path : `${url.path}?${url.query}`;
}

/** The parts as written. */
function split(path: string): Written {
  const [, type = "", rest = ""] = TYPE.exec(withoutSlash(path)) ?? [];
  const [, selector = "", search = null, plus = null] = /^(.*?)(?:(?:%09|\t)(.*?)(?:(?:%09|\t)(.*))?)?$/s.exec(rest) ?? [];
  return { type, selector, search, plus };
}

function answersOf(plus: string): string[] | null {
  const answers = ASK_FORM.exec(plus)?.[1]?.split("\r\n").slice(0, -1) ?? null;
  // A line with a dot ends the form: what follows it would be no answer.
  return answers === null || answers.includes(".") ? null : answers;
}

/** The parts of a Gopher+ string; its first character tells what it is. */
function readPlus(written: string | null): Pick<GopherUrl, "view" | "language" | "attributes" | "ask"> {
  const text = textOrNull(written) ?? "";
  const [content = ""] = (written ?? "").replace(/^(?:%[0-9A-Fa-f]{2}|.)/su, "").split(/%09|\t/);
  const names = content.split(/%20| /).map(textOf);
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

/** The parts of a gopher URL. @see docs/rules.md P3 */
export function readGopher(url: UrlParts): GopherUrl {
  const path = wholePath(url);
  const written = split(path);
  const plus = readPlus(written.plus);
  return {
    ...url,
    scheme: "gopher",
    path,
    query: url.path === "" ? url.query : null,
    type: written.type === "" ? "1" : textOf(written.type),
    selector: textOf(written.selector),
    selectorBytes: percentDecode(written.selector),
    search: textOrNull(written.search),
    plus: textOrNull(written.plus),
    ...plus,
    request: requestOf(written, plus.ask !== null),
  };
}

/** The components of a gopher URL. @see docs/rules.md P3 */
export function writeGopher(url: GopherUrl): Components {
  const written = split(url.path);
  const selector = write(url.selector, written.selector, PLAIN);
  const isTypeLeftOut = written.type === "" && url.type === "1" && selector === "";
  const type = isTypeLeftOut ? "" : write(url.type, written.type, PLAIN);
  let body = `${type}${selector}`;
  if (url.search !== null || url.plus !== null) body += `%09${write(url.search ?? "", written.search, PLAIN)}`;
  if (url.plus !== null) body += `%09${write(url.plus, written.plus, PLAIN)}`;
  return { ...url, path: body === "" && url.path === "" ? "" : `/${body}` };
}
