/**
 * Percent-encoded URLs in text, around which no URL is (C146 to C148).
 */

import { isQuoted } from "./delimited.ts";
import { candidateAt, findScheme, readPlain } from "./plain.ts";
import type { Rules } from "./rules.ts";
import { decodedFrom, type Source, sourceOf } from "./source.ts";
import { cutFlags, findSchemeRun, type Step } from "./step.ts";

/** C146: an encoded colon and two slashes. */
const SEPARATOR = /^%3a(?:\/|%2f){2}/i;
/** C147: the units of a value. */
const UNIT = /%[0-9a-f]{2}|[a-z0-9\-._~!$'()*+/:=?@]/iy;
const AROUND = 16;

/** C146: where the scheme characters before an encoded colon start; the digits of a triplet are none. */
function schemeRun(bytes: string, colon: number, floor: number, { urlBytesMax }: Rules): number {
  const run = Math.max(findSchemeRun(bytes, colon, floor), colon - urlBytesMax);
  return run + 2 <= colon && /^%[0-9a-f]{2}$/i.test(bytes.slice(Math.max(0, run - 1), run + 2)) ? run + 2 : run;
}

/** C146: where the scheme before an encoded colon starts, or null. */
function schemeStart(bytes: string, colon: number, floor: number, rules: Rules): number | null {
  if (!SEPARATOR.test(bytes.slice(colon, colon + 9))) {
    return null;
  }
  const start = findScheme(`${bytes.slice(0, colon)}://`, schemeRun(bytes, colon, floor, rules), colon, rules);
  const isKnown = start !== null && rules.schemes.rows.get(bytes.slice(start, colon).toLowerCase())?.shape === "//";
  return isKnown ? start : null;
}

/** C147: the value from an offset on, decoded once; it goes on to the byte at `limit` at the latest. */
function valueAt(bytes: string, start: number, runEnd: number, limit: number): Source {
  let end = start;
  UNIT.lastIndex = end;
  while (end < runEnd && end <= limit && UNIT.test(bytes)) {
    end = UNIT.lastIndex;
  }
  const written = bytes.slice(start, end);
  return decodedFrom(sourceOf(written, start), (at) => {
    const triplet = written.slice(at, at + 3);
    return triplet.startsWith("%") ? { bytes: String.fromCharCode(Number.parseInt(triplet.slice(1), 16)), width: 3 } : null;
  });
}

/** C146, C147: the step of a percent-encoded URL whose scheme ends at the `%3A` at `colon`, or null. */
export function encodedStep(bytes: string, colon: number, floor: number, rules: Rules): Step | null {
  const start = schemeStart(bytes, colon, floor, rules);
  const around = start === null ? null : candidateAt(bytes, start, rules);
  if (start === null || around === null) {
    return null;
  }
  const value = valueAt(bytes, start, around.runEnd, around.limit);
  if (!value.bytes.startsWith("://", colon - start)) {
    return null;
  }
  // It is read as a text of its own, in which nothing else is undone.
  const own: Rules = { ...rules, guess: false, unescapes: false, place: "html", after: "" };
  const before = `\0${bytes.slice(Math.max(0, start - AROUND), start)}`;
  const read = candidateAt(`${before}${value.bytes}\0`, before.length, own);
  const candidate = read && { ...read, isCopy: true, around: around.around, isQuoted: isQuoted(bytes, start, rules.urlBytesMax) };
  const reading = candidate && readPlain(candidate, own);
  if (reading === null || reading.reason !== null) {
    return { start, resume: colon + 3, reason: reading?.reason ?? "no-host" };
  }
  if (value.endOf(reading.endBeforeX5 - 1) > around.limit) {
    return { start, resume: around.runEnd, reason: "overlong" };
  }
  const raw = value.bytes.slice(0, reading.end);
  const offsets = Array.from(raw, (_, index) => value.startOf(index));
  const ends = Array.from(raw, (_, index) => value.endOf(index));
  const end = value.endOf(reading.end - 1);
  const isGlued = start > schemeRun(bytes, colon, floor, rules) && /[a-z]/i.test(bytes.charAt(start - 1));
  const flags = [...(isGlued ? ["glued"] : []), ...cutFlags(reading)];
  return { start, resume: end, found: { start, end, offsets, ends, raw, prefix: "", kind: "nested", flags } };
}
