// The marker of a shard. Only a marker shows that a shard is done, and names its results.
import type { OmissionCounts } from "../base/omission.ts";
import type { Totals } from "../run/totals.ts";
import { absentOr, checkedValue, isCount, isOmission, isOmissionReason, isText, listOf, mapOf, objectOf } from "./checked-json.ts";
import { LostFile, ShardError } from "./errors.ts";
import { type ResultFile, readStored } from "./frames.ts";
import { identityOf, type PlanFile, type PlanHeader, type Shard } from "./plan-file.ts";
import type { Store } from "./store.ts";

const DIGITS = 5;
const MARKER_BYTES_MOST = 1 << 24; // Most bytes of a marker. Its largest part is the counts of up to 1000 media types
const MARKERS_AHEAD = 32;
const COUNTERS_MOST = 256;
const HASH = /^[0-9a-f]{64}$/;

/** A marker of a shard. */
export interface Marker {
  readonly shard: number;
  /** Identity of the shard's work (`identityOf`). */
  readonly work: string;
  readonly results: ResultFile;
  /** The shard has read its file to the end. The merge discards the results of the later parts of this file. */
  readonly isOver?: boolean | undefined;
  /** Number of records or groups in the results. */
  readonly rows: number;
  readonly totals: Totals;
}

export function shardName(id: number): string {
  return String(id).padStart(DIGITS, "0");
}

export function isResultName(name: string): boolean {
  return /^\d{5}.*\.(?:json|results)$/.test(name);
}

export function markerName(id: number): string {
  return `${shardName(id)}.json`;
}

/** Returns the marker of a shard; undefined: it is not done. Rejects with ShardError if the marker is damaged, or of another plan. */
export async function readMarker(header: PlanHeader, shard: Shard, store: Store): Promise<Marker | undefined> {
  const name = markerName(shard.id);
  const text = await readText(store, name);
  if (text === undefined) return undefined;
  const marker = checkedValue<Marker>(text);
  if (marker === undefined || !isMarkerOf(marker, shard.id)) throw new LostFile(name, "damaged");
  if (marker.work === identityOf(header, shard)) return marker;
  throw new ShardError("ERR_URLMILL_PLAN", `${name} is of another plan; give each plan a folder of its own`);
}

/** Returns whether a marker is valid, and names only the results of shard `id`, because `verify` removes the named file. */
function isMarkerOf({ shard, work, results, rows, totals }: Marker, id: number): boolean {
  if (shard !== id || !isText(work) || !isResultFile(results, shardName(id)) || !isTotals(totals)) return false;
  // A record or a group has at least one byte.
  return isCount(rows) && rows <= results.bytes;
}

const hasHash = objectOf<ResultFile>({ hash: (hash) => isText(hash) && HASH.test(hash), bytes: isCount });

/** Returns whether a value is a ResultFile with the name that `ResultWriter` makes of `name`: no folder, and the hash of the value. */
export function isResultFile(value: unknown, name: string): value is ResultFile {
  return hasHash(value) && value.name === `${name}-${value.hash}.results`;
}

const areCounters = listOf((count) => count === null || isCount(count), COUNTERS_MOST);
const isOmissionCount = objectOf<NonNullable<OmissionCounts["link"]>>({
  count: isCount,
  first: isOmission,
  types: absentOr(mapOf(isCount)),
});

export const isTotals = objectOf<Totals>({
  bytes: isCount,
  matches: isCount,
  filtered: isCount,
  undated: isCount,
  sources: isCount,
  skipped: isCount,
  kinds: areCounters,
  rejected: areCounters,
  archive: areCounters,
  omitted: mapOf(isOmissionCount, isOmissionReason),
});

/** Returns the text of a marker; undefined if it does not exist. Rejects with LostFile if it is too long or no regular file. */
async function readText(store: Store, name: string): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of readStored(store, name)) {
      length += chunk.length;
      if (length > MARKER_BYTES_MOST) throw new LostFile(name, "damaged");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof LostFile && error.state === "gone") return undefined;
    throw error;
  }
  return Buffer.concat(chunks).toString();
}

type ShardMarker = readonly [Shard, Promise<Marker | undefined>];

/** Yields the shards of a plan in order, each with the promise of its marker. Does not read markers for which `has` returns false. */
export async function* shardMarkers(
  plan: PlanFile,
  store: Store,
  has: (name: string) => boolean = () => true,
): AsyncGenerator<ShardMarker> {
  const ahead: ShardMarker[] = [];
  for await (const shard of plan.shards()) {
    const reading = has(markerName(shard.id)) ? readMarker(plan.header, shard, store) : Promise.resolve(undefined);
    // The consumer of the promise gets the error.
    reading.catch(() => undefined);
    ahead.push([shard, reading]);
    if (ahead.length === MARKERS_AHEAD) yield ahead.shift() as ShardMarker;
  }
  yield* ahead;
}

/** Yields the shards of a plan with their markers, in order. Rejects with ShardError at the first shard without a valid marker. */
export async function* doneShards(plan: PlanFile, store: Store): AsyncGenerator<readonly [Shard, Marker]> {
  for await (const [shard, reading] of shardMarkers(plan, store)) {
    const marker = await reading;
    if (marker === undefined)
      throw new ShardError("ERR_URLMILL_RESULTS", `shard ${shard.id} is not done; urlmill verify lists what is missing`);
    yield [shard, marker];
  }
}
