// A worker that stops in its first shard, before it scans: it names the shard, and neither goes on nor renews its lock.
import { writeSync } from "node:fs";
import { work } from "urlmill/bullmq";

const [, , connection = ""] = process.argv;
const worker = await work({ connection: JSON.parse(connection), concurrency: 1, lockDuration: 100, stalledInterval: 50 });
worker.on("active", (job) => {
  writeSync(1, `${job.data.shard.id}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
