// Offsets count what the input is made of: UTF-16 code units of a string, bytes of bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { explain } from "../../src/explain.ts";
import { createExtractor, extract, extractFrom, type Match, type Rejected } from "../../src/index.ts";
import { check, expectEqual } from "../core/check.ts";
import { schemelessTexts, texts } from "../scan/pieces.ts";

const encoder = new TextEncoder();
const TEXT =
  "h\u00e9\u2026 \u{1f600} http://a.example/\u00e4 <URL:ftp://b.example/x> \u{1f600}http://c.example:99999/ \ud800 http://d.example/";

interface Range {
  readonly start: number;
  readonly end: number;
}

async function listed(matches: AsyncIterable<Match>): Promise<Match[]> {
  const list: Match[] = [];
  for await (const match of matches) list.push(match);
  return list;
}

it("of a string slice it, also those of rejected candidates and explanations", async () => {
  const rejected: Rejected[] = [];
  const slice = ({ start, end }: Range): string => TEXT.slice(start, end);
  const found = ["http://a.example/\u00e4", "ftp://b.example/x", "http://d.example/"];
  expect(extract(TEXT, { onRejected: (one) => void rejected.push(one) }).map(slice)).toEqual(found);
  expect(rejected.map(slice)).toEqual(["http://c.example:99999/"]);
  expect((await listed(extractFrom(TEXT))).map(slice)).toEqual(found);
  const explained = explain(TEXT);
  expect(explained.map(slice)).toEqual([found[0], found[1], "http://c.example:99999/", found[2]]);
  expect(explained[1]?.steps.map(slice)).toContain("<URL:ftp://b.example/x>");
});

it("of a range of a string are in its code units", async () => {
  const start = TEXT.indexOf("ftp:");
  for (const [range, urls] of [
    [[start, start + 1], ["ftp://b.example/x"]],
    [[start + 1, TEXT.length], ["http://d.example/"]],
    [[0, start], ["http://a.example/%C3%A4"]],
  ] as const) {
    expect(extract(TEXT, { range }).map(({ url }) => url)).toEqual(urls);
    expect((await listed(extractFrom(TEXT, { range }))).map(({ url }) => url)).toEqual(urls);
    expect(explain(TEXT, { range }).flatMap(({ url }) => url ?? [])).toEqual(urls);
  }
});

it("of a string are those of its bytes, in its own units", () => {
  const find = createExtractor({ nested: true, bare: ["domain", "email"], guess: true });
  const accents = fc.constantFrom("", "\u00e9", "\u{1f600}", "\u20ac ").map((text) => Buffer.from(text));
  const mixed = fc.tuple(texts(6), accents, schemelessTexts(6)).map((parts) => Buffer.concat(parts).toString());
  let moved = 0;
  check(3000, mixed, (text) => {
    const bytes = encoder.encode(text);
    const wanted = find(bytes).map(({ start, end }) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)));
    const found = find(text);
    expectEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      wanted,
      () => JSON.stringify(text),
    );
    if (bytes.length > text.length) moved += found.length;
  });
  expect(moved).toBeGreaterThan(100);
});
