// Worker threads end on their own, also while V8 compiles in them; those that hang are terminated.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { END, endThreads } from "../../src/threads/end-threads.ts";

const THREADS = join(import.meta.dirname, "compiling-threads.cjs");
/** With more room for new objects, V8 thinks of marking the heap earlier. */
const FLAGS = ["--min-semi-space-size=8", "--allow-natives-syntax"];
const [MAJOR] = process.versions.node.split(".").map(Number);

function run(...args: string[]): { status: number | null; signal: string | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...FLAGS, THREADS, ...args], { encoding: "utf8" });
}

/** Returns the exit code of a thread, when it comes. */
function exitOf(thread: Worker): Promise<number> {
  return new Promise((resolve) => thread.once("exit", resolve));
}

function threadOf(code: string): Worker {
  return new Worker(`const { parentPort } = require("node:worker_threads"); ${code}`, { eval: true });
}

describe("worker threads in which V8 compiles", () => {
  it("end, one after the other", () => {
    const { status, stdout, stderr } = run("8");
    expect({ status, stderr, ended: stdout.length }).toEqual({ status: 0, stderr: "", ended: 8 });
  });

  // So the test above shows something.
  it.runIf(MAJOR === 20)("abort Node 20 where they are terminated", () => {
    const { signal, stderr } = run("200", "plainly");
    expect(signal).toBe("SIGABRT");
    expect(stderr).toContain("Assertion failed: (data.first) != nullptr");
  });
});

describe("endThreads", () => {
  it("has a thread end with the exit code 0 when it has done what it does", async () => {
    const thread = threadOf(`parentPort.once("message", (message) => setImmediate(() => message === "${END}" && parentPort.close()))`);
    const code = exitOf(thread);
    await endThreads([thread]);
    expect(await code).toBe(0);
  });

  it("terminates a thread that hangs", async () => {
    const hangs = ["for (;;);", 'parentPort.on("message", () => undefined)'];
    const threads = hangs.map((code) => threadOf(`parentPort.postMessage("begun"); ${code}`));
    const codes = threads.map(exitOf);
    await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once("message", resolve))));
    await endThreads(threads, 1);
    expect(await Promise.all(codes)).toEqual([1, 1]);
  });

  it("waits for none that has ended", async () => {
    const thread = threadOf("");
    await exitOf(thread);
    await endThreads([thread]);
    expect(thread.threadId).toBe(-1);
  });

  it("keeps the process until a thread has ended that did not keep it", () => {
    const program = `
      import { Worker } from "node:worker_threads";
      import { endThreads } from ${JSON.stringify(join(import.meta.dirname, "../../build/threads/end-threads.js"))};
      const code = 'const port = require("node:worker_threads").parentPort; port.on("message", () => port.close())';
      const thread = new Worker(code, { eval: true, execArgv: [] });
      thread.unref();
      await endThreads([thread]);
      console.log("ended");`;
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "ended\n" });
  });
});
