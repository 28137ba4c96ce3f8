// The progress of a run: what the line says, when it is drawn, what it counts, and that it is never in the way.
import { spawn, spawnSync } from "node:child_process";
import fs, { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Progress, ProgressLine, progressLine, progressText, summaryText } from "../../src/cli/progress.ts";
import { InputTotal, Watch } from "../../src/cli/watch.ts";
import { ALL_FILES, listSources } from "../../src/input/paths.ts";
import { settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { addingTo, newPosition, ReadMeter } from "../../src/run/run-position.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { COMMAND, ended, newFolder, removeFolder, start } from "./run.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

const RUN: Progress = { bytes: 1.2e9, before: 0, total: 4.29e9, urls: 3_214_554, seconds: 1.5, source: "mail/list.mbox" };

describe("the words", () => {
  it.each<[Partial<Progress>, string]>([
    [{}, "1.20 GB of 4.29 GB (27%), 800 MB/s, 3,214,554 URLs, 4 s left"],
    [{ total: undefined }, "1.20 GB, 800 MB/s, 3,214,554 URLs"],
    [{ bytes: 0, urls: 0, seconds: 0 }, "0 B of 4.29 GB (0%), 0 URLs"],
    [{ bytes: 999, total: 999, urls: 1, seconds: 1 }, "999 B of 999 B (100%), 999 B/s, 1 URL"],
    [{ bytes: 0, total: 0, seconds: 1 }, "0 B of 0 B (100%), 0 B/s, 3,214,554 URLs"],
    [{ bytes: 999_600, total: 99_960_000, seconds: 60 }, "1.00 MB of 100 MB (1%), 16.7 kB/s, 3,214,554 URLs, 1 h 39 min left"],
    [{ before: 0.6e9 }, "1.20 GB of 4.29 GB (27%), 400 MB/s, 3,214,554 URLs, 8 s left"],
    [{ bytes: 5e12, total: 9e15, seconds: 100 }, "5.00 TB of 9.00 PB (0%), 50.0 GB/s, 3,214,554 URLs, 49 h 58 min left"],
    [{ total: 1.3e9, seconds: 1000 }, "1.20 GB of 1.30 GB (92%), 1.20 MB/s, 3,214,554 URLs, 1 min 24 s left"],
    // A file has become longer since it was listed.
    [{ total: 1e9 }, "1.20 GB, 800 MB/s, 3,214,554 URLs"],
  ])("%j", (changed, text) => expect(progressText({ ...RUN, ...changed })).toBe(text));

  it("of a summary", () => expect(summaryText(RUN)).toBe("3,214,554 URLs in 1.20 GB, 2 s (800 MB/s)"));

  it("name the source, from whose name nothing acts on the terminal", () => {
    expect(progressLine({ ...RUN, source: "a\x1b[2J\n\u009b\u202eb" })).toBe(`${progressText(RUN)}: a\\u001b[2J\\u000a\\u009b\\u202eb`);
    expect(progressLine({ ...RUN, source: undefined })).toBe(progressText(RUN));
  });

  it("fit into the columns: of a long name the end is shown, of a line too narrow for it the beginning", () => {
    const head = progressText(RUN);
    const long = { ...RUN, source: `mail/${"x".repeat(90)}/2004.mbox` };
    expect(progressLine(long, head.length + 20)).toBe(`${head}: …${"x".repeat(7)}/2004.mbox`);
    expect(progressLine(long, head.length + 13)).toBe(head);
    expect(progressLine({ ...RUN, source: "a" }, head.length + 3)).toBe(`${head}: a`);
    // A character of East Asia takes two columns.
    expect(progressLine({ ...RUN, source: `${"日".repeat(50)}.gz` }, head.length + 20)).toBe(`${head}: …${"日".repeat(7)}.gz`);
    for (let columns = 0; columns < 150; columns++) expect(progressLine(long, columns).length).toBeLessThanOrEqual(columns);
  });
});

describe("the line", () => {
  const drawn: string[] = [];
  let time = 0;
  let bytes = 0;
  const screen = { columns: 41, write: (text: string) => void drawn.push(text) };
  const newLine = (): ProgressLine => {
    drawn.length = time = bytes = 0;
    return new ProgressLine(
      screen,
      () => time,
      (columns) => `${bytes} in ${columns}`,
    );
  };

  it("is drawn after a second, then ten times a second at most, and only if it has changed", () => {
    const line = newLine();
    for (; time < 1000; time += 7) line.tick();
    expect(drawn).toEqual([]);
    for (; time < 3000; time++) {
      bytes++;
      line.tick();
    }
    expect(drawn).toHaveLength(20);
    expect(drawn[0]).toBe("\r1 in 40\x1b[K");
    for (; time < 5000; time++) line.tick();
    expect(drawn).toHaveLength(21);
  });

  it("makes room for messages, and comes back", () => {
    const line = newLine();
    line.clear();
    expect(drawn).toEqual([]);
    for (const at of [1000, 1100]) {
      time = at;
      line.tick();
      line.clear();
      line.clear();
    }
    expect(drawn).toEqual(["\r0 in 40\x1b[K", "\r\x1b[K", "\r0 in 40\x1b[K", "\r\x1b[K"]);
  });
});

it("lines of a log come every ten seconds, and stay", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "hrtime"] });
  const written = vi.spyOn(fs, "writeSync").mockReturnValue(0);
  syncBuiltinESMExports();
  try {
    const watch = new Watch([], ALL_FILES);
    watch.start("log", new AbortController().signal);
    const counts: number[] = [];
    for (let seconds = 5; seconds <= 35; seconds += 5) {
      vi.advanceTimersByTime(5000);
      await setImmediate();
      counts.push(written.mock.calls.length);
    }
    watch.stop();
    expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3]);
    expect(written.mock.calls.every(([, text]) => /^urlmill: .*\n$/.test(String(text)))).toBe(true);
  } finally {
    written.mockRestore();
    syncBuiltinESMExports();
    vi.useRealTimers();
  }
});

