// The results of shards, brought together, are those of one scan: for any size of shards, and for inputs that are not what they seem (X13).
import fs, { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { merge } from "../../src/cluster/merge.ts";
import { plan } from "../../src/cluster/plan.ts";
import { runShard } from "../../src/cluster/shard.ts";
import { BGZF_END, bgzf, bgzfBlock, piecesOf, seekableZstd } from "../input/blocks.ts";
import { mboxes } from "../mail/pieces.ts";
import { texts } from "../scan/pieces.ts";
import { pathOf, put, useFolder } from "../threads/folder.ts";
import { inMembers, misleading, RECORDS, WHOLE } from "../threads/web-records.ts";
import { makePlan, merged, mergedText, type Planned, runAll, scannedOnce } from "./shards.ts";

useFolder();

const OPTIONS = {
  format: "ndjson",
  fields: ["url", "source", "start", "message", "message_id"],
  urlBytesMax: 256,
  rejected: "why",
} as const;

const sample = (pieces: fc.Arbitrary<Buffer>, count: number): Buffer =>
  Buffer.concat(fc.sample(pieces, { numRuns: count, seed: 11 }).flatMap((piece) => [piece, Buffer.from("\n\n")]));
const TEXT = sample(texts(40), 1200);
const MBOX = Buffer.concat([Buffer.from("From a@b Thu Jan  1 00:00:00 1995\nFrom: a@b\n\nhttp://first.example/\n\n"), sample(mboxes, 50)]);

let paths: string[];

beforeAll(() => {
  mkdirSync(pathOf("folder"));
  for (let index = 0; index < 30; index++) put(`folder/${index}`, `http://h${index}.example/ ${"x ".repeat(index * 40)}`);
  symlinkSync(pathOf("nowhere"), pathOf("folder/2-link"));
  const pieces = piecesOf(TEXT, 700);
  const lie = pieces.map((piece, index) => bgzfBlock(piece, index === 20 ? { length: piece.length + 1 } : {}));
  paths = [
    put("text", TEXT),
    pathOf("absent"),
    put("mbox", MBOX),
    put("cut.gz", gzipSync(TEXT).subarray(0, -20)),
    put("whole.gz", gzipSync(MBOX)),
    pathOf("folder"),
    put("blocks.gz", bgzf(MBOX, 700)),
    put("lie.gz", Buffer.concat([...lie, BGZF_END])),
    put("blocks.zst", seekableZstd(MBOX, 700)),
    put("pages.warc", WHOLE),
    put("pages.warc.gz", inMembers(RECORDS)),
    put("misleading.warc", misleading().bytes),
    put("after", "http://after.example/"),
  ];
});

async function expectSame(inputs: readonly string[], shardBytes: number): Promise<number> {
  const planned = await makePlan(inputs, { options: OPTIONS, shardBytes });
  await runAll(planned);
  expect(await merged(planned)).toEqual(await scannedOnce(inputs, OPTIONS));
  return (await planned.plan.end()).shards;
}

describe("shards give together what one scan gives", () => {
  it.each([
    [4000, 40],
    [9000, 20],
    [1 << 30, 1],
  ])("all kinds of inputs at once: shards of %i bytes", async (shardBytes, least) => {
    expect(await expectSame(paths, shardBytes)).toBeGreaterThanOrEqual(least);
  });

  // One of the files is damaged after 14,000 bytes of its text.
  it.each([
    [100, 4],
    [20_000, 3],
    [20_001, 3],
    [1_000_000, 0],
  ])("compressed files that are read to a limit: %i bytes", async (expandMax, limited) => {
    const inputs = paths.filter((path) => /blocks\.|lie\.gz|whole\.gz|after$/.test(path));
    const options = { ...OPTIONS, expandMax };
    const planned = await makePlan(inputs, { options, shardBytes: 4000 });
    expect((await runAll(planned)).length).toBeGreaterThan(9);
    const found = await merged(planned);
    expect(found).toEqual(await scannedOnce(inputs, options));
    expect(found.failed.filter((message) => message.includes("--expand-max"))).toHaveLength(limited);
  });

  it.each([
    ["extract", { format: "parquet" }],
    ["extract", { format: "parquet", unique: true }],
    ["extract", { format: "csv", uniqueBy: ["host"] }],
    ["count", { by: ["host", "source"], countFormat: "csv" }],
    ["report", { json: true }],
  ] as const)("inputs whose later parts are dropped, to %s: %j", async (command, options) => {
    const misled = paths.filter((path) => /misleading\.warc|lie\.gz|after$/.test(path));
    const made = { command, options };
    const whole = await makePlan(misled, { ...made, shardBytes: 1 << 30 });
    await runAll(whole);
    const planned = await makePlan(misled, { ...made, shardBytes: 9000 });
    const markers = await runAll(planned);
    expect(markers.some(({ isOver }) => isOver)).toBe(true);
    const textOf = async (one: Planned): Promise<string> => (await mergedText(one)).replace(/"(?:started|seconds)":[^,}]+/g, "");
    const text = await textOf(planned);
    expect(text.length).toBeGreaterThan(100);
    expect(text === (await textOf(whole))).toBe(true);
  });

  it("an mbox, with numbers of messages: any size of shards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mboxes, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 12 }), async (boxes, shards) => {
        const box = Buffer.concat(boxes);
        await expectSame([put("any.mbox", box), put("next", "http://next.example/")], Math.ceil(box.length / shards));
      }),
      { numRuns: 15, seed: 19 },
    );
  });

  it("any text: any size of shards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(texts(20), { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 12 }), async (parts, shards) => {
        const text = Buffer.concat(parts);
        await expectSame([put("any.txt", text)], Math.ceil(text.length / shards) + 1);
      }),
      { numRuns: 15, seed: 20 },
    );
  });
});

