// Properties of the oracle under every option (X1, X9 to X13, N8): what must hold of any input, whoever implements the rules.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, RUNS } from "../core/check.ts";
import { isWrittenAs } from "../scan/found-alike.ts";
import { cutsOf, nestedTexts, pages, schemelessTexts, schemeTexts, texts, urls } from "../scan/pieces.ts";
import { type OracleMatch, type OracleOptions, oracleExtract, oracleNormalize } from "./index.ts";

const added: OracleOptions = {
  extraSchemes: [
    { name: "qotd", shape: "//", port: 17 },
    { name: "note", shape: "opaque" },
  ],
};
const options: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    fc.constantFrom<OracleOptions>({}, { anyScheme: true }, added),
    fc.constantFrom<OracleOptions>({}, { bare: "www" }, { bare: ["email", "domain"] }, { bare: ["www", "email", "domain", "ip"] }),
    fc.constantFrom<OracleOptions>({}, { nested: true }),
    fc.constantFrom<OracleOptions>({}, { urlBytesMax: 256 }),
  )
  .map((chosen) => Object.assign({}, ...chosen));

const anyText = fc.oneof(texts(8), schemeTexts(8), schemelessTexts(8), nestedTexts(6), pages(10));

const label = (bytes: Uint8Array, given: OracleOptions): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);
const isOuter = ({ kind }: OracleMatch): boolean => kind !== "nested";

describe.each(["text", "html"] as const)("the oracle on any %s", (type) => {
  const typed = (given: OracleOptions): OracleOptions => (type === "html" ? { ...given, type } : given);

  it("gives spans in order that do not overlap, and nested ones inside the match before them or on their own (X11, C146)", () => {
    check(1500, fc.tuple(anyText, options), ([bytes, given]) => {
      let outer = { start: 0, end: 0 };
      for (const match of oracleExtract(bytes, typed(given)).matches) {
        expect(match.end, label(bytes, given)).toBeGreaterThan(match.start);
        const isOwn = isOuter(match) || match.start >= outer.end;
        expect(match.start).toBeGreaterThanOrEqual(isOwn ? outer.end : outer.start);
        expect(match.end).toBeLessThanOrEqual(isOwn ? bytes.length : outer.end);
        if (isOwn) outer = match;
        if (type === "text" && match.kind === "plain")
          expect(isWrittenAs(match.raw, bytes.subarray(match.start, match.end).toString())).toBe(true);
      }
    });
  });

  it("finds the same matches and failures around nested URLs as without them (X11)", () => {
    let count = 0;
    check(1000, fc.tuple(fc.oneof(nestedTexts(5), pages(8)), options), ([bytes, given]) => {
      const all = oracleExtract(bytes, typed({ ...given, nested: true }));
      const without = oracleExtract(bytes, typed({ ...given, nested: false }));
      // C146: an encoded URL outside of matches is one, and so is what is in it.
      const around = Buffer.from(bytes);
      for (const { start, end } of without.matches) around.fill(0, start, end);
      if (/%3a(?:\/|%2f){2}/i.test(around.toString("latin1"))) return;
      count++;
      expect({ ...all, matches: all.matches.filter(isOuter) }, label(bytes, given)).toEqual(without);
    });
    expect(count).toBeGreaterThan(700 * RUNS);
  });

  it("gives byte ranges that own together what the whole owns (X13)", () => {
    const cutTexts = anyText.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), options));
    check(300, cutTexts, ([bytes, borders, given]) => {
      const edges = [0, ...borders];
      const parts = edges.map((from, index) => oracleExtract(bytes, { ...typed(given), from, to: edges[index + 1] ?? bytes.length }));
      const whole = oracleExtract(bytes, typed(given));
      expect({ matches: parts.flatMap(({ matches }) => matches), rejected: parts.flatMap(({ rejected }) => rejected) }).toEqual(whole);
    });
  });
});

describe("the oracle", () => {
  it("reads a page without markup and references as it reads text (X9)", () => {
    check(800, fc.tuple(anyText, options), ([bytes, given]) => {
      const plain = Buffer.from(bytes.toString("latin1").replace(/[<&]/g, " "), "latin1");
      expect(oracleExtract(plain, { ...given, type: "html" }), label(plain, given)).toEqual(oracleExtract(plain, given));
    });
  });

  it("finds the kinds of scheme-less text that it is asked for (X10)", () => {
    check(600, schemelessTexts(8), (bytes) => {
      const kinds = new Set(oracleExtract(bytes, { bare: "www" }).matches.map(({ kind }) => kind));
      expect(kinds.has("email") || kinds.has("domain"), label(bytes, {})).toBe(false);
      for (const { kind, raw } of oracleExtract(bytes, { bare: "domain" }).matches)
        if (kind === "domain") expect(raw).toMatch(/^[^/?#]*\./);
    });
  });

  it("gives rfc1738 forms that are their own, without tilde and fragment (N8)", () => {
    check(3000, urls, (url) => {
      const once = oracleNormalize(url, "rfc1738");
      if (!("url" in once)) return;
      expect(oracleNormalize(once.url, "rfc1738"), JSON.stringify([url, once.url])).toEqual(once);
      expect(once.url.replace(/\[.*?\]/, "")).not.toMatch(/[~#]/);
    });
  });
});
