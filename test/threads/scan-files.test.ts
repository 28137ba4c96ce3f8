// Any number of threads and any range size give what one scan of the whole file gives (X13); what goes wrong is an error.
import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { SourceError } from "../../src/base/errors.ts";
import { REASON_NAMES } from "../../src/core/names.ts";
import { extract, type Match } from "../../src/index.ts";
import { EVERYTHING, type Rejected, type ScanSettings } from "../../src/options/options.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { sinkOf, type Takers } from "../output/sinks.ts";
import { texts } from "../scan/pieces.ts";
import { pathOf, put, useFolder } from "./folder.ts";
import { SETTINGS as DEFAULTS } from "./settings.ts";

useFolder();

const SETTINGS: ScanSettings = { ...DEFAULTS, type: "text", format: "ndjson", urlBytesMax: 256, rejected: true };
interface Scanned {
  text: string;
  rejected: string;
  failed: SourceError[];
  lines: number;
}

/** What keeps everything. */
function keeper(): { takers: Takers; scanned: Scanned } {
  const scanned: Scanned = { text: "", rejected: "", failed: [], lines: 0 };
  const takers: Takers = {
    bytes({ bytes, count }) {
      scanned.text += Buffer.from(bytes).toString();
      scanned.lines += count;
    },
    rejected: (batch) => {
      scanned.rejected += rejectedLines(batch);
    },
    failed: ({ error }) => scanned.failed.push(error),
  };
  return { takers, scanned };
}

async function scan(paths: string[], options: Partial<ScanFilesOptions>): Promise<Scanned & { totals: unknown }> {
  const { takers, scanned } = keeper();
  const totals = await scanFiles(paths, { settings: SETTINGS, threads: 1, ...options }, sinkOf(takers));
  return { ...scanned, totals };
}

