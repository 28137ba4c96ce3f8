/**
 * URLs inside a match's path, query or fragment (X11).
 */
import type { Rules } from "./rules.ts";
import { decodedFrom, type Source, sliceOf, sourceOf } from "./source.ts";
import { split } from "./split.ts";
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

/** The first URL at or behind an offset of a text; `isOne` says which colons are looked at. */
function firstUrl(text: Source, from: number, rules: Rules, isOne: (colon: number) => boolean): { start: number; nested: Nested } | null {
  const { bytes } = text;
  for (let colon = bytes.indexOf(":", from); colon >= 0; colon = bytes.indexOf(":", colon + 1)) {
    const step = isOne(colon) ? plainStep(bytes, colon, from, rules) : null;
    if (step !== null && "found" in step) {
      const { start, end, flags } = step.found;
      return { start: text.startOf(start), nested: { raw: sliceOf(text, start, end), flags } };
    }
  }
  return null;
}

/** The URLs of a piece without `&` and `#`, from left to right: as they stand there, or with an encoded colon or slash behind it. */
function urlsIn(piece: string, rules: Rules): Nested[] {
  const found: Nested[] = [];
  let from = 0;
  for (;;) {
    const literal = sliceOf(sourceOf(piece), from, piece.length);
    const decoded = percentDecoded(literal);
    const isEncoded = (colon: number): boolean =>
      /^:\/?\/?/.exec(decoded.bytes.slice(colon))?.[0].length !== /^:\/?\/?/.exec(piece.slice(decoded.startOf(colon)))?.[0].length;
    const [first] = [firstUrl(literal, 0, rules, () => true), firstUrl(decoded, 0, rules, isEncoded)]
      .filter((url) => url !== null)
      .sort((a, b) => a.start - b.start);
    if (first === undefined) {
      return found;
    }
    const { raw } = first.nested;
    found.push(first.nested);
    from = raw.endOf(raw.bytes.length - 1);
  }
}

/** X11: the nested URLs of a match with the raw form `raw`, each followed by its own. */
export function nestedIn(raw: Source, prefix: string, rules: Rules, depth = 1): Nested[] {
  const parts = split(prefix + raw.bytes, false, true, rules.schemes);
  if ("reason" in parts || depth > DEPTH_MAX) {
    return [];
  }
  const tail = [parts.path, parts.query, parts.fragment].filter((part) => part !== null).join("#");
  const inner: Rules = { ...rules, place: "html" };
  const found: Nested[] = [];
  let at = raw.bytes.length - tail.length;
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
