// Any text under any options (X1 to X13, N): the builds of the core find what the oracle finds, however the input is cut and divided.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNormalizeOptions } from "../../src/options.ts";
import { lookBehind } from "../../src/scanner/range.ts";
import { normalizeWith } from "../../src/url/normalize.ts";
import { parseWith } from "../../src/url/parse.ts";
import {
  BUILDS,
  coreOf,
  type Found,
  type Row,
  reportedByOracle,
  type ScanSettings,
  scan,
  scanLines,
  settingsOf,
  sumOf,
} from "../core/builds.ts";
import { check, expectEqual } from "../core/check.ts";
import { type OracleOptions, oracleExtract } from "../oracle/index.ts";
import { CORE_PROFILES } from "../url/laws.ts";
import { jsonTexts } from "./json-texts.ts";
import { limitTexts } from "./limit-pieces.ts";
import { oracleFound, withoutUrls } from "./oracle-rows.ts";
import {
  cutsOf,
  defangedTexts,
  encodedTexts,
  escapedTexts,
  linkPages,
  nestedTexts,
  pages,
  schemelessTexts,
  schemeTexts,
  texts,
  urls,
} from "./pieces.ts";
import { wrappedTexts } from "./wrapped-lines.ts";

/** A text, how it is scanned, and what is compared beside the whole: chunks that end at `cuts`, or ranges that meet at `borders`. */
interface Given {
  bytes: Buffer;
  options: OracleOptions;
  profile: "none" | "rfc1738" | undefined;
  cuts: number[];
  borders: number[] | undefined;
}

/** Makes texts with options. Small limits meet the texts that pieces make; the default never would. */
function given(
  text: fc.Arbitrary<Buffer>,
  options: fc.Arbitrary<OracleOptions>,
  profiles: Given["profile"][] = [undefined],
): fc.Arbitrary<Given> {
  return text.chain((bytes) =>
    fc.record({
      bytes: fc.constant(bytes),
      options,
      profile: fc.constantFrom(...profiles),
      cuts: cutsOf(bytes.length),
      borders: fc.option(
        cutsOf(bytes.length).map((borders) => borders.slice(0, 3)),
        { nil: undefined },
      ),
    }),
  );
}

const label = (bytes: Uint8Array, options: object = {}): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), options]);

function linesOf({ matches }: Found): [string, number] {
  const urls = matches.flatMap(({ url }) => (url === null ? [] : [`${url}\n`]));
  return [urls.join(""), urls.length];
}

/** Byte ranges own together what the whole owns (X13). Text before them makes them start after what a reader looks back at. */
function expectRangesAlike(
  { bytes: text, options, cuts, borders = [] }: Given,
  build: (typeof BUILDS)[number],
  settings: ScanSettings,
  whole: Found,
): void {
  const padding =
    options.urlBytesMax === 256 ? Buffer.from("word\n".repeat(lookBehind({ urlBytesMax: 256, context: 0 }) / 5)) : Buffer.alloc(0);
  const bytes = Buffer.concat([padding, text]);
  const ends = [...borders.map((border) => padding.length + border), bytes.length];
  const ranged = (to: number, index: number): Found => scan(build, bytes, settings, cuts, [ends[index - 1] ?? 0, to]);
  expectEqual(
    sumOf(ends.map(ranged)),
    padding.length === 0 ? whole : scan(build, bytes, settings),
    () => `ranges, ${build}: ${label(bytes, { ...options, cuts, borders })}`,
  );
}

/** Every build finds what the oracle finds, also in chunks, as lines, and in byte ranges. */
function expectFoundAlike(one: Given): void {
  const { bytes, options, profile, cuts, borders } = one;
  const settings: ScanSettings = { ...settingsOf(options), ...(profile === undefined ? {} : { profile }) };
  const told = (what: string) => (): string => `${what}: ${label(bytes, { ...options, profile, cuts })}`;
  const first = scan("simd", bytes, settings);
  // The oracle has no profiles here, and leaves the URLs of redirectors.
  const known = options.unwrap === true ? withoutUrls : (found: Found): Found => found;
  if (profile === undefined)
    expectEqual(known(reportedByOracle(first)), known(oracleFound(oracleExtract(bytes, options))), told("simd and the oracle"));
  for (const build of BUILDS) {
    if (build !== "simd") expectEqual(scan(build, bytes, settings), first, told(`${build} and simd`));
    if (borders !== undefined) expectRangesAlike(one, build, settings, first);
    else expectEqual(scan(build, bytes, settings, cuts), first, told(`${build} in chunks`));
    // Nested and defanged matches and targets are made outside the core, which writes no lines of them.
    if (options.nested !== true && options.refang !== true && options.links !== true && options.unwrap !== true)
      expectEqual(scanLines(build, bytes, settings, cuts), linesOf(first), told(`lines of ${build}`));
  }
}

