// A cluster on one machine: a Redis, three workers, a plan. One worker and Redis are killed on the way; what is merged is what one run
// writes. It needs Redis or Valkey, and the packages urlmill, bullmq and ioredis.
// usage: node examples/cluster/demo.mjs [FILE ...]       without files it makes an archive of 150 MB
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { submit } from "urlmill/bullmq";
import { FolderStore, merge, PlanFile, plan, verify } from "urlmill/cluster";

const SERVER = ["valkey-server", "redis-server"].find((name) => spawnSync(name, ["--version"]).status === 0);
const OPTIONS = { format: "ndjson" };
const MADE_BYTES = 150e6;
const SHARDS = 12;

const SECOND = 1000;

const begin = performance.now();
const say = (text) => console.log(`${((performance.now() - begin) / SECOND).toFixed(1).padStart(5)} s  ${text}`);
const folder = mkdtempSync(join(tmpdir(), "urlmill-cluster-"));
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Starts a program; `heard` gets its lines. */
function start(program, args, heard) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  createInterface({ input: child.stdout }).on("line", heard);
  return child;
}

/** Ends a program, at once or when it likes. */
async function end(child, signal) {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Starts Redis, which keeps in the folder all that it is told; resolves when it takes connections. */
function startRedis(port) {
  const kept = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const args = ["--bind", "127.0.0.1", "--port", `${port}`, "--dir", folder, ...kept];
  return new Promise((ready) => {
    const child = start(SERVER, args, (line) => line.includes("eady to accept connections") && ready(child));
  });
}

/** Writes the archive of the examples to a file, over and over. */
function makeArchive() {
  const archive = readFileSync(join(import.meta.dirname, "../archive.mbox"));
  const bytes = Buffer.concat(new Array(1000).fill(archive));
  const path = join(folder, "archive.mbox");
  const file = openSync(path, "w");
  for (let size = 0; size < MADE_BYTES; size += bytes.length) writeSync(file, bytes);
  closeSync(file);
  return path;
}

async function makePlan(paths) {
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const lines = [];
  for await (const line of plan(paths, { options: OPTIONS, shardBytes: Math.ceil(bytes / SHARDS) }))
    lines.push(`${JSON.stringify(line)}\n`);
  const path = join(folder, "plan.jsonl");
  writeFileSync(path, lines.join(""));
  return await PlanFile.open(path);
}

/** Returns how many shards have no marker. */
async function missing(planned, store) {
  let count = 0;
  for await (const _ of verify(planned, store)) count++;
  return count;
}

/** Returns the SHA-256 of what one run of the command writes. */
async function hashOfOneRun(paths) {
  const manifest = fileURLToPath(import.meta.resolve("urlmill/package.json"));
  const command = join(manifest, "..", JSON.parse(readFileSync(manifest, "utf8")).bin.urlmill);
  const child = spawn(process.execPath, [command, "-f", OPTIONS.format, ...paths], { stdio: ["ignore", "pipe", "inherit"] });
  const hash = createHash("sha256");
  for await (const chunk of child.stdout) hash.update(chunk);
  return hash.digest("hex");
}

if (SERVER === undefined) {
  console.error("neither Redis nor Valkey is installed: apt-get install redis-server");
  process.exit(1);
}
const paths = process.argv.length > 2 ? process.argv.slice(2).map((path) => resolve(path)) : [makeArchive()];
const port = await freePort();
let redis = await startRedis(port);
say(`${SERVER} takes connections on port ${port}`);

const planned = await makePlan(paths);
const results = join(folder, "results");
const store = new FolderStore(results);
const connection = { host: "127.0.0.1", port };
const { shards, bytes } = await planned.end();
say(
  `the plan has ${shards} shards of ${Math.round(bytes / 1e6)} MB together; submitted: ${JSON.stringify(await submit(planned, results, { connection }))}`,
);
say(`submitted once more: ${JSON.stringify(await submit(planned, results, { connection }))}`);

let begun = 0;
let done = 0;
const workers = ["worker 1", "worker 2", "worker 3"].map((name) => {
  const heard = async (line) => {
    say(line);
    if (line.includes(" begins ") && name === "worker 2" && ++begun === 2) {
      say("worker 2 is killed");
      await end(worker, "SIGKILL");
    }
    if (line.includes(" done") && ++done === Math.ceil(shards / 2)) {
      say("Redis is killed");
      await end(redis, "SIGKILL");
      redis = await startRedis(port);
      say("Redis is there again");
    }
  };
  const worker = start(process.execPath, [join(import.meta.dirname, "worker.mjs"), name, `${port}`], heard);
  return worker;
});

while ((await missing(planned, store)) > 0) await setTimeout(SECOND / 5);
say("verify: all shards have markers");
await Promise.all(workers.filter((worker) => running.has(worker)).map((worker) => end(worker, "SIGTERM")));

const hash = createHash("sha256");
await merge(planned, store, { write: (chunk) => void hash.update(chunk) });
const [merged, whole] = [hash.digest("hex"), await hashOfOneRun(paths)];
say(`merged   ${merged}`);
say(`one run  ${whole}`);
say(merged === whole ? "the same bytes" : "NOT THE SAME");
process.exit(merged === whole ? 0 : 1);
