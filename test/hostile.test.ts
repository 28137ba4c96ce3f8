// X14: time is linear in the input for any input. Each family is a unit repeated to 2, 4, 8 and 16 MiB and scanned on the SIMD core.
import { afterAll, describe, expect, it } from "vitest";
import { Scanner } from "../src/window/scanner.ts";
import { coreOf, scanOptions } from "./core-builds.ts";

const MIB = 1 << 20;
const SIZES = [2, 4, 8, 16].map((mebibytes) => mebibytes * MIB);
const RUNS = 3;
/** Time(2n)/time(n) must stay below this: twice the bytes, and room for what a busy machine adds. */
const RATIO_MAX = 2.5;
/** X14 asks for 100 MB/s on a thread that has a processor for itself; half of it leaves room for machines that do more at the same time. */
const FLOOR_MB_PER_SECOND = Number(process.env.URLMILL_FLOOR ?? 50);

/** Unit, and what stands once behind all of them. */
const FAMILIES: readonly (readonly [name: string, unit: string, tail?: string])[] = [
  ["colons", ":"],
  ["openers of wrappers", "<"],
  ["round brackets", "("],
  ["square brackets", "["],
  ["http://", "http://"],
  ["wrappers that never close", "<URL:http://a"],
  ["wrappers of two words", "<URL:a b "],
  ["bare wrappers that never close", "<http://a\n"],
  ["wrappers with spaces", "< ", ">"],
  ["percent signs", "%"],
  ["closers behind matches", "http://a)"],
  ["mid:", "mid:"],
  ["mailto:a@", "mailto:a@"],
  ["mailto:a@(", "mailto:a@("],
  ["mailto and commas", "mailto:a@b,"],
  ["news:a(", "news:a("],
  ["news groups of one part", "news:a "],
  ["open references", "&#0"],
  ["references", "http://a/&amp;amp;"],
  ["ampersands in a path", "&amp;"],
  ["quotes before schemes", "'http://a"],
  ["commas before schemes", ",http://"],
  ["userinfo without end", "http://a@"],
  ["at signs", "@"],
  ["open IP literals", "http://["],
  ["IP literals", "http://[::1]"],
  ["ports without digits", "http://a:"],
  ["ports and colons", "http://a:80:"],
  ["runs of scheme characters", "x-"],
  ["marks of emphasis", "*_"],
  ["marks behind matches", "*http://a*"],
  ["joiners", "\u200d"],
  ["joiners in a path", "http://a/\u200d\u200d"],
  ["URL: runs", "URL:"],
  ["URL: and white space", "URL: \n"],
  ["dots and hosts", "http://."],
  ["full stops", "."],
  ["line breaks", "\r\n"],
  ["reply marks", "> "],
  ["reply marks and wrappers", "> <http://a\n"],
  ["NUL bytes", "\0"],
  ["urn namespaces", "urn:a-"],
  ["letters", "a"],
];

/** Inputs that are no repetition: a head, a body of the wanted size made of two halves, a tail. */
const SHAPES: readonly (readonly [name: string, first: string, second: string])[] = [
  ["brackets opened, then closed", "(", ")"],
  ["one match and closers", "http://a/(", ")"],
  ["path, then full stops", "x", "."],
  ["host, then hyphens", "a", "-"],
  ["marks, then marks", "*", "*"],
  ["wrapper, then spaces", "a", " "],
];

function repeated(unit: string, size: number, tail = ""): Uint8Array {
  const bytes = Buffer.alloc(size, unit);
  bytes.write(tail, size - Buffer.byteLength(tail));
  return bytes;
}

/** Best of some runs of a whole scan, in milliseconds. */
function bestOf(bytes: Uint8Array): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const sink = { lines: () => {}, matches: () => {}, rejected: () => {} };
    const begin = performance.now();
    const scanner = new Scanner(coreOf("simd"), scanOptions({}, "lines"), sink);
    scanner.write(bytes);
    scanner.end();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

/** Times below this are too short to compare. */
const SHORTEST_MS = 4;

const figures: string[] = [];

function measure(name: string, make: (size: number) => Uint8Array): void {
  bestOf(make(MIB));
  const times = SIZES.map((size) => bestOf(make(size)));
  const rates = times.map((time, index) => (SIZES[index] ?? 0) / 1e3 / time);
  figures.push(`${name}: ${rates.map((rate) => rate.toFixed(0)).join(" ")} MB/s`);
  for (let index = 1; index < times.length; index++) {
    const [before, after] = [times[index - 1] ?? 0, times[index] ?? 0];
    if (before < SHORTEST_MS) continue;
    expect(after / before, `time of ${SIZES[index]} bytes against half of them: ${after} and ${before} ms`).toBeLessThan(RATIO_MAX);
  }
  expect(rates.at(-1), `MB/s over ${SIZES.at(-1)} bytes`).toBeGreaterThan(FLOOR_MB_PER_SECOND);
}

describe("X14 hostile inputs take linear time", () => {
  for (const [name, unit, tail] of FAMILIES) {
    it(`${name}: ${JSON.stringify(unit)}`, () => measure(name, (size) => repeated(unit, size, tail)));
  }
  for (const [name, first, second] of SHAPES) {
    it(name, () =>
      measure(name, (size) =>
        Buffer.concat([Buffer.from("<URL:http://a/"), Buffer.alloc(size / 2, first), Buffer.alloc(size / 2, second)]),
      ),
    );
  }
  it("pieces of 4 KiB of every family in turn", () => {
    const block = Buffer.concat(FAMILIES.map(([, unit]) => Buffer.alloc(4096, unit)));
    measure("in turn", (size) => Buffer.alloc(size, block));
  });
  afterAll(() => {
    if (process.env.URLMILL_FIGURES !== undefined) console.log(figures.join("\n"));
  });
});
