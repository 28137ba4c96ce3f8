// Properties of any bytes (X11 to X13, N): the builds of the core agree with each other and the oracle, however the input is cut.
// The runs are the same every time. URLMILL_RUNS=20 makes twenty times as many; URLMILL_SEED=random makes others, and a failure prints the
// seed that URLMILL_SEED=N repeats.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNormalizeOptions } from "../../src/options.ts";
import { normalizeWith } from "../../src/url/normalize.ts";
import { parseWith } from "../../src/url/parse.ts";
import { BUILDS, coreOf, type Found, type Row, reportedByOracle, type ScanSettings, scan, scanLines, sumOf } from "../core/builds.ts";
import { oracleExtract } from "../oracle/index.ts";
import { CORE_PROFILES } from "../url/laws.ts";
import { oracleFound } from "./oracle-rows.ts";
import { cutsOf, pages, texts, urls } from "./pieces.ts";

const FACTOR = 3 * Number(process.env.URLMILL_RUNS ?? 1);
const SEED = process.env.URLMILL_SEED ?? "1";
const seed = SEED === "random" ? {} : { seed: Number(SEED) };

function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * FACTOR), ...seed });
}

/** Small limits meet the texts that pieces make; the default never would. */
const settings: fc.Arbitrary<ScanSettings> = fc.constantFrom(
  {},
  { urlBytesMax: 256 },
  { urlBytesMax: 300 },
  { profile: "none" as const },
  { profile: "rfc1738" as const },
);

function limitOf(given: ScanSettings): { urlBytesMax?: number } {
  return given.urlBytesMax === undefined ? {} : { urlBytesMax: given.urlBytesMax };
}

const label = (bytes: Uint8Array): string => JSON.stringify(Buffer.from(bytes).toString("latin1"));

describe("any text", () => {
  it.each(BUILDS)("%s finds what the oracle finds (X1 to X12, W)", (build) => {
    check(1500, fc.tuple(texts(10), fc.constantFrom({}, { urlBytesMax: 256 }, { urlBytesMax: 300 })), ([bytes, given]) => {
      expect(reportedByOracle(scan(build, bytes, given)), label(bytes)).toEqual(oracleFound(oracleExtract(bytes, given)));
    });
  });

  it("both builds find the same", () => {
    check(1500, fc.tuple(texts(24), settings), ([bytes, given]) => {
      const found = scan("simd", bytes, given);
      expect(scan("javascript", bytes, given), label(bytes)).toEqual(found);
    });
  });

  it.each(BUILDS)("%s finds the same however the input is cut (X13)", (build) => {
    const cutTexts = texts(20).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), settings));
    check(800, cutTexts, ([bytes, cuts, given]) => {
      expect(scan(build, bytes, given, cuts), label(bytes)).toEqual(scan(build, bytes, given));
      expect(scanLines(build, bytes, given, cuts), label(bytes)).toEqual(scanLines(build, bytes, given));
    });
  });

  it.each(BUILDS)("%s: byte ranges own together what the whole owns (X13)", (build) => {
    const cutTexts = texts(20).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), settings, cutsOf(bytes.length)));
    check(500, cutTexts, ([bytes, borders, given, cuts]) => {
      const edges = [0, ...borders, bytes.length];
      const parts = borders.concat(bytes.length).map((to, index) => scan(build, bytes, given, cuts, [edges[index] ?? 0, to]));
      expect(sumOf(parts), label(bytes)).toEqual(scan(build, bytes, given));
    });
  });

  it("the oracle's byte ranges own together what the whole owns (X13)", () => {
    const cutTexts = texts(12).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), settings));
    check(200, cutTexts, ([bytes, borders, given]) => {
      const edges = [0, ...borders, bytes.length];
      const ranged = (to: number, index: number): Found =>
        oracleFound(oracleExtract(bytes, { ...limitOf(given), from: edges[index] ?? 0, to }));
      const parts = borders.concat(bytes.length).map(ranged);
      expect(sumOf(parts).matches, label(bytes)).toEqual(oracleFound(oracleExtract(bytes, limitOf(given))).matches);
    });
  });

  it("spans are in order, do not overlap, and give raw back where nothing was taken out (X7, X11)", () => {
    check(1000, fc.tuple(texts(16), settings), ([bytes, given]) => {
      let before = 0;
      for (const row of scan("simd", bytes, given).matches) {
        expect(row.start, label(bytes)).toBeGreaterThanOrEqual(before);
        expect(row.end).toBeGreaterThan(row.start);
        before = row.end;
        const span = bytes.subarray(row.start, row.end).toString();
        if (row.kind === "rejoined") expect(row.raw.length).toBeLessThan(span.length);
        else if (row.kind === "plain") expect(row.raw).toBe(span);
        else expect(span.replace(/[ \t]/g, "")).toBe(row.raw);
      }
    });
  });

  it("lines are the URLs of the matches that the profile takes", () => {
    check(400, fc.tuple(texts(16), settings), ([bytes, given]) => {
      const taken = scan("simd", bytes, given).matches.flatMap((row) => (row.url === null ? [] : [`${row.url}\n`]));
      expect(scanLines("simd", bytes, given), label(bytes)).toEqual([taken.join(""), taken.length]);
    });
  });

  it("the profile none reports what rfc3986 reports, with url as raw (N)", () => {
    check(300, texts(16), (bytes) => {
      const raws = scan("simd", bytes, {}).matches.map(({ raw, start, end, kind, flags }) => ({ raw, start, end, kind, flags, url: raw }));
      const none = scan("simd", bytes, { profile: "none" }).matches.map(({ reason, ...row }) => row);
      expect(none, label(bytes)).toEqual(raws);
    });
  });

  it("a filter by scheme leaves out matches and changes none (X11)", () => {
    check(300, texts(16), (bytes) => {
      const all = scan("simd", bytes, {}).matches;
      const named = scan("simd", bytes, { schemes: ["http", "mailto"] }).matches;
      expect(named, label(bytes)).toEqual(all.filter((row) => /^(?:http|mailto):/i.test(row.raw)));
    });
  });
});

