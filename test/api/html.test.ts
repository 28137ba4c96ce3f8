// type "html" through every way in (X9): the same matches for any chunks and threads, and beside other scans.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExtractStream, extract, extractFiles, extractFrom, extractWebStream, type Match, type Rejected } from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { pages } from "../scan/pieces.ts";
import { chunksOf, collect, streamOf, TEXT } from "./pieces.ts";

// After <plaintext> nothing is markup.
const PIECES = fc.sample(pages(12), { numRuns: 1500, seed: 5 }).filter((piece) => !/<plaintext/i.test(piece.toString("latin1")));
const PAGE: Buffer = Buffer.concat(PIECES);
const HTML = { type: "html" } as const;
const json = (matches: readonly Match[]): object[] => matches.map((match) => match.toJSON());
const FOUND = json(extract(PAGE, HTML));

describe("a page", () => {
  it.each([{}, { nested: true }, { profile: "surt" }] as const)("longer than the window has its spans where they stand: %j", (options) => {
    const anchor = (index: number): string => `<a href="http://a.example/${index}?u=1&amp;v=http://b.example/${index}">x</a>\n`;
    const page = Buffer.from(Array.from({ length: 24_000 }, (_, index) => anchor(index)).join(""));
    const found = extract(page, { ...HTML, ...options });
    expect(found.length).toBe("nested" in options ? 48_000 : 24_000);
    const decoded = found.map(({ start, end }) => page.subarray(start, end).toString().replaceAll("&amp;", "&"));
    expect(decoded.findIndex((text, index) => text !== found[index]?.raw)).toBe(-1);
  });

  it("holds more than text does, and its spans are in order", () => {
    const found = extract(PAGE, HTML);
    expect(found.length).toBeGreaterThan(500);
    expect(FOUND).not.toEqual(json(extract(PAGE, { type: "text" })));
    for (const [index, { start, end }] of found.entries()) {
      expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
      expect(end).toBeGreaterThan(start);
    }
  });

  it.each([1, 4096])("comes in chunks of %i bytes", async (size) => {
    expect(json(await collect(extractFrom(streamOf(PAGE, size), HTML)))).toEqual(FOUND);
    const web = new Blob(Array.from(chunksOf(PAGE, 1 << 16), (chunk) => Uint8Array.from(chunk)))
      .stream()
      .pipeThrough(extractWebStream(HTML));
    expect(json(await collect(web))).toEqual(FOUND);
  });

  it.each([1, 2])("goes through an ExtractStream with %i threads", async (threads) => {
    const stream = streamOf(PAGE, 5000).pipe(new ExtractStream({ ...HTML, threads, format: "ndjson" }));
    const lines = Buffer.concat(await collect<Buffer>(stream)).toString();
    expect(lines).toBe(FOUND.map((record) => `${JSON.stringify(record)}\n`).join(""));
  });

  it("takes turns with other scans", async () => {
    const scans = [extractFrom(streamOf(PAGE, 97), HTML), extractFrom(streamOf(TEXT, 101)), extractFrom(streamOf(PAGE, 1009), HTML)];
    const [first, text, second] = await Promise.all(scans.map((scan) => collect(scan)));
    expect(json(first)).toEqual(FOUND);
    expect(json(text)).toEqual(json(extract(TEXT)));
    expect(json(second)).toEqual(FOUND);
  });

  it("is read from its start for a range, which then owns what starts in it", () => {
    const middle = PAGE.length >> 1;
    const parts = [extract(PAGE, { ...HTML, range: [0, middle] }), extract(PAGE, { ...HTML, range: [middle, PAGE.length] })];
    expect(parts.flatMap(json)).toEqual(FOUND);
  });
});

