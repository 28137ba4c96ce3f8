// Files that the command writes, and sources that it does not read.
import { spawn } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, type Ended, ended, newFolder, removeFolder, run, start } from "./run.ts";

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
      stderr: `urlmill: ${out}: cannot be written (ENOENT); give a file in a folder that is there and that you may write to\n`,
    });
    const below = join(source, "out");
    // The system tells that only when the complete file is renamed.
    const absent = `${join(folder, "absent")}/`;
    expect((await run(["-o", absent, source])).stderr).toBe(
      `urlmill: ${absent}: cannot be written (ENOTDIR); give a file in a folder that is there and that you may write to\n`,
    );
    expect(readdirSync(folder)).toEqual(["source"]);
    expect((await run(["-o", below, source])).stderr).toBe(
      `urlmill: ${below}: cannot be written (ENOTDIR); give a file in a folder that is there and that you may write to\n`,
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

describe("an output that names a descriptor", () => {
  /** Runs a line of shell in the folder: `$U` is the command. */
  const shell = (script: string): Promise<Ended> => {
    const program = `U() { "$0" "$1" "$@"; }; ${script}`.replaceAll('"$1" "$@"', '"$COMMAND" "$@"');
    const env = { ...process.env, COMMAND };
    return ended(spawn("bash", ["-c", program, process.execPath], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] }));
  };
  const URL_LINE = "http://a.example/x\n";

  it("is written as it is: what others write there stays", async () => {
    expect(await shell("(echo one; U source -o /dev/stdout; echo two) > all; cat all")).toMatchObject({
      stdout: `one\n${URL_LINE}two\n`,
      stderr: "",
      code: 0,
    });
    expect((await shell("exec 5>five; echo one >&5; U source -o /dev/fd/5; echo two >&5; cat five")).stdout).toBe(`one\n${URL_LINE}two\n`);
    expect((await shell("U source -o /dev/stdout >> source; cat source")).stdout).toBe(TEXT);
    const list = await shell("(echo one >&2; U bad --rejected /dev/stderr; echo two >&2) 2> all; cat all");
    expect(list.stdout).toBe('one\n{"reason":"no-host","source":"bad","start":0,"end":10,"text":"http://:1/"}\ntwo\n');
  });

  it("may be a pipe", async () => {
    expect((await shell("U source -o /dev/stdout | cat")).stdout).toBe(URL_LINE);
    expect((await shell("U source -o >(cat > copy); while [ ! -s copy ]; do sleep 0.01; done; cat copy")).stdout).toBe(URL_LINE);
  });

  beforeEach(() => writeFileSync(join(folder, "bad"), "http://:1/\n"));
});

describe("a list of what was rejected", () => {
  it("does not go where the URLs go", async () => {
    const out = openSync(join(folder, "both"), "w");
    const { stderr, code } = await ended(start(["--rejected", join(folder, "both"), source], { stdout: out }));
    closeSync(out);
    expect({ stderr, code }).toEqual({ stderr: `urlmill: ${join(folder, "both")} is also the other output; give another file\n`, code: 2 });
    for (const name of ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
      const stdout = "";
      expect(await run(["--rejected", name, source])).toMatchObject({
        code: 2,
        stdout,
        stderr: expect.stringContaining("is also the other output"),
      });
    }
    // Where the URLs go elsewhere, the list may go there.
    expect((await run(["-o", join(folder, "urls"), "--rejected", "/dev/stdout", "nowhere", source])).stdout).toMatch(
      /^\{"reason":"unreadable"/,
    );
  });

  it("is written also where nothing could be read", async () => {
    const list = join(folder, "list");
    writeFileSync(list, "older\n");
    expect((await run(["--rejected", list, "nowhere"], { cwd: folder })).code).toBe(2);
    expect(JSON.parse(readFileSync(list, "utf8"))).toEqual({ reason: "unreadable", source: "nowhere", text: "no such file or folder" });
  });
});

it("a name that is empty is refused; a link to nothing leads to the new file", async () => {
  expect(await run(["-o", "", source])).toMatchObject({ code: 2, stderr: "urlmill: -o needs the name of a file\n" });
  symlinkSync("later", join(folder, "alias"));
  expect((await run(["-o", join(folder, "alias"), source])).code).toBe(0);
  expect(readFileSync(join(folder, "later"), "utf8")).toBe("http://a.example/x\n");
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

  it.each([
    ["lz4", "04224d18", "lz4cat"],
    ["lzip", "4c5a495001", "lzip -dc"],
    ["7z", "377abcaf271c", "7z x -so"],
    ["rar", "526172211a0700", "unrar p"],
    ["cab", "4d53434600000000", "cabextract -p"],
    ["pst", "2142444e", "readpst"],
    ["evtx", "456c6646696c6500", "evtx_dump"],
    ["lnk", "4c0000000114020000000000", "strings -el"],
  ])("%s is named, not read as text", async (format, hex, program) => {
    const file = join(folder, "packed");
    writeFileSync(file, Buffer.concat([Buffer.from(hex, "hex"), Buffer.from(" http://a.example/")]));
    const stderr = `urlmill: ${file}: has the format ${format}, which urlmill does not read; unpack it first (${program})\n`;
    expect(await run([file])).toMatchObject({ code: 2, stdout: "", stderr });
    expect((await run([], { input: readFileSync(file) })).stderr).toBe(stderr.replace(file, "-"));
  });

  it("is opened, from a file and from standard input", async () => {
    const compressed = join(folder, "compressed");
    writeFileSync(compressed, gzipSync("http://b.example/\n"));
    expect(await run([compressed, source])).toMatchObject({ code: 0, stdout: "http://b.example/\nhttp://a.example/x\n", stderr: "" });
    expect(await run([], { input: gzipSync("http://b.example/\n") })).toMatchObject({ code: 0, stdout: "http://b.example/\n" });
  });
});
