// Defanged text (X15) in every way in and out: mail, HTML, long texts, streams, threads, ranges, the command.
import { describe, expect, it } from "vitest";
import { ExtractStream, extract, extractFrom, type Match } from "../../src/index.ts";
import { run } from "../cli/run.ts";
import { collect, streamOf } from "./pieces.ts";

const REFANG = { refang: true } as const;
const json = (matches: readonly Match[]): object[] => matches.map((match) => match.toJSON());

const MAIL = `From joe@a.example Tue Mar 29 01:39:08 1994
From: joe@a.example
Message-ID: <1@a.example>
Subject: hxxp://subject[.]example/

> one hxxp://quoted[.]example/a[.]b and
<hxxp://broken[.]example/
x> done

From joe@a.example Tue Mar 29 01:40:08 1994
From: joe@a.example
Message-ID: <2@a.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain
Content-Transfer-Encoding: quoted-printable

hxxps://qp[=2E]exam=
ple/ and http://plain.example/
--b
Content-Type: text/html

<a href="hxxp://html[.]example/?a&amp;b">x</a>
--b
Content-Type: text/plain
Content-Transfer-Encoding: base64

${Buffer.from("see hxxp://base64[dot]example/x there\n").toString("base64")}
--b--

From joe@a.example Tue Mar 29 01:41:08 1994
From: joe@a.example
Message-ID: <3@a.example>

http://last.example/
`;

describe("an mbox", () => {
  const found = extract(MAIL, { ...REFANG, type: "mbox" });

  it("has its matches in the right messages, parts and lines", () => {
    const seen = found.map(({ url, kind, raw, message, part, where, quote }) => [url, kind, raw, message, part, where, quote]);
    expect(seen).toEqual([
      ["http://subject.example/", "refanged", "hxxp://subject[.]example/", 1, undefined, "header:Subject", undefined],
      ["http://quoted.example/a.b", "refanged", "hxxp://quoted[.]example/a[.]b", 1, "1", "body", 1],
      ["http://broken.example/x", "refanged", "hxxp://broken[.]example/x", 1, "1", "body", undefined],
      ["https://qp.example/", "refanged", "hxxps://qp[.]example/", 2, "1", "body", undefined],
      ["http://plain.example/", "plain", "http://plain.example/", 2, "1", "body", undefined],
      ["http://html.example/?a&b", "refanged", "hxxp://html[.]example/?a&b", 2, "2", "html", undefined],
      ["http://base64.example/x", "refanged", "hxxp://base64[dot]example/x", 2, "3", "body", undefined],
      ["http://last.example/", "plain", "http://last.example/", 3, "1", "body", undefined],
    ]);
  });

  it("has spans of the source", () => {
    const spans = found.map(({ start, end }) => MAIL.slice(start, end));
    expect(spans.filter((_, index) => index !== 6)).toEqual([
      "hxxp://subject[.]example/",
      "hxxp://quoted[.]example/a[.]b",
      "hxxp://broken[.]example/\nx",
      "hxxps://qp[=2E]exam=\nple/",
      "http://plain.example/",
      "hxxp://html[.]example/?a&amp;b",
      "http://last.example/",
    ]);
    expect(Buffer.from(spans[6] ?? "", "base64").toString()).toContain("hxxp://base64[dot]example/x");
  });

  it.each([1, 7])("is the same in chunks of %i bytes", async (size) => {
    const chunked = await collect(extractFrom(streamOf(Buffer.from(MAIL), size), { ...REFANG, type: "mbox" }));
    expect(json(chunked)).toEqual(json(found));
  });
});

