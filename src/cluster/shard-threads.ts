// Worker threads that run shards, so that the event loop of the host stays free.
import { join } from "node:path";
import type { Piscina } from "piscina";
import { compiledCore } from "../core/core.ts";
import { openPool, startThread } from "../threads/thread-pool.ts";
import type { ShardAnswer, ShardTask } from "./shard-thread.ts";

// Worker threads take JavaScript only, so this names the built file also where the sources are run as they are.
const THREAD_FILE = "../../build/node/shard-thread.cjs";

/** As many threads as shards are run at a time. A thread that has run one waits for the next. */
export class ShardThreads {
  #pool: Promise<Piscina> | undefined;
  #running = 0;

  /** Runs a shard. Rejects if its thread dies or cannot start; all else is in the answer. */
  async run(task: ShardTask): Promise<ShardAnswer> {
    this.#pool ??= openPool(join(import.meta.dirname, THREAD_FILE), compiledCore(), 1, []);
    const pool = await this.#pool;
    this.#running++;
    try {
      // Each of the others that run has a thread, or waits for one that starts.
      if (this.#running > pool.threads.length) await startThread(pool).ready;
      return await pool.run(task);
    } finally {
      this.#running--;
    }
  }

  /** Ends all threads; shards that they run leave nothing. */
  async stop(): Promise<void> {
    // One that could not be opened has failed its shards.
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.destroy();
  }
}
