// Finds the shards of a plan that are not done. Only markers and results count, never the state of a queue.
import { removeAbandoned } from "../base/unfinished.ts";
import { LostFile, ShardError } from "./errors.ts";
import { checkResults, storedFiles } from "./frames.ts";
import { type Marker, markerName, shardMarkers } from "./marker.ts";
import type { PlanFile } from "./plan-file.ts";
import { checkInputs } from "./shard.ts";
import type { Store } from "./store.ts";

/** Options of `verify`. */
export interface VerifyOptions {
  /** Whether to read all results and compare their hashes; false by default. */
  readonly hash?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A shard that is not done. */
export interface Undone {
  readonly id: number;
  /**
   * `missing`: the shard was not run to its end; `damaged`: its marker is damaged, or its results are damaged or gone, and the rest
   * is removed; `changed`: it was not run to its end, and an input has changed; `other`: its marker belongs to another plan.
   */
  readonly reason: "missing" | "damaged" | "changed" | "other";
  readonly message: string;
}

/**
 * Yields the shards that are not done. Removes damaged markers, damaged results, and the markers of damaged or missing results, so that
 * these shards can be run again. Also removes the unfinished files of killed workers.
 */
export async function* verify(plan: PlanFile, store: Store, { hash = false, signal }: VerifyOptions = {}): AsyncGenerator<Undone> {
  removeAbandoned(store.unfinished);
  const files = await storedFiles(store);
  for await (const [shard, reading] of shardMarkers(plan, store, (name) => files.has(name))) {
    signal?.throwIfAborted();
    const { id } = shard;
    const name = markerName(id);
    const marker = await reading.catch(shardErrorOf);
    if (marker === undefined) {
      const change = changeOf(() => checkInputs(plan.header, shard));
      yield { id, reason: change === undefined ? "missing" : "changed", message: `shard ${id}: ${change ?? "is not done"}` };
      continue;
    }
    const check = ({ results }: Marker): Promise<undefined> => checkResults(store, results, files.get(results.name), hash);
    const error = marker instanceof ShardError ? marker : await check(marker).catch(shardErrorOf);
    if (error instanceof LostFile) {
      // Removes the marker last: a worker that finds no marker stores its results under the same name, which must be free by then.
      for (const file of new Set([error.file, name])) await store.remove(file);
      yield { id, reason: "damaged", message: `shard ${id}: ${error.file} is ${error.state}` };
    } else if (error !== undefined) yield { id, reason: "other", message: `${name} is of another plan` };
  }
}

function shardErrorOf(error: unknown): ShardError {
  if (error instanceof ShardError) return error;
  throw error;
}

function changeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    // A worker may be able to read an input that is unreadable here.
    return error instanceof ShardError ? error.message : undefined;
  }
}
