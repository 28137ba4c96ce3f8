// Options --messages-all and --share messages of count: messages without a URL count too, however the input is cut.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import type { Group } from "../../src/count/group-table.ts";
import { murmur3 } from "../../src/count/key-table.ts";
import type { KeyField } from "../../src/options/fields.ts";
import { checkValues } from "../../src/options/table.ts";
import { commandSettings } from "../../src/run/command-settings.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { sinkOf } from "../output/sinks.ts";
import { smallMemory } from "./settings.ts";

const MESSAGES = 600;
let folder: string;
let mbox: string;

const monthOf = (index: number): string => `2004-${String(1 + (index % 7)).padStart(2, "0")}`;
const senderOf = (index: number): string => `p${index % 31}@a.example`;
const hasUrl = (index: number): boolean => index % 7 !== 3 && index % 5 === 0;

function message(index: number): string {
  const date = new Date(`${monthOf(index)}-05T10:00:00Z`).toUTCString().replace("GMT", "+0000");
  const header = `From: P <${senderOf(index)}>\nDate: ${date}\nSubject: ${"x".repeat(index % 300)}`;
  return `From a Mon Mar  1 10:00:00 2004\n${header}\n\n${hasUrl(index) ? "http://h.example/ http://i.example/" : "words"}\n\n`;
}

/** Returns rows with a key, messages with a URL, and all messages. */
function rowsBy(keyOf: (index: number) => string, wants: (index: number) => boolean = () => true): string[] {
  const rows = new Map<string, [number, number]>();
  for (let index = 0; index < MESSAGES; index++) {
    if (!wants(index)) continue;
    const [found, all] = rows.get(keyOf(index)) ?? [0, 0];
    rows.set(keyOf(index), [found + Number(hasUrl(index)), all + 1]);
  }
  return [...rows].map(([key, [found, all]]) => [key, found, all].join(" ")).sort();
}

beforeAll(() => {
  folder = newFolder();
  mbox = join(folder, "mbox");
  writeFileSync(mbox, Array.from({ length: MESSAGES }, (_, index) => message(index)).join(""));
});
afterAll(() => removeFolder(folder));