const either = (...options: OracleOptions[]): fc.Arbitrary<OracleOptions> => fc.constantFrom({}, ...options);
const limits = either({ urlBytesMax: 256 }, { urlBytesMax: 300 });
const added: OracleOptions = {
  extraSchemes: [
    { name: "qotd", shape: "//", port: 17 },
    { name: "note", shape: "opaque" },
    { name: "foo+bar.1", shape: "opaque" },
    { name: "news", shape: "//" },
  ],
};
const linkOptions: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    either({ base: "http://base.example/a/b?c#d" }, { base: "file:///dir/x" }),
    either({ bare: ["www", "domain"] }, { guess: true }, { anyScheme: true }),
    limits,
  )
  .map((chosen) => Object.assign({}, ...chosen));
/** Any options together. */
const anyOptions: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    either({ anyScheme: true }),
    either(added),
    either({ bare: "www" }, { bare: "email" }, { bare: "ip" }, { bare: ["email", "domain"] }, { bare: ["www", "email", "domain", "ip"] }),
    either({ guess: true }),
    either({ nested: true }),
    either({ refang: true }),
    either({ unwrap: true }),
    either({ type: "html" }, { type: "json" }),
    limits,
  )
  .map((chosen) => Object.assign({}, ...chosen));
const withOption = (option: OracleOptions, options: fc.Arbitrary<OracleOptions>): fc.Arbitrary<OracleOptions> =>
  options.map((others) => ({ ...others, ...option }));

const oneKind = (many: number, few: number): fc.Arbitrary<Buffer> =>
  fc.oneof(
    texts(many),
    defangedTexts(many),
    schemeTexts(many),
    schemelessTexts(many),
    nestedTexts(few),
    escapedTexts(many),
    encodedTexts(many),
    pages(many),
    jsonTexts(few),
    wrappedTexts,
  );
const anyText = fc.oneof(
  { weight: 6, arbitrary: oneKind(8, 5) },
  { weight: 1, arbitrary: fc.array(oneKind(2, 1), { maxLength: 5 }).map((parts) => Buffer.concat(parts)) },
);

describe("the builds and the oracle find the same, however the input is cut and divided (X13)", () => {
  it.each<[string, number, fc.Arbitrary<Given>]>([
    ["text (X1 to X7, X11, X12)", 4000, given(texts(16), limits, [undefined, undefined, "none", "rfc1738"])],
    ["HTML (X9)", 3000, given(pages(10), withOption({ type: "html" }, limits))],
    ["links of HTML (C106)", 3000, given(linkPages(8), withOption({ type: "html", links: true }, linkOptions))],
    ["JSON (A16)", 2000, given(jsonTexts(3), withOption({ type: "json" }, anyOptions))],
    [
      "hard-wrapped text, joined (X8)",
      2000,
      given(fc.oneof({ weight: 5, arbitrary: wrappedTexts }, { weight: 1, arbitrary: texts(10) }), withOption({ guess: true }, limits)),
    ],
    [
      "hard-wrapped text, with the URLs of redirectors (C142)",
      2000,
      given(wrappedTexts, withOption({ unwrap: true }, either({ urlBytesMax: 256 }, { urlBytesMax: 300 }, { nested: true }))),
    ],
    ["defanged text (X15)", 2000, given(defangedTexts(6), withOption({ refang: true }, anyOptions))],
    ["text with escapes of JSON (X16)", 3000, given(escapedTexts(10), limits)],
    ["text with escapes of JSON under any options (X16)", 1500, given(escapedTexts(6), anyOptions)],
    ["URLs in URLs (X11)", 500, given(nestedTexts(5), withOption({ nested: true }, anyOptions))],
    ["percent-encoded URLs in text (C146)", 4000, given(encodedTexts(8), withOption({ nested: true }, limits))],
    ["percent-encoded URLs under any options (C146)", 2000, given(encodedTexts(6), withOption({ nested: true }, anyOptions))],
    ["text at the limit of a URL (X12)", 1500, given(limitTexts, withOption({ urlBytesMax: 256 }, anyOptions))],
    ["any text under any options", 1500, given(anyText, anyOptions)],
  ])("%s", (_, runs, arbitrary) => check(runs, arbitrary, expectFoundAlike));
});

describe("any text", () => {
  const scanned = fc.tuple(texts(16), fc.constantFrom<ScanSettings>({}, { urlBytesMax: 256 }, { profile: "none" }, { profile: "rfc1738" }));

  it("spans are in order, do not overlap, and give raw back where nothing was taken out (X7, X11)", () => {
    check(3000, scanned, ([bytes, settings]) => {
      let before = 0;
      for (const row of scan("simd", bytes, settings).matches) {
        if (row.start < before || row.end <= row.start) expect.fail(label(bytes));
        before = row.end;
        const span = bytes.subarray(row.start, row.end).toString();
        if (row.kind === "rejoined") expect(row.raw.length).toBeLessThan(span.length);
        else if (row.kind === "plain") expect(row.raw).toBe(span);
        else expect(span.replace(/[ \t]|(?<=:)<|>/g, "")).toBe(row.raw);
      }
    });
  });

  it("the profile none reports what rfc3986 reports, with url as raw (N)", () => {
    check(900, texts(16), (bytes) => {
      // Joiners at the end are written in triplets (C45).
      const written = (raw: string): string => raw.replace(/[\u200c\u200d]+$/, encodeURIComponent);
      const raws = scan("simd", bytes, {}).matches.map(({ reason, ...row }) => ({ ...row, url: written(row.raw) }));
      const none = scan("simd", bytes, { profile: "none" }).matches.map(({ reason, ...row }) => row);
      expectEqual(none, raws, () => label(bytes));
    });
  });

  it("a filter by scheme leaves out matches and changes none (X11)", () => {
    check(900, texts(16), (bytes) => {
      const all = scan("simd", bytes, {}).matches;
      const named = scan("simd", bytes, { schemes: ["http", "mailto"] }).matches;
      const wanted = all.filter((row) => /^(?:http|mailto):/i.test(row.raw));
      expectEqual(named, wanted, () => label(bytes));
    });
  });
});

