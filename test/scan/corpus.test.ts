// Real archives, where a folder of them is at hand: every build finds the same in each file, and what the oracle finds.
// The laws of single URLs hold for theirs. The oracle is slow: it reads samples of a file and of the URLs, the same ones in every run;
// URLMILL_CORPUS_WHOLE=1 lets it read everything, URLMILL_SEED takes another sample of the URLs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type Found, reportedByOracle, scan, scanLines } from "../core/builds.ts";
import { oracleExtract } from "../oracle/index.ts";
import { expectFormatEquivalent, expectIdempotent, expectNormalizedAlike, expectReservedKept, expectSplitAlike } from "../url/laws.ts";
import { expectLinesAlike } from "../url/lines-alike.ts";
import { oracleFound } from "./oracle-rows.ts";

const folder = process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const whole = process.env.URLMILL_CORPUS_WHOLE !== undefined;
const files = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith(".md")) : [];

const SAMPLES = 16;
const SAMPLE_BYTES = 1 << 16;
/** About as many of the URLs of all files are looked at one by one. */
const URLS_SAMPLED = 4000;
const SEED = process.env.URLMILL_SEED === "random" ? Math.floor(Math.random() * 1e6) : Number(process.env.URLMILL_SEED ?? 1);

const read = new Map<string, Buffer>();

function readCorpusFile(name: string): Buffer {
  const known = read.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(folder, name));
  const text = name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  read.set(name, text);
  return text;
}

/** Parts of a file at even distances, each a text of its own: the cuts fall anywhere, as in a damaged archive. */
function samplesOf(bytes: Buffer): Buffer[] {
  if (whole || bytes.length <= SAMPLES * SAMPLE_BYTES) return [bytes];
  const step = (bytes.length - SAMPLE_BYTES) / (SAMPLES - 1);
  return Array.from({ length: SAMPLES }, (_, index) => {
    const start = Math.round(index * step);
    return bytes.subarray(start, start + SAMPLE_BYTES);
  });
}

/** The distinct URLs of all files as written, in an order of their own; some of them, or all. */
function rawUrls(): string[] {
  const lines = files.flatMap((name) => scanLines("simd", readCorpusFile(name), { profile: "none" })[0].split("\n").slice(0, -1));
  const all = [...new Set(lines)].sort();
  const step = whole ? 1 : Math.ceil(all.length / URLS_SAMPLED);
  return all.filter((_, index) => index % step === SEED % step);
}

function hrefOf(raw: string): string | null {
  try {
    return new URL(raw).href;
  } catch {
    return null;
  }
}

/** The first differing match is worth more than two lists of thousands. */
function expectSame(found: Found, wanted: Found, label: string): void {
  const count = Math.max(found.matches.length, wanted.matches.length);
  for (let index = 0; index < count; index++) {
    if (JSON.stringify(found.matches[index]) !== JSON.stringify(wanted.matches[index])) {
      expect(found.matches[index], `${label}, match ${index}`).toEqual(wanted.matches[index]);
    }
  }
  expect(found.listed, `${label}, rejected candidates`).toEqual(wanted.listed);
  expect(found.rejected, `${label}, rejected`).toEqual(wanted.rejected);
}

describe.skipIf(files.length === 0)(files.length === 0 ? "corpus: no folder of archives here" : "corpus", () => {
  if (files.length === 0) it("needs a folder of archives: URLMILL_CORPUS names it", () => {});

  it.each(files)("%s: both builds find the same", (name) => {
    const bytes = readCorpusFile(name);
    const found = scan("simd", bytes);
    expect(found.matches.length).toBeGreaterThan(0);
    expectSame(scan("javascript", bytes), found, "javascript");
    const cuts = Array.from({ length: Math.floor((bytes.length - 1) / 65_521) }, (_, index) => (index + 1) * 65_521);
    expectSame(scan("simd", bytes, {}, cuts), found, "simd in chunks");
    const guessed = scan("simd", bytes, { guess: true });
    expectSame(scan("javascript", bytes, { guess: true }), guessed, "javascript, guess");
    expectSame(scan("simd", bytes, { guess: true }, cuts), guessed, "simd in chunks, guess");
  });

  it.each(files)("%s: whatwg gives what the platform's URL gives; nested adds matches and changes none", (name) => {
    const bytes = readCorpusFile(name);
    const plain = scan("simd", bytes).matches;
    const whatwg = scan("simd", bytes, { form: { profile: "whatwg" } }).matches;
    expect(whatwg.length).toBe(plain.length);
    for (const { url, raw } of whatwg) if (url !== hrefOf(raw)) expect(url, raw).toBe(hrefOf(raw));
    const nested = scan("simd", bytes, { nested: true });
    const outer = nested.matches.filter(({ kind }) => kind !== "nested");
    expectSame({ ...nested, matches: outer }, { ...nested, matches: plain }, "outer matches");
    expectSame(scan("javascript", bytes, { nested: true }), nested, "javascript");
  });

  it.each(files)(
    `%s: simd finds what the oracle finds (${whole ? "the whole file" : `${SAMPLES} samples of ${SAMPLE_BYTES} bytes`})`,
    (name) => {
      const limit = { urlBytesMax: 2048 };
      for (const [index, sample] of samplesOf(readCorpusFile(name)).entries()) {
        expectSame(reportedByOracle(scan("simd", sample)), oracleFound(oracleExtract(sample)), `sample ${index}`);
        expectSame(
          reportedByOracle(scan("simd", sample, limit)),
          oracleFound(oracleExtract(sample, limit)),
          `sample ${index}, urlBytesMax 2048`,
        );
        const guess = { guess: true };
        expectSame(reportedByOracle(scan("simd", sample, guess)), oracleFound(oracleExtract(sample, guess)), `sample ${index}, guess`);
      }
    },
    600_000,
  );

  describe(`their distinct URLs (${whole ? "all" : `about ${URLS_SAMPLED}, by seed ${SEED}`})`, () => {
    let urls: string[] = [];
    beforeAll(() => {
      urls = rawUrls();
      expect(urls.length).toBeGreaterThan(0);
    }, 600_000);

    it.each([
      ["are normalized alike by all builds and the oracle", expectNormalizedAlike],
      ["are split alike by all builds and the oracle", expectSplitAlike],
      ["have normal forms that are their own, by every option and by all", expectIdempotent],
      ["keep their reserved characters and their triplets", expectReservedKept],
      ["and what format makes of their parts have one normal form", expectFormatEquivalent],
    ])("%s", (_, law) => urls.forEach(law), 600_000);

    it("are normalized as lines as they are one by one", () => expectLinesAlike(urls.map((url) => Buffer.from(url))), 600_000);
  });
});
