// From each state of a scan another scan goes on to what one scan finds, for any number of threads (X13).
import { symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { checkOptions, type ScanSettings } from "../../src/options/options.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { newPosition } from "../../src/run/run-position.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { firstState, type ScanState } from "../../src/threads/scan-state.ts";
import { BGZF_END, bgzf, bgzfBlock, piecesOf, seekableZstd } from "../input/blocks.ts";
import { mboxes } from "../mail/pieces.ts";
import { sinkOf } from "../output/sinks.ts";
import { texts } from "../scan/pieces.ts";
import { pathOf, put, useFolder } from "./folder.ts";
import { inMembers, misleading, RECORDS, WHOLE } from "./web-records.ts";

useFolder();

const FORM = { fields: ["url", "source", "start", "message", "message_id"], format: "ndjson" } as const;
const SETTINGS: ScanSettings = { ...checkOptions("ExtractStream", FORM).settings, urlBytesMax: 256, rejected: true };

/** What a scan gives; the lengths are those of its texts at a state. */
interface Scanned {
  text: string;
  rejected: string;
  failed: string[];
  totals?: unknown;
  states: { state: ScanState; text: number; rejected: number; failed: number }[];
}

async function scan(paths: readonly string[], options: Partial<ScanFilesOptions>, resumed?: ScanState): Promise<Scanned> {
  const scanned: Scanned = { text: "", rejected: "", failed: [], states: [] };
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      scanned.text += Buffer.from(bytes).toString("latin1");
    },
    rejected: (batch) => {
      scanned.rejected += rejectedLines(batch);
    },
    omitted: (result) => {
      scanned.rejected += rejectedLines(result);
    },
    failed: ({ error }) => scanned.failed.push(error.message),
  });
  const keeper = {
    resumed,
    reached(state: () => ScanState): undefined {
      const { text, rejected, failed } = scanned;
      // As a file holds it.
      const kept = JSON.parse(JSON.stringify(state())) as ScanState;
      scanned.states.push({ state: kept, text: text.length, rejected: rejected.length, failed: failed.length });
    },
  };
  scanned.totals = await scanFiles(paths, { settings: SETTINGS, threads: 1, workMillisecondsLeast: 0, keeper, ...options }, sink);
  return scanned;
}

/** Goes on from `count` states of a scan, and expects what the whole scan gives. Returns how many of them are within a file. */
async function goOn(
  paths: readonly string[],
  one: Partial<ScanFilesOptions>,
  other: Partial<ScanFilesOptions>,
  count = 8,
): Promise<number> {
  const whole = await scan(paths, { keeper: undefined });
  const { states, ...begun } = await scan(paths, one);
  expect(begun).toEqual({ ...whole, states: undefined });
  const every = Math.max(1, Math.floor(states.length / count));
  const chosen = states.filter((_, index) => index % every === 0);
  for (const { state, text, rejected, failed } of chosen) {
    const rest = await scan(paths, other, state);
    expect(whole.text.slice(0, text) + rest.text === whole.text).toBe(true);
    expect(whole.rejected.slice(0, rejected) + rest.rejected === whole.rejected).toBe(true);
    expect([...whole.failed.slice(0, failed), ...rest.failed]).toEqual(whole.failed);
    expect(rest.totals).toEqual(whole.totals);
  }
  return chosen.filter(({ state }) => state.from !== undefined).length;
}

const sample = (pieces: fc.Arbitrary<Buffer>, count: number): Buffer =>
  Buffer.concat(fc.sample(pieces, { numRuns: count, seed: 11 }).flatMap((piece) => [piece, Buffer.from("\n\n")]));
const TEXT = sample(texts(40), 1200);
const MBOX = Buffer.concat([Buffer.from("From a@b Thu Jan  1 00:00:00 1995\nFrom: a@b\n\nhttp://first.example/\n\n"), sample(mboxes, 50)]);
const THREADS: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [3, 2],
];

