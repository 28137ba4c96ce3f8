// The file of a worker thread that runs shards, so that the event loop of the host stays free.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { type CompiledCore, useCompiledCore } from "../core/core.ts";
import type { ReadCounter } from "../run/run-position.ts";
import { endSignal } from "../threads/thread-pool.ts";
import { isFinal } from "./errors.ts";
import type { PlanHeader, Shard } from "./plan-file.ts";
import { runShard } from "./shard.ts";
import { FolderStore } from "./store.ts";

/** The content of a job: everything that a worker needs, except the bytes of the inputs. */
export interface ShardJob {
  readonly header: PlanHeader;
  readonly shard: Shard;
  readonly results: string;
}

export interface ShardTask extends ShardJob {
  readonly read: ReadCounter;
}

/** The end of a shard: the number of rows in its marker, or an error. `isFinal`: another try would end in the same error. */
export type ShardAnswer = { readonly rows: number } | { readonly message: string; readonly isFinal: boolean };

useCompiledCore(workerData as CompiledCore);
const signal = endSignal(parentPort as MessagePort);

/** Runs a shard. An error becomes an answer. */
export default async function answerOf({ header, shard, results, read }: ShardTask): Promise<ShardAnswer> {
  try {
    const { rows } = await runShard(header, shard, new FolderStore(results), { read, signal });
    return { rows };
  } catch (error) {
    return { message: messageOf(error), isFinal: isFinal(error) };
  }
}
