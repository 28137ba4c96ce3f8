// Worker threads that run shards, so that the event loop of the host stays free.
import { join } from "node:path";
import type { Piscina } from "piscina";
import { compiledCore } from "../core/core.ts";
import { openPool, startThread } from "../threads/thread-pool.ts";
import type { ShardAnswer, ShardTask } from "./shard-thread.ts";

// Worker threads take JavaScript only, so this names the built file even if the sources themselves are run.
const THREAD_FILE = "../../build/node/shard-thread.cjs";

/** A pool with as many threads as shards that run at the same time. After a shard a thread waits for the next one. */
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
