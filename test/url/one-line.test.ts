// A line holds one URL (N): whatever is given, under every set of options, an output has no control in it and is one URL.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extract, format, type NormalizeOptions, normalize, normalizeLines, parse, resolve } from "../../src/index.ts";
import { checkNormalizeOptions } from "../../src/options.ts";
import { makeNormalizer } from "../../src/url/normalize.ts";
import { BUILDS, coreOf } from "../core-builds.ts";
import { urls } from "../pieces.ts";

const FACTOR = Number(process.env.URLMILL_RUNS ?? 1);
const SEED = process.env.URLMILL_SEED ?? "1";
const seed = SEED === "random" ? {} : { seed: Number(SEED) };

function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * FACTOR), ...seed });
}

const PROFILES = ["rfc3986", "rfc1738", "whatwg", "surt", "none"] as const;
const flag = fc.constantFrom(undefined, true);
/** Every set of the options of N10, under every profile. */
export const optionSets: fc.Arbitrary<NormalizeOptions> = fc.record({
  profile: fc.constantFrom(...PROFILES),
  stripFragment: flag,
  sortQuery: flag,
  stripTracking: flag,
  stripWww: flag,
  unwrap: flag,
  userinfo: fc.constantFrom("keep", "redact", "strip"),
});

// What cannot stand in a URL, as characters; C1 also as the bytes of another charset would come.
const STRANGE = [
  ..."\0\t\n\r\x1b\x1f \x7f\"<>\\`^|{}'",
  ..."\u0080\u0085\u009b\u009f\u00a0\u00ad\u2028\u2029\u202e\u2066\u200b\ufeff\ufffe\u3000\u200c\u200d",
  "\u200d\u200d",
  "\ud800",
  "\u0627\u200c\u0628",
];
const triplets = (text: string): string => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const strange = fc.constantFrom(...STRANGE).chain((character) => fc.constantFrom(character, triplets(character), triplets(triplets(character))));
const plain = fc.constantFrom("a", "/", "?", "#", "&", "=", "utm_source=x", "&b=1", "%", "%4", "%2F", "@", ":", ".", "www.", "\u00e9", "//", ",http://c/");
const tail = fc.array(fc.oneof(strange, plain), { maxLength: 8 }).map((parts) => parts.join(""));
const starts = fc.constantFrom(
  ...["http://b.example", "HTTP://www.b.example", "https://u:p@b.example", "ftp://h", "mailto:a@b.example", "news:a@b", "urn:ab:c", "foo:x"],
  ...["foo://h", "file:///x", "gopher://h", "tel:1", "sip:a@b", "magnet:?x", "wais://h/d", "x-y://z", "http://", "cid:a@b"],
);
const strangeUrls = fc.tuple(starts, tail).map((parts) => parts.join(""));
const anyUrl = fc.oneof({ weight: 3, arbitrary: strangeUrls }, { weight: 1, arbitrary: urls });

const google = (url: string): string => `https://www.google.com/url?q=${encodeURIComponent(url.toWellFormed())}#${url}`;
const outlook = (url: string): string => `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url.toWellFormed())}&data=x`;
const defense2 = (url: string): string =>
  `https://urldefense.com/v2/url?u=${encodeURIComponent(url.toWellFormed()).replaceAll("-", "%2D").replaceAll("_", "%5F").replaceAll("%", "-")}&d=x`;
const defense3 = (url: string): string => {
  const kept = url.toWellFormed().replaceAll("*", "%2A");
  const taken = [...kept].filter((character) => character < "!" || character > "~").join("");
  const shown = [...kept].map((character) => (character < "!" || character > "~" ? "*" : character)).join("");
  return `https://urldefense.com/v3/__${shown}__;${Buffer.from(taken).toString("base64url")}!!x$`;
};
/** URLs in none to three redirectors' URLs. */
const wrappedUrls = fc
  .tuple(anyUrl, fc.array(fc.constantFrom(google, outlook, defense2, defense3), { maxLength: 3 }))
  .map(([url, layers]) => layers.reduce((inner, layer) => layer(inner), url));

const CONTROL = /[\p{Cc}\p{Z}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const JOINERS = /[\u200c\u200d]/g;

/** Fails where `line` may end a line, acts on a terminal, or is no URL or more than one. */
function expectOneUrl(line: string, options: NormalizeOptions, label: string): void {
  const told = `${label}: ${JSON.stringify(line)}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
  expect(line, told).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029]/);
  if (options.profile === "whatwg") {
    // Byte for byte what the platform gives (N9): it leaves spaces where there is no authority, and takes the line whole.
    expect(new URL(line).href, told).toBe(line);
    return;
  }
  expect(line.replace(JOINERS, ""), told).not.toMatch(CONTROL);
  expect(line, told).not.toMatch(/["<>`\\]/);
  if (options.profile !== "surt") expect(isWhole(line), told).toBe(true);
}

/** Whether urlmill takes a line as one URL: as such, or in delimiters, which let more shapes through (X6). */
function isWhole(line: string): boolean {
  if (parse(line).ok) return true;
  const [match, ...others] = extract(`<URL:${line}>`, { profile: "none", anyScheme: true });
  return others.length === 0 && match?.raw === line;
}

const label = (input: unknown, options: NormalizeOptions): string => `${JSON.stringify(input)} ${JSON.stringify(options)}`;

describe("normalize", () => {
  it.each(BUILDS)("%s gives one URL without controls, also in chains, under every set of options", (build) => {
    let count = 0;
    check(6000, fc.tuple(wrappedUrls, optionSets), ([url, options]) => {
      const result = makeNormalizer(coreOf(build), checkNormalizeOptions(options))(url);
      if (!result.ok) return;
      for (const line of [result.url, ...(result.chain ?? [])]) expectOneUrl(line, options, label(url, options));
      if (result.chain !== undefined) count += result.chain.length;
    });
    expect(count).toBeGreaterThan(500);
  });

  it("twice is once, under every set of options but whatwg's (N)", () => {
    check(6000, fc.tuple(wrappedUrls, optionSets), ([url, options]) => {
      if (options.profile === "whatwg" || options.profile === "surt") return;
      const once = normalize(url, options);
      if (once !== null) expect(normalize(once, options), label(url, options)).toBe(once);
    });
  });

  it("in batches gives a line for each line, and the same (N, C18)", () => {
    const lines = wrappedUrls.filter((url) => !url.includes("\n"));
    check(2000, fc.tuple(fc.array(lines, { maxLength: 3 }), optionSets), ([input, options]) => {
      const out = normalizeLines(Buffer.from(input.map((line) => `${line}\n`).join("")), options);
      const wanted = input.map((line) => `${normalize(line, options) ?? ""}\n`).join("");
      expect(Buffer.from(out).toString(), label(input, options)).toBe(wanted);
    });
  });
});

describe("resolve", () => {
  const reference = fc.oneof(tail, anyUrl, tail.map((text) => `//${text}`));
  it("gives no control, no space and nothing that delimits URLs (P10)", () => {
    check(4000, fc.tuple(anyUrl, reference), ([base, given]) => {
      const target = resolve(base, given);
      if (target === null) return;
      expect(target, JSON.stringify([base, given])).not.toMatch(/["<>`\\]/);
      expect(target.replace(JOINERS, ""), JSON.stringify([base, given])).not.toMatch(CONTROL);
    });
  });
});

describe("format", () => {
  it("gives one URL without controls (P0)", () => {
    check(4000, anyUrl, (url) => {
      const parts = parse(url);
      if (parts.ok) expectOneUrl(format(parts), {}, JSON.stringify(url));
    });
  });
});
