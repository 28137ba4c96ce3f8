// Worker threads that scan, and the results of each task in order.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Piscina } from "piscina";
import { messageOf, systemCode, WorkerError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { Signal } from "../base/signal.ts";
import { type CoreBuild, compiledCore } from "../core/core.ts";
import type { ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";
import {
  type BlockTask,
  type FilesTask,
  type ResultMessage,
  receivedOf,
  type SentTask,
  type TaskEnd,
  type TaskResult,
  type WorkerStart,
} from "./task.ts";
import { openPool, type StartedThread, startThread } from "./thread-pool.ts";

// Worker threads take JavaScript only, so this names the built file even if the sources themselves are run.
const WORKER_FILE = "../../build/node/worker.cjs";
const TASKS_OF_THREAD = 2;

/** A task, and its results that have not been taken. */
export class TaskRun {
  readonly work: FilesTask | BlockTask;
  readonly #results: TaskResult[] = [];
  #error: unknown;
  readonly #news = new Signal();

  constructor(work: FilesTask | BlockTask) {
    this.work = work;
  }

  /** Resolves to the next result; the one of kind `end` is the last. Rejects with WorkerError, or with the reason given to `stop`. */
  async next(): Promise<TaskResult> {
    for (;;) {
      const next = this.#results.shift();
      if (next !== undefined) return next;
      if (this.#error !== undefined) throw this.#error;
      await this.#news.wait();
    }
  }

  /** Writes all results to `sink`, and waits if it demands that; returns the totals of the task. Rejects as `next` does. */
  async deliver(sink: Sink): Promise<Totals> {
    while (!(await this.deliverReady(sink))) await this.#news.wait();
    const { result } = await this.next();
    return (result as TaskEnd).totals;
  }

  /** Writes the available results; returns whether no more are to come: the task has ended or failed. */
  async deliverReady(sink: Sink): Promise<boolean> {
    for (let [first] = this.#results; first !== undefined; [first] = this.#results) {
      if (first.result.kind === "end") return true;
      this.#results.shift();
      sink.write(first.result);
      await sink.wait();
      taken(first);
    }
    return this.#error !== undefined;
  }

  add(result: TaskResult): void {
    this.#results.push(result);
    this.#news.wake();
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.#news.wake();
  }
}

/** A count so negative that a result which is being sent cannot make it positive: the worker stops its task at the next send. */
const NO_ROOM = -(2 ** 30);

/** Lets the thread of a taken result send as many bytes again. */
export function taken({ size, unread }: Pick<TaskResult, "size" | "unread">): void {
  Atomics.sub(unread, 0, size);
  Atomics.notify(unread, 0);
}

/** Called at most once, if fewer threads start than requested, with their number and the reason. */
export type FewerThreads = (threads: number, reason: string) => void;

/** Worker threads with a core each. The pool does without threads that cannot start. A thread that dies in a task fails the task. */
export class WorkerPool {
  readonly #settings: ScanSettings;
  readonly #fewer: FewerThreads;
  readonly #unread: Int32Array<SharedArrayBuffer>;
  /** Absent if there is no room for a thread. */
  #pool: Piscina | undefined;
  /** All threads that have started; some may have ended since. */
  readonly #started: { readonly currentUsage: number; readonly destroyed: boolean }[] = [];
  readonly #queue: TaskRun[] = [];
  /** The unfinished tasks of threads, by their numbers. */
  readonly #running = new Map<number, TaskRun>();
  #count = 0;
  /** Resolves when a worker has started (true), or none can (false). */
  hasStarted: Promise<boolean> = Promise.resolve(false);
  /** Why a thread could not be started; undefined after the report. */
  #shortage: string | undefined;
  #error: unknown;

  private constructor(settings: ScanSettings, fewer: FewerThreads, threads: number) {
    this.#settings = settings;
    this.#fewer = fewer;
    this.#unread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (threads + 1)));
  }

  /** Starts `threads` workers, or as many as can be started; calls `fewer` if these are fewer. */
  static async start(threads: number, settings: ScanSettings, fewer: FewerThreads = () => undefined): Promise<WorkerPool> {
    const pool = new WorkerPool(settings, fewer, threads);
    // If there is memory for one core only, this thread has it.
    const start: WorkerStart = { core: compiledCore(), unread: pool.#unread };
    const room = roomForWorkers(threads, start.core === null ? "javascript" : "simd");
    pool.#shortage = room.shortage;
    const ready: Promise<void>[] = [];
    try {
      if (room.threads > 0) pool.#pool = await openPool(workerFile(), start, TASKS_OF_THREAD);
      pool.#pool?.on("workerCreate", (thread) => pool.#started.push(thread));
      pool.#pool?.on("message", (message) => pool.#take(message));
      while (pool.#pool !== undefined && ready.length < room.threads) ready.push(pool.#watch(startThread(pool.#pool)));
    } catch (cause) {
      pool.#shortage ??= reasonOf(cause);
    }
    void Promise.allSettled(ready).then(() => pool.#report());
    pool.hasStarted = Promise.any(ready).then(
      () => true,
      () => false,
    );
    return pool;
  }

  /** The threads that have started or may still start. */
  get threads(): Worker[] {
    return this.#pool?.threads ?? [];
  }

  run(work: FilesTask | BlockTask): TaskRun {
    const run = new TaskRun(work);
    this.#queue.push(run);
    this.#assign();
    return run;
  }

  /** Number of tasks that no worker has been sent. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Takes back the first unsent task: this thread carries it out, and ends its run if anybody waits for it. Undefined: all are sent. */
  recall(): TaskRun | undefined {
    return this.#queue.shift();
  }

  /** Ends all workers, even inside a task; unfinished tasks fail with the first error: `reason`, or one from before. */
  async stop(reason?: unknown): Promise<void> {
    this.#error ??= reason ?? new Error("the workers were stopped");
    this.#report();
    for (const run of [...this.#running.values(), ...this.#queue.splice(0)]) run.fail(this.#error);
    this.#running.clear();
    // Threads that wait for their results to be taken end too.
    for (let number = 1; number < this.#unread.length; number++) {
      Atomics.store(this.#unread, number, NO_ROOM);
      Atomics.notify(this.#unread, number);
    }
    await this.#pool?.destroy();
  }

  /** Resolves when a thread takes tasks, and rejects if it never will. */
  async #watch({ thread, ready, ended }: StartedThread): Promise<void> {
    // The lost message may have been the last result of a task.
    thread.on("messageerror", (cause) => void this.stop(deathOf(undefined, cause)));
    void ended.then((cause) => {
      // If no thread has started, the caller carries out the tasks.
      if (this.threads.length === 0 && this.#started.length > 0) this.#error ??= deathOf(undefined, cause);
      this.#assign();
    });
    try {
      await ready;
      this.#assign();
    } catch (cause) {
      if (this.#error === undefined) this.#shortage ??= reasonOf(cause);
      throw cause;
    }
  }

  // Assigns tasks in their order to the threads with the fewest. Another order could deadlock (scan-files.ts, 2).
  #assign(): void {
    if (this.#error !== undefined) for (const run of this.#queue.splice(0)) run.fail(this.#error);
    const hasRoom = (): boolean => this.#started.some(({ currentUsage, destroyed }) => !destroyed && currentUsage < TASKS_OF_THREAD);
    while (this.#queue.length > 0 && hasRoom()) void this.#send(this.#queue.shift() as TaskRun);
  }

  async #send(run: TaskRun): Promise<void> {
    const id = this.#count++;
    this.#running.set(id, run);
    // Results come through a port for which piscina does not keep the process alive.
    for (const thread of this.threads) thread.ref();
    try {
      await this.#pool?.run({ id, settings: this.#settings, work: run.work } satisfies SentTask);
    } catch (cause) {
      run.fail(deathOf(run.work, cause));
      this.#release(id);
    }
    this.#assign();
  }

  #take({ id, result, ...bytes }: ResultMessage): void {
    const isEnd = result.kind === "end";
    this.#running.get(id)?.add({ ...bytes, result: isEnd ? result : receivedOf(result) });
    if (isEnd) this.#release(id);
  }

  /** Ends a task. Threads without tasks do not keep the process alive. */
  #release(id: number): void {
    if (this.#running.delete(id) && this.#running.size === 0) for (const thread of this.threads) thread.unref();
  }

  #report(): void {
    if (this.#shortage !== undefined) this.#fewer(this.threads.length, this.#shortage);
    this.#shortage = undefined;
  }
}

let hasWarned = false;

/** Returns the path of the file that workers run. If a bundler has left it out, warns and throws: the caller does without workers. */
function workerFile(): string {
  // A bundle of CommonJS has no `dirname`.
  const dirname: string | undefined = import.meta.dirname;
  const file = dirname === undefined ? undefined : join(dirname, WORKER_FILE);
  if (file !== undefined && existsSync(file)) return file;
  const message = "urlmill starts no threads: a bundle lacks the file of its workers. Bundle with urlmill external.";
  if (!hasWarned) process.emitWarning(message, { code: "URLMILL_NO_WORKERS" });
  hasWarned = true;
  throw new Error(message);
}

/** Returns the message of a thread that could not start, without Node's common prefix. */
function reasonOf(cause: unknown): string {
  return shown(messageOf(cause).replace(/^Worker initialization failure: /, ""));
}

function deathOf(work: FilesTask | BlockTask | undefined, cause: unknown): WorkerError {
  return new WorkerError(`a worker thread died ${locationOf(work)}: ${messageOf(cause)}`, { cause });
}

function locationOf(work: FilesTask | BlockTask | undefined): string {
  if (work === undefined) return "between two tasks";
  if (work.kind === "block") return `at bytes ${work.from} to ${work.to} of the stream`;
  const [first, ...others] = work.parts;
  if (first === undefined) return "without a file";
  const { name, from, to } = first;
  return others.length === 0
    ? `at ${shown(name)}, bytes ${from} to ${to}`
    : `at ${shown(name)} or one of the ${others.length} files after it`;
}

// Node may end the whole process if a starting thread cannot get its resources, so threads without room are not started.

/** File descriptors that a thread needs: 4 for its event loop, one for the file that is read, and some for files of Node itself. */
const HANDLES_OF_THREAD = 8;
const HANDLES_HERE = 12; // File descriptors reserved for this thread: inputs, folders, archives in archives, modules
/** Address space of a WebAssembly.Memory: V8 reserves the whole range of 32-bit addresses and offsets, and guard pages. */
const KIB_OF_MEMORY = 11 << 20;
const KIB_OF_THREAD = 1 << 20; // Further address space of a thread: heap, stack, the range for compiled code, the arenas of malloc
const KIB_HERE = 1 << 20; // Address space reserved for the heap of this thread

/** Returns how many of `wanted` threads may start, and which resource is scarce if not all. Only Linux shows its limits. */
function roomForWorkers(wanted: number, build: CoreBuild): { threads: number; shortage: string | undefined } {
  const room = [wanted, wanted];
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    const handles = limitOf(limits, "Max open files") - readdirSync("/proc/self/fd").length;
    const space = limitOf(limits, "Max address space") / 1024;
    const used = Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
    const kibOfThread = KIB_OF_THREAD + (build === "javascript" ? 0 : KIB_OF_MEMORY);
    room[0] = Math.floor((handles - HANDLES_HERE) / HANDLES_OF_THREAD);
    if (space < Number.POSITIVE_INFINITY) room[1] = Math.floor((space - used - KIB_HERE) / kibOfThread);
  } catch (error) {
    if (systemCode(error) === "EMFILE") room[0] = 0;
  }
  const [byHandles, bySpace] = room;
  const threads = Math.max(0, Math.min(wanted, byHandles, bySpace));
  if (threads === wanted) return { threads, shortage: undefined };
  return { threads, shortage: byHandles <= bySpace ? "too few file descriptors" : "too little address space" };
}

/** Returns a soft limit of /proc/self/limits, or Infinity. */
function limitOf(limits: string, name: string): number {
  const [, soft = "unlimited"] = new RegExp(`^${name} +(\\w+)`, "m").exec(limits) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
