// One reduce: what all shards have of one partition, brought together. The merge needs no table of keys then.
import { createHash, type Hash } from "node:crypto";
import { Counter } from "../count/counter.ts";
import { Distinct } from "../count/distinct.ts";
import type { GroupBatch } from "../count/groups.ts";
import { spillSettings } from "../count/spill-settings.ts";
import { Pacer } from "../input/pacer.ts";
import { checkedJson, checkedValue } from "./checked-json.ts";
import { ShardError } from "./errors.ts";
import { type FrameSink, type Loss, type ResultFile, readFrames } from "./frames.ts";
import { type DoneShard, doneShards, isResultFile, readText } from "./marker.ts";
import { eachKey, type KeptBatch, type KeyBatch } from "./partitions.ts";
import type { PlanFile } from "./plan-file.ts";
import type { PlanHeader } from "./plan-lines.ts";
import { ResultWriter, writeText } from "./result-writer.ts";
import type { Store } from "./store.ts";

/** Records of a shard that are written together, and bytes of groups. */
const RECORDS_AT_ONCE = 1 << 14;
const GROUP_BYTES = 1 << 20;
/** Bytes of the number of a shard and that of a record: what is kept of a key that waits on disk. */
const PLACE_BYTES = 8;

/** What is known of a partition that is done. */
export interface Reduced {
  readonly partition: number;
  /** Hash of what was reduced. */
  readonly work: string;
  readonly results: ResultFile;
}

/** How a partition is reduced. */
export interface ReduceOptions {
  /** Bytes of keys in memory. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the name of a reduce's marker. */
function reducedName(partition: number): string {
  return `p${String(partition).padStart(5, "0")}`;
}

/** Hashes what a reduce reads. */
export class ReducedWork {
  readonly #hashes: Hash[];

  constructor({ partitions = 0 }: PlanHeader) {
    this.#hashes = Array.from({ length: partitions }, () => createHash("sha256"));
  }

  /** Adds what a shard has of each partition. */
  add({ marker, isDropped }: DoneShard): void {
    for (const [index, hash] of this.#hashes.entries()) {
      hash.update(`${marker.work} ${marker.partitions?.[index]?.hash} ${isDropped}\n`);
    }
  }

