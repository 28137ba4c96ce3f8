// Counting beyond memory: rows on disk, divided by the hash of their keys.
//
// Group tables (group-table.ts) and sets of distinct keys (distinct.ts) are hash tables in memory (key-table.ts). A full table still counts
// the keys that it has. A row of another key goes to disk, to one of 64 partitions by the hash of its key. At the end each partition is
// read into a table of its own. If that is full too, its other rows go to 64 partitions of the next level. With `--memory 256M`:
//
//   level 0   table of 240 MiB: two million groups with keys of 60 bytes
//                 rows of other keys -> partition 0 | 1 | 2 | ... | 63
//   level 1                                           table of 240 MiB
//                                                         rows of other keys -> partition 0 | 1 | 2 | ... | 63
//
// One level of partitions has room for 64 tables, two have room for 4096. A key is in one table or in one partition, never in both. So
// counts are exact, and no two counts of a key are added at the end. Departures from this plan, each with the failure that it prevents:
//
// 1. A table that has refused one key refuses all new ones (`isFull`). Otherwise `-u` would write a short new key at once, before a long
//    one that came earlier and waits on disk.
// 2. The table and the partitions of each level have different hash seeds (`seedOf`). With one seed all rows of a partition would go to one
//    partition of the next level. Their hashes would share six bits, so a table would start each search at one of few slots.
// 3. The first seed is random (`spillSettings`). Otherwise the author of a text could choose URLs with equal hashes. The output does not
//    depend on hashes: keys are compared, and no order comes from a hash.
// 4. An empty table takes any key, however long (`#makeRoom`). A key that is larger than the memory would otherwise have room on no level.
// 5. A partition collects its rows in a block. A write for each row would be slow. `tableBytesOf` takes the blocks from the memory.
// 6. All streams of rows share one file without a name (`SpillFile`). With a file for each partition, descriptors could run out, and a
//    killed run would leave its files.
// 7. Rows keep the order of the input and the serial of their message (COLUMNS.serial). Without them a group on disk would count a message
//    again for each match. `Distinct` writes the first row of each key of a partition to disk again, and merges these rows by their
//    numbers: `-u` keeps the order of the input, and no text waits in memory.
// 8. Each table writes its groups to disk in order, at most as many as are wanted. `mergeRuns` merges them. A sort of all groups would need
//    all of them in memory.
// 9. A worker writes nothing to disk. It sends its groups if they are large, but only between two messages (`Counter.#flush`): a message
//    in two batches would count twice.
import { type SpillSettings, SpillStream } from "./spill.ts";

const PARTITIONS = 64;
/** Bounds of the bytes of a block. Between them a block is a share of the memory. */
const BLOCK_BYTES_LEAST = 1 << 9;
const BLOCK_BYTES_MOST = 1 << 17;

export function blockBytesOf(memory: number): number {
  return Math.floor(Math.min(Math.max(memory / PARTITIONS / 8, BLOCK_BYTES_LEAST), BLOCK_BYTES_MOST));
}

/** Returns the bytes of a table of keys: the part of the memory that the blocks of two levels of partitions leave. */
export function tableBytesOf(memory: number): number {
  return Math.floor(memory - 2 * PARTITIONS * blockBytesOf(memory));
}

/** Returns the hash seed of a level of partitions, or if `isOfMemory` of the keys in memory at that level. All these seeds differ. */
export function seedOf({ seed }: SpillSettings, level: number, isOfMemory: boolean): number {
  return (seed + Math.imul(2 * level + (isOfMemory ? 1 : 0), 0x9e3779b1)) | 0;
}

export class Partitions {
  readonly #settings: SpillSettings;
  readonly #columns: number;
  readonly #seed: number;
  readonly #streams: (SpillStream | undefined)[] = Array(PARTITIONS).fill(undefined);

  constructor(settings: SpillSettings, columns: number, level: number) {
    this.#settings = settings;
    this.#columns = columns;
    this.#seed = seedOf(settings, level, false);
  }

  /** Returns the stream for the rows of a key. */
  streamFor(view: DataView, start: number, end: number): SpillStream {
    const { file, hash, memory } = this.#settings;
    const index = hash(view, start, end, this.#seed) & (PARTITIONS - 1);
    const stream = this.#streams[index] ?? new SpillStream(file, this.#columns, blockBytesOf(memory));
    this.#streams[index] = stream;
    return stream;
  }

  /** Ends the writing; returns the streams with rows. */
  finish(): SpillStream[] {
    const streams = this.#streams.filter((stream) => stream !== undefined);
    for (const stream of streams) stream.finish();
    return streams;
  }
}
