// The programs and functions that `npm run bench:peers` compares.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "urlmill";
import { loadCore } from "../src/core/core.ts";
import { type Command, countFileLines, finder, isInstalled, ours, ripgrep, timeCommand, versionOf } from "./commands.ts";
import { makeFinder, PEERS_FOLDER } from "./finders.cjs";
import { scanBytes } from "./in-memory.ts";
import { ALL_SCHEMES_PATTERN, HTTPS_PATTERN } from "./peers.ts";

/** Kind of a row: urlmill, another extractor, or a limit that no extractor can beat. */
export type Side = "urlmill" | "peer" | "limit";

/** A program or function that is compared. */
export interface Contender {
  readonly name: string;
  readonly side: Side;
  /** Does the work once; returns its time in ms. */
  readonly run: () => number;
  /** Returns the number of URLs that the last run found; undefined: it looks for none. */
  readonly count: () => number | undefined;
}

/** The packages that are installed on demand, by the names of their finders. */
const PACKAGES: Readonly<Record<string, string>> = {
  "linkify-it": "linkify-it@6.1.0",
  linkifyjs: "linkifyjs@4.4.0",
  "get-urls": "get-urls@12.1.0",
  re2: "re2@1.22.1",
};

/** Installs packages, by default all of them, each by itself: re2 must be compiled, which may fail. */
export function installPeers(names = Object.keys(PACKAGES)): void {
  mkdirSync(PEERS_FOLDER, { recursive: true });
  // Without this file npm would install into the project above.
  const file = join(PEERS_FOLDER, "package.json");
  if (!existsSync(file)) writeFileSync(file, '{ "private": true }\n');
  for (const name of names.map((one) => PACKAGES[one] as string)) {
    const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", name], { cwd: PEERS_FOLDER, stdio: "inherit" });
    if (status !== 0) process.stderr.write(`${name} could not be installed: its rows will be missing\n`);
  }
}

function hasPerlPatterns(): boolean {
  return spawnSync("grep", ["-qP", "a"], { input: "a" }).status === 0;
}

/** Returns the versions of the programs for the record. */
export function programVersions(): string[] {
  return ["rg", "grep"].map((program) => (isInstalled(program) ? versionOf(program) : `${program} is not installed: its rows are missing`));
}

/** Returns contenders that run whole processes over `paths`, with their output in the file `out`. */
export function commandContenders(paths: readonly string[], out: string): Contender[] {
  const timedCommand = (side: Side, command: Command): Contender => {
    const run = (): number => timeCommand(command, out, { LC_ALL: "C" });
    return { name: command.name, side, run, count: () => (side === "limit" ? undefined : countFileLines(out)) };
  };
  const urlmills = [
    // The other programs read plain bytes, so urlmill is measured as text too. By default it decodes messages.
    ours("urlmill -j 1, as text", "-j", "1", "--type", "text", ...paths),
    ours("urlmill -j 2, as text", "-j", "2", "--type", "text", ...paths),
    ours("urlmill -j 2", "-j", "2", ...paths),
  ];
  const ripgreps = [
    ripgrep("rg -j 1, https?://", "-j1", HTTPS_PATTERN, ...paths),
    ripgrep("rg -j 2, https?://", "-j2", HTTPS_PATTERN, ...paths),
    ripgrep("rg -j 1, all schemes", "-j1", "-i", ALL_SCHEMES_PATTERN, ...paths),
    ripgrep("rg -j 2, all schemes", "-j2", "-i", ALL_SCHEMES_PATTERN, ...paths),
  ];
  const grep = { name: "grep -oP, all schemes", program: "grep", arguments: ["-aohiP", ALL_SCHEMES_PATTERN, ...paths] };
  const peers = [
    ...(isInstalled("rg") ? ripgreps : []),
    ...(hasPerlPatterns() ? [grep] : []),
    finder("node, indexOf walk", "indexOf", ...paths),
    finder("node, V8 regex https?://", "regex", ...paths, "--pattern", HTTPS_PATTERN),
    finder("node, V8 regex all schemes", "regex", ...paths, "--pattern", ALL_SCHEMES_PATTERN),
  ];
  const limits = [
    { name: "wc -l", program: "wc", arguments: ["-l", ...paths] },
    { name: "cat", program: "cat", arguments: [...paths] },
    { name: "node -e 0", program: process.execPath, arguments: ["-e", "0"] },
  ];
  return [
    ...urlmills.map((command) => timedCommand("urlmill", command)),
    ...peers.map((command) => timedCommand("peer", command)),
    ...limits.map((command) => timedCommand("limit", command)),
  ];
}

/** Least ms of a run. A single short call would measure the clock, and the first one the compilers. */
const CALLS_MS = 100;

/** Returns a contender that times `find`, which returns the number of URLs that it has found. */
export function timed(side: Side, name: string, find: () => number): Contender {
  let found = 0;
  const run = (): number => {
    const start = performance.now();
    for (let calls = 1; ; calls++) {
      found = find();
      const passed = performance.now() - start;
      if (passed >= CALLS_MS) return passed / calls;
    }
  };
  return { name, side, run, count: () => found };
}

/** Returns contenders that run functions over `bytes`, and messages about missing ones. Other functions than ours get a string. */
export async function functionContenders(bytes: Uint8Array<ArrayBuffer>): Promise<{ contenders: Contender[]; missing: string[] }> {
  const core = await loadCore("simd");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const contenders = [
    timed("urlmill", "urlmill, lines", () => scanBytes(core, bytes)),
    timed("urlmill", "urlmill, extract()", () => countExtracted(bytes)),
  ];
  const finders = await finderContenders(text, [
    ["indexOf walk", "indexOf"],
    ["V8 regex https?://", "regex", HTTPS_PATTERN],
    ["V8 regex all schemes", "regex", ALL_SCHEMES_PATTERN],
    ["re2 all schemes", "re2", ALL_SCHEMES_PATTERN],
    ["linkify-it", "linkify-it"],
    ["linkifyjs", "linkifyjs"],
    ["get-urls (distinct)", "get-urls"],
  ]);
  return { contenders: [...contenders, ...finders.contenders], missing: finders.missing };
}

/** A finder of finders.cjs, and the name of its row. */
type NamedFinder = readonly [name: string, finder: string, pattern?: string];

/** Returns contenders that run finders over a text, and a message for each finder without its package. */
export async function finderContenders(
  text: string,
  finders: readonly NamedFinder[],
): Promise<{ contenders: Contender[]; missing: string[] }> {
  const { found, missing } = await installedFinders(finders);
  return { contenders: found.map(([name, find]) => timed("peer", name, () => find(text).length)), missing };
}

/** Returns the functions of finders by the names of their rows, and a message for each finder without its package. */
export async function installedFinders(
  finders: readonly NamedFinder[],
): Promise<{ found: [string, (text: string) => readonly string[]][]; missing: string[] }> {
  const found: [string, (text: string) => readonly string[]][] = [];
  const missing: string[] = [];
  for (const [name, finder, pattern] of finders) {
    try {
      found.push([name, await makeFinder(finder, pattern)]);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
      missing.push(`${name} is not installed: its row is missing (npm run bench:peers -- --install)`);
    }
  }
  return { found, missing };
}

function countExtracted(bytes: Uint8Array): number {
  let found = 0;
  for (const { url } of extract(bytes)) if (url !== null) found++;
  return found;
}
