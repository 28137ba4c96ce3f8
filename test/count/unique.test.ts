// Option -u of count: each URL counts once in a row, however the counts come together.
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

const MESSAGES = 400;
let folder: string;
let mbox: string;
/** By host: its row. */
let wanted: string[];

function message(index: number): string {
  const urls = Array.from({ length: 4 }, (_, step) => `http://${index % 20}.example/${(index * step) % 37}`);
  return `From a Mon Mar  1 10:00:00 2004\nDate: Mon, ${1 + (index % 28)} Mar 2004 10:00:00 +0000\n\n${urls.join("\n")}\n\n`;
}

beforeAll(async () => {
  folder = newFolder();
  mbox = join(folder, "mbox");
  writeFileSync(mbox, Array.from({ length: MESSAGES }, (_, index) => message(index)).join(""));
  const { stdout } = await run(["-f", "tsv", "--no-header", "--fields", "host,url,date", mbox]);
  const hosts = new Map<string, { urls: Set<string>; dates: string[] }>();
  for (const line of stdout.split("\n").slice(0, -1)) {
    const [host = "", url = "", date = ""] = line.split("\t");
    const known = hosts.get(host) ?? { urls: new Set(), dates: [] };
    known.urls.add(url);
    known.dates.push(date);
    hosts.set(host, known);
  }
  wanted = [...hosts]
    .sort(([one, { urls: its }], [other, { urls }]) => urls.size - its.size || (one < other ? -1 : 1))
    .map(([host, { urls, dates }]) => [host, urls.size, dates.sort()[0], dates.sort().at(-1)].join("\t"));
});
afterAll(() => removeFolder(folder));

describe("count -u", () => {
  it("counts each URL once, and has no messages", async () => {
    expect(wanted.length).toBe(20);
    const { stdout } = await run(["count", "--by", "host", "-u", "-f", "tsv", mbox]);
    expect(stdout).toBe(`host\tcount\tfirst\tlast\n${wanted.join("\n")}\n`);
    const { stdout: records } = await run(["count", "--by", "host", "-u", "-f", "ndjson", "--top", "1", mbox]);
    const [host, count, first, last] = wanted[0]?.split("\t") ?? [];
    expect(JSON.parse(records)).toEqual({ host, count: Number(count), first, last });
  });

  it("goes with --per, --share and --min", async () => {
    const { stdout } = await run(["count", "--by", "host", "-u", "--share", "--min", "20", "--no-header", "-f", "tsv", mbox]);
    const total = wanted.reduce((sum, row) => sum + Number(row.split("\t")[1]), 0);
    const rows = wanted.map((row) => row.split("\t").slice(0, 2)).filter(([, count]) => Number(count) >= 20);
    const shares = rows.map(([host, count]) => [host, count, Math.round((Number(count) / total) * 10_000) / 100].join("\t"));
    expect(shares.length).toBeGreaterThan(0);
    expect(
      stdout
        .split("\n")
        .slice(0, -1)
        .map((row) => row.split("\t").slice(0, 3).join("\t")),
    ).toEqual(shares);
  });

  it.each([
    [["--by", "url", "-u"], "-u counts URLs: --by cannot name url too"],
    [["--by", "host", "-u", "--messages"], "-u counts URLs, and --messages messages; give one of them"],
  ])("refuses %j", async (args, reason) => {
    const { code, stderr } = await run(["count", ...args, mbox]);
    expect([code, stderr]).toEqual([2, `urlmill: ${reason}\n`]);
  });

  it.each([1, 3])("is the same with %i threads and with rows on disk", async (threads) => {
    const values = checkValues("urlmill count", { by: ["host", "url"] });
    const settings = { ...settingsOf(values), format: "groups" as const };
    const memory = smallMemory(3000, murmur3);
    const counter = new Counter({ by: ["host", "url"], shown: ["host"] }, memory);
    const sink = sinkOf({ matches: (batch) => counter.add(batch), groups: (groups) => counter.merge(groups) });
    await scanFiles([mbox], { settings, threads, rangeBytes: 10_000, workMillisecondsLeast: 0, scansHere: true }, sink);
    const groups = [...counter.groups()].filter((group): group is Group => group !== undefined);
    expect(memory.file.size).toBeGreaterThan(0);
    expect(groups.map(({ values: [host], count, first, last }) => [host, count, first, last].join("\t"))).toEqual(wanted);
  });
});
