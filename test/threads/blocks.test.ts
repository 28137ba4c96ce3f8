// Compressed text that is read in parts gives what it gives as a whole, for any number of threads, damaged or not (X13, A11).
import fs, { statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Pacer } from "../../src/input/pacer.ts";
import { type FilePart, scanFile } from "../../src/run/scan-file.ts";
import { sourceErrorOf } from "../../src/run/scan-source.ts";
import { emptyTotals } from "../../src/run/totals.ts";
import {
  BGZF_END,
  type BlockLies,
  bgzf,
  bgzfBlock,
  type FrameSizes,
  piecesOf,
  seekableZstd,
  seekTable,
  zstdFrame,
  zstdRuns,
} from "../input/blocks.ts";
import { mboxes, mmdfs } from "../mail/pieces.ts";
import { sinkOf } from "../output/sinks.ts";
import { pages, texts } from "../scan/pieces.ts";
import { put, useFolder } from "./folder.ts";
import { AS_TEXT, count, partsOf, SETTINGS, scan } from "./scans.ts";

useFolder();

const sample = (pieces: fc.Arbitrary<Buffer>, count: number): Buffer =>
  Buffer.concat(fc.sample(pieces, { numRuns: count, seed: 7 }).flatMap((piece) => [piece, Buffer.from("\n\n")]));

const TEXT = sample(texts(40), 1500);
const MBOX = Buffer.concat([Buffer.from("From a@b Thu Jan  1 00:00:00 1995\nFrom: a@b\n\nhttp://first.example/\n\n"), sample(mboxes, 60)]);

const FORMS: readonly (readonly [name: string, make: (text: Uint8Array, size: number) => Buffer])[] = [
  ["bgz", bgzf],
  ["zst", seekableZstd],
];

