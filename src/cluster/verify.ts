// Which shards of a plan are done: judged from their markers and results, never from what a queue says.
import { createHash } from "node:crypto";
import { systemCode } from "../errors.ts";
import { removeAbandoned } from "../unfinished.ts";
import { ShardError } from "./errors.ts";
import type { ResultFile } from "./frames.ts";
import { type Marker, markerName, shardMarkers } from "./marker.ts";
import type { PlanFile } from "./plan-file.ts";
import { readReduces } from "./reduce.ts";
import { checkInputs } from "./shard.ts";
import { type Store, sizesOf } from "./store.ts";

/** How results are looked at. */
export interface VerifyOptions {
  /** Reads all results, and compares their hashes. */
  readonly hash?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A shard that is not done. */
export interface Undone {
  readonly id: number;
  /** `missing`: it was not run to its end; `damaged`: its results were, and its marker is removed; `changed`: an input is another. */
  readonly reason: "missing" | "damaged" | "changed";
  readonly message: string;
}

/**
 * Yields the shards that are not done. All but those of the reason `changed` can be run again: markers of damaged results are removed. Also
 * removes the files of workers that were killed. Rejects with ShardError for a folder that has the results of another plan.
 */
export async function* verify(plan: PlanFile, store: Store, { hash = false, signal }: VerifyOptions = {}): AsyncGenerator<Undone> {
  removeAbandoned(store.unfinished);
  const sizes = await sizesOf(store);
  for await (const [shard, reading] of shardMarkers(plan, store, (name) => sizes.has(name))) {
    signal?.throwIfAborted();
    const { id } = shard;
    let marker: Marker | undefined;
    let damage: string | undefined;
    try {
      marker = await reading;
    } catch (error) {
      if (!(error instanceof ShardError) || error.code !== "ERR_RESULTS") throw error;
      damage = `${markerName(id)} is damaged`;
    }
    if (marker === undefined && damage === undefined) {
      const change = changeOf(() => checkInputs(plan.header, shard));
      yield { id, reason: change === undefined ? "missing" : "changed", message: `shard ${id}: ${change ?? "is not done"}` };
      continue;
    }
    const files = marker === undefined ? [] : [marker.results, ...(marker.partitions ?? [])];
    damage ??= await damageOf(files, sizes, store, hash);
    if (damage === undefined) continue;
    // The marker goes last: a worker that finds none gives its results names that the damaged ones no longer have.
    for (const name of [...files.map((file) => file.name), markerName(id)]) await store.remove(name);
    yield { id, reason: "damaged", message: `shard ${id}: ${damage}` };
  }
}

/**
 * Yields what is to be done before a merge, for each partition whose reduce is missing or damaged. If none has been reduced, nothing is:
 * the merge does the work of all.
 */
export async function* verifyReduces(plan: PlanFile, store: Store, { hash = false, signal }: VerifyOptions = {}): AsyncGenerator<string> {
  const reduces = await readReduces(store, plan.header);
  if (reduces.every((reduced) => reduced === undefined)) return;
  const sizes = await sizesOf(store);
  for (const [partition, reduced] of reduces.entries()) {
    signal?.throwIfAborted();
    const damage = reduced === undefined ? `partition ${partition} is not done` : await damageOf([reduced.results], sizes, store, hash);
    if (damage !== undefined) yield `${damage}; run urlmill merge --partition ${partition}`;
  }
}

function changeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    // What cannot be read here may be read where the shard is run.
    return error instanceof ShardError ? error.message : undefined;
  }
}

async function damageOf(
  files: readonly ResultFile[],
  sizes: ReadonlyMap<string, number>,
  store: Store,
  hash: boolean,
): Promise<string | undefined> {
  for (const { name, sha256, bytes } of files) {
    if (sizes.get(name) === bytes && !hash) continue;
    // The list may be older than the file.
    const found = await hashOf(store, name);
    if (found !== sha256) return `${name} is ${found === undefined ? "gone" : "damaged"}`;
  }
  return undefined;
}

/** Returns the hash of a result; undefined: there is none. */
async function hashOf(store: Store, name: string): Promise<string | undefined> {
  const sum = createHash("sha256");
  try {
    for await (const chunk of store.read(name)) sum.update(chunk);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return sum.digest("hex");
}
