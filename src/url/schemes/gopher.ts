// gopher and Gopher+: the item, and the request for it (P3).
import { percentDecode } from "../percent.ts";
import { decode, decodeOrNull, IN_SEGMENT, orNull, scheme, text, withoutSlash, withSlash } from "./parts.ts";
import type { GopherUrl } from "./urls.ts";

type Written = Pick<GopherUrl, "type" | "selector" | "search" | "plus">;

const PLAIN = `${IN_SEGMENT}/;=`;
const ASK_FORM = /^\+[^\t\r\n]*\t1\r\n\+-1\r\n((?:[^\r\n]*\r\n)*)\.\r\n$/;

// One character, or the triplets of one, and the rest. A TAB is no type.
const TYPE = /^((?!%09|\t)(?:%[0-7][0-9A-F]|%[89A-F][0-9A-F](?:%[89AB][0-9A-F])*|.))?(.*)$/isu;

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

export const gopher = scheme<GopherUrl, keyof Written>({
  parts: { type: text(PLAIN), selector: text(PLAIN), search: orNull(text(PLAIN)), plus: orNull(text(PLAIN)) },
  hasQueryInPath: true,
  // The path includes a `?` and the text after it, unless it is empty.
  components: ({ path, query }) => (path === "" || query === null ? { path, query } : { path: `${path}?${query}`, query: null }),
  split: ({ path }) => {
    const [, type = "", rest = ""] = TYPE.exec(withoutSlash(path)) ?? [];
    const [, selector = "", search = null, plus = null] = /^(.*?)(?:(?:%09|\t)(.*?)(?:(?:%09|\t)(.*))?)?$/s.exec(rest) ?? [];
    return { type, selector, search, plus };
  },
  complete: ({ type, selector, search, plus }, written) => {
    const { ask, ...content } = readPlus(written.plus);
    return {
      type: type === "" ? "1" : type,
      selector,
      selectorBytes: percentDecode(written.selector),
      search,
      plus,
      ...content,
      ask,
      request: requestOf(written, ask !== null),
    };
  },
  join: ({ type, selector, search, plus }, { path }, before) => {
    const isTypeLeftOut = before.type === "" && type === "1" && selector === "";
    const body = `${isTypeLeftOut ? "" : type}${selector}`;
    const fields = plus === null ? [body, search] : [body, search ?? "", plus];
    return { path: withSlash(fields.filter((field) => field !== null).join("%09"), path) };
  },
});
