// Worker threads end while V8 compiles in them, and the process goes on. Without `endThreads` Node 20 aborts in more than half of the runs
// of 24 threads, and without `watchExit` in a fifth of the exits.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";

const THREADS = join(import.meta.dirname, "compiling-threads.cjs");
/** With more room for new objects, V8 thinks of marking the heap earlier. */
const FLAGS = ["--min-semi-space-size=8", "--allow-natives-syntax"];

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...FLAGS, THREADS, ...args], { encoding: "utf8" });
}

let folder: string;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** Returns the flags that are set by a program that has `endThreads` and `watchExit`; or by one of its threads. */
function flagsSet(code: string, { options = [], inThread = false }: { options?: readonly string[]; inThread?: boolean } = {}): string[] {
  const program = `import v8 from "node:v8";
    import { Worker, isMainThread } from "node:worker_threads";
    import { endThreads, watchExit } from ${JSON.stringify(join(import.meta.dirname, "../../build/threads/end-threads.js"))};
    v8.setFlagsFromString = (flag) => console.log(flag);
    const start = () => new Worker("setInterval(() => {}, 1e6)", { eval: true });
    if (${inThread} && isMainThread) new Worker(new URL(import.meta.url));
    else {
      ${code}
      console.log("ended");
    }`;
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, [...options, file], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").slice(0, -1);
}

describe("worker threads in which V8 compiles", () => {
  it("end, one after the other", () => {
    const { status, stdout, stderr } = run("24");
    expect({ status, stderr, ended: stdout.length }).toEqual({ status: 0, stderr: "", ended: 24 });
  });

  it("end with the process", () => {
    for (let count = 0; count < 20; count++) expect(run("1", "exit")).toMatchObject({ status: 7, stderr: "" });
  });

  it("are ended together without marking, which may begin again after the last one", () => {
    const code = "await Promise.all([endThreads([start(), start()]), endThreads([start()]), endThreads([])]); watchExit(); watchExit();";
    const [off, on] = ["--no-incremental-marking", "--incremental-marking"];
    expect(flagsSet(code)).toEqual([off, on, "ended", off]);
  });

  it("are ended without flags in a thread, and where the user has set one", () => {
    const code = "await endThreads([start()]); watchExit();";
    expect(flagsSet(code, { inThread: true })).toEqual(["ended"]);
    expect(flagsSet(code, { options: ["--no-incremental-marking"] })).toEqual(["ended"]);
    expect(flagsSet(code, { options: ["--noincremental_marking"] })).toEqual(["ended"]);
  });
});
