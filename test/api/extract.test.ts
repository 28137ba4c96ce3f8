// extract and extractFrom: the same matches however the input comes.
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { createExtractor, extract, extractFrom, type Rejected } from "../../src/index.ts";
import { chunksOf, collect, streamOf, TEXT } from "./pieces.ts";

const json = (matches: readonly { toJSON(): object }[]): object[] => matches.map((match) => match.toJSON());
const WHOLE = json(extract(TEXT));

async function* over<T>(chunks: Iterable<T>): AsyncGenerator<T> {
  yield* chunks;
}

describe("extract", () => {
  it("gives records in order, offsets in the units of its input", () => {
    const text = "\u00e9 <URL:http://a.example/\n  x> HTTP://B.example:8080/\u00fc#";
    const [first, second] = extract(text);
    expect(first.toJSON()).toEqual({
      url: "http://a.example/x",
      raw: "http://a.example/x",
      scheme: "http",
      host: "a.example",
      kind: "rejoined",
      flags: [],
      start: 7,
      end: 28,
    });
    expect([second.url, second.raw, second.flags, second.source]).toEqual([
      "http://b.example:8080/%C3%BC",
      "HTTP://B.example:8080/\u00fc#",
      ["odd-port"],
      undefined,
    ]);
    expect(text.slice(second.start, second.end)).toBe(second.raw);
    const [, ofBytes] = extract(Buffer.from(text));
    expect(Buffer.from(text).subarray(ofBytes?.start, ofBytes?.end).toString()).toBe(second.raw);
  });

  it("an extractor gives what extract gives with its options, for any number of texts", () => {
    const options = { bare: ["www"], schemes: ["http"], profile: "none" } as const;
    const find = createExtractor(options);
    for (const text of [
      "www.A.example http://B.example/ ftp://c.example/",
      "",
      "none",
      TEXT.toString("utf8"),
      "HTTP://\u00fc.example/\u00e9 x",
    ]) {
      expect(json(find(text))).toEqual(json(extract(text, options)));
      expect(json(find(Buffer.from(text)))).toEqual(json(extract(Buffer.from(text), options)));
    }
    expect(find("www.A.example ftp://c.example/").map(({ url }) => url)).toEqual(["www.A.example"]);
  });

  it("an extractor refuses options when it is made, and keeps its own from what is done to theirs", () => {
    expect(() => createExtractor({ bare: "ftp" as "www" })).toThrow(/bare/);
    const schemes = ["http"];
    const find = createExtractor({ schemes });
    schemes[0] = "ftp";
    expect(find("http://a.example/ ftp://b.example/").map(({ url }) => url)).toEqual(["http://a.example/"]);
  });

  it("takes the values that options have at the call, of an object that is changed, or of many", () => {
    const text = "www.a.example http://b.example/ ftp://c.example/ http://";
    const urls = (options: object): (string | null)[] => extract(text, options).map(({ url }) => url);
    const schemes = ["http"];
    const options: { schemes: string[]; bare?: unknown } = { schemes };
    for (let round = 0; round < 2; round++) {
      expect(urls(options)).toEqual(["http://b.example/"]);
      schemes[0] = "ftp";
      expect(urls(options)).toEqual(["ftp://c.example/"]);
      schemes.push("http");
      expect(urls(options)).toEqual(["http://b.example/", "ftp://c.example/"]);
      options.bare = ["www"];
      expect(urls(options)).toEqual(["http://www.a.example/", "http://b.example/", "ftp://c.example/"]);
      options.bare = "ftp";
      expect(() => urls(options)).toThrow(/bare/);
      delete options.bare;
      schemes.splice(0, 2, "http");
    }
    const extra = { name: "qotd", shape: "//" as const };
    const others = (): string[] => extract("qotd://a.example/ echo://b.example/", { extraSchemes: [extra] }).map(({ raw }) => raw);
    expect(others()).toEqual(["qotd://a.example/"]);
    extra.name = "echo";
    expect(others()).toEqual(["echo://b.example/"]);
    for (const count of [1, 20, 1]) {
      for (let size = 0; size < count; size++) expect(urls({ urlBytesMax: 256 + size, schemes: ["ftp"] })).toEqual(["ftp://c.example/"]);
    }
    for (const wrong of [5, "", "x", true, () => 1])
      expect(() => urls(wrong as object), String(wrong)).toThrow(/options|option of extract/);
  });

  it("each call has the listener that it is given", () => {
    const heard: string[] = [];
    const call = (name: string): unknown => extract("http:// x", { onRejected: () => heard.push(name) });
    for (const name of ["first", "second"]) call(name);
    expect(extract("http:// x", {})).toEqual([]);
    expect(heard).toEqual(["first", "second"]);
    expect(() => extract("x", { onRejected: 5 as unknown as () => void })).toThrow(/onRejected/);
  });

  it("a listener that extracts changes nothing of the text that is read", () => {
    const inner = "ftp://inner.example/ ".repeat(200);
    for (const text of [
      "http:// http://a.example/ http:// http://b.example/",
      `<html>${"<a href='http:x'>http:// http://a.example/ ".repeat(90)}`,
    ]) {
      const plain = json(extract(text));
      const seen: number[] = [];
      const found = extract(text, { onRejected: () => seen.push(extract(inner).length) });
      expect(json(found)).toEqual(plain);
      expect(seen.length).toBeGreaterThan(0);
      expect(new Set(seen)).toEqual(new Set([200]));
    }
  });

  it("matches stay valid when others have been found", () => {
    const [match] = extract("http://a.example/");
    extract("http://zzzzzzzzzzzzzzzzzzz.example/ ".repeat(1000));
    expect(match.url).toBe("http://a.example/");
  });

  it("takes profile, schemes, urlBytesMax, range and onRejected", () => {
    const text = `HTTP://A.example/ news:x.y http:// http://b.example/${"x".repeat(300)}`;
    const urls = (options: Parameters<typeof extract>[1]): (string | null)[] => extract(text, options).map(({ url }) => url);
    expect(urls({ profile: "none", schemes: ["HTTP"], urlBytesMax: 256 })).toEqual(["HTTP://A.example/"]);
    expect(urls({ range: [1, 19], type: "text" })).toEqual(["news:x.y"]);
    expect(urls({ range: [18, Number.POSITIVE_INFINITY] })).toEqual(["news:x.y", `http://b.example/${"x".repeat(300)}`]);
    const rejected: Rejected[] = [];
    urls({ urlBytesMax: 256, onRejected: (one) => rejected.push(one) });
    expect(rejected).toEqual([
      { code: "no-host", start: 27, end: 34, text: "http://" },
      { code: "overlong", start: 35, end: 291, text: `http://b.example/${"x".repeat(239)}` },
    ]);
  });

  it("takes guess (X8)", () => {
    const text = "> http://a.example/tides/of/the/north/and/of/the/east/coast/of/the-\r\n> islands/1995.html";
    expect(json(extract(text, { guess: true }))).toMatchObject([
      { raw: text.replace("\r\n> ", "").slice(2), kind: "guessed", flags: ["hyphen-break"], start: 2, end: text.length },
    ]);
    expect(json(extract(text, { guess: false }))).toEqual(json(extract(text)));
  });

  it("reads UTF-16 with a byte order mark", () => {
    expect(json(extract(Buffer.from("\ufeffhttp://a/", "utf16le")))).toMatchObject([{ url: "http://a/", start: 2, end: 20 }]);
    expect(extract("\ufeffhttp://a/")).toHaveLength(1);
  });

  it("takes an empty list of extra schemes as none", () => {
    expect(extract("http://a/ qotd://b/", { extraSchemes: [] }).map((match) => match.url)).toEqual(["http://a/"]);
  });

  it("refuses compressed data by a named error", () => {
    expect(() => extract(gzipSync("http://a/"))).toThrow(
      expect.objectContaining({
        code: "ERR_URLMILL_COMPRESSED",
        message: expect.stringMatching(/^the input is compressed \(gzip\); use extractFrom, /),
      }),
    );
    for (const start of ["!BDN", "BZh91AY&SY", "PK\x03\x04"]) expect(extract(`${start} http://a.example/`)).toHaveLength(1);
  });

  it.each([
    [{ unwarp: 1 }, "ERR_URLMILL_UNKNOWN_OPTION", /^unwarp is not an option of extract; the nearest are unwrap, bare, unwrapped$/],
    [{ unwrap: "yes" }, "ERR_URLMILL_BAD_OPTION", /^unwrap must be true, false or "any", not "yes"$/],
    [{ nested: 1 }, "ERR_URLMILL_BAD_OPTION", /^nested must be true or false, not 1$/],
    [{ userinfo: "hide" }, "ERR_URLMILL_BAD_OPTION", /^userinfo must be keep, redact or strip, not "hide"$/],
    [{ threads: 2 }, "ERR_URLMILL_UNKNOWN_OPTION", /^threads is not an option of extract; the nearest are has, fields, type$/],
    [{ profile: "rfc822" }, "ERR_URLMILL_BAD_OPTION", /^profile must be rfc3986, rfc1738, whatwg, surt, cdx or none, not "rfc822"$/],
    [{ type: "pdf" }, "ERR_URLMILL_BAD_OPTION", /^type must be auto, text, html, .* or xml/],
    [{ urlBytesMax: 255 }, "ERR_URLMILL_BAD_OPTION", /^urlBytesMax must be a whole number from 256 to 1048576, not 255$/],
    [{ urlBytesMax: "1000" }, "ERR_URLMILL_BAD_OPTION", /not "1000"$/],
    [{ schemes: [] }, "ERR_URLMILL_BAD_OPTION", /^schemes must be an array of at least one name, such as \["http","news"\], not \[\]$/],
    [{ schemes: "http" }, "ERR_URLMILL_BAD_OPTION", /^schemes must be an array .*, not "http"$/],
    [{ schemes: ["a b"] }, "ERR_URLMILL_BAD_OPTION", /^schemes must list scheme names such as http/],
    [{ schemes: ["http", "foo"] }, "ERR_URLMILL_BAD_OPTION", /^schemes must list known schemes or those of extraSchemes, not "foo"$/],
    [
      { extraSchemes: [{ name: "foo", shape: "//", prot: 7 }] },
      "ERR_URLMILL_BAD_OPTION",
      /^extraSchemes has a row with "prot"; did you mean port\? A row has name, shape, port$/,
    ],
    [
      { extraSchemes: [{ name: "foo", shape: "//", kind: 7 }] },
      "ERR_URLMILL_BAD_OPTION",
      /^extraSchemes has a row with "kind"; a row has name, shape, port$/,
    ],
    [{ schemes: ["htp"] }, "ERR_URLMILL_BAD_OPTION", /^schemes must list known schemes .*, not "htp"; did you mean http\?$/],
    [{ schemes: [{ name: "foo", shape: "//" }] }, "ERR_URLMILL_BAD_OPTION", /^schemes must list scheme names .* not an object$/],
    [
      {
        schemes: Array(100)
          .fill(0)
          .map((_, at) => `x${at}`),
        extraSchemes: Array(29)
          .fill(0)
          .map((_, at) => `y${at}`),
      },
      "ERR_URLMILL_BAD_OPTION",
      /128/,
    ],
    [{ extraSchemes: [{ name: "foo" }] }, "ERR_URLMILL_BAD_OPTION", /^extraSchemes must give foo the shape \/\/ or opaque, not undefined$/],
    [{ extraSchemes: ["javascript"] }, "ERR_URLMILL_BAD_OPTION", /^extraSchemes must not list javascript, which is never extracted$/],
    [{ guess: 1 }, "ERR_URLMILL_BAD_OPTION", /^guess must be true or false, not 1$/],
    [{ range: [5, 4] }, "ERR_URLMILL_BAD_OPTION", /^range must be \[from, to\] .*, not \[5, 4\]$/],
    [{ range: [0] }, "ERR_URLMILL_BAD_OPTION", /^range must be .*, not \[0\]$/],
    [{ range: [1, [2], "x", 4] }, "ERR_URLMILL_BAD_OPTION", /^range must be .*, not \[1, an array, "x", ...\]$/],
    [{ range: 7 }, "ERR_URLMILL_BAD_OPTION", /^range must be .*, not 7$/],
    [{ range: new Map() }, "ERR_URLMILL_BAD_OPTION", /^range must be .*, not a Map$/],
    [{ nested: () => true }, "ERR_URLMILL_BAD_OPTION", /^nested must be true or false, not a function$/],
    [7, "ERR_URLMILL_BAD_OPTION", /^options must be an object, not 7$/],
    [{ onRejected: 1 }, "ERR_URLMILL_BAD_OPTION", /^onRejected must be a function, not 1$/],
  ])("refuses %j", (options, code, message) => {
    const attempt = (): unknown => extract("", options as object);
    expect(attempt).toThrow(TypeError);
    expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });

  it("keeps regular expressions of equal texts apart from others, and from texts", () => {
    const text = "http://a.example/B http://a.example/c /http://a.example/B/";
    for (let round = 0; round < 2; round++) {
      const found = [/b$/, /b$/i, "/B/$", /\/B\/$/, [/b$/i, /c/]].map((match) => extract(text, { match }).length);
      expect(found).toEqual([0, 1, 1, 1, 2]);
    }
  });

  it("refuses an input without bytes", () => {
    const message = "input must be a string, Uint8Array or Buffer, not 7";
    expect(() => extract(7 as unknown as string)).toThrow(expect.objectContaining({ code: "ERR_URLMILL_INPUT_TYPE", message }));
  });
});

