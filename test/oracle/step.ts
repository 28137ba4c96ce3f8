/**
 * One step of the scan: what comes after an offset of a text, a match or a failed candidate (X1 to X7, X12).
 */

import { isQuoted, isWrappable, readContent, readDelimited, readLabelled, type Wrapped } from "./delimited.ts";
import { bytesOfEscaped, CHARACTER, CHARACTER_AT } from "./escapes.ts";
import { lineWrappedPieces } from "./line-wrap.ts";
import { type Candidate, candidateAt, findEnd, findScheme, type Reading, readPlain, surroundingsOf } from "./plain.ts";
import type { Rules, SchemelessKind } from "./rules.ts";
import { KNOWN } from "./schemes.ts";
import { decodedFrom, sourceOf } from "./source.ts";
import type { Reason } from "./split.ts";
import { DELIMITERS } from "./unicode.ts";

/** How a match was found (X7, X8, X10, X11). */
export type Kind = "plain" | "wrapped" | "rejoined" | "nested" | "guessed" | "refanged" | "link" | SchemelessKind;

/**
 * A match in a text: `offsets` says where each byte of its raw form stands, `prefix` what normalizing puts before that (X10). `raw` is
 * given where its bytes are others than those that stand there (X9).
 */
export interface Found {
  start: number;
  end: number;
  offsets: number[];
  raw?: string;
  /** Where the source of each byte of the raw form ends, if that is not the next byte (X16). */
  ends?: number[];
  prefix: string;
  kind: Kind;
  flags: string[];
}

/** A match, or why a candidate failed; the scan goes on at `resume`. */
export type Step = { start: number; resume: number } & ({ found: Found } | { reason: Reason });

const SCHEME_BYTE = /[A-Za-z0-9+.-]/;

