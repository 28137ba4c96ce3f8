// Joining of hard-wrapped lines (X8, option `guess`) on generated text: the builds of the core agree with the oracle, however it is cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookBehind } from "../src/window/scanner.ts";
import { BUILDS, type Found, scan, scanLines, sumOf, toldByOracle } from "./core-builds.ts";
import { oracleExtract } from "./oracle/index.ts";
import { oracleFound } from "./oracle-rows.ts";
import { cutsOf, texts } from "./pieces.ts";

const RUNS = 400 * Number(process.env.URLMILL_RUNS ?? 1);
const SEED = process.env.URLMILL_SEED ?? "1";
const seed = SEED === "random" ? {} : { seed: Number(SEED) };
const guess = { guess: true };

const MARKS = ["", "", "", "> ", ">", "> > ", " >> ", ">>> "];
const BREAKS = ["\n", "\n", "\r\n", "\r\n", "\r", "\n\n", " \n", "\n ", "\n\t", "="];
const BEFORE = ["", "", "See ", "(", "'", '"', "<", "*_", "x", "[a ", "mailto:a@b.example "];
const STARTS = [
  "http://a.example/",
  "HTTPS://a.example",
  "ftp://u:p@h:21/",
  "file:///x",
  "file:/x/",
  "news://h/",
  "x-y://h/?",
  "gopher://h/1",
];
const PATHS = [
  "/",
  "a",
  "1",
  "-",
  "=",
  "&",
  "%",
  "%20",
  "?",
  "_",
  ".",
  ".html",
  "(",
  ")",
  "[",
  "]",
  "'",
  ",",
  ";",
  "&amp;",
  "&lt;",
  "&l",
  "t;",
  "*_",
];
const WORDS = [
  "and",
  "a/b",
  "/b",
  "7",
  "a.b",
  "a.bc",
  "x.html",
  "=1",
  "-a/b",
  "--",
  "www.a/b",
  "FTP.a/b",
  "t;/x",
  "~k/",
  "a@b/",
  "a:b/",
  "#a/b",
  "\u00e9/x",
].concat([
  "http://b/",
  ",http://b/",
  "a/b,http://c/",
  "a)/x",
  "a/b&lt;c",
  "\u200d/a",
  "a/b\u2026",
  "a/b=",
  "a/b*_",
  "a/b-",
  "x/y.",
  "",
  ">",
  "<a/b>",
  '"',
  "\0",
]);

const chosen = (pieces: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(""));

/** Lengths of lines around those that the rule names. */
const widths = fc.constantFrom(39, 40, 41, 59, 60, 61, 70, 72, 76, 79, 80, 81, 0);

/** Text made as long as `width` by letters between its parts. */
function filled(before: string, after: string, width: number): string {
  return before + "p".repeat(Math.max(0, width - Buffer.byteLength(before + after))) + after;
}

/** Mostly what may be joined, so that texts with several breaks have guessed matches. */
const mostly = (good: readonly string[], any: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: any });
const paths = mostly(["/", "/a", "/a/b-", "/c?d=e&f", "/%20"], chosen(PATHS, 4));
const words = mostly(["a/b", "x.html", "7", "/c=d&e", "-a/b?c", "k.tar.gz."], chosen([...WORDS, ...PATHS], 3));
const breaks = mostly(["\n", "\r\n"], fc.constantFrom(...BREAKS));
const sameMarks = mostly(["same"], fc.constantFrom(...MARKS));

const firstLines = fc
  .tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...STARTS), paths, widths, fc.boolean())
  .map(([before, start, path, width, isLongUrl]) => {
    const words = "l ".repeat(Math.max(0, width - Buffer.byteLength(before + start + path)) >> 1);
    return isLongUrl ? filled(before + start, path, width) : `${words}${before}${start}${path}`;
  });
const nextLines = fc
  .tuple(words, widths, fc.constantFrom("", "", "", " and so on", ") x", "\t", '"'))
  .map(([word, width, behind]) => (width > 70 ? filled("w", word, width) : word) + behind);

/** A line with a URL at its end, and lines behind it, all with reply marks. */
const paragraphs = fc
  .tuple(fc.constantFrom(...MARKS), firstLines, fc.array(fc.tuple(breaks, sameMarks, nextLines), { maxLength: 4 }))
  .map(([marks, first, rest]) => {
    const lines = rest.map(([gap, mark, line]) => gap + (mark === "same" ? marks : mark) + line);
    return `${marks}${first}${lines.join("")}\n`;
  });
const wrappedTexts = fc.array(paragraphs, { minLength: 1, maxLength: 3 }).map((parts) => Buffer.from(parts.join("")));

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
      expect(toldByOracle(scan(build, bytes, given)), label(bytes)).toEqual(oracleFound(oracleExtract(bytes, given)));
    });
    check(1, fc.tuple(texts(10), settings), ([bytes, given]) => {
      expect(toldByOracle(scan(build, bytes, given)), label(bytes)).toEqual(oracleFound(oracleExtract(bytes, given)));
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
