// Relative links (C106 to C109) in every way in and out: pages, mail, web archives, streams, threads, ranges, the command.
import { describe, expect, it } from "vitest";
import { ExtractStream, type ExtractStreamOptions, extract, extractFrom, type Match } from "../../src/index.ts";
import { run } from "../cli/run.ts";
import { collect, streamOf } from "./pieces.ts";

const LINKS = { links: true } as const;
const PAGE = '<html><base href="/dir/"><a href="x.html">x</a> <img src="//cdn.example/z.png"> <a href="http://a.example/">a</a>';

const part = (header: string, html: string): string => `--b\nContent-Type: text/html\n${header}\n${html}\n`;
/** Parts with and without addresses and bases; nothing of one holds for the next. */
const MAIL = `From joe@a.example Tue Mar 29 01:39:08 1994
Message-ID: <1@a.example>
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b
Content-Location: http://outer.example/o/p

${part("Content-Location:\n http://own.example/a/b", '<base href="c/"><a href="x">')}${part("", '<a href="x">')}${part(
  "Content-Location: http://no.example/\nContent-Base: http://base.example/d/",
  '<a href="x">',
)}${part("Content-Location: relative.html", '<base href="http://given.example/"><a href="x">')}--b--

From joe@a.example Tue Mar 29 01:40:08 1994
Message-ID: <2@a.example>
Content-Type: text/html

<a href="x">
`;