describe("values of attributes that no other match could be", () => {
  const page = Buffer.concat([
    Buffer.from("<a href='http://a.example/\"b\"'><a href='http:\\\\b.example\\?c\\d'><a href='http://c.example/caf\u00e9/"),
    Buffer.from("e9e9", "hex"),
    Buffer.from("'> http://d.example/"),
  ]);
  const raws = ['http://a.example/"b"', "http://b.example/?c\\d", "http://c.example/caf\u00e9/\ufffd\ufffd", "http://d.example/"];
  const urls = ["http://a.example/%22b%22", "http://b.example/?c%5Cd", "http://c.example/caf%C3%A9/%E9%E9", "http://d.example/"];

  it.each([{}, { nested: true }, { fields: ["url", "raw"] }] as const)("are records of JSON in UTF-8: %j", async (options) => {
    const stream = streamOf(page, 7).pipe(new ExtractStream({ ...HTML, ...options, format: "ndjson" }));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(await collect<Buffer>(stream)));
    const records = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { url: string; raw: string });
    expect(records.map(({ raw }) => raw)).toEqual(raws);
    expect(records.map(({ url }) => url)).toEqual(urls);
  });

  it("are written without what no URL can hold (C45)", () => {
    const none = extract(page, { ...HTML, profile: "none" }).map(({ url }) => url);
    expect(none).toEqual([urls[0], urls[1], "http://c.example/caf\u00e9/%E9%E9", urls[3]]);
  });
});

describe("attributes of a page", () => {
  it("have more values than the core has room for at once, also while a URL before them waits for its end", () => {
    const count = 60_000;
    const long = `http://b.example/${"x".repeat(530_000)}`;
    const tags = Buffer.from(`${long}<a ${"src=x ".repeat(count)}>${"<a href='http://a.example/b c.'>".repeat(count)}`);
    const found = extract(tags, { ...HTML, urlBytesMax: 1 << 20 });
    expect(found.length).toBe(count + 1);
    expect(found[0]?.url).toBe(long);
    expect(found.slice(1).every(({ url }) => url === "http://a.example/b%20c.")).toBe(true);
  });
});

describe("a page larger than the window", () => {
  const unit = '<p>&lt;a&gt;<a href="http://a.example/?b&amp;c">x</a> http://b.example/&amp;\n';
  const page = Buffer.from(unit.repeat(Math.ceil((9 << 20) / unit.length)));

  it("has its matches where they stand", () => {
    const found = extract(page, HTML);
    const two = json(extract(unit, HTML)) as { start: number; end: number }[];
    expect(two).toMatchObject([{ url: "http://a.example/?b&c" }, { url: "http://b.example/&" }]);
    expect(found.length).toBe((2 * page.length) / unit.length);
    for (const [index, { start, end }] of found.entries()) {
      const offset = (index >> 1) * unit.length;
      const wanted = two[index % 2];
      if (start !== wanted.start + offset || end !== wanted.end + offset)
        expect([start - offset, end - offset], `${index}`).toEqual(wanted);
    }
  });

  it("lists what was rejected where it stands", () => {
    const rejected: Rejected[] = [];
    const begin = 17 << 19;
    page.write("<p>&amp;&amp;http://&lt;", begin);
    extract(page, { ...HTML, onRejected: (one) => rejected.push(one) });
    expect(rejected).toEqual([{ code: "no-host", start: begin + 13, end: begin + 20, text: "http://" }]);
  });
});

describe("files", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder();
    mkdirSync(join(folder, "many"));
    for (let index = 0; index < 9000; index++) writeFileSync(join(folder, "many", `${index}`), PAGE.subarray(index, index + 300));
    writeFileSync(join(folder, "page"), PAGE);
  });
  afterAll(() => removeFolder(folder));

  it("are read whole, by workers as well", async () => {
    const found = await collect(extractFiles(join(folder, "page"), HTML));
    expect(found.map(({ start, end, raw }) => ({ start, end, raw }))).toEqual(FOUND.map(pick));
    const [alone, spread] = await Promise.all([1, 2].map((threads) => collect(extractFiles(join(folder, "many"), { ...HTML, threads }))));
    expect(alone.length).toBeGreaterThan(5000);
    expect(json(spread)).toEqual(json(alone));
  });
});

function pick(record: object): object {
  const { start, end, raw } = record as { start: number; end: number; raw: string };
  return { start, end, raw };
}
