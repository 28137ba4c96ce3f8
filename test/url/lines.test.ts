// normalizeLines and LineNormalizer: URLs in batch against one by one (N), however the input is cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REJECTED_ROWS_MAX } from "#core/layout/memory.js";
import { InputError, OptionError } from "../../src/base/errors.ts";
import type { NormalizeOptions } from "../../src/options/options.ts";
import { normalize, tryNormalize } from "../../src/url/normalize.ts";
import { normalizeLines } from "../../src/url/normalize-lines.ts";
import { URL_BYTES_LIMIT } from "../../src/url/text.ts";
import { BUILDS } from "../core/builds.ts";
import { check } from "../core/check.ts";
import { cutsOf, urls } from "../scan/pieces.ts";
import { CORE_PROFILES } from "./laws.ts";
import { expectLinesAlike, linesOf, linesOneByOne } from "./lines-alike.ts";
import { schemeUrls } from "./scheme-urls.ts";

const ILL_FORMED = ["c3", "ff", "e282", "eda080", "c0af", "f4908080", "80", "f09f98", "efbf"].map((hex) => Buffer.from(hex, "hex"));
const IDN = [
  "http://b\u00fccher.example/",
  "http://\u4f8b\u3048.example",
  "ftp://%C3%A9.example/",
  "http://\u00ad/",
  "http://\u00df\u0300.a/",
];
const plainLine = fc
  .oneof(urls, schemeUrls, fc.constantFrom("", " ", "\r", "\ufeff", "\ufffd", "no url", "http://a.example/\ufffd", ...IDN))
  .map((text) => Buffer.from(text.replaceAll("\n", " ")));
const line = fc.oneof(
  { weight: 4, arbitrary: plainLine },
  { weight: 1, arbitrary: plainLine.map((bytes) => Buffer.concat([bytes, Buffer.from("\r")])) },
  {
    weight: 1,
    arbitrary: fc.tuple(plainLine, fc.constantFrom(...ILL_FORMED), plainLine).map((parts) => Buffer.concat(parts)),
  },
);
const lists = fc.array(line, { maxLength: 12 });
const PROFILES = ["rfc3986", "rfc1738", "whatwg", "surt", "cdx", "none"] as const;

/** `bytes` in chunks that end at `cuts`. */
function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  return [...cuts, bytes.length].map((cut, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], cut));
}

function joined(lines: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(lines.flatMap((one) => [Buffer.from(one), Buffer.from("\n")]));
}

describe("any lines", () => {
  it("are normalized as one by one, on every build, under any options", () => {
    check(300, lists, expectLinesAlike);
  });

  it.each(BUILDS)("%s: in any chunks, with a last line feed or without", (build) => {
    const cutLists = fc.tuple(lists, fc.boolean()).chain(([lines, isOpen]) => {
      const bytes = joined(lines);
      // A last line that is empty is none without its line feed.
      const input = isOpen && lines.at(-1)?.length !== 0 ? bytes.subarray(0, -1) : bytes;
      return fc.tuple(fc.constant(lines), fc.constant(input), cutsOf(input.length), fc.constantFrom(...CORE_PROFILES));
    });
    check(700, cutLists, ([lines, input, cuts, profile]) => {
      expect(linesOf(build, profile, chunksOf(input, cuts))).toEqual(linesOneByOne(lines, profile));
    });
  });
});

