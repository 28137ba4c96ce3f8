// Any text under any options (X1 to X13, N): texts in which rules meet, with their options, and the comparison of what the builds of the
// core and the oracle find in one, however it is cut and divided.
import fc from "fast-check";
import { lookBack } from "../../src/scan/range.ts";
import { BUILDS, type Found, reportedByOracle, type ScanSettings, scan, scanLines, settingsOf, sumOf } from "../core/builds.ts";
import { expectEqual } from "../core/check.ts";
import { type OracleOptions, oracleExtract } from "../oracle/index.ts";
import { jsonTexts } from "./json-texts.ts";
import { limitTexts } from "./limit-pieces.ts";
import { oracleFound, withoutUrls } from "./oracle-rows.ts";
import {
  cutsOf,
  defangedTexts,
  encodedTexts,
  escapedTexts,
  linkPages,
  linkTexts,
  nestedTexts,
  pages,
  schemelessTexts,
  schemeTexts,
  texts,
} from "./pieces.ts";
import { wrappedTexts } from "./wrapped-lines.ts";

/** A text, how it is scanned, and what is compared beside the whole: chunks that end at `cuts`, or ranges that meet at `borders`. */
export interface Given {
  bytes: Buffer;
  options: OracleOptions;
  profile: "none" | "rfc1738" | undefined;
  cuts: number[];
  borders: number[] | undefined;
}

/** Makes texts with options. Small limits meet the texts that pieces make; the default never would. */
export function given(
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

/** Names a text and its options in a failure. */
export const label = (bytes: Uint8Array, options: object = {}): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), options]);

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
    options.urlBytesMax === 256 ? Buffer.from("word\n".repeat(lookBack({ urlBytesMax: 256, context: 0, asked: [] }) / 5)) : Buffer.alloc(0);
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
export function expectFoundAlike(one: Given): void {
  const { bytes, options, profile, cuts, borders } = one;
  const settings: ScanSettings = { ...settingsOf(options), ...(profile === undefined ? {} : { profile }) };
  const labelled = (what: string) => (): string => `${what}: ${label(bytes, { ...options, profile, cuts })}`;
  const first = scan("simd", bytes, settings);
  // The oracle has no profiles here, and leaves the URLs of redirectors.
  const known = (options.unwrap ?? false) !== false ? withoutUrls : (found: Found): Found => found;
  if (profile === undefined)
    expectEqual(known(reportedByOracle(first)), known(oracleFound(oracleExtract(bytes, options))), labelled("simd and the oracle"));
  for (const build of BUILDS) {
    if (build !== "simd") expectEqual(scan(build, bytes, settings), first, labelled(`${build} and simd`));
    if (borders !== undefined) expectRangesAlike(one, build, settings, first);
    else expectEqual(scan(build, bytes, settings, cuts), first, labelled(`${build} in chunks`));
    // Nested and defanged matches and targets are made outside the core, which writes no lines of them.
    if (options.nested !== true && options.refang !== true && options.links !== true && (options.unwrap ?? false) === false)
      expectEqual(scanLines(build, bytes, settings, cuts), linesOf(first), labelled(`lines of ${build}`));
  }
}

const TEX = String.raw`\\(?:string)?(?:([_%&#?=():;|,+*@!'-])|~|textasciitilde(?![A-Za-z]))(?:\{\})?|\$\\sim\$`;
/** Escapes of TeX and shells, in braces or without (C208, C296). */
const TEX_ALONE_OR_IN_BRACES = new RegExp(`\\{(?:${TEX})\\}|${TEX}`, "g");

const COLORS = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;:]*[mK]`, "g");

/** Whether a span of text is written as `raw`, but for escapes, and for the backslashes of paths of Windows (C291). */
export function isWrittenAs(raw: string, span: string): boolean {
  if (unescaped(span) === raw) return true;
  return /^file:/i.test(span) && [span, span.replaceAll("\\/", "/")].some((path) => path.replaceAll("\\", "/") === raw);
}

/** Text without the escapes of JSON, TeX, shells, scripts and logs, and without colors (X16). */
function unescaped(span: string): string {
  return span
    .replaceAll(COLORS, "")
    .replace(/(?:\\x[89a-f][0-9a-f])+/gi, (escaped) => Buffer.from(escaped.replaceAll(/\\x/gi, ""), "hex").toString())
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, four: string, two: string) => String.fromCharCode(Number.parseInt(four ?? two, 16)))
    .replaceAll("\\/", "/")
    .replace(/(?<=\/\/[A-Za-z0-9_-]+) at (?=[A-Za-z0-9_-]+\.[A-Za-z0-9])/g, "@")
    .replace(TEX_ALONE_OR_IN_BRACES, (_, inBraces?: string, alone?: string) => inBraces ?? alone ?? "~");
}

/** The spans of plain text are in order, do not overlap, and give raw back where nothing was taken out (X7, X11). */
export function expectSpans(bytes: Buffer, settings: ScanSettings): void {
  let before = 0;
  for (const row of scan("simd", bytes, settings).matches) {
    const written = bytes.subarray(row.start, row.end).toString();
    const span = unescaped(written);
    const isInOrder = row.start >= before && row.end > row.start;
    const isWhole = row.kind === "plain" ? isWrittenAs(row.raw, written) : span.replace(/[ \t]|(?<=:)<|>/g, "") === row.raw;
    if (!isInOrder || !(row.kind === "rejoined" ? row.raw.length < span.length : isWhole)) {
      throw new Error(`spans: ${JSON.stringify(row)} ${label(bytes)}`);
    }
    before = row.end;
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
export const linkOptions: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    either({ base: "http://base.example/a/b?c#d" }, { base: "file:///dir/x" }),
    either({ bare: ["www", "domain"] }, { guess: true }, { anyScheme: true }),
    limits,
  )
  .map((chosen) => Object.assign({}, ...chosen));
/** Any options together. */
export const anyOptions: fc.Arbitrary<OracleOptions> = fc
  .tuple(
    either({ anyScheme: true }),
    either(added),
    either({ bare: "www" }, { bare: "email" }, { bare: "ip" }, { bare: ["email", "domain"] }, { bare: ["www", "email", "domain", "ip"] }),
    either({ guess: true }),
    either({ nested: true }),
    either({ refang: true }),
    either({ unwrap: true }, { unwrap: "any" }),
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

/** Texts of every kind with the options that are of use with them: how often each is tried, as a usual number. */
export const GIVEN: readonly (readonly [name: string, runs: number, texts: fc.Arbitrary<Given>])[] = [
  ["text (X1 to X7, X11, X12)", 4000, given(texts(16), limits, [undefined, undefined, "none", "rfc1738"])],
  ["HTML (X9)", 3000, given(pages(10), withOption({ type: "html" }, limits))],
  ["XML (C195)", 1000, given(linkPages(8), withOption({ type: "xml", links: true }, linkOptions))],
  ["links of HTML (C106)", 3000, given(linkPages(8), withOption({ type: "html", links: true }, linkOptions))],
  ["texts of links in HTML (C179, C218, C219)", 3000, given(linkTexts(14), withOption({ type: "html", fields: ["text"] }, limits))],
  [
    "texts of links (C218, C219)",
    1000,
    given(
      linkTexts(14),
      withOption({ fields: ["text"] }, either({ urlBytesMax: 256 }, { refang: true }, { nested: true }, { bare: ["www", "email"] })),
    ),
  ],
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
];
