// Runs whole processes, and measures their wall time, their peak memory and their output.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countLines } from "./in-memory.ts";

/** The built command and the built library. */
export const COMMAND = resolve(import.meta.dirname, "../build/node/command.cjs");
export const LIBRARY = pathToFileURL(resolve(import.meta.dirname, "../build/index.js")).href;

/** A program and its arguments. */
export interface Command {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
}

/** Calls `use` with a new temporary folder. Removes the folder at the end, even if `use` fails. */
export async function withTemporaryFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes `bytes` `copies` times to a new file. */
export function writeCopies(path: string, bytes: Uint8Array, copies: number): void {
  const file = openSync(path, "w");
  for (let n = 0; n < copies; n++) writeSync(file, bytes);
  closeSync(file);
}

/** Returns whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Returns the first line that `program --version` prints. */
export function versionOf(program: string): string {
  return (spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "").split("\n")[0] ?? "";
}

/** Runs a command with its output in the file `out`; returns the wall time in ms. Throws for an exit code other than 0 and 1. */
export function timeCommand(command: Command, out: string, environment: Record<string, string> = {}): number {
  const file = openSync(out, "w");
  try {
    const start = performance.now();
    const ended = spawnSync(command.program, command.arguments, {
      stdio: ["ignore", file, "inherit"],
      env: { ...process.env, ...environment },
    });
    const time = performance.now() - start;
    if (ended.error !== undefined) throw ended.error;
    if (ended.status !== 0 && ended.status !== 1) throw new Error(`${command.name} ended with ${ended.status ?? ended.signal}`);
    return time;
  } finally {
    closeSync(file);
  }
}

/** Returns the number of lines in a file. Reads it in pieces. */
export function countFileLines(path: string): number {
  const file = openSync(path, "r");
  const piece = new Uint8Array(1 << 20);
  let n = 0;
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) n += countLines(piece.subarray(0, read));
  closeSync(file);
  return n;
}

// A module that a Node process loads first. At the end of the process it writes the peak of its resident memory. Unlike the figure of
// getrusage, this one does not include the memory of the parent.
const PEAK_HOOK =
  `import fs from "node:fs"; process.on("exit", () => ` +
  `fs.writeFileSync(process.env.URLMILL_PEAK, /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]));`;

/** Runs Node with its output in the file `out`; returns its peak resident memory in KiB and its wall time in ms (Linux). */
export function peakOf(name: string, argv: readonly string[], folder: string, out: string): { kibibytes: number; time: number } {
  const hook = join(folder, "peak.mjs");
  const peak = join(folder, "peak");
  writeFileSync(hook, PEAK_HOOK);
  const command = { name, program: process.execPath, arguments: ["--import", pathToFileURL(hook).href, ...argv] };
  const time = timeCommand(command, out, { URLMILL_PEAK: peak });
  return { kibibytes: Number(readFileSync(peak, "utf8")), time };
}
