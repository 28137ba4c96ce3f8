// extractWebStream.
import { getEventListeners } from "node:events";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { extract, extractWebStream, type Match } from "../../src/index.ts";
import { turns } from "../core/check.ts";
import { chunksOf, collect, TEXT } from "./pieces.ts";

function webStreamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

const json = (matches: readonly Match[]): object[] => matches.map((match) => match.toJSON());

describe("extractWebStream", () => {
  it.each([1, 100, 1 << 20])("chunks of %i bytes", async (size) => {
    const found = await collect<Match>(webStreamOf(chunksOf(TEXT, size)).pipeThrough(extractWebStream()));
    expect(json(found)).toEqual(json(extract(TEXT)));
  });

  it("a reader that does not read stops the writer", async () => {
    let asked = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        asked++;
        controller.enqueue(Buffer.from("http://a.example/ and some more text behind it\n".repeat(10)));
      },
    });
    const reader = source.pipeThrough(extractWebStream()).getReader();
    await reader.read();
    await turns();
    expect(asked).toBeLessThan(6);
    await reader.cancel();
  });

  const LONG = Buffer.from("see http://a.example/ and http:// \n".repeat(1 << 15));
  it.each([
    ["text", LONG],
    ["gzip", gzipSync(LONG)],
  ])("one chunk of %s is read as far as its reader asks", async (_, chunk) => {
    let rejected = 0;
    const onRejected = (): void => void rejected++;
    const { readable, writable } = extractWebStream({ onRejected });
    const writer = writable.getWriter();
    const ended = [writer.write(chunk), writer.close()];
    const reader = readable.getReader();
    let most = 0;
    for (let read = 1; read <= 1 << 15; read++) {
      expect(await reader.read()).toMatchObject({ value: { url: "http://a.example/" } });
      if (read % 4096 === 1) await turns();
      most = Math.max(most, rejected - read);
    }
    expect(await reader.read()).toMatchObject({ done: true });
    await Promise.all(ended);
    expect(rejected).toBe(1 << 15);
    // A piece of 256 KiB has 7500 of them.
    expect(most).toBeLessThan(1 << 14);
  });

  it("takes a chunk when the matches of the one before are read, and what follows a range", async () => {
    const { readable, writable } = extractWebStream({ range: [0, 40] });
    const [reader, writer] = [readable.getReader(), writable.getWriter()];
    let written = 0;
    const text = Buffer.from("see http://a.example/ and http://b.example/ and\n");
    const ended = [1, 2, 3].map(() => writer.write(text).then(() => void written++));
    const steps: (number | string | null | undefined)[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await turns();
      steps.push(written, next.value.url);
    }
    expect(steps).toEqual([1, "http://a.example/", 1, "http://b.example/"]);
    await Promise.all([...ended, writer.close()]);
  });

  it("a chunk may be overwritten when it is taken", async () => {
    const packed = gzipSync("see http://a.example/ and http://b.example/ ".repeat(100));
    const { readable, writable } = extractWebStream();
    const found = collect<Match>(readable);
    const writer = writable.getWriter();
    const one = new Uint8Array(1);
    for (const byte of packed) {
      one[0] = byte;
      await writer.write(one);
    }
    await writer.close();
    expect(await found).toHaveLength(200);
  });

  it("passes errors on", async () => {
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("the line went dead"));
      },
    });
    await expect(collect(failing.pipeThrough(extractWebStream()))).rejects.toThrow("the line went dead");
    const gzip = gzipSync("http://a/").subarray(0, 20);
    await expect(collect(webStreamOf(chunksOf(gzip, 1)).pipeThrough(extractWebStream()))).rejects.toMatchObject({
      code: "ERR_URLMILL_TRUNCATED",
    });
    const reasons: unknown[] = [];
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array([...gzip, ...gzip])),
      cancel: (reason) => void reasons.push(reason),
    });
    await expect(collect(endless.pipeThrough(extractWebStream()))).rejects.toMatchObject({ code: "ERR_URLMILL_CORRUPT" });
    expect(reasons).toMatchObject([{ code: "ERR_URLMILL_CORRUPT" }]);
    const strings = webStreamOf(["text"] as unknown as Uint8Array[]);
    await expect(collect(strings.pipeThrough(extractWebStream()))).rejects.toMatchObject({ code: "ERR_URLMILL_INPUT_TYPE" });
  });

  it("a signal fails it", async () => {
    const controller = new AbortController();
    const found = collect(new ReadableStream<Uint8Array>({}).pipeThrough(extractWebStream({ signal: controller.signal })));
    controller.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
  });

  describe("leaves a signal that outlives it without listeners", () => {
    let signal: AbortSignal;
    beforeEach(() => {
      signal = new AbortController().signal;
    });
    const listeners = (): number => getEventListeners(signal, "abort").length;
    const begin = (chunks: Iterable<Uint8Array>): ReadableStream<Match> =>
      webStreamOf(chunks).pipeThrough(extractWebStream({ signal, onRejected: () => undefined }));

    it("when it is read to its end", async () => {
      for (let run = 0; run < 50; run++) {
        await collect(begin([Buffer.from("see http://a.example/ ".repeat(run % 2))]));
        expect(listeners()).toBe(0);
      }
    });

    it("when it is cancelled", async () => {
      await extractWebStream({ signal }).readable.cancel();
      await extractWebStream({ signal }).writable.abort();
      expect(listeners()).toBe(0);
    });

    it("when its input is wrong", async () => {
      await expect(collect(begin(["text"] as unknown as Uint8Array[]))).rejects.toMatchObject({ code: "ERR_URLMILL_INPUT_TYPE" });
      await expect(collect(begin([gzipSync("http://a/").subarray(0, 20)]))).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
      expect(listeners()).toBe(0);
    });

    it("while nobody waits for it", async () => {
      const { readable, writable } = extractWebStream({ signal });
      const [reader, writer] = [readable.getReader(), writable.getWriter()];
      expect(listeners()).toBe(0);
      const read = reader.read();
      await turns();
      expect(listeners()).toBe(1);
      await writer.write(Buffer.from("see http://a.example/ and http://b.example/ and\n"));
      expect(await read).toMatchObject({ value: { url: "http://a.example/" } });
      expect(listeners()).toBe(0);
      const written = writer.write(Buffer.from(" http://c.example/"));
      await turns();
      expect(listeners()).toBe(1);
      expect(await reader.read()).toMatchObject({ value: { url: "http://b.example/" } });
      const closed = writer.close();
      expect(await reader.read()).toMatchObject({ value: { url: "http://c.example/" } });
      expect(await reader.read()).toMatchObject({ done: true });
      await Promise.all([written, closed]);
      expect(listeners()).toBe(0);
    });
  });

  it("a signal fails a write for which nobody reads, then the read", async () => {
    const controller = new AbortController();
    const { readable, writable } = extractWebStream({ signal: controller.signal });
    const writer = writable.getWriter();
    const written = writer.write(Buffer.from("http://a.example/ "));
    writer.closed.catch(() => undefined);
    await turns();
    controller.abort(new Error("enough"));
    await expect(written).rejects.toThrow("enough");
    await expect(readable.getReader().read()).rejects.toThrow("enough");
  });

  it("a signal fails matches that wait, and all streams that have it", async () => {
    const controller = new AbortController();
    const streams = [1, 2].map(() =>
      webStreamOf([Buffer.from("http://a.example/ ".repeat(5))])
        .pipeThrough(extractWebStream({ signal: controller.signal }))
        .getReader(),
    );
    for (const stream of streams) expect(await stream.read()).toMatchObject({ done: false });
    controller.abort(new Error("enough"));
    for (const stream of streams) await expect(stream.read()).rejects.toThrow("enough");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("options", () => {
    expect(() => extractWebStream({ format: "plain" } as object)).toThrow(expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION" }));
  });
});
