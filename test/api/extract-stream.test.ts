// ExtractStream: the same bytes for any chunks and any threads, backpressure both ways, errors passed on.
import { PassThrough, Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { countLines } from "../../bench/in-memory.ts";
import { ExtractStream, type ExtractStreamOptions, extract, type Match } from "../../src/index.ts";
import { turns } from "../core/check.ts";
import { chunksOf, collect, streamOf, TEXT, through } from "./pieces.ts";

const MATCHES = extract(TEXT);
const PLAIN = MATCHES.filter(({ url }) => url !== null)
  .map(({ url }) => `${url}\n`)
  .join("");
const NDJSON = MATCHES.map((match) => `${JSON.stringify(match)}\n`).join("");

describe("chunks", () => {
  it.each([1, 17, 4096, 1 << 20])("of %i bytes give the same lines and records", async (size) => {
    expect(await through(streamOf(TEXT, size), {})).toBe(PLAIN);
    expect(await through(streamOf(TEXT, size), { format: "ndjson" })).toBe(NDJSON);
  });

  it.each([
    ["%2F", "http://a.example/x%2fy z"],
    ["UTF-8", "http://\u00e9.example/\u00fc\u{1f600} \u201chttp://b.example/\u201d"],
    ["<URL:", "see <URL:http://a.example/b> and <url: http://c.example/ >"],
    ["quote marks", "> > <http://a.example/b\n> > /c> d\n> <URL:http://a.example/\r\n> x>"],
  ])("cut inside %s, at every place", async (_, text) => {
    const whole = extract(Buffer.from(text)).map((match) => `${JSON.stringify(match)}\n`);
    expect(whole.length).toBeGreaterThan(0);
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut++) {
      const source = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)], { objectMode: false });
      expect(await through(source, { format: "ndjson" }), `cut at ${cut}`).toBe(whole.join(""));
    }
  });

  it("one of many megabytes is given out piece by piece", async () => {
    const stream = new ExtractStream({ highWaterMark: 1000 });
    const line = "http://a.example/some/path and text\n";
    stream.end(Buffer.from(line.repeat(200_000)));
    await turns();
    expect(stream.readableLength).toBeLessThan(1 << 20);
    const chunks = await collect<Buffer>(stream);
    expect(Buffer.concat(chunks).length).toBe("http://a.example/some/path\n".length * 200_000);
  });

  it("strings are taken as UTF-8", async () => {
    const stream = new ExtractStream();
    stream.end("http://a.example/\u00e9 ");
    expect(Buffer.concat(await collect<Buffer>(stream)).toString()).toBe("http://a.example/%C3%A9\n");
  });
});

describe("threads", () => {
  const LONG = Buffer.concat(Array(120).fill(TEXT));

  it.each([
    [2, "plain", 999],
    [3, "ndjson", 1 << 20],
  ] as const)("%i: the same bytes as without, %s, in chunks of %i bytes", async (threads, format, size) => {
    expect(LONG.length).toBeGreaterThan(5 << 20);
    const alone = await through(streamOf(LONG, 1 << 16), { format });
    expect(await through(streamOf(LONG, size), { format, threads })).toBe(alone);
  });

  it("small inputs and empty ones", async () => {
    expect(await through(streamOf(TEXT, 1000), { threads: 2 })).toBe(PLAIN);
    expect(await through(Readable.from([]), { threads: 2 })).toBe("");
  });
});

describe("objectMode", () => {
  it.each([1, 2])("gives Match objects, %i threads", async (threads) => {
    const stream = new ExtractStream({ objectMode: true, threads });
    streamOf(TEXT, 5000).pipe(stream);
    const matches = await collect<Match>(stream);
    expect(matches.map((match) => `${JSON.stringify(match)}\n`).join("")).toBe(NDJSON);
  });
});

/** Lets a writer go on that nothing stops. */
async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("the event loop turns while one large chunk is scanned", () => {
  const LINE = "see http://a.example/x\n";
  const LARGE = Buffer.from(LINE.repeat(200_000));
  const MAIL = Buffer.concat([Buffer.from("From a@b Mon Jan  1 00:00:00 2001\nSubject: x\n\n"), LARGE]);

  /** What the stream gives, and the most of it between two turns. */
  async function given(options: ExtractStreamOptions, chunks: Iterable<Uint8Array>): Promise<[all: number, most: number]> {
    const stream = new ExtractStream(options);
    let [all, since, most] = [0, 0, 0];
    stream.on("data", (chunk: Buffer | Match) => {
      const count = "url" in chunk ? LINE.length : chunk.length;
      all += count;
      since += count;
      most = Math.max(most, since);
    });
    let isOver = false;
    const turn = (): void => {
      since = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await finished(stream);
    isOver = true;
    return [all, most];
  }

  it.each<[string, ExtractStreamOptions, Iterable<Uint8Array>]>([
    ["text", {}, [LARGE]],
    ["matches", { objectMode: true }, [LARGE]],
    ["HTML", { type: "html" }, [LARGE]],
    ["mail", {}, [MAIL]],
    ["small chunks", {}, chunksOf(LARGE, 1000)],
  ])("%s", async (_, options, chunks) => {
    const [all, most] = await given(options, chunks);
    expect(all).toBeGreaterThan(3 << 20);
    expect(most).toBeLessThan(3 << 17);
  });

  it("with threads", async () => {
    const [all, most] = await given({ threads: 2 }, [Buffer.concat(Array(10).fill(LARGE))]);
    expect(all).toBe(2_000_000 * "http://a.example/x\n".length);
    expect(most).toBeLessThan(all / 4);
  });

  it.each([1, 2])("and a signal that fires then ends it, %i threads", async (threads) => {
    const controller = new AbortController();
    const stream = new ExtractStream({ threads, signal: controller.signal });
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      if (bytes === 0) setImmediate(() => controller.abort());
      bytes += chunk.length;
    });
    stream.write(Buffer.concat(Array(10).fill(LARGE)));
    await expect(finished(stream)).rejects.toMatchObject({ name: "AbortError" });
    expect(bytes).toBeLessThan(20 << 20);
  });
});

