// The limits of compressed data and archives (A11): at the limit, one beyond it and far beyond; as the library and the command take them.
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type ContainerOptions, ExtractStream, extractFiles, extractFrom, extractWebStream } from "../../src/index.ts";
import { CONTAINER_LIMITS, limitsOf } from "../../src/input/containers/limits.ts";
import { checkOptions, type ExtractFilesOptions, type ExtractFromOptions } from "../../src/options/options.ts";
import { OPTIONS } from "../../src/options/table.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { run } from "../cli/run.ts";
import { sinkOf } from "../output/sinks.ts";
import { put, useFolder } from "../threads/folder.ts";
import { tar, zip } from "./archives.ts";
import { bgzf, seekableZstd } from "./blocks.ts";
import { widened, windowFrame } from "./bombs.ts";
import { openAsFile, openBytes, type Read } from "./open.ts";
import { XZ_BARE } from "./packed.ts";

useFolder();

const LINE = "http://a.example/\n";
const LINES = LINE.repeat(100);
/** Ways to hold `LINES`, as one member or several. */
const FORMS: readonly (readonly [string, Buffer])[] = [
  ["gzip", gzipSync(LINES)],
  ["members of gzip", Buffer.concat([gzipSync(LINES.slice(0, 700)), gzipSync(LINES.slice(700))])],
  ["zstd", seekableZstd(Buffer.from(LINES), 300)],
  [
    "tar.gz",
    gzipSync(
      tar([
        { name: "a", text: LINES.slice(0, 1000) },
        { name: "b", text: LINES.slice(1000) },
      ]),
    ),
  ],
  [
    "zip",
    zip([
      { name: "a", text: LINES.slice(0, 100) },
      { name: "b", text: LINES.slice(100), isOpenEnded: true },
    ]),
  ],
];

