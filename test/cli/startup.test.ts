// What the command loads before it does something: nothing that the run does not need, since that is most of the time of a short one.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "./run.ts";

// Runs before the command; at the end it names the modules of Node's that have come since, and all files.
const WATCH = `
const before = new Set(process.moduleLoadList);
process.on("exit", () => {
  const builtin = process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.replace(/^NativeModule /, ""));
  const files = Object.keys(require.cache).filter((name) => name !== __filename);
  require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify({ builtin, files }));
});`;

/** Modules of Node's that take milliseconds to load. */
const DEAR = ["net", "tty", "stream", "os", "perf_hooks", "worker_threads", "child_process", "internal/modules/esm/translators"];

const root = join(COMMAND, "../../..");
let folder = "";

beforeAll(() => {
  folder = newFolder();
  writeFileSync(join(folder, "watch.cjs"), WATCH);
  writeFileSync(join(folder, "input.txt"), "see http://example.com/a or example.org\n");
});

afterAll(() => removeFolder(folder));

/** Runs the command with its output going to /dev/null, or to a pipe. */
function loadedBy(args: string[], stdout: "ignore" | "pipe" = "ignore"): { dear: string[]; files: string[] } {
  const loaded = join(folder, "loaded.json");
  const { status, stderr } = spawnSync(process.execPath, ["--require", join(folder, "watch.cjs"), COMMAND, ...args], {
    stdio: ["ignore", stdout, "pipe"],
    env: { ...process.env, LOADED: loaded },
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const { builtin, files } = JSON.parse(readFileSync(loaded, "utf8")) as { builtin: string[]; files: string[] };
  return { dear: builtin.filter((name) => DEAR.includes(name)), files: files.map((name) => relative(root, name)) };
}

const named = (...names: string[]): string[] => names.map((name) => `build/node/${name}.cjs`);
/** What every run loads. */
const FIRST = named("command", "shared-url", "shared-command");
/** What a run over files loads too. */
const READING = named("extract", "shared");

describe("nothing but the command itself and cheap modules of Node's is loaded by", () => {
  it.each(["--version", "--help"])("%s", (option) => {
    const { dear, files } = loadedBy([option]);
    expect(dear).toEqual([]);
    expect(files.sort()).toEqual([...FIRST, ...named("usage")].sort());
  });

  it.each([
    [["input.txt"], [], []],
    [["-o", "output.txt", "input.txt"], ["new-file"], []],
    // A form that the core does not write takes the library's functions, and with them the class ExtractStream.
    [["--profile", "whatwg", "input.txt"], ["api", "matches"], ["stream"]],
  ])("%j", (args, bundles, builtin) => {
    const { dear, files } = loadedBy(args.map((arg) => (arg.endsWith(".txt") ? join(folder, arg) : arg)));
    expect(dear).toEqual(builtin);
    expect(files.sort()).toEqual([...FIRST, ...READING, ...named(...bundles)].sort());
  });

  it.each([
    ["normalize", ["lines", "rewriting", "shared", "api"]],
    ["parse", ["lines", "rewriting"]],
  ])("%s with an argument", (command, bundles) => {
    const { files } = loadedBy([command, "http://example.com/"]);
    expect(files.sort()).toEqual([...FIRST, ...named(command, ...bundles)].sort());
  });
});

describe("what is needed is loaded, and seen", () => {
  it("a pipe: Node's streams", () => {
    expect(loadedBy(["--version"], "pipe").dear).toContain("net");
  });

  it("globs: the library that matches them", () => {
    expect(loadedBy(["--exclude", "*.gz", join(folder, "input.txt")]).files.join()).toMatch(/node_modules\/picomatch\//);
  });

  it("Parquet: what writes its headers and compresses its pages", () => {
    const files = loadedBy(["-f", "parquet", "-o", join(folder, "output.parquet"), join(folder, "input.txt")]).files.join();
    expect(files).toMatch(/node_modules\/hyparquet-writer\/.*node_modules\/hysnappy\//);
  });

  it("names without a scheme: the public suffix list", () => {
    expect(loadedBy(["--bare", "domain", join(folder, "input.txt")]).files.join()).toMatch(/node_modules\/tldts\//);
  });
});
