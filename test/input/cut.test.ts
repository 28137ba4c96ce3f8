// Compressed data that is cut at many places: everything that its format lets one decode is given, as much as the usual programs give, and
// the error says at which byte of the text reading ended.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SourceError } from "../../src/base/errors.ts";
import { tar } from "./archives.ts";
import { wideFrame } from "./bombs.ts";
import { chunksOf, openMembers } from "./open.ts";
import * as packed from "./packed.ts";
import { GZIP } from "./whole.ts";
import { stored, xz } from "./xz.ts";

const { LONG, TEXT } = packed;
const CUTS = 30;

/** Inputs, their texts, and the programs that read them. */
const INPUTS: readonly (readonly [name: string, bytes: Buffer, text: string, program: string])[] = [
  ["gzip", GZIP, TEXT, "gzip"],
  ["two members of gzip", Buffer.concat([GZIP, gzipSync(LONG)]), TEXT + LONG, "gzip"],
  ["zstd", packed.ZSTD, TEXT, "zstd"],
  ["zstd in blocks", packed.ZSTD_BLOCKS, LONG, "zstd"],
  ["zstd in blocks as they are", wideFrame(TEXT, TEXT), TEXT + TEXT, "zstd"],
  ["xz", packed.XZ, TEXT, "xz"],
  ["xz in blocks", packed.XZ_BLOCKS, LONG, "xz"],
  ["xz as it is", xz(TEXT, { chunks: Buffer.concat([stored(TEXT), Buffer.of(0)]) }), TEXT, "xz"],
  ["bzip2", packed.BZIP2, TEXT, "bzip2"],
  ["bzip2 in blocks", packed.BZIP2_BLOCKS, LONG, "bzip2"],
];

interface Read {
  readonly text: string;
  readonly error: unknown;
}

async function read(bytes: Uint8Array, size?: number): Promise<Read> {
  let text = "";
  for await (const { chunks } of openMembers({ name: "a", chunks: chunksOf(bytes, size) })) {
    try {
      for await (const chunk of chunks) text += Buffer.from(chunk).toString("latin1");
    } catch (error) {
      return { text, error };
    }
  }
  return { text, error: undefined };
}

/** The lengths at which an input is cut, the last one before its end. */
function cutsOf(bytes: Buffer): number[] {
  return Array.from({ length: CUTS }, (_, index) => Math.floor(((index + 1) * (bytes.length - 1)) / CUTS)).filter((length) => length > 6);
}

describe.each(INPUTS)("%s, cut", (_, bytes, text, program) => {
  const hasProgram = spawnSync(program, ["--version"]).status === 0;

  it("gives what there is, however it comes, and says where it ended", async () => {
    for (const length of cutsOf(bytes)) {
      const found = await read(bytes.subarray(0, length));
      expect(text.startsWith(found.text)).toBe(true);
      // A cut between two members is none.
      if (found.error === undefined) continue;
      expect(found.error).toBeInstanceOf(SourceError);
      const reason = `ends too early; everything up to there was read; reading ended at byte ${found.text.length} of its text`;
      expect(found.error).toMatchObject({ code: "ERR_URLMILL_TRUNCATED", reason });
      expect(await read(bytes.subarray(0, length), 7)).toEqual(found);
    }
  });

  it.skipIf(!hasProgram)(`gives as much as ${program} does`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "urlmill-cut-"));
    try {
      for (const length of cutsOf(bytes)) writeFileSync(join(folder, `${length}`), bytes.subarray(0, length));
      spawnSync("sh", ["-c", `for file in *; do ${program} -dc < $file > $file.text; done`], { cwd: folder });
      for (const length of cutsOf(bytes)) {
        const found = await read(bytes.subarray(0, length));
        expect(found.text.startsWith(readFileSync(join(folder, `${length}.text`), "latin1"))).toBe(true);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("xz, cut", () => {
  it("in a chunk gives the text of the bytes before", async () => {
    const { text } = await read(packed.XZ.subarray(0, packed.XZ.length >> 1));
    expect(text.length).toBeGreaterThan(TEXT.length / 4);
  });

  it("in gzip that is cut gives the same, with the error of gzip", async () => {
    const outer = gzipSync(packed.XZ, { level: 0 });
    const half = packed.XZ.length >> 1;
    const found = await read(outer.subarray(0, 15 + half));
    expect(found.text).toBe((await read(packed.XZ.subarray(0, half))).text);
    expect(found.error).toMatchObject({ reason: expect.stringMatching(`reading ended at byte ${half} of its text$`) });
  });

  it("in a tar gives the same", async () => {
    const half = packed.XZ.length >> 1;
    const found = await read(tar([{ name: "a.xz", text: packed.XZ.subarray(0, half) }]));
    expect(found.text).toBe((await read(packed.XZ.subarray(0, half))).text);
    expect(found.error).toMatchObject({ source: "a!a.xz", code: "ERR_URLMILL_TRUNCATED" });
  });
});
