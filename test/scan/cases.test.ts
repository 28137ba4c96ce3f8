// Every case of test/vectors/cases.jsonl, on every build of the core and on the oracle; extraction cases in chunks and ranges (X13).
import { isUtf8 } from "node:buffer";
import { describe, expect, it } from "vitest";
import { checkNormalizeOptions, type NormalizeProfile } from "../../src/options/options.ts";
import { parseWith } from "../../src/url/parse.ts";
import { type PercentEncodeSet, percentDecode, percentEncode } from "../../src/url/percent.ts";
import { resolveWith } from "../../src/url/resolve.ts";
import { BUILDS, type Build, coreOf, cutsEvery, type Found, type Row, scan, settingsOf, sumOf } from "../core/builds.ts";
import { type OracleOptions, oracleExtract, oracleNormalize, oracleParse } from "../oracle/index.ts";
import { normalizeWith } from "../url/normalize-with.ts";
import { expectParsed } from "../url/parsed.ts";
import { type Case, type ExpectedMatch, isOfOracle, readCases } from "../vectors/cases.ts";
import { flagsOfRaw, oracleFound, withoutUrls } from "./oracle-rows.ts";

type ExtractCase = Extract<Case, { op: "extract" }>;
type NormalizeCase = Extract<Case, { op: "normalize" }>;

const cases = readCases();
const extracts = cases.filter((one): one is ExtractCase => one.op === "extract");
const range = (one: Case): readonly [number, number] | undefined => one.options.range as readonly [number, number] | undefined;

/** A row cut down to what the case compares. */
function compared(row: Row, expected: ExpectedMatch | undefined): Partial<Row> {
  const { raw, kind, flags, reason, tag, attribute, text, ...rest } = row;
  return {
    ...rest,
    ...(expected?.raw === undefined ? {} : { raw }),
    ...(expected?.kind === undefined ? {} : { kind }),
    ...(expected?.flags === undefined ? {} : { flags }),
    ...(reason === null ? {} : { reason }),
    ...(tag === undefined ? {} : { tag, attribute }),
    ...(text === undefined ? {} : { text }),
  };
}

function expectCase(one: ExtractCase, found: Found, label: string): void {
  const got = found.matches.map((row, index) => compared(row, one.expect[index]));
  const want = one.expect.map((match) => (match.flags === undefined ? match : { ...match, flags: [...match.flags].sort() }));
  expect(got, label).toEqual(want);
  if (one.rejected !== undefined) expect(found.rejected, `rejected, ${label}`).toEqual(one.rejected);
}

/** A case without the URLs and their flags: the oracle does not unwrap redirectors. */
function withoutTargets(one: ExtractCase): ExtractCase {
  const expect = one.expect.map((match) => ({ ...match, url: match.url === null ? null : "", flags: flagsOfRaw(match.flags ?? []) }));
  return { ...one, expect };
}

/** Every chunk size on WebAssembly. The JavaScript build is compiled from the same core: a few sizes show that it keeps its state. */
function chunkSizes(build: Build, length: number): number[] {
  const all = Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1);
  return build === "simd" ? all : all.filter((size) => size <= 2 || size === length >> 1);
}

function runCuts(one: ExtractCase, build: Build): void {
  const settings = settingsOf(one.options);
  const length = one.bytes.length;
  const whole = scan(build, one.bytes, settings, [], range(one));
  expectCase(one, whole, "whole");
  const seen = JSON.stringify(whole);
  const cutLists = chunkSizes(build, length).map((size) => cutsEvery(size, length));
  if (one.options.chunks !== undefined) cutLists.push(one.options.chunks as number[]);
  for (const cuts of cutLists) {
    const found = scan(build, one.bytes, settings, cuts, range(one));
    if (JSON.stringify(found) !== seen) expect(found, `cut at ${cuts}`).toEqual(whole);
  }
}