describe.each(BUILDS)("%s", (build) => {
  it("cut at every byte", () => {
    const lines = ["HTTP://A.example:80", "", "\r", "nothing", "http://B\u00fccher.example/\r", "mailto:A@B.example"];
    const input = joined(lines);
    const wanted = linesOneByOne(
      lines.map((one) => Buffer.from(one)),
      "rfc3986",
    );
    expect(wanted.refused.map(([number, code]) => [number, code])).toEqual([
      [2, "empty"],
      [3, "empty"],
      [4, "no-scheme"],
    ]);
    for (let cut = 0; cut <= input.length; cut++)
      expect(linesOf(build, "rfc3986", chunksOf(input, [cut])), `cut at ${cut}`).toEqual(wanted);
    expect(linesOf(build, "rfc3986", chunksOf(input, [...input.keys()])), "single bytes").toEqual(wanted);
  });

  it("more refused lines than the core lists at a time, among others and in a row", () => {
    const refused = Array.from({ length: 2 * REJECTED_ROWS_MAX + 7 }, (_, index) => (index % 3 === 0 ? "" : `bad ${index}`));
    const mixed = refused.flatMap((one, index) => (index % 5 === 0 ? [one, `HTTP://A.example/${index}`, "http://\u00e9.example"] : [one]));
    for (const lines of [refused, mixed, refused.slice(0, REJECTED_ROWS_MAX), ["http://a/", ...refused.slice(0, REJECTED_ROWS_MAX)]]) {
      const wanted = linesOneByOne(
        lines.map((one) => Buffer.from(one)),
        "rfc3986",
      );
      expect(linesOf(build, "rfc3986", [joined(lines)])).toEqual(wanted);
    }
  });

  it("lines as long as a URL may be, longer ones, and what stands around them", () => {
    const long = (length: number, unit: string): string => `HTTP://A.example/${unit.repeat((length - 17) / unit.length)}`;
    const lines = [
      "HTTP://B.example",
      long(URL_BYTES_LIMIT, "x"),
      long(URL_BYTES_LIMIT + 1, "x"),
      "nothing",
      long(URL_BYTES_LIMIT, "{"),
      "http://\u00e9.example/",
      `${long(URL_BYTES_LIMIT, "y")}\r`,
      long(3 * URL_BYTES_LIMIT, "z"),
      "HTTP://C.example",
      long(300_017, "w"),
    ].map((one) => Buffer.from(one));
    const wanted = linesOneByOne(lines, "rfc3986");
    expect(wanted.refused.map(([number, code]) => `${number} ${code}`)).toEqual(["3 overlong", "4 no-scheme", "7 overlong", "8 overlong"]);
    const input = joined(lines);
    const cut = (size: number): Buffer[] =>
      Array.from({ length: Math.ceil(input.length / size) }, (_, n) => input.subarray(n * size, (n + 1) * size));
    for (const chunks of [[input], cut(65_536), cut(999_983)]) {
      const found = linesOf(build, "rfc3986", chunks);
      expect(found.out === wanted.out).toBe(true);
      // Of a line that came in pieces no more is kept than says that it is too long.
      const heads = (refused: typeof found.refused): unknown => refused.map(([number, code, text]) => [number, code, text.slice(0, 1000)]);
      expect(heads(found.refused)).toEqual(heads(wanted.refused));
    }
  });

  it("thousands of lines with hosts that the platform makes A-labels of", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => Buffer.from(`http://b\u00fccher-${index % 4500}.example/${index}`));
    const wanted = linesOneByOne(lines, "rfc3986");
    expect(wanted.refused).toEqual([]);
    expect(linesOf(build, "rfc3986", [joined(lines)])).toEqual(wanted);
  });
});

describe("normalizeLines", () => {
  it("gives bytes that are the caller's, and nothing for nothing", () => {
    const first = normalizeLines(Buffer.from("HTTP://A.example"));
    normalizeLines(Buffer.from("HTTP://B.example"));
    expect(Buffer.from(first).toString()).toBe("http://a.example/\n");
    for (const profile of ["rfc3986", "whatwg"] as const) expect(normalizeLines(new Uint8Array(0), { profile })).toEqual(new Uint8Array(0));
  });

  it("keeps ill-formed bytes as the bytes that they are, under any options (C66)", () => {
    const input = Buffer.concat([Buffer.from("http://a.example/\u00e9"), Buffer.from([0xff, 0xc3]), Buffer.from("?b\n")]);
    for (const options of [{}, { sortQuery: true }, { profile: "whatwg" }] as NormalizeOptions[])
      expect(Buffer.from(normalizeLines(input, options)).toString()).toBe("http://a.example/%C3%A9%FF%C3?b\n");
  });

  it.each([...PROFILES])("a URL of one byte more than 1 MiB is overlong with %s, in every function (C329)", (profile) => {
    for (const unit of ["x", "\u00e9"]) {
      const fill = (bytes: number): string => "x".repeat(bytes % 2) + unit.repeat((bytes - (bytes % 2)) / Buffer.byteLength(unit));
      const [longest, longer] = [0, 1].map((more) => `http://a.example/${fill(URL_BYTES_LIMIT - 17 + more)}`);
      expect([longest, longer].map((url) => Buffer.byteLength(url))).toEqual([URL_BYTES_LIMIT, URL_BYTES_LIMIT + 1]);
      expect(tryNormalize(longest, { profile }).ok).toBe(true);
      expect(tryNormalize(longer, { profile })).toMatchObject({ ok: false, code: "overlong" });
      expect(normalize(longer, { profile })).toBeNull();
      const lines = Buffer.from(normalizeLines(Buffer.from(`${longer}\nhttp://a.example/\n`), { profile })).toString();
      expect(lines).toBe(`\n${normalize("http://a.example/", { profile })}\n`);
    }
  });

  it("throws for what holds no bytes and for bad options only", () => {
    expect(() => normalizeLines("http://a/" as unknown as Uint8Array)).toThrow(InputError);
    expect(() => normalizeLines("http://a/" as unknown as Uint8Array, { profile: "whatwg" })).toThrow(InputError);
    expect(() => normalizeLines(new Uint8Array(0), { profile: "rfc" } as unknown as NormalizeOptions)).toThrow(OptionError);
  });
});
