// The entry of a worker thread that runs shards, one after the other, for who must not wait for a scan.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type CompiledCore, useCompiledCore } from "../core/core.ts";
import type { ReadCounter } from "../run/run-position.ts";
import { END } from "../threads/end-threads.ts";
import { isFinal } from "./errors.ts";
import type { PlanHeader, Shard } from "./plan-lines.ts";
import { runShard } from "./shard.ts";
import { FolderStore } from "./store.ts";

/** What a job holds: all that a worker needs beside the inputs. */
export interface ShardJob {
  readonly header: PlanHeader;
  readonly shard: Shard;
  /** The folder of the results. */
  readonly results: string;
}

/** A shard that is to be run. */
export interface ShardTask extends ShardJob {
  /** Counts the bytes that are read. */
  readonly read: ReadCounter;
}

/** How a shard ended: with the rows of its marker, or with an error, which another try would give again if it is final. */
export type ShardAnswer = { readonly rows: number } | { readonly message: string; readonly isFinal: boolean };

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
useCompiledCore(workerData as CompiledCore);
const end = new AbortController();
port.on("message", (message: ShardTask | typeof END) => {
  if (message === END) {
    end.abort();
    port.close();
    return;
  }
  void answerOf(message).then((answer) => port.postMessage(answer));
});

async function answerOf({ header, shard, results, read }: ShardTask): Promise<ShardAnswer> {
  try {
    const { rows } = await runShard(header, shard, new FolderStore(results), { read, signal: end.signal });
    return { rows };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), isFinal: isFinal(error) };
  }
}
