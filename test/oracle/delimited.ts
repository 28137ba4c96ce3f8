/**
 * Delimited URLs: `<URL:...>` and `<scheme:...>` (X7), and the quote that stands before a match (X3).
 */
import type { Rules } from "./rules.ts";
import { isExperimental } from "./schemes.ts";
import { hasShape, split } from "./split.ts";
import { DELIMITERS, wrappableLengthAt } from "./unicode.ts";

/** A wrapped match: offsets in bytes of the span, its raw form as a byte string, and where each byte of that stood. */
export interface Wrapped {
  start: number;
  end: number;
  raw: string;
  offsets: number[];
  kind: "wrapped" | "rejoined";
  hyphenBreak: boolean;
}

const NOT_DELIMITED_BYTE = new RegExp(`(?![ \\t])[${DELIMITERS}]`);
const LABEL_STOPS = "<>|\\x00-\\x1F\\x7F";
const LABELLED = new RegExp(`^([^|]+)\\|[^${LABEL_STOPS}]+>`);
const INNER_BREAKS_MAX = 8;

/** Offset after the last byte before `at` that is not in `set`, looking back no further than `floor`. */
function skipBack(bytes: string, at: number, set: string, floor: number): number {
  let start = at;
  while (start > floor && set.includes(bytes.charAt(start - 1))) {
    start--;
  }
  return start;
}

/** The `<` before a scheme, and whether `URL:` stands between them (X7); `>` may be a quote mark there. */
function findOpening(bytes: string, schemeStart: number, urlBytesMax: number): { open: number; hasPrefix: boolean } | null {
  const floor = Math.max(0, schemeStart - urlBytesMax);
  let at = skipBack(bytes, schemeStart, " \t\r\n>", floor);
  const hasPrefix = at - 4 >= floor && /^url:$/i.test(bytes.slice(at - 4, at));
  at = hasPrefix ? skipBack(bytes, at - 4, " \t\r\n>", floor) : at;
  return at > floor && bytes[at - 1] === "<" ? { open: at - 1, hasPrefix } : null;
}

/** X3, X7: whether a `'` stands before the scheme, its `URL:` or its `<`. */
export function isQuoted(bytes: string, schemeStart: number, urlBytesMax: number): boolean {
  const floor = Math.max(0, schemeStart - urlBytesMax);
  const isQuote = (at: number): boolean => at >= floor && bytes[at] === "'";
  const space = skipBack(bytes, schemeStart, " \t\r\n", floor);
  const hasPrefix = space - 4 >= floor && /^url:$/i.test(bytes.slice(space - 4, space));
  const start = hasPrefix ? space - 4 : schemeStart;
  const open = skipBack(bytes, start, " \t\r\n", floor) - 1;
  return isQuote(start - 1) || (open >= floor && bytes[open] === "<" && isQuote(open - 1));
}

/** Number of quote marks before the `<`, at the very start of its line (X7, X13). */
function countQuoteMarks(bytes: string, open: number, urlBytesMax: number): number {
  const floor = Math.max(0, open - urlBytesMax - 1);
  const line = bytes.slice(floor, open);
  const isWhole = line.includes("\n") || open <= urlBytesMax;
  const marks = /^(?: *>)*/.exec(line.slice(line.lastIndexOf("\n") + 1))?.[0] ?? "";
  return isWhole ? marks.replaceAll(" ", "").length : 0;
}

/** The text between `<` and `>`: quote marks taken out, each break one LF; `offsets` says where each byte stood (X7). */
export function readContent(bytes: string, open: number, last: number, marks: number): { content: string; offsets: number[] } | null {
  const ownMarks = new RegExp(`(?: *>){${marks}}`, "y");
  const anyMark = / *>/y;
  const emptyLine = /[ \t]*\r?\n/y;
  const offsets: number[] = [];
  let content = "";
  let at = open + 1;
  while (at <= last && at < bytes.length && bytes[at] !== ">") {
    const lineBreak = bytes[at] === "\n" ? 1 : bytes.startsWith("\r\n", at) ? 2 : 0;
    const byte = bytes.charAt(at);
    const width = lineBreak > 0 || byte < "\x80" ? 1 : wrappableLengthAt(bytes, at);
    if (width === 0 || (lineBreak === 0 && NOT_DELIMITED_BYTE.test(byte))) {
      return null;
    }
    content += lineBreak > 0 ? "\n" : bytes.slice(at, at + width);
    offsets.push(...Array.from({ length: width }, (_, index) => at + index));
    at += lineBreak > 0 ? lineBreak : width;
    if (lineBreak > 0) {
      ownMarks.lastIndex = at;
      anyMark.lastIndex = at;
      if (ownMarks.test(bytes)) {
        at = ownMarks.lastIndex;
      } else if (anyMark.test(bytes)) {
        return null;
      }
      emptyLine.lastIndex = at;
      if (emptyLine.test(bytes)) {
        return null;
      }
    }
  }
  return at <= last && bytes[at] === ">" ? { content, offsets } : null;
}

