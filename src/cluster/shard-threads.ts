// Worker threads that run shards, so that the event loop of who started them goes on.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { compiledCore } from "../core/core.ts";
import type { ShardAnswer, ShardTask } from "./shard-thread.ts";

// Worker threads take JavaScript only, so this names the built file also where the sources are run as they are.
const THREAD_FILE = "../../build/library/shard-thread.js";

/** Who waits for a thread. */
interface Waiting {
  readonly resolve: (answer: ShardAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** As many threads as shards are run at a time. A thread that has run one waits for the next. */
export class ShardThreads {
  /** All threads; those that wait for a shard have nobody who waits for them. */
  readonly #threads = new Map<Worker, Waiting | undefined>();

  /** Runs a shard. Rejects if its thread dies; all else is in the answer. */
  run(task: ShardTask): Promise<ShardAnswer> {
    return new Promise((resolve, reject) => {
      const [idle] = [...this.#threads].find(([, waiting]) => waiting === undefined) ?? [];
      const thread = idle ?? start(this.#threads);
      this.#threads.set(thread, { resolve, reject });
      thread.ref();
      thread.postMessage(task);
    });
  }

  /** Ends all threads. */
  async stop(): Promise<void> {
    await Promise.all([...this.#threads.keys()].map((thread) => thread.terminate()));
  }
}

function start(threads: Map<Worker, Waiting | undefined>): Worker {
  const thread = new Worker(join(import.meta.dirname, THREAD_FILE), { workerData: compiledCore() });
  thread.on("message", (answer: ShardAnswer) => {
    threads.get(thread)?.resolve(answer);
    threads.set(thread, undefined);
    // A thread without a shard does not keep the process.
    thread.unref();
  });
  thread.on("error", (cause) => threads.get(thread)?.reject(cause));
  thread.on("exit", (code) => {
    threads.get(thread)?.reject(new Error(`the worker thread exited with code ${code}`));
    threads.delete(thread);
  });
  return thread;
}
