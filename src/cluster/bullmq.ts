// The shards of a plan as jobs of BullMQ: Redis gives them out, worker threads scan them. What is done is read from markers alone.
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { ConnectionOptions, Job, JobsOptions, Queue, Worker, WorkerOptions } from "bullmq";
import { systemCode } from "../base/errors.ts";
import { newPosition } from "../run/run-position.ts";
import { ShardError } from "./errors.ts";
import { shardName } from "./marker.ts";
import type { PlanFile } from "./plan-file.ts";
import { identityOf } from "./plan-lines.ts";
import type { ShardJob } from "./shard-thread.ts";
import { ShardThreads } from "./shard-threads.ts";
import { FolderStore, makeFolder } from "./store.ts";
import { verify } from "./verify.ts";

const QUEUE = "urlmill";
/** What no marker says is forgotten when it is done; what failed stays, with its reason. The tries of a shard span half an hour. */
const JOB: JobsOptions = { attempts: 10, backoff: { type: "exponential", delay: 4000, jitter: 0.5 }, removeOnComplete: true };
/** Workers that may die in a shard. A shard that kills each one would never end. */
const STALLED_MAX = 10;
/** Files of the shards that are sent to the queue together. */
const BATCH_FILES = 1000;
const PROGRESS_MS = 1000;
/**
 * Tries of `submit` to connect, how long each may take, and the longest pause between two. It gives up after ten seconds where it is
 * refused, after half a minute where nothing answers. A worker waits as long as it takes.
 */
const CONNECT_TRIES = 8;
const CONNECT_MS = 2000;
const CONNECT_PAUSE_MS = 2000;

/** Where jobs are. */
export interface QueuePlace {
  /** Redis or Valkey, as BullMQ takes it: `{ host, port }`, `{ url }` or a client. */
  readonly connection: ConnectionOptions;
  /** Name of the queue; `urlmill` if absent. Many plans may share one. */
  readonly queue?: string | undefined;
  /** Begins the names of all keys; BullMQ's own if absent. */
  readonly prefix?: string | undefined;
}

/** How shards are submitted. */
export interface SubmitOptions extends QueuePlace {
  /** BullMQ's options of the jobs, beside ours: 10 attempts with growing pauses. */
  readonly job?: JobsOptions | undefined;
}

/** How shards are worked on: BullMQ's options of workers, with as many shards at a time as there are processors. */
export interface WorkOptions extends QueuePlace, Omit<WorkerOptions, "connection" | "prefix"> {}

/** What became of the shards of a plan. */
export interface Submitted {
  /** Those that have markers. */
  readonly done: number;
  /** Those that are new to the queue, or had failed. */
  readonly added: number;
  /** Those that the queue had. */
  readonly waiting: number;
}

/**
 * Adds a job for each shard of a plan that is not done (`verify`) and that the queue does not have. What has failed is added once more.
 * `results` is the folder of the results, under the same path for all workers. Rejects with ShardError for a folder that has the results of
 * another plan, and with what the queue throws: where it cannot connect, the error of the eighth try, unless `connection` is a
 * client or has a `retryStrategy`.
 */
export async function submit(plan: PlanFile, results: string, options: SubmitOptions): Promise<Submitted> {
  const { queue: name = QUEUE, job, prefix } = options;
  const bullmq = await loadBullmq();
  const connection = givingUp(options.connection);
  const folder = resolve(results);
  makeFolder(folder);
  const undone = new Set<number>();
  for await (const { id, reason, message } of verify(plan, new FolderStore(folder))) {
    if (reason === "other") throw new ShardError("ERR_URLMILL_PLAN", message);
    undone.add(id);
  }
  const queue = new bullmq.Queue<ShardJob, number>(name, { connection, ...(prefix === undefined ? {} : { prefix }) });
  // BullMQ prints what nobody listens to. The error of the last try rejects.
  if (connection !== options.connection) queue.on("error", () => undefined);
  const counts = { done: 0, added: 0, waiting: 0 };
  let batch: JobToAdd[] = [];
  let files = 0;
  const send = async (): Promise<void> => {
    const added = await addMissing(queue, batch);
    counts.added += added;
    counts.waiting += batch.length - added;
    [batch, files] = [[], 0];
  };
  try {
    for await (const shard of plan.shards()) {
      if (!undone.has(shard.id)) {
        counts.done++;
        continue;
      }
      const held: ShardJob = { header: plan.header, shard, results: folder };
      batch.push({ name: shardName(shard.id), data: held, opts: { ...JOB, ...job, jobId: jobIdOf(held) } });
      files += shard.inputs.length;
      if (files >= BATCH_FILES) await send();
    }
    await send();
  } finally {
    await queue.close();
  }
  return counts;
}