describe("hard-wrapped text, joined (X8)", () => {
  const guess = { guess: true };

  it("has matches over two and three lines, whose raw is their span without line breaks, quote marks and the spaces after", () => {
    let [longest, joined, plain] = [0, 0, 0];
    check(800, wrappedTexts, (bytes) => {
      for (const { kind, raw, start, end } of scan("simd", bytes, guess).matches) {
        if (kind === "plain") plain++;
        if (kind !== "guessed") continue;
        joined++;
        const span = bytes.subarray(start, end).toString();
        longest = Math.max(longest, span.split("\n").length);
        const written = span.replace(/\r?\n(?: *>)* {0,2}/g, "");
        expectEqual(written, raw, () => label(bytes));
      }
    });
    expect(Math.min(joined, plain)).toBeGreaterThan(40);
    expect(longest).toBeGreaterThan(2);
  });

  it("is not joined without the option, and with it every match starts where it does without, or in a value that is joined", () => {
    check(800, wrappedTexts, (bytes) => {
      const plain = scan("simd", bytes).matches;
      if (plain.some(({ kind }) => kind === "guessed")) expect.fail(label(bytes));
      const { matches } = scan("simd", bytes, guess);
      const values = matches.filter(({ kind, start }) => kind === "guessed" && /=["']$/.test(bytes.toString("latin1", 0, start)));
      const isInValue = ({ start: at }: { start: number }): boolean => values.some(({ start, end }) => start < at && at < end);
      expectEqual(
        matches.map(({ start }) => start),
        plain.filter((match) => !isInValue(match)).map(({ start }) => start),
        () => label(bytes),
      );
    });
  });
});

describe("hard-wrapped text, flagged (C142)", () => {
  it("has the flag on the matches that guess would join, and is the same but for it", () => {
    let flagged = 0;
    check(1200, wrappedTexts, (bytes) => {
      const isCut = ({ flags }: Row): boolean => flags.includes("cut");
      const { matches } = scan("simd", bytes, { flagsCut: true });
      const unflagged = matches.map((row) => ({ ...row, flags: row.flags.filter((flag) => flag !== "cut") }));
      expectEqual(unflagged, scan("simd", bytes).matches, () => label(bytes));
      const joined = scan("simd", bytes, { guess: true }).matches.filter(({ kind }) => kind === "guessed");
      const isInJoined = ({ start: at }: Row): boolean => joined.some(({ start, end }) => start < at && at < end);
      const outside = matches.filter((row) => isCut(row) && !isInJoined(row));
      flagged += outside.length;
      expectEqual(
        outside.map(({ start }) => start),
        joined.map(({ start }) => start),
        () => label(bytes),
      );
    });
    expect(flagged).toBeGreaterThan(100);
  });

  it("has the flag on redirectors with unwrap", () => {
    let flagged = 0;
    check(1200, wrappedTexts, (bytes) => {
      const { matches } = scan("simd", bytes, { form: { unwrap: true }, nested: true });
      flagged += matches.filter(({ flags }) => flags.includes("cut")).length;
      if (matches.some(({ kind, flags }) => kind !== "plain" && kind !== "nested" && flags.includes("cut"))) expect.fail(label(bytes));
    });
    expect(flagged).toBeGreaterThan(30);
  });
});

// More of single URLs: test/url/laws.test.ts.
describe("any URL", () => {
  it("a refusal names a byte of the input or its end (P0)", () => {
    check(6000, urls, (url) => {
      const parsed = parseWith(coreOf("simd"), url);
      if (!parsed.ok && (parsed.offset < 0 || parsed.offset > Buffer.byteLength(url))) expect.fail(JSON.stringify(url));
    });
  });

  it.each(CORE_PROFILES)("a match's url is what normalize makes of its raw (X2 to X7, N): %s", (profile) => {
    const form = checkNormalizeOptions({ profile });
    check(3000, texts(8), (bytes) => {
      for (const row of scan("simd", bytes, { profile }).matches) {
        // In <URL:...> one character after the colon is enough (X6), so normalize may refuse what a delimited URL let through.
        const result = normalizeWith(coreOf("simd"), row.raw, form);
        if (row.kind === "plain" || result.ok) expectEqual(result, wantedOf(row), () => JSON.stringify(row.raw));
      }
    });
  });
});

function wantedOf(row: Row): object {
  return row.url === null ? { ok: false, code: row.reason } : { ok: true, url: row.url };
}
