// What goes wrong with one source is an error of that source: the others are still read, and what the sink throws ends the scan.
import { appendFileSync, statSync, truncateSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WINDOW_REGION } from "#core/layout/memory.js";
import type { SourceError } from "../../src/base/errors.ts";
import { releaseCore, takeCore } from "../../src/core/core.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { zip } from "../input/archives.ts";
import { sinkOf, type Takers } from "../output/sinks.ts";
import { put, useFolder } from "./folder.ts";
import { SETTINGS } from "./settings.ts";

useFolder();

const LINE = "http://a.example/some/path\n";
interface Scanned {
  text: string;
  failed: SourceError[];
}

async function scan(paths: string[], options: Partial<ScanFilesOptions>, change: Takers = {}): Promise<Scanned> {
  const scanned: Scanned = { text: "", failed: [] };
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      scanned.text += Buffer.from(bytes).toString();
    },
    failed: ({ error }) => scanned.failed.push(error),
    ...change,
  });
  await scanFiles(paths, { settings: SETTINGS, threads: 1, ...options }, sink);
  return scanned;
}

describe("a file that becomes shorter while it is read", () => {
  it.each([
    ["text on this thread", "x", { threads: 1 }],
    ["text in ranges", "x", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20 }],
    [
      "an mbox in ranges",
      "From a@b.example Fri Jan  5 10:11:12 1996\nTo: x\n\n",
      { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20 },
    ],
    ["text in ranges, some of them here", "x", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 16, scansHere: true }],
  ])("%s: what is there is read, and the file is named once", async (_, head, options) => {
    const path = put("shrinking", head + LINE.repeat(1_000_000));
    const after = put("after", "http://after.example/\n");
    const { size } = statSync(path);
    let text = "";
    const bytes: Takers["bytes"] = (batch) => {
      if (text === "") truncateSync(path, 4096);
      text += Buffer.from(batch.bytes).toString();
    };
    const { failed } = await scan([path, after], options, { bytes });
    expect(failed.map(({ code, source }) => [code, source])).toEqual([["ERR_URLMILL_TRUNCATED", path]]);
    expect(text.endsWith("http://after.example/\n")).toBe(true);
    expect(text.length).toBeLessThan(size);
  });
});

describe("a file that grows while it is read", () => {
  it.each([
    ["on this thread", { threads: 1 }],
    ["in ranges", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20 }],
    ["in ranges, some of them here", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 16, scansHere: true }],
  ])("%s: all that was there is read once, and what came before its end was reached", async (_, options) => {
    const lines = 200_000;
    const path = put("growing", LINE.repeat(lines));
    const more = "http://more.example/\n".repeat(1000);
    let text = "";
    const bytes: Takers["bytes"] = (batch) => {
      if (text === "") appendFileSync(path, more);
      text += Buffer.from(batch.bytes).toString();
    };
    const { failed } = await scan([path, put("after", "http://after.example/\n")], options, { bytes });
    expect(failed).toEqual([]);
    const [, found = "", added = ""] =
      /^((?:http:\/\/a\.example\/some\/path\n)*)((?:http:\/\/more\.example\/\n)*)http:\/\/after\.example\/\n$/.exec(text) ?? [];
    expect(found.length).toBe(LINE.length * lines);
    expect(more.startsWith(added)).toBe(true);
  });
});

describe("an error of urlmill itself", () => {
  // The next scan takes the core that was released last.
  const core = takeCore();
  releaseCore(core);
  const { scan: honest } = core;
  afterEach(() => {
    core.scan = honest;
  });

  /** The core throws when it is to scan a text that begins with the URL of that name. */
  const failAt = (name: string, message: string): void => {
    core.scan = (...given) => {
      if (Buffer.from(core.bytes.buffer, WINDOW_REGION, 64).includes(`http://${name}.`)) throw new RangeError(message);
      return honest(...given);
    };
  };

  it("is one of the source that it comes up in; the others are read", async () => {
    const paths = ["one", "two", "three"].map((name) => put(name, `http://${name}.example/\n`));
    failAt("two", "Invalid string length");
    const { text, failed } = await scan(paths, {});
    expect(text).toBe("http://one.example/\nhttp://three.example/\n");
    expect(failed.map(({ code, source }) => [code, source])).toEqual([["ERR_URLMILL_INTERNAL", paths[1]]]);
    expect(failed[0]?.message).toBe(
      `${paths[1]}: was not read to its end because of an error in urlmill (RangeError: Invalid string length); please report it`,
    );
  });

  it("is one of the member of an archive", async () => {
    const path = put("zip", zip(["one", "two", "three"].map((name) => ({ name, text: `http://${name}.example/\n` }))));
    failAt("two", "no");
    const { text, failed } = await scan([path], {});
    expect(text).toBe("http://one.example/\nhttp://three.example/\n");
    expect(failed.map(({ code, source }) => [code, source])).toEqual([["ERR_URLMILL_INTERNAL", `${path}!two`]]);
  });
});

describe("a scan on this thread", () => {
  // The next scan takes the core that was released last.
  const core = takeCore();
  releaseCore(core);
  const { scan: honest } = core;
  afterEach(() => {
    core.scan = honest;
  });

  it("lets the event loop turn between two reads that take long", async () => {
    let scans = 0;
    core.scan = (...given) => {
      scans++;
      return honest(...given);
    };
    // Whoever asks for the time is told that 12 ms have gone by.
    let nanoseconds = 0;
    const clock = vi.spyOn(process, "hrtime").mockImplementation(() => {
      nanoseconds += 12e6;
      return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
    });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await scan([put("long", (LINE + "word ".repeat(60)).repeat(40_000))], {});
    isOver = true;
    clock.mockRestore();
    // Some reads are scanned in two steps.
    expect(scans).toBeGreaterThan(10);
    expect(turns).toBeGreaterThan(scans / 3);
  });
});

describe("what the sink throws ends the scan", () => {
  const path = (): string => put("some", LINE);

  it("from a call", async () => {
    const bytes = (): never => {
      throw new RangeError("mine");
    };
    await expect(scan([path(), path()], {}, { bytes })).rejects.toThrow(/^mine$/);
  });

  it("from what it had to be waited for", async () => {
    const wait = (): Promise<void> => Promise.reject(new RangeError("mine"));
    await expect(scan([path(), path()], {}, { wait })).rejects.toThrow(/^mine$/);
  });

  it("with failFast the first error of a source, once", async () => {
    const failed: SourceError[] = [];
    const paths = [put("cut.gz", Buffer.from("1f8b0800000000000003", "hex")), path()];
    const scanning = scan(paths, { failFast: true }, { failed: ({ error }) => failed.push(error) });
    await expect(scanning).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
    expect(failed).toHaveLength(1);
  });
});