describe("a text longer than the window", () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `see hxxp://a${index}[.]example[.]org/x[.]y now, http://b.example/\n`);
  const text = Buffer.from(lines.join(""));
  const found = extract(text, REFANG);

  it("has its spans where they stand, and its raw forms as they are written", () => {
    expect(found.length).toBe(120_000);
    expect(found.findIndex(({ start, end, raw }) => text.subarray(start, end).toString() !== raw)).toBe(-1);
    expect(found[2 * 59_999]).toMatchObject({ url: "http://a59999.example.org/x.y", kind: "refanged" });
  });

  it("is the same on threads, and in the format of lines", async () => {
    const stream = streamOf(text, 1 << 16).pipe(new ExtractStream({ ...REFANG, objectMode: true, threads: 2 }));
    const urls = (await collect<Match>(stream)).map(({ url, start, kind }) => [url, start, kind]);
    expect(urls).toEqual(found.map(({ url, start, kind }) => [url, start, kind]));
    const written = await collect<Buffer>(streamOf(text, 1 << 16).pipe(new ExtractStream(REFANG)));
    expect(Buffer.concat(written).toString()).toBe(found.map(({ url }) => `${url}\n`).join(""));
  });

  it("has more marks than the core has rows for", () => {
    const marks = `hxxp://a${"[.]a".repeat(4000)} `.repeat(40);
    const matches = extract(marks, REFANG);
    expect(matches.map(({ url }) => url)).toEqual(Array(40).fill(`http://a${".a".repeat(4000)}/`));
    expect(matches.findIndex(({ start, end, raw }) => marks.slice(start, end) !== raw)).toBe(-1);
  });
});

describe("defang", () => {
  it("changes url and chain in records, and leaves scheme, host and raw", () => {
    const [match] = extract("https://www.google.com/url?q=http://evil.example/x", { unwrap: true, defang: true });
    expect(match?.toJSON()).toMatchObject({
      url: "hxxp://evil[.]example/x",
      raw: "https://www.google.com/url?q=http://evil.example/x",
      scheme: "http",
      host: "evil.example",
      chain: ["hxxps://www[.]google[.]com/url?q=http[:]//evil[.]example/x"],
    });
  });

  it("changes the text of a link and the context too", () => {
    const page = '<p>Log in at www.bank.example: <a href="http://evil.example/x">http://bank.example/</a>, joe@c.example';
    const [link] = extract(page, { type: "html", defang: true, fields: ["text", "context", "flags"], context: 20 });
    expect(link?.toJSON()).toMatchObject({
      text: "hxxp://bank[.]example/",
      context: "t www[.]bank[.]example: hxxp://evil[.]example/x http[:]//bank[.]example",
      flags: ["other-host"],
    });
  });

  it("writes schemeless text and the profile none so too", () => {
    const urls = extract("www.evil.example joe@evil.example HTTP://Evil.example/x", {
      bare: ["www", "email"],
      profile: "none",
      defang: true,
    });
    expect(urls.map(({ url, scheme }) => [url, scheme])).toEqual([
      ["www[.]evil[.]example", "http"],
      ["joe[@]evil[.]example", "mailto"],
      ["hxxp://Evil[.]example/x", "http"],
    ]);
  });
});

it("a scheme that an option added is named where there is no URL", async () => {
  const options = { refang: true, extraSchemes: ["xfoo"] } as const;
  const input = "xfoo://b%25c[.]example/";
  expect(extract(input, options).map(({ url, scheme }) => [url, scheme])).toEqual([[null, "xfoo"]]);
  const { stdout } = await run(["--refang", "--extra-scheme", "xfoo", "-f", "ndjson", "--fields", "url,scheme"], { input });
  expect(stdout).toBe('{"url":null,"scheme":"xfoo"}\n');
  const all = await run(["--refang", "--extra-scheme", "xfoo", "-f", "ndjson"], { input });
  expect(JSON.parse(all.stdout)).toMatchObject({ scheme: "xfoo", reason: "bad-host" });
});

it("a raw form with backslashes is valid JSON", async () => {
  const input = "fxp:\\\\Evil[.]example http:\\\\nb.example";
  const { stdout } = await run(["--refang", "-f", "ndjson"], { input });
  const records = stdout.trimEnd().split("\n");
  expect(records.map((record) => JSON.parse(record).raw)).toEqual(input.split(" "));
});

it("the command has both options, also in normalize line by line", async () => {
  const input = "hxxps://evil[.]example/x\nhttp://a.example/\n";
  expect(await run(["--refang"], { input })).toMatchObject({ stdout: "https://evil.example/x\nhttp://a.example/\n", code: 0 });
  expect(await run(["--defang"], { input })).toMatchObject({ stdout: "hxxp://a[.]example/\n", code: 0 });
  expect(await run(["normalize", "--refang"], { input })).toMatchObject({ stdout: "https://evil.example/x\nhttp://a.example/\n", code: 0 });
  expect(await run(["normalize", "--refang", "--defang"], { input })).toMatchObject({
    stdout: "hxxps://evil[.]example/x\nhxxp://a[.]example/\n",
    code: 0,
  });
});
