// Runs shards of a queue until it is told to stop. `work` is all that a worker needs; the rest says what happens.
// usage: node worker.mjs NAME PORT
import { work } from "urlmill/bullmq";

const [, , name, port] = process.argv;
const say = (text) => console.log(`${name}: ${text}`);

// Short times, because the demo shall not take long; leave them out elsewhere.
const quick = { lockDuration: 2000, stalledInterval: 1000 };
const worker = await work({ connection: { host: "127.0.0.1", port: Number(port) }, concurrency: 1, ...quick });
worker.on("active", ({ data }) => say(`begins shard ${data.shard.id}`));
worker.on("completed", ({ data }, rows) => say(`shard ${data.shard.id} done, ${rows} records`));
worker.on("failed", (job, error) => say(`shard ${job?.data.shard.id} failed: ${error.message}`));
worker.on("stalled", (id) => say(`takes shard ${Number.parseInt(id, 10)} from a worker that is gone`));
worker.on("error", ({ code, message }) => say(message || code));
process.on("SIGTERM", () => worker.close());