const textOf = (found: readonly Read[]): string => found.map(([, text]) => text).join("");
/** The message of the error with which the library ends. */
async function messageOf(open: () => AsyncIterable<unknown>): Promise<string | undefined> {
  try {
    for await (const _ of open());
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

const codesOf = (found: readonly Read[]): string[] => found.flatMap(([, , code]) => code ?? []);

it.each(FORMS)("expandMax: all text up to it is read, however the input is cut: %s", async (_, bytes) => {
  expect(codesOf(await openBytes("x", bytes, { expandMax: LINES.length } satisfies ContainerOptions))).toEqual([]);
  for (const expandMax of [LINES.length - 1, 1000, 999, 100, 1]) {
    for (const found of [
      await openBytes("x", bytes, { expandMax }),
      await openBytes("x", bytes, { expandMax }, 7),
      await openAsFile("x", bytes, { expandMax }),
    ]) {
      expect(codesOf(found)).toEqual(["ERR_URLMILL_LIMIT"]);
      expect(textOf(found)).toBe(LINES.slice(0, expandMax));
    }
  }
});

it("expandMax: what is decoded and thrown away ends the source too", async () => {
  const inner = gzipSync(Buffer.alloc(20_000));
  const bytes = gzipSync(Buffer.concat([...Array<Buffer>(8).fill(inner), Buffer.from("x")]));
  const limits = { expandMax: 1, ratioFreeBytes: 10_000, ratioMax: 1e9 };
  const found = await openBytes(
    "x",
    tar([
      { name: "a.gz", text: bytes },
      { name: "b", text: "b" },
    ]),
    limits,
  );
  expect(codesOf(found)).toEqual(["ERR_URLMILL_LIMIT"]);
  expect(textOf(found).length).toBeLessThan(2);
});

it("ratioMax: what is decoded for each byte", async () => {
  const zeros = gzipSync(Buffer.alloc(1 << 20));
  // A decoder has not taken the checksum and the length yet when it gives its last text.
  const ratio = Math.ceil((1 << 20) / (zeros.length - 8));
  const limits = { ratioFreeBytes: 1 << 10 };
  expect(codesOf(await openBytes("x", zeros, { ...limits, ratioMax: ratio }))).toEqual([]);
  expect(codesOf(await openBytes("x", zeros, { ...limits, ratioMax: ratio - 1 }))).toEqual(["ERR_URLMILL_LIMIT"]);
  expect(codesOf(await openBytes("x", zeros, { ...limits, ratioMax: 1 }))).toEqual(["ERR_URLMILL_LIMIT"]);
});

it("depthMax: containers in each other", async () => {
  const nested = (depth: number): Buffer => Array.from({ length: depth }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(LINE));
  for (const depthMax of [1, 3, 12]) {
    expect(await openBytes("x", nested(depthMax), { depthMax })).toEqual([["x", LINE]]);
    expect(await openBytes("x", nested(depthMax + 1), { depthMax })).toEqual([["x", "", "ERR_URLMILL_LIMIT"]]);
    expect(await openBytes("x", nested(depthMax + 40), { depthMax })).toEqual([["x", "", "ERR_URLMILL_LIMIT"]]);
  }
});

it("membersMax: members, also of containers in the source", async () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}`, text: LINE }));
  const limits = { membersMax: 10 };
  expect(codesOf(await openBytes("x", zip(files(10)), limits))).toEqual([]);
  for (const count of [11, 2000]) {
    for (const found of [await openBytes("x", zip(files(count)), limits), await openAsFile("x", tar(files(count)), limits)]) {
      expect(codesOf(found)).toEqual(["ERR_URLMILL_LIMIT"]);
      expect(textOf(found)).toBe(LINE.repeat(10));
    }
  }
  const inner = tar([...files(4), { name: "inner.tar", text: tar(files(5)) }]);
  expect(codesOf(await openBytes("x", inner, limits))).toEqual([]);
  expect(codesOf(await openBytes("x", inner, { membersMax: 9 }))).toEqual(["ERR_URLMILL_LIMIT"]);
});

it.each([
  ["zstd", windowFrame(28, LINE), 28, "zstd -dc --long=31"],
  ["zstd at the limit", windowFrame(31, LINE), 31, "zstd -dc --long=31"],
  ["xz", widened(XZ_BARE, 32), 28, "xz -dc"],
] as const)("windowMax: what is before a text and may be copied: %s", async (_, bytes, bits, program) => {
  const windowMax = 2 ** bits;
  for (const found of [await openBytes("x", bytes, { windowMax }), await openAsFile("x", bytes, { windowMax })])
    expect(textOf(found)).toBe(LINE);
  const instead = `--window-max ${windowMax / 2 ** 20}M, or unpack it first: ${program} FILE | urlmill --type json`;
  for (const most of [windowMax - 1, undefined]) {
    const wanted = `the input was abandoned: its window has ${windowMax} bytes, more than ${most ?? 2 ** 27} (${instead})`;
    expect(await messageOf(() => extractFrom(bytes, { windowMax: most }))).toBe(wanted);
  }
});

it.each([
  ["bgzf", bgzf],
  ["zstd", seekableZstd],
] as const)("expandMax: by threads what one finds: %s", async (name, make) => {
  const path = put(`lines.${name}`, make(Buffer.from(LINES), 200));
  const options: ExtractFilesOptions = { type: "text", expandMax: 1000 };
  const { settings } = checkOptions("extractFiles", options);
  for (const threads of [1, 2]) {
    const found = { text: "", failed: [] as string[] };
    const sink = sinkOf({
      bytes: ({ bytes }) => {
        found.text += Buffer.from(bytes).toString();
      },
      failed: ({ error }) => void found.failed.push(error.message),
    });
    await scanFiles([path], { settings: { ...settings, format: "plain" }, threads, rangeBytes: 300, workMillisecondsLeast: 0 }, sink);
    expect(found.text).toBe(LINE.repeat(Math.floor(1000 / LINE.length)));
    expect(found.failed).toEqual([`${path}: was abandoned: it decodes to more than 1000 bytes (expandMax)`]);
  }
});

/** The functions that open compressed data. */
const DOORS: readonly (readonly [string, (bytes: Buffer, options: ExtractFromOptions) => AsyncIterable<unknown>])[] = [
  ["extractFrom", extractFrom],
  ["extractFiles", (bytes, options) => extractFiles(put("packed", bytes), options)],
  ["ExtractStream", (bytes, options) => Readable.from([bytes]).compose(new ExtractStream(options))],
  ["ExtractStream, threads", (bytes, options) => Readable.from([bytes]).compose(new ExtractStream({ ...options, threads: 2 }))],
  ["extractWebStream", (bytes, options) => new Blob([new Uint8Array(bytes)]).stream().pipeThrough(extractWebStream(options))],
];

it.each(DOORS)("%s takes them", async (_, open) => {
  const bytes = zip([
    { name: "a.gz", text: gzipSync(LINE) },
    { name: "b", text: LINE },
  ]);
  const read = (options: ExtractFromOptions): Promise<string | undefined> => messageOf(() => open(bytes, options));
  expect(await read({ expandMax: 2 * LINE.length, depthMax: 2, membersMax: 2, ratioMax: 1 })).toBe(undefined);
  expect(await read({ expandMax: 2 * LINE.length - 1 })).toMatch(/more than 35 bytes \(expandMax\)$/);
  expect(await read({ expandMax: "0.02K" })).toMatch(/more than 20 bytes \(expandMax\)$/);
  expect(await read({ depthMax: 1 })).toMatch(/inside 1 other containers \(depthMax\)$/);
  expect(await read({ windowMax: 2 ** 20 })).toBe(undefined);
  expect(await read({ windowMax: 2 ** 20 - 1 })).toMatch(/^windowMax must be/);
  expect(await read({ membersMax: 1 })).toMatch(/more than 1 members \(membersMax\)$/);
});

it.each([1.5, 1000n, ["10M"], "10 M", "1e3", -1, 0, Number.POSITIVE_INFINITY])("a number of bytes is no %o", (expandMax) => {
  expect(() => extractFrom("", { expandMax } as object)).toThrow(/^expandMax must be a number of bytes such as 512M or 2G/);
});

it("the command takes them, names what it left, and counts it", async () => {
  const path = put("lines.gz", gzipSync(LINES));
  const { code, stdout, stderr } = await run(["--expand-max", "1K", "--stats", path]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: LINE.repeat(Math.floor(1024 / LINE.length)) });
  const [message = "", stats = ""] = stderr.split("\n");
  expect(message).toBe(`urlmill: ${path}: was abandoned: it decodes to more than 1024 bytes (--expand-max)`);
  expect(JSON.parse(stats)).toMatchObject({ skipped: 1 });
  expect((await run(["--depth-max", "0", path])).stderr).toMatch(/--depth-max/);
  const wide = put("wide.zst", windowFrame(31, LINE));
  expect(await run(["--window-max", "2G", wide])).toMatchObject({ code: 0, stdout: LINE, stderr: "" });
  expect((await run([wide])).stderr).toMatch("(--window-max 2048M, or unpack it first: zstd -dc --long=31 FILE | urlmill --type json)");
  expect((await run(["--window-max", "3G", wide])).stderr).toMatch('at least 1M and at most 2048M, not "3G"');
});

it("help and documents name the usual limits", () => {
  const none = { expandMax: undefined, ratioMax: undefined, depthMax: undefined, membersMax: undefined, windowMax: undefined };
  const { expandMax, ...usual } = limitsOf(none);
  expect({ expandMax, ...usual }).toEqual(CONTAINER_LIMITS);
  for (const name of ["ratioMax", "depthMax", "membersMax"] as const) expect(OPTIONS[name].help).toMatch(`(default: ${usual[name]})`);
  expect(OPTIONS.windowMax.help).toMatch(`(default: ${usual.windowMax / 2 ** 20}M)`);
  expect(expandMax).toBe(Number.POSITIVE_INFINITY);
});
