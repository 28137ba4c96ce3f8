// Shards as jobs of BullMQ: what is merged is that of one run, whatever happens to workers and to Redis.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmdirSync, symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Job, Queue, type Worker } from "bullmq";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SubmitOptions, submit, type WorkOptions, work } from "../../src/cluster/bullmq.ts";
import type { ShardJob } from "../../src/cluster/shard-thread.ts";
import { verify } from "../../src/cluster/verify.ts";
import { pathOf, put, useFolder } from "../threads/folder.ts";
import { Redis, SERVER } from "./redis.ts";
import { makePlan, merged, type Planned, scannedOnce } from "./shards.ts";

const OPTIONS = { format: "ndjson", rejected: "why" } as const;
/** Old locks, those of workers that died, are found sooner than by default. */
const QUICK = { stalledInterval: 50 };
const MESSAGE = "From a@b Thu Jan  1 00:00:00 1998\nFrom: a@b\n\n<http://a.example/x> http://:1/ www.b.example\n\n";

useFolder();

describe.skipIf(SERVER === undefined)("shards in BullMQ (left out where there is neither Redis nor Valkey)", () => {
  let redis: Redis;
  let queue: Queue<ShardJob, number>;
  let paths: string[];
  const workers: Worker[] = [];

  beforeAll(async () => {
    redis = new Redis();
    await redis.start();
    queue = new Queue("urlmill", { connection: redis.connection });
    queue.on("error", () => undefined);
    paths = [put("mbox", MESSAGE.repeat(200)), put("text", "http://text.example/ ".repeat(500)), put("last", "http://last.example/")];
  });
  afterAll(async () => {
    await queue.close();
    await redis.kill();
  });
  beforeEach(async () => {
    await queue.obliterate({ force: true });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  });

  const planOf = (inputs: readonly string[]): Promise<Planned> => makePlan(inputs, { options: OPTIONS, shardBytes: 3000 });
  const submitted = ({ plan, folder }: Planned, options: Partial<SubmitOptions> = {}): ReturnType<typeof submit> =>
    submit(plan, folder, { connection: redis.connection, ...options });
  const undoneOf = async ({ plan, store }: Planned): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of verify(plan, store)) ids.push(id);
    return ids;
  };

  async function startWorker(options: Partial<WorkOptions> = {}): Promise<Worker<ShardJob, number>> {
    const worker = await work({ connection: redis.connection, ...QUICK, ...options });
    // Redis is gone for a while, or a job is another's.
    worker.on("error", () => undefined);
    workers.push(worker);
    return worker;
  }

  /** Resolves when all shards have markers: whatever a worker says is a reason to look. */
  async function untilDone(planned: Planned, worker: Worker): Promise<void> {
    let wake = (): void => undefined;
    for (const event of ["completed", "failed", "drained", "error"] as const) worker.on(event, () => wake());
    for (;;) {
      const next = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if ((await undoneOf(planned)).length === 0) return;
      await next;
    }
  }

  async function expectMerged(planned: Planned): Promise<void> {
    expect(await merged(planned)).toEqual(await scannedOnce(paths, OPTIONS));
  }

  it("adds each shard once, and none that is done; reports rows and bytes", async () => {
    const planned = await planOf(paths);
    const { shards, bytes } = await planned.plan.end();
    expect(await submitted(planned)).toEqual({ done: 0, added: shards, waiting: 0 });
    expect(await submitted(planned)).toEqual({ done: 0, added: 0, waiting: shards });
    const worker = await startWorker();
    const progress = new Map<number, number>();
    let rows = 0;
    worker.on("progress", ({ data }, value) => progress.set(data.shard.id, (value as { read: number }).read));
    worker.on("completed", (_, result) => {
      rows += result;
    });
    await untilDone(planned, worker);
    await worker.close();
    await expectMerged(planned);
    expect(rows).toBe((await merged(planned)).text.trimEnd().split("\n").length);
    expect([...progress.values()].reduce((sum, read) => sum + read)).toBe(bytes);
    expect(await submitted(planned)).toEqual({ done: shards, added: 0, waiting: 0 });
    unlinkSync(join(planned.folder, "00001.json"));
    expect(await submitted(planned)).toEqual({ done: shards - 1, added: 1, waiting: 0 });
  });

  it("keeps a shard with a changed input as failed after one try, with the reason; what was failed is submitted again", async () => {
    const setTime = (seconds: number): void => utimesSync(pathOf("text"), seconds, seconds);
    setTime(1000);
    const planned = await planOf(paths);
    await submitted(planned);
    setTime(2000);
    const worker = await startWorker({ concurrency: 1 });
    await once(worker, "drained");
    const dead = (await queue.getFailed()).map(({ data, attemptsMade, failedReason }) => ({
      id: data.shard.id,
      attemptsMade,
      failedReason,
    }));
    dead.sort((one, other) => one.id - other.id);
    const undone = await undoneOf(planned);
    expect(undone.length).toBeGreaterThan(1);
    const reason = expect.stringMatching(/text.* has changed since the plan was made/);
    expect(dead).toEqual(undone.map((id) => ({ id, attemptsMade: 1, failedReason: reason })));
    setTime(1000);
    expect(await submitted(planned)).toMatchObject({ added: undone.length, waiting: 0 });
    await untilDone(planned, worker);
    await expectMerged(planned);
  });

  it("tries again what may pass: the folder of the results cannot be written", async () => {
    const planned = await planOf(paths);
    await submitted(planned, { job: { backoff: { type: "fixed", delay: 1 } } });
    rmdirSync(planned.folder);
    symlinkSync("not-mounted", planned.folder);
    const worker = await startWorker({ concurrency: 1 });
    const [job] = (await once(worker, "failed")) as [Job<ShardJob>];
    expect(job.failedReason).toBe(`${planned.folder}: cannot be written (ENOENT)`);
    unlinkSync(planned.folder);
    mkdirSync(planned.folder);
    await untilDone(planned, worker);
    await expectMerged(planned);
    expect(await queue.getFailedCount()).toBe(0);
  });

  /** Starts a worker that stops in its first shard; returns the shard, and the process. */
  async function startBlocked(): Promise<{ id: number; child: ChildProcess }> {
    const program = join(import.meta.dirname, "blocked-worker.mjs");
    const child = spawn(process.execPath, [program, JSON.stringify(redis.connection)], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    return { id: Number(line), child };
  }

  it("gives the shard of a worker that was killed to another one", async () => {
    const planned = await planOf(paths);
    await submitted(planned);
    const { id, child } = await startBlocked();
    child.kill("SIGKILL");
    const worker = await startWorker();
    const taken: string[] = [];
    worker.on("stalled", (job) => taken.push(job));
    await untilDone(planned, worker);
    expect(taken.map((job) => Number.parseInt(job, 10))).toEqual([id]);
    await expectMerged(planned);
  });

  it("gives a shard to others more than once", async () => {
    const planned = await makePlan(paths, { options: OPTIONS });
    expect(await submitted(planned)).toMatchObject({ added: 1 });
    for (let count = 0; count < 3; count++) (await startBlocked()).child.kill("SIGKILL");
    await untilDone(planned, await startWorker());
    await expectMerged(planned);
  });

  it("goes on when Redis was killed and is there again", async () => {
    const planned = await planOf(paths);
    await submitted(planned);
    const worker = await startWorker({ concurrency: 1 });
    await once(worker, "completed");
    await redis.kill();
    expect((await undoneOf(planned)).length).toBeGreaterThan(0);
    await redis.start();
    await untilDone(planned, worker);
    await expectMerged(planned);
    expect(await queue.getFailedCount()).toBe(0);
  });

  it("are not submitted without Redis, and that is said", async () => {
    const planned = await planOf(paths);
    await expect(submitted(planned, { connection: { port: 1 } })).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("runs shards twice at once without a difference", async () => {
    const planned = await planOf(paths);
    await submitted(planned);
    const others = new Queue("others", { connection: redis.connection });
    await submitted(planned, { queue: "others" });
    const { shards } = await planned.plan.end();
    const runsAll = async (name: string): Promise<void> => {
      const worker = await startWorker({ queue: name });
      let left = shards;
      await new Promise<void>((resolve) => {
        worker.on("completed", () => --left === 0 && resolve());
      });
    };
    await Promise.all([runsAll("urlmill"), runsAll("others")]);
    await others.close();
    expect(await undoneOf(planned)).toEqual([]);
    await expectMerged(planned);
    expect(readdirSync(planned.folder)).toHaveLength(2 * shards);
  });
});