describe("results", () => {
  it.each(["gone", "damaged"])("that are %s are named with what makes them again", async (what) => {
    const planned = await makePlan([put("once", "http://a.example/")], {});
    await runAll(planned);
    const result = readdirSync(planned.folder).find((file) => file.startsWith("00000-")) as string;
    const path = join(planned.folder, result);
    if (what === "gone") rmSync(path);
    else truncateSync(path, 1);
    await expect(mergedText(planned)).rejects.toThrow(`${result} is ${what}; urlmill verify `);
  });
});

describe("distinct records and counts", () => {
  it("of many shards are brought together with little memory", async () => {
    const urls = Array.from({ length: 60_000 }, (_, index) => `http://h${(index * 7) % 900}.example/${index % 40_000}\n`);
    const path = put("urls", urls.join(""));
    const distinct = [...new Set(urls)];
    for (const memory of [1 << 20, undefined]) {
      const unique = await makePlan([path], { options: { unique: true, memory }, shardBytes: 200_000 });
      expect((await runAll(unique)).length).toBeGreaterThan(5);
      expect(await mergedText(unique)).toBe(distinct.join(""));
      const counts = await makePlan([path], {
        command: "count",
        options: { by: ["url"], countFormat: "csv", memory },
        shardBytes: 200_000,
      });
      await runAll(counts);
      expect((await mergedText(counts)).trimEnd().split("\n")).toHaveLength(distinct.length + 1);
    }
  });
});

describe("an abort", () => {
  it("ends a plan while it lists files", async () => {
    const path = put("urls", "http://a.example/\n");
    const controller = new AbortController();
    const all = async (): Promise<void> => {
      for await (const line of plan(Array(100_000).fill(path), { signal: controller.signal })) {
        expect(line).toHaveProperty("urlmill");
        setImmediate(() => controller.abort());
      }
    };
    await expect(all()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("ends a scan and a merge, and leaves no file", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const planned = await makePlan([pathOf("text")], { options: OPTIONS });
    await expect(runShard(planned.plan.header, await planned.plan.shard(0), planned.store, { signal })).rejects.toThrow("enough");
    expect(readdirSync(planned.folder)).toEqual([]);
    await runAll(planned);
    await expect(merge(planned.plan, planned.store, { signal, write: () => undefined })).rejects.toThrow("enough");
  });
});

describe("a file that cannot be read now", () => {
  it("fails the shard, which leaves nothing, and not the source", async () => {
    const planned = await makePlan([put("unread", "http://a.example/")], {});
    const { readSync } = fs;
    fs.readSync = (() => {
      throw Object.assign(new Error("EIO"), { code: "EIO", syscall: "read" });
    }) as typeof readSync;
    syncBuiltinESMExports();
    try {
      await expect(runAll(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_UNREADABLE" });
    } finally {
      fs.readSync = readSync;
      syncBuiltinESMExports();
    }
    expect(readdirSync(planned.folder)).toEqual([]);
    await runAll(planned);
    expect(await mergedText(planned)).toBe("http://a.example/\n");
  });
});

describe("a plan", () => {
  it("is the same each time", async () => {
    const texts = await Promise.all([1, 2].map(async () => JSON.stringify(await linesOf())));
    expect(texts[0]).toBe(texts[1]);
  });

  it("has no shard without bytes, however much is left at the end of a file", async () => {
    const bytes = 3 << 20;
    for (const [size, sizes] of [
      [2 * bytes, [bytes, bytes]],
      [2 * bytes + 1, [bytes, bytes, 1]],
      [2 * bytes + (2 << 20), [bytes, bytes, 2 << 20]],
    ] as const) {
      const { plan } = await makePlan([put("large", Buffer.alloc(size, "x\n"))], { shardBytes: bytes });
      const planned: number[] = [];
      for await (const shard of plan.shards()) planned.push(shard.bytes);
      expect(planned).toEqual(sizes);
    }
  });

  it("puts small files together, and gives a compressed file a shard", async () => {
    const { plan } = await makePlan([pathOf("folder"), pathOf("whole.gz")], { options: OPTIONS, shardBytes: 10_000 });
    const shards = [];
    for await (const { inputs } of plan.shards()) shards.push(inputs.length);
    expect(shards.length).toBeLessThan(8);
    expect(shards.at(-1)).toBe(1);
    expect(shards.reduce((sum, count) => sum + count, 0)).toBe(32);
  });
});

async function linesOf(): Promise<unknown[]> {
  const { plan } = await makePlan(paths, { options: OPTIONS, shardBytes: 5000 });
  const lines: unknown[] = [plan.header, await plan.end()];
  for await (const shard of plan.shards()) lines.push(shard);
  return lines;
}
