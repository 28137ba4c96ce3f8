// The promises of SECURITY.md that no other test shows: no network, no code, no writes but to outputs; and that each test it names exists.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "../cli/run.ts";
import { tar } from "../input/archives.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const WATCHED = join(import.meta.dirname, "watched.cjs");

describe("SECURITY.md", () => {
  const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const named = [...new Set(page.match(/test\/[\w/.-]+/g))];

  it("names tests that exist", () => {
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("names a test for each promise", () => {
    const [, table = ""] = /## What is promised\n\n((?:\|.*\n)+)/.exec(page) ?? [];
    const rows = table.trimEnd().split("\n").slice(2);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !/`test\/[\w/-]+\.test\.ts`[^|]*\|$/.test(row))).toEqual([]);
  });
});

const folder = newFolder();
afterAll(() => removeFolder(folder));

/** Runs the command, or other code, in `where`, which is its home and its place for temporary files too. */
function runWatched(where: string, args: readonly string[]): { stderr: string; status: number | null } {
  const env = { PATH: process.env.PATH ?? "", HOME: where, TMPDIR: where, XDG_CACHE_HOME: where, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { stderr, status } = spawnSync(process.execPath, ["-r", WATCHED, ...args], { cwd: where, env, encoding: "utf8" });
  return { stderr, status };
}

const HOSTILE = [
  "http://a.example/$(touch%20run)`touch run` http://b.example/';require('fs').writeFileSync('run','')//",
  "<a href=\"javascript:require('child_process').exec('touch run')\">file:///etc/passwd</a>",
  '{"__proto__":{"url":"http://c.example/"}} http://127.0.0.1:1/ http://[::1]:1/',
].join("\n");

/** Names of all files below a folder. */
function filesIn(where: string): string[] {
  return readdirSync(where, { recursive: true, encoding: "utf8" }).sort();
}

function makeInputs(name: string): string {
  const where = join(folder, name);
  mkdirSync(where);
  const members = ["../escaped", "/tmp/urlmill-escaped", "sub/../../escaped", "~/escaped"].map((path) => ({ name: path, text: HOSTILE }));
  writeFileSync(join(where, "hostile.txt"), HOSTILE);
  writeFileSync(join(where, "hostile.tar.gz"), gzipSync(tar(members)));
  cpSync(join(ROOT, "examples/archive.mbox"), join(where, "archive.mbox"));
  return where;
}

describe("a run", () => {
  it.each([
    ["extract", []],
    ["any", ["--any-scheme", "--nested", "--bare", "www,email,domain,ip", "--unwrap", "-f", "ndjson"]],
    ["links", ["--links", "--base", "http://a.example/", "-f", "csv"]],
    ["unique", ["-u", "--memory", "1M", "-j", "2"]],
  ])("reaches for no network and no program, and writes no file: %s", (name, options) => {
    const where = makeInputs(name);
    const before = filesIn(where);
    const { stderr, status } = runWatched(where, [COMMAND, ...options, "."]);
    expect({ stderr: stderr.match(/REACHED.*/g), status }).toEqual({ stderr: null, status: 0 });
    expect(filesIn(where)).toEqual(before);
    expect([join(folder, "escaped"), "/tmp/urlmill-escaped"].filter((path) => existsSync(path))).toEqual([]);
  });

  it("of a plan reaches for the network where an input or the results' folder is a URL, and only there", () => {
    const where = makeInputs("plan");
    const shards = ["run-shard", "--plan", "plan", "-o"];
    const reached = (...args: string[]): string[] => runWatched(where, [COMMAND, ...args]).stderr.match(/REACHED .*/g) ?? [];
    for (const args of [
      ["plan", "-o", "plan", "hostile.txt", "hostile.tar.gz", "archive.mbox"],
      [...shards, "results", "--index", "0"],
      ["verify", "--plan", "plan", "results"],
      ["merge", "--plan", "plan", "-o", "all", "results"],
    ]) {
      expect(reached(...args)).toEqual([]);
    }
    expect(readFileSync(join(where, "all"), "utf8")).toContain("http://a.example/");
    expect(reached("plan", "-o", "other", "hostile.txt", "http://a.example/x")).toEqual(["REACHED fetch"]);
    expect(runWatched(where, [COMMAND, "http://a.example/x"]).stderr).toMatch(/no such file or folder/);
  });

  it("writes the outputs that are named, and nothing beside them", () => {
    const where = makeInputs("outputs");
    const before = filesIn(where);
    const args = ["-o", "urls", "--rejected", "rejected", "-u", "hostile.txt", "hostile.tar.gz", "archive.mbox"];
    const { status } = runWatched(where, [COMMAND, ...args]);
    expect(status).toBe(0);
    expect(filesIn(where)).toEqual([...before, "rejected", "urls"].sort());
  });

  it("would be seen to do so", () => {
    for (const code of [
      "require('node:net').connect(1)",
      "require('node:child_process').spawn('x')",
      "fetch('http://a/')",
      "eval('1')",
      "require('node:http').get('http://a/')",
    ]) {
      expect(runWatched(folder, ["-e", code]).stderr).toMatch(/^REACHED/);
    }
  });
});

it("no source of the library or the command can run a text or a program but git, or open a connection", () => {
  const BUILT_IN = new Set([
    "buffer",
    "child_process",
    "crypto",
    "events",
    "fs",
    "http",
    "module",
    "net",
    "os",
    "path",
    // It runs statements of its own alone, on a file without a name.
    "sqlite",
    "stream",
    "timers/promises",
    "tty",
    "url",
    "util",
    "v8",
    "worker_threads",
    "zlib",
  ]);
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const texts = new Map(files.map((name) => [name, readFileSync(join(ROOT, "src", name), "utf8")]));
  const using = (pattern: RegExp): string[] => [...texts].filter(([, text]) => pattern.test(text)).map(([name]) => name);
  const modules = [...texts.values()].flatMap((text) => [...text.matchAll(/"node:([\w/]+)"/g)].map(([, name = ""]) => name));
  expect(modules.filter((name) => !BUILT_IN.has(name))).toEqual([]);
  expect(using(/(?<![.#\w])eval\(|new Function\b|new (?:WebSocket|EventSource|XMLHttpRequest)\b/)).toEqual([]);
  // The page asks `urlmill page` for its archives; its policy lets it ask nobody else. Inputs and results of plans may be on servers.
  expect(using(/(?<![.#\w])fetch\(/)).toEqual(["cluster/remote/http-object.ts", "page/app/input-bytes.ts"]);
  expect(using(/import\("@aws-sdk\/client-s3"\)/)).toEqual(["cluster/remote/s3.ts"]);
  expect(using(/^import (?!type )[^;]*\/(?:http-object|s3|remote)\.ts"/m).filter((name) => !name.startsWith("cluster/remote/"))).toEqual(
    [],
  );
  expect(using(/\bimport\("[^"]*\/remote\/[^"]*"\)/)).toEqual(["cluster/open.ts"]);
  // A socket around an open descriptor is how Node reads pipes.
  // Git reads repositories that are inputs themselves.
  expect(using(/"node:child_process"/)).toEqual(["input/git-mail.ts"]);
  expect(using(/^(?!import type ).*"node:net"/m)).toEqual(["input/file.ts"]);
  // The server of `urlmill page`, which makes no request of its own.
  expect(using(/"node:http"/)).toEqual(["cli/page.ts"]);
  expect([...(texts.get("cli/page.ts") ?? "").matchAll(/^import (.*) from "node:http"/gm)].map(([, names]) => names)).toEqual([
    "{ createServer, type IncomingMessage, type Server, type ServerResponse }",
  ]);
});
