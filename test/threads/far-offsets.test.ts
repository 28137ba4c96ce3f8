// Offsets beyond 2^32, 2^40 and next to 2^53 - 1: from sparse files, and from a scan that begins there.
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { releaseCore } from "../../src/core/core.ts";
import { extractFiles } from "../../src/index.ts";
import { checkOptions } from "../../src/options/options.ts";
import { formatted } from "../../src/output/formatted.ts";
import { openScanner } from "../../src/run/open-scanner.ts";
import { sinkOf } from "../output/sinks.ts";
import { pathOf, useFolder } from "./folder.ts";

useFolder();

const URL_TEXT = "http://far.example/away";
const FAR = [2 ** 32, 2 ** 40, 2 ** 53 - 1 - 64] as const;
/** Bytes before the far offset at which the URL begins: it crosses it. */
const BEFORE = 9;

describe("a scan that begins far away", () => {
  it.each(FAR)("around %d: records have the offsets", (far) => {
    const { settings } = checkOptions("ExtractStream", { format: "ndjson", fields: ["url", "start", "end"] });
    let text = "";
    const sink = sinkOf({
      bytes: ({ bytes }) => {
        text += Buffer.from(bytes).toString();
      },
    });
    const offset = far - BEFORE - 1;
    const range = { offset, from: offset, to: Number.MAX_SAFE_INTEGER, source: "far" };
    const { scanner, core } = openScanner(settings, "text", formatted(settings, sink), range);
    scanner.write(Buffer.from(` ${URL_TEXT} and\n`));
    scanner.end();
    releaseCore(core);
    const start = far - BEFORE;
    expect(JSON.parse(text)).toEqual({ url: URL_TEXT, start, end: start + URL_TEXT.length });
  });
});

/** Writes a file that is a hole but for a URL across `far` and one at its end; undefined if the file system has no files of that size. */
function sparse(far: number): string | undefined {
  const path = pathOf(`sparse-${far}`);
  const file = openSync(path, "w");
  try {
    ftruncateSync(file, far + (64 << 20));
    writeSync(file, ` ${URL_TEXT} `, far - BEFORE - 1);
    writeSync(file, " http://last.example/ ", far + (64 << 20));
    return path;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

describe("a sparse file", () => {
  it.each([2 ** 32, 2 ** 40])("of more than %d bytes: ranges give the offsets, for any number of threads", async (far) => {
    const path = sparse(far);
    if (path === undefined) throw new Error("the file system of the tests has no files of a tebibyte");
    const end = far + (64 << 20);
    for (const threads of [1, 2]) {
      const found: unknown[] = [];
      const range: [number, number] = [far - (1 << 20), Number.MAX_SAFE_INTEGER];
      for await (const match of extractFiles(path, { type: "text", threads, range })) found.push([match.url, match.start, match.end]);
      expect(found).toEqual([
        [URL_TEXT, far - BEFORE, far - BEFORE + URL_TEXT.length],
        ["http://last.example/", end + 1, end + 21],
      ]);
    }
  });
});
