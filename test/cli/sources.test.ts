// What the command reads: files, folders, standard input; and what it says of those it cannot read.
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended, newFolder, removeFolder, run, start } from "./run.ts";

/** Who may not read what root has closed: nobody, or the user of the tests where that is not root. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534 } : {};
const THREADS = ["1", "2"];
let folder: string;

beforeAll(() => {
  folder = newFolder();
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const name of ["tree", "tree/a", "tree/a/deep", "tree/.hidden", "tree/locked", "tree/empty"]) mkdirSync(join(folder, name));
  put("tree/a.txt", "http://2.example/");
  put("tree/a-b", "http://1.example/");
  put("tree/a/z", "http://4.example/");
  put("tree/a/deep/y", "http://3.example/");
  put("tree/.hidden/x", "http://0.example/");
  put("tree/B", "http://00.example/");
  put("tree/empty/none", "");
  put("tree/locked/in", "http://locked.example/");
  put("outside", "http://outside.example/");
  symlinkSync("../outside", join(folder, "tree/to-file"));
  symlinkSync("..", join(folder, "tree/to-folder"));
  symlinkSync("nowhere", join(folder, "tree/to-nothing"));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/tree/`), Buffer.from([0xff, 0x2e, 0x74])]), "http://5.example/");
});
afterAll(() => {
  chmodSync(join(folder, "tree/locked"), 0o755);
  removeFolder(folder);
});

const NOT_FOLLOWED = "urlmill: not followed: 3 links in folders or archives, the first: tree/to-file\n";

const hosts = (stdout: string): string => stdout.replace(/http:\/\/(\w+)\.example\/\n/g, "$1 ").trim();

describe("files that cannot be looked at", () => {
  it("are named, and those beside them are read", async () => {
    symlinkSync("loop", join(folder, "loop"));
    const { stdout, stderr, code } = await run(["outside", "loop", "outside/x", "nowhere"], { cwd: folder });
    rmSync(join(folder, "loop"));
    expect(stdout).toBe("http://outside.example/\n");
    expect(stderr.split("\n").slice(0, -1)).toEqual([
      expect.stringContaining("loop"),
      expect.stringContaining("outside/x"),
      expect.stringContaining("nowhere"),
    ]);
    expect(code).toBe(2);
  });
});

describe("files of few bytes, which V8's optimizing compiler is kept from", () => {
  it("give what their bytes give on standard input", async () => {
    const text = Array.from({ length: 30_000 }, (_, n) => `see <HTTP://${n}.example/%7Ea> and mailto:a@B.example`).join("\n");
    writeFileSync(join(folder, "few"), text);
    const { stdout } = await run(["few"], { cwd: folder });
    rmSync(join(folder, "few"));
    expect(stdout.split("\n").slice(0, 2)).toEqual(["http://0.example/~a", "mailto:a@b.example"]);
    expect(stdout).toBe((await run(["-"], { input: text })).stdout);
  });
});

describe("folders", () => {
  it.each(THREADS)("are read whole in byte order of the paths, links not followed (-j %s)", async (threads) => {
    const { stdout, stderr, code } = await run(["-j", threads, "tree"], { cwd: folder });
    expect({ hosts: hosts(stdout), stderr, code }).toEqual({ hosts: "0 00 1 2 3 4 locked 5", stderr: NOT_FOLLOWED, code: 0 });
    expect((await run(["-q", "-j", threads, "tree"], { cwd: folder })).stderr).toBe("");
  });

  it("a link that is named is followed; a name that is no UTF-8 is read", async () => {
    expect(hosts((await run(["tree/to-file"], { cwd: folder })).stdout)).toBe("outside");
    const { stdout } = await run(["-f", "ndjson", "tree"], { cwd: folder });
    expect(stdout).toContain(String.raw`"source":"tree/\\xff.t"`);
  });

  it.each(["tree/", "./tree", "tree//"])("%s", async (path) => {
    expect(hosts((await run([path], { cwd: folder })).stdout)).toBe("0 00 1 2 3 4 locked 5");
  });

  it("an output inside the folder is not read", async () => {
    writeFileSync(join(folder, "tree/zz"), "http://old.example/");
    const { code } = await run(["-o", "tree/zz", "tree"], { cwd: folder });
    expect(code).toBe(0);
    const list = await run(["tree/zz"], { cwd: folder });
    // Neither what is written nor the older file of that name, whose place it takes.
    expect(hosts(list.stdout)).toBe("0 00 1 2 3 4 locked 5");
    rmSync(join(folder, "tree/zz"));
  });
});

describe("what cannot be read is named, the others are read", () => {
  it.each(THREADS)("a path that is not there (-j %s)", async (threads) => {
    const { stdout, stderr, code } = await run(["-j", threads, "nowhere", "outside"], { cwd: folder });
    expect({ hosts: hosts(stdout), code }).toEqual({ hosts: "outside", code: 2 });
    expect(stderr).toBe("urlmill: nowhere: no such file or folder; give a file, a folder, or - for standard input\n");
  });

  it.each(THREADS)("a path that is empty (-j %s)", async (threads) => {
    const { stdout, stderr, code } = await run(["-j", threads, "", "outside"], { cwd: folder });
    expect({ hosts: hosts(stdout), code }).toEqual({ hosts: "outside", code: 2 });
    expect(stderr).toBe("urlmill: the input has an empty path; give a file, a folder, or - for standard input\n");
  });

  it("a path below a file, with an output too", async () => {
    for (const args of [[], ["-o", "out"]]) {
      const { stderr, code } = await run([...args, "outside/x", "outside"], { cwd: folder });
      expect({ stderr, code }).toEqual({ stderr: "urlmill: outside/x: cannot be read (ENOTDIR)\n", code: 2 });
    }
    rmSync(join(folder, "out"));
  });

  it.each(THREADS)("a folder and a file without permission, for another user than root (-j %s)", async (threads) => {
    chmodSync(join(folder, "tree/locked"), 0);
    chmodSync(join(folder, "tree/B"), 0);
    const { stdout, stderr, code } = await run(["-j", threads, "--stats", "tree"], { cwd: folder, ...OTHER_USER });
    chmodSync(join(folder, "tree/locked"), 0o755);
    chmodSync(join(folder, "tree/B"), 0o644);
    expect({ hosts: hosts(stdout), code }).toEqual({ hosts: "0 1 2 3 4 5", code: 2 });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.slice(0, 2)).toEqual([
      "urlmill: tree/B: no permission to read it; its owner can give it (chmod)",
      "urlmill: tree/locked: no permission to read it; its owner can give it (chmod)",
    ]);
    expect(`${lines[2]}\n`).toBe(NOT_FOLLOWED);
    expect(JSON.parse(lines[3])).toMatchObject({ skipped: 2, left_out: { link: 3 } });
  });

  it.each([
    ["little", Buffer.from("\ufeff<html>http://a.example/&amp;", "utf16le")],
    ["big", Buffer.from("\ufeff<html>http://a.example/&amp;", "utf16le").swap16()],
  ])("UTF-16 with a byte order mark, %s endian", async (order, bytes) => {
    const path = join(folder, order);
    writeFileSync(path, bytes);
    for (const threads of THREADS) {
      const { stdout, stderr, code } = await run(["-j", threads, order], { cwd: folder });
      expect({ stdout, stderr, code }).toEqual({ stdout: "http://a.example/&\n", stderr: "", code: 0 });
    }
    const piped = await run(["-f", "ndjson"], { input: bytes });
    expect(JSON.parse(piped.stdout)).toMatchObject({ raw: "http://a.example/&", start: 14, end: bytes.length });
    rmSync(path);
  });

  it("--fail-fast stops at the first, with what was found before", async () => {
    const { stdout, stderr, code } = await run(["--fail-fast", "outside", "nowhere", "tree"], { cwd: folder });
    expect({ hosts: hosts(stdout), code, lines: stderr.split("\n").length }).toEqual({ hosts: "outside", code: 2, lines: 2 });
  });

  it("-q leaves errors on standard error", async () => {
    expect((await run(["-q", "nowhere"], { cwd: folder })).stderr).toMatch(/^urlmill: nowhere: /);
  });
});

describe("bytes of any kind", () => {
  it("an empty file and an empty input hold nothing", async () => {
    expect(await run(["tree/empty/none"], { cwd: folder })).toEqual({ code: 1, signal: null, stdout: "", stderr: "" });
    expect(await run([])).toEqual({ code: 1, signal: null, stdout: "", stderr: "" });
  });

  it("NUL bytes and other bytes that are no text end a match", async () => {
    const input = Buffer.from("\0\x01http://a.example/x\0\xff\xfe\x80http://b.example/\xc3\x28\0", "latin1");
    expect((await run([], { input })).stdout).toBe("http://a.example/x\nhttp://b.example/\n");
  });

  it("a line without an end: what is too long is counted, the rest is found", async () => {
    const path = join(folder, "line");
    const tail = " http://b.example/";
    writeFileSync(path, `http://a.example/${"x".repeat(40 << 20)}${tail}`);
    for (const threads of THREADS) {
      const { stdout, stderr, code } = await run(["-j", threads, "-q", "--stats", path]);
      expect({ stdout, code }).toEqual({ stdout: "http://b.example/\n", code: 0 });
      expect(JSON.parse(stderr)).toMatchObject({ bytes: (40 << 20) + 17 + tail.length, rejected: { overlong: 1 } });
    }
    rmSync(path);
  });
});

describe("standard input", () => {
  it("- stands for it, in its place among the paths", async () => {
    const { stdout } = await run(["outside", "-", "tree/B"], { cwd: folder, input: "http://in.example/" });
    expect(hosts(stdout)).toBe("outside in 00");
  });

  it("a redirected file is read like a path", async () => {
    const stdin = openSync(join(folder, "outside"), "r");
    const { stdout } = await run(["-f", "ndjson"], { stdin });
    closeSync(stdin);
    expect(JSON.parse(stdout)).toMatchObject({ url: "http://outside.example/", source: "-", start: 0 });
  });

  it("a pipe is read as it comes: a URL is written before the input ends", async () => {
    const child = start([]);
    const end = ended(child);
    // Lines of a log: no byte but the line break comes after the URL.
    for (const url of ["http://a.example/", "mailto:a@b.example"]) {
      child.stdin?.write(`Nov 21 12:30:01 ${url}\n`);
      const line = await new Promise<Buffer>((resolve) => child.stdout?.once("data", resolve));
      expect(line.toString()).toBe(`${url}\n`);
    }
    child.stdin?.end("http://b.example/");
    expect(await end).toMatchObject({ stdout: "http://a.example/\nmailto:a@b.example\nhttp://b.example/\n", code: 0 });
  });

  it("a named pipe is read to its end, and does not keep the command from ending", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reading = run(["-f", "ndjson", pipe]);
    writeFileSync(pipe, "http://a.example/");
    expect(JSON.parse((await reading).stdout)).toMatchObject({ url: "http://a.example/", source: pipe });
    const child = start([pipe]);
    const end = ended(child);
    const writer = openSync(pipe, "r+");
    writeFileSync(writer, `http://a.example/ ${"and so on ".repeat(10)}\n`);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, stdout: "http://a.example/\n" });
    closeSync(writer);
    rmSync(pipe);
  });
});
