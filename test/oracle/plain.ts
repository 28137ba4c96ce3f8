/**
 * Candidates of plain text: where their scheme starts (X1), where they end (X2 to X6), and their unbroken run (X12).
 */

import { isQuoted } from "./delimited.ts";
import { lengthWithoutText } from "./glued.ts";
import type { Rules } from "./rules.ts";
import { isExperimental, isKnown } from "./schemes.ts";
import { hasShape, isNoLabel, needsAuthority, type Reason, readAuthority } from "./split.ts";
import { isTorn } from "./torn.ts";
import { bytesOf, DELIMITERS, keptLengthAt, trailingPunctuationLength } from "./unicode.ts";

/** The text of a candidate up to the end of its unbroken run, and what stands around it (X3, X5, X6, X12). */
export interface Candidate {
  start: number;
  text: string;
  isQuoted: boolean;
  around: Surroundings;
  next: string;
  /** The next character, or as many bytes as the longest has. */
  rest: string;
  /** The bytes that may be read, those after the end of the text too (C12). */
  read: string;
  /** The bytes that a look for ` at ` needs (C293). */
  tail: string;
  /** Whether it was copied without its escapes (X16). */
  isCopy?: boolean;
  /** Where the unbroken run ends, and the offset after which a match of it is overlong. */
  runEnd: number;
  limit: number;
}

/** What is before a candidate in its text (X3, X5, X6). */
export interface Surroundings {
  /** The bytes on its line, as many as X5 looks at. */
  line: string;
  before: string;
  isAfterBar: boolean;
  marks: string;
}

/** How a candidate ends, in bytes from its first; `reason` is null where it is a match. */
export interface Reading {
  reason: Reason | null;
  endBeforeX5: number;
  end: number;
  /** Whether nothing but open brackets goes off its end (X5, X8). */
  mayGoOn: boolean;
  /** Whether an ellipsis is after it (C294), or something cut its host (C293). */
  isCut?: boolean;
}

const NAMES = "lt|gt|quot|nbsp|apos|[lrb]dquo|[lr]squo|sbquo|[lr]s?aquo|[mn]dash|hellip|bull|middot|e[nm]sp|thinsp";
const REFERENCE = new RegExp(`&(?:amp;)*(?:(?:${NAMES})|#0*([0-9]{1,5})|#x0*([0-9a-f]{1,5}));`, "iy");
const OPENING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };
const CLOSING_TAG = /\[\/[a-z]{1,16}\]/iy;
const MARKS_MAX = 8;
/** C202, C203: bytes before a scheme in which the name of a parameter, or an opening mark, is looked for; the marks of emphasis. */
const PARAMETER_MAX = 32;
const EMPHASIS_MAX = 256;
const EMPHASIS_MARKS_MAX = 3;
const OPEN_MAX = 64;
/** C131, C200: marks of defanged text, with backslashes, and what must come after them. */
const BACKSLASHES = String.raw`\\{0,4}`;
const inBrackets = (open: string, word: string, close: string): string => `\\${open}${BACKSLASHES}(?:${word})${BACKSLASHES}\\${close}`;
/** C131: a dot in brackets; an `@`, and a colon. */
const DOTS = [inBrackets("[", "\\.|dot|d0t", "]"), inBrackets("(", "\\.|dot", ")"), inBrackets("{", "\\.", "}")];
export const WHOLE_DOT = `(?:${DOTS.join("|")})`;
export const WHOLE_AT = inBrackets("[", "at|@", "]");
export const WHOLE_COLON = inBrackets("[", ":", "]");
const BRACKETED = [`(?:${WHOLE_DOT}|${WHOLE_AT}|\\[${BACKSLASHES}\\.)[A-Za-z0-9\\x80-\\xFF]`, `${WHOLE_COLON}[0-9]`].join("|");
const DEFANGED = new RegExp(BRACKETED, "iy");
const ESCAPED_MARK = new RegExp(
  String.raw`\\{1,4}(?:${BRACKETED}|\.[A-Za-z0-9\x80-\xFF])|(?<=\.)${BACKSLASHES}\][A-Za-z0-9\x80-\xFF]`,
  "iy",
);
/** C201: a mark after a space. After a name without a dot a dot is enough. */
const SPACED = new RegExp(` ${BACKSLASHES}${WHOLE_DOT} ?[A-Za-z0-9\\x80-\\xFF]`, "iy");
const SPACED_AFTER_LABEL = / (?:\.|dot )[A-Za-z0-9\x80-\xFF]/iy;
const NUMERIC_REFERENCE = /&#(?:x([0-9a-f]{1,8})|([0-9]{1,8}));[A-Za-z0-9\x80-\xFF]/iy;

