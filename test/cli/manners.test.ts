// How the command behaves beside what it finds: closed pipes, signals, output files.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, ended, newFolder, removeFolder, run, start } from "./run.ts";

let folder: string;
let many: string;

beforeAll(() => {
  folder = newFolder();
  many = join(folder, "many");
  writeFileSync(many, "http://a.example/some/path/that/is/a/little/longer/than/others\n".repeat(400_000));
});
afterAll(() => removeFolder(folder));

describe("a closed pipe", () => {
  it.each(["1", "2"])("ends the command quietly with 0 (-j %s)", async (threads) => {
    const child = start(["-j", threads, many, many, many, many]);
    const end = ended(child);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("also where workers have come and gone", async () => {
    // Workers that end take their listeners off standard output.
    const child = start(["-j", "2", ...Array(30).fill(many)]);
    const end = ended(child);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("before anything is written", async () => {
    const child = start([many]);
    const end = ended(child);
    child.stdout?.destroy();
    expect(await end).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("is an error for nobody in a shell's pipe", async () => {
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${COMMAND}" "${many}" | head -n 2`], { stdio: ["ignore", "pipe", "pipe"] });
    const { stdout, stderr, code } = await ended(shell);
    expect({ lines: stdout.split("\n").length, stderr, code }).toEqual({ lines: 3, stderr: "", code: 0 });
  });
});

describe("a slow reader", () => {
  it("gets everything", async () => {
    const child = start([many]);
    const end = ended(child);
    child.stdout?.pause();
    await untilFull(child);
    child.stdout?.on("data", () => {
      child.stdout?.pause();
      setImmediate(() => child.stdout?.resume());
    });
    child.stdout?.resume();
    const { stdout, code } = await end;
    expect({ bytes: stdout.length, code }).toEqual({ bytes: statSync(many).size, code: 0 });
  });
});

describe("signals", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s while it waits for input: whole lines are written, the exit code is %i", async (signal, code) => {
    const child = start([]);
    const end = ended(child);
    child.stdin?.write("http://a.example/ is decided when its line is over and some bytes stand behind it\nhttp://b.example/cut");
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill(signal);
    expect(await end).toEqual({ code, signal: null, stdout: "http://a.example/\n", stderr: "" });
  });

  it.each(["1", "2"])("SIGINT while it reads: what has been found is whole lines (-j %s)", async (threads) => {
    const child = start(["-j", threads, ...Array(40).fill(many)]);
    const end = ended(child);
    // It cannot come to its end before the signal: nobody takes what it writes meanwhile.
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.stdout?.pause();
    child.kill("SIGINT");
    child.stdout?.resume();
    const { stdout, code, stderr } = await end;
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(stdout.endsWith("others\n")).toBe(true);
    expect(stdout.length).toBeLessThan(40 * statSync(many).size);
  });

  it("SIGINT with a reader that takes nothing ends it all the same", async () => {
    const child = start([many, many, many]);
    await untilFull(child);
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(130);
  });

  it("SIGINT removes an output that is not complete, and leaves the older one", async () => {
    const out = join(folder, "interrupted");
    writeFileSync(out, "older\n");
    const child = start(["-o", out]);
    const end = ended(child);
    child.stdin?.write("http://a.example/ and more\n");
    await until(() => readdirSync(folder).some((name) => name.startsWith(".interrupted.")));
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, stdout: "" });
    expect(readdirSync(folder).filter((name) => name.includes("interrupted"))).toEqual(["interrupted"]);
    expect(readFileSync(out, "utf8")).toBe("older\n");
  });
});

/** Waits until the output, which is not flowing, has filled the buffer of its reader. */
async function untilFull({ stdout }: ChildProcess): Promise<void> {
  await until(() => stdout !== null && stdout.readableLength >= stdout.readableHighWaterMark);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("-o FILE", () => {
  let place: string;
  beforeEach(() => {
    place = newFolder();
  });
  afterEach(() => removeFolder(place));

  it("has the file appear when it is complete", async () => {
    const child = start(["-o", join(place, "out")]);
    const end = ended(child);
    child.stdin?.write("http://a.example/ and more\n");
    await until(() => readdirSync(place).length > 0);
    expect(existsSync(join(place, "out"))).toBe(false);
    child.stdin?.end();
    expect(await end).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
    expect(readdirSync(place)).toEqual(["out"]);
    expect(readFileSync(join(place, "out"), "utf8")).toBe("http://a.example/\n");
  });

  it("may have a name as long as names can be", async () => {
    const path = join(place, "x".repeat(255));
    expect((await run(["-o", path], { input: "HTTP://A.example" })).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("http://a.example/\n");
  });

  it("replaces the file behind a link", async () => {
    writeFileSync(join(place, "real"), "older");
    symlinkSync("real", join(place, "link"));
    await run(["-o", join(place, "link")], { input: "http://a.example/" });
    expect(readFileSync(join(place, "real"), "utf8")).toBe("http://a.example/\n");
    expect(readdirSync(place)).toEqual(["link", "real"]);
  });

  it("is kept when one input of several cannot be read, not when none can", async () => {
    const out = join(place, "out");
    expect((await run(["-o", out, "nowhere", "-"], { input: "http://a.example/" })).code).toBe(2);
    expect(readFileSync(out, "utf8")).toBe("http://a.example/\n");
    expect((await run(["-o", out, "nowhere"])).code).toBe(2);
    expect(readFileSync(out, "utf8")).toBe("http://a.example/\n");
    expect((await run(["--fail-fast", "-o", out, "nowhere", many])).code).toBe(2);
    expect(readdirSync(place)).toEqual(["out"]);
  });

  it("writes to a device as it is; - is standard output", async () => {
    expect(await run(["-o", "/dev/null"], { input: "http://a.example/" })).toMatchObject({ code: 0, stdout: "" });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect((await run(["-o", "-"], { input: "http://a.example/" })).stdout).toBe("http://a.example/\n");
  });

  it("holds nothing when nothing is found", async () => {
    const out = join(place, "out");
    expect((await run(["-o", out], { input: "nothing" })).code).toBe(1);
    expect(readFileSync(out, "utf8")).toBe("");
  });
});

describe("the end", () => {
  // process.exit can wait for ever for threads of V8 that compile (nodejs/node 54918).
  it.each([
    ["a file", ["-f", "ndjson", "FILE"], 0],
    ["standard input", ["-"], 0],
    ["threads", ["-j", "2", "FILE", "FILE"], 0],
    ["a count", ["count", "--by", "host", "FILE"], 0],
    ["the version", ["--version"], 0],
    ["an option that is not there", ["--nothing"], 2],
    ["a file that is not there", ["FILE.absent"], 2],
  ])("comes by itself after %s", async (_, args, code) => {
    const file = join(folder, "one");
    writeFileSync(file, "http://a.example/\n");
    const exit = join(folder, "exit.cjs");
    writeFileSync(exit, 'process.exit = () => { process._rawDebug("process.exit"); process.reallyExit(9); };');
    const env = { ...process.env, NODE_OPTIONS: `--require ${exit}` };
    const end = await run(
      args.map((arg) => arg.replace("FILE", file)),
      { env, input: "http://a.example/" },
    );
    expect(end.stderr).not.toContain("process.exit");
    expect(end.code).toBe(code);
  });
});
