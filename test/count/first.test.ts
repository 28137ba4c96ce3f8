// Options --unique-by, --first, --print and --date-format of count: what records say, counted with a Map.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import type { Group } from "../../src/count/group-table.ts";
import type { KeyField } from "../../src/options/fields.ts";
import { checkValues } from "../../src/options/table.ts";
import { commandSettings, countedFields } from "../../src/run/command-settings.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { sinkOf } from "../output/sinks.ts";
import { smallMemory } from "./settings.ts";

const MESSAGES = 400;
let folder: string;
let records: Record<string, string | number | null>[];

/** A message; each third has no Message-ID, and each seventh no date. */
function message(index: number): string {
  const id = index % 3 === 0 ? "" : `Message-ID: <${index}@a.example>\n`;
  const date = index % 7 === 0 ? "" : `Date: ${1 + ((index * 11) % 28)} Mar 2004 10:00:00 +0000\n`;
  const urls = Array.from({ length: 3 }, (_, step) => `http://${index % 10}.example/${(index * step) % 5}`);
  const from = index % 7 === 0 ? "From \n" : "From a Mon Mar  1 10:00:00 2004\n";
  return `${from}From: P${index % 13} <p${index % 13}@a.example>\n${date}${id}Subject: ${index}\n\n${urls.join("\n")}\n\n`;
}

beforeAll(async () => {
  folder = newFolder();
  const text = Array.from({ length: MESSAGES }, (_, index) => message(index)).join("");
  for (const name of ["one.mbox", "two.mbox"]) writeFileSync(join(folder, name), `From a Mon Mar  1 10:00:00 2004\n\nx\n\n${text}`);
  const fields = "url,host,message_id,message,source,date,from_address";
  const { stdout } = await run(["-f", "ndjson", "--fields", fields, "one.mbox", "two.mbox"], { cwd: folder });
  records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records.length).toBe(2 * 3 * MESSAGES);
});
afterAll(() => removeFolder(folder));

async function rows(...args: string[]): Promise<string[]> {
  const { stdout } = await run(["count", "-f", "tsv", "--no-header", ...args, "one.mbox", "two.mbox"], { cwd: folder });
  return stdout.split("\n").slice(0, -1).sort();
}

type Row = (typeof records)[number];
function grouped(name: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const record of records) {
    const key = String(record[name]);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return groups;
}

const dated = (dates: (string | number | null | undefined)[]): string => {
  const sorted = dates.filter((date) => date).sort();
  return [sorted[0], sorted.at(-1)].join("\t");
};

describe("--unique-by", () => {
  it.each(["message_id,url", "url,message_id"])("%s counts copies of messages once, with messages and dates", async (by) => {
    const hosts = grouped("host");
    const wanted = [...hosts].map(([host, of]) => {
      const idOf = ({ message_id, message, source }: Row): string => `${message_id ?? `${message} ${source}`}`;
      const pairs = new Set(of.map((record) => `${idOf(record)} ${record.url}`));
      return [host, pairs.size, new Set(of.map(idOf)).size, dated(of.map(({ date }) => date))].join("\t");
    });
    expect(await rows("--by", "host", "--unique-by", by, "-j", "2")).toEqual(wanted.sort());
  });

  it("counts values of other fields, without messages", async () => {
    const hosts = grouped("host");
    const wanted = [...hosts].map(([host, of]) => {
      const senders = new Set(of.map(({ from_address }) => from_address));
      return [host, senders.size, dated(of.map(({ date }) => date))].join("\t");
    });
    expect(await rows("--by", "host", "--unique-by", "from_address")).toEqual(wanted.sort());
  });
});

