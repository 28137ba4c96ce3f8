// Sources that do what few do: they fail with a value that is no error, use one buffer for all chunks, or give chunks without bytes.
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ByteSource, ExtractStream, extractFrom, extractWebStream, type Match } from "../../src/index.ts";

const TEXT = Buffer.from("http://a.example/ ");

/** A web stream that gives a chunk and fails. */
function failingStream(reason: unknown): ReadableStream<Uint8Array> {
  const chunks = [TEXT];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.pop();
      if (chunk === undefined) controller.error(reason);
      else controller.enqueue(chunk);
    },
  });
}

function* failing(reason: unknown): Generator<Uint8Array> {
  yield TEXT;
  throw reason;
}

async function* failingLater(reason: unknown): AsyncGenerator<Uint8Array> {
  yield* failing(reason);
}

/** Returns the URLs, and what was thrown after them, if anything was. */
async function outcome(matches: AsyncIterable<Match>): Promise<{ urls: unknown[]; thrown?: unknown }> {
  const urls: unknown[] = [];
  try {
    for await (const { url } of matches) urls.push(url);
    return { urls };
  } catch (thrown) {
    return { urls, thrown };
  }
}

const REASONS = [undefined, null, 0, "", false, Number.NaN];

describe.each(REASONS)("a source that fails with %s", (reason) => {
  it.each<[string, (reason: unknown) => ByteSource]>([
    ["a web stream", failingStream],
    ["the body of a Response", (value) => new Response(failingStream(value))],
    ["a generator", failing],
    ["an async generator", failingLater],
  ])("%s ends with it", async (_, make) => {
    expect(await outcome(extractFrom(make(reason)))).toStrictEqual({ urls: ["http://a.example/"], thrown: reason });
  });

  it("a stream of Node's ends with an error of Node's", async () => {
    const { thrown } = await outcome(extractFrom(Readable.from(failing(reason))));
    expect(thrown).toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  });

  it("a web stream ends the stream of matches with it", async () => {
    const matches = failingStream(reason).pipeThrough(extractWebStream());
    expect(await outcome(matches)).toMatchObject({ thrown: reason });
  });

  it.each([1, 2])("onRejected that throws it ends ExtractStream with an error, with %i threads", async (threads) => {
    const stream = new ExtractStream({
      threads,
      onRejected: () => {
        throw reason;
      },
    });
    stream.end("http://a.example:99999/ ");
    const thrown = await stream.toArray().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ cause: reason });
  });
});

const LINES = Buffer.from(Array.from({ length: 3000 }, (_, index) => `see http://a${index}.example/x\n`).join(""));

/** Gives bytes in chunks of one buffer, which is written over when the next is asked for. */
function* reusing(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.fill(0);
    const count = buffer.subarray(0, bytes.length - at).length;
    buffer.set(bytes.subarray(at, at + count));
    yield buffer.subarray(0, count);
  }
}

async function* reusingLater(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  yield* reusing(bytes, size);
}

describe.each([7, 1000, 1 << 16])("a generator that uses one buffer of %i bytes", (size) => {
  it.each([
    ["text", LINES],
    ["gzip", gzipSync(LINES)],
  ])("%s", async (_, bytes) => {
    const { urls } = await outcome(extractFrom(LINES));
    expect(urls).toHaveLength(3000);
    for (const source of [reusing(bytes, size), reusingLater(bytes, size)]) expect(await outcome(extractFrom(source))).toEqual({ urls });
  });
});

describe("an endless source of chunks without bytes", () => {
  it.each<[string, (chunk: Uint8Array) => ByteSource]>([
    ["a generator", forever],
    ["an async generator", foreverLater],
  ])("%s lets others run, so that it can be aborted", async (_, make) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    await expect(outcome(extractFrom(make(new Uint8Array(0)), { signal: abort.signal }))).resolves.toMatchObject({
      urls: [],
      thrown: { name: "AbortError" },
    });
  });
});

function* forever(chunk: Uint8Array): Generator<Uint8Array> {
  for (;;) yield chunk;
}

async function* foreverLater(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* forever(chunk);
}
