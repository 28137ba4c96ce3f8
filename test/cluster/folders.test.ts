// Workers that make the folder of the results at the same time.
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";

const ROUNDS = 200;
const THREADS = 4;
const PROGRAM = `
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { makeFolder } from ${JSON.stringify(join(import.meta.dirname, "../../build/cluster/store.js"))};
const words = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : workerData;
if (isMainThread) for (let count = 0; count < ${THREADS}; count++) new Worker(new URL(import.meta.url), { workerData: words });
else for (let round = 0; round < ${ROUNDS}; round++) {
  // All threads begin a round together.
  Atomics.add(words, 0, 1);
  while (Atomics.load(words, 0) < (round + 1) * ${THREADS});
  makeFolder("made/" + round + "/and/deep");
}`;

let folder: string;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

it("all find it there", () => {
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  const { status, stderr } = spawnSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(readdirSync(join(folder, "made"))).toHaveLength(ROUNDS);
});
