// extractWebStream.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { extract, extractWebStream, type Match } from "../../src/index.ts";
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
    await new Promise((resolve) => setTimeout(resolve, 50));
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
    const gzip = gzipSync("http://a/");
    await expect(collect(webStreamOf(chunksOf(gzip, 1)).pipeThrough(extractWebStream()))).rejects.toMatchObject({ code: "ERR_COMPRESSED" });
    const strings = webStreamOf(["text"] as unknown as Uint8Array[]);
    await expect(collect(strings.pipeThrough(extractWebStream()))).rejects.toMatchObject({ code: "ERR_INPUT_TYPE" });
  });

  it("a signal fails it", async () => {
    const controller = new AbortController();
    const found = collect(new ReadableStream<Uint8Array>({}).pipeThrough(extractWebStream({ signal: controller.signal })));
    controller.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
  });

  it("options", () => {
    expect(() => extractWebStream({ format: "plain" } as object)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_OPTION" }));
  });
});
