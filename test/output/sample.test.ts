// Option --sample: so many records, in their order, the same for any threads and formats, each as likely as any other.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { sampleOf } from "../../src/output/choice.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { batchOf } from "../count/url-batch.ts";
import { nativeWork } from "../counted/native.ts";
import { sinkOf } from "./sinks.ts";

const SIZE = 7;
let folder: string;
let file: string;

beforeAll(() => {
  folder = newFolder();
  file = join(folder, "text");
  const lines = Array.from({ length: 500 }, (_, index) => `http://${index % 100}.example/${index} "http://${index}.example/a%2Fb"`);
  writeFileSync(file, `${lines.join("\n")}\n`);
});
afterAll(() => removeFolder(folder));

const outputOf = async (...args: readonly string[]): Promise<string[]> => (await run([...args, file])).stdout.split("\n").slice(0, -1);
const url = (line: string): string => (JSON.parse(line) as { url: string }).url;

/** Returns whether `some` are lines of `all`, in their order. */
function areInOrder(some: readonly string[], all: readonly string[]): boolean {
  let at = -1;
  return some.every((line) => {
    at = all.indexOf(line, at + 1);
    return at >= 0;
  });
}

describe("--sample", () => {
  it.each([[[]], [["-f", "ndjson"]], [["-u"]], [["-f", "ndjson", "--unique-by", "host"]], [["--print", "{start}\\n{url}"]]])(
    "with %j",
    async (args) => {
      const all = await outputOf(...args);
      const some = await outputOf(...args, "--sample", String(SIZE), "-j", "1");
      expect(some).toHaveLength(args.includes("--print") ? 2 * SIZE : SIZE);
      expect(areInOrder(some, all)).toBe(true);
      expect(await outputOf(...args, "--sample", String(SIZE), "-j", "3")).toEqual(some);
    },
  );

  it.each([[["-0", "--unique-by", "host"]], [["-0", "--context", "5"]]])("with %j ends each record with a NUL", async (args) => {
    const all = (await run([...args, file])).stdout.split("\0").slice(0, -1);
    const some = (await run([...args, "--sample", String(SIZE), file])).stdout.split("\0").slice(0, -1);
    expect(some).toHaveLength(SIZE);
    expect(areInOrder(some, all)).toBe(true);
  });

  it("gives the same records in every format", async () => {
    const lines = await outputOf("--sample", "7");
    expect((await outputOf("--sample", "7", "-f", "ndjson")).map(url)).toEqual(lines);
    expect(await outputOf("--sample", "7", "-f", "tsv", "--fields", "url")).toEqual(["url", ...lines]);
  });

  it("gives all records if there are no more", async () => {
    expect(await outputOf("--sample", "1000")).toEqual(await outputOf());
    expect(await outputOf("--sample", "999999")).toEqual(await outputOf());
  });

  it("keeps at most a million", async () => {
    const { stderr } = await run(["--sample", "1000001", file]);
    expect(stderr).toBe("urlmill: --sample must be a whole number from 1 to 1000000, not 1000001\n");
  });

  it("cannot go on after a crash", async () => {
    const { code, stderr } = await run(["--sample", "7", "--resumable", "-o", join(folder, "out"), file]);
    expect([code, stderr]).toEqual([2, "urlmill: --resumable cannot be given with --sample: what it knows is not kept\n"]);
  });
});

it.each([["ndjson"], ["csv"], ["plain"], ["parquet"]] as const)(
  "takes a record from a batch without copying the others, for %s",
  (format) => {
    const work = (count: number): number => {
      const batch = batchOf(Array.from({ length: count }, (_, index) => [`http://${index}.example/`, 0] as const));
      // A line end in each record is the case that no text of the batch can be cut for.
      const print = format === "csv" ? { print: "{url}\n{host}" } : { format };
      const settings = settingsOf(checkValues("urlmill extract", format === "plain" ? { context: 5 } : print));
      const sink = sampleOf(settings, count, sinkOf({}));
      return nativeWork(() => sink.write(batch));
    };
    work(100);
    expect(work(4000)).toBeLessThan(2.1 * work(2000) + 4096);
  },
);

it("takes each record as often as any other", async () => {
  const taken = new Array<number>(100).fill(0);
  const count = (bytes: Uint8Array): void => void taken[Math.floor(Number(Buffer.from(bytes).toString()) / 1000)]++;
  const settings = settingsOf(checkValues("urlmill extract", {}));
  const sink = sampleOf(settings, 5000, sinkOf({ bytes: ({ bytes }) => count(bytes) }));
  for (let index = 0; index < 100_000; index++) sink.write({ kind: "bytes", bytes: Buffer.from(`${index}\n`), count: 1 });
  await sink.end();
  expect(taken.reduce((sum, number) => sum + number, 0)).toBe(5000);
  // 50 of each thousand are expected; five standard deviations are 34.
  expect(Math.min(...taken)).toBeGreaterThan(16);
  expect(Math.max(...taken)).toBeLessThan(84);
});