  /** Returns the hash of one partition. */
  of(partition: number): string {
    return (this.#hashes[partition] as Hash).copy().digest("hex");
  }
}

/** Returns what is known of each partition; undefined: it has not been reduced. */
export async function readReduces(store: Store, { partitions = 0 }: PlanHeader): Promise<(Reduced | undefined)[]> {
  const names = Array.from({ length: partitions }, (_, index) => `${reducedName(index)}.json`);
  return await Promise.all(names.map(async (name, partition) => reducedIn((await readText(store, name)) ?? "", partition)));
}

function reducedIn(text: string, partition: number): Reduced | undefined {
  const reduced = checkedValue<Reduced>(text);
  return reduced?.partition === partition && isResultFile(reduced.results, reducedName(partition)) ? reduced : undefined;
}

/** Returns what is wrong with a reduce, and what makes it anew; undefined: nothing. `work`: what it would read now, if that is known. */
export async function reduceFault(
  partition: number,
  reduced: Reduced | undefined,
  work: ReducedWork | undefined,
  findLoss: (file: ResultFile) => Promise<Loss | undefined>,
): Promise<string | undefined> {
  const again = `run urlmill merge --partition ${partition}`;
  if (reduced === undefined) return `partition ${partition} is not done; ${again}`;
  if (work !== undefined && reduced.work !== work.of(partition)) return `partition ${partition} is of other results; ${again}`;
  const loss = await findLoss(reduced.results);
  return loss && `${loss.name} is ${loss.state}; ${again}`;
}

/**
 * Brings together what all shards have of one partition, for a later merge. Rejects with ShardError if the plan has no such partition, or
 * results are missing or damaged, and with the signal's reason.
 */
export async function reducePartition(
  plan: PlanFile,
  store: Store,
  partition: number,
  { memory, signal }: ReduceOptions = {},
): Promise<Reduced> {
  const { header } = plan;
  const { partitions = 0 } = header;
  if (!(partition >= 0 && partition < partitions))
    throw new ShardError("ERR_PLAN", `the plan has ${partitions} partitions; there is none of number ${partition}`);
  const name = reducedName(partition);
  const writer = new ResultWriter(store, name);
  const work = new ReducedWork(header);
  const reduction = header.command === "count" ? groupsReduction(writer.sink, memory) : keysReduction(writer.sink, memory);
  const pacer = new Pacer(signal);
  try {
    for await (const done of doneShards(plan, store)) {
      work.add(done);
      const file = done.marker.partitions?.[partition];
      if (done.isDropped || file === undefined) continue;
      for await (const frame of readFrames<KeyBatch | GroupBatch>(store, file)) {
        reduction.add(frame, done.marker.shard);
        await pacer.pause();
      }
    }
    for (const _ of reduction.finish()) await pacer.pause();
    // What an earlier reduce has left may be damaged, or of results that have been run again.
    const marker = await readText(store, `${name}.json`);
    const earlier = marker === undefined ? undefined : reducedIn(marker, partition);
    if (marker !== undefined) await store.remove(`${name}.json`);
    if (earlier !== undefined) await store.remove(earlier.results.name);
    const reduced: Reduced = { partition, work: work.of(partition), results: await writer.commit() };
    await writeText(store, `${name}.json`, checkedJson(reduced));
    return reduced;
  } finally {
    writer.discard();
    reduction.close();
  }
}

/** Brings one partition together. */
interface Reduction {
  add(frame: KeyBatch | GroupBatch, shard: number): void;
  /** Writes what is known at the end; yields where the caller may pause. */
  finish(): Generator<unknown>;
  close(): void;
}

function groupsReduction(sink: FrameSink, memory: number | undefined): Reduction {
  const spill = spillSettings(memory);
  const counter = new Counter([], spill);
  return {
    add(frame) {
      if (frame.kind === "groups") counter.merge(frame);
    },
    *finish() {
      for (const batch of counter.batches(GROUP_BYTES)) {
        if (batch !== undefined) sink.write(batch);
        yield;
      }
    },
    close: () => spill.file.close(),
  };
}

// Keys in memory came before all others, so the records are written in the order of shards, and of records in them.
function keysReduction(sink: FrameSink, memory: number | undefined): Reduction {
  const distinct = new Distinct(spillSettings(memory));
  const place = Buffer.alloc(PLACE_BYTES);
  let kept: number[] = [];
  let current = 0;
  const flush = (): void => {
    if (kept.length > 0) sink.push({ kind: "kept", shard: current, records: Uint32Array.from(kept) } satisfies KeptBatch);
    kept = [];
  };
  const keep = (shard: number, record: number): void => {
    if (shard !== current || kept.length === RECORDS_AT_ONCE) flush();
    current = shard;
    kept.push(record);
  };
  return {
    add(frame, shard) {
      if (frame.kind !== "keys") return;
      eachKey(frame, (view, start, end, record) => {
        const answer = distinct.add(view, start, end);
        if (answer === "new") keep(shard, record);
        if (answer !== "later") return;
        place.writeUInt32LE(shard, 0);
        place.writeUInt32LE(record, 4);
        distinct.keep(view, start, end, place);
      });
    },
    *finish() {
      yield* distinct.finish(({ bytes, textStart }) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        keep(view.getUint32(textStart, true), view.getUint32(textStart + 4, true));
      });
      flush();
    },
    close: () => distinct.close(),
  };
}

/** The records that reduces have kept, shard by shard. */
export class KeptRecords {
  readonly #readers: readonly AsyncGenerator<KeptBatch>[];
  /** The batch of each partition whose turn has not come. */
  #next: (KeptBatch | undefined)[] | undefined;

  constructor(store: Store, reduced: readonly Reduced[]) {
    this.#readers = reduced.map(({ results }) => readFrames<KeptBatch>(store, results));
  }

  /** Returns what is kept of a shard. Shards are asked for in their order. */
  async of(shard: number): Promise<KeptBatch[]> {
    this.#next ??= await Promise.all(this.#readers.map(nextOf));
    const next = this.#next;
    const found: KeptBatch[] = [];
    for (const [index, reader] of this.#readers.entries()) {
      for (let batch = next[index]; batch?.shard === shard; batch = next[index]) {
        found.push(batch);
        next[index] = await nextOf(reader);
      }
    }
    return found;
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.return(undefined)));
  }
}

async function nextOf(reader: AsyncGenerator<KeptBatch>): Promise<KeptBatch | undefined> {
  const { value, done } = await reader.next();
  return done === true ? undefined : value;
}
