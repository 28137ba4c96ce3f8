// Keys divided by their hash, so that what must be known of all shards at once is known of one part of the keys after the other.
import { Distinct, type KeySet } from "../count/distinct.ts";
import { GroupTable } from "../count/group-table.ts";
import { eachPacked, type GroupBatch, packed } from "../count/groups.ts";
import { murmur3 } from "../count/hash.ts";
import { spillSettings } from "../count/spill-settings.ts";
import type { FrameSink } from "./frames.ts";

/** The hash is the same on all machines. */
const SEED = 0x75726c;
/** Bytes of keys that are written together. */
const BATCH_BYTES = 1 << 15;
/** Bytes before a key: the number of its record in the shard, and its length. */
const HEAD_BYTES = 8;

/** Keys of the records of a shard that may be the first with them. */
export interface KeyBatch {
  readonly kind: "keys";
  readonly bytes: Uint8Array;
}

/** The records of a shard, by their numbers, that are the first with their keys. */
export interface KeptBatch {
  readonly kind: "kept";
  readonly shard: number;
  readonly records: Uint32Array;
}

/** Keys that wait to be written. */
interface OpenBatch {
  bytes: Buffer;
  used: number;
}

function partitionOf(view: DataView, start: number, end: number, count: number): number {
  return (murmur3(view, start, end, SEED) >>> 0) % count;
}

/** Knows the keys of one shard, as far as there is memory, and writes each that is new to the file of its partition. */
export class ShardKeys implements KeySet {
  readonly isFull = false;
  readonly #known: Distinct;
  readonly #files: readonly FrameSink[];
  readonly #batches: OpenBatch[];
  #records = 0;

  /** Without `files` nothing is written. */
  constructor(memory: number | undefined, files: readonly FrameSink[]) {
    this.#known = new Distinct(spillSettings(memory));
    this.#files = files;
    this.#batches = files.map(() => ({ bytes: Buffer.alloc(BATCH_BYTES), used: 0 }));
  }

  add(view: DataView, start: number, end: number): "new" | "known" {
    if (this.#known.add(view, start, end) === "known") return "known";
    const record = this.#records++;
    if (this.#files.length > 0) this.#write(view, start, end, record);
    return "new";
  }

  /** Writes what is left. */
  close(): void {
    this.#known.close();
    for (const index of this.#files.keys()) this.#flush(index);
  }

  #write(view: DataView, start: number, end: number, record: number): void {
    const index = partitionOf(view, start, end, this.#files.length);
    const length = HEAD_BYTES + end - start;
    const batch = this.#batches[index] as OpenBatch;
    if (batch.used + length > batch.bytes.length) this.#flush(index);
    if (length > batch.bytes.length) batch.bytes = Buffer.alloc(length);
    batch.bytes.writeUInt32LE(record, batch.used);
    batch.bytes.writeUInt32LE(end - start, batch.used + 4);
    batch.bytes.set(new Uint8Array(view.buffer, view.byteOffset + start, end - start), batch.used + HEAD_BYTES);
    batch.used += length;
  }

  #flush(index: number): void {
    const batch = this.#batches[index] as OpenBatch;
    if (batch.used > 0) this.#files[index]?.push({ kind: "keys", bytes: batch.bytes.subarray(0, batch.used) } satisfies KeyBatch);
    batch.used = 0;
  }
}

/** Calls `visit` with each key of a batch: the key [start, end), and the number of its record. */
export function eachKey({ bytes }: KeyBatch, visit: (view: DataView, start: number, end: number, record: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const start = at + HEAD_BYTES;
    const end = start + view.getUint32(at + 4, true);
    visit(view, start, end, view.getUint32(at, true));
    at = end;
  }
}

/** Writes groups to the files of their partitions. */
export function writeGroups(groups: GroupBatch, files: readonly FrameSink[]): void {
  const tables = files.map(() => new GroupTable(spillSettings(Number.POSITIVE_INFINITY)));
  eachPacked(groups, (view, start, end, more) => tables[partitionOf(view, start, end, files.length)]?.add(view, start, end, more));
  for (const [index, batch] of tables.map(packed).entries()) if (batch.count > 0) files[index]?.write(batch);
}

/** Knows the records that reduces have found to be the first with their keys. */
export class KeptKeys implements KeySet {
  readonly isFull = false;
  /** A bit for each record of the shard whose turn it is. */
  #bits = new Uint8Array(0);
  #record = 0;

  /** Begins a shard of so many records, of which `batches` are kept. */
  begin(records: number, batches: readonly KeptBatch[]): void {
    this.#bits = new Uint8Array((records >>> 3) + 1);
    this.#record = 0;
    for (const { records: kept } of batches)
      for (const record of kept) this.#bits[record >>> 3] = (this.#bits[record >>> 3] as number) | (1 << (record & 7));
  }

  add(): "new" | "known" {
    const record = this.#record++;
    return ((this.#bits[record >>> 3] as number) & (1 << (record & 7))) === 0 ? "known" : "new";
  }
}