describe("--first", () => {
  let wanted: string[];
  beforeAll(() => {
    wanted = [...grouped("url")]
      .map(([url, of]) => {
        const earliest = of.toSorted((one, other) => ((one.date ?? "9") < (other.date ?? "9") ? -1 : 1))[0];
        const tied = of.filter(({ date }) => date === earliest?.date);
        // Of several messages at that time the one whose values are the first counts.
        const [first = ""] = tied.map(({ from_address, message_id }) => `${from_address}\t${message_id ?? ""}`).sort();
        const messages = new Set(of.map(({ message, source }) => `${message} ${source}`)).size;
        return [url, first, of.length, messages, dated(of.map(({ date }) => date))].join("\t");
      })
      .sort();
  });

  it("shows fields of the first message by date", async () => {
    expect(await rows("--by", "url", "--first", "from_address,message_id")).toEqual(wanted);
  });

  it.each([1, 3])("is the same with %i threads and with rows on disk", async (threads) => {
    const first: KeyField[] = ["from_address", "message_id"];
    const values = checkValues("urlmill count", { by: ["url"], first });
    const memory = smallMemory(3000);
    const counter = new Counter({ by: countedFields(values), shown: ["url"], isOfFirst: true }, memory);
    const sink = sinkOf({ matches: (batch) => counter.add(batch), groups: (groups) => counter.merge(groups) });
    const paths = ["one.mbox", "two.mbox"].map((name) => join(folder, name));
    const settings = commandSettings("count", values);
    await scanFiles(paths, { settings, threads, rangeBytes: 10_000, workMillisecondsLeast: 0, scansHere: true }, sink);
    const groups = [...counter.groups()].filter((group): group is Group => group !== undefined);
    expect(memory.file.size).toBeGreaterThan(0);
    const shown = groups.map(({ values: of, count, messages, first: from, last }) => [...of, count, messages, from, last].join("\t"));
    expect(shown.sort()).toEqual(wanted);
  });
});

describe("--print and --date-format", () => {
  const args = ["count", "--by", "url", "--host", "1.example", "--top", "1"];
  const url = "http://1.example/0";

  it("write a line of text, and dates as web archives do", async () => {
    const { stdout: plain } = await run([...args, "--print", String.raw`{first} {url}\t{{{count}}}`, "one.mbox"], { cwd: folder });
    expect(plain).toMatch(/^2004-03-\d\dT10:00:00Z http:\/\/1\.example\/0\t\{\d+\}\n$/);
    const { stdout } = await run([...args, "--date-format", "wayback", "--print", "{first}/{url}", "one.mbox"], { cwd: folder });
    expect(stdout).toMatch(/^200403\d\d100000\/http:\/\/1\.example\/0\n$/);
    const more = ["--first", "date", "--date-format", "wayback", "-f", "ndjson"];
    const { stdout: record } = await run([...args, ...more, "one.mbox"], { cwd: folder });
    const { url: of, date, first: from } = JSON.parse(record);
    expect([of, date, from]).toEqual([url, from, stdout.slice(0, 14)]);
  });
});

it.each([
  [["-u", "--unique-by", "host"], "-u is --unique-by url; give one of them"],
  [["--unique-by", "host", "--messages"], "--messages with --unique-by needs message_id in it"],
  [["--first", "date", "-u"], "--first cannot be given with -u, --unique-by, --messages-all, --share messages, --only-quoted or --plot"],
  [["--first", "host"], "--first needs fields of messages, such as from_name, not host"],
  [["--print", "{url}"], "--print has {url}, and rows have host, count, messages, first, last"],
  [["--print", "{host}", "-f", "csv"], "--print cannot be given with -f"],
  [["--print", "{host}", "--header"], "--print cannot be given with --header"],
  [["--by", "folder", "--first", "folder"], "--first names folder, which is in --by too"],
  [["--date-format", "wayback", "-f", "table"], "--date-format needs -f ndjson, csv, tsv or --print"],
])("refuses %j", async (args, reason) => {
  const { code, stderr } = await run(["count", ...args, "one.mbox"], { cwd: folder });
  expect([code, stderr]).toEqual([2, `urlmill: ${reason}\n`]);
});
