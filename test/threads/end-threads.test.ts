// Worker threads end on their own, also while V8 compiles in them; those that hang are terminated.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { endOnItsOwn } from "../../src/threads/thread-pool.ts";

const THREADS = join(import.meta.dirname, "compiling-threads.cjs");
/** With more room for new objects, V8 thinks of marking the heap earlier. */
const FLAGS = ["--min-semi-space-size=8", "--allow-natives-syntax"];
/** Longer than a busy machine needs. */
const ANY_MS = 600_000;
const [MAJOR] = process.versions.node.split(".").map(Number);

function run(...args: string[]): { status: number | null; signal: string | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...FLAGS, THREADS, ...args], { encoding: "utf8" });
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

describe("a thread that ends on its own", () => {
  it("has the exit code 0 when it has done what it does", async () => {
    const thread = threadOf(`parentPort.once("message", () => setImmediate(() => parentPort.close()))`);
    endOnItsOwn(thread, ANY_MS);
    expect(await thread.terminate()).toBe(0);
  });

  it("is stopped if it hangs", async () => {
    const hangs = ["for (;;);", 'parentPort.on("message", () => undefined)'];
    const threads = hangs.map((code) => threadOf(`parentPort.postMessage("begun"); ${code}`));
    await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once("message", resolve))));
    for (const thread of threads) endOnItsOwn(thread, 1);
    expect(await Promise.all(threads.map((thread) => thread.terminate()))).toEqual([1, 1]);
  });

  it("is not waited for if it has ended", async () => {
    const thread = threadOf("");
    endOnItsOwn(thread);
    await new Promise((resolve) => thread.once("exit", resolve));
    expect(await thread.terminate()).toBe(0);
  });

  it("keeps the process until then, also if it did not keep it", () => {
    const program = `
      import { Worker } from "node:worker_threads";
      import { endOnItsOwn } from ${JSON.stringify(join(import.meta.dirname, "../../build/threads/thread-pool.js"))};
      const code = 'const port = require("node:worker_threads").parentPort; port.on("message", () => port.close())';
      const thread = new Worker(code, { eval: true, execArgv: [] });
      thread.unref();
      endOnItsOwn(thread);
      await thread.terminate();
      console.log("ended");`;
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "ended\n" });
  });
});
