// Files whose opening or reading may never end: signals still end the command.
import { execFileSync } from "node:child_process";
import { accessSync, closeSync, constants, createReadStream, openSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, ended, newFolder, removeFolder, start } from "./run.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, "in"), "http://a.example/\n");
});
afterEach(() => removeFolder(folder));

/** Whether process `pid` has started to run the command: then its signals are seen to. */
function isRunning(pid: number): boolean {
  const signals = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? "0";
  // SIGINT, SIGTERM and SIGHUP.
  return (BigInt(`0x${signals}`) & 0x4003n) === 0x4003n && readlinkSync(`/proc/${pid}/exe`) === process.execPath;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("-o a pipe", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("that nobody reads: %s ends the command with %i", async (signal, code) => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const child = start(["-o", pipe, join(folder, "in")]);
    const end = ended(child);
    await until(() => isRunning(child.pid ?? 0));
    child.kill(signal);
    expect(await end).toEqual({ code, signal: null, stdout: "", stderr: "" });
  });

  it("waits for a reader, who gets everything", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    writeFileSync(join(folder, "many"), "http://a.example/some/path\n".repeat(200_000));
    const child = start(["-o", pipe, join(folder, "many")]);
    const end = ended(child);
    await until(() => isRunning(child.pid ?? 0));
    let bytes = 0;
    for await (const chunk of createReadStream(pipe)) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(27 * 200_000);
    expect((await end).code).toBe(0);
  });
});

const KERNEL_LOG = "/proc/kmsg";
function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

// Only root may read it, and not in every container.
describe.skipIf(!canRead(KERNEL_LOG))(`${KERNEL_LOG}, whose end never comes`, () => {
  it("SIGINT ends the command", async () => {
    const child = start([KERNEL_LOG, COMMAND]);
    const end = ended(child);
    await until(() => isRunning(child.pid ?? 0) && readFileSync(`/proc/${child.pid}/stat`, "latin1").split(" ")[2] === "S");
    child.kill("SIGINT");
    // By its exit code, or by the signal where a read that never returns keeps the process from exiting.
    const { code, signal } = await end;
    expect(code === 130 || signal === "SIGINT").toBe(true);
  });
});
