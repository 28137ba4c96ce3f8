// Single URLs: the laws of test/url/laws.ts, and what the library gives of any text, options and base.
import fc from "fast-check";
import { normalize, parse, resolve } from "../../../src/index.ts";
import type { NormalizeOptions } from "../../../src/options/options.ts";
import { format } from "../../../src/url/index.ts";
import { shareToEnd } from "../../core/shares.ts";
import { urls } from "../../scan/pieces.ts";
import { expectFormatEquivalent, expectIdempotent, expectNormalizedAlike, expectReservedKept, expectSplitAlike } from "../../url/laws.ts";
import { expectLinesAlike } from "../../url/lines-alike.ts";
import { expectOneUrl, optionSets, strangeTails, wrappedUrls } from "../../url/one-url.ts";
import { schemeUrls } from "../../url/scheme-urls.ts";
import { realUrls } from "../seeds.ts";
import type { Target, Trial } from "../target.ts";

const PIECES = [
  "%",
  "%2",
  "%00",
  "//",
  "/..",
  "/.",
  "?",
  "#",
  "@",
  ":",
  "[",
  "]",
  "\\",
  " ",
  "\0",
  "\u200d",
  "\u00e9",
  "\ud800",
  "xn--",
  ":80",
];

const changed = fc
  .tuple(fc.constantFrom(...realUrls), fc.array(fc.tuple(shareToEnd, fc.nat(3), fc.constantFrom(...PIECES)), { maxLength: 4 }))
  .map(([url, changes]) =>
    changes.reduce((before, [share, width, piece]) => {
      const at = Math.floor(share * before.length);
      return before.slice(0, at) + piece + before.slice(at + width);
    }, url),
  );
const anyUrl = fc.oneof(urls, schemeUrls, strangeTails, wrappedUrls, changed);

function expectOneLineAlike(url: string): void {
  expectLinesAlike(url.split("\n").map((line) => Buffer.from(line)));
}

const LAWS = [expectNormalizedAlike, expectSplitAlike, expectReservedKept, expectFormatEquivalent, expectIdempotent, expectOneLineAlike];

/** What no line of output holds. */
const CONTROLS = /[\0-\x20\x7f-\x9f\u2028\u2029]/;

function check({ bytes, given }: Trial): string | null {
  const { options, base } = given as { options: NormalizeOptions; base: string };
  const url = bytes.toString();
  for (const law of LAWS) {
    try {
      law(url);
    } catch (error) {
      throw new Error(`${law.name}: ${(error as Error).message}`);
    }
  }
  const parsed = parse(url);
  const normalized = normalize(url, options);
  if (normalized !== null) expectOneUrl(normalized, options, () => `one URL: ${JSON.stringify([url, options])}`);
  const written = [parsed.ok ? format(parsed) : null, resolve(url, base), resolve(base, url)];
  const controlled = written.find((one) => one !== null && CONTROLS.test(one));
  return controlled === undefined ? null : `controls: ${JSON.stringify([url, base, options, controlled])}`;
}

/** normalize, parse, format and resolve. */
export const url: Target = {
  trials: fc.tuple(anyUrl, optionSets, anyUrl).map(([text, options, base]) => ({
    bytes: Buffer.from(text),
    given: { options: options as Record<string, unknown>, base },
  })),
  check,
};
