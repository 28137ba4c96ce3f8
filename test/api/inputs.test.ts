// What the ways in take: whatever people have at hand that holds bytes, paths and file URLs; anything else is a TypeError with a code.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ByteSource, extractFiles, extractFrom, type Match } from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

const TEXT = "see http://a.example/\u00f6 and http://b.example/";
const BYTES = Buffer.from(TEXT);
const URLS = ["http://a.example/%C3%B6", "http://b.example/"];
let folder: string;

beforeAll(() => {
  folder = newFolder();
  for (const name of ["one", "two #?%41"]) writeFileSync(join(folder, name), TEXT);
});
afterAll(() => removeFolder(folder));

async function urlsOf(matches: AsyncIterable<Match>): Promise<(string | null)[]> {
  const urls: (string | null)[] = [];
  for await (const { url } of matches) urls.push(url);
  return urls;
}

function* halves(): Generator<Uint8Array> {
  yield BYTES.subarray(0, 10);
  yield BYTES.subarray(10);
}

describe("extractFrom takes", () => {
  it.each<[string, () => ByteSource]>([
    ["a string", () => TEXT],
    ["a Uint8Array", () => new Uint8Array(BYTES)],
    ["a Buffer", () => BYTES],
    ["an ArrayBuffer", () => new Uint8Array(BYTES).buffer],
    ["a Blob", () => new Blob([TEXT])],
    ["a File", () => new File([TEXT], "name")],
    ["a Response", () => new Response(TEXT)],
    ["a Request", () => new Request("http://x.example/", { method: "POST", body: TEXT })],
    ["a ReadableStream", () => new Blob([TEXT]).stream() as ReadableStream<Uint8Array>],
    ["a stream of Node's", () => Readable.from(halves())],
    ["an array of bytes", () => [...halves()]],
    ["a generator", () => halves()],
    ["a Set", () => new Set(halves())],
    [
      "an async generator",
      async function* () {
        yield* halves();
      },
    ],
    ["compressed bytes", () => gzipSync(BYTES)],
    ["a compressed Response", () => new Response(gzipSync(BYTES))],
  ])("%s", async (_, make) => expect(await urlsOf(extractFrom(make()))).toEqual(URLS));

  it.each<[string, ByteSource]>([
    ["string", ""],
    ["ArrayBuffer", new ArrayBuffer(0)],
    ["Blob", new Blob([])],
    ["Response", new Response(null)],
    ["array", []],
  ])("an empty %s", async (_, source) => expect(await urlsOf(extractFrom(source))).toEqual([]));

  it("a long text piece by piece: the first match comes before the last byte is looked at", async () => {
    const bytes = Buffer.from("http://a.example/ ".repeat(100_000));
    const rejected: number[] = [];
    const text = Buffer.concat([bytes, Buffer.from("http:// ")]);
    for await (const _match of extractFrom(text, { onRejected: ({ start }) => rejected.push(start) })) break;
    expect(rejected).toEqual([]);
    expect(await urlsOf(extractFrom(bytes))).toHaveLength(100_000);
  });

  it("closes a generator that it does not read to its end", async () => {
    let isClosed = false;
    function* source(): Generator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("http://a.example/ ".repeat(2000));
      } finally {
        isClosed = true;
      }
    }
    for await (const _match of extractFrom(source())) break;
    await new Promise(setImmediate);
    expect(isClosed).toBe(true);
  });
});

describe("extractFrom refuses with a TypeError", () => {
  const used = new Response(TEXT);
  const locked = new Blob([TEXT]).stream();
  locked.getReader();

  it.each<[string, unknown, RegExp]>([
    ["a number", 1, /not 1$/],
    ["null", null, /not null$/],
    ["undefined", undefined, /not undefined$/],
    ["an object", {}, /not an object$/],
    ["a promise", Promise.resolve(new Response(TEXT)), /not a promise: await it$/],
    ["a DataView", new DataView(new ArrayBuffer(8)), /not a DataView$/],
    ["numbers that are no bytes", new Float64Array(2), /not a Float64Array$/],
    ["an array of numbers", [1, 2], /^chunks must be Uint8Array or Buffer, not 1$/],
    ["an array of promises", [Promise.resolve(TEXT)], /^chunks must be Uint8Array or Buffer, not a Promise$/],
    ["a Response that has been read", used, /^the body of source was read before$/],
    ["a stream that is locked", locked, /^source is a stream that is locked by another reader$/],
  ])("%s", async (_, source, message) => {
    if (source === used && !used.bodyUsed) await used.text();
    const reading = urlsOf(extractFrom(source as ByteSource));
    await expect(reading).rejects.toMatchObject({
      name: "InputError",
      code: "ERR_URLMILL_INPUT_TYPE",
      message: expect.stringMatching(message),
    });
    await expect(reading).rejects.toBeInstanceOf(TypeError);
  });
});

describe("extractFiles", () => {
  it("takes paths, file URLs, and both in one array", async () => {
    const [one, two] = [join(folder, "one"), join(folder, "two #?%41")];
    for (const paths of [pathToFileURL(two), two, [pathToFileURL(two)]]) expect(await urlsOf(extractFiles(paths))).toEqual(URLS);
    expect(await urlsOf(extractFiles([one, pathToFileURL(two), pathToFileURL(folder)]))).toEqual([...URLS, ...URLS, ...URLS, ...URLS]);
    for await (const { source } of extractFiles(pathToFileURL(two))) expect(source).toBe(two);
  });

  it("takes no other URL, and no other type", () => {
    const refusal = { name: "InputError", code: "ERR_URLMILL_INPUT_TYPE" };
    for (const paths of [new URL("http://a.example/"), [new URL("file:///a%2Fb")], 1, null, undefined, [1], {}, Buffer.from("a")]) {
      expect(() => extractFiles(paths as string)).toThrow(expect.objectContaining(refusal));
    }
    expect(() => extractFiles(new URL("http://a.example/"))).toThrow(/^paths: http:\/\/a\.example\/ names no file/);
  });
});
