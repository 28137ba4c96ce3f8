// A worker that dies is an error that names where it was, never missing output; a receiver that is slow makes the workers wait.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkNormalizeOptions, type ScanSettings } from "../../src/options.ts";
import type { ResultMessage } from "../../src/pool/task.ts";
import { taken, WorkerPool } from "../../src/pool/worker-pool.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

const SETTINGS: ScanSettings = {
  type: "text",
  mbox: "auto",
  parts: "text",
  fields: undefined,
  form: checkNormalizeOptions(undefined),
  nested: false,
  schemes: undefined,
  addedSchemes: [],
  anyScheme: false,
  bare: [],
  guess: false,
  urlBytesMax: 16384,
  format: "ndjson",
  separator: 0x0a,
  rejected: false,
};
const LINES = 400_000;
let folder: string;
let file: Buffer;

beforeAll(() => {
  folder = newFolder();
  file = Buffer.from(join(folder, "dense"));
  writeFileSync(file, "http://a.example/\n".repeat(LINES));
});
afterAll(() => removeFolder(folder));

const part = { name: "dense", size: 0, from: 0, to: Number.MAX_SAFE_INTEGER };

it("a worker that dies in a task fails it with an error that names the source", async () => {
  const pool = await WorkerPool.start(2, SETTINGS);
  const run = pool.run({ kind: "files", parts: [{ file, ...part }] });
  const first = await run.next();
  expect(first.result.kind).toBe("bytes");
  // It waits for room now: nothing is taken. The other worker has started too, or its death would be the first to be told.
  while (!pool.isReady) await new Promise(setImmediate);
  for (const thread of pool.threads) await thread.terminate();
  const rest = async (): Promise<void> => {
    while ((await run.next()).result.kind !== "end");
  };
  await expect(rest()).rejects.toMatchObject({
    name: "WorkerError",
    code: "ERR_WORKER_DIED",
    message: expect.stringMatching(/^a worker thread died at dense, bytes 0 to \d+: /),
  });
  await pool.stop();
});

it("a task that has sent much waits until it is taken", async () => {
  const pool = await WorkerPool.start(1, SETTINGS);
  const run = pool.run({ kind: "files", parts: [{ file, ...part }] });
  // However long the worker takes to start.
  const waiting: ResultMessage[] = [await run.next()];
  let next = run.next();
  for (;;) {
    const message = await Promise.race([next, new Promise<undefined>((resolve) => setTimeout(resolve, 400))]);
    if (message === undefined) break;
    waiting.push(message);
    next = run.next();
  }
  expect(waiting.at(-1)?.result.kind).toBe("bytes");
  expect(waiting.reduce((sum, { size }) => sum + size, 0)).toBeLessThan((8 << 20) + 1);
  let lines = 0;
  for (let isOver = false; !isOver; ) {
    for (const message of waiting.splice(0)) {
      if (message.result.kind === "bytes") lines += message.result.count;
      isOver = message.result.kind === "end";
      taken(message);
    }
    if (!isOver) waiting.push(await next);
    if (waiting.at(-1)?.result.kind === "bytes") next = run.next();
  }
  expect(lines).toBe(LINES);
  await pool.stop();
});