/** C131, C200, C201: whether a host goes on in another way of writing. `read` has what is after the authority too, which ends at `stop`. */
function isCutHost({ read, isCopy }: Candidate, hostStart: number, hostEnd: number, stop: number): boolean {
  const isAt = (form: RegExp, text: string): boolean => {
    form.lastIndex = hostEnd;
    return form.test(text);
  };
  const isLabel = !read.slice(hostStart, hostEnd).includes(".");
  NUMERIC_REFERENCE.lastIndex = hostEnd;
  const [, hex, decimal] = NUMERIC_REFERENCE.exec(read) ?? [];
  const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  return (
    isAt(DEFANGED, isCopy !== true && read[stop] === "\\" ? read : read.slice(0, stop)) ||
    isAt(ESCAPED_MARK, read) ||
    isAt(SPACED, read) ||
    (isLabel && isAt(SPACED_AFTER_LABEL, read)) ||
    (code < 0x250 && /[-A-Za-z0-9._@\u00C0-\u024F]/.test(String.fromCharCode(code)))
  );
}

/** C294: an ellipsis after a match; C293: what is after a host that something cut, and after one without a dot. */
const ELLIPSIS = /^(?:\.{3}|\.{0,2}(?:\xE2\x80\xA6|&hellip;|&#8230;))/;
const AFTER_CUT = /^\.{0,3}(?:\xE2\x80\xA6|&hellip;|&#8230;|\*\*[A-Za-z0-9])/;
const AFTER_CUT_LABEL = /^(?:\.{3}| at [A-Za-z0-9_-]{1,30}\.[A-Za-z0-9])/;

/** C293: whether a host is none, because something cut it. */
function isCutName(host: string, after: string): boolean {
  return !host.startsWith("[") && (AFTER_CUT.test(after) || (!host.includes(".") && AFTER_CUT_LABEL.test(after)));
}

/** X1 (a) to (c): where the scheme starts in the run that ends at a colon, or null. */
export function findScheme(bytes: string, runStart: number, colon: number, { schemes, anyScheme }: Rules): number | null {
  const run = bytes.slice(runStart, colon);
  if (/^(?:data|javascript)$/i.test(run)) {
    return null;
  }
  if (isKnown(schemes, run) || isExperimental(run)) {
    return runStart;
  }
  if (!bytes.startsWith("//", colon + 1)) {
    return null;
  }
  const longestName = Math.max(...[...schemes.rows.keys()].map((name) => name.length));
  for (let start = Math.max(runStart, colon - longestName); start < colon; start++) {
    const name = bytes.slice(start, colon);
    if (isKnown(schemes, name) && (/^https?$/i.test(name) || !/[A-Za-z]/.test(bytes.charAt(start - 1)))) {
      return start;
    }
  }
  const any = /[a-z].+$/i.exec(run)?.[0] ?? "";
  return anyScheme && any !== "" && !/^(?:data|javascript)$/i.test(any) ? colon - any.length : null;
}

/** X5, C295: whether a reference that ends a match stands at an offset. */
function isReferenceAt(bytes: string, at: number): boolean {
  REFERENCE.lastIndex = at;
  const found = REFERENCE.exec(bytes);
  const [, decimal, hex] = found ?? [];
  if (found === null || (decimal ?? hex) === undefined) {
    return found !== null;
  }
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code < 0xa0) {
    return (code > 0 && code <= 0x20) || /[<>"']/.test(String.fromCharCode(code));
  }
  const isCharacter = code < 0xffff && (code < 0xd800 || code > 0xdfff) && code !== 0x200c && code !== 0x200d;
  const character = isCharacter ? bytesOf(String.fromCharCode(code)) : "";
  return isCharacter && (keptLengthAt(character, 0) === 0 || trailingPunctuationLength(character) > 0);
}

/** X3, X4 and X5's references: where a match ends that is at least `from` bytes long. X3's first sentence has cut the candidate. */
export function findEnd(candidate: Candidate, from: number, { place, urlBytesMax }: Rules, mayHaveHost = true): number {
  const { text: runStart, isQuoted, rest } = candidate;
  const { isAfterBar } = candidate.around;
  // A joiner looks at the next character (C7).
  const text = runStart + rest;
  // C12: what is read of a reference ends with the bytes of the candidate.
  const read = text.slice(0, urlBytesMax + 1);
  const open = new Map([..."([{"].map((bracket) => [bracket, 0]));
  let at = from;
  while (at < runStart.length) {
    const byte = text.charAt(at);
    const opening = OPENING[byte];
    CLOSING_TAG.lastIndex = at;
    if (
      (byte === "|" && isAfterBar) ||
      (byte === "'" && isQuoted) ||
      (byte === "&" && place === "plain" && isReferenceAt(read, at)) ||
      CLOSING_TAG.test(runStart)
    ) {
      return at;
    }
    const depth = open.get(opening ?? byte);
    if (opening !== undefined && depth === 0) {
      return at;
    }
    if (depth !== undefined) {
      open.set(opening ?? byte, opening === undefined ? depth + 1 : depth - 1);
    }
    const width = byte < "\x80" ? 1 : keptLengthAt(text, at) || (mayHaveHost ? lengthInHost(text, from, at) : 0);
    if (width === 0) {
      return at;
    }
    at += width;
  }
  return at;
}

/** C281: length of the character at an offset that a host may hold, though it ends any other part of a match. */
function lengthInHost(text: string, from: number, at: number): number {
  const before = /^\/\/[^/?#]*$/.exec(text.slice(from, at))?.[0].slice(2);
  const [, ignored, stop] =
    /^(?:(\xC2\xAD|\xE2\x80\x8B|\xE2\x81\xA0)|(\xE3\x80\x82|\xEF\xBC\x8E|\xEF\xBD\xA1))(?!https?:\/\/)[a-z0-9]/i.exec(text.slice(at)) ?? [];
  const isDot = before !== undefined && before.length < 253 && !before.includes(".");
  return before === undefined ? 0 : (ignored?.length ?? (isDot ? stop?.length : 0) ?? 0);
}

/** Whether the bracket that a text begins with is closed in it, counting its own kind. */
function isClosed(text: string): boolean {
  const opening = text.charAt(0);
  let depth = 0;
  for (const byte of text) {
    depth += byte === opening ? 1 : byte === CLOSING[opening] ? -1 : 0;
    if (depth === 0) {
      return true;
    }
  }
  return false;
}

/** X5: the end before the open brackets of the last bytes, one after the other from the right; never before `floor`. */
export function withoutOpen(text: string, floor: number, end: number): number {
  let closed = end;
  for (let at = end - 1; at >= Math.max(floor, end - OPEN_MAX); at--) {
    if (CLOSING[text.charAt(at)] !== undefined && !isClosed(text.slice(at, closed))) {
      closed = at;
    }
  }
  return closed;
}

/** X5: length of the longest run of emphasis marks at the end that mirrors those before the scheme. */
function mirroredLength(text: string, marks: string): number {
  for (let length = marks.length; length > 0; length--) {
    const mirrored = [...marks.slice(-length)].reverse().join("");
    if (text.endsWith(mirrored) && !/^[=+#-]$/.test(mirrored)) {
      return length;
    }
  }
  return 0;
}

/** C203: length of the run of a mark at the end that closes emphasis which a word before the scheme begins. */
function closingLength(text: string, { line }: Surroundings, first: string): number {
  const [run = "", mark = ""] = /([*_~])\1*$/.exec(text) ?? [];
  const last = line.slice(-EMPHASIS_MAX).lastIndexOf(mark) + line.length - Math.min(line.length, EMPHASIS_MAX);
  const opening = new RegExp(`\\${mark}+$`).exec(line.slice(0, last + 1))?.[0] ?? "";
  const isOnLine = ![...line.slice(last + 1)].some((byte) => byte < " " && byte !== "\t");
  const [before, after] = [line.charAt(last - opening.length), line.charAt(last + 1) || first];
  const opens = (before <= " " || /[*_~|>"'([{]/.test(before)) && after > " " && !/[*_~=+#.-]/.test(after);
  return run !== "~" &&
    line.slice(-EMPHASIS_MAX).includes(mark) &&
    run.length <= EMPHASIS_MARKS_MAX &&
    opening.length === run.length &&
    isOnLine &&
    opens
    ? run.length
    : 0;
}

/** C205: length of a text of AsciiDoc, `[]` or `[Text]`, at the end. */
function linkTextLength(url: string): number {
  const [found = "", before = "", text = ""] = /([\s\S])\[([^()[\]{}]{0,62})\]$/.exec(url) ?? [];
  const rest = url.slice(0, url.length - found.length + 1);
  const isText = text === "" ? !/[?&][^?&=/#]*$/.test(rest) : /^[A-Z]/.test(text) && /[A-Za-z0-9/]/.test(before) && !rest.includes("?");
  return found !== "" && isText ? found.length - 1 : 0;
}

/** X5: the end without trailing punctuation; never before `floor`. `hostEnd` is the end of the host's name, if there is one. */
export function withoutTrailing({ text, around, next }: Candidate, floor: number, end: number, hostEnd: number): number {
  const { marks } = around;
  const keepsRuler = hostEnd > 0 && /["'`]/.test(around.before) && (text.charAt(end) || next) === around.before;
  let [mayClose, mayHaveText] = [true, true];
  let at = end;
  for (;;) {
    const tail = text.slice(Math.max(floor, at - MARKS_MAX), at);
    const isPunctuation = /[.,:!?'|([{]$/.test(tail) || (/;$/.test(tail) && !/&amp;$/i.test(tail));
    const isHostMark = at <= hostEnd && /[-_]$/.test(tail);
    const ruler = keepsRuler ? 0 : (/([*_~=+#-])\1{3,}$/.exec(text.slice(floor, at))?.[0].length ?? 0);
    let length = ruler || (isPunctuation || isHostMark ? 1 : trailingPunctuationLength(tail) || mirroredLength(tail, marks));
    if (length === 0 && mayClose && /[*_~]$/.test(tail)) {
      mayClose = false;
      length = closingLength(text.slice(floor, at), around, text.charAt(0));
    }
    if (length === 0 && mayHaveText && tail.endsWith("]")) {
      mayHaveText = false;
      length = linkTextLength(text.slice(floor, at));
    }
    if (length === 0) {
      return at;
    }
    at -= length;
  }
}

/** X2 to X6: reads a candidate with a scheme; null where it is none (X6, X12). */
export function readPlain(candidate: Candidate, rules: Rules): Reading | null {
  const { text, next, rest } = candidate;
  const { schemes } = rules;
  const colon = text.indexOf(":");
  const scheme = text.slice(0, colon).toLowerCase();
  const hasSlashes = text.startsWith("//", colon + 1);
  const isLocalFile = scheme === "file" && !hasSlashes && text[colon + 1] === "/";
  const isProse = text.length === colon + 1 && (next === "" || (next <= " " && next !== "\x1b"));
  if (isProse || (needsAuthority(schemes, scheme) && !hasSlashes && !isLocalFile)) {
    return null;
  }
  const hasAuthority = hasSlashes && (needsAuthority(schemes, scheme) || scheme === "news" || scheme === "snews");
  const end = findEnd(candidate, colon + 1, rules, hasAuthority);
  if (hasAuthority) {
    const isEmptyHost = (hostStart: number): boolean =>
      scheme === "file" && hostStart === colon + 3 && hostStart < end && text[hostStart] === "/";
    const authority = readAuthority(text + rest, colon + 3, end, schemes, isEmptyHost, lengthWithoutText);
    if ("reason" in authority) {
      const stop = colon + 3 + text.slice(colon + 3, end).search(/[/?#]|$/);
      return { reason: authority.reason, endBeforeX5: stop, end: 0, mayGoOn: false };
    }
    const { hostStart, hostEnd } = authority;
    if (authority.end === hostEnd && isCutHost(candidate, hostStart, hostEnd, authority.stop)) {
      return { reason: "defanged", endBeforeX5: authority.stop, end: 0, mayGoOn: false };
    }
    if (authority.end === hostEnd && candidate.isCopy !== true && isTorn(candidate, hostStart, hostEnd, rules)) {
      return { reason: "no-host", endBeforeX5: authority.stop, end: 0, mayGoOn: false };
    }
    const endBeforeX5 = authority.end === authority.stop ? end : authority.end;
    const trimmed = withoutTrailing(candidate, hostStart, withoutOpen(text, hostEnd, endBeforeX5), hostEnd);
    const mayGoOn = withoutTrailing(candidate, hostStart, endBeforeX5, hostEnd) === endBeforeX5;
    if (trimmed > hostStart && trimmed <= hostEnd && isCutName(text.slice(hostStart, trimmed), text.slice(trimmed) + candidate.tail)) {
      return { reason: "bad-host", endBeforeX5, end: 0, mayGoOn: false, isCut: true };
    }
    const isCut = ELLIPSIS.test(text.slice(trimmed) + candidate.tail);
    return { reason: trimmed === hostStart ? "no-host" : null, endBeforeX5, end: trimmed, mayGoOn, isCut };
  }
  const trimmed = withoutTrailing(candidate, colon + 1, withoutOpen(text, colon + 1, end), isLocalFile ? colon + 1 : 0);
  const body = text.slice(colon + 1, trimmed);
  const isContentId = scheme === "cid" && rules.place === "attribute" && body !== "" && body !== "#";
  const isAttribute = scheme === "tel" && rules.place === "attribute";
  const isUrl = isAttribute || isNoLabel(scheme, body, candidate.around.before, text.charAt(trimmed) || next);
  const isGood = isLocalFile || isContentId || (hasShape(schemes, scheme, body) && isUrl);
  const isCut = isLocalFile && ELLIPSIS.test(text.slice(trimmed) + candidate.tail);
  return { reason: isGood ? null : "bad-shape", endBeforeX5: end, end: trimmed, mayGoOn: false, isCut };
}

/** What is before an offset. */
export function surroundingsOf(bytes: string, start: number): Surroundings {
  const last = (count: number): string => bytes.slice(Math.max(0, start - count), start);
  return {
    line: last(EMPHASIS_MAX + EMPHASIS_MARKS_MAX + 1),
    before: last(1),
    isAfterBar: /\[\[$|\{\{$|\|(?:[ A-Za-z0-9_+-]*= *)?$/.test(last(PARAMETER_MAX)),
    marks: /[*_~=+#-]*$/.exec(last(MARKS_MAX))?.[0] ?? "",
  };
}

/** The unbroken run around an offset (X12); `start` is -1 where it lies further back than is looked. */
function findRunStart(bytes: string, at: number, { schemes, urlBytesMax }: Rules): { start: number; end: number } {
  const edge = `[${DELIMITERS}]|[,;|([{](?=${schemes.slashed})`;
  // The web's schemes behind a non-ASCII character, which belongs to the run before.
  const runEnd = new RegExp(`${edge}|(?<=[\\x80-\\xFF])(?=https?://)`, "gi");
  const runStart = new RegExp(`(?<=${edge})|(?<=[\\x80-\\xFF])(?=https?://)`, "iy");
  runEnd.lastIndex = at + 1;
  const end = runEnd.exec(bytes)?.index ?? bytes.length;
  for (let start = at; start > at - urlBytesMax; start--) {
    runStart.lastIndex = start;
    if (start === 0 || runStart.test(bytes)) {
      return { start, end };
    }
  }
  return { start: -1, end };
}

/** The candidate whose first byte stands at `start`, or null where its unbroken run is too long for it (X12). */
export function candidateAt(bytes: string, start: number, rules: Rules): Candidate | null {
  const { urlBytesMax } = rules;
  const runStart = findRunStart(bytes, start, rules);
  const limit = runStart.start + urlBytesMax;
  if (runStart.start < 0 || start >= limit) {
    return null;
  }
  let end = Math.min(runStart.end, start + urlBytesMax + 1);
  // A character of which the first byte may be read is read whole.
  while (end < runStart.end && /[\x80-\xBF]/.test(bytes.charAt(end)) && end < start + urlBytesMax + 4) {
    end++;
  }
  const text = bytes.slice(start, end);
  return {
    start,
    text,
    isQuoted: isQuoted(bytes, start, urlBytesMax),
    around: surroundingsOf(bytes, start),
    next: bytes.charAt(end),
    rest: bytes.slice(end, end + 8),
    tail: bytes.slice(end, end + 40),
    read: bytes.slice(start, start + urlBytesMax + 1),
    runEnd: runStart.end,
    limit,
  };
}
