// Streams open compressed data and archives as `extractFrom` does, name their input, and do not wait for more where the input pauses.
import { once } from "node:events";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate, setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coresInUse } from "../../src/core/core.ts";
import { ExtractStream, type ExtractStreamOptions, extract, extractFrom, extractWebStream, type Match } from "../../src/index.ts";
import { checkOptions, EVERYTHING } from "../../src/options/options.ts";
import type { Sink } from "../../src/output/sink.ts";
import { BlockFeed } from "../../src/threads/block-feed.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

const TEXT = "see http://a.example/x\nand <URL:http://b.example/\n  y>\n".repeat(2000);
const ARCHIVE = Buffer.from(`From a@b.example Wed Apr  2 10:00:00 2003\nFrom: a@b.example\nMessage-ID: <1@b.example>\n\n${TEXT}`);
const urlsOf = (matches: readonly Match[]): (string | null)[] => matches.map(({ url }) => url);

async function listed(source: AsyncIterable<Match>): Promise<Match[]> {
  const matches: Match[] = [];
  for await (const match of source) matches.push(match);
  return matches;
}

/** Chunks of a size. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function streamed(
  bytes: Uint8Array,
  size: number,
  options: Pick<ExtractStreamOptions, "threads" | "source" | "type"> = {},
): Promise<Match[]> {
  const matches: Match[] = [];
  await pipeline(
    Readable.from(cut(bytes, size)),
    new ExtractStream({ ...options, objectMode: true }),
    async (found: AsyncIterable<Match>) => {
      for await (const match of found) matches.push(match);
    },
  );
  return matches;
}

describe("compressed data and archives", () => {
  const packed = gzipSync(ARCHIVE);
  const wanted = extract(ARCHIVE).map((match) => ({ ...match, source: "list" }));

  it.each([1, 7, 1000, 1 << 20])("are opened, in chunks of %i bytes", async (size) => {
    for (const threads of [1, 2]) expect(await streamed(packed, size, { threads, source: "list" })).toEqual(wanted);
    const web = Readable.toWeb(Readable.from(cut(packed, size))) as ReadableStream<Uint8Array>;
    expect(await listed(web.pipeThrough(extractWebStream({ source: "list" })) as unknown as AsyncIterable<Match>)).toEqual(wanted);
    expect(await listed(extractFrom(cut(packed, size), { source: "list" }))).toEqual(wanted);
  });

  it("that are damaged give what is before, and an error with the name of the input", async () => {
    const broken = packed.subarray(0, packed.length / 2);
    for (const threads of [1, 2]) {
      const stream = new ExtractStream({ objectMode: true, threads, source: "list" });
      const found: Match[] = [];
      stream.on("data", (match: Match) => void found.push(match));
      const failed = pipeline(Readable.from(cut(broken, 100)), stream);
      await expect(failed).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED", source: "list", message: /^list: / });
      expect(found).toEqual(wanted.slice(0, found.length));
      expect(found.length).toBeGreaterThan(100);
    }
    const web = new Response(new Uint8Array(broken)).body?.pipeThrough(extractWebStream({ source: "list" }));
    await expect(listed(web as unknown as AsyncIterable<Match>)).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED", source: "list" });
  });

  it("that are damaged give all that was found to a reader that is slow", async () => {
    const broken = packed.subarray(0, packed.length / 2);
    const read = async (source: AsyncIterable<Match>): Promise<number> => {
      let count = 0;
      const reading = (async () => {
        for await (const _ of source) if (++count % 100 === 0) await setImmediate();
      })();
      await expect(reading).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
      return count;
    };
    const all = await read(extractFrom(cut(broken, 1 << 20)));
    expect(all).toBeGreaterThan(100);
    for (const threads of [1, 2]) {
      const stream = new ExtractStream({ objectMode: true, threads });
      stream.end(broken);
      expect(await read(stream)).toBe(all);
    }
  });

  it("that are damaged and have no name give an error about the input", async () => {
    const broken = packed.subarray(0, packed.length / 2);
    await expect(streamed(broken, 1000)).rejects.toMatchObject({ message: expect.stringMatching(/^the input ends too early; /) });
    expect(() => extract(packed)).toThrow("the input is compressed (gzip); ");
  });

  it("are text where the type says so", async () => {
    const text = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from(" http://a.example/ ")]);
    expect(urlsOf(await streamed(text, 5, { type: "text" }))).toEqual(["http://a.example/"]);
    expect(urlsOf(extract(text, { type: "text" }))).toEqual(["http://a.example/"]);
    const marked = Buffer.from("\ufeffhttp://a.example/", "utf16le");
    expect(urlsOf(await streamed(marked, 1, { type: "text" }))).toEqual(["http://a.example/"]);
    await expect(streamed(text, 5)).rejects.toMatchObject({ name: "SourceError" });
  });

  it("that nobody reads on are given up", async () => {
    const stream = new ExtractStream({ objectMode: true, source: "list" });
    pipeline(Readable.from(cut(packed, 10)), stream).catch(() => undefined);
    await once(stream, "data");
    stream.destroy();
    await once(stream, "close");
  });
});

describe("text in strings", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder();
    writeFileSync(join(folder, "a.txt"), "\u{1f600} http://a.example/\u00e9\nhttp://b.example/\n");
  });
  afterAll(() => removeFolder(folder));
  const wanted = ["http://a.example/%C3%A9", "http://b.example/"];

  it("is read from streams, lines and arrays", async () => {
    const open = (): Readable => createReadStream(join(folder, "a.txt"), { encoding: "utf8", highWaterMark: 3 });
    expect(urlsOf(await listed(extractFrom(open())))).toEqual(wanted);
    expect(urlsOf(await listed(extractFrom(createInterface({ input: open() }))))).toEqual(wanted);
    expect(urlsOf(await listed(extractFrom(["http://a.ex", "ample/\u00e9 ", "http://b.example/"])))).toEqual(wanted);
    expect(urlsOf(await listed(extractFrom(["http://a/\ud83d", "\ude00"])))).toEqual(["http://a/%F0%9F%98%80"]);
    const mixed = ["\ud83d", Buffer.from(" http://a/"), "x"];
    expect(urlsOf(await listed(extractFrom(mixed)))).toEqual(["http://a/x"]);
  });
});

it("matches of a stream that pauses come without its end, whatever the threads, and once", async () => {
  for (const threads of [1, 2]) {
    const stream = new ExtractStream({ objectMode: true, threads, source: "log" });
    const found: Match[] = [];
    stream.on("data", (match: Match) => void found.push(match));
    for (let round = 0; round < 3; round++) {
      stream.write(`see http://a.example/${round} and\n`);
      await once(stream, "data");
    }
    const rest = `${"x".repeat(100)} http://b.example/\n`.repeat(40_000);
    stream.end(rest);
    await once(stream, "end");
    expect(found.slice(0, 3).map(({ url, start }) => [url, start])).toEqual(
      [0, 1, 2].map((round) => [`http://a.example/${round}`, 4 + 27 * round]),
    );
    expect(found.length).toBe(40_003);
    expect(new Set(found.map(({ start }) => start)).size).toBe(40_003);
  }
});

it("a stream that is stopped while its reader is slow reports nothing more, and gives its core back", async () => {
  const { settings } = checkOptions("ExtractStream", { objectMode: true, threads: 2 });
  const before = coresInUse();
  let [written, waits] = [0, 0];
  let goOn: (() => void) | undefined;
  const slow = (): Promise<void> | undefined => {
    if (++waits < 2) return undefined;
    return new Promise((resolve) => {
      goOn = resolve;
    });
  };
  const sink: Sink = { write: () => void written++, wait: slow, end: () => undefined };
  const feed = await BlockFeed.start(settings, { ...EVERYTHING, source: undefined }, 2, sink);
  if (feed === undefined) throw new Error("no worker has started");
  await feed.write(Buffer.from("http://a.example/ http://b.example/"));
  while (waits < 1) await setTimeout(10);
  const ended = feed.end();
  while (goOn === undefined) await setTimeout(10);
  const found = written;
  await feed.stop();
  goOn();
  await expect(ended).rejects.toThrow("the scan was stopped");
  expect(written).toBe(found);
  // Cores of streams that earlier tests dropped may have been collected meanwhile.
  expect(coresInUse()).toBeLessThanOrEqual(before);
});
