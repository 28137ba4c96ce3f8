// Worker threads that cannot start: the others do the work, or this thread alone; the output is the same, and no host dies.
import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "../cli/run.ts";

/** A page of so many bytes cannot be cut, so the command starts workers for it (remaining-work.ts). Most of them are a hole in the file. */
const PAGE_BYTES = 33 << 20;
const LARGE_BYTES = 160 << 20;
const LARGE_STEP = 2 << 20;
const INPUTS = ["page.html", "large"];
const FILES = 300;
const LIBRARY = resolve(import.meta.dirname, "../../build/index.js");

// What a worker does when it reads the input of its first task: it takes memory without end. No task is done.
const GREEDY = `const { writeFileSync } = require("node:fs");
require("node:fs").readSync = (...args) => {
  writeFileSync("ready", "");
  for (const all = []; ; ) all.push(new Array(1e5).fill(0));
};`;

// Loaded before the command or the library: what `new Worker` does is said by the variable FAULTS, one letter a worker.
const FAULTY_WORKERS = `
const threads = require("node:worker_threads");
if (threads.isMainThread) {
  const { Worker } = threads;
  let count = 0;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      const fault = process.env.FAULTS[count++] ?? process.env.FAULTS.at(-1);
      if (fault === "t") throw Object.assign(new Error("Worker initialization failure: EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
      if (fault === "e") super("process.exit(3)", { eval: true });
      else if (fault === "m") {
        const code = ${JSON.stringify(GREEDY)} + "require(" + JSON.stringify(String(file)) + ");";
        super(code, { ...options, eval: true, resourceLimits: { maxOldGenerationSizeMb: 24 } });
        // On a busy machine this thread would have scanned everything before the worker has a task.
        const fs = require("node:fs");
        const { readSync } = fs;
        const word = new Int32Array(new SharedArrayBuffer(4));
        fs.readSync = (...args) => {
          if (!fs.existsSync("ready")) Atomics.wait(word, 0, 0, 20);
          return readSync(...args);
        };
      } else if (fault === "r") super("throw new RangeError('no memory')", { eval: true });
      else super(file, options);
    }
  };
  require("node:module").syncBuiltinESMExports();
}`;

// Uses the library with at most as many file descriptors as its first argument says, and tells what came of it.
const HOST = `
import { closeSync, openSync } from "node:fs";
const [, , left, library, folder] = process.argv;
const said = [];
process.on("uncaughtException", (error) => said.push("uncaughtException: " + error.message));
process.on("unhandledRejection", (error) => said.push("unhandledRejection: " + error.message));
const { ExtractStream, extractFiles, normalize } = await import(library);
normalize("http://a.example/");
const open = [];
try {
  while (left !== "all") open.push(openSync("/dev/null"));
} catch {}
for (const handle of open.slice(-Number(left) || open.length)) closeSync(handle);
const urls = [];
try {
  for await (const { url } of extractFiles(folder, { threads: 3 })) urls.push(url);
} catch (error) {
  said.push("extractFiles: " + error.name + " " + error.message);
}
let bytes = 0;
await new Promise((resolve) => {
  const stream = new ExtractStream({ threads: 3 });
  stream.on("data", (chunk) => { bytes += chunk.length; });
  stream.on("error", (error) => { said.push("ExtractStream: " + error.name + " " + error.message); resolve(); });
  stream.on("end", resolve);
  stream.end(Buffer.from("http://a.example/\\n".repeat(400000)));
});
console.log(JSON.stringify({ urls: urls.length, first: urls[0], last: urls.at(-1), bytes, said }));`;

let folder: string;
let whole: string;

beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder, "many"));
  for (let index = 0; index < FILES; index++) writeFileSync(join(folder, "many", `${index}`), `see http://h${index}.example/ and more\n`);
  const large = openSync(join(folder, "large"), "w");
  for (let at = 0; at < LARGE_BYTES; at += LARGE_STEP) writeSync(large, `\nsee http://h${at}.example/ and more\n`, at);
  ftruncateSync(large, LARGE_BYTES);
  closeSync(large);
  writeFileSync(join(folder, "page.html"), "<html>");
  truncateSync(join(folder, "page.html"), PAGE_BYTES);
  writeFileSync(join(folder, "faults.cjs"), FAULTY_WORKERS);
  writeFileSync(join(folder, "host.mjs"), HOST);
  whole = spawnSync(process.execPath, [COMMAND, "-j", "1", ...INPUTS], { cwd: folder, encoding: "utf8" }).stdout;
  expect(whole.split("\n")).toHaveLength(LARGE_BYTES / LARGE_STEP + 1);
});
afterAll(() => removeFolder(folder));

interface Ran {
  status: number | null;
  stderr: string;
  isWhole: boolean;
}

/** What a run is given: what `ulimit` is told, what is loaded before, and what becomes of each worker. */
interface Surroundings {
  limit?: string;
  before?: string;
  faults?: string;
}

/** Runs a script of Node's in the folder. */
function runNode(
  args: readonly string[],
  { limit, before, faults = "" }: Surroundings,
): { status: number | null; stdout: string; stderr: string } {
  const script = limit === undefined ? 'exec "$@"' : `ulimit ${limit} && exec "$@"`;
  const required = before === undefined ? [] : ["--require", join(folder, before)];
  const env = { ...process.env, FAULTS: faults };
  return spawnSync("bash", ["-c", script, "bash", process.execPath, ...required, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env,
  });
}

function runCommand(options: readonly string[], surroundings: Surroundings): Ran {
  const { status, stdout, stderr } = runNode([COMMAND, ...options, ...INPUTS], surroundings);
  return { status, stderr, isWhole: stdout === whole };
}

const ONE = (reason: string): string =>
  `urlmill: scanning with one thread, because more could not start (${reason}); the results are complete\n`;
const TWO = (reason: string): string =>
  `urlmill: scanning with 2 threads, because more could not start (${reason}); the results are complete\n`;

/** Fewest file descriptors with which Node and the command start. */
function leastHandles(): number {
  for (let count = 12; ; count++) if (runNode([COMMAND, "--version"], { limit: `-n ${count}` }).status === 0) return count;
}

// Only Linux has both limits.
describe.runIf(process.platform === "linux")("the command under limits", () => {
  it("with few file descriptors scans with fewer threads, and says so once", () => {
    const least = leastHandles();
    for (const more of [2, 13]) {
      expect({ more, ...runCommand(["-j", "3"], { limit: `-n ${least + more}` }) }).toEqual({
        more,
        status: 0,
        stderr: ONE("too few file descriptors"),
        isWhole: true,
      });
    }
    const said: string[] = [];
    for (let more = 18; said.at(-1) !== ""; more += 6) {
      const { stderr, ...rest } = runCommand(["-j", "3"], { limit: `-n ${least + more}` });
      expect(rest).toEqual({ status: 0, isWhole: true });
      if (stderr !== said.at(-1)) said.push(stderr);
    }
    expect(said).toEqual([...(said.length === 3 ? [ONE("too few file descriptors")] : []), TWO("too few file descriptors"), ""]);
    expect(runCommand(["-q", "-j", "3"], { limit: `-n ${least + 4}` })).toEqual({ status: 0, stderr: "", isWhole: true });
  });

  // A WebAssembly.Memory takes 10 GiB of addresses: up to there the JavaScript build does the work.
  it.each([8_000_000, 20_000_000, 28_000_000])("with %d KiB of address space gives the same", (kib) => {
    const { status, stderr, isWhole } = runCommand(["-j", "3"], { limit: `-v ${kib}` });
    expect({ status, isWhole }).toEqual({ status: 0, isWhole: true });
    expect(["", ONE("too little address space"), TWO("too little address space")]).toContain(stderr);
  });

  it("without a file handle ends with 2 and one line", () => {
    // Once its first files are read: those of the command are next.
    writeFileSync(
      join(folder, "full.cjs"),
      `const fs = require("node:fs"); process.argv.splice(1, 1); require(process.argv[1]);
      try { for (;;) fs.openSync("/dev/null"); } catch {}`,
    );
    expect(runNode(["full.cjs", COMMAND, "large"], { limit: "-n 100" })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^urlmill: EMFILE.*\n$/),
    });
  });
});