/** X1 (a), (c) and (d), X6, X7: whether the text of a delimited URL is a URL that one may hold. */
export function isWrappable(raw: string, hasPrefix: boolean, { schemes, anyScheme, place }: Rules): boolean {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):(.+)$/is.exec(raw) ?? [];
  const name = scheme.toLowerCase();
  if (name === "" || name === "data" || name === "javascript") {
    return false;
  }
  const row = schemes.rows.get(name);
  const asksForAuthority = row === undefined ? !hasPrefix : row.shape === "//" || (row.shape === "both" && rest.startsWith("//"));
  if (asksForAuthority) {
    const parts = split(raw, false, false, schemes);
    const hasHost = !("reason" in parts) && (name === "file" || (parts.authority?.host ?? "") !== "");
    const isFound = row !== undefined || isExperimental(name) || (anyScheme && name.length > 1);
    return hasHost && isFound;
  }
  return hasPrefix || (name === "cid" && place === "attribute" && rest !== "#") || hasShape(schemes, name, rest);
}

/** C290: the text of a delimited URL without the punctuation that goes off its end; `floor` is the length that stays. */
function withoutPunctuation(text: string, floor: number): string {
  const last = text.charAt(text.length - 1);
  const rest = text.slice(0, -1);
  const opening = { ")": "(", "]": "[", "}": "{" }[last];
  let open = 0;
  for (const byte of opening === undefined ? "" : rest) {
    open = byte === opening ? open + 1 : byte === last ? Math.max(0, open - 1) : open;
  }
  const goes =
    last === "," ||
    (last === ";" && !/&#?[A-Za-z0-9]{1,32};$/.test(text)) ||
    (last === "'" && !rest.includes("'")) ||
    (opening !== undefined && open === 0);
  return goes && rest.length >= floor ? withoutPunctuation(rest, floor) : text;
}

/** X7: the wrapped match whose first byte stands at `start`, if its text without the white space passes `accepts`; else null. */
export function readDelimited(
  bytes: string,
  start: number,
  urlBytesMax: number,
  accepts: (raw: string, hasPrefix: boolean) => boolean,
): Wrapped | null {
  const opening = findOpening(bytes, start, urlBytesMax);
  if (opening === null) {
    return null;
  }
  const read = readContent(bytes, opening.open, start + urlBytesMax, countQuoteMarks(bytes, opening.open, urlBytesMax));
  const first = read?.offsets.indexOf(start) ?? -1;
  if (read === null || first < 0) {
    return null;
  }
  const whole = read.content.slice(first).replace(/[ \t\n]+$/, "");
  const inner = withoutPunctuation(whole, whole.length - (/[^ \t\n]*$/.exec(whole)?.[0].length ?? 0) + 1);
  const breaks = inner.split("\n").length - 1;
  const raw = opening.hasPrefix ? inner.replace(/[ \t\n]/g, "") : inner.replace(/[ \t]*\n[ \t]*/g, "");
  if (breaks > INNER_BREAKS_MAX || /[ \t]/.test(raw) || !accepts(raw, opening.hasPrefix)) {
    return null;
  }
  const offsets = read.offsets.slice(first, first + inner.length);
  return {
    start,
    end: (offsets[inner.length - 1] ?? 0) + 1,
    raw,
    offsets: offsets.filter((_, index) => !/[ \t\n]/.test(inner.charAt(index))),
    kind: breaks > 0 ? "rejoined" : "wrapped",
    hyphenBreak: /-[ \t]*\n/.test(inner),
  };
}

/** X7, C94: the wrapped match at `start`, if `<` is before it and a `|`, a label and `>` are behind it; else null. */
export function readLabelled(bytes: string, start: number, rules: Rules): Wrapped | null {
  const text = bytes.slice(start, start + rules.urlBytesMax + 1);
  const [, raw = ""] = LABELLED.exec(text) ?? [];
  const scheme = /^[a-z0-9+.-]+(?=:)/i.exec(raw)?.[0].toLowerCase() ?? "";
  if (bytes[start - 1] !== "<" || scheme === "url" || !rules.schemes.rows.has(scheme)) {
    return null;
  }
  const read = readContent(`<${raw}|>`, 0, raw.length + 2, 0);
  if (read === null || read.content !== `${raw}|` || /[ \t\n]/.test(raw) || !isWrappable(raw, false, rules)) {
    return null;
  }
  const offsets = Array.from(raw, (_, index) => start + index);
  return { start, end: start + raw.length, raw, offsets, kind: "wrapped", hyphenBreak: false };
}
