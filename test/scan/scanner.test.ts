// The window: how far it must remember, and that it never waits for ever.
import { describe, expect, it } from "vitest";
import { extract } from "../../src/api/extract.ts";
import { loadCore } from "../../src/core/core.ts";
import { Match } from "../../src/matches/match.ts";
import type { ScanOptions } from "../../src/scan/scan.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { normalize } from "../../src/url/normalize.ts";
import { sinkOf } from "../output/sinks.ts";

const core = await loadCore("simd");
const OPTIONS: ScanOptions = {
  type: "text",
  mbox: "auto",
  parts: "text",
  charset: "utf-8",
  asked: [],
  context: 0,
  filter: undefined,
  urlBytesMax: 4079,
  profile: "rfc3986",
  schemes: undefined,
  extraSchemes: [],
  anyScheme: false,
  bare: [],
  guess: false,
  refang: false,
  links: false,
  base: undefined,
  output: "matches",
  separator: 0x0a,
  rejected: false,
};

/** Matches and counts of a text that is cut at the given places. */
function scan(text: string, cuts: readonly number[], urlBytesMax = OPTIONS.urlBytesMax): { found: string[]; rejected: number[] } {
  const found: string[] = [];
  const scanner = new Scanner(
    core,
    { ...OPTIONS, urlBytesMax },
    sinkOf({
      matches: (batch) => {
        for (let index = 0; index < batch.count; index++) {
          const { raw, start, end } = new Match(batch, index);
          found.push(`${start}-${end} ${raw.slice(0, 40)}`);
        }
      },
    }),
  );
  const bytes = Buffer.from(text);
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    scanner.write(bytes.subarray(at, cut));
    at = cut;
  }
  scanner.end();
  return { found, rejected: scanner.counts.rejected };
}

const BEFORE = "x ".repeat(1 << 15);
const AFTER = " ".repeat(40_000);
const FAR = " ".repeat(3000);
const NAME = `x-${"a".repeat(3000)}`;

describe("X13 what stands far back counts wherever the input is cut", () => {
  it.each([
    ["a quotation mark before < and URL:", `'<${FAR}URL:\n\n${FAR}http://h/it's more`, "http:"],
    ["a quotation mark before URL: and a long scheme", `'URL:${FAR}${NAME}://h/it's more`, "aaa:"],
    ["a stretch that starts before a long scheme", `${"/".repeat(2000)}${NAME}://h/more more`, "aaa:"],
    ["a stretch that a long scheme fills", `${"/".repeat(500)}x-${"a".repeat(3990)}://h/more more`, "aaa:"],
  ])("%s", (_, text, mark) => {
    const whole = BEFORE + text + AFTER;
    const cut = whole.indexOf(mark) + mark.length;
    expect(scan(whole, [cut])).toEqual(scan(whole, []));
    expect(scan(whole, [cut - 1, cut, cut + 4100])).toEqual(scan(whole, []));
  });

  it("the start of the line of a <, before white space and a long scheme", () => {
    const name = `x-${"a".repeat(15_000)}`;
    const whole = `${BEFORE}\n> ${"x".repeat(19_000)} <${" ".repeat(19_500)}${name}://h/b\n> c> more${AFTER}`;
    const { found } = scan(whole, [whole.indexOf("://") + 3], 20_000);
    expect(found).toEqual(scan(whole, [], 20_000).found);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${Buffer.byteLength(whole) - " more".length - AFTER.length - 1} `);
  });
});

describe("X12 a candidate that waits is given up after urlBytesMax", () => {
  it.each([
    ["white space behind <", `<${" ".repeat(9 << 20)}`],
    ["white space behind a break", `<\n${" ".repeat(9 << 20)}`],
    ["white space inside", `<http://a.example/x${"\t".repeat(9 << 20)}`],
    ["a name without an end", `<${"a".repeat(9 << 20)}`],
    ["a reference of zeros", `http://a.example/&#${"0".repeat(9 << 20)}`],
    ["a host without an end", `http://${"a".repeat(9 << 20)}`],
  ])("%s, 9 MiB of it, more than the window holds", (_, text) => {
    expect(scan(`${text} http://late.example/`, []).found.at(-1)).toContain("http://late.example/");
  });
});

describe("X13 a range far into the input", () => {
  it("is found behind more text than the window holds", () => {
    const text = Buffer.alloc(12 << 20, "nothing to see here\n");
    text.write(" http://a.example/x ", 11_000_000);
    const found = extract(text, { range: [10_999_999, 11_000_100] });
    expect(found.map(({ url, start }) => ({ url, start }))).toEqual([{ url: "http://a.example/x", start: 11_000_001 }]);
  });
});

describe("N1 a host that is longer than any name and not ASCII", () => {
  it("is refused above 1024 bytes", () => {
    expect(normalize(`http://${"%C3%A9.".repeat(341)}d/`)).toMatch(/^http:\/\/xn--9ca\./);
    expect(normalize(`http://${"é.".repeat(341)}de/`)).toBe(null);
    expect(normalize(`http://${"a.".repeat(4000)}de/`)).toHaveLength(8010);
  });

  it("is refused, and what stands beside it is found", () => {
    expect(normalize(`http://${"é.".repeat(349_000)}example/`)).toBe(null);
    const text = `http://${"\u337f.".repeat(200_000)}org/ http://a.example/`;
    const found = extract(text, { urlBytesMax: 1 << 20 });
    expect(found.map(({ url, code }) => url ?? code)).toEqual(["bad-host", "http://a.example/"]);
  });
});

describe("X11 names of schemes that are not known", () => {
  it("do not add up from scan to scan", () => {
    for (let round = 0; round < 100; round++) {
      const names = Array.from({ length: 8 }, (_, index) => `x-${round}-${index}`);
      const found = extract(`x-${round}-3://h.example/ http://a.example/`, { schemes: names, anyScheme: true });
      expect(found.map(({ url }) => url)).toEqual([`x-${round}-3://h.example/`]);
    }
    expect(extract("http://a.example/ x-1-1://h.example/").map(({ url }) => url)).toEqual(["http://a.example/", "x-1-1://h.example/"]);
  });
});
