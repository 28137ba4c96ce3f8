// Compressed sources: every format, whole, in several pieces, cut off and corrupt.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { extractFrom } from "../../src/index.ts";
import { recognizeContainer } from "../../src/input/containers/recognize.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { tar } from "./archives.ts";
import { shortFrame, wideFrame } from "./bombs.ts";
import { openAsFile, openBytes } from "./open.ts";
import * as packed from "./packed.ts";
import { GZIP, named, SKIPPABLE, WHOLE } from "./whole.ts";
import { stored, type XzLies, xz } from "./xz.ts";

const { LONG, SHORT, TEXT } = packed;
/** A chunk of LZMA2 that takes the numbers of bits from one before it. */
const LZMA_WITHOUT_BITS: Buffer = Buffer.from([0xa0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0]);

/** The message of the error with which the library ends. */
async function messageOf(bytes: Uint8Array): Promise<string | undefined> {
  try {
    for await (const _ of extractFrom(bytes));
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

describe("a compressed source", () => {
  it.each(WHOLE)("is opened: %s", async (_, bytes, text) => {
    expect(await openBytes("a", bytes)).toEqual([["a", text]]);
    expect(await openBytes("a", bytes, {}, 1)).toEqual([["a", text]]);
  });

  it("is opened in another one", async () => {
    expect(await openBytes("a", gzipSync(gzipSync(packed.XZ)))).toEqual([["a", TEXT]]);
    expect(await openBytes(undefined, gzipSync(packed.BZIP2))).toEqual([[undefined, TEXT]]);
  });

  it.each([
    ["gzip", gzipSync(TEXT), TEXT],
    ["gzip without its trailer", gzipSync(TEXT).subarray(0, -7), TEXT],
    ["zstd", packed.ZSTD_BLOCKS, LONG],
    ["xz", packed.XZ_BLOCKS, LONG],
    ["bzip2", packed.BZIP2_BLOCKS, LONG],
  ])("that is cut off gives what is there: %s", async (_, bytes, text) => {
    for (const length of [bytes.length - 1, Math.floor(bytes.length * 0.8), 20, 7]) {
      const [found, ...others] = await openBytes("a", bytes.subarray(0, length));
      expect(others).toEqual([]);
      expect(found?.[2]).toBe("ERR_URLMILL_TRUNCATED");
      expect(text.startsWith(found?.[1] ?? "none")).toBe(true);
      if (length === bytes.length - 1) expect(found?.[1].length).toBeGreaterThan(text.length / 2);
    }
  });

  it("that is cut off or corrupt in a long frame of zstd gives each block before, and the start of a stored one", async () => {
    const blocks = Array.from({ length: 10 }, (_, index) => `http://${index}.example/${"x".repeat(100_000)}\n`);
    const frame = wideFrame(...blocks);
    const before = blocks.slice(0, -1).join("");
    const all = blocks.join("").slice(0, -1);
    for (const size of [undefined, 1000]) {
      const [[, text, code] = []] = await openBytes("a", frame.subarray(0, -1), {}, size);
      expect([text === all, code]).toEqual([true, "ERR_URLMILL_TRUNCATED"]);
    }
    // The header of the last block has a type that there is not.
    const wrong = Buffer.from(frame);
    const at = frame.length - (blocks.at(-1) as string).length - 3;
    wrong.writeUInt8(wrong.readUInt8(at) | 6, at);
    expect(await openBytes("a", wrong)).toEqual([["a", before, "ERR_URLMILL_CORRUPT"]]);
  });

  it.each([
    ["little text", 30_000, 0, "everything before that point was read"],
    ["much", 300_000, 1 << 18, "up to 256 KiB of text before that point are missing"],
  ])("that is corrupt after %s of gzip says what was read", async (_, lines, lost, said) => {
    const folder = newFolder();
    try {
      const text = Array.from({ length: lines }, (_, line) => `http://a.example/${line}\n`).join("");
      const good = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
      // There is no block of type 3.
      writeFileSync(join(folder, "a.gz"), Buffer.concat([gzipSync("").subarray(0, 10), good, Buffer.of(7), Buffer.alloc(100)]));
      const { stdout, stderr, code } = await run(["a.gz"], { cwd: folder });
      const [message, byte] = stderr.split("; reading ended at byte ");
      expect({ code, message }).toEqual({ code: 2, message: `urlmill: a.gz: is corrupt: its deflate data is invalid; ${said}` });
      expect(Number.parseInt(byte ?? "", 10)).toBeGreaterThanOrEqual(stdout.length);
      expect(text.startsWith(stdout)).toBe(true);
      expect(text.length - stdout.length).toBeLessThanOrEqual(lost);
    } finally {
      removeFolder(folder);
    }
  });

  it.each([
    ["with a checksum", packed.ZSTD, TEXT],
    ["without one", shortFrame(SHORT), SHORT],
  ])("whose frame of zstd has another size than it says is corrupt: %s", async (_, bytes, text) => {
    const wrong = Buffer.from(bytes);
    wrong.writeUInt8(wrong.readUInt8(5) + 1, 5);
    expect(await openBytes("a", wrong)).toEqual([["a", text, "ERR_URLMILL_CORRUPT"]]);
  });

  it.each([
    ["gzip", GZIP, -6, TEXT.length],
    ["zstd", packed.ZSTD_BLOCKS, 49, 131_072],
    ["xz", packed.XZ_BLOCKS, 200, 100_000],
    ["bzip2", packed.BZIP2_BLOCKS, 200, 50_000],
  ])("that is corrupt gives what stands before: %s", async (_, bytes, at, least) => {
    const wrong = Buffer.from(bytes);
    const index = at < 0 ? wrong.length + at : at;
    wrong[index] = ~(wrong[index] ?? 0);
    const [found, ...others] = await openBytes("a", wrong);
    expect(others).toEqual([]);
    expect(found?.[2]).toBe("ERR_URLMILL_CORRUPT");
    expect(found?.[1].length).toBeGreaterThanOrEqual(least);
  });

  it("gives all of the deflate data before a fault", async () => {
    const noise = Array.from({ length: 20_000 }, (_, index) => `${(index * 7919) % 99_991}\n`).join("");
    const wrong = gzipSync(noise);
    const middle = wrong.length >> 1;
    wrong.fill(0xff, middle, middle + 4000);
    const [found] = await openBytes("a", wrong);
    expect(found?.[2]).toBe("ERR_URLMILL_CORRUPT");
    expect(found?.[1].slice(0, 40_000)).toBe(noise.slice(0, 40_000));
  });

  it.each([
    ["gzip", GZIP],
    ["zstd", packed.ZSTD],
    ["xz", packed.XZ],
    ["bzip2", packed.BZIP2],
  ])("with something else behind it says so: %s", async (_, bytes) => {
    expect(await openBytes("a", Buffer.concat([bytes, Buffer.from("else")]))).toEqual([["a", TEXT, "ERR_URLMILL_TRAILING"]]);
  });

  it.each([
    ["a header of gzip", named(gzipSync(SHORT)), [27], "the checksum of a gzip header is wrong", ""],
    ["a bit of zstd without a meaning", packed.ZSTD_SHORT, [4], "a zstd header is invalid", ""],
  ])("whose header is wrong is corrupt: %s", async (_, bytes, [at = 0], message, text) => {
    const wrong = Buffer.from(bytes);
    wrong[at] = (wrong[at] ?? 0) ^ 8;
    expect(await openBytes("a", wrong)).toEqual([["a", text, "ERR_URLMILL_CORRUPT"]]);
    expect(await messageOf(wrong)).toMatch(message);
  });

  it.each<readonly [name: string, lies: XzLies, message: string]>([
    ["the size of its data", { packedSize: [99] }, "the sizes of an xz block are wrong"],
    ["the size of its text", { size: [SHORT.length + 1] }, "the sizes of an xz block are wrong"],
    ["the index: the size of a block", { index: [0, 1, 35, SHORT.length] }, "the xz index is invalid"],
    ["the index: the size of its text", { index: [0, 1, 34, SHORT.length - 1] }, "the xz index is invalid"],
    ["the index: no block", { index: [0, 0] }, "the xz index is invalid"],
    ["the index: two blocks", { index: [0, 2, 34, SHORT.length, 34, SHORT.length] }, "the xz index is invalid"],
    ["the index: a number with a byte too many", { index: [0, 1, 34, SHORT.length | 0x80, 0] }, "the xz index is invalid"],
    ["the kind of its checksum", { kind: 16 }, "an xz header is invalid"],
    ["the window", { filter: [0x21, 1, 41] }, "the header of an xz block is invalid"],
    ["the size of what the filter needs", { filter: [0x21, 2, 22, 0] }, "the header of an xz block is invalid"],
    ["the padding of the header", { filter: [0x21, 1, 22, 0], padding: 1 }, "the header of an xz block is invalid"],
    ["bits of the data that were never set", { chunks: Buffer.concat([stored(SHORT), LZMA_WITHOUT_BITS]) }, "its LZMA2 data is invalid"],
  ])("of xz that says something wrong of itself is corrupt: %s", async (_, lies, message) => {
    expect(await messageOf(xz(SHORT, lies))).toMatch(message);
  });

  it("of xz that says what is right of itself is whole", async () => {
    const packedSize = [SHORT.length + 4];
    for (const right of [{}, { packedSize }, { size: [SHORT.length] }, { packedSize, size: [SHORT.length] }])
      expect(await openBytes("a", xz(SHORT, right))).toEqual([["a", SHORT]]);
    const chunks = Buffer.concat([stored(SHORT), stored(SHORT, 2), stored(SHORT), Buffer.of(0)]);
    expect(await openBytes("a", xz(SHORT.repeat(3), { chunks }))).toEqual([["a", SHORT.repeat(3)]]);
  });

  it("with filters that are not read says so", async () => {
    expect(await openBytes("a", packed.XZ_FILTERED)).toEqual([["a", "", "ERR_URLMILL_METHOD"]]);
  });

  it("that would need too much memory is left", async () => {
    // A frame's header with a window of 3.75 TiB, and a last block with nothing in it.
    const frame = Buffer.from("\x28\xb5\x2f\xfd\x00\xff\x01\0\0", "latin1");
    expect(await openBytes("a", frame)).toEqual([["a", "", "ERR_URLMILL_LIMIT"]]);
    expect(await messageOf(xz(SHORT, { filter: [0x21, 1, 40] }))).toMatch("its window has 4294967295 bytes");
  });
});

it("a long name in a gzip header makes nothing wait for more bytes", async () => {
  const begun = deflateRawSync(Buffer.from(LONG), { finishFlush: constants.Z_SYNC_FLUSH });
  const header = Buffer.from(`\x1f\x8b\x08\x08\0\0\0\0\0\x03${"n".repeat(10 * 2 ** 20)}\0`, "latin1");
  let go = (): void => undefined;
  const isFound = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* source(): AsyncGenerator<Buffer> {
    yield header;
    yield begun;
    await isFound;
  }
  const reading = async (): Promise<void> => {
    for await (const _ of extractFrom(source())) go();
  };
  await expect(reading()).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
});

describe("recognizeContainer", () => {
  it("takes a text with `ustar` in it for no tar, however it is cut", async () => {
    const text = `${"1 http://a.example/1\n".padEnd(257, "x\0")}ustar`;
    for (const size of [1, 20, 70, 1000]) expect(await openBytes("x", Buffer.from(text), {}, size)).toEqual([["x", text]]);
    expect(await openAsFile("x", Buffer.from(text))).toEqual([["x", text]]);
  });

  it("tells by content", () => {
    const first = (bytes: Uint8Array): unknown => recognizeContainer(bytes.subarray(0, 512));
    expect([GZIP, packed.ZSTD, SKIPPABLE, packed.XZ, packed.BZIP2, packed.ZIP_ENCRYPTED].map(first)).toEqual([
      "gzip",
      "zstd",
      "zstd",
      "xz",
      "bzip2",
      "zip",
    ]);
    expect(first(tar([{ name: "a", text: TEXT }]))).toBe("tar");
    for (const text of ["", "P", "PK", "BZhang writes", "\x1f\x8b", TEXT, "\0".repeat(512)])
      expect(first(Buffer.from(text, "latin1"))).toBe(undefined);
  });
});