describe("any page of HTML (X9)", () => {
  const limits = fc.constantFrom<ScanSettings>({ type: "html" }, { type: "html", urlBytesMax: 256 });

  it.each(BUILDS)("%s finds what the oracle finds", (build) => {
    check(3000, fc.tuple(pages(8), limits), ([bytes, given]) => {
      const wanted = oracleFound(oracleExtract(bytes, { type: "html", ...limitOf(given) }));
      expect(reportedByOracle(scan(build, bytes, given)), label(bytes)).toEqual(wanted);
    });
  });

  it.each(BUILDS)("%s finds the same however the input is cut (X13)", (build) => {
    const cutTexts = pages(12).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), limits));
    check(500, cutTexts, ([bytes, cuts, given]) => {
      expect(scan(build, bytes, given, cuts), label(bytes)).toEqual(scan(build, bytes, given));
      expect(scanLines(build, bytes, given, cuts), label(bytes)).toEqual(scanLines(build, bytes, given));
    });
  });

  it.each(BUILDS)("%s: byte ranges own together what the whole owns (X13)", (build) => {
    const cutTexts = pages(12).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), limits, cutsOf(bytes.length)));
    check(300, cutTexts, ([bytes, borders, given, cuts]) => {
      const edges = [0, ...borders, bytes.length];
      const parts = borders.concat(bytes.length).map((to, index) => scan(build, bytes, given, cuts, [edges[index] ?? 0, to]));
      expect(sumOf(parts), label(bytes)).toEqual(scan(build, bytes, given));
    });
  });
});

// More of single URLs: test/url/laws.test.ts.
describe("any URL", () => {
  it("a refusal names a byte of the input or its end (P0)", () => {
    check(2000, urls, (url) => {
      const parsed = parseWith(coreOf("simd"), url);
      if (parsed.ok) return;
      expect(parsed.offset, JSON.stringify(url)).toBeGreaterThanOrEqual(0);
      expect(parsed.offset).toBeLessThanOrEqual(Buffer.byteLength(url));
    });
  });

  it.each(CORE_PROFILES)("a match's url is what normalize makes of its raw (X2 to X7, N): %s", (profile) => {
    const form = checkNormalizeOptions({ profile });
    check(1500, texts(8), (bytes) => {
      for (const row of scan("simd", bytes, { profile }).matches) {
        // In <URL:...> one character behind the colon is enough (X6), so normalize may refuse what a delimited URL let through.
        const result = normalizeWith(coreOf("simd"), row.raw, form);
        if (row.kind === "plain" || result.ok) expect(result, JSON.stringify(row.raw)).toEqual(wantedOf(row));
      }
    });
  });
});

function wantedOf(row: Row): object {
  return row.url === null ? { ok: false, code: row.reason } : { ok: true, url: row.url };
}
