// Runs the built command as a user does, and makes the files it reads.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The command's file. */
export const COMMAND = resolve(import.meta.dirname, "../../build/node/command.cjs");

/** How a run ended. */
export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** What a run is given beside its arguments. */
export interface RunOptions extends Pick<SpawnOptions, "cwd" | "uid" | "env"> {
  /** Bytes of standard input; absent: it is empty. */
  input?: string | Uint8Array;
  /** Standard input in the place of `input`: an open file. */
  stdin?: number;
  /** An open file that standard output goes to. */
  stdout?: number;
}

/** Starts the command with all three streams as pipes. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { input: _, stdin, stdout, ...rest } = options;
  return spawn(process.execPath, [COMMAND, ...args], { ...rest, stdio: [stdin ?? "pipe", stdout ?? "pipe", "pipe"] });
}

/** Waits for the end of a run. */
export function ended(child: ChildProcess): Promise<Ended> {
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout?.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  return new Promise((resolvePromise, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolvePromise({ code, signal, stdout: Buffer.concat(chunks.stdout).toString(), stderr: Buffer.concat(chunks.stderr).toString() });
    });
  });
}

/** Runs the command to its end. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options);
  const end = ended(child);
  // Whoever does not read its input closes the pipe: that is for the caller to see from the exit code.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input ?? "");
  return await end;
}

/** A new empty folder that other users may read. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-test-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes a folder with all that is in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