describe("the sum of the inputs", () => {
  it("is known when all have been listed, which takes some milliseconds of each redraw", () => {
    mkdirSync(join(folder, "in"));
    for (let index = 0; index < 100; index++) writeFileSync(join(folder, "in", `${index}`), "12345");
    let time = 0;
    const total = new InputTotal(listSources([join(folder, "in"), join(folder, "nowhere")]), () => time++);
    const known = Array.from({ length: 30 }, () => total.advance(5));
    expect(known.slice(0, 19)).toEqual(Array(19).fill(undefined));
    expect(known.at(-1)).toBe(500);
  });

  it("is never known with a pipe among them", () => {
    spawnSync("mkfifo", [join(folder, "pipe")]);
    writeFileSync(join(folder, "a"), "12345");
    const total = new InputTotal(listSources([join(folder, "a"), join(folder, "pipe"), join(folder, "a")]), () => 0);
    expect([total.advance(5), total.advance(5)]).toEqual([undefined, undefined]);
  });
});

describe("the bytes that have been read", () => {
  const settings = settingsOf(checkValues("extractFiles", {}));
  const readOf = async (paths: string[], options: object): Promise<[number, string | undefined]> => {
    const position = newPosition();
    const sink = { write: () => undefined, wait: () => undefined, end: () => undefined };
    await scanFiles(paths, { settings, threads: 1, position, ...options }, sink);
    return [Number(position.read[0]), position.source];
  };

  it.each([
    ["one thread", {}],
    ["workers", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20 }],
    ["this thread and a worker", { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20, scansHere: true }],
  ])("are those of the files, each once, whatever ranges read beside their own: %s", async (_, options) => {
    const text = "see http://a.example/ and more\n".repeat(200_000);
    const files = { "text.txt": text, "a.gz": gzipSync(text), "broken.gz": gzipSync(text).subarray(0, 9000), empty: "", "small.txt": "x" };
    const paths = Object.keys(files).map((name) => join(folder, name));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    const sum = Object.values(files).reduce((bytes, file) => bytes + file.length, 0);
    expect(await readOf(paths, options)).toEqual([sum, expect.stringContaining(folder)]);
  });

  it("count once what is reached again, and nothing beyond the end", () => {
    const { read } = newPosition();
    const meter = new ReadMeter(addingTo(read), 100, 200);
    for (const at of [40, 100, 150, 120, 150, 199, 260]) meter.reach(at);
    expect(read[0]).toBe(100n);
  });
});

describe("a run", () => {
  it("says where it is on SIGUSR2, on one line, and goes on", async () => {
    const child = start([], { cwd: folder });
    const end = ended(child);
    child.stdin?.write("http://a.example/ and more\n");
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const line = new Promise<string>((resolve) => child.stderr?.once("data", (bytes: Buffer) => resolve(bytes.toString())));
    child.kill("SIGUSR2");
    expect(await line).toMatch(/^urlmill: 27 B, (?:[\d.]+ k?B\/s, )?1 URL: -\n$/);
    child.stdin?.end("http://b.example/");
    expect(await end).toMatchObject({ code: 0, stdout: "http://a.example/\nhttp://b.example/\n" });
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;

  it.skipIf(!hasScript).each([
    ["", true],
    ["--color never", false],
  ])("on a terminal has a line that is gone at the end, and no message in it (script of util-linux) %s", async (option, colored) => {
    spawnSync("mkfifo", [join(folder, "pipe")]);
    writeFileSync(join(folder, "broken.gz"), gzipSync("http://a.example/ and more\n").subarray(0, 30));
    const script = `stty cols 60; "${process.execPath}" "${COMMAND}" ${option} -o out pipe broken.gz`;
    const child = spawn("script", ["-qec", script, "/dev/null"], { cwd: folder, env: { ...process.env, NO_COLOR: "", TERM: "xterm" } });
    const end = ended(child);
    const pipe = openSync(join(folder, "pipe"), "r+");
    writeSync(pipe, "http://a.example/ and more\n");
    let seen = "";
    // Lines before it say that nothing has been read yet.
    const line = new RegExp(`\r${colored ? "\x1b\\[2m" : ""}27 B, (?:[\\d.]+ k?B/s, )?1 URL: pipe${colored ? "\x1b\\[0m" : ""}\x1b\\[K`);
    await new Promise<void>((resolve) => {
      child.stdout?.on("data", (bytes: Buffer) => {
        seen += bytes.toString();
        if (line.test(seen)) resolve();
      });
    });
    closeSync(pipe);
    const { stdout, code } = await end;
    expect(code).toBe(2);
    const clear = "\r\x1b[K";
    const reason = "ends too early; everything up to there was read; reading ended at byte 19 of its text";
    const message = `${colored ? "\x1b[1;31murlmill:\x1b[0m" : "urlmill:"} broken.gz: ${reason}\r\n`;
    const drawn = new RegExp(`\r[^\r\n]*${"\x1b"}\\[K`, "g");
    expect(stdout).toContain(clear + message);
    expect(stdout.match(drawn)?.at(-1)).toBe(clear);
    expect(stdout.replace(drawn, "")).toBe(message);
    expect(readFileSync(join(folder, "out"), "utf8")).toBe("http://a.example/\n".repeat(2));
  });
});
