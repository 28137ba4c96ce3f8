/**
 * Extraction from plain text (X1 to X8, X11 to X14): candidates at colons, read one after the other.
 * The input is a byte string, so that every index is a byte offset.
 */
import { flagsOf } from "./flags.ts";
import { normalForm } from "./normalize.ts";
import { isExperimental, isKnown, KNOWN_WITH_SLASHES, LONGEST_NAME } from "./schemes.ts";
import { hasShape, needsAuthority, type Reason, readAuthority, split } from "./split.ts";
import { HARD, keptLengthAt, textOf, trailingPunctuationLength } from "./unicode.ts";
import { isQuoted, readWrapper } from "./wrapper.ts";

/** A match: offsets in bytes; `url` is null (and `reason` set) where `rfc3986` refuses it; `host` as in `url`; `flags` sorted (X, W). */
export interface OracleMatch {
  url: string | null;
  reason?: Reason;
  raw: string;
  scheme: string;
  host: string | null;
  start: number;
  end: number;
  kind: "plain" | "wrapped" | "rejoined";
  flags: string[];
}

/** A candidate that failed and the offset of the first byte of its scheme (X12); matches that the profile refuses are not among them. */
export interface Rejected {
  reason: Reason;
  start: number;
}

/** What stands around a candidate's stretch: what X3, X5 and X6 look at beside the stretch itself. */
interface Surroundings {
  isQuoted: boolean;
  marks: string;
  next: string;
}

/** How a candidate ends, in bytes from its scheme; `reason` is null where it is a match. */
interface Reading {
  reason: Reason | null;
  endBeforeX5: number;
  end: number;
}

