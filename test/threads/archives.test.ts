// An mbox on many threads, cut anywhere, gives what one scan of it gives (A2, X13).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { extractFiles } from "../../src/index.ts";
import { InputFile } from "../../src/input/file.ts";
import { Pacer } from "../../src/input/pacer.ts";
import { listSources } from "../../src/input/paths.ts";
import { Match } from "../../src/matches/match.ts";
import { checkOptions, EVERYTHING, type ExtractFilesOptions, type RecordField } from "../../src/options/options.ts";
import { scanFile } from "../../src/run/scan-file.ts";
import { sourceErrorOf } from "../../src/run/scan-source.ts";
import { emptyTotals, type Totals } from "../../src/run/totals.ts";
import { type CutOptions, planSteps } from "../../src/threads/plan.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { mboxes, mmdfs } from "../mail/pieces.ts";
import { sinkOf } from "../output/sinks.ts";

let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

async function scan(
  path: string,
  rangeBytes: number,
  threads: number,
  fields?: RecordField[],
  scansHere = false,
): Promise<{ text: string; totals: Totals }> {
  const { settings } = checkOptions("ExtractStream", {
    format: "ndjson",
    type: path.endsWith(".mmdf") ? "auto" : "mbox",
    ...(fields === undefined ? {} : { fields }),
  });
  let text = "";
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      text += Buffer.from(bytes).toString();
    },
    failed: ({ error }) => {
      throw error;
    },
  });
  const totals = await scanFiles([path], { settings, threads, workMillisecondsLeast: 0, rangeBytes, scansHere }, sink);
  return { text, totals };
}

it("ranges of any size", async () => {
  const path = join(folder, "archive.mbox");
  const archives = fc.sample(mboxes, { numRuns: 90, seed: 7 });
  writeFileSync(path, Buffer.concat(archives.flatMap((archive) => [archive, Buffer.from("\n\n")])));
  const whole = await scan(path, Number.MAX_SAFE_INTEGER, 1);
  expect(whole.text.split("\n").length).toBeGreaterThan(100);
  for (const rangeBytes of [1000, 3001, 10_000]) expect(await scan(path, rangeBytes, 2)).toEqual(whole);
  const fields: RecordField[] = ["subject", "message", "url"];
  const some = await scan(path, Number.MAX_SAFE_INTEGER, 1, fields);
  expect(some.text.match(/"message":\d{3}/g)?.length).toBeGreaterThan(9);
  expect(await scan(path, 1000, 2, fields)).toEqual(some);
});

it("ranges of which this thread scans some before their turn", async () => {
  const path = join(folder, "large.mbox");
  const archives = fc.sample(mboxes, { numRuns: 60, seed: 7 });
  writeFileSync(
    path,
    Buffer.concat(
      Array(30)
        .fill(archives.flatMap((archive) => [archive, Buffer.from("\n\n")]))
        .flat(),
    ),
  );
  const whole = await scan(path, Number.MAX_SAFE_INTEGER, 1);
  // So many that the workers have started long before the last one.
  expect(await scan(path, 1000, 3, undefined, true)).toEqual(whole);
});

it("ranges of an MMDF mailbox", async () => {
  const path = join(folder, "archive.mmdf");
  writeFileSync(path, Buffer.concat(fc.sample(mmdfs, { numRuns: 60, seed: 7 })));
  const whole = await scan(path, Number.MAX_SAFE_INTEGER, 1);
  expect(whole.text.match(/"message":\d\d/g)?.length).toBeGreaterThan(50);
  for (const rangeBytes of [100, 3001, 10_000]) expect(await scan(path, rangeBytes, 2)).toEqual(whole);
});

it("matches of ranges have the number of their message in the source", async () => {
  const path = join(folder, "archive.mbox");
  const { settings } = checkOptions("ExtractStream", { objectMode: true, type: "mbox" });
  const numbers = async (rangeBytes: number, threads: number): Promise<unknown[]> => {
    const found: unknown[] = [];
    const sink = sinkOf({
      matches: (batch) => {
        for (let index = 0; index < batch.count; index++) found.push(new Match(batch, index).message);
      },
    });
    await scanFiles([path], { settings, threads, workMillisecondsLeast: 0, rangeBytes }, sink);
    return found;
  };
  expect(await numbers(1000, 2)).toEqual(await numbers(Number.MAX_SAFE_INTEGER, 1));
});