function parsed(lines: string): unknown[] {
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const pooled = (threads: number, rangeBytes: number): Partial<ScanFilesOptions> => ({
  threads,
  rangeBytes,
  workMillisecondsLeast: 0,
});

describe("ranges", () => {
  const bytes = Buffer.concat(fc.sample(texts(40), { numRuns: 3000, seed: 7 }));
  const rejected: Rejected[] = [];
  let path: string;
  let found: Match[];
  beforeAll(() => {
    path = put("pieces", bytes);
    found = extract(bytes, { urlBytesMax: 256, onRejected: (one) => rejected.push(one) });
  });

  it("the text is long enough to be cut", () => {
    expect(bytes.length).toBeGreaterThan(100_000);
    expect(found.length).toBeGreaterThan(1000);
  });

  it.each([
    [1, Number.MAX_SAFE_INTEGER],
    [2, 50_000],
    [2, 4096],
    [3, 997],
    [5, 20_000],
  ])("%i threads, ranges of %i bytes: the same matches, rejected candidates and counts", async (threads, rangeBytes) => {
    const { text, rejected: list, totals, failed, lines } = await scan([path], pooled(threads, rangeBytes));
    expect(parsed(text)).toEqual(found.map((match) => ({ ...match.toJSON(), source: path })));
    expect(parsed(list)).toEqual(rejected.map(({ code, ...one }) => ({ reason: code, ...one, source: path })));
    expect({ failed, lines }).toEqual({ failed: [], lines: found.length });
    const byReason = REASON_NAMES.map((reason) => rejected.filter((one) => one.code === reason).length);
    expect(totals).toMatchObject({ bytes: bytes.length, matches: found.length, rejected: byReason, skipped: 0 });
  });

  it.each([
    [2, Number.MAX_SAFE_INTEGER],
    [3, Number.MAX_SAFE_INTEGER],
    // This thread waits for its turn as soon as it has found something.
    [2, 0],
    [3, 2000],
  ])("%i threads of which this one is one, which keeps %s bytes: the same", async (threads, earlyBytesMost) => {
    const large = put("large", Buffer.concat(Array(40).fill(bytes)));
    const whole = await scan([large], {});
    // So many steps that the workers have started long before the last one.
    const { text, totals } = await scan([large], { ...pooled(threads, 4096), scansHere: true, earlyBytesMost });
    expect(text === whole.text).toBe(true);
    expect(totals).toEqual(whole.totals);
  });

  it.each([1, 2])("a range of a file, %i threads", async (threads) => {
    const range = { from: 30_001, to: 70_003 };
    const { text, totals } = await scan([path], { ...pooled(threads, 9000), range });
    const owned = found.filter(({ start }) => start >= range.from && start < range.to);
    expect(parsed(text)).toEqual(owned.map((match) => ({ ...match.toJSON(), source: path })));
    expect(totals).toMatchObject({ bytes: range.to - range.from, matches: owned.length });
  });

  it("many files, small and large, in order", async () => {
    const paths = Array.from({ length: 600 }, (_, index) => put(`many-${index}`, `http://h${index}.example/ ${"x ".repeat(index * 20)}`));
    const { text } = await scan(paths, { ...pooled(3, 5000), settings: { ...SETTINGS, format: "plain" } });
    expect(text).toBe(paths.map((_, index) => `http://h${index}.example/\n`).join(""));
  });

  it("offsets beyond 4 GiB", async () => {
    const far = put("holes", "");
    const offset = 4.5 * 2 ** 30;
    truncateSync(far, offset);
    writeFileSync(far, "http://far.example/", { flag: "a" });
    const range = { from: offset - 10_000_000, to: EVERYTHING.to };
    const { text } = await scan([far], { ...pooled(2, 3_000_000), range });
    expect(JSON.parse(text)).toMatchObject({ url: "http://far.example/", start: offset, end: offset + 19 });
    rmSync(far);
  });
});

// A descriptor may close between listing and looking.
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

describe("what goes wrong", () => {
  const big = "see http://a.example/ there\n".repeat(20_000);

  it("a large file that cannot be read is named once, the others are read", async () => {
    const broken = put("broken", gzipSync(randomBytes(100_000)).subarray(0, 50_000));
    const good = put("good", big);
    for (const options of [{}, pooled(2, 10_000)]) {
      const { failed, lines, totals } = await scan([broken, pathOf("nowhere"), good], options);
      expect(failed.map(({ code, source }) => [code, source])).toEqual([
        ["ERR_URLMILL_TRUNCATED", broken],
        ["ERR_URLMILL_NOT_FOUND", pathOf("nowhere")],
      ]);
      expect({ lines, totals }).toMatchObject({ lines: 20_000, totals: { skipped: 2 } });
    }
  });

  it("a file that vanishes after it has been listed is named, the others are read", async () => {
    const paths = ["one", "two", "three"].map((name) => put(name, "http://a.example/"));
    // The next path is asked for when the one before has been listed, and the group is read when all three have.
    const inputs = (function* () {
      yield* paths.slice(0, 2);
      rmSync(paths[1]);
      yield paths[2];
    })();
    const { takers, scanned } = keeper();
    await scanFiles(inputs, { settings: SETTINGS, ...pooled(2, 10_000), threads: 2 }, sinkOf(takers));
    expect(scanned.failed.map(({ code, source }) => [code, source])).toEqual([["ERR_URLMILL_NOT_FOUND", paths[1]]]);
    expect(scanned.lines).toBe(2);
  });

  it("failFast rejects with the first SourceError, after what was found before", async () => {
    const good = put("good", big);
    for (const options of [{}, pooled(2, 100_000)]) {
      const { takers, scanned } = keeper();
      const scanning = scanFiles(
        [good, pathOf("nowhere"), good],
        { settings: SETTINGS, threads: 1, failFast: true, ...options },
        sinkOf(takers),
      );
      await expect(scanning).rejects.toMatchObject({ name: "SourceError", code: "ERR_URLMILL_NOT_FOUND" });
      expect(scanned.lines).toBe(20_000);
    }
  });

  it("what the sink throws ends the scan, and no file stays open", async () => {
    const good = put("good", big);
    const open = (): string[] => readdirSync("/proc/self/fd", { withFileTypes: true }).map(({ name }) => targetOf(`/proc/self/fd/${name}`));
    for (const options of [{}, pooled(2, 10_000)]) {
      const { takers } = keeper();
      const full = new Error("the disk is full");
      takers.bytes = () => {
        throw full;
      };
      await expect(scanFiles([good], { settings: SETTINGS, threads: 1, ...options }, sinkOf(takers))).rejects.toBe(full);
    }
    if (process.platform === "linux") expect(open()).not.toContain(good);
  });

  it.each([1, 2])("a signal ends the scan with its reason, %i threads", async (threads) => {
    const good = put("good", big.repeat(20));
    const controller = new AbortController();
    const { takers, scanned } = keeper();
    const { bytes } = takers;
    takers.bytes = (batch) => {
      bytes?.(batch);
      controller.abort(new Error("enough"));
    };
    const options = { settings: SETTINGS, signal: controller.signal, ...pooled(threads, 100_000), threads };
    await expect(scanFiles([good], options, sinkOf(takers))).rejects.toThrow("enough");
    expect(scanned.lines).toBeLessThan(400_000);
  });
});