describe("the command without memory", () => {
  const NO_WASM = `WebAssembly.Memory = class {
    constructor() {
      throw new RangeError("WebAssembly.Memory(): could not allocate memory");
    }
  };`;
  const NONE = `Uint8Array = new Proxy(Uint8Array, {
    construct(target, args) {
      if (args[0] > 16 << 20) throw new RangeError("Array buffer allocation failed");
      return Reflect.construct(target, args);
    },
  });`;

  it("for WebAssembly gives the same", () => {
    writeFileSync(join(folder, "memory.cjs"), NO_WASM);
    for (const threads of ["1", "3"]) {
      expect(runCommand(["-j", threads], { before: "memory.cjs" })).toEqual({ status: 0, stderr: "", isWhole: true });
    }
  });

  it("for any build ends with 2 and one line", () => {
    writeFileSync(join(folder, "memory.cjs"), NO_WASM + NONE);
    for (const args of [["large"], ["-j", "1", "large"], ["normalize", "http://a.example/"], ["parse", "http://a.example/"]]) {
      const { status, stdout, stderr } = runNode([COMMAND, ...args], { before: "memory.cjs" });
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: "",
        stderr: "urlmill: too little memory: the core needs 23 MiB (Array buffer allocation failed)\n",
      });
    }
  });
});

describe("the command whose workers fail", () => {
  it.each([
    ["that throw at once", "t", ONE("EAGAIN")],
    ["that end at once", "e", ONE("it exited with code 3")],
    ["the first alone", "rg", TWO("no memory")],
    ["the second alone", "gt", TWO("EAGAIN")],
  ])("%s: the others scan, and it says so once", (_, faults, said) => {
    const { stderr, ...rest } = runCommand(["-j", "3"], { before: "faults.cjs", faults });
    expect(rest).toEqual({ status: 0, isWhole: true });
    // A scan that is over before a worker has ended itself knows nothing of that: of two such workers it may know none, one or both.
    const known = { e: [said, TWO("it exited with code 3"), ""], rg: [said, ""] }[faults] ?? [said];
    expect(known).toContain(stderr);
  });
});

it("a worker that runs out of memory with a task ends the command with 2 and one line, and nothing is written under the name", () => {
  const { status, stderr } = runNode([COMMAND, "-j", "2", "-o", "out", ...INPUTS], { before: "faults.cjs", faults: "m" });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^urlmill: a worker thread died at large, bytes .*: .*memory limit.*\n$/),
  });
  expect(readdirSync(folder).filter((name) => name.includes("out"))).toEqual([]);
});

describe("a host of the library", () => {
  const whole = { urls: FILES, first: "http://h0.example/", last: `http://h${FILES - 1}.example/`, bytes: 18 * 400_000, said: [] };
  const host = (left: string, surroundings: Surroundings): unknown => {
    const { stdout, stderr } = runNode(["host.mjs", left, LIBRARY, "many"], surroundings);
    expect(stderr).toBe("");
    const { last, ...rest } = JSON.parse(stdout) as typeof whole;
    return { ...rest, last: /^http:\/\/h\d+\.example\/$/.test(last) ? whole.last : last };
  };

  it.runIf(process.platform === "linux").each(["1", "22"])("with %s file descriptors left gets everything", (left) =>
    expect(host(left, { limit: "-n 150" })).toEqual(whole),
  );

  it.runIf(process.platform === "linux").each([8_000_000])("with %d KiB of address space gets everything", (kib) =>
    expect(host("all", { limit: `-v ${kib}` })).toEqual(whole),
  );

  it.each(["e", "gt"])("whose workers fail (%s) gets everything", (faults) => {
    expect(host("all", { before: "faults.cjs", faults })).toEqual(whole);
  });
});
