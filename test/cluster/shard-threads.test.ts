// Threads that run shards: what the host process gives them, and what it sees of those that cannot start.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";

const MODULE = resolve(import.meta.dirname, "../../build/cluster/bullmq.js");
const TASK = `{ header: {}, shard: {}, results: ".", read: undefined }`;
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** What a program prints that runs a task with few file descriptors. */
function printedBy(program: string, options = ""): string {
  writeFileSync(join(folder, "program.mjs"), `import { ShardThreads } from ${JSON.stringify(MODULE)};\n${program}`);
  const command = `ulimit -n 64; exec '${process.execPath}' ${options} program.mjs`;
  const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  return stdout + stderr;
}

it("run nothing that the host's options load", () => {
  writeFileSync(join(folder, "preload.cjs"), `console.log(require("node:worker_threads").isMainThread ? "in the host" : "in a thread");`);
  const program = `const threads = new ShardThreads(); await threads.run(${TASK}); await threads.stop(); console.log("done");`;
  expect(printedBy(program, "--require ./preload.cjs")).toBe("in the host\ndone\n");
});

it("reject a shard where there are no file descriptors, and can be stopped", () => {
  const program = `
    import { closeSync, openSync } from "node:fs";
    process.on("unhandledRejection", () => console.log("unhandled"));
    const threads = new ShardThreads();
    const open = [];
    try {
      for (;;) open.push(openSync("program.mjs"));
    } catch {}
    const ended = await threads.run(${TASK}).then(() => "ran", () => "rejected");
    open.forEach(closeSync);
    console.log(ended);
    void threads.stop();
    setTimeout(() => console.log("done"));`;
  expect(printedBy(program)).toBe("rejected\ndone\n");
});