function record(uri: string, html: string): string {
  const body = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Location: http://http.example/\r\n\r\n${html}`;
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${uri}\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n\r\n`;
}
const WARC =
  record("http://page.example/a/b", '<a href="x"><base href="http://given.example/"><a href="x">') +
  record("<https://second.example/>", '<a href="x"><a href="//cdn.example/">');

const linksOf = (matches: readonly Match[]): (string | null)[] => matches.filter(({ kind }) => kind === "link").map(({ url }) => url);
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("links", () => {
  it("are resolved against the base of the page, and say where they are", () => {
    const matches = [...extract(PAGE, { ...LINKS, base: "https://page.example/a" })];
    expect(matches.map(({ url, kind, tag, attribute }) => [url, kind, tag, attribute])).toEqual([
      ["https://page.example/dir/", "link", "base", "href"],
      ["https://page.example/dir/x.html", "link", "a", "href"],
      ["https://cdn.example/z.png", "link", "img", "src"],
      ["http://a.example/", "plain", "a", "href"],
    ]);
    expect(matches[1]?.toJSON()).toEqual({
      url: "https://page.example/dir/x.html",
      raw: "x.html",
      scheme: "https",
      host: "page.example",
      kind: "link",
      flags: [],
      start: PAGE.indexOf("x.html"),
      end: PAGE.indexOf("x.html") + 6,
      tag: "a",
      attribute: "href",
    });
  });

  it("without a base have no URL, and are counted", () => {
    const rejected: unknown[] = [];
    const [match] = extract('<a href="x">', { ...LINKS, type: "html", onRejected: (one) => rejected.push(one) });
    expect(match?.toJSON()).toMatchObject({ url: null, raw: "x", scheme: "", host: null, kind: "link", reason: "no-base", tag: "a" });
    expect(rejected).toEqual([{ code: "no-base", start: 9, end: 10, text: "x" }]);
  });

  it("of mail have the address of their part, or of the multipart around it", () => {
    const matches = [...extract(MAIL, { ...LINKS, type: "mbox" })];
    const ofFirst = matches.filter(({ messageId, where }) => messageId === "1@a.example" && where === "html");
    const inPart = (given: string): unknown[] => ofFirst.filter(({ part }) => part === given).map(({ url }) => url);
    expect(inPart("1")).toEqual(["http://own.example/a/c/", "http://own.example/a/c/x"]);
    expect(inPart("2")).toEqual(["http://outer.example/o/x"]);
    expect(inPart("3")).toEqual(["http://base.example/d/x"]);
    expect(inPart("4")).toEqual(["http://given.example/", "http://given.example/x"]);
    expect(matches.at(-1)).toMatchObject({ url: null, code: "no-base", messageId: "2@a.example" });
    expect([...extract(MAIL, { ...LINKS, type: "mbox", base: "http://last.example/" })].at(-1)?.url).toBe("http://last.example/x");
  });

  it("of web archives have the address of their record", () => {
    expect(linksOf([...extract(WARC, { ...LINKS, type: "warc" })])).toEqual([
      "http://page.example/a/x",
      "http://given.example/x",
      "https://second.example/x",
      "https://cdn.example/",
    ]);
  });

  it.each([
    ["html", PAGE],
    ["mbox", MAIL],
    ["warc", WARC],
  ] as const)("are the same in pieces of any size: %s", async (type, text) => {
    const options = { ...LINKS, type, base: "http://page.example/" };
    const whole = [...extract(text, options)].map((match) => match.toJSON());
    expect(whole.some(({ kind }) => kind === "link")).toBe(true);
    for (const size of [1, 7, 64]) {
      const found: object[] = [];
      for await (const match of extractFrom(streamOf(bytes(text), size), options)) found.push(match.toJSON());
      expect(found, `pieces of ${size}`).toEqual(whole);
    }
  });

  it("leave what is found without them as it is", () => {
    for (const [type, text] of [
      ["html", PAGE],
      ["mbox", MAIL],
      ["warc", WARC],
    ] as const) {
      const plain = [...extract(text, { type })].map((match) => match.toJSON());
      const others = [...extract(text, { ...LINKS, type })].filter(({ kind }) => kind !== "link");
      expect(others.map((match) => match.toJSON()).map(({ tag, attribute, ...rest }) => rest)).toEqual(plain);
    }
  });

  it("know the base before a range", () => {
    const options = { ...LINKS, base: "http://page.example/" };
    const whole = linksOf([...extract(PAGE, options)]);
    const border = PAGE.indexOf("x.html");
    const first = linksOf([...extract(PAGE, { ...options, range: [0, border] })]);
    expect([...first, ...linksOf([...extract(PAGE, { ...options, range: [border, PAGE.length] })])]).toEqual(whole);
    expect(first).toEqual(["http://page.example/dir/"]);
  });

  it("go by the filter of schemes, profiles and options of URLs", () => {
    const options = { ...LINKS, type: "html", base: "https://joe:pw@page.example/a?utm_source=x" } as const;
    const urls = (more: object): unknown[] =>
      [...extract('<a href="?utm_source=y"><a href="http://b.example/">', { ...options, ...more })].map(({ url }) => url);
    expect(urls({ schemes: ["https"] })).toEqual(["https://joe:pw@page.example/a?utm_source=y"]);
    expect(urls({ stripTracking: true, userinfo: "redact" })).toEqual(["https://***@page.example/a", "http://b.example/"]);
    expect(urls({ profile: "surt", userinfo: "strip" })).toEqual(["https://(example,page,)/a?utm_source=y", "http://(example,b,)/"]);
    expect(urls({ defang: true, schemes: ["https"] })).toEqual(["hxxps://joe:pw[@]page[.]example/a?utm_source=y"]);
    expect([...extract('<a href="x">', { ...options })][0]?.flags).toEqual(["password", "userinfo"]);
  });

  it("of ill-formed UTF-8 keep their bytes", () => {
    const page = Buffer.from('<a href="caf\xe9.html">', "latin1");
    expect(linksOf([...extract(page, { ...LINKS, type: "html", base: "http://a.example/" })])).toEqual(["http://a.example/caf%E9.html"]);
  });

  it.each(["plain", "ndjson"] as const)("are the same for any number of threads: %s", async (format) => {
    const many = MAIL.repeat(300);
    const given: ExtractStreamOptions = { ...LINKS, type: "mbox", format, base: "http://page.example/" };
    const one = await collect(streamOf(bytes(many), 65536).pipe(new ExtractStream(given)));
    expect(await collect(streamOf(bytes(many), 65536).pipe(new ExtractStream({ ...given, threads: 2 })))).toEqual(one);
  });

  it("are given by the command", async () => {
    const given = await run(["--links", "--base", "http://page.example/"], { input: PAGE });
    expect(given.stdout.split("\n").slice(0, 3)).toEqual([
      "http://page.example/dir/",
      "http://page.example/dir/x.html",
      "http://cdn.example/z.png",
    ]);
    const fields = await run(["--links", "-f", "ndjson", "--fields", "url,tag,attribute", "--base", "http://page.example/"], {
      input: PAGE,
    });
    expect(JSON.parse(fields.stdout.split("\n")[2] ?? "")).toEqual({ url: "http://cdn.example/z.png", tag: "img", attribute: "src" });
  });

  it("refuse options that do not fit", () => {
    expect(() => [...extract("", { base: "http://a.example/" })]).toThrow("base needs links");
    expect(() => [...extract("", { ...LINKS, base: "mailto:a@b.example" })]).toThrow("base must be a URL such as");
    expect(() => [...extract("", { ...LINKS, refang: true })]).toThrow("links cannot be given with refang");
  });
});
