// A worker that dies is an error that names where it was, never missing output; a sink that is slow makes the workers wait.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScanSettings } from "../../src/options/options.ts";
import type { TaskResult } from "../../src/threads/task.ts";
import { taken, WorkerPool } from "../../src/threads/worker-pool.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { SETTINGS as DEFAULTS } from "./settings.ts";

const SETTINGS: ScanSettings = { ...DEFAULTS, type: "text", format: "ndjson" };
const LINES = 400_000;
let folder: string;
let file: Buffer;

beforeAll(() => {
  folder = newFolder();
  file = Buffer.from(join(folder, "dense"));
  writeFileSync(file, "http://a.example/\n".repeat(LINES));
});
afterAll(() => removeFolder(folder));

/** Has threads die: their own `terminate` would let them end. */
async function kill(threads: readonly Worker[]): Promise<void> {
  await Promise.all(threads.map((thread) => Worker.prototype.terminate.call(thread)));
}

const part = { name: "dense", size: 0, from: 0, to: Number.MAX_SAFE_INTEGER };

it("a worker that dies in a task fails it with an error that names the source", async () => {
  const pool = await WorkerPool.start(2, SETTINGS);
  const run = pool.run({ kind: "files", parts: [{ file, ...part }] });
  const first = await run.next();
  expect(first.result.kind).toBe("bytes");
  // It waits for room now: nothing is taken. The other worker may still be starting: its death is no error.
  await kill(pool.threads);
  const rest = async (): Promise<void> => {
    while ((await run.next()).result.kind !== "end");
  };
  await expect(rest()).rejects.toMatchObject({
    name: "WorkerError",
    code: "ERR_URLMILL_WORKER_DIED",
    message: expect.stringMatching(/^a worker thread died at dense, bytes 0 to \d+: /),
  });
  await pool.stop();
});

it("workers that are stopped leave their tasks and end on their own, also one that waits for room", async () => {
  const packed = Buffer.from(join(folder, "dense.gz"));
  writeFileSync(packed, gzipSync(Buffer.alloc(1 << 28, "no url here\n"), { level: 1 }));
  const pool = await WorkerPool.start(2, SETTINGS);
  const codes = pool.threads.map((thread) => new Promise((resolve) => thread.once("exit", resolve)));
  const parts = [{ file: packed, ...part }];
  const waiting = pool.run({ kind: "files", parts: [{ file, ...part }] });
  const reading = pool.run({ kind: "files", parts });
  const queued = pool.run({ kind: "files", parts });
  expect((await waiting.next()).result.kind).toBe("bytes");
  await pool.stop(new Error("stopped"));
  expect(await Promise.all(codes)).toEqual([0, 0]);
  for (const run of [reading, queued]) await expect(run.next()).rejects.toThrow("stopped");
});

describe("a process with a pool", () => {
  const run = (program: string): unknown => {
    const start = `
      import { WorkerPool } from ${JSON.stringify(join(import.meta.dirname, "../../build/threads/worker-pool.js"))};
      const pool = await WorkerPool.start(2, ${JSON.stringify(SETTINGS)});`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", start + program], { encoding: "utf8" });
    return { status, stdout, stderr };
  };

  it("goes on until the workers have ended, also those that start meanwhile", () => {
    expect(run("await pool.stop(); console.log('ended')")).toEqual({ status: 0, stdout: "ended\n", stderr: "" });
  });

  it("goes on until a task is done, and ends where workers have none", () => {
    const program = `
      await pool.hasStarted;
      const work = { kind: "block", bytes: new Uint8Array(new SharedArrayBuffer(8)), offset: 0, from: 0, to: 1, last: true };
      for (let tasks = 0; tasks < 300; tasks++) for (const run = pool.run(work); (await run.next()).result.kind !== "end"; );
      console.log("done");`;
    expect(run(program)).toEqual({ status: 0, stdout: "done\n", stderr: "" });
  });
});

it("a worker that dies without a task is left out; with the last one, tasks fail", async () => {
  const reports: unknown[] = [];
  const pool = await WorkerPool.start(2, SETTINGS, (...args) => reports.push(args));
  const countLines = async (): Promise<number> => {
    const run = pool.run({ kind: "files", parts: [{ file, ...part }] });
    for (let lines = 0; ; ) {
      const message = await run.next();
      if (message.result.kind === "end") return lines;
      if (message.result.kind === "bytes") lines += message.result.count;
      taken(message);
    }
  };
  expect(await countLines()).toBe(LINES);
  await kill(pool.threads.slice(0, 1));
  expect(pool.threads.length).toBe(1);
  expect(await countLines()).toBe(LINES);
  await kill(pool.threads.slice(0, 1));
  expect(pool.threads.length).toBe(0);
  await expect(countLines()).rejects.toMatchObject({
    name: "WorkerError",
    message: "a worker thread died between two tasks: it exited with code 1",
  });
  expect(reports).toEqual([]);
  await pool.stop();
});

it("workers that are ended as they start are told once, and waited for by nobody", async () => {
  const reports: unknown[] = [];
  const pool = await WorkerPool.start(2, SETTINGS, (...args) => reports.push(args));
  await kill(pool.threads);
  expect(await pool.hasStarted).toBe(false);
  expect(reports).toEqual([[0, expect.stringMatching(/^it exited with code \d$/)]]);
  await pool.stop();
});

it("a task that throws fails with an error that names the source, and its worker goes on", async () => {
  const pool = await WorkerPool.start(1, SETTINGS);
  // Without bytes the worker throws.
  const broken = pool.run({ kind: "block", source: undefined, bytes: undefined as never, offset: 0, from: 0, to: 1 });
  await expect(broken.next()).rejects.toMatchObject({
    name: "WorkerError",
    message: expect.stringMatching(/^a worker thread died at bytes 0 to 1 /),
  });
  const run = pool.run({ kind: "files", parts: [] });
  expect((await run.next()).result.kind).toBe("end");
  await pool.stop();
});

it("a task that has sent much waits until it is taken", async () => {
  const pool = await WorkerPool.start(1, SETTINGS);
  const run = pool.run({ kind: "files", parts: [{ file, ...part }] });
  const first = await run.next();
  // Until it has sent as much as may wait.
  while (Atomics.load(first.unread, 0) < 8 << 20) await new Promise((resolve) => setImmediate(resolve));
  let lines = 0;
  for (let message: TaskResult = first; message.result.kind !== "end"; message = await run.next()) {
    expect(Atomics.load(first.unread, 0)).toBeLessThanOrEqual(8 << 20);
    if (message.result.kind === "bytes") lines += message.result.count;
    taken(message);
  }
  expect(lines).toBe(LINES);
  await pool.stop();
});