/** The offsets from `start` to `end`. */
function offsetsOf(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** The step of a delimited URL. */
export function wrappedStep(wrapped: Wrapped, kind: Kind, prefix: string, cut: string[] = []): Step {
  const { start, end, offsets } = wrapped;
  const flags = [...(wrapped.hyphenBreak ? ["hyphen-break"] : []), ...cut];
  return { start, resume: end, found: { start, end, offsets, prefix, kind, flags } };
}

/** The step of a candidate that has been read (X12); a failed one goes on at `after`. */
export function candidateStep(
  candidate: Candidate,
  reading: Reading,
  after: number,
  match: { kind: Kind; prefix: string; flags: string[] },
): Step {
  const { start, runEnd, limit } = candidate;
  if (start + reading.endBeforeX5 > limit) {
    return { start, resume: runEnd, reason: "overlong" };
  }
  if (reading.reason !== null) {
    return { start, resume: after, reason: reading.reason };
  }
  const end = start + reading.end;
  return { start, resume: end, found: { start, end, offsets: offsetsOf(start, end), ...match } };
}

/** C173, C310: sequences after which a word begins; with their parameters and intermediate bytes (ECMA-48). */
const SEQUENCE = new RegExp(`${String.raw`\x1b`}(?:\\([BJ]|\\[(?=[ -?]{0,32}[@-~])[0-?]*[ -/]*[@-~])`, "y");
const SEQUENCE_MAX = 35;

/** C173, C310: the end of the sequence around the byte at an offset, but not if it is the first; the offset if there is none. */
export function sequenceEnd(bytes: string, at: number): number {
  for (let start = at - 1; start >= 0 && start > at - SEQUENCE_MAX; start--) {
    SEQUENCE.lastIndex = start;
    const end = start + (SEQUENCE.exec(bytes)?.[0].length ?? 0);
    if (end > at) {
      return end;
    }
  }
  return at;
}

/** The first byte of the run of scheme characters before a colon; it does not reach back over `floor` (X1, C1). */
export function findSchemeRun(bytes: string, colon: number, floor: number): number {
  let start = colon;
  while (start > floor && SCHEME_BYTE.test(bytes.charAt(start - 1))) {
    start--;
  }
  return Math.min(colon, sequenceEnd(bytes, start));
}

/** C208: a command of TeX for a character. */
const COMMAND_AT = /^\\(?:string[~_%&#?=()!:;|,+*@-]|textasciitilde(?![A-Za-z])(?:\{\})?)/;
/** C208: an escape of TeX, perhaps in braces. */
const SIGN = "_%&#?=()!:;|,+*@-";
const TEX = String.raw`\\(?:[${SIGN}]|'(?=[A-Za-z0-9])|string[~${SIGN}]|(?:~|textasciitilde(?![A-Za-z]))(?:\{\})?)`;
/** C296: a tilde of mathematics. */
const SIM = String.raw`\$\\sim\$`;
const TEX_AT = new RegExp(String.raw`^(?:\{${TEX}\}|${TEX}|\{${SIM}\}|${SIM})`);
const ESCAPED_AT = new RegExp(`^(?:\\\\/|${CHARACTER}|${TEX})`);
/** C311: what colors a text, and what of a separator it may be between. */
const COLOR = String.raw`\x1b\[[0-9:;]{0,32}[mK]`;
const COLOR_AT = new RegExp(`^${COLOR}`);
const SEPARATOR = new RegExp(`^:(?:${COLOR})*/(?:${COLOR})*/`);
/** C312: after colors, what a word goes on with; bytes in which the colors begin. */
const GOES_ON = /^\.?[A-Za-z0-9_+@\x80-\xFF-]/;
const CUT_MAX = 128;
/** C293: what archives of lists write for an `@` after a name. */
const AT_SIGN = String.raw`(?<=//[A-Za-z0-9_-]{1,30}) at (?=[A-Za-z0-9_-]{1,30}\.[A-Za-z0-9])`;
const AT_SIGN_AT = new RegExp(AT_SIGN, "y");
function isAtSign(bytes: string, at: number): boolean {
  AT_SIGN_AT.lastIndex = at;
  return AT_SIGN_AT.test(bytes);
}
const ESCAPED = new RegExp(`(?:${SIM}|${AT_SIGN}|[^${DELIMITERS}]|\\\\/|${CHARACTER}|${TEX}|${COLOR})*`, "y");
const AROUND = 16;
/** Bytes after such a text that are read for a mark (C200). */
const MARK_MAX = 18;

/** C116: where a run of scheme characters begins after the escape that it seems to begin with. */
function skipEscaped(bytes: string, runStart: number): number {
  const before = bytes.slice(Math.max(0, runStart - 1), runStart + 20);
  const [written] = CHARACTER_AT.exec(before) ?? COMMAND_AT.exec(before) ?? [];
  return written === undefined ? runStart : runStart + written.length - 1;
}

/** C312: whether the name that ends at an offset is cut by a color. */
export function isCutByColor(bytes: string, at: number): boolean {
  const next = (end: number): number => (end < at + CUT_MAX ? end + (COLOR_AT.exec(bytes.slice(end, end + 40))?.[0].length ?? 0) : end);
  let end = at;
  while (next(end) > end) {
    end = next(end);
  }
  return end > at && GOES_ON.test(bytes.slice(end, end + 2));
}

/** C311: the start of the colors before an offset. */
function colorsStart(bytes: string, end: number): number {
  const before = bytes.slice(0, end);
  const [, found = ""] = new RegExp(`((?:${COLOR})+)$`).exec(before) ?? [];
  return end - found.length;
}

/** X16: whether a match that ends before a backslash goes on without its escapes: as a value of JSON, or before an escape of TeX (C208). */
function isEscaped(bytes: string, start: number, colon: number, end: number, { schemes }: Rules): boolean {
  const isOpaque = schemes.rows.get(bytes.slice(start, colon).toLowerCase())?.shape === "opaque";
  if (bytes[end] === "\x1b") {
    return COLOR_AT.test(bytes.slice(end)) && !isOpaque;
  }
  const hasPath = /^[^:]*:\/\/[^/?#]*[/?#]/.test(bytes.slice(start, end));
  const isEscapedAt = ESCAPED_AT.test(bytes.slice(end)) || new RegExp(`^${SIM}`).test(bytes.slice(end - 1));
  const isValue = !TEX_AT.test(bytes.slice(end)) && /[:,[] ?"$/.test(bytes.slice(Math.max(0, start - 3), start));
  const isBeyond = /^\\(?:u(?!00[0-9])|x[^0-7])/.test(bytes.slice(end)) && CHARACTER_AT.test(bytes.slice(end));
  return ((hasPath && isEscapedAt) || isBeyond || isValue) && !isOpaque;
}

/** C116, C297: what is after a colon, after one with a backslash before it; and references that are counted. */
const SLASHES = /^(?:\\(?:\/|u002[Ff]|x2[Ff])){2}/;
const ANY_SLASHES = /^(?:\/|\\(?:\/|u002[Ff]|x2[Ff])){2}/;
const REFERENCES = /^(?:&#[Xx]2[Ff];|&#47;|&sol;){2}/;

/** X16: where the scheme of a candidate with `:\\/\\/` starts, whose scheme ends at `end`, or null. `form`: what is after the colon. */
function escapedStart(bytes: string, runStart: number, colon: number, end: number, form: RegExp, rules: Rules): number | null {
  const isLetter = form === REFERENCES || /[A-Za-z]/.test(bytes.charAt(end - 1));
  if (!rules.unescapes || !isLetter || !form.test(bytes.slice(colon + 1, colon + 13))) {
    return null;
  }
  const start = findScheme(`${bytes.slice(0, end)}://`, runStart, end, rules);
  const row = start === null ? undefined : rules.schemes.rows.get(bytes.slice(start, end).toLowerCase());
  const isRead = start !== null && (row === undefined || row.shape === "//");
  return isRead && candidateAt(bytes, start, rules) !== null ? start : null;
}

/** C311: where the scheme of a candidate with colors in its `://` starts and ends, and its run starts; or null. */
function coloredName(bytes: string, colon: number, floor: number, rules: Rules): { start: number; end: number; runStart: number } | null {
  const end = colorsStart(bytes, colon);
  const [separator = ""] = SEPARATOR.exec(bytes.slice(colon)) ?? [];
  if (!rules.unescapes || separator === "" || (end === colon && separator === "://")) {
    return null;
  }
  const runStart = Math.max(findSchemeRun(bytes, end, floor), end - rules.urlBytesMax);
  const start = findScheme(`${bytes.slice(0, end)}://`, runStart, end, rules);
  const row = start === null ? undefined : rules.schemes.rows.get(bytes.slice(start, end).toLowerCase());
  const isLocal = /^file:\/(?!\/)/i.test(bytes.slice(start ?? 0, colon + 3)) && end === colon;
  if (start === null || isLocal || (row !== undefined && row.shape !== "//") || candidateAt(bytes, start, rules) === null) {
    return null;
  }
  return { start, end, runStart };
}

/** X16: the step of a candidate that is read without its escapes. */
function escapedStep(bytes: string, start: number, colon: number, runStart: number, rules: Rules): Step {
  ESCAPED.lastIndex = start;
  const written = ESCAPED.exec(bytes)?.[0] ?? "";
  if (written.length > rules.urlBytesMax) {
    return { start, resume: colon + 1, reason: "overlong" };
  }
  const text = decodedFrom(sourceOf(written, start), (at) => {
    const [color] = COLOR_AT.exec(written.slice(at)) ?? [];
    if (color !== undefined) {
      return { bytes: "", width: color.length };
    }
    if (isAtSign(bytes, start + at)) {
      return { bytes: "@", width: 4 };
    }
    const [tex] = TEX_AT.exec(written.slice(at)) ?? [];
    if (tex !== undefined) {
      const [, sign = "~"] = /^\{?\\(?:string)?([^a-z])/.exec(tex) ?? [];
      return { bytes: sign, width: tex.length };
    }
    const [escaped] = /^\\\//.exec(written.slice(at, at + 2)) ?? CHARACTER_AT.exec(written.slice(at, at + 16)) ?? [];
    return escaped === undefined ? null : { bytes: bytesOfEscaped(escaped), width: escaped.length };
  });
  const before = `\0${bytes.slice(Math.max(0, start - AROUND), start)}`;
  const read = candidateAt(`${before}${text.bytes}\0`, before.length, rules);
  const after = bytes.slice(start + written.length, start + written.length + MARK_MAX);
  const candidate = read && {
    ...read,
    read: text.bytes + after,
    isCopy: true,
    around: surroundingsOf(bytes, colorsStart(bytes, start)),
    isQuoted: isQuoted(bytes, colorsStart(bytes, start), rules.urlBytesMax),
    limit: Number.POSITIVE_INFINITY,
  };
  const reading = candidate && readPlain(candidate, rules);
  if (reading === null || reading.reason !== null) {
    return { start, resume: colon + 1, reason: reading?.reason ?? "no-host" };
  }
  const raw = text.bytes.slice(0, reading.end);
  const offsets = Array.from(raw, (_, index) => text.startOf(index));
  const ends = Array.from(raw, (_, index) => text.endOf(index));
  const end = ends.at(-1) ?? start;
  const glued = start > runStart && /[A-Za-z]/.test(bytes.charAt(start - 1)) ? ["glued"] : [];
  const flags = [...glued, ...cutFlags(reading)];
  return { start, resume: end, found: { start, end, offsets, ends, raw, prefix: "", kind: "plain", flags } };
}

/** C291: a path of Windows, after the colon of `file`: to the first `?`, `#` or delimiter byte, or the backslashes before one. */
const SERVER = "[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?(?=\\\\[A-Za-z0-9])";
const LOCAL = "//[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]/";
const WINDOWS = new RegExp(
  `(?://${SERVER}|(?:${LOCAL}|/{0,3})(?:[A-Za-z]:(?=\\\\)|(?=\\\\{2})))(?:\\\\+(?=[^${DELIMITERS}])|[^${DELIMITERS}?#])+`,
  "y",
);

const WINDOWS_TEXT = new RegExp(`(?:[^${DELIMITERS}]|\\\\)*`, "y");

/** C291: the step of a file URL with a path of Windows, or null. */
function windowsStep(bytes: string, start: number, colon: number, rules: Rules): Step | null {
  WINDOWS.lastIndex = colon + 1;
  const written = bytes.slice(start, colon).toLowerCase() === "file" && rules.unescapes ? (WINDOWS.exec(bytes)?.[0] ?? "") : "";
  const pathEnd = colon + 1 + written.length;
  // X3 to X5 read the bytes as they are written: the later backslashes are no slashes there, but end no name.
  // A joiner directly after one ends the match (C7).
  const path = bytes.slice(colon, pathEnd).replace(/(?<=\\)\xE2\x80[\x8C\x8D]/g, "   ");
  const first = path.replace(/\\+/, (run) => "/".repeat(run.length)).replaceAll("\\", "A");
  WINDOWS_TEXT.lastIndex = start;
  const isShort = (WINDOWS_TEXT.exec(bytes)?.[0].length ?? 0) <= rules.urlBytesMax;
  const read = written.includes("\\") && isShort ? candidateAt(bytes.slice(0, colon) + first + bytes.slice(pathEnd), start, rules) : null;
  const candidate = read && { ...read, limit: Number.POSITIVE_INFINITY };
  const reading = candidate && readPlain(candidate, rules);
  if (candidate === null || reading === null || reading.reason !== null) {
    return null;
  }
  const step = candidateStep(candidate, reading, colon + 1, { kind: "plain", prefix: "", flags: [] });
  return "found" in step ? { ...step, found: { ...step.found, raw: bytes.slice(start, step.found.end).replaceAll("\\", "/") } } : null;
}

/** X1 to X6, X12: the step of a candidate without a delimited URL whose scheme ends at a colon, or null. */
export function plainStep(bytes: string, colon: number, floor: number, rules: Rules): Step | null {
  const isEscapedColon = bytes[colon - 1] === "\\";
  const schemeEnd = isEscapedColon ? colon - 1 : colon;
  const runStart = findSchemeRun(bytes, schemeEnd, floor);
  const escapedRun = skipEscaped(bytes, Math.max(runStart, schemeEnd - rules.urlBytesMax));
  const escaped = escapedStart(bytes, escapedRun, colon, schemeEnd, isEscapedColon ? ANY_SLASHES : SLASHES, rules);
  if (escaped !== null) {
    return escapedStep(bytes, escaped, colon, escapedRun, rules);
  }
  const colored = coloredName(bytes, colon, floor, rules);
  if (colored !== null) {
    return escapedStep(bytes, colored.start, colon, colored.runStart, rules);
  }
  const counted = escapedStart(bytes, Math.max(runStart, colon - rules.urlBytesMax), colon, colon, REFERENCES, rules);
  if (isEscapedColon || counted !== null) {
    return isEscapedColon || counted === null ? null : { start: counted, resume: colon + 1, reason: "defanged" };
  }
  const start = findScheme(bytes, Math.max(runStart, colon - rules.urlBytesMax), colon, rules);
  const candidate = start === null ? null : candidateAt(bytes, start, rules);
  const reading = candidate === null ? null : readPlain(candidate, rules);
  if (candidate === null || reading === null) {
    return null;
  }
  const windows = windowsStep(bytes, candidate.start, colon, rules);
  if (windows !== null) {
    return windows;
  }
  const isGlued = candidate.start > runStart && /[A-Za-z]/.test(bytes.charAt(candidate.start - 1));
  const flags = [...(isGlued ? ["glued"] : []), ...cutFlags(reading)];
  const step = candidateStep(candidate, reading, colon + 1, { kind: "plain", prefix: "", flags });
  const cutAt = candidate.start + reading.endBeforeX5;
  const hasSlashes = bytes.startsWith("//", colon + 1);
  const isOpaque = !hasSlashes || rules.schemes.rows.get(bytes.slice(candidate.start, colon).toLowerCase())?.shape === "opaque";
  if (isOpaque && "found" in step && isCutByColor(bytes, cutAt) && !/^file:/i.test(candidate.text)) {
    return { start: step.start, resume: colon + 1, reason: "bad-shape" };
  }
  // C311: a color in the authority counts whatever is before it.
  const textEnd = findEnd(candidate, colon + 1 - candidate.start, rules);
  const isWhole = reading.endBeforeX5 === textEnd || !/[/?#]/.test(candidate.text.slice(colon + 3 - candidate.start, textEnd));
  const isOver = candidate.start + textEnd > candidate.limit;
  const isColored = isWhole && !isOver && bytes[candidate.start + textEnd] === "\x1b";
  const mayBeCut = "found" in step || reading.isCut === true;
  const isCut = (isColored || (mayBeCut && bytes[cutAt] === "\\")) && rules.unescapes && hasSlashes;
  const isAt = reading.reason === "bad-host" && reading.isCut === true && rules.unescapes && isAtSign(bytes, cutAt);
  if (isAt || (isCut && isEscaped(bytes, candidate.start, colon, isColored ? candidate.start + textEnd : cutAt, rules))) {
    const whole = escapedStep(bytes, candidate.start, colon, runStart, rules);
    if ("found" in whole || whole.reason !== "overlong") {
      return whole;
    }
  }
  const mayGoOn = (rules.guess || rules.flagsCut) && rules.place === "plain" && "found" in step;
  const joined = mayGoOn ? lineWrappedStep(bytes, candidate, reading, rules, flags) : null;
  if (joined === null || rules.guess || !("found" in step)) {
    return joined ?? step;
  }
  return { ...step, found: { ...step.found, flags: [...flags, "line-cut"] } };
}

/** X8: the step of a plain match that goes on in the next lines, or null; its scheme has `//`. */
function lineWrappedStep(bytes: string, candidate: Candidate, reading: Reading, rules: Rules, flags: string[]): Step | null {
  const { start } = candidate;
  const end = start + reading.endBeforeX5;
  const [, scheme = ""] = /^([^:]*):\/\//.exec(bytes.slice(start, end)) ?? [];
  const isOpaque = rules.schemes.rows.get(scheme.toLowerCase())?.shape === "opaque";
  const pieces = scheme === "" || isOpaque ? [] : lineWrappedPieces(bytes, candidate, reading, rules);
  if (pieces.length < 2) {
    return null;
  }
  const last = pieces.at(-1)?.[1] ?? end;
  const isHyphenBreak = pieces.slice(0, -1).some(([, after]) => bytes[after - 1] === "-");
  const offsets = pieces.flatMap(([from, to]) => offsetsOf(from, to));
  const found: Found = {
    start,
    end: last,
    offsets,
    prefix: "",
    kind: "guessed",
    flags: isHyphenBreak ? [...flags, "hyphen-break"] : flags,
  };
  return { start, resume: last, found };
}

const WITH_AT = /^(?:mailto|news|snews|mid|cid|mailserver|sips?|xmpp)$/i;

/** C294: the flag of a match before an ellipsis. */
export function cutFlags({ isCut }: Reading): string[] {
  return isCut === true ? ["cut"] : [];
}

/** X7, C90: the step of a scheme with its text in angle brackets after the colon, or null. */
function angledStep(bytes: string, runStart: number, colon: number, rules: Rules): Step | null {
  const { schemes, urlBytesMax } = rules;
  const start = Math.max(runStart, colon - urlBytesMax);
  const name = bytes.slice(start, colon);
  const isOwn = schemes.rows.get(name.toLowerCase()) === KNOWN.rows.get(name.toLowerCase());
  if (bytes[colon + 1] !== "<" || !WITH_AT.test(name) || !isOwn || candidateAt(bytes, start, rules) === null) {
    return null;
  }
  const text = readContent(bytes, colon + 1, start + urlBytesMax, 0);
  if (text === null || text.content.includes("\n") || /[ \t]/.test(text.content)) {
    return null;
  }
  const close = colon + 2 + text.content.length;
  const isUrl = isWrappable(`${name}:${text.content}`, false, rules);
  const offsets = [...offsetsOf(start, colon + 1), ...offsetsOf(colon + 2, close)];
  const found: Found = { start, end: close + 1, offsets, prefix: "", kind: "wrapped", flags: [] };
  return isUrl ? { start, resume: close + 1, found } : null;
}

/** C294: the text of a delimited URL that ends in an ellipsis, and one whose authority does. */
const CUT_TEXT = /^[^:]*:\/\/.*(?:\.{3}|\xE2\x80\xA6)$/s;
const CUT_HOST = /^[^:]*:\/\/[^/?#]*(?:\.{3}|\xE2\x80\xA6)$/;

/** X1 to X7, X12: the step of a scheme that ends at a colon, or null. */
export function colonStep(bytes: string, colon: number, floor: number, rules: Rules): Step | null {
  const runStart = findSchemeRun(bytes, colon, floor);
  const accepts = (raw: string, hasPrefix: boolean): boolean =>
    // C150: directly after the `<` these are the prefix.
    (hasPrefix || !/^url:/i.test(raw)) && !CUT_HOST.test(raw) && isWrappable(raw, hasPrefix, rules);
  const labelled = runStart < colon ? readLabelled(bytes, runStart, rules) : null;
  const wrapped = labelled ?? (runStart < colon ? readDelimited(bytes, runStart, rules.urlBytesMax, accepts) : null);
  if (wrapped !== null) {
    return wrappedStep(wrapped, wrapped.kind, "", labelled === null && CUT_TEXT.test(wrapped.raw) ? ["cut"] : []);
  }
  return angledStep(bytes, runStart, colon, rules) ?? plainStep(bytes, colon, floor, rules);
}
