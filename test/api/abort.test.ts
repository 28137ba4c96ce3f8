// After a signal nothing is delivered, also within a batch: no match, no call of onRejected.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExtractStream, extractFiles, extractFrom, extractWebStream, type Match } from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

/** Good and refused URLs in turn, so many that they fill batches. */
const TEXT = Buffer.from("http://a.example/ http://a.example:99999/ http:// \n".repeat(5000));
const REASON = new Error("enough");
let folder: string;
let file: string;

beforeAll(() => {
  folder = newFolder();
  file = join(folder, "text");
  writeFileSync(file, TEXT);
});
afterAll(() => removeFolder(folder));

async function* inChunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < TEXT.length; at += 1 << 16) yield TEXT.subarray(at, at + (1 << 16));
}

type Way = (signal: AbortSignal, onRejected: () => void) => AsyncIterable<Match>;
const WAYS: [string, Way][] = [
  ["extractFrom", (signal, onRejected) => extractFrom(inChunks(), { signal, onRejected })],
  ["extractFrom, at once", (signal, onRejected) => extractFrom(TEXT, { signal, onRejected })],
  ["extractFiles", (signal, onRejected) => extractFiles(file, { signal, onRejected, threads: 1 })],
  ["extractFiles, threads", (signal, onRejected) => extractFiles([file, file, file], { signal, onRejected, threads: 2 })],
  [
    "extractWebStream",
    (signal, onRejected) => (new Blob([TEXT]).stream() as ReadableStream<Uint8Array>).pipeThrough(extractWebStream({ signal, onRejected })),
  ],
];

describe.each(WAYS)("%s", (_, begin) => {
  it.each([0, 1, 7, 999, 1000, 4999])("gives %d matches, then rejects with the reason", async (most) => {
    const controller = new AbortController();
    let found = 0;
    const take = async (): Promise<void> => {
      if (most === 0) controller.abort(REASON);
      for await (const match of begin(controller.signal, () => undefined)) {
        expect(controller.signal.aborted).toBe(false);
        expect(match.url === null || match.url === "http://a.example/").toBe(true);
        if (++found === most) controller.abort(REASON);
      }
    };
    await expect(take()).rejects.toBe(REASON);
    expect(found).toBe(most);
  });

  it("calls onRejected no more when that fires the signal", async () => {
    const controller = new AbortController();
    let calls = 0;
    let late = 0;
    const take = async (): Promise<void> => {
      const matches = begin(controller.signal, () => {
        calls++;
        controller.abort(REASON);
      });
      for await (const _match of matches) if (controller.signal.aborted) late++;
    };
    await expect(take()).rejects.toBe(REASON);
    expect({ calls, late }).toEqual({ calls: 1, late: 0 });
  });
});

describe.each([1, 2])("ExtractStream, %d threads", (threads) => {
  it.each([1, 7, 1000])("gives %d matches, then fails with the reason as its cause", async (most) => {
    const controller = new AbortController();
    const stream = new ExtractStream({ objectMode: true, threads, signal: controller.signal, onRejected: () => undefined });
    let found = 0;
    stream.on("data", () => {
      if (++found === most) controller.abort(REASON);
    });
    stream.end(TEXT);
    await expect(finished(stream)).rejects.toMatchObject({ name: "AbortError", cause: REASON });
    expect(found).toBe(most);
  });

  it("calls onRejected no more when that fires the signal", async () => {
    const controller = new AbortController();
    let calls = 0;
    const onRejected = (): void => {
      calls++;
      controller.abort(REASON);
    };
    const stream = new ExtractStream({ objectMode: true, threads, signal: controller.signal, onRejected });
    let late = 0;
    stream.on("data", () => {
      if (controller.signal.aborted) late++;
    });
    stream.end(TEXT);
    await expect(finished(stream)).rejects.toMatchObject({ name: "AbortError", cause: REASON });
    expect({ calls, late }).toEqual({ calls: 1, late: 0 });
  });
});

it.each([{}, { objectMode: true }, { threads: 2 }])(
  "a stream whose signal has fired before ends with an AbortError: %o",
  async (options) => {
    const stream = new ExtractStream({ ...options, signal: AbortSignal.abort() });
    const taken = pipeline(Readable.from([TEXT]), stream, new PassThrough({ objectMode: true }));
    await expect(taken).rejects.toMatchObject({ name: "AbortError", code: "ABORT_ERR" });
  },
);