async function counted(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await run(["count", "-f", "ndjson", ...args], { cwd: folder });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const shown = (rows: readonly Record<string, unknown>[], name: string): string[] =>
  rows.map((row) => [row[name], row.messages, row.of_messages].join(" ")).sort();

describe("--messages-all", () => {
  it("has a row also where no message has a URL", async () => {
    const rows = await counted("--by", "month", "--messages-all", "mbox");
    expect(shown(rows, "month")).toEqual(rowsBy(monthOf));
    expect(rows[3]).toEqual({ month: "2004-04", count: 0, messages: 0, of_messages: 86, first: null, last: null });
  });

  it("leaves out messages by filters of messages, and not by filters of URLs", async () => {
    const may = ["--by", "from_address", "--messages-all", "--since", "2004-05", "--until", "2004-05"];
    const isMay = (index: number): boolean => monthOf(index) === "2004-05";
    expect(shown(await counted(...may, "mbox"), "from_address")).toEqual(rowsBy(senderOf, isMay));
    expect(shown(await counted(...may, "--host", "h.example", "--where", "body", "mbox"), "from_address")).toEqual(rowsBy(senderOf, isMay));
    const one = await counted("--by", "month", "--messages-all", "--from", senderOf(4), "mbox");
    expect(shown(one, "month")).toEqual(rowsBy(monthOf, (index) => senderOf(index) === senderOf(4)));
    const empty = await counted("--by", "month", "--messages-all", "--has", "source=mbox", "--subject", "^$", "mbox");
    expect(shown(empty, "month")).toEqual(rowsBy(monthOf, (index) => index % 300 === 0));
  });

  it("ends with 1 where no message has a URL, as without it", async () => {
    writeFileSync(join(folder, "none.eml"), "Subject: x\n\nwords\n");
    for (const option of [[], ["--messages-all"], ["--share", "messages"]])
      expect(await run(["count", "--by", "source", ...option, "none.eml"], { cwd: folder })).toMatchObject({ code: 1, stderr: "" });
  });

  it("with another field: of all messages with the first values", async () => {
    const rows = await counted("--by", "month,host", "--share", "messages", "--host", "i.example", "mbox");
    const wanted = rowsBy(monthOf).filter((row) => row.split(" ")[1] !== "0");
    expect(shown(rows, "month")).toEqual(wanted);
    for (const { messages, of_messages, share } of rows)
      expect(share).toBe(Math.round((10_000 * Number(messages)) / Number(of_messages)) / 100);
  });

  it("counts messages of JSON, records of web archives, and none in text", async () => {
    const objects = ["http://a.example/", "none", { body: "none" }].map((body) => JSON.stringify({ at: "2004-05-01", by: "x", body }));
    writeFileSync(join(folder, "x.json"), `${objects.join("\n")}\n`);
    const rows = await counted("--json-fields", "date=at,from=by", "--by", "month", "--messages-all", "x.json");
    expect(shown(rows, "month")).toEqual(["2004-05 1 3"]);
    writeFileSync(join(folder, "x.txt"), "http://a.example/\n");
    expect(shown(await counted("--by", "source", "--messages-all", "x.txt"), "source")).toEqual(["x.txt 0 0"]);
    const fields = ["WARC-Type: resource", "WARC-Date: 2004-05-01T00:00:00Z", "Content-Type: text/plain", "Content-Length: 5"];
    const record = ["WARC/1.0", ...fields, "", "words", "", ""].join("\r\n");
    writeFileSync(join(folder, "x.warc"), record.repeat(3));
    expect(shown(await counted("--by", "year", "--messages-all", "x.warc"), "year")).toEqual(["2004 0 3"]);
  });

  it("goes through the other readers of text: refanged, unwrapped, redacted", async () => {
    for (const options of [["--refang"], ["--unwrap", "--nested"], ["--userinfo", "redact"], ["--charset", "koi8-r"]])
      expect(shown(await counted("--by", "month", "--messages-all", ...options, "mbox"), "month")).toEqual(rowsBy(monthOf));
    writeFileSync(join(folder, "one.eml"), "From: a@a.example\nSubject: at http://joe:secret@a.example/\n\nwords\n");
    const [row] = await counted("--by", "subject", "--messages-all", "--userinfo", "redact", "--where", "body", "one.eml");
    expect(row?.subject).toBe("at http://***@a.example/");
  });

  it.each([
    [["--messages-all"], "--messages-all needs a field that messages without a URL have too, as the first one: --by month, not host"],
    [["--by", "month", "--share", "--messages-all"], "--messages-all cannot be given with --share, but with --share messages"],
    [["--by", "month", "-u", "--share", "messages"], "--share messages cannot be given with -u or --unique-by"],
    [["--by", "month,host", "--share", "messages", "--plot", "x.svg"], "--plot with --share messages needs --by month alone"],
  ])("refuses %j", async (args, reason) => {
    const { code, stderr } = await run(["count", ...args, mbox]);
    expect([code, stderr]).toEqual([2, `urlmill: ${reason}\n`]);
  });

  it.each([1, 3])("is the same with %i threads and with rows on disk", async (threads) => {
    for (const [name, keyOf] of [
      ["month", monthOf],
      ["from_address", senderOf],
    ] as const) {
      const by: KeyField[] = [name];
      const settings = commandSettings("count", checkValues("urlmill count", { by, messagesAll: true }));
      const memory = smallMemory(500, murmur3);
      const counter = new Counter({ by, messagesBy: by }, memory);
      const sink = sinkOf({
        matches: (batch) => counter.add(batch),
        messages: ({ rows }) => counter.addMessages(rows),
        groups: (groups) => counter.merge(groups),
      });
      await scanFiles([mbox], { settings, threads, rangeBytes: 3000, workMillisecondsLeast: 0, scansHere: true }, sink);
      const groups = [...counter.groups()].filter((group): group is Group => group !== undefined);
      expect(memory.file.size).toBeGreaterThan(0);
      expect(groups.map(({ values: [key], messages, of_messages }) => [key, messages, of_messages].join(" ")).sort()).toEqual(
        rowsBy(keyOf),
      );
    }
  });
});

it("--share messages --plot: a picture of the messages with a URL, and the others", async () => {
  await run(["count", "--by", "month", "--share", "messages", "--plot", "x.svg", "mbox"], { cwd: folder });
  const picture = readFileSync(join(folder, "x.svg"), "utf8");
  const found = Array.from({ length: MESSAGES }, (_, index) => index).filter(hasUrl).length;
  expect(picture).toContain("Share of messages by month<");
  expect(picture).toContain(`with a URL ${found}<`);
  expect(picture).toContain(`without one ${MESSAGES - found}<`);
});
