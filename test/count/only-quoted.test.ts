// Option --only-quoted of count: rows without a match outside of quoted lines, however the counts come together.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import type { Group } from "../../src/count/group-table.ts";
import { murmur3 } from "../../src/count/key-table.ts";
import { settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { sinkOf } from "../output/sinks.ts";
import { smallMemory } from "./settings.ts";

const MESSAGES = 300;
let folder: string;
let mbox: string;

/** Message `index` quotes three URLs; every URL whose number is a multiple of 7 is also written by somebody. */
function message(index: number): string {
  const quoted = [index, index + 1, 2 * index].map((number) => `> http://${number}.example/ http://${number}.example/\n`).join("");
  const written = index % 7 === 0 ? `http://${index}.example/\n` : "";
  const lines = index % 2 === 0 ? quoted + written : written + quoted;
  return `From a Mon Mar  1 10:00:00 2004\nDate: Mon, ${1 + (index % 28)} Mar 2004 10:00:00 +0000\n\n${lines}\n`;
}

beforeAll(() => {
  folder = newFolder();
  mbox = join(folder, "mbox");
  writeFileSync(mbox, Array.from({ length: MESSAGES }, (_, index) => message(index)).join(""));
});
afterAll(() => removeFolder(folder));

const rowsOf = async (...args: string[]): Promise<string[]> =>
  (await run(["count", "--by", "url", "--no-header", ...args, mbox])).stdout.split("\n").slice(0, -1);

/** Returns the rows of URLs without an unquoted match. */
async function expectedRows(...args: string[]): Promise<string[]> {
  const unquoted = new Set((await rowsOf("--no-quoted")).map((row) => row.split("\t")[0]));
  return (await rowsOf(...args)).filter((row) => !unquoted.has(row.split("\t")[0]));
}

describe("--only-quoted", () => {
  it.each([[[]], [["--messages"]], [["--sort", "key"]]])("leaves out rows with an unquoted match: %j", async (args) => {
    const expected = await expectedRows(...args);
    expect(expected.length).toBeGreaterThan(300);
    expect(await rowsOf("--only-quoted", ...args)).toEqual(expected);
    expect(await rowsOf("--only-quoted", "--top", "5", ...args)).toEqual(args.includes("key") ? expect.any(Array) : expected.slice(0, 5));
  });

  it("finds nothing in text without messages", async () => {
    const file = join(folder, "text");
    writeFileSync(file, "http://a.example/\n> http://b.example/\n");
    expect((await run(["count", "--only-quoted", file])).code).toBe(1);
  });

  it("is refused where all matches count", async () => {
    const { code, stderr } = await run(["count", "--only-quoted", "--share", mbox]);
    expect([code, stderr]).toEqual([
      2,
      "urlmill: --only-quoted cannot be given with --share, --messages-all or --plot, which show all matches\n",
    ]);
  });

  it.each(["--quoted", "--no-quoted"])("is refused with %s", async (option) => {
    const { code, stderr } = await run(["count", "--only-quoted", option, mbox]);
    expect([code, stderr]).toEqual([2, `urlmill: --only-quoted cannot be given with ${option}: it looks at quoted and other lines\n`]);
  });

  it.each([1, 3])("is the same with %i threads and with rows on disk", async (threads) => {
    const values = checkValues("urlmill count", { by: ["url"], onlyQuoted: true });
    const settings = { ...settingsOf(values), format: "groups" as const };
    const memory = smallMemory(3000, murmur3);
    const counter = new Counter(settings, memory);
    const sink = sinkOf({ matches: (batch) => counter.add(batch), groups: (groups) => counter.merge(groups) });
    await scanFiles([mbox], { settings, threads, rangeBytes: 10_000, workMillisecondsLeast: 0, scansHere: true }, sink);
    const groups = [...counter.groups()].filter((group): group is Group => group !== undefined && group.count > 0);
    expect(memory.file.size).toBeGreaterThan(0);
    const rows = groups.map(({ values: [url], count, messages, first, last }) => [url, count, messages, first, last].join("\t"));
    expect(rows).toEqual(await expectedRows());
  });
});
