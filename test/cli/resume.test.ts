// Runs that are killed and gone on with: the outputs are those of a run that nobody kills. tools/kill-and-resume.mjs kills at random.
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkedJson, checkedValue } from "../../src/cluster/checked-json.ts";
import { COMMAND, type Ended, ended, newFolder, removeFolder, run } from "./run.ts";

/** What a checkpoint holds, as far as a test reads it. */
interface Checkpoint {
  version: string;
  outputs: { path: string; id: string; bytes: number; inode?: number }[];
  scan: { entries: number; from?: number };
}

const MESSAGE =
  "From a@b Thu Jan  1 00:00:00 1998\nSubject: http://s.example/\n\n<http://a.example/1>, http://:1/ and http://b.example/2\n\n";
let folder: string;

beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, "in"));
});
afterEach(() => removeFolder(folder));

const inFolder = (args: readonly string[]): Promise<Ended> => run(args, { cwd: folder });
const read = (name: string): string => readFileSync(join(folder, name), "latin1");
const hidden = (): string[] => readdirSync(folder).filter((name) => name.startsWith("."));
const checkpoint = (): Checkpoint => checkedValue<Checkpoint>(read("out.checkpoint")) as Checkpoint;
const change = (changeOf: (own: Checkpoint) => object): void =>
  writeFileSync(join(folder, "out.checkpoint"), checkedJson(changeOf(checkpoint())));

/** Most of the large file is a hole, in which two ranges end. */
const HOLE_BYTES = 260 << 20;

// Loaded before the command: a second passes with each long read, and none else, so that each range has a checkpoint. After one of them the
// process gets a signal, before it goes on.
const SIGNAL_AFTER = `
const fs = require("node:fs");
const { readSync, renameSync } = fs;
let [time, count] = [0, 0];
process.hrtime = Object.assign(() => [time, 0], { bigint: () => BigInt(time) * 1_000_000_000n });
fs.readSync = (...given) => {
  if (given[3] > 1 << 16) time++;
  return readSync(...given);
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (!to.endsWith("checkpoint") || ++count !== Number(process.env.AFTER)) return;
  // A signal comes when the system wants: the run could be over by then.
  if (process.env.BY !== "SIGKILL") process.emit(process.env.BY, process.env.BY);
  else for (process.kill(process.pid, "SIGKILL"); ; );
};`;

/** Writes a folder of files, one of them in many ranges. */
function putInputs(): void {
  for (let index = 0; index < 300; index++) writeFileSync(join(folder, "in", `a${index}`), `http://h${index}.example/ http://:1/ `);
  const large = join(folder, "in", "large");
  writeFileSync(large, `text\n${MESSAGE.repeat(1000)}`);
  truncateSync(large, HOLE_BYTES);
  appendFileSync(large, `\n${MESSAGE.repeat(5000)}`);
  writeFileSync(join(folder, "in", "z"), "http://last.example/");
}

