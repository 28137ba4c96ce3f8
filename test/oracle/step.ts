/**
 * One step of the scan: what comes after an offset of a text, a match or a failed candidate (X1 to X7, X12).
 */

import { isQuoted, isWrappable, readContent, readDelimited, readLabelled, type Wrapped } from "./delimited.ts";
import { lineWrappedPieces } from "./line-wrap.ts";
import { type Candidate, candidateAt, findScheme, type Reading, readPlain, surroundingsOf } from "./plain.ts";
import type { Rules, SchemelessKind } from "./rules.ts";
import { KNOWN } from "./schemes.ts";
import { decodedFrom, sourceOf } from "./source.ts";
import type { Reason } from "./split.ts";
import { bytesOf, DELIMITERS } from "./unicode.ts";

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
export function wrappedStep(wrapped: Wrapped, kind: Kind, prefix: string): Step {
  const { start, end, offsets } = wrapped;
  const flags = wrapped.hyphenBreak ? ["hyphen-break"] : [];
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

/** The first byte of the run of scheme characters before a colon; it does not reach back over `floor` (X1, C1). */
export function findSchemeRun(bytes: string, colon: number, floor: number): number {
  let start = colon;
  while (start > floor && SCHEME_BYTE.test(bytes.charAt(start - 1))) {
    start--;
  }
  // C173: the last byte of an escape sequence is no letter.
  return start < colon && ["\x1b(B", "\x1b(J"].includes(bytes.slice(Math.max(0, start - 2), start + 1)) ? start + 1 : start;
}

/** X16, C115: an escape of a character, and a text with escapes, from its first byte on. */
const ASCII = "00(?:2[1345-9A-Fa-f]|3[ABDFabdf]|40|5[BDEFbdef]|7[B-Eb-e])";
const PAIR = "[Dd][89ABab][0-9A-Fa-f]{2}\\\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}";
const CHARACTER = `\\\\u(?:${ASCII}|${PAIR}|(?!00[0-9]|[Dd][89A-Fa-f])[0-9A-Fa-f]{4})`;
const CHARACTER_AT = new RegExp(`^${CHARACTER}`);
/** C208: an escape of TeX, perhaps in braces. */
const TEX = String.raw`\\(?:[_%&#]|(?:~|textasciitilde(?![A-Za-z]))(?:\{\})?)`;
const TEX_AT = new RegExp(String.raw`^(?:\{${TEX}\}|${TEX})`);
const ESCAPED = new RegExp(`(?:[^${DELIMITERS}]|\\\\/|${CHARACTER}|${TEX})*`, "y");
const AROUND = 16;
/** Bytes after such a text that are read for a mark (C200). */
const MARK_MAX = 18;

/** C116: where a run of scheme characters begins after the escape that it seems to begin with. */
function skipEscaped(bytes: string, runStart: number): number {
  const [written] = CHARACTER_AT.exec(bytes.slice(Math.max(0, runStart - 1), runStart + 5)) ?? [];
  return written === undefined ? runStart : runStart + written.length - 1;
}

/** X16: whether a match that ends before a backslash goes on without its escapes: as a value of JSON, or before an escape of TeX (C208). */
function isEscaped(bytes: string, start: number, colon: number, end: number, { schemes }: Rules): boolean {
  const isOpaque = schemes.rows.get(bytes.slice(start, colon).toLowerCase())?.shape === "opaque";
  const isIn = TEX_AT.test(bytes.slice(end))
    ? /^[^:]*:\/\/[^/?#]*[/?#]/.test(bytes.slice(start, end))
    : /[:,[] ?"$/.test(bytes.slice(Math.max(0, start - 3), start));
  return isIn && !isOpaque;
}

/** X16: where the scheme of a candidate with `:\\/\\/` starts, or null. */
function escapedStart(bytes: string, runStart: number, colon: number, rules: Rules): number | null {
  if (!rules.unescapes || !/[A-Za-z]/.test(bytes.charAt(colon - 1)) || !bytes.startsWith("\\/\\/", colon + 1)) {
    return null;
  }
  const start = findScheme(`${bytes.slice(0, colon)}://`, runStart, colon, rules);
  const row = start === null ? undefined : rules.schemes.rows.get(bytes.slice(start, colon).toLowerCase());
  const isRead = start !== null && (row === undefined || row.shape === "//");
  return isRead && candidateAt(bytes, start, rules) !== null ? start : null;
}

/** X16: the step of a candidate that is read without its escapes. */
function escapedStep(bytes: string, start: number, colon: number, runStart: number, rules: Rules): Step {
  ESCAPED.lastIndex = start;
  const written = ESCAPED.exec(bytes)?.[0] ?? "";
  if (written.length > rules.urlBytesMax) {
    return { start, resume: colon + 1, reason: "overlong" };
  }
  const text = decodedFrom(sourceOf(written, start), (at) => {
    const [tex] = TEX_AT.exec(written.slice(at)) ?? [];
    if (tex !== undefined) {
      return { bytes: /[_%&#]/.exec(tex)?.[0] ?? "~", width: tex.length };
    }
    const [escaped] = /^\\\//.exec(written.slice(at, at + 2)) ?? CHARACTER_AT.exec(written.slice(at, at + 12)) ?? [];
    return escaped === undefined ? null : { bytes: bytesOf(JSON.parse(`"${escaped}"`) as string), width: escaped.length };
  });
  const before = `\0${bytes.slice(Math.max(0, start - AROUND), start)}`;
  const read = candidateAt(`${before}${text.bytes}\0`, before.length, rules);
  const after = bytes.slice(start + written.length, start + written.length + MARK_MAX);
  const candidate = read && {
    ...read,
    read: text.bytes + after,
    isCopy: true,
    around: surroundingsOf(bytes, start),
    isQuoted: isQuoted(bytes, start, rules.urlBytesMax),
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
  const flags = start > runStart && /[A-Za-z]/.test(bytes.charAt(start - 1)) ? ["glued"] : [];
  return { start, resume: end, found: { start, end, offsets, ends, raw, prefix: "", kind: "plain", flags } };
}

/** X1 to X6, X12: the step of a candidate without a delimited URL whose scheme ends at a colon, or null. */
export function plainStep(bytes: string, colon: number, floor: number, rules: Rules): Step | null {
  const runStart = findSchemeRun(bytes, colon, floor);
  const escapedRun = skipEscaped(bytes, Math.max(runStart, colon - rules.urlBytesMax));
  const escaped = escapedStart(bytes, escapedRun, colon, rules);
  if (escaped !== null) {
    return escapedStep(bytes, escaped, colon, escapedRun, rules);
  }
  const start = findScheme(bytes, Math.max(runStart, colon - rules.urlBytesMax), colon, rules);
  const candidate = start === null ? null : candidateAt(bytes, start, rules);
  const reading = candidate === null ? null : readPlain(candidate, rules);
  if (candidate === null || reading === null) {
    return null;
  }
  const isGlued = candidate.start > runStart && /[A-Za-z]/.test(bytes.charAt(candidate.start - 1));
  const flags = isGlued ? ["glued"] : [];
  const step = candidateStep(candidate, reading, colon + 1, { kind: "plain", prefix: "", flags });
  const cutAt = candidate.start + reading.endBeforeX5;
  const isCut = "found" in step && bytes[cutAt] === "\\" && rules.unescapes && bytes.startsWith("//", colon + 1);
  if (isCut && isEscaped(bytes, candidate.start, colon, cutAt, rules)) {
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
  return { ...step, found: { ...step.found, flags: [...flags, "cut"] } };
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

/** X1 to X7, X12: the step of a scheme that ends at a colon, or null. */
export function colonStep(bytes: string, colon: number, floor: number, rules: Rules): Step | null {
  const runStart = findSchemeRun(bytes, colon, floor);
  const accepts = (raw: string, hasPrefix: boolean): boolean =>
    // C150: directly after the `<` these are the prefix.
    (hasPrefix || !/^url:/i.test(raw)) && isWrappable(raw, hasPrefix, rules);
  const labelled = runStart < colon ? readLabelled(bytes, runStart, rules) : null;
  const wrapped = labelled ?? (runStart < colon ? readDelimited(bytes, runStart, rules.urlBytesMax, accepts) : null);
  if (wrapped !== null) {
    return wrappedStep(wrapped, wrapped.kind, "");
  }
  return angledStep(bytes, runStart, colon, rules) ?? plainStep(bytes, colon, floor, rules);
}
