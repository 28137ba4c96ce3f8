// Options -u and --unique-by: the first record with each key, in every format, with any memory and any number of threads.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Distinct } from "../../src/count/distinct.ts";
import { murmur3 } from "../../src/count/key-table.ts";
import { type ScanSettings, settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { uniqueRecords } from "../../src/output/choice.ts";
import { settingsOfChoice } from "../../src/output/formatted.ts";
import type { Sink } from "../../src/output/sink.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { ended, newFolder, removeFolder, run, start } from "../cli/run.ts";
import { smallMemory } from "../count/settings.ts";
import { sinkOf } from "./sinks.ts";

let folder: string;
let mbox: string;

const REFUSED = "http://a%2Fb.test.com/ http://c%2Fd.test.com/";

/** A mailbox with URLs that come again in a message, in another one, and with another host; two are refused. */
function mail(): string {
  const messages = Array.from({ length: 400 }, (_, index) => {
    const url = `http://h${index % 37}.test${index % 71}.com/${index % 101}`;
    const more = `<http://h${index % 5}.test0.com> ${index % 3 === 0 ? REFUSED : ""} mailto:a${index % 7}@b.test.com`;
    const date = `Date: Mon, ${1 + (index % 28)} Mar 2004 10:00:00 +0000`;
    return `From a Mon Mar  1 10:00:00 2004\n${date}\nMessage-ID: <${index}@m>\n\n${url} ${url}\n> ${more}\n\n`;
  });
  return messages.join("");
}

beforeAll(() => {
  folder = newFolder();
  mbox = join(folder, "m\nbox");
  writeFileSync(mbox, mail());
});
afterAll(() => removeFolder(folder));

/** A sink that keeps what is written as text. */
function textSink(texts: string[]): Sink {
  return sinkOf({ bytes: ({ bytes }) => void texts.push(Buffer.from(bytes).toString()) });
}

/** Returns what the scan of the mailbox writes, and what it leaves of that. */
async function scanned(settings: ScanSettings, by?: readonly Field[], threads = 1): Promise<string[]> {
  const memory = smallMemory(3000, murmur3);
  const records: string[] = [];
  const sink = textSink(records);
  const taken = by === undefined ? sink : uniqueRecords(settings, { by, keys: new Distinct(memory), pause: () => undefined }, sink);
  const used = by === undefined ? settings : settingsOfChoice(settings, { by });
  await scanFiles([mbox], { settings: used, threads, rangeBytes: 10_000, workMillisecondsLeast: 0, scansHere: true }, taken);
  if (by !== undefined) expect(memory.file.size).toBeGreaterThan(0);
  return records;
}

const settings = (options: object): ScanSettings => settingsOf(checkValues("urlmill extract", options));
const PRINT = "{url}\t{raw}\t{host}\t{domain}\t{message}\t";

type Field = "url" | "message" | "host" | "domain";

describe.each([1, 3])("%i threads", (threads) => {
  it("lines: as awk leaves them", async () => {
    const lines = (await scanned(settings({}))).join("").split("\n").slice(0, -1);
    expect((await scanned(settings({}), ["url"], threads)).join("")).toBe([...new Set(lines)].map((line) => `${line}\n`).join(""));
  });

  it.each<Field[][]>([[["url"]], [["message"]], [["host"]], [["domain"]], [["message", "url"]]])("records by %j", async (by) => {
    const print = settings({ print: `${PRINT}{date}` });
    const all = (await scanned(print)).join("").split(/(?<=Z\n)/);
    const seen = new Set<string>();
    const first = all.filter((record) => {
      const [url, raw, host, domain, message] = record.split("\t");
      const values = { url: url === "" ? `raw ${raw}` : url, host, domain, message };
      const key = by.map((name) => values[name]).join(" ");
      if (seen.has(key) && key !== "") return false;
      seen.add(key);
      return true;
    });
    expect(all.length).toBeGreaterThan(1000);
    expect((await scanned(print, by, threads)).join("")).toBe(first.join(""));
  });

  it.each(["ndjson", "csv", "tsv"])("format %s has the same records", async (format) => {
    // Each raw form is that of one URL. The name of the source has a line end, which csv leaves in its cell.
    const fields = ["raw", "url", "message", "source"];
    const whole = (await scanned(settings({ format, fields }))).join("");
    const records = format === "csv" ? whole.split(/(?<=\r\n)/) : whole.split(/(?<=\n)/);
    const rawOf = (record: string): string => /^[^,\t]*/.exec(record)?.[0] ?? "";
    const first = records.filter((record, index) => records.findIndex((other) => rawOf(other) === rawOf(record)) === index);
    expect((await scanned(settings({ format, fields }), ["url"], threads)).join("")).toBe(first.join(""));
  });
});

it.each([1, 3])("a message without a Message-ID is another one than all others (%i threads)", async (threads) => {
  const message = (index: number): string => {
    const id = index % 5 === 0 ? "Message-ID: <same@c.example>\n" : "";
    return `From a@b.example Mon Jan  5 10:00:00 1998\n${id}X: y\n\nhttp://a.example/ http://a.example/\n\n`;
  };
  const path = join(folder, "without");
  writeFileSync(path, Array.from({ length: 1000 }, (_, index) => message(index)).join(""));
  const print = settings({ print: "{message} {url}" });
  const memory = smallMemory(3000, murmur3);
  const by = ["message_id", "url"] as const;
  const records: string[] = [];
  const taken = uniqueRecords(print, { by, keys: new Distinct(memory), pause: () => undefined }, textSink(records));
  await scanFiles(
    [path],
    { settings: settingsOfChoice(print, { by }), threads, rangeBytes: 10_000, workMillisecondsLeast: 0, scansHere: true },
    taken,
  );
  const wanted = Array.from({ length: 1000 }, (_, index) => index).filter((index) => index === 0 || index % 5 !== 0);
  expect(records.join("")).toBe(wanted.map((index) => `${index + 1} http://a.example/\n`).join(""));
});

describe("the command", () => {
  it("-u writes each URL once, and as soon as it is there", async () => {
    const child = start(["-u"]);
    const end = ended(child);
    child.stdin?.write("http://a.test.com/ http://a.test.com/\nhttp://b.test.com/\n");
    await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
    child.stdin?.end("http://a.test.com/\nhttp://c.test.com/\n");
    expect(await end).toMatchObject({ code: 0, stdout: "http://a.test.com/\nhttp://b.test.com/\nhttp://c.test.com/\n" });
  });

  it("writes the line of names once, and the output file", async () => {
    const out = join(folder, "out.csv");
    expect((await run(["-u", "-f", "csv", "--fields", "host,url", "--not-host", "*.com", "-o", out, mbox])).code).toBe(0);
    expect(readFileSync(out, "utf8").split("\r\n")).toHaveLength(1 + 7 + 2 + 1);
  });

  it.each([
    [["-u", "--unique-by", "host"], "-u is --unique-by url; give one of them"],
    [["--memory", "12"], '--memory must be a number of bytes such as 512M or 2G, at least 1M, not "12"'],
    [["--memory", "1X"], '--memory must be a number of bytes such as 512M or 2G, at least 1M, not "1X"'],
  ])("%j is refused", async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: `urlmill: ${message}\n` });
  });

  it("a folder for temporary files that is not there is named, and nothing is left in one that is", async () => {
    const many = join(folder, "many");
    writeFileSync(many, Array.from({ length: 30_000 }, (_, index) => `http://h${index}.test.com/\n`).join(""));
    const temporary = newFolder();
    const env = { ...process.env, TMPDIR: temporary };
    expect(await run(["-u", "--memory", "1M", many], { env })).toMatchObject({ code: 0, stdout: readFileSync(many, "utf8") });
    expect(readdirSync(temporary)).toEqual([]);
    const nowhere = join(temporary, "nowhere");
    const { code, stderr } = await run(["-u", "--memory", "1M", many], { env: { ...process.env, TMPDIR: nowhere } });
    expect({ code, stderr: stderr.slice(0, stderr.indexOf(";")) }).toEqual({
      code: 2,
      stderr: `urlmill: ${nowhere}: a temporary file cannot be written (ENOENT)`,
    });
    removeFolder(temporary);
  });
});
