// The module `urlmill/bullmq`: the shards of a plan as jobs of BullMQ. Re-exports only.

export { type QueuePlace, type SubmitOptions, type Submitted, submit, type WorkOptions, work } from "./cluster/bullmq.ts";
export type { ShardJob } from "./cluster/shard-thread.ts";
