// The option `charset` of the library and `--charset` of the command (A18).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ExtractOptions, ExtractStream, extract, extractFiles, extractFrom, type Match } from "../../src/index.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const spansOf = (matches: readonly Match[]) => matches.map(({ url, raw, start, end }) => ({ url, raw, start, end }));
const TEXT = latin1("siehe http://a.example/m\u00fcnchen und http://m\u00fcller.example/");
const FOUND = [
  { url: "http://a.example/m%C3%BCnchen", raw: "http://a.example/münchen", start: 6, end: 30 },
  { url: "http://xn--mller-kva.example/", raw: "http://müller.example/", start: 35, end: 57 },
];

const folder = newFolder();
afterAll(() => removeFolder(folder));

async function listed(matches: AsyncIterable<Match>): Promise<Match[]> {
  const all: Match[] = [];
  for await (const match of matches) all.push(match);
  return all;
}

describe("charset", () => {
  it("is that of bytes in every way in, also in parts and on threads", async () => {
    expect(spansOf(extract(TEXT, { charset: "iso-8859-1" }))).toEqual(FOUND);
    expect(spansOf(await listed(extractFrom([TEXT.subarray(0, 25), TEXT.subarray(25)], { charset: "latin1" })))).toEqual(FOUND);
    const path = join(folder, "a.txt");
    writeFileSync(path, TEXT);
    expect(spansOf(await listed(extractFiles([path], { charset: "latin1", threads: 2 })))).toEqual(FOUND);
    const stream = new ExtractStream({ charset: "latin1", threads: 2, objectMode: true });
    stream.end(TEXT);
    expect(spansOf(await listed(stream))).toEqual(FOUND);
  });

  it("is not that of a string", async () => {
    const text = "http://a.example/m\u00fcnchen";
    const [found] = FOUND;
    expect(extract(text, { charset: "latin1" })[0]?.url).toBe(found?.url);
    expect((await listed(extractFrom(text, { charset: "latin1" })))[0]?.url).toBe(found?.url);
  });

  it("ranges find together what the whole does", () => {
    for (let border = 0; border <= TEXT.length; border++) {
      const halves = [[0, border] as const, [border, TEXT.length] as const];
      const found = halves.flatMap((range) => extract(TEXT, { charset: "latin1", range }));
      expect({ border, found: spansOf(found) }).toEqual({ border, found: FOUND });
    }
  });

  it.each<[ExtractOptions, string, string[]]>([
    [
      { nested: true },
      "http://a.example/?u=http://b.example/\u00fc",
      ["http://a.example/?u=http://b.example/%C3%BC", "http://b.example/%C3%BC"],
    ],
    [{ refang: true }, "hxxp://a[.]example/\u00fc http://b.example/\u00e9", ["http://a.example/%C3%BC", "http://b.example/%C3%A9"]],
    [{ guess: true }, `http://a.example/${"x".repeat(60)}\u00fc/\ny.html`, [`http://a.example/${"x".repeat(60)}%C3%BC/y.html`]],
    [{ bare: ["www"] }, "\u00e4 www.m\u00fcller.example", ["http://www.xn--mller-kva.example/"]],
    [{ profile: "whatwg" }, "http://a.example/\u00fc", ["http://a.example/%C3%BC"]],
    [{ type: "html", links: true, base: "http://a.example/" }, "<a href=m\u00fc.html>", ["http://a.example/m%C3%BC.html"]],
  ])("goes with other options: %j", (options, text, urls) => {
    expect(extract(latin1(text), { ...options, charset: "latin1" }).map(({ url }) => url)).toEqual(urls);
    expect(extract(text, options).map(({ url }) => url)).toEqual(urls);
  });

  it("refuses what is no charset, by name and with the names that it takes", () => {
    const message = /^charset must be utf-8, utf-16le, utf-16be, gbk, .* or x-mac-cyrillic, not "replacement"$/;
    expect(() => extract("", { charset: "replacement" })).toThrow(message);
    expect(() => extract("", { charset: "windows-125" })).toThrow(
      /^charset got "windows-125"; did you mean windows-1250\? It must be utf-8, /,
    );
    expect(() => extract("", { charset: 8 as unknown as string })).toThrow(/, not 8$/);
  });
});

describe("--charset", () => {
  it("reads text and mail from standard input", async () => {
    const mail = Buffer.concat([latin1("Subject: x\nFrom: a\n\n"), TEXT]);
    const urls = `${FOUND.map(({ url }) => url).join("\n")}\n`;
    expect((await run(["--charset", "latin1"], { input: TEXT })).stdout).toBe(urls);
    expect((await run(["--charset=iso-8859-1"], { input: mail })).stdout).toBe(urls);
    expect((await run([], { input: TEXT })).stdout).toBe("http://a.example/m\nhttp://m/\n");
  });

  it("names what it does not take", async () => {
    const { code, stderr } = await run(["--charset", "replacement"], { input: TEXT });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^urlmill: --charset must be utf-8, .*, not "replacement"\n/),
    });
  });
});
