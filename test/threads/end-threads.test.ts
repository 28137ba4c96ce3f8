// Worker threads end while V8 compiles in them, and the process goes on: without `endThreads` Node 20 aborts in five of six runs.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const THREADS = join(import.meta.dirname, "compiling-threads.cjs");
/** With more room for new objects, V8 thinks of marking the heap earlier. */
const FLAGS = ["--min-semi-space-size=8", "--allow-natives-syntax"];

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...FLAGS, THREADS, ...args], { encoding: "utf8" });
}

describe("worker threads in which V8 compiles", () => {
  it("end, one after the other", () => {
    const { status, stdout, stderr } = run("24");
    expect({ status, stderr, ended: stdout.length }).toEqual({ status: 0, stderr: "", ended: 24 });
  });

  it("end with the process", () => {
    for (let count = 0; count < 8; count++) expect(run("1", "exit")).toMatchObject({ status: 7, stderr: "" });
  });
});
