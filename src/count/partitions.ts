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
import { KeyTable } from "./key-table.ts";
import { blockBytesOf, type KeyRow, type SpillSettings, SpillStream } from "./spill.ts";

const PARTITIONS = 64;
const ROWS_AT_ONCE = 1024; // Rows that are written between two pauses

/** The table of a level, and the partitions of the rows whose keys have no room in it. */
export class SpillTable {
  readonly keys: KeyTable;
  readonly #settings: SpillSettings;
  readonly #columns: number;
  readonly #columnsOfKey: number;
  readonly #level: number;
  readonly #seed: number;
  readonly #partitions: (SpillStream | undefined)[] = Array(PARTITIONS).fill(undefined);

  /** `columns`: numbers of a row on disk; `columnsOfKey`: numbers of a key in memory. */
  constructor(settings: SpillSettings, columns: number, columnsOfKey: number, level = 0) {
    this.#settings = settings;
    this.#columns = columns;
    this.#columnsOfKey = columnsOfKey;
    this.#level = level;
    this.#seed = seedOf(settings, 2 * level);
    this.keys = new KeyTable(columnsOfKey, tableBytesOf(settings.memory), settings.hash, seedOf(settings, 2 * level + 1));
  }

  /** Returns the stream for the rows of a key. */
  streamFor(view: DataView, start: number, end: number): SpillStream {
    const index = this.#settings.hash(view, start, end, this.#seed) & (PARTITIONS - 1);
    const stream = this.#partitions[index] ?? new SpillStream(this.#settings, this.#columns);
    this.#partitions[index] = stream;
    return stream;
  }

  /** Removes the keys from memory, and ends the writing; returns the partitions with rows. */
  finish(): SpillStream[] {
    this.keys.clear();
    const streams = this.#partitions.filter((stream) => stream !== undefined);
    for (const stream of streams) stream.finish();
    return streams;
  }

  /** Returns an empty table for the rows of a partition. */
  next(): SpillTable {
    return new SpillTable(this.#settings, this.#columns, this.#columnsOfKey, this.#level + 1);
  }
}

/** Returns the bytes of a table of keys: the part of the memory that the blocks of two levels of partitions leave. */
function tableBytesOf(memory: number): number {
  return Math.floor(memory - 2 * PARTITIONS * blockBytesOf(memory));
}

function seedOf({ seed }: SpillSettings, number: number): number {
  return (seed + Math.imul(number, 0x9e3779b1)) | 0;
}

/** Writes the first `most` rows to disk; returns their stream. Yields where the caller may pause. */
export function* written(
  settings: SpillSettings,
  columns: number,
  rows: Iterable<KeyRow>,
  most = Number.POSITIVE_INFINITY,
): Generator<undefined, SpillStream> {
  const stream = new SpillStream(settings, columns);
  let count = 0;
  for (const row of rows) {
    if (count++ === most) break;
    stream.copy(row);
    if (count % ROWS_AT_ONCE === 0) yield;
  }
  stream.finish();
  return stream;
}