/** Starts a run that gets a signal when it has written so many checkpoints; the first is of the beginning. */
async function killAfter(count: number, args: readonly string[], signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> {
  const before = join(folder, "before.cjs");
  writeFileSync(before, SIGNAL_AFTER);
  const env = { ...process.env, AFTER: String(count), BY: signal };
  return await ended(spawn(process.execPath, ["--require", before, COMMAND, ...args, "in"], { cwd: folder, env, stdio: "pipe" }));
}

describe("a run that is killed", () => {
  const refused = ["--rejected", "refused"];

  it.each([
    [1, "csv and --rejected", ["-f", "csv", ...refused]],
    [3, "csv and --rejected", ["-f", "csv", ...refused]],
    [4, "a template", ["--print", "{source} {start}"]],
  ])("after %i checkpoints goes on: %s", { timeout: 120_000 }, async (count, _, options) => {
    putInputs();
    const whole = await inFolder([...options.map((name) => (name === "refused" ? "refused-whole" : name)), "-o", "whole", "--stats", "in"]);
    expect(await killAfter(count, [...options, "-o", "out", "--resumable"])).toMatchObject({ signal: "SIGKILL" });
    const { entries, from } = checkpoint().scan;
    expect([entries > 0, from !== undefined]).toEqual([count > 1, count > 2]);
    expect([existsSync(join(folder, "out")), hidden().every((name) => name.endsWith(".urlmill-resumable"))]).toEqual([false, true]);
    // Another run writes in the same folder: it leaves what can be resumed.
    expect(await inFolder(["-o", "other", "in/z"])).toMatchObject({ code: 0 });
    const resumed = await inFolder([...options, "-o", "out", "--resume", "--stats", "in"]);
    const counts = ({ stderr }: Ended): string => stderr.replace(/"(bytes_per_)?seconds?":[\d.e+]+/g, "");
    expect(counts(resumed)).toEqual(counts(whole));
    expect(read("out") === read("whole")).toBe(true);
    if (options.includes("refused")) expect(read("refused") === read("refused-whole")).toBe(true);
    expect([hidden(), existsSync(join(folder, "out.checkpoint"))]).toEqual([[], false]);
  });

  it("is kept after SIGINT, and refused where something has changed", { timeout: 120_000 }, async () => {
    putInputs();
    const interrupted = await killAfter(4, ["-o", "out", "--resumable"], "SIGINT");
    expect(interrupted).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("out.checkpoint keeps what is done; the same command"),
    });
    const begin = "urlmill: out.checkpoint is of a run";
    const resume = (...args: string[]): Promise<Ended> => inFolder(["-o", "out", ...args]);
    const refusal = async (reason: string, ...args: string[]): Promise<void> => {
      expect(await resume(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    };
    await refusal(`${begin} that is not complete; go on with --resume`, "--resumable", "in");
    await refusal(`${begin} with other options (--format)`, "--resume", "-f", "csv", "in");
    await refusal(`${begin} with other inputs`, "--resume", "in", "in/z");
    await refusal(`${begin} with other outputs`, "--resume", "--rejected", "refused", "in");
    const saved = read("out.checkpoint");
    change((own) => ({ ...own, version: "urlmill 0.0.0" }));
    await refusal(`${begin} with another version (urlmill 0.0.0)`, "--resume", "in");
    writeFileSync(join(folder, "out.checkpoint"), saved);
    appendFileSync(join(folder, "in", "large"), "more");
    await refusal("the inputs have changed", "--resume", "in");
    expect(hidden()).toHaveLength(1);
  });
});

describe("what somebody else has put beside the output of a run", () => {
  const resume = ["-o", "out", "--resume", "absent", "in"];
  const unfinished = (): string => join(folder, hidden().find((name) => name.startsWith(".out.")) ?? "");
  const precious = "precious text that is longer than what the run has written, so that it could be cut";
  const FOREIGN = "urlmill: out: its unfinished file is not the one that the earlier run wrote; remove the checkpoint to begin anew\n";

  /** Leaves a run whose checkpoint says that a few bytes of the unfinished file are right. */
  beforeEach(async () => {
    writeFileSync(join(folder, "in", "a"), "http://a.example/");
    expect(await inFolder(["-o", "out", "--resumable", "--fail-fast", "absent", "in"])).toMatchObject({ code: 2 });
    writeFileSync(unfinished(), "http://z.example/\n");
    change(({ outputs: [output], ...own }) => ({ ...own, outputs: [{ ...output, bytes: 18, inode: statSync(unfinished()).ino }] }));
    writeFileSync(join(folder, "precious"), precious);
  });

  it("is nothing: the run goes on", async () => {
    expect(await inFolder(resume)).toMatchObject({ code: 2 });
    expect([read("out"), hidden()]).toEqual(["http://z.example/\nhttp://a.example/\n", []]);
  });

  it.each<[string, (path: string) => void]>([
    ["a link", (path) => symlinkSync(join(folder, "precious"), path)],
    ["a second name of a file", (path) => linkSync(join(folder, "precious"), path)],
    ["another file", (path) => renameSync(join(folder, "precious"), path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ])("in the place of its unfinished file is not written to: %s", async (_, putAt) => {
    const path = unfinished();
    renameSync(path, join(folder, "elsewhere"));
    putAt(path);
    expect(await inFolder(resume)).toMatchObject({ code: 2, stderr: expect.stringContaining(FOREIGN) });
    if (existsSync(join(folder, "precious"))) expect(read("precious")).toBe(precious);
    else expect(readFileSync(unfinished(), "utf8")).toBe(precious);
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  it("in the place of a file of which nothing is kept is removed, and not followed", async () => {
    const path = unfinished();
    rmSync(path);
    symlinkSync(join(folder, "precious"), path);
    change(({ outputs: [output], ...own }) => ({ ...own, outputs: [{ ...output, bytes: 0 }] }));
    expect(await inFolder(resume)).toMatchObject({ code: 2 });
    expect([read("precious"), read("out"), hidden()]).toEqual([precious, "http://a.example/\n", []]);
  });

  it("is a changed checkpoint, or a link to one: it is refused", async () => {
    const saved = read("out.checkpoint");
    writeFileSync(join(folder, "out.checkpoint"), saved.replace('"entries":0', '"entries":1'));
    const message = "out.checkpoint is not what the run wrote: it was changed, or is damaged; remove it to begin anew\n";
    expect(await inFolder(resume)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    rmSync(join(folder, "out.checkpoint"));
    writeFileSync(join(folder, "elsewhere"), saved);
    symlinkSync(join(folder, "elsewhere"), join(folder, "out.checkpoint"));
    expect(await inFolder(resume)).toMatchObject({ code: 2, stderr: expect.stringContaining("is no checkpoint; give another file\n") });
    expect(read("elsewhere")).toBe(saved);
  });

  it.each<[string, object]>([
    ["no outputs", { outputs: undefined }],
    ["outputs that are none", { outputs: [null] }],
    ["an output without an end", { outputs: [{ path: "out", id: "x" }] }],
    ["no state of the scan", { scan: undefined }],
    ["a state without counts", { scan: {} }],
    ["a count that is text", { scan: { entries: "1", listing: "", messagesBefore: 0, totals: {} } }],
  ])("is a checkpoint whose checksum is right, with %s: it is refused", async (_, other) => {
    change((own) => ({ ...own, ...other }) as Checkpoint);
    const stderr = "urlmill: out.checkpoint is there and is no checkpoint; give another file\n";
    expect(await inFolder(resume)).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
  });
});

it("a checkpoint that cannot be written leaves the one before it, and nothing else", async () => {
  writeFileSync(join(folder, "in", "a"), "http://a.example/");
  const before = join(folder, "before.cjs");
  // The disk is full when the checkpoint is written.
  writeFileSync(
    before,
    `const fs = require("node:fs");
fs.writeFileSync = () => { throw Object.assign(new Error("full"), { code: "ENOSPC" }); };`,
  );
  const args = ["--require", before, COMMAND, "-o", "out", "--resumable", "in"];
  const { code, stderr } = await ended(spawn(process.execPath, args, { cwd: folder, stdio: "pipe" }));
  expect({ code, stderr }).toEqual({ code: 2, stderr: "urlmill: out.checkpoint: cannot be written (ENOSPC)\n" });
  expect(readdirSync(folder).sort()).toEqual(["before.cjs", "in"]);
});

describe("a checkpoint", () => {
  beforeEach(() => {
    writeFileSync(join(folder, "in", "a"), "http://a.example/");
    writeFileSync(join(folder, "in", "b"), "http://b.example/");
  });

  it("that is not there: the run begins at the start", async () => {
    const { code, stderr } = await inFolder(["-o", "out", "--resume", "in"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/there is no checkpoint .*: the run begins at the start\n$/),
    });
    expect([read("out"), readdirSync(folder).sort()]).toEqual(["http://a.example/\nhttp://b.example/\n", ["in", "out"]]);
  });

  it("in a folder that is read is no input, nor is the output", async () => {
    expect(await inFolder(["-o", "in/out", "--checkpoint", "in/c", "in"])).toMatchObject({ code: 0 });
    expect(read("in/out")).toBe("http://a.example/\nhttp://b.example/\n");
    expect(readdirSync(join(folder, "in")).sort()).toEqual(["a", "b", "out"]);
  });

  it("of a run that --fail-fast has ended: it is kept", async () => {
    const { code } = await run(["-o", "out", "--resumable", "--fail-fast", "absent", "in"], { cwd: folder });
    expect([code, hidden().length, existsSync(join(folder, "out.checkpoint"))]).toEqual([2, 1, true]);
    expect(await inFolder(["-o", "out", "--resume", "absent", "in"])).toMatchObject({ code: 2 });
    expect([read("out"), hidden()]).toEqual(["http://a.example/\nhttp://b.example/\n", []]);
  });

  it("whose output is gone: the run begins at the start; whose input has changed: it is refused", async () => {
    const options = ["-o", "out", "--fail-fast"];
    expect(await inFolder([...options, "--resumable", "in/a", "absent"])).toMatchObject({ code: 2 });
    utimesSync(join(folder, "in", "a"), 1, 2);
    const resume = ["-o", "out", "--resume", "in/a", "absent"];
    expect((await inFolder(resume)).stderr).toMatch(
      /has changed \(in\/a\); give what it was given, or remove it and \S+urlmill-resumable to begin anew$/m,
    );
    rmSync(join(folder, "out.checkpoint"));
    expect((await inFolder(resume)).stderr).toMatch(/the run begins at the start/);
  });

  it("of a run that was killed when one of two outputs had its name: the run begins at the start, and leaves nothing", async () => {
    const outputs = ["-o", "out", "--rejected", "refused"];
    expect(await inFolder([...outputs, "--resumable", "--fail-fast", "absent", "in"])).toMatchObject({ code: 2 });
    const [{ path, id }, other] = checkpoint().outputs;
    change((own) => ({ ...own, outputs: [{ path, id, bytes: 1 }, other] }));
    rmSync(join(folder, hidden().find((name) => name.startsWith(".out.")) ?? ""));
    expect(hidden()).toEqual([expect.stringMatching(/^\.refused\./)]);
    const { stderr } = await inFolder([...outputs, "--resume", "absent", "in"]);
    expect(stderr).toContain("the unfinished output is gone: the run begins at the start");
    expect([read("out"), hidden()]).toEqual(["http://a.example/\nhttp://b.example/\n", []]);
  });

  it.each(["mine", "[]", '{"form":1,"version":"urlmill 0.1.0"}', '{"form":1,"version":"1","outputs":[{}],"inputs":[],"options":{}}'])(
    "that is another file is left alone: %s",
    async (text) => {
      writeFileSync(join(folder, "c"), text);
      for (const option of [[], ["--resume"]]) {
        const { code, stderr } = await inFolder(["-o", "out", "--checkpoint", "c", ...option, "in"]);
        expect({ code, stderr }).toEqual({ code: 2, stderr: "urlmill: c is there and is no checkpoint; give another file\n" });
      }
      expect(read("c")).toBe(text);
    },
  );

  it("cannot be an output, nor an input", async () => {
    expect((await inFolder(["-o", "out", "--checkpoint", "in/a", "in"])).stderr).toContain("is there and is no checkpoint");
    expect((await inFolder(["-o", "out", "--checkpoint", "out", "in"])).stderr).toContain("is also an output; give another file");
    symlinkSync("in", join(folder, "link"));
    expect((await inFolder(["-o", "link/x", "--checkpoint", "link/x", "in"])).stderr).toContain("is also an output; give another file");
  });

  it("names inputs that cannot be listed as any run does", async () => {
    symlinkSync("loop", join(folder, "loop"));
    const paths = ["loop", "in/a/b", "absent", "in"];
    const [plain, kept] = [await inFolder(["-o", "plain", ...paths]), await inFolder(["-o", "out", "--resumable", ...paths])];
    expect(kept).toEqual(plain);
    expect([kept.code, read("out")]).toEqual([2, "http://a.example/\nhttp://b.example/\n"]);
  });

  it.each([
    [["--resumable"], "--resumable needs -o FILE"],
    [["--resume", "-o", "-"], "--resume needs -o FILE"],
    [["--checkpoint", "c", "-o", "/dev/stdout"], "--checkpoint needs files as outputs, and /dev/stdout is none"],
    [["--resumable", "-o", "/dev/null"], "--resumable needs files as outputs, and /dev/null is none"],
    [["--resumable", "-o", "out", "-u"], "--resumable cannot be given with -u"],
    [["--resumable", "-o", "out", "--unique-by", "host"], "--resumable cannot be given with --unique-by"],
    [["--resumable", "-o", "out", "-f", "parquet"], "--resumable cannot be given with -f parquet"],
    [["--resumable", "-o", "out", "-"], "--resumable needs files and folders as inputs: standard input is read once"],
    [["--resumable", "-o", "out", "/dev/null"], "--resumable needs files and folders as inputs: /dev/null is read once"],
  ])("cannot be kept: %j", async (args, reason) => {
    const { code, stderr } = await inFolder([...args, "in"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    expect(readdirSync(folder)).toEqual(["in"]);
  });

  it("is not kept by count", async () => {
    expect(await inFolder(["count", "--resumable", "in"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has no option --resumable"),
    });
  });
});
