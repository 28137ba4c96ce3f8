// Joining of hard-wrapped lines (X8, option `guess`) on generated text: the builds of the core agree with the oracle, however it is cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookBehind } from "../../src/scanner/range.ts";
import { BUILDS, type Found, reportedByOracle, scan, scanLines, sumOf } from "../core/builds.ts";
import { oracleExtract } from "../oracle/index.ts";
import { oracleFound } from "./oracle-rows.ts";
import { cutsOf, texts } from "./pieces.ts";
import { wrappedTexts } from "./wrapped-lines.ts";

const RUNS = 400 * Number(process.env.URLMILL_RUNS ?? 1);
const SEED = process.env.URLMILL_SEED ?? "1";
const seed = SEED === "random" ? {} : { seed: Number(SEED) };
const guess = { guess: true };

const settings = fc.constantFrom(guess, { ...guess, urlBytesMax: 256 });
const label = (bytes: Uint8Array): string => JSON.stringify(Buffer.from(bytes).toString("latin1"));

function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * RUNS), ...seed });
}

describe("hard-wrapped text", () => {
  it("makes guessed matches, also over three lines, and others (this file tests something)", () => {
    const kinds = new Map<string, number>();
    let longest = 0;
    check(2, wrappedTexts, (bytes) => {
      for (const { kind, start, end } of scan("simd", bytes, guess).matches) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (kind === "guessed") longest = Math.max(longest, bytes.subarray(start, end).toString("latin1").split("\n").length);
      }
    });
    expect(kinds.get("guessed")).toBeGreaterThan(RUNS / 10);
    expect(kinds.get("plain")).toBeGreaterThan(RUNS / 10);
    expect(longest).toBeGreaterThan(2);
  });

  it.each(BUILDS)("%s finds what the oracle finds (X8)", (build) => {
    check(5, fc.tuple(wrappedTexts, settings), ([bytes, given]) => {
      expect(reportedByOracle(scan(build, bytes, given)), label(bytes)).toEqual(oracleFound(oracleExtract(bytes, given)));
    });
    check(1, fc.tuple(texts(10), settings), ([bytes, given]) => {
      expect(reportedByOracle(scan(build, bytes, given)), label(bytes)).toEqual(oracleFound(oracleExtract(bytes, given)));
    });
  });

  it.each(BUILDS)("%s finds the same however the input is cut (X13)", (build) => {
    const cutTexts = wrappedTexts.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), settings));
    check(2, cutTexts, ([bytes, cuts, given]) => {
      expect(scan(build, bytes, given, cuts), label(bytes)).toEqual(scan(build, bytes, given));
      expect(scanLines(build, bytes, given, cuts), label(bytes)).toEqual(scanLines(build, bytes, given));
    });
  });

  it.each(BUILDS)("%s: byte ranges own together what the whole owns (X13)", (build) => {
    // Text before makes the ranges start behind what a reader looks back at.
    const padding = Buffer.from("word\n".repeat(lookBehind(256) / 5));
    const cutTexts = wrappedTexts.chain((text) => {
      const bytes = Buffer.concat([padding, text]);
      return fc.tuple(fc.constant(bytes), cutsOf(text.length), cutsOf(bytes.length));
    });
    check(1, cutTexts, ([bytes, borders, cuts]) => {
      const given = { ...guess, urlBytesMax: 256 };
      const ends = [...borders.map((border) => padding.length + border), bytes.length];
      const ranged = (to: number, index: number): Found => scan(build, bytes, given, cuts, [ends[index - 1] ?? 0, to]);
      expect(sumOf(ends.map(ranged)), label(bytes)).toEqual(scan(build, bytes, given));
    });
  });

  it("a guessed match's raw is its span without line breaks, reply marks and the space behind them", () => {
    check(2, wrappedTexts, (bytes) => {
      for (const { kind, raw, start, end } of scan("simd", bytes, guess).matches) {
        if (kind !== "guessed") continue;
        expect(
          bytes
            .subarray(start, end)
            .toString()
            .replace(/\r?\n(?: *>)* ?/g, ""),
          label(bytes),
        ).toBe(raw);
      }
    });
  });

  it("without the option nothing is guessed, and with it every other match starts where it does without (X8)", () => {
    check(2, wrappedTexts, (bytes) => {
      const plain = scan("simd", bytes).matches;
      expect(
        plain.filter(({ kind }) => kind === "guessed"),
        label(bytes),
      ).toEqual([]);
      expect(
        scan("simd", bytes, guess).matches.map(({ start }) => start),
        label(bytes),
      ).toEqual(plain.map(({ start }) => start));
    });
  });
});
