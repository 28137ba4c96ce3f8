// Worker threads that scan, and the results of each task in order.
import { join } from "node:path";
import type { Piscina } from "piscina";
import { compiledCore } from "../core/core.ts";
import { WorkerError } from "../errors.ts";
import type { ScanSettings } from "../options.ts";
import type { BlockTask, FilesTask, ResultMessage, SentTask } from "./task.ts";

// Worker threads take JavaScript only, so this names the built file also where the sources are run as they are.
const WORKER_FILE = join(import.meta.dirname, "../../build/command/worker.cjs");

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

  /** A result has come. */
  add(message: ResultMessage): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** No more results will come. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }
}

/** Says that a result is dealt with, so that its worker may send as much again. */
export function taken({ size, unread }: ResultMessage): void {
  Atomics.sub(unread, 0, size);
  Atomics.notify(unread, 0);
}

/** A piscina pool whose workers hold a core each. */
export class WorkerPool {
  readonly #piscina: Piscina;
  readonly #settings: ScanSettings;
  readonly #runs = new Map<number, TaskRun>();
  #count = 0;
  #isReady = false;
  #error: unknown;

  private constructor(piscina: Piscina, settings: ScanSettings) {
    this.#piscina = piscina;
    this.#settings = settings;
    piscina.on("message", (message: ResultMessage) => {
      this.#runs.get(message.id)?.add(message);
      if (message.result.kind === "end") this.#runs.delete(message.id);
    });
    this.#begin().catch((error: unknown) => this.#fail(error));
  }

  /** Starts `threads` workers. */
  static async start(threads: number, settings: ScanSettings): Promise<WorkerPool> {
    const { Piscina } = await import("piscina");
    const piscina = new Piscina({
      filename: WORKER_FILE,
      minThreads: threads,
      maxThreads: threads,
      // The next task is there when one is done. A worker takes its tasks in order.
      concurrentTasksPerWorker: 2,
      workerData: compiledCore(),
      // Results are taken in the order of the tasks: were a later task begun first, it could wait for room that only an earlier one makes.
      stricterFIFO: true,
      // With them on, a worker's event loop never turns between two tasks.
      atomics: "disabled",
      recordTiming: false,
    });
    return new WorkerPool(piscina, settings);
  }

  /** Whether a worker has started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The threads, for those who watch them. */
  get threads(): Piscina["threads"] {
    return this.#piscina.threads;
  }

  /** Queues a task behind those that are there. */
  run(work: FilesTask | BlockTask): TaskRun {
    const id = this.#count++;
    const run = new TaskRun();
    this.#runs.set(id, run);
    if (this.#error !== undefined) run.fail(this.#error);
    const task: SentTask = { id, settings: this.#settings, work };
    this.#piscina.run(task).catch((cause: unknown) => run.fail(deathOf(work, cause)));
    return run;
  }

  /** Ends all workers, also in the midst of a task; tasks that are not done fail with `reason`. */
  async stop(reason?: unknown): Promise<void> {
    this.#fail(reason);
    await this.#piscina.destroy();
  }

  // A task without work: its answer tells that a worker has started. Where none can, piscina leaves all other tasks waiting for ever.
  async #begin(): Promise<void> {
    await this.run({ kind: "files", parts: [] }).next();
    this.#isReady = true;
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    for (const run of this.#runs.values()) run.fail(error);
    this.#runs.clear();
  }
}

function deathOf(work: FilesTask | BlockTask, cause: unknown): WorkerError {
  return new WorkerError(`a worker thread died ${placeOf(work)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function placeOf(work: FilesTask | BlockTask): string {
  if (work.kind === "block") return `at bytes ${work.from} to ${work.to} of the stream`;
  if (work.parts.length === 0) return "as it started";
  const [{ name, from, to }] = work.parts;
  return work.parts.length === 1
    ? `at ${name}, bytes ${from} to ${to}`
    : `at ${name} or one of the ${work.parts.length - 1} files behind it`;
}