describe("a scan goes on from its states", () => {
  let paths: string[];
  beforeAll(() => {
    const small = Array.from({ length: 30 }, (_, index) => put(`small-${index}`, `http://h${index}.example/ ${"x ".repeat(index * 40)}`));
    symlinkSync(pathOf("nowhere"), pathOf("folder-link"));
    paths = [
      ...small.slice(0, 10),
      put("text", TEXT),
      pathOf("absent"),
      put("mbox", MBOX),
      put("cut.gz", gzipSync(TEXT).subarray(0, -20)),
      put("whole.gz", gzipSync(MBOX)),
      ...small.slice(10),
    ];
  });

  it.each(THREADS)("many files, some large, one absent, one damaged: begun with %i threads, gone on with %i", async (threads, others) => {
    const inFiles = await goOn(
      paths,
      { threads, rangeBytes: 5000, scansHere: true },
      { threads: others, rangeBytes: 7000, scansHere: true },
    );
    expect(inFiles).toBeGreaterThan(3);
  });

  it.each(THREADS)("one mbox, with numbers of messages: %i threads, then %i", async (threads, others) => {
    const path = put("one.mbox", MBOX);
    expect(await goOn([path], { threads, rangeBytes: 3000 }, { threads: others, rangeBytes: 4500 })).toBeGreaterThan(6);
  });

  it.each(THREADS)("bgzip and seekable zstd: %i threads, then %i", async (threads, others) => {
    const both = [put("blocks.gz", bgzf(MBOX, 700)), put("blocks.zst", seekableZstd(MBOX, 700))];
    expect(await goOn(both, { threads, rangeBytes: 4000 }, { threads: others, rangeBytes: 9000 })).toBeGreaterThan(5);
  });

  it.each(THREADS)("web archives, as they are and in gzip: %i threads, then %i", async (threads, others) => {
    const both = [put("pages.warc", WHOLE), put("pages.warc.gz", inMembers(RECORDS)), put("misleading.warc", misleading().bytes)];
    expect(await goOn(both, { threads, rangeBytes: 4000 }, { threads: others, rangeBytes: 9000 })).toBeGreaterThan(2);
  });

  it("a web archive that would not be cut the second time", async () => {
    for (const path of [put("once.warc", WHOLE), put("once.warc.gz", inMembers(RECORDS))]) {
      expect(await goOn([path], { rangeBytes: 4000 }, { rangeBytes: 1 << 28 })).toBeGreaterThan(1);
    }
  });

  it("a part that was read to the end of its file: the next file is next", async () => {
    const pieces = piecesOf(TEXT, 700);
    const blocks = pieces.map((piece, index) => bgzfBlock(piece, index === 20 ? { length: piece.length + 1 } : {}));
    const lie = put("lie.gz", Buffer.concat([...blocks, BGZF_END]));
    await goOn([lie, put("after", "http://after.example/")], { threads: 2, rangeBytes: 4000 }, { threads: 1, rangeBytes: 4000 }, 40);
  });
});

describe("a scan of other inputs does not go on", () => {
  const changes: readonly (readonly [string, (path: string) => void])[] = [
    ["a file that is longer", (path) => writeFileSync(path, "http://a.example/ and more", { flag: "a" })],
    ["a file that is shorter", (path) => truncateSync(path, 20_000)],
    ["a file that was written at another time", (path) => utimesSync(path, 1, 2)],
  ];
  it.each(changes)("%s", async (_, change) => {
    const path = put("changed", TEXT);
    const { states } = await scan([path], { rangeBytes: 5000 });
    change(path);
    await expect(scan([path], {}, states[3]?.state)).rejects.toThrow(/^the inputs have changed: /);
  });

  it("one file less", async () => {
    const paths = ["one", "two"].map((name) => put(name, "http://a.example/"));
    const { states } = await scan(paths, {});
    await expect(scan(paths.slice(1), {}, states.at(-1)?.state)).rejects.toThrow(/^the inputs have changed: /);
  });

  it("the state of a scan that has not begun fits any", async () => {
    const path = put("any", "http://a.example/");
    expect((await scan([path], {}, firstState())).text).toContain("http://a.example/");
  });
});

it("counts the bytes that an earlier scan has read", async () => {
  const sizes = [30_000, 50_000, 10];
  const paths = sizes.map((size, index) => put(`file${index}`, Buffer.alloc(size, "http://a.example/ words ")));
  const { states } = await scan(paths, { rangeBytes: 10_000 });
  const before: number[] = [];
  for (const { state } of states) {
    const position = newPosition();
    await scan(paths, { rangeBytes: 10_000, position }, state);
    before.push(position.readBefore);
    expect(position.readBefore + Number(position.read[0])).toBe(80_010);
  }
  expect(before.at(-1)).toBe(80_010);
  expect(new Set(before).size).toBeGreaterThan(4);
});