/** Returns a connection that is not tried without end, unless the caller's client or `retryStrategy` says how. */
function givingUp(connection: ConnectionOptions): ConnectionOptions {
  if ("on" in connection || "retryStrategy" in connection) return connection;
  const retryStrategy = (tries: number): number | null => (tries < CONNECT_TRIES ? Math.min(100 * 2 ** tries, CONNECT_PAUSE_MS) : null);
  return { connectTimeout: CONNECT_MS, ...connection, retryStrategy };
}

type JobToAdd = Parameters<Queue<ShardJob, number>["addBulk"]>[0][number] & { readonly opts: { readonly jobId: string } };

/** Adds the jobs that the queue does not have, or has as failed; returns how many. */
async function addMissing(queue: Queue<ShardJob, number>, jobs: readonly JobToAdd[]): Promise<number> {
  const states = await Promise.all(jobs.map(({ opts }) => queue.getJobState(opts.jobId)));
  const missing = jobs.filter((_, index) => ["unknown", "failed", "completed"].includes(states[index] as string));
  // A job that is there, in whatever state, would be kept as it is.
  await Promise.all(missing.map(({ opts }) => queue.remove(opts.jobId)));
  await queue.addBulk(missing);
  return missing.length;
}

/** The same shard of the same plan, with the same folders, is one job. A name of BullMQ's jobs has no colon. */
function jobIdOf({ header, shard, results }: ShardJob): string {
  const hash = createHash("sha256")
    .update(`${identityOf(header, shard)}\n${header.moved}\n${results}`)
    .digest("hex");
  return `${shardName(shard.id)}-${hash}`;
}

/**
 * Starts to run shards of the queue, in worker threads, and returns BullMQ's worker. Its events say what happens; `close()` ends it when
 * the shards that it has are done. The result of a job is the rows of its marker; its progress is `{ read, bytes }`. A shard whose input is
 * not what was planned fails at once. Another one is tried again, and given to others if this process dies.
 */
export async function work({ queue = QUEUE, ...options }: WorkOptions): Promise<Worker<ShardJob, number>> {
  const bullmq = await loadBullmq();
  const threads = new ShardThreads();
  const run = async (job: Job<ShardJob, number>): Promise<number> => {
    const { read } = newPosition();
    const { bytes } = job.data.shard;
    // A job that another worker has ended has no progress.
    const report = (): Promise<void> => job.updateProgress({ read: Number(read[0]), bytes }).catch(() => undefined);
    const timer = setInterval(report, PROGRESS_MS);
    try {
      const answer = await threads.run({ ...job.data, read });
      if ("rows" in answer) {
        await report();
        return answer.rows;
      }
      throw answer.isFinal ? new bullmq.UnrecoverableError(answer.message) : new Error(answer.message);
    } finally {
      clearInterval(timer);
    }
  };
  const defaults = { concurrency: availableParallelism(), maxStalledCount: STALLED_MAX };
  const worker = new bullmq.Worker<ShardJob, number>(queue, run, { ...defaults, ...options } as WorkerOptions);
  worker.on("closed", () => void threads.stop());
  return worker;
}

/** Rejects with an error that says what to install. */
async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(systemCode(error) ?? "")) throw error;
    throw new Error("urlmill/bullmq needs two packages that are not installed with urlmill: npm install bullmq ioredis", { cause: error });
  }
}
