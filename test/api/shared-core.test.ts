// One core serves all who work on a thread: what one asks for must not show in what another gets.
import { finished } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { ExtractStream, extract, extractFrom, normalize, normalizeLines, parse, resolve, tryNormalize } from "../../src/index.ts";

const URLS = ["mailto:a@b.example", "gopher://h/a/../b", "http://a.example:80/"];
const NORMAL = ["mailto:a@b.example", "gopher://h/a/../b", "http://a.example/"];

function expectPlain(): void {
  expect(URLS.map((url) => normalize(url))).toEqual(NORMAL);
  expect(Buffer.from(normalizeLines(Buffer.from(URLS.join("\n")))).toString()).toBe(`${NORMAL.join("\n")}\n`);
  expect(parse("mailto:a@b.example").ok).toBe(true);
  expect(resolve("mailto:a@b.example", "")).toBe("mailto:a@b.example");
}

describe("the schemes of a scan stay with it", () => {
  const extraSchemes = [
    { name: "mailto", shape: "//" },
    { name: "gopher", shape: "//" },
    { name: "http", shape: "//", port: 17 },
  ] as const;

  it("behind a scan", () => {
    extract("x", { extraSchemes });
    expectPlain();
  });

  it("in the middle of one, which goes on with its own", async () => {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("qotd://a.exa");
      yield Buffer.from("mple:17/ qotd://b.example/ http://c.example/");
    }
    const found: (string | null)[] = [];
    for await (const match of extractFrom(source(), { extraSchemes: [{ name: "qotd", shape: "//", port: 17 }] })) {
      expectPlain();
      found.push(match.url);
    }
    expect(found).toEqual(["qotd://a.example/", "qotd://b.example/", "http://c.example/"]);
  });

  it("a name of a filter makes no scheme known to unwrap (N10)", () => {
    const url = "http://www.google.com/url?q=javascript:alert%281%29";
    expect(extract(url, { schemes: ["http", "javascript"], unwrap: true }).map((match) => match.url)).toEqual([normalize(url)]);
    expect(normalize(url, { unwrap: true })).toBe(normalize(url));
  });
});

it("onRejected may extract and normalize", () => {
  const text = "http://:1/ http://c.example/ ".repeat(4100);
  for (const work of [() => extract("http://q.example/"), () => normalizeLines(Buffer.from("http://q.example/\n"))]) {
    let rejected = 0;
    const onRejected = (): void => {
      if (rejected++ === 0) work();
    };
    const found = extract(text, { onRejected });
    expect(new Set(found.map((match) => match.start)).size).toBe(4100);
    expect([found.length, rejected]).toEqual([4100, 4100]);
  }
});

it.each([
  ["http://u:p@a%25b:81/", 11],
  ["http://\u202ea.example/", 7],
  ["http://\u00e9@\u{1f600}%20/", 9],
  ["news://%25", 7],
])("%s: parse refuses a host that normalize refuses, and tryNormalize says where (C32)", (url, offset) => {
  expect(parse(url)).toEqual({ ok: false, code: "bad-host", offset });
  expect(tryNormalize(url)).toEqual({ ok: false, code: "bad-host", offset });
  expect(normalize(url)).toBe(null);
});

it("tryNormalize names the error of any URL where parse does, in UTF-16 code units", () => {
  for (const url of ["", "a", "\u00e9://x", "http:", "http://a\u00e9:99999/", "mailto:", "  \u{1f600} http://a/", "http://a b/"]) {
    expect(tryNormalize(url), url).toEqual(parse(url));
  }
  expect(tryNormalize("HTTP://A.example/\u00e9")).toEqual({ ok: true, url: "http://a.example/%C3%A9" });
  expect(tryNormalize("http://a/", { profile: "whatwg", unwrap: true })).toEqual({ ok: true, url: "http://a/", chain: [] });
});

it("sortQuery compares names as N2 gives them, under every profile (N10)", () => {
  for (const profile of ["rfc3986", "whatwg", "none"] as const) {
    expect(normalize("http://x.example/?a=2&%7b=1&{=1&%61=1", { profile, sortQuery: true }), profile).toMatch(
      /\?(%7[bB])=1&(%7B|\{)=1&a=2&(a|%61)=1$/,
    );
  }
});

it("the profile none writes scheme-less text as it stands where no option changes it (N10)", () => {
  const urlsOf = (text: string): (string | null)[] =>
    extract(text, { bare: "domain", profile: "none", stripFragment: true }).map((match) => match.url);
  expect(urlsOf("c.com")).toEqual(["c.com"]);
  expect(urlsOf("c.com/#x")).toEqual(["http://c.com/"]);
});

it("a listener that uses the library takes nothing from the scan that calls it", async () => {
  const rejected: string[] = [];
  const stream = new ExtractStream({ objectMode: true, onRejected: ({ code }) => void rejected.push(code) });
  let matches = 0;
  stream.on("data", () => {
    matches += extract("http://b.example/ http://- mailto:x").length;
  });
  stream.end("http://a.example/ and http://- no host\n".repeat(500));
  await finished(stream);
  expect({ matches, rejected }).toEqual({ matches: 500, rejected: Array(500).fill("no-host") });
});

it("text that waits until its charset is known stays with its scan (A8)", async () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
  const head = Buffer.from("Subject: x\nFrom: y\nContent-Type: text/plain; charset=utf-16\n\n");
  const body = utf16(`${"- ".repeat(100)}http://a.example/${"b".repeat(250)} c`);
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.concat([head, body.subarray(0, 801)]);
    // Another message takes the place in which the first one waits.
    expect(extract(Buffer.concat([head, utf16("http://d.example/ ".repeat(50))])).length).toBe(50);
    yield body.subarray(801);
  }
  const found: (string | null)[] = [];
  for await (const { url } of extractFrom(source())) found.push(url);
  expect(found).toEqual([`http://a.example/${"b".repeat(250)}`]);
});
