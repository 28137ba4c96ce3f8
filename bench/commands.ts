// Runs whole processes, and measures their wall time, their peak memory and their output.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countLines } from "./in-memory.ts";
import { medianOf } from "./measure.ts";

/** The built command and the built library. */
export const COMMAND = resolve(import.meta.dirname, "../build/node/command.cjs");
export const LIBRARY = pathToFileURL(resolve(import.meta.dirname, "../build/index.js")).href;

/** A program and its arguments. */
export interface Command {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
}

/** Returns a run of urlmill's command. */
export function ours(name: string, ...args: readonly string[]): Command {
  return { name, program: process.execPath, arguments: [COMMAND, ...args] };
}

/** Returns a run of ripgrep that writes each match alone, one a line. */
export function ripgrep(name: string, ...args: readonly string[]): Command {
  return { name, program: "rg", arguments: ["-a", "-o", "-N", "--no-filename", "--no-config", ...args] };
}

/** Returns a run of a finder of finders.cjs over files. */
export function finder(name: string, ...args: readonly string[]): Command {
  return { name, program: process.execPath, arguments: [join(import.meta.dirname, "finders.cjs"), ...args] };
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

/** Runs commands in turn, and once before that; returns the median time of each in ms. `look` is called after the first run of each. */
export function mediansInTurn(commands: readonly Command[], out: string, runs: number, look?: (command: Command) => void): number[] {
  for (const command of commands) {
    timeCommand(command, out);
    look?.(command);
  }
  const times = commands.map((): number[] => []);
  for (let run = 0; run < runs; run++) commands.forEach((command, index) => void times[index]?.push(timeCommand(command, out)));
  return times.map(medianOf);
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
