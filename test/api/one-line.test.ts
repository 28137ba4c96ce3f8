// What a scan writes (N, C45): a line of `plain` is one URL without controls, a line of `ndjson` one record, under every set of options.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeCore } from "../../src/core/core.ts";
import { type ExtractOptions, type ExtractStreamOptions, extract, parse } from "../../src/index.ts";
import { checkOptions, EVERYTHING } from "../../src/options/options.ts";
import { formatted } from "../../src/output/formatted.ts";
import { scanOptionsOf } from "../../src/run/open-scanner.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { check, expectEqual, RUNS } from "../core/check.ts";
import { sinkOf } from "../output/sinks.ts";
import { nestedTexts, pages, schemelessTexts, schemeTexts, texts } from "../scan/pieces.ts";
import { wrappedTexts } from "../scan/wrapped-lines.ts";
import { expectOneUrl, optionSets, strangeTails, wrappedUrls } from "../url/one-url.ts";
import { written } from "./scan-output.ts";

const either = (...options: ExtractOptions[]): fc.Arbitrary<ExtractOptions> => fc.constantFrom({}, ...options);
/** Any options of a scan together. */
const scanOptions: fc.Arbitrary<ExtractOptions> = fc
  .tuple(
    optionSets,
    either({ bare: ["www", "email", "domain", "ip"] }, { bare: "email" }),
    either({ nested: true }),
    either({ guess: true }),
    either({ anyScheme: true }),
    either({ type: "html" }, { type: "eml" }, { type: "mbox" }),
    either({ extraSchemes: [{ name: "note", shape: "opaque" }], schemes: ["http", "mailto", "note"] }),
  )
  .map((chosen) => Object.assign({}, ...chosen));

const around = fc.constantFrom(
  "",
  " ",
  "<",
  "<URL:",
  ">",
  "\n",
  '"',
  "<a href='",
  "'>",
  "&#10;",
  "&#x9b;",
  "&#27;",
  "=0A",
  "=9B",
  "\u009b",
);
const given = fc
  .array(fc.tuple(around, fc.oneof(wrappedUrls, strangeTails), around), { minLength: 1, maxLength: 4 })
  .map((parts) => Buffer.from(parts.flat().join("")));
const anyText = fc.oneof(
  { weight: 3, arbitrary: given },
  { weight: 1, arbitrary: fc.oneof(texts(8), schemeTexts(6), schemelessTexts(6), nestedTexts(4), pages(6), wrappedTexts) },
);

const label = (bytes: Uint8Array, options: ExtractOptions): string =>
  `${JSON.stringify(Buffer.from(bytes).toString("latin1"))} ${JSON.stringify(options)}`;

/** A line that begins without its scheme (X10), which the profile none leaves so where no option changes it, with one. */
function wholeUrl(line: string, { profile, bare }: ExtractOptions): string {
  if (profile !== "none" || bare === undefined) return line;
  return [line, `http://${line}`, `mailto:${line}`].find((url) => parse(url).ok) ?? line;
}

/** Each line of `ndjson` is one record, each URL in it is one URL, and the URLs are those of `urls`. */
function expectRecords(
  bytes: Uint8Array,
  options: ExtractOptions,
  fields: ExtractStreamOptions["fields"],
  urls: readonly (string | null)[],
): void {
  const shown = (): string => label(bytes, options);
  const { out, rejected } = written(bytes, { ...options, format: "ndjson", fields });
  for (const text of [out, rejected]) {
    if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text.replaceAll("\n", ""))) expect.fail(shown());
    if (text !== "" && !text.endsWith("\n")) expect.fail(shown());
  }
  const records = out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  for (const { url, chain = [] } of records) {
    for (const one of url === null ? chain : [url, ...chain]) expectOneUrl(wholeUrl(one, options), options, shown);
  }
  expectEqual(
    records.map(({ url }) => url),
    urls,
    shown,
  );
  for (const line of rejected.split("\n").slice(0, -1)) if (!("reason" in JSON.parse(line))) expect.fail(shown());
}

describe("every set of options", () => {
  const anyFields = fc.constantFrom(undefined, ["url", "raw", "chain", "source", "host", "flags"] as const);
  const withoutRaw = ["url", "chain", "source", "host", "flags"] as const;

  it("plain, with a line feed or a NUL after each URL: a line is one URL; ndjson, with any fields: a line is one record", () => {
    let count = 0;
    check(4000, fc.tuple(anyText, scanOptions, anyFields, fc.constantFrom("\n", "\0")), ([bytes, options, fields, separator]) => {
      const shown = (): string => label(bytes, options);
      const lines = written(bytes, options, separator.charCodeAt(0)).out.split(separator);
      expectEqual(lines.pop(), "", shown);
      for (const line of lines) expectOneUrl(wholeUrl(line, options), options, shown);
      const urls = extract(bytes, options).map(({ url }) => url);
      const normalized = urls.filter((url) => url !== null);
      expectEqual(lines, normalized, shown);
      count += lines.length;
      expectRecords(bytes, options, fields !== undefined && options.userinfo === "redact" ? withoutRaw : fields, urls);
    });
    expect(count).toBeGreaterThan(1500 * RUNS);
  });
});

it.each([[undefined], [["url", "source"] as const]])("records of any length leave in pieces, fields: %j", async (fields) => {
  const count = 300;
  const { settings } = checkOptions("ExtractStream", { format: "ndjson", fields });
  const pieces: number[] = [];
  let records = 0;
  const sink = sinkOf({
    bytes: ({ bytes, count }) => {
      pieces.push(bytes.length);
      records += count;
      expect(bytes.filter((byte) => byte === 0x0a).length).toBe(count);
    },
  });
  // The name of a member may be as long as its archive likes.
  const range = { source: "x".repeat(100_000), offset: 0, ...EVERYTHING };
  const written = formatted(settings, sink);
  const scanner = new Scanner(takeCore(), scanOptionsOf(settings, "text"), written, range);
  scanner.write(Buffer.from("http://a.example/ ".repeat(count)));
  scanner.end();
  // So many records wait until the sink has passed on those before.
  expect(records).toBeLessThan(count);
  await written.end();
  expect(records).toBe(count);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(count * 100_000);
  expect(Math.max(...pieces)).toBeLessThan(5 << 20);
});

it("a URL that ends in a joiner when its punctuation goes is written so that it is read again (X5, C45)", () => {
  const given = "http://a.example/\u0628\u200d.";
  for (const options of [{ profile: "none" }, { profile: "none", nested: true }, { profile: "none", stripWww: true }] as const) {
    expect(extract(given, options).map(({ url }) => url)).toEqual(["http://a.example/\u0628%E2%80%8D"]);
    expect(written(Buffer.from(given), options).out).toBe("http://a.example/\u0628%E2%80%8D\n");
  }
});
