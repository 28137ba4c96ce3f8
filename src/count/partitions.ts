// Rows on disk, divided by the hash of their keys, so that all rows of a key are in one partition.
import type { SpillSettings } from "./spill-settings.ts";
import { SpillStream } from "./spill-stream.ts";

/** Partitions of a level. A level has room for this many times the rows that fit in memory. */
const PARTITIONS = 64;
/** Fewest bytes of a block of a partition. Between the bounds a block is a share of the memory. */
const BLOCK_BYTES_LEAST = 1 << 9;
/** Most bytes of a block of a partition. */
const BLOCK_BYTES_MOST = 1 << 17;

/** Returns the bytes of a block, for a memory of `memory` bytes. */
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

/** The partitions of one level. Each is made with its first row. */
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