const SCHEME_BYTE = /[A-Za-z0-9+.-]/;
const REFERENCE = /&(?:amp;)*(?:lt|gt|quot|nbsp|apos|#0*(?:60|62|34|160|39)|#x0*(?:3c|3e|22|a0|27));/iy;
const STRETCH_END = new RegExp(`[${HARD}]|[,;|](?=${KNOWN_WITH_SLASHES})`, "gi");
const STRETCH_END_HERE = new RegExp(STRETCH_END.source, "iy");
const OPENING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const MARKS_MAX = 8;

/** X1 (a) and (b): where the scheme starts in the run that ends at a colon, or null. */
function findScheme(bytes: string, runStart: number, colon: number): number | null {
  const run = bytes.slice(runStart, colon);
  if (isKnown(run) || isExperimental(run)) {
    return runStart;
  }
  if (!bytes.startsWith("//", colon + 1)) {
    return null;
  }
  for (let start = Math.max(runStart, colon - LONGEST_NAME); start < colon; start++) {
    const name = bytes.slice(start, colon);
    if (isKnown(name) && (/^https?$/i.test(name) || !/[A-Za-z]/.test(bytes.charAt(start - 1)))) {
      return start;
    }
  }
  return null;
}

/** X3, X4 and X5's references: where a match ends whose scheme's colon stands before `from`. X3's first sentence has cut the stretch. */
function findEnd(stretch: string, from: number, around: Surroundings): number {
  const text = stretch + around.next;
  const open = new Map([..."([{"].map((bracket) => [bracket, 0]));
  let at = from;
  while (at < stretch.length) {
    const byte = text.charAt(at);
    const opening = OPENING[byte];
    REFERENCE.lastIndex = at;
    if ((byte === "'" && around.isQuoted) || (byte === "&" && REFERENCE.test(text))) {
      return at;
    }
    const depth = open.get(opening ?? byte);
    if (opening !== undefined && depth === 0) {
      return at;
    }
    if (depth !== undefined) {
      open.set(opening ?? byte, opening === undefined ? depth + 1 : depth - 1);
    }
    const width = byte < "\x80" ? 1 : keptLengthAt(text, at);
    if (width === 0) {
      return at;
    }
    at += width;
  }
  return at;
}

/** X5: length of the longest run of emphasis marks at the end that mirrors those before the scheme. */
function mirroredLength(text: string, marks: string): number {
  for (let length = marks.length; length > 0; length--) {
    if (text.endsWith([...marks.slice(-length)].reverse().join(""))) {
      return length;
    }
  }
  return 0;
}

/** X5: the end without trailing punctuation; never before `floor`. `hostEnd` is the end of the host's name, if there is one. */
function withoutTrailing(stretch: string, floor: number, end: number, hostEnd: number, marks: string): number {
  let at = end;
  for (;;) {
    const tail = stretch.slice(Math.max(floor, at - MARKS_MAX), at);
    const isPunctuation = /[.,:!?'([{]$/.test(tail) || (/;$/.test(tail) && !/&amp;$/i.test(tail));
    const isHostMark = at <= hostEnd && /[-_]$/.test(tail);
    const length = isPunctuation || isHostMark ? 1 : trailingPunctuationLength(tail) || mirroredLength(tail, marks);
    if (length === 0) {
      return at;
    }
    at -= length;
  }
}

/** X2 to X6: reads a plain candidate at the start of `stretch`; null where it is none (X6, X12). Offsets count from its scheme. */
function readPlain(stretch: string, around: Surroundings): Reading | null {
  const colon = stretch.indexOf(":");
  const scheme = stretch.slice(0, colon).toLowerCase();
  const hasSlashes = stretch.startsWith("//", colon + 1);
  const isLocalFile = scheme === "file" && !hasSlashes && stretch[colon + 1] === "/";
  const isProse = stretch.length === colon + 1 && (around.next === "" || around.next <= " ");
  if (isProse || (needsAuthority(scheme) && !hasSlashes && !isLocalFile)) {
    return null;
  }
  const end = findEnd(stretch, colon + 1, around);
  if (hasSlashes && (needsAuthority(scheme) || scheme === "news" || scheme === "snews")) {
    const authority = readAuthority(
      stretch,
      colon + 3,
      end,
      (hostStart) => scheme === "file" && hostStart === colon + 3 && hostStart < end && stretch[hostStart] === "/",
    );
    if ("reason" in authority) {
      const stop = colon + 3 + stretch.slice(colon + 3, end).search(/[/?#]|$/);
      return { reason: authority.reason, endBeforeX5: stop, end: 0 };
    }
    const endBeforeX5 = authority.end === authority.stop ? end : authority.end;
    const trimmed = withoutTrailing(stretch, authority.hostStart, endBeforeX5, authority.hostEnd, around.marks);
    return { reason: trimmed === authority.hostStart ? "no-host" : null, endBeforeX5, end: trimmed };
  }
  const trimmed = withoutTrailing(stretch, colon + 1, end, 0, around.marks);
  const isGood = isLocalFile || hasShape(scheme, stretch.slice(colon + 1, trimmed));
  return { reason: isGood ? null : "bad-shape", endBeforeX5: end, end: trimmed };
}

/** N, W: the record of a match from its raw form, a byte string. */
function toMatch(raw: string, start: number, end: number, kind: OracleMatch["kind"], ownFlags: string[]): OracleMatch {
  const parts = split(raw, false);
  const normal = "reason" in parts ? parts : normalForm(parts);
  const match: OracleMatch = {
    url: "reason" in normal ? null : textOf(normal.url),
    raw: textOf(raw),
    scheme: raw.slice(0, raw.indexOf(":")).toLowerCase(),
    host: "reason" in normal || normal.host === null ? null : textOf(normal.host),
    start,
    end,
    kind,
    flags: [...ownFlags, ...flagsOf(raw, "reason" in parts ? null : parts)].sort(),
  };
  return "reason" in normal ? { ...match, reason: normal.reason } : match;
}

/** The stretch around an offset (X12); `start` is -1 where it lies further back than is looked. */
function findStretch(bytes: string, at: number, urlBytesMax: number): { start: number; end: number } {
  STRETCH_END.lastIndex = at;
  const end = STRETCH_END.exec(bytes)?.index ?? bytes.length;
  for (let start = at; start > at - urlBytesMax; start--) {
    STRETCH_END_HERE.lastIndex = start - 1;
    if (start === 0 || STRETCH_END_HERE.test(bytes)) {
      return { start, end };
    }
  }
  return { start: -1, end };
}

/** X1 to X8, X11 to X14: all matches and failed candidates of a plain text in order; a byte range owns those that start in it (X13). */
export function oracleExtract(
  input: Uint8Array,
  options: { urlBytesMax?: number; from?: number; to?: number } = {},
): { matches: OracleMatch[]; rejected: Rejected[] } {
  const bytes = Buffer.from(input).toString("latin1");
  const { urlBytesMax = 16384, from = 0, to = bytes.length + 1 } = options;
  const matches: OracleMatch[] = [];
  const rejected: Rejected[] = [];
  let floor = 0;
  let stretch = { start: 0, end: -1 };
  for (let colon = bytes.indexOf(":"); colon >= 0; colon = bytes.indexOf(":", Math.max(colon + 1, floor))) {
    let runStart = colon;
    while (runStart > floor && SCHEME_BYTE.test(bytes.charAt(runStart - 1))) {
      runStart--;
    }
    const wrapped = runStart < colon ? readWrapper(bytes, runStart, urlBytesMax) : null;
    if (wrapped !== null) {
      matches.push(toMatch(wrapped.raw, wrapped.start, wrapped.end, wrapped.kind, wrapped.hyphenBreak ? ["hyphen-break"] : []));
      floor = wrapped.end;
      continue;
    }
    const start = findScheme(bytes, Math.max(runStart, colon - urlBytesMax), colon);
    if (start === null) {
      continue;
    }
    stretch = start < stretch.end ? stretch : findStretch(bytes, start, urlBytesMax);
    const limit = stretch.start + urlBytesMax;
    if (stretch.start < 0 || start >= limit) {
      continue;
    }
    const text = bytes.slice(start, Math.min(stretch.end, start + urlBytesMax + 1));
    const around = {
      isQuoted: isQuoted(bytes, start, urlBytesMax),
      marks: /[*_~]*$/.exec(bytes.slice(Math.max(0, start - MARKS_MAX), start))?.[0] ?? "",
      next: bytes.charAt(start + text.length),
    };
    const reading = readPlain(text, around);
    if (reading === null) {
      continue;
    }
    const isOverlong = start + reading.endBeforeX5 > limit;
    if (isOverlong || reading.reason !== null) {
      rejected.push({ reason: isOverlong ? "overlong" : (reading.reason as Reason), start });
      floor = isOverlong ? stretch.end : floor;
      continue;
    }
    const isGlued = start > runStart && /[A-Za-z]/.test(bytes.charAt(start - 1));
    matches.push(toMatch(text.slice(0, reading.end), start, start + reading.end, "plain", isGlued ? ["glued"] : []));
    floor = start + reading.end;
  }
  const isOwned = ({ start }: { start: number }): boolean => start >= from && start < to;
  return { matches: matches.filter(isOwned), rejected: rejected.filter(isOwned) };
}