describe("backpressure", () => {
  it.each([1, 2])("a reader that does not read stops the writer, %i threads", async (threads) => {
    const stream = new ExtractStream({ threads, highWaterMark: 1 << 14 });
    const block = Buffer.from("http://a.example/some/path/that/is/not/short\n".repeat(20_000));
    let written = 0;
    const source = new Readable({
      read() {
        written += block.length;
        this.push(written < 100 * block.length ? block : null);
      },
    });
    source.pipe(stream);
    let [lines, taken, ahead] = [0, 0, 0];
    // What is read is what was written: each line is a URL.
    for await (const chunk of stream) {
      await fewTurns();
      ahead = Math.max(ahead, written - taken);
      lines += countLines(chunk as Buffer);
      taken += (chunk as Buffer).length;
    }
    expect(ahead).toBeLessThan(60 << 20);
    expect(lines).toBe(99 * 20_000);
  });

  it("a slow reader gets everything in order", async () => {
    const got: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 100,
      write(chunk: Buffer, _encoding, callback) {
        got.push(chunk);
        setImmediate(callback);
      },
    });
    await pipeline(streamOf(TEXT, 3000), new ExtractStream({ highWaterMark: 100 }), slow);
    expect(Buffer.concat(got).toString()).toBe(PLAIN);
  });
});

describe("what goes wrong", () => {
  it.each([1, 2])("an error of the source destroys it, %i threads", async (threads) => {
    const stream = new ExtractStream({ threads });
    const source = new PassThrough();
    const piped = pipeline(source, stream, new PassThrough().resume());
    source.write(TEXT);
    source.destroy(new Error("the line went dead"));
    await expect(piped).rejects.toThrow("the line went dead");
    expect(stream.destroyed).toBe(true);
  });

  it.each([1, 2])("a signal destroys it, %i threads", async (threads) => {
    const controller = new AbortController();
    const stream = new ExtractStream({ threads, signal: controller.signal });
    const piped = pipeline(new PassThrough(), stream, new PassThrough().resume());
    controller.abort(new Error("enough"));
    await expect(piped).rejects.toMatchObject({ name: "AbortError", cause: expect.objectContaining({ message: "enough" }) });
  });

  it.each([1, 2])("what onRejected throws, %i threads", async (threads) => {
    const onRejected = (): void => {
      throw new Error("not wanted");
    };
    await expect(through(streamOf(TEXT, 1000), { threads, onRejected })).rejects.toThrow("not wanted");
  });

  it.each([1, 2])("UTF-16, cut in the middle of its mark, %i threads", async (threads) => {
    const bytes = Buffer.from("\ufeffhttp://a/", "utf16le").swap16();
    expect((await through(streamOf(bytes, 1), { threads })).toString()).toBe("http://a/\n");
  });

  it("options", () => {
    const attempt =
      (options: object): (() => unknown) =>
      () =>
        new ExtractStream(options);
    expect(attempt({ format: "xml" })).toThrow(expect.objectContaining({ code: "ERR_URLMILL_BAD_OPTION", option: "format" }));
    expect(attempt({ threads: 0 })).toThrow(expect.objectContaining({ code: "ERR_URLMILL_BAD_OPTION", option: "threads" }));
    expect(attempt({ objectMode: true, format: "plain" })).toThrow(expect.objectContaining({ option: "format" }));
    expect(attempt({ signal: {} })).toThrow(expect.objectContaining({ option: "signal" }));
    expect(attempt({ readableObjectMode: true })).toThrow(expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION" }));
  });

  it("a stream that is destroyed early ends its workers", async () => {
    const stream = new ExtractStream({ threads: 2 });
    for (const chunk of chunksOf(Buffer.concat(Array(100).fill(TEXT)), 1 << 20)) stream.write(chunk);
    stream.destroy();
    await new Promise((resolve) => stream.once("close", resolve));
    expect(stream.destroyed).toBe(true);
  });
});
