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

    it("but one for all whose matches waited when their input ended", async () => {
      for (let run = 0; run < 50; run++) {
        expect(await collect(begin([Buffer.from("see http://a.example/ ".repeat(5))]))).toHaveLength(5);
        expect(listeners()).toBeLessThan(2);
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

    it("and one for many that run", async () => {
      const running = Array.from({ length: 20 }, () => extractWebStream({ signal }));
      expect(listeners()).toBe(1);
      const closed = running.map(({ writable }) => writable.close());
      await Promise.all([...running.map(({ readable }) => collect<Match>(readable)), ...closed]);
      expect(listeners()).toBe(0);
    });
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