/** Two ranges that meet at any byte (on the JavaScript build at some) own together what the whole owns (X13). */
function runRanges(one: ExtractCase, build: Build): void {
  const settings = settingsOf(one.options);
  const whole = scan(build, one.bytes, settings);
  for (let at = 1; at < one.bytes.length; at += build === "simd" ? 1 : 8) {
    const parts = [scan(build, one.bytes, settings, [], [0, at]), scan(build, one.bytes, settings, [], [at, one.bytes.length])];
    const sum = sumOf(parts);
    if (JSON.stringify(sum) !== JSON.stringify(whole)) expect(sum, `ranges that meet at ${at}`).toEqual(whole);
  }
}

describe.each(BUILDS)("%s", (build) => {
  for (const one of extracts) it(`${one.rule} ${one.id}, whole and in chunks`, () => runCuts(one, build));

  it("X13: two byte ranges that meet own what the whole owns, in every case", () => {
    for (const one of extracts) if (range(one) === undefined) runRanges(one, build);
  });
});

describe("oracle", () => {
  for (const one of extracts.filter(isOfOracle)) {
    it(`${one.rule} ${one.id}`, () => {
      const [from, to] = range(one) ?? [];
      const options: OracleOptions = { ...one.options, ...(from === undefined || to === undefined ? {} : { from, to }) };
      const found = oracleFound(oracleExtract(one.bytes, options));
      if (options.unwrap !== undefined) expectCase(withoutTargets(one), withoutUrls(found), "oracle");
      else expectCase(one, found, "oracle");
    });
  }
});

describe("normalize", () => {
  for (const one of cases) {
    if (one.op !== "normalize") continue;
    it(`${one.rule} ${one.id}`, () => {
      if (isOfOracle(one)) expectNormalized(one, oracleNormalize(one.input, oracleProfile(one.profile)), "oracle");
      const form = checkNormalizeOptions({ ...one.options, profile: one.profile as NormalizeProfile });
      for (const build of BUILDS) {
        const result = normalizeWith(coreOf(build), one.input, form);
        expectNormalized(one, result.ok ? result : { reason: result.code }, build);
      }
    });
  }
});

describe("resolve, decode, encode", () => {
  for (const one of cases) {
    const name = `${one.rule} ${one.id}`;
    if (one.op === "resolve") {
      it(name, () => {
        for (const build of BUILDS) {
          const result = resolveWith(coreOf(build), one.base, one.input);
          expect(result.ok ? result.url : null, build).toBe(one.expect);
        }
      });
    }
    if (one.op === "decode") {
      it(name, () => {
        for (const input of [one.input, one.bytes]) {
          const decoded = Buffer.from(percentDecode(input));
          expect(isUtf8(decoded) ? decoded.toString() : null).toBe(one.expect);
          if (one.expect_hex !== undefined) expect(decoded.toString("hex")).toBe(one.expect_hex);
        }
      });
    }
    if (one.op === "encode") {
      it(name, () => {
        for (const input of [one.input, one.bytes]) expect(percentEncode(input, one.set as PercentEncodeSet)).toBe(one.expect);
      });
    }
  }
});

describe("parse", () => {
  for (const one of cases) {
    if (one.op !== "parse") continue;
    it(`${one.rule} ${one.id}`, () => {
      // The oracle knows the generic components only.
      const oracle = oracleParse(one.input);
      if (one.rule === "P0") expectParsed(one, "code" in oracle ? { ok: false, ...oracle } : { ok: true, ...oracle }, "oracle");
      for (const build of BUILDS) expectParsed(one, parseWith(coreOf(build), one.input), build);
    });
  }
});

function oracleProfile(profile: string): "none" | "rfc3986" | "rfc1738" {
  return profile === "none" || profile === "rfc1738" ? profile : "rfc3986";
}

function expectNormalized(one: NormalizeCase, result: { url: string } | { reason: string }, label: string): void {
  expect("url" in result ? result.url : null, label).toBe(one.expect);
  if ("reason" in result && one.reason !== undefined) expect(result.reason, label).toBe(one.reason);
}
