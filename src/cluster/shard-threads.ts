// Worker threads that run shards, so that the event loop of who started them goes on.
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { compiledCore } from "../core/core.ts";
import { endThreads } from "../threads/end-threads.ts";
import type { ShardAnswer, ShardTask } from "./shard-thread.ts";

// Worker threads take JavaScript only, so this names the built file also where the sources are run as they are.
const THREAD_FILE = "../../build/library/shard-thread.js";

/** As many threads as shards are run at a time. A thread that has run one waits for the next. */
export class ShardThreads {
  readonly #all = new Set<Worker>();
  readonly #idle = new Set<Worker>();

  /** Runs a shard. Rejects if its thread dies; all else is in the answer. */
  async run(task: ShardTask): Promise<ShardAnswer> {
    const [thread = this.#start()] = this.#idle;
    this.#idle.delete(thread);
    thread.postMessage(task);
    const [answer] = (await once(thread, "message")) as [ShardAnswer];
    this.#idle.add(thread);
    return answer;
  }

  /** Ends all threads; shards that they run leave nothing. */
  async stop(): Promise<void> {
    await endThreads([...this.#all]);
  }

  #start(): Worker {
    const thread = new Worker(join(import.meta.dirname, THREAD_FILE), { workerData: compiledCore(), execArgv: [] });
    this.#all.add(thread);
    // Whoever waits for an answer is told: `once` rejects with the first event of this name.
    thread.on("error", () => undefined);
    thread.on("exit", (code) => {
      this.#all.delete(thread);
      this.#idle.delete(thread);
      thread.emit("error", new Error(`the worker thread exited with code ${code}`));
    });
    return thread;
  }
}
