/**
 * URLs inside a match's path, query or fragment (X11).
 */
import type { Rules } from "./rules.ts";
import { decodedFrom, type Source, sliceOf, sourceOf } from "./source.ts";
import { plainStep } from "./step.ts";

/** A nested URL: its raw form, decoded once if it was percent-encoded, and the flags that X1 gives it. */
export interface Nested {
  raw: Source;
  flags: string[];
}

const DEPTH_MAX = 4;

/** A text in which every percent triplet is decoded, once. */
function percentDecoded(source: Source): Source {
  return decodedFrom(source, (at) => {
    const hex = /^%([0-9A-Fa-f]{2})/.exec(source.bytes.slice(at, at + 3))?.[1];
    return hex === undefined ? null : { bytes: String.fromCharCode(Number.parseInt(hex, 16)), width: 3 };
  });
}

/** The URLs of a text, one after the other; `isOne` says which colons are looked at. */
function urlsOf(text: Source, rules: Rules, isOne: (colon: number) => boolean): { start: number; end: number; nested: Nested }[] {
  const { bytes } = text;
  const found: { start: number; end: number; nested: Nested }[] = [];
  let floor = 0;
  for (let colon = bytes.indexOf(":"); colon >= 0; colon = bytes.indexOf(":", Math.max(colon + 1, floor))) {
    const step = isOne(colon) ? plainStep(bytes, colon, floor, rules) : null;
    if (step !== null && "found" in step) {
      const { start, end, flags } = step.found;
      found.push({ start: text.startOf(start), end: text.endOf(end - 1), nested: { raw: sliceOf(text, start, end), flags } });
      floor = end;
    }
  }
  return found;
}

/**
 * The URLs of a piece without `&` and `#`, from left to right. It is read twice: as it stands, and decoded, where only colons count that
 * are encoded or have an encoded slash after them.
 */
function urlsIn(piece: string, rules: Rules): Nested[] {
  const literal = sourceOf(piece);
  const decoded = percentDecoded(literal);
  const slashes = (text: string, colon: number): number | undefined => /^:\/?\/?/.exec(text.slice(colon, colon + 3))?.[0].length;
  const isEncoded = (colon: number): boolean => slashes(decoded.bytes, colon) !== slashes(piece, decoded.startOf(colon));
  const all = [...urlsOf(literal, rules, () => true), ...urlsOf(decoded, rules, isEncoded)].sort((a, b) => a.start - b.start);
  let end = 0;
  return all.flatMap((one) => {
    if (one.start < end) {
      return [];
    }
    end = one.end;
    return [one.nested];
  });
}

/** X11: the nested URLs of a match with the raw form `raw`, each followed by its own. */
export function nestedIn(raw: Source, prefix: string, rules: Rules, depth = 1): Nested[] {
  if (depth > DEPTH_MAX) {
    return [];
  }
  const [, scheme = "", authority = "", tail = ""] = /^([^:]*):(\/\/[^/?#]*)?(.*)$/s.exec(prefix + raw.bytes) ?? [];
  const isOpaque = rules.schemes.rows.get(scheme.toLowerCase())?.shape === "opaque";
  const inner: Rules = { ...rules, unescapes: false, place: "html", after: "" };
  const found: Nested[] = [];
  let at = raw.bytes.length - tail.length - (isOpaque ? authority.length : 0);
  for (const piece of raw.bytes.slice(at).split(/[&#]/)) {
    const base = at;
    for (const { raw: url, flags } of urlsIn(piece, inner)) {
      const own: Source = {
        bytes: url.bytes,
        startOf: (index) => raw.startOf(base + url.startOf(index)),
        endOf: (index) => raw.endOf(base + url.endOf(index) - 1),
      };
      found.push({ raw: own, flags }, ...nestedIn(own, "", rules, depth + 1));
    }
    at += piece.length + 1;
  }
  return found;
}