describe.each(FORMS)("whole files: %s", (form, make) => {
  it.each([
    [2, 300, 1000],
    [2, 997, 200],
    [3, 4096, 5000],
    [3, 20_000, 65_000],
    [2, 1, 777],
  ])("text, %i threads, ranges of %i bytes, blocks of %i", async (threads, rangeBytes, size) => {
    const path = put(`text.${form}`, make(TEXT, size));
    const whole = await scan(path, { settings: AS_TEXT });
    expect(whole.failed).toEqual([]);
    expect(whole.totals).toMatchObject({ bytes: TEXT.length });
    expect(partsOf(path, rangeBytes, AS_TEXT).length).toBeGreaterThanOrEqual(TEXT.length / (size * Math.ceil(rangeBytes / size)));
    for (const scansHere of [false, true]) {
      expect(await scan(path, { settings: AS_TEXT, threads, rangeBytes, scansHere })).toEqual(whole);
    }
  });

  it.each([
    [2, 2000, 200],
    [3, 5000, 997],
  ])("mail, %i threads, ranges of %i bytes, blocks of %i", async (threads, rangeBytes, size) => {
    for (const [name, text] of [
      ["mbox", MBOX],
      ["mmdf", sample(mmdfs, 60)],
    ] as const) {
      const path = put(`${name}.${form}`, make(text, size));
      const whole = await scan(path);
      expect(whole.text).toMatch(/"message":\d\d/);
      expect(partsOf(path, rangeBytes, SETTINGS).length).toBeGreaterThan(5);
      expect(await scan([path, path], { threads, rangeBytes, scansHere: true })).toEqual(await scan([path, path]));
    }
  });

  it("what cannot be entered in the middle is one part", () => {
    const [first] = fc.sample(pages(40), { numRuns: 1, seed: 7 });
    const inputs: Record<string, Buffer> = {
      html: Buffer.concat([Buffer.from("<html>"), ...Array<Buffer>(400).fill(first ?? Buffer.of())]),
      json: Buffer.from(JSON.stringify(Array(3000).fill("http://a.example/"))),
      warc: Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9000\r\n\r\n${"x ".repeat(9000)}`),
      gzip: gzipSync(TEXT, { level: 0 }),
    };
    for (const [name, bytes] of Object.entries(inputs)) {
      expect(bytes.length).toBeGreaterThan(9000);
      expect([name, partsOf(put(`${name}.${form}`, make(bytes, 1000)), 300, SETTINGS).length]).toEqual([name, 1]);
    }
    expect(partsOf(put(`short.${form}`, make(TEXT.subarray(0, 8000), 1000)), 300, AS_TEXT)).toHaveLength(1);
  });

  it("blocks that are many and short are one part at their end, and cost few reads", () => {
    const pieces = [...piecesOf(TEXT.subarray(0, 20_000), 1000), ...Array<Uint8Array>(100_000).fill(Buffer.of())];
    const made = new Map(pieces.map((one) => [one, form === "bgz" ? bgzfBlock(one) : zstdFrame(one)]));
    const blocks = pieces.map((one) => made.get(one) ?? Buffer.of());
    const table = form === "bgz" ? [] : [seekTable(blocks.map((one, index): FrameSizes => [one.length, pieces[index]?.length ?? 0]))];
    const path = put(`empty.${form}`, Buffer.concat([...blocks, ...table]));
    const counted = vi.spyOn(fs, "readSync");
    syncBuiltinESMExports();
    try {
      expect(partsOf(path, 1000, AS_TEXT)).toHaveLength(21);
      expect(counted.mock.calls.length).toBeLessThan(200);
    } finally {
      counted.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it("a range of the library is one part", async () => {
    const path = put(`range.${form}`, make(TEXT, 1000));
    const range = { from: 20_000, to: 50_000 };
    const whole = await scan(path, { settings: AS_TEXT, range });
    expect(await scan(path, { settings: AS_TEXT, range, threads: 2, rangeBytes: 1000 })).toEqual(whole);
    expect(whole.totals).toMatchObject({ bytes: 30_000 });
  });
});

const SIZE = 500;
const PIECES = piecesOf(TEXT.subarray(0, 60_000), SIZE);
const BLOCKS = PIECES.map((piece) => bgzfBlock(piece));
const AT = 60;
const piece = (index: number): Uint8Array => PIECES[index] ?? Buffer.of();
const block = (index: number): Buffer => BLOCKS[index] ?? Buffer.of();

/** The blocks, with others in the place of the one in the middle. */
function withBlocks(...others: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...BLOCKS.slice(0, AT), ...others, ...BLOCKS.slice(AT + 1), BGZF_END]);
}

const lying = (lies: BlockLies): Buffer => withBlocks(bgzfBlock(piece(AT), lies));
const whole = withBlocks(block(AT));
/** Offset of the block in the middle. */
const offset = Buffer.concat(BLOCKS.slice(0, AT)).length;

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

/** A block that holds blocks as they are, and whose size says that the next one begins inside it. */
function withInside(): Buffer {
  const inside = Buffer.concat([0, 1, 2].map(block));
  const outer = bgzfBlock(inside, { deflated: deflateRawSync(inside, { level: 0 }) });
  const start = outer.indexOf(block(0));
  return withBlocks(bgzfBlock(inside, { deflated: deflateRawSync(inside, { level: 0 }), size: start + block(0).length }));
}

const GZIP_DAMAGE: Readonly<Record<string, Buffer>> = {
  "a size that is too small": lying({ size: 20 }),
  "a size that is too large": lying({ size: 60_000 }),
  "a size that is one too large": lying({ size: block(AT).length + 1 }),
  "a size that skips a block": lying({ size: block(AT).length + block(AT + 1).length }),
  "a length that is too small": lying({ length: SIZE - 1 }),
  "a length that is too large": lying({ length: SIZE + 1 }),
  "a length that is far too large": lying({ length: 2 ** 32 - 1 }),
  "a checksum that is wrong": lying({ sum: 1 }),
  "data that is wrong in the middle": flipped(whole, offset + 100),
  "data that is wrong at once": lying({ deflated: Buffer.from("ffffffffffff", "hex") }),
  "a header that is wrong": flipped(whole, offset + 2),
  "blocks inside a block": withInside(),
  "a block that is larger than allowed": withBlocks(bgzfBlock(Buffer.concat(Array<Uint8Array>(200).fill(piece(3))))),
  "garbage between blocks": withBlocks(block(AT), Buffer.from("garbage")),
  "zeros between blocks": withBlocks(block(AT), Buffer.alloc(100)),
  "garbage at the end": Buffer.concat([whole, Buffer.from("garbage")]),
  "zeros at the end": Buffer.concat([whole, Buffer.alloc(100)]),
  "a cut inside a block": whole.subarray(0, offset + 100),
  "a cut inside a header": whole.subarray(0, offset + 10),
  "a cut between blocks": whole.subarray(0, offset),
  "an end in the middle": withBlocks(block(AT), BGZF_END, BGZF_END),
  "other gzip members in the middle": withBlocks(gzipSync(TEXT.subarray(0, 9000)), block(AT)),
  "other gzip members at the end": Buffer.concat([whole, gzipSync(TEXT)]),
  "other gzip members at the start": Buffer.concat([gzipSync(TEXT), whole]),
  "other data at the start": Buffer.concat([flipped(block(0), 60), whole]),
};

const FRAMES = PIECES.map((text) => zstdFrame(text));
const SIZES = FRAMES.map((frame, index): FrameSizes => [frame.length, piece(index).length]);
const FRAME = FRAMES[AT] ?? Buffer.of();

function zstd(frames: readonly Uint8Array[], ...sizes: readonly FrameSizes[]): Buffer {
  return Buffer.concat([...frames, seekTable(sizes)]);
}

/** The frames, and a table in which two of the sizes are others. */
function withSizes(first: FrameSizes, second: FrameSizes = [FRAME.length, SIZE]): Buffer {
  return zstd(FRAMES, ...SIZES.slice(0, AT), first, second, ...SIZES.slice(AT + 2));
}

const SEEKABLE = zstd(FRAMES, ...SIZES);
const frameAt = AT * FRAME.length;

const ZSTD_DAMAGE: Readonly<Record<string, Buffer>> = {
  "a compressed size that is wrong": withSizes([FRAME.length - 1, SIZE]),
  "compressed sizes of which the sum is right": withSizes([FRAME.length - 1, SIZE], [FRAME.length + 1, SIZE]),
  "a decoded size that is wrong": withSizes([FRAME.length, SIZE + 1]),
  "decoded sizes of which the sum is right": withSizes([FRAME.length, SIZE + 200], [FRAME.length, SIZE - 200]),
  "decoded sizes beyond all others": withSizes([FRAME.length, 2 ** 32 - 1], [FRAME.length, 2 ** 32 - 1]),
  "two frames as one": withSizes([2 * FRAME.length, 2 * SIZE], [0, 0]),
  "fewer frames than there are": zstd(FRAMES, ...SIZES.slice(0, -20)),
  "more frames than there are": zstd(FRAMES, ...SIZES, ...SIZES),
  "frames without a compressed size": zstd(FRAMES, ...SIZES.map(([, decoded]): FrameSizes => [0, decoded])),
  "a count that is wrong": Buffer.concat([...FRAMES, seekTable(SIZES, false, SIZES.length + 1)]),
  "a block that is wrong": flipped(SEEKABLE, frameAt + 6),
  "a frame that is wrong": flipped(SEEKABLE, frameAt),
  "a cut, and the table": zstd([...FRAMES.slice(0, AT), FRAME.subarray(0, 100)], ...SIZES),
  "a cut without the table": SEEKABLE.subarray(0, frameAt + 100),
  "other data at the end": Buffer.concat([SEEKABLE, Buffer.from("garbage")]),
  "other data before the table": zstd([...FRAMES, Buffer.from("garbage")], ...SIZES, [7, 9]),
  "more text than is allowed": zstd(
    [...FRAMES.slice(0, AT), zstdRuns(0x20, 1 << 17, 900), ...FRAMES.slice(AT)],
    ...SIZES.slice(0, AT),
    [zstdRuns(0x20, 1 << 17, 900).length, 900 << 17],
    ...SIZES.slice(AT),
  ),
};

describe.each([
  ["bgz", GZIP_DAMAGE],
  ["zst", ZSTD_DAMAGE],
] as const)("damage: %s", (form, rows) => {
  it.each(Object.entries(rows))("%s", async (_, bytes) => {
    const path = put(`damage.${form}`, bytes);
    const other = put(`other.${form}`, form === "bgz" ? whole : SEEKABLE);
    // A file after it shows that what is dropped ends with the file.
    const serial = await scan([path, other], { settings: AS_TEXT });
    const onThreads = { threads: 3, rangeBytes: 1100, scansHere: true };
    expect(await scan([path, other], { settings: AS_TEXT, ...onThreads })).toEqual(serial);
    expect(await count([path, other], onThreads)).toEqual(await count([path, other], {}));
  });
});

it("a part that is not wanted is not read to the end of the file", async () => {
  const path = put("dropped.bgz", bgzf(Buffer.concat(Array<Buffer>(40).fill(TEXT)), 5000));
  const { size } = statSync(path);
  const bytesOf = async (dropped: number): Promise<number> => {
    const none = { compressed: 1, decoded: 1 };
    const part: FilePart = {
      file: path,
      name: path,
      size,
      format: "gzip",
      from: 0,
      to: 100_000,
      blocks: { type: "text", start: { compressed: 0, decoded: 0 }, next: none },
      dropped: new Int32Array(new SharedArrayBuffer(4)).fill(dropped),
    };
    const settings = { ...AS_TEXT, format: "matches" as const };
    const context = { settings, sink: sinkOf({}), totals: emptyTotals(), pacer: new Pacer(), failureOf: sourceErrorOf };
    for await (const _ of scanFile(part, context));
    return context.totals.bytes;
  };
  expect(await bytesOf(0)).toBe(40 * TEXT.length);
  expect(await bytesOf(1)).toBeLessThan(1e6);
});

describe("damage anywhere", () => {
  let mail: Buffer;
  beforeAll(() => {
    mail = bgzf(MBOX, 400);
  });

  it("of an mbox: the same with two threads", async () => {
    const places = fc.sample(fc.nat(mail.length - 1), { numRuns: 6, seed: 7 });
    const errors = new Set<string>();
    for (const place of places) {
      const path = put("mail.bgz", flipped(mail, place));
      const serial = await scan(path);
      for (const failed of serial.failed) errors.add(failed);
      expect(await scan(path, { threads: 2, rangeBytes: 3000, scansHere: true })).toEqual(serial);
    }
    expect(errors.size).toBeGreaterThan(1);
  });
});
