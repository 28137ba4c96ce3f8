// A strict program that has shards run by BullMQ; packed.test.ts compiles it.
import type { Job, Worker } from "bullmq";
import { type QueuePlace, type ShardJob, type SubmitOptions, type Submitted, submit, type WorkOptions, work } from "urlmill/bullmq";
import { PlanFile } from "urlmill/cluster";

const place: QueuePlace = { connection: { host: "127.0.0.1", port: 6379 }, queue: "urls" };
const options: SubmitOptions = { ...place, job: { attempts: 3 } };
const { done, added, waiting }: Submitted = await submit(await PlanFile.open("plan.jsonl"), "results", options);
const settings: WorkOptions = { ...place, concurrency: 2, lockDuration: 60_000 };
const worker: Worker<ShardJob, number> = await work(settings);
worker.on("failed", (job: Job<ShardJob, number> | undefined, error) => {
  console.error(job?.data.shard.inputs.length, job?.data.header.folder, error.message);
});
worker.on("completed", (_, rows: number) => console.log(rows, done, added, waiting));
