// The event loop turns while containers are read: counted are turns, and the text between two of them. An abort is obeyed at the next.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { extractFrom } from "../../src/api/extract-from.ts";
import { ByteReader } from "../../src/input/containers/byte-reader.ts";
import { Pacer } from "../../src/input/pacer.ts";
import { waited } from "../../src/input/steps.ts";
import { checkOptions } from "../../src/options/options.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { sinkOf } from "../output/sinks.ts";
import { tar } from "./archives.ts";
import { BOMBS } from "./bombs.ts";
import { chunksOf, openMembers } from "./open.ts";
import { BZIP2_LARGE, LONG, SHORT, XZ_LARGE, ZSTD_BLOCKS } from "./packed.ts";

/** A clock by which a turn is always due. */
function hurried(): () => number {
  let now = 0;
  return () => (now += 1000);
}

/** Counts the turns of `run`, and calls `at` at each. */
async function countTurns(run: () => Promise<unknown>, at: (turn: number) => void = () => undefined): Promise<number> {
  let turns = 0;
  const original = globalThis.setImmediate;
  const spy = vi.spyOn(globalThis, "setImmediate").mockImplementation(((callback: () => void) =>
    original(() => {
      at(++turns);
      callback();
    })) as typeof setImmediate);
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return turns;
}

async function readAll(bytes: Uint8Array, pacer: Pacer, took: (bytes: number) => void = () => undefined): Promise<void> {
  for await (const { chunks } of openMembers({ name: "x", chunks: chunksOf(bytes) }, undefined, pacer))
    for await (const chunk of chunks) took(chunk.length);
}

afterEach(() => vi.restoreAllMocks());

/** A block of bzip2 of 900 kB, a chunk of LZMA of 2 MB, blocks of zstd: the text, and how often the event loop turns before it is given. */
const LARGE: readonly (readonly [name: string, bytes: Buffer, textBytes: number, turns: number])[] = [
  ["a block of bzip2", BZIP2_LARGE, 50_000 * SHORT.length, 12],
  ["a chunk of xz", XZ_LARGE, 116_000 * SHORT.length, 12],
  ["blocks of zstd", ZSTD_BLOCKS, LONG.length, 3],
];

describe("the event loop turns", () => {
  it.each(BOMBS)("in a source without text for long: %s", async (_, bytes) => {
    const turns = await countTurns(() => readAll(bytes, new Pacer(undefined, hurried())));
    // Each turn was due when bytes were taken: for each frame, stream, member or entry, and for each chunk of a source.
    expect(turns).toBeGreaterThan(Math.min(bytes.length / 1024, 200));
  });

  it.each(LARGE)("in long work for few bytes: %s", async (_, bytes, textBytes, least) => {
    let [text, most, since] = [0, 0, 0];
    const read = (): Promise<void> =>
      readAll(bytes, new Pacer(undefined, hurried()), (count) => {
        text += count;
        since += count;
        most = Math.max(most, since);
      });
    expect(await countTurns(read, () => (since = 0))).toBeGreaterThanOrEqual(least);
    expect(text).toBe(textBytes);
    expect(most).toBeLessThanOrEqual(1 << 18);
  });

  it("between pieces of a large chunk", async () => {
    const pacer = new Pacer(undefined, hurried());
    let [most, since] = [0, 0];
    const run = async (): Promise<void> => {
      const source = (async function* () {
        yield Buffer.alloc(4 << 20, "text ");
      })();
      for await (const { chunks } of openMembers({ name: "x", chunks: source }, undefined, pacer))
        for await (const chunk of chunks) {
          since += chunk.length;
          most = Math.max(most, since);
        }
    };
    await countTurns(run, () => (since = 0));
    expect(most).toBeLessThanOrEqual(1 << 18);
  });

  it("between chunks that are there at once, of which many are taken together", async () => {
    const reader = new ByteReader(new Array<Uint8Array>(40).fill(Buffer.alloc(1 << 16)), new Pacer(undefined, hurried()));
    const turns = await countTurns(async () => expect(await waited(reader.take(40 << 16))).toHaveLength(40 << 16));
    expect(turns).toBe(40);
  });

  it("only when that is due", async () => {
    let now = 0;
    const turns = await countTurns(() => readAll(BOMBS[1]?.[1] ?? Buffer.alloc(0), new Pacer(undefined, () => now)));
    expect(turns).toBe(0);
    const pacer = new Pacer(undefined, () => now);
    expect(pacer.pause()).toBeUndefined();
    now = 11;
    await expect(pacer.pause()).resolves.toBeUndefined();
    expect(pacer.pause()).toBeUndefined();
  });
});

describe("an abort", () => {
  it.each(BOMBS)("is obeyed at the next turn: %s", async (_, bytes) => {
    const controller = new AbortController();
    const pacer = new Pacer(controller.signal, hurried());
    let after = 0;
    const run = (): Promise<void> => readAll(bytes, pacer, (count) => (after += controller.signal.aborted ? count : 0));
    const turns = await countTurns(
      () => expect(run()).rejects.toThrow("enough"),
      (turn) => {
        if (turn === 4) controller.abort(new Error("enough"));
      },
    );
    expect(turns).toBeLessThan(8);
    expect(after).toBe(0);
  });

  // Some hundred milliseconds of work, in which nothing but the event loop's own turns brings the abort. Each holds many lines.
  const files = Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}`, text: SHORT }));
  const long: readonly (readonly [name: string, bytes: Buffer, matches: number])[] = [
    ["zst", repeated(BOMBS[2]?.[1], 10), 200_000],
    ["xz", repeated(BOMBS[6]?.[1], 20), 40_000],
    ["bz2", repeated(BOMBS[7]?.[1], 3), 180_000],
    ["tar.gz", gzipSync(tar(files)), 20_000],
  ];

  it.each(long)("ends extractFrom: %s", async (_, bytes, all) => {
    const controller = new AbortController();
    const matches = extractFrom(chunksOf(bytes, 1 << 24), { signal: controller.signal });
    setImmediate(() => controller.abort(new Error("enough")));
    let [taken, after] = [0, 0];
    const read = async (): Promise<void> => {
      for await (const _ of matches) {
        taken++;
        if (controller.signal.aborted) after++;
      }
    };
    await expect(read()).rejects.toThrow("enough");
    expect(taken).toBeLessThan(all);
    expect(after).toBe(0);
  });

  it.each(long)("ends scanFiles: %s", async (extension, bytes, all) => {
    const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
    const path = join(folder, `a.${extension}`);
    writeFileSync(path, bytes);
    try {
      const controller = new AbortController();
      const { settings } = checkOptions("extractFiles", {});
      setImmediate(() => setImmediate(() => controller.abort(new Error("enough"))));
      let taken = 0;
      const matches = ({ count }: { count: number }): void => {
        taken += count;
      };
      const scan = scanFiles([path], { settings, threads: 1, signal: controller.signal }, sinkOf({ matches }));
      await expect(scan).rejects.toThrow("enough");
      expect(taken).toBeLessThan(all);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function repeated(bytes: Buffer | undefined, count: number): Buffer {
  return Buffer.concat(new Array<Buffer>(count).fill(bytes ?? Buffer.alloc(0)));
}
