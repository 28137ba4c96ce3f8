// A line holds one URL (N, C45): whatever is given, under every set of options, an output has no control in it and is one URL.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NormalizeOptions, normalize, normalizeLines, resolve } from "../../src/index.ts";
import { checkNormalizeOptions } from "../../src/options/options.ts";
import { format, parse } from "../../src/url/index.ts";
import { makeNormalizer } from "../../src/url/normalize.ts";
import { BUILDS, coreOf } from "../core/builds.ts";
import { check, expectEqual, RUNS } from "../core/check.ts";
import { expectNormalizedAlike } from "./laws.ts";
import { anyUrls, expectOneUrl, JOINERS, optionSets, strangeTails, UNSEEN, wrappedUrls } from "./one-url.ts";

const label = (input: unknown, options: NormalizeOptions): string => `${JSON.stringify(input)} ${JSON.stringify(options)}`;

describe("normalize", () => {
  it("gives one URL without controls, also in chains, under every set of options, the same on every build", () => {
    let count = 0;
    check(6000, fc.tuple(wrappedUrls, optionSets), ([url, options]) => {
      const form = checkNormalizeOptions(options);
      const [result, ...others] = BUILDS.map((build) => makeNormalizer(coreOf(build), form)(url));
      for (const other of others) expectEqual(other, result, () => label(url, options));
      if (!result?.ok) return;
      for (const line of [result.url, ...(result.chain ?? [])]) expectOneUrl(line, options, () => label(url, options));
      if (result.chain !== undefined) count += result.chain.length;
    });
    expect(count).toBeGreaterThan(500 * RUNS);
  });

  it("twice is once, under every set of options (N)", () => {
    // What the options take off may leave a control at the end, which is trimmed the second time.
    const endings = fc.constantFrom("", "#f", "&utm_source=x", "?utm_source=x", "&a", "?z=\x01&a", "?z=\x7f&utm_source=x");
    const ending = fc.tuple(fc.oneof(anyUrls, wrappedUrls), endings).map((parts) => parts.join(""));
    check(6000, fc.tuple(ending, optionSets), ([url, options]) => {
      // N excepts whatwg, and a SURT is no URL (C44).
      if (options.profile === "whatwg" || options.profile === "surt") return;
      const once = normalize(url, options);
      if (once !== null) expectEqual(normalize(once, options), once, () => label(url, options));
    });
  });

  it("in batches gives a line for each line, and the same (N, C66)", () => {
    const lines = wrappedUrls.filter((url) => !url.includes("\n"));
    check(2000, fc.tuple(fc.array(lines, { maxLength: 3 }), optionSets), ([input, options]) => {
      const out = normalizeLines(Buffer.from(input.map((line) => `${line}\n`).join("")), options);
      const wanted = input.map((line) => `${normalize(line, options) ?? ""}\n`).join("");
      expectEqual(Buffer.from(out).toString(), wanted, () => label(input, options));
    });
  });

  it("writes any bytes of a line without raw controls, also those of C1 that are no UTF-8 (C66)", () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(0x9b, 0xc2, 0x85, 0x80, 0xe2, 0xff, 0x1b, 0), fc.integer({ min: 0x20, max: 0xff })));
    check(2000, fc.tuple(bytes, optionSets), ([tail, options]) => {
      const input = Buffer.concat([Buffer.from("http://a.example/"), Buffer.from(tail)]);
      const out = Buffer.from(normalizeLines(input, options)).toString();
      if (!out.endsWith("\n")) expect.fail(label(tail, options));
      if (out !== "\n") expectOneUrl(out.slice(0, -1), options, () => label(tail, options));
    });
  });

  it("by each profile of the core is what the oracle gives (N, C45)", () => {
    check(2000, anyUrls, expectNormalizedAlike);
  });
});

describe("resolve", () => {
  const reference = fc.oneof(
    strangeTails,
    anyUrls,
    strangeTails.map((text) => `//${text}`),
  );
  it("gives no control, no space and nothing that delimits URLs (P10)", () => {
    check(4000, fc.tuple(anyUrls, reference), ([base, given]) => {
      const target = resolve(base, given);
      if (target === null) return;
      const isPlain = !/["<>`\\]/.test(target) && !UNSEEN.test(target.replace(JOINERS, ""));
      if (!isPlain) expect.fail(JSON.stringify([base, given, target]));
    });
  });
});

describe("format", () => {
  it("gives one URL without controls (P0)", () => {
    check(4000, anyUrls, (url) => {
      const parts = parse(url);
      if (parts.ok) expectOneUrl(format(parts), {}, () => JSON.stringify(url));
    });
  });
});