it("a range of the library owns the matches that start there", async () => {
  const path = join(folder, "archive.mbox");
  const of = async (range?: [number, number]): Promise<unknown[]> => {
    const found: Match[] = [];
    for await (const match of extractFiles(path, range === undefined ? {} : { range })) found.push(match);
    return found.map((match) => match.toJSON());
  };
  const whole = await of();
  const ends = [0, 777, 5000, 5001, 20_000, 1e9];
  const parts: unknown[] = [];
  for (const [index, from] of ends.slice(0, -1).entries()) parts.push(...(await of([from, ends[index + 1] as number])));
  expect(parts).toEqual(whole);
});

it("the fields of the first message of a range, far behind the start of the range", async () => {
  const path = join(folder, "far.mbox");
  const line = `${"x".repeat(75)}\n`;
  const before = `From a@b.example Fri Jan  5 10:11:12 1996\nMessage-ID: <1@a.example>\n\n${line.repeat(8000)}\n`;
  const after = "From a@b.example Fri Jan  5 10:11:13 1996\nMessage-ID: <2@a.example>\nSubject: x\n\nhttp://a.example/\n";
  writeFileSync(path, before + after);
  const whole = await scan(path, Number.MAX_SAFE_INTEGER, 1, ["url", "message", "message_id", "subject"]);
  expect(JSON.parse(whole.text)).toMatchObject({ message: 2, message_id: "2@a.example", subject: "x" });
  for (let distance = 0; distance < before.length; distance += 20_000) {
    const ranges = await scan(path, before.length - distance, 2, ["url", "message", "message_id", "subject"]);
    expect({ distance, ...ranges }).toEqual({ distance, ...whole });
  }
});

/** Returns the bytes that are read for all ranges of a file, and the URLs that they give. */
async function readInRanges(path: string, rangeBytes: number): Promise<{ bytes: number; urls: number }> {
  const { settings } = checkOptions("ExtractStream", { format: "plain" });
  const read = vi.spyOn(InputFile.prototype, "read");
  const open: CutOptions["open"] = new Set();
  const totals = emptyTotals();
  let urls = 0;
  const sink = sinkOf({
    bytes: ({ count }) => {
      urls += count;
    },
  });
  const context = { settings, sink, totals, pacer: new Pacer(), failureOf: sourceErrorOf };
  try {
    for (const step of planSteps(listSources([path]), { range: EVERYTHING, rangeBytes, threads: 2, settings, open })) {
      if (step.kind !== "parts") continue;
      for (const part of step.parts) for await (const _ of scanFile(part, context));
    }
    return { bytes: read.mock.results.reduce((sum, { value }) => sum + Number(value), 0), urls };
  } finally {
    read.mockRestore();
    for (const file of open) file.close();
  }
}

it.each([
  ["mbox", "From a@b.example Mon Jan  5 10:00:00 1998\n", ""],
  ["mmdf", "\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n"],
])("ranges inside one long message of %s read themselves, not the rest of the message", async (format, before, after) => {
  const header = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n";
  const line = `${Buffer.from("see http://a.example/ and also http://b.example/ there\n").toString("base64")}\n`;
  const bytesOf = async (size: number): Promise<number> => {
    const path = join(folder, `long-${size}.${format}`);
    const lines = Math.floor(size / line.length);
    writeFileSync(path, before + header + line.repeat(lines) + after);
    const { bytes, urls } = await readInRanges(path, 1 << 20);
    expect(urls).toBe(2 * lines);
    return bytes;
  };
  const [short, long] = [await bytesOf(4 << 20), await bytesOf(8 << 20)];
  expect(short).toBeGreaterThan(4 << 20);
  expect(long / short).toBeLessThan(2.5);
});

it.each<ExtractFilesOptions>([{}, { range: [0, Infinity] }])("an mbox is cut at messages for the library too, with %j", (options) => {
  const path = join(folder, "library.mbox");
  writeFileSync(path, "From a@b.example Mon Jan  5 10:00:00 1998\nSubject: a\n\nhttp://a.example/\n\n".repeat(1000));
  const { range, settings } = checkOptions("extractFiles", options);
  const open: CutOptions["open"] = new Set();
  const steps = [...planSteps(listSources([path]), { range, rangeBytes: 10_000, threads: 2, settings, open })];
  for (const file of open) file.close();
  const parts = steps.flatMap((step) => (step.kind === "parts" ? step.parts : []));
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.every(({ byMessage }) => byMessage)).toBe(true);
});
