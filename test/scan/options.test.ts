// All options of a scan together (X1, X8 to X13): the builds of the core agree with the oracle, however the input is cut and divided.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookBehind } from "../../src/scanner/range.ts";
import { BUILDS, type Found, reportedByOracle, scan, settingsOf, sumOf } from "../core/builds.ts";
import { type OracleOptions, oracleExtract } from "../oracle/index.ts";
import { oracleFound } from "./oracle-rows.ts";
import { cutsOf, nestedTexts, pages, schemelessTexts, schemeTexts, texts } from "./pieces.ts";
import { wrappedTexts } from "./wrapped-lines.ts";

const FACTOR = Number(process.env.URLMILL_RUNS ?? 1);
const SEED = process.env.URLMILL_SEED ?? "1";
const seed = SEED === "random" ? {} : { seed: Number(SEED) };

const added: OracleOptions = {
  schemes: [
    { name: "qotd", shape: "//", port: 17 },
    { name: "note", shape: "opaque" },
    { name: "foo+bar.1", shape: "opaque" },
    { name: "news", shape: "//" },
  ],
};
const either = (...options: OracleOptions[]): fc.Arbitrary<OracleOptions> => fc.constantFrom({}, ...options);
/** Any options together. */
const anyOptions: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    either({ anyScheme: true }),
    either(added),
    either({ bare: "www" }, { bare: "email" }, { bare: "domain" }, { bare: ["email", "domain"] }, { bare: ["www", "email", "domain"] }),
    either({ guess: true }),
    either({ nested: true }),
    either({ type: "html" }),
    either({ urlBytesMax: 256 }, { urlBytesMax: 300 }),
  )
  .map((chosen) => Object.assign({}, ...chosen));

const anyText = fc.oneof(
  texts(8),
  schemeTexts(8),
  schemelessTexts(8),
  nestedTexts(5),
  pages(8),
  wrappedTexts,
  fc
    .array(fc.oneof(texts(2), schemeTexts(2), schemelessTexts(2), nestedTexts(1), pages(2), wrappedTexts), { maxLength: 5 })
    .map((parts) => Buffer.concat(parts)),
);

function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * FACTOR), ...seed });
}

const label = (bytes: Uint8Array, given: OracleOptions): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);

/** A text with offsets at which it is cut, and offsets at which it is divided into ranges. */
const dividedTexts = anyText.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), cutsOf(bytes.length)));

describe("any text under any options", () => {
  it.each(BUILDS)("%s finds what the oracle finds (X1 to X12)", (build) => {
    check(1500, fc.tuple(anyText, anyOptions), ([bytes, given]) => {
      expect(reportedByOracle(scan(build, bytes, settingsOf(given))), label(bytes, given)).toEqual(
        oracleFound(oracleExtract(bytes, given)),
      );
    });
  });

  it.each(BUILDS)("%s finds in URLs what the oracle finds there (X11)", (build) => {
    let count = 0;
    check(500, fc.tuple(nestedTexts(5), anyOptions), ([bytes, options]) => {
      const given = { ...options, nested: true };
      const found = scan(build, bytes, settingsOf(given));
      count += found.matches.filter(({ kind }) => kind === "nested").length;
      expect(reportedByOracle(found), label(bytes, given)).toEqual(oracleFound(oracleExtract(bytes, given)));
    });
    expect(count).toBeGreaterThan(200);
  });

  it.each(BUILDS)("%s finds the same however the input is cut (X13)", (build) => {
    check(500, fc.tuple(dividedTexts, anyOptions), ([[bytes, cuts], given]) => {
      const settings = settingsOf(given);
      expect(scan(build, bytes, settings, cuts), label(bytes, given)).toEqual(scan(build, bytes, settings));
    });
  });

  it.each(BUILDS)("%s: byte ranges own together what the whole owns (X13)", (build) => {
    check(300, fc.tuple(dividedTexts, anyOptions, fc.boolean()), ([[text, cuts, borders], given, isFarAhead]) => {
      // Text before makes the ranges start behind what a reader looks back at.
      const padding =
        isFarAhead && given.urlBytesMax !== undefined ? Buffer.from("word\n".repeat(lookBehind(given.urlBytesMax) / 5)) : Buffer.alloc(0);
      const bytes = Buffer.concat([padding, text]);
      const settings = settingsOf(given);
      const ends = [...borders.map((border) => padding.length + border), bytes.length];
      const ranged = (to: number, index: number): Found => scan(build, bytes, settings, cuts, [ends[index - 1] ?? 0, to]);
      expect(sumOf(ends.map(ranged)), label(bytes, given)).toEqual(scan(build, bytes, settings));
    });
  });
});
