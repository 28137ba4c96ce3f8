// Files that the command writes, and sources that it does not read.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, removeFolder, run } from "./run.ts";

const TEXT = "see http://a.example/x\n";
let folder: string;
let source: string;

beforeEach(() => {
  folder = newFolder();
  source = join(folder, "source");
  writeFileSync(source, TEXT);
});
afterEach(() => removeFolder(folder));

describe("an output", () => {
  it.each(["-o", "--rejected"])("%s is never an input", async (option) => {
    expect(await run([option, source, source])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `urlmill: ${source} is also an input; give another file\n`,
    });
    expect(readFileSync(source, "utf8")).toBe(TEXT);
  });

  it("is written once", async () => {
    const out = join(folder, "out");
    expect(await run(["-o", out, "--rejected", out, source])).toMatchObject({
      code: 2,
      stderr: `urlmill: ${out} is also the other output; give another file\n`,
    });
    expect(existsSync(out)).toBe(false);
  });

  it("that cannot be written is named as it was given", async () => {
    const out = join(folder, "nowhere", "out");
    const { code, stderr } = await run(["-o", out, source]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `urlmill: ${out}: cannot be written (ENOENT); give a file in a folder that you may write to\n`,
    });
  });
});

describe("compressed data", () => {
  const GZIP = "1f8b0800000000000003";
  it.each([
    ["gzip", GZIP],
    ["bzip2", "425a6839314159265359"],
    ["xz", "fd377a585a000004e6d6"],
    ["zstd", "28b52ffd240000"],
    ["a zip archive", "504b0304140000000800"],
  ])("%s is named, and the other sources are read", async (name, hex) => {
    const compressed = join(folder, "compressed");
    writeFileSync(compressed, Buffer.from(hex, "hex"));
    const { code, stdout, stderr } = await run([compressed, source]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "http://a.example/x\n" });
    expect(stderr).toContain(`urlmill: ${compressed}: is `);
    expect(stderr).toContain(name);
  });

  it("is named on standard input too", async () => {
    const { code, stderr } = await run([], { input: Buffer.from(GZIP, "hex") });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "urlmill: -: is compressed with gzip; unpack it first (zcat FILE | urlmill)\n" });
  });
});
