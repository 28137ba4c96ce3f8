// Worker threads that scan, and the results of each task in order.
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { WorkerError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { BEST_BUILD } from "../core/best.ts";
import { compiledCore } from "../core/core.ts";
import type { ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";
import { endThreads } from "./end-threads.ts";
import {
  type BlockTask,
  type FilesTask,
  READY,
  type ResultMessage,
  receivedOf,
  type SentResult,
  type SentTask,
  type WorkerMessage,
  type WorkerStart,
} from "./task.ts";
import { roomForWorkers } from "./worker-limits.ts";

// Worker threads take JavaScript only, so this names the built file also where the sources are run as they are.
const WORKER_FILE = "../../build/command/worker.cjs";
/** Tasks that a thread is sent: the next one is there when one is done. */
const TASKS_OF_THREAD = 2;

/** A task that has been given to the pool. */
export class TaskRun {
  readonly #messages: ResultMessage[] = [];
  #error: unknown;
  #wake: (() => void) | undefined;

  /** The next result; the one of kind `end` is the last. Rejects with WorkerError, or with what the pool was stopped for. */
  async next(): Promise<ResultMessage> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Writes all results to `sink`, waiting when that says so; returns the totals of the task. Rejects as `next` does. */
  async deliver(sink: Sink): Promise<Totals> {
    for (;;) {
      const message = await this.next();
      if (message.result.kind === "end") return message.result.totals;
      await deliver(message, message.result, sink);
    }
  }

  /** Writes the results that have come; returns whether `deliver` would not have to wait for others. */
  async deliverReady(sink: Sink): Promise<boolean> {
    for (let message = this.#messages[0]; message !== undefined; message = this.#messages[0]) {
      if (message.result.kind === "end") return true;
      this.#messages.shift();
      await deliver(message, message.result, sink);
    }
    return this.#error !== undefined;
  }

  /** Takes a result that has come. */
  add(message: ResultMessage): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Ends the results with an error. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }
}

async function deliver(message: ResultMessage, result: Exclude<SentResult, { kind: "end" }>, sink: Sink): Promise<void> {
  sink.write(receivedOf(result));
  const pause = sink.wait();
  if (pause !== undefined) await pause;
  taken(message);
}

/** Less than what is taken can bring back: a worker that sends more leaves its task. */
const NO_ROOM = -(2 ** 30);

/** Lets the worker of a result that has been taken send as much again. */
export function taken({ size, unread }: ResultMessage): void {
  Atomics.sub(unread, 0, size);
  Atomics.notify(unread, 0);
}

/** A task that has been given to the pool. */
interface Task {
  readonly id: number;
  readonly work: FilesTask | BlockTask;
  readonly run: TaskRun;
}

/** A thread, and the tasks that it has been sent. */
interface PoolThread {
  readonly worker: Worker;
  /** How much it has sent that nobody has taken. */
  readonly unread: Int32Array;
  readonly tasks: Map<number, Task>;
  isReady: boolean;
}

/** Called at most once, with the number of threads if that is smaller than was asked for, and with the reason. */
export type FewerThreads = (threads: number, reason: string) => void;

/**
 * Worker threads with a core each. One that cannot start is left out; one that dies in a task fails this task. Every event of a thread has
 * a listener, so that none ends the process.
 */
export class WorkerPool {
  readonly #settings: ScanSettings;
  readonly #threads = new Set<PoolThread>();
  readonly #queue: Task[] = [];
  readonly #fewer: FewerThreads;
  #count = 0;
  /** Whether a worker has started. */
  isReady = false;
  /** Why a thread could not be started, until that has been reported. */
  #shortage: string | undefined;
  #error: unknown;
  #wake: (() => void) | undefined;

  private constructor(settings: ScanSettings, fewer: FewerThreads) {
    this.#settings = settings;
    this.#fewer = fewer;
  }

  /** Starts `threads` workers, or as many as can be started; calls `fewer` where these are not all. */
  static async start(threads: number, settings: ScanSettings, fewer: FewerThreads = () => undefined): Promise<WorkerPool> {
    const { Worker } = await import("node:worker_threads");
    const pool = new WorkerPool(settings, fewer);
    // Where there is memory for one core only, it is this thread's.
    const core = compiledCore();
    const room = roomForWorkers(threads, core === null ? "javascript" : BEST_BUILD);
    pool.#shortage = room.shortage;
    for (let count = 0; count < room.threads; count++) {
      try {
        const unread = new Int32Array(new SharedArrayBuffer(4));
        const start: WorkerStart = { core, unread };
        pool.#add(new Worker(join(import.meta.dirname, WORKER_FILE), { workerData: start }), unread);
      } catch (cause) {
        pool.#shortage ??= reasonOf(cause);
        break;
      }
    }
    pool.#settle();
    return pool;
  }

  /** How many threads have started or may yet. */
  get size(): number {
    return this.#threads.size;
  }

  /** The threads, for those who watch them. */
  get threads(): Worker[] {
    return Array.from(this.#threads, ({ worker }) => worker);
  }

  /** Resolves when a worker has started (true), or none can (false). */
  async hasStarted(): Promise<boolean> {
    while (!this.isReady && this.#threads.size > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.isReady;
  }

  /** Queues a task after those that are there. */
  run(work: FilesTask | BlockTask): TaskRun {
    const task = { id: this.#count++, work, run: new TaskRun() };
    this.#queue.push(task);
    this.#assign();
    return task.run;
  }

  /** How many tasks no worker has been sent. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Takes back the first task that no worker has been sent, for this thread to carry out. Its run never ends. */
  recall(): TaskRun | undefined {
    return this.#queue.shift()?.run;
  }

  /** Ends all workers, also in the midst of a task; tasks that are not done fail with `reason`. */
  async stop(reason?: unknown): Promise<void> {
    this.#error ??= reason ?? new Error("the workers were stopped");
    const threads = [...this.#threads];
    this.#report();
    this.#threads.clear();
    for (const task of [...threads.flatMap(({ tasks }) => [...tasks.values()]), ...this.#queue.splice(0)]) task.run.fail(this.#error);
    this.#wake?.();
    await endAll(threads);
  }

  #add(worker: Worker, unread: Int32Array): void {
    const thread: PoolThread = { worker, unread, tasks: new Map(), isReady: false };
    this.#threads.add(thread);
    worker.on("message", (message: WorkerMessage) => this.#take(thread, message));
    worker.on("messageerror", (cause) => this.#lose(thread, cause));
    worker.on("error", (cause) => this.#lose(thread, cause));
    worker.on("exit", (code) => this.#lose(thread, new Error(`it exited with code ${code}`)));
  }

  #take(thread: PoolThread, message: WorkerMessage): void {
    // A thread that is being ended must keep the process alive, or stop() would never resolve.
    if (!this.#threads.has(thread)) return;
    if (message === READY) {
      thread.isReady = true;
      this.isReady = true;
      this.#settle();
    } else if ("cause" in message) {
      const task = thread.tasks.get(message.id);
      thread.tasks.delete(message.id);
      task?.run.fail(deathOf(task.work, message.cause));
    } else {
      thread.tasks.get(message.id)?.run.add(message);
      if (message.result.kind !== "end") return;
      thread.tasks.delete(message.id);
    }
    this.#assign();
    // A thread without a task does not keep the process.
    if (thread.tasks.size === 0) thread.worker.unref();
  }

  /** A thread has ended, or will: its listeners are called for both. */
  #lose(thread: PoolThread, cause: unknown): void {
    if (!this.#threads.delete(thread)) return;
    void endAll([thread]);
    if (!thread.isReady) this.#shortage ??= reasonOf(cause);
    for (const { work, run } of thread.tasks.values()) run.fail(deathOf(work, cause));
    // Where none has started, the caller carries out the tasks.
    if (this.#threads.size === 0 && this.isReady) this.#error ??= deathOf(undefined, cause);
    this.#settle();
    this.#assign();
  }

  // In the order of the tasks, to the threads that have the least: results are taken in this order, so that a task that was begun before an
  // earlier one could wait for room that only the earlier one makes.
  #assign(): void {
    if (this.#error !== undefined) for (const { run } of this.#queue.splice(0)) run.fail(this.#error);
    for (let task = this.#queue[0]; task !== undefined; task = this.#queue[0]) {
      const [thread] = [...this.#threads].filter(({ isReady }) => isReady).sort((one, other) => one.tasks.size - other.tasks.size);
      if (thread === undefined || thread.tasks.size >= TASKS_OF_THREAD) return;
      this.#queue.shift();
      thread.tasks.set(task.id, task);
      thread.worker.ref();
      thread.worker.postMessage({ id: task.id, settings: this.#settings, work: task.work } satisfies SentTask);
    }
  }

  #settle(): void {
    this.#wake?.();
    if (![...this.#threads].some(({ isReady }) => !isReady)) this.#report();
  }

  #report(): void {
    if (this.#shortage === undefined) return;
    this.#fewer(this.#threads.size, this.#shortage);
    this.#shortage = undefined;
  }
}

/** Ends threads, also those that wait until their results are taken. */
async function endAll(threads: readonly PoolThread[]): Promise<void> {
  for (const { unread } of threads) {
    Atomics.store(unread, 0, NO_ROOM);
    Atomics.notify(unread, 0);
  }
  await endThreads(threads.map(({ worker }) => worker));
}

/** What a thread says that cannot start: without stack, and without the words that all have in common. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return shown(message.replace(/^Worker initialization failure: /, ""));
}

function deathOf(work: FilesTask | BlockTask | undefined, cause: unknown): WorkerError {
  return new WorkerError(`a worker thread died ${locationOf(work)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function locationOf(work: FilesTask | BlockTask | undefined): string {
  if (work === undefined) return "between two tasks";
  if (work.kind === "block") return `at bytes ${work.from} to ${work.to} of the stream`;
  if (work.parts.length === 0) return "without a file";
  const [{ name, from, to }] = work.parts;
  return work.parts.length === 1
    ? `at ${shown(name)}, bytes ${from} to ${to}`
    : `at ${shown(name)} or one of the ${work.parts.length - 1} files after it`;
}
