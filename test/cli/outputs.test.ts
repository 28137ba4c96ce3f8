// Files that the command writes, and sources that it does not read.

import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
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
    const below = join(source, "out");
    // The system tells that only when the complete file is renamed.
    const absent = `${join(folder, "absent")}/`;
    expect((await run(["-o", absent, source])).stderr).toBe(
      `urlmill: ${absent}: cannot be written (ENOTDIR); give a file in a folder that you may write to\n`,
    );
    expect(readdirSync(folder)).toEqual(["source"]);
    expect((await run(["-o", below, source])).stderr).toBe(
      `urlmill: ${below}: cannot be written (ENOTDIR); give a file in a folder that you may write to\n`,
    );
  });

  it("is closed to whom the file that it replaces was closed, also behind a link", async () => {
    const out = join(folder, "out");
    const alias = join(folder, "alias");
    writeFileSync(out, "older");
    symlinkSync(out, alias);
    for (const mode of [0o600, 0o640]) {
      chmodSync(out, mode);
      expect(await run(["-o", alias, source])).toMatchObject({ code: 0, stderr: "" });
      expect(statSync(out).mode & 0o777).toBe(mode);
    }
    expect(readFileSync(out, "utf8")).toBe("http://a.example/x\n");
  });

  it("of an earlier run is not read with the folder that it stands in", async () => {
    const out = join(folder, "out");
    for (let times = 0; times < 3; times++) {
      const stderr = times === 0 ? "" : `urlmill: not read: 1 file that is the output itself: ${out}\n`;
      expect(await run(["-o", out, folder])).toMatchObject({ code: 0, stderr });
      expect(readFileSync(out, "utf8")).toBe("http://a.example/x\n");
    }
  });
});

describe("compressed data", () => {
  it.each([
    ["gzip", "1f8b0800000000000003"],
    ["bzip2", "425a6839314159265359"],
    ["xz", "fd377a585a000004e6d6"],
    ["zstd", "28b52ffd240000"],
    ["zip", "504b0304140000000800"],
  ])("%s that ends too early is named, and the other sources are read", async (_, hex) => {
    const compressed = join(folder, "compressed");
    writeFileSync(compressed, Buffer.from(hex, "hex"));
    for (const threads of ["1", "2"]) {
      const { code, stdout, stderr } = await run(["-j", threads, compressed, source]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "http://a.example/x\n" });
      expect(stderr).toContain(`urlmill: ${compressed}: `);
    }
  });

  it("is opened, from a file and from standard input", async () => {
    const compressed = join(folder, "compressed");
    writeFileSync(compressed, gzipSync("http://b.example/\n"));
    expect(await run([compressed, source])).toMatchObject({ code: 0, stdout: "http://b.example/\nhttp://a.example/x\n", stderr: "" });
    expect(await run([], { input: gzipSync("http://b.example/\n") })).toMatchObject({ code: 0, stdout: "http://b.example/\n" });
  });
});
