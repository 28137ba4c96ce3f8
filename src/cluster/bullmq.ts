// The shards of a plan as jobs of BullMQ: Redis distributes them, worker threads scan them. Only markers show which shards are done.
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { ConnectionOptions, Job, JobsOptions, Queue, Worker, WorkerOptions } from "bullmq";
import type { Piscina } from "piscina";
import { systemCode } from "../base/errors.ts";
import { compiledCore } from "../core/core.ts";
import { newPosition } from "../run/run-position.ts";
import { openPool, startThread } from "../threads/thread-pool.ts";
import { hashOf } from "./checked-json.ts";
import { ShardError } from "./errors.ts";
import { shardName } from "./marker.ts";
import type { PlanFile } from "./plan-file.ts";
import { identityOf } from "./plan-file.ts";
import type { ShardAnswer, ShardJob, ShardTask } from "./shard-thread.ts";
import { FolderStore, makeFolder } from "./store.ts";
import { verify } from "./verify.ts";

const QUEUE = "urlmill";
/** BullMQ removes a completed job, and keeps a failed one with its reason. The pauses between tries add up to at most 34 minutes. */
const JOB: JobsOptions = { attempts: 10, backoff: { type: "exponential", delay: 4000, jitter: 0.5 }, removeOnComplete: true };
/** Most workers that may die while running one shard. Without a limit, a shard that kills every worker would never end. */
const STALLED_MAX = 10;
const BATCH_FILES = 1000; // Shards are sent to the queue together when they have at least this many inputs
const PROGRESS_MS = 1000;
/** Most tries of `submit` to connect: ten seconds if the server refuses, half a minute if nothing answers. A worker waits without limit. */
const CONNECT_TRIES = 8;
const CONNECT_MS = 2000; // Of each try
const CONNECT_PAUSE_MS = 2000; // Longest pause between two tries

/** The queue of the jobs. */
export interface QueuePlace {
  /** Redis or Valkey, in a form of BullMQ: `{ host, port }`, `{ url }` or a client. */
  readonly connection: ConnectionOptions;
  /** Name of the queue; `urlmill` if absent. Several plans may share a queue. */
  readonly queue?: string | undefined;
  /** Prefix of the names of all keys; BullMQ's own if absent. */
  readonly prefix?: string | undefined;
}

export interface SubmitOptions extends QueuePlace {
  /** BullMQ's job options. They override the defaults, such as 10 attempts with growing pauses. */
  readonly job?: JobsOptions | undefined;
}

/** Options of `work`: BullMQ's worker options. By default a worker runs as many shards at a time as there are processors. */
export interface WorkOptions extends QueuePlace, Omit<WorkerOptions, "connection" | "prefix"> {}

/** Numbers of shards after `submit`. */
export interface Submitted {
  /** Shards that are already done (they have markers). */
  readonly done: number;
  /** Shards added to the queue: new ones, and ones whose earlier jobs had ended. */
  readonly added: number;
  /** Shards that were already in the queue, waiting or running. */
  readonly waiting: number;
}

/**
 * Adds a job for each shard of a plan that is neither done (`verify`) nor in the queue. Jobs that have ended are added again. `results` is
 * the folder of the results, with the same path for all workers. Rejects with ShardError for a folder with results of another plan, and
 * with errors of the queue: if it cannot connect, of the eighth try, unless `connection` is a client or has a `retryStrategy`.
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
  // Without a listener BullMQ prints errors. The error of the last try rejects the call.
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

/** Returns a connection with limited tries, unless the caller's client or `retryStrategy` controls the tries. */
function givingUp(connection: ConnectionOptions): ConnectionOptions {
  if ("on" in connection || "retryStrategy" in connection) return connection;
  const retryStrategy = (tries: number): number | null => (tries < CONNECT_TRIES ? Math.min(100 * 2 ** tries, CONNECT_PAUSE_MS) : null);
  return { connectTimeout: CONNECT_MS, ...connection, retryStrategy };
}

type JobToAdd = Parameters<Queue<ShardJob, number>["addBulk"]>[0][number] & { readonly opts: { readonly jobId: string } };

async function addMissing(queue: Queue<ShardJob, number>, jobs: readonly JobToAdd[]): Promise<number> {
  const states = await Promise.all(jobs.map(({ opts }) => queue.getJobState(opts.jobId)));
  const missing = jobs.filter((_, index) => ["unknown", "failed", "completed"].includes(states[index] as string));
  // BullMQ ignores a job whose id exists, in any state.
  await Promise.all(missing.map(({ opts }) => queue.remove(opts.jobId)));
  await queue.addBulk(missing);
  return missing.length;
}

/** Returns the id of a job: the same for the same shard, plan and folders. BullMQ forbids colons in an id. */
function jobIdOf({ header, shard, results }: ShardJob): string {
  return `${shardName(shard.id)}-${hashOf(`${identityOf(header, shard)}\n${header.moved}\n${results}`)}`;
}

/**
 * Starts to run shards of the queue, in worker threads, and returns BullMQ's worker. Its events report progress; `close()` ends it when
 * its current shards are done. The result of a job is the number of rows in its marker; its progress is `{ read, bytes }`, in bytes. An
 * error that would repeat, such as a changed input, fails a shard at once. After others it is tried again, elsewhere if this process dies.
 */
export async function work({ queue = QUEUE, ...options }: WorkOptions): Promise<Worker<ShardJob, number>> {
  const bullmq = await loadBullmq();
  const threads = new ShardThreads();
  const run = async (job: Job<ShardJob, number>): Promise<number> => {
    const { read } = newPosition();
    const { bytes } = job.data.shard;
    // A job that another worker has already ended rejects a progress report.
    const report = (): Promise<void> => job.updateProgress({ read: Number(read[0]), bytes }).catch(() => undefined);
    const timer = setInterval(report, PROGRESS_MS);
    try {
      const answer = await threads.run({ ...job.data, read });
      if ("message" in answer) throw answer.isFinal ? new bullmq.UnrecoverableError(answer.message) : new Error(answer.message);
      await report();
      return answer.rows;
    } finally {
      clearInterval(timer);
    }
  };
  const defaults = { concurrency: availableParallelism(), maxStalledCount: STALLED_MAX };
  const worker = new bullmq.Worker<ShardJob, number>(queue, run, { ...defaults, ...options } as WorkerOptions);
  worker.on("closed", () => void threads.stop());
  return worker;
}

// Worker threads take JavaScript only, so this names the built file even if the sources themselves are run.
const THREAD_FILE = "../../build/node/shard-thread.cjs";

/** A pool with as many threads as shards have run at the same time, so that the event loop of the host stays free. */
export class ShardThreads {
  #pool: Promise<Piscina> | undefined;
  #running = 0;

  /** Runs a shard. Rejects if its thread dies or cannot start; other errors are in the answer. */
  async run(task: ShardTask): Promise<ShardAnswer> {
    this.#pool ??= openPool(join(import.meta.dirname, THREAD_FILE), compiledCore(), 1, []);
    const pool = await this.#pool;
    this.#running++;
    try {
      // Every other running shard has a thread, or waits for a thread that starts.
      if (this.#running > pool.threads.length) await startThread(pool).ready;
      return await pool.run(task);
    } finally {
      this.#running--;
    }
  }

  /** Ends all threads. Running shards leave no results. */
  async stop(): Promise<void> {
    // If the pool could not be opened, its shards have failed already.
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.destroy();
  }
}

async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(systemCode(error) ?? "")) throw error;
    throw new Error("urlmill/bullmq needs two packages that are not installed with urlmill: npm install bullmq ioredis", { cause: error });
  }
}