describe("extractFrom", () => {
  it.each([1, 7, 64, 1000, 1 << 20])("chunks of %i bytes", async (size) => {
    expect(json(await collect(extractFrom(over(chunksOf(TEXT, size)))))).toEqual(WHOLE);
  });

  it("takes a Readable and a ReadableStream", async () => {
    expect(json(await collect(extractFrom(streamOf(TEXT, 5000))))).toEqual(WHOLE);
    const web = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunksOf(TEXT, 5000)) controller.enqueue(chunk);
        controller.close();
      },
    });
    expect(json(await collect(extractFrom(web)))).toEqual(WHOLE);
  });

  it("two at once do not disturb each other", async () => {
    const both = [1, 333].map((size) => collect(extractFrom(over(chunksOf(TEXT, size)))));
    for (const found of await Promise.all(both)) expect(json(found)).toEqual(WHOLE);
  });

  it("asks for the next chunk only when the matches of the last are taken", async () => {
    let asked = 0;
    const source = (async function* () {
      for (;;) {
        asked++;
        yield Buffer.from("http://a.example/ and some more text behind it\n".repeat(10));
      }
    })();
    for await (const _ of extractFrom(source)) if (asked === 3) break;
    expect(asked).toBe(3);
  });

  it("closes the source when the caller stops", async () => {
    const source = streamOf(TEXT, 100);
    for await (const _ of extractFrom(source)) break;
    expect(source.destroyed).toBe(true);
  });

  it("passes an error of the source on, after what was found before", async () => {
    const source = (async function* () {
      yield Buffer.from("http://a.example/ and some more text behind it, and more\n");
      throw new Error("the line went dead");
    })();
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const match of extractFrom(source)) found.push(match);
    })();
    await expect(reading).rejects.toThrow("the line went dead");
    expect(found).toHaveLength(1);
  });

  it("stops with the signal's reason, also while it waits", async () => {
    const controller = new AbortController();
    const source = new ReadableStream<Uint8Array>({});
    const reading = collect(extractFrom(source, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await expect(collect(extractFrom(over([TEXT]), { signal: AbortSignal.abort() }))).rejects.toMatchObject({ name: "AbortError" });
  });

  it("refuses chunks that are no bytes, and sources that give none", async () => {
    await expect(collect(extractFrom([1] as unknown as AsyncIterable<Uint8Array>))).rejects.toMatchObject({
      code: "ERR_URLMILL_INPUT_TYPE",
    });
    expect(() => extractFrom(over([TEXT]), { threads: 2 } as object)).toThrow(
      expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION" }),
    );
  });

  it.each([1, 3, 100])("opens compressed data and archives, %i bytes at a time", async (size) => {
    const found = await collect(extractFrom(over(chunksOf(gzipSync("see http://a/\n"), size))));
    expect(json(found)).toMatchObject([{ url: "http://a/", start: 4 }]);
  });

  it.each([1, 100])("names compressed data that ends too early, behind what it held, %i bytes at a time", async (size) => {
    const whole = gzipSync(Buffer.concat([Buffer.from("http://a/ \n"), randomBytes(5000)]));
    const found: unknown[] = [];
    const all = (async () => {
      for await (const match of extractFrom(over(chunksOf(whole.subarray(0, 4000), size)))) found.push(match.url);
    })();
    await expect(all).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
    expect(found).toEqual(["http://a/"]);
  });
});

it("needs nothing of Node", () => {
  const message = "From: a@mill.example\nSubject: x\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n";
  const given = new TextEncoder().encode(message);
  vi.stubGlobal("Buffer", undefined);
  try {
    expect(extract(given)[0]).toMatchObject({ where: "body", part: "1" });
  } finally {
    vi.unstubAllGlobals();
  }
});
