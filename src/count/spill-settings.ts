// Settings of tables of keys that may grow beyond memory.
import { type Hash, murmur3 } from "./hash.ts";
import { SpillFile } from "./spill-file.ts";

/** Default bytes of memory for keys. */
const MEMORY_BYTES = 256 << 20;

/** The file for rows on disk, the hash of keys with its seed, and the memory. */
export interface SpillSettings {
  readonly file: SpillFile;
  readonly hash: Hash;
  readonly seed: number;
  /** Most bytes of keys, and of blocks of rows on their way to disk. */
  readonly memory: number;
}

/** Returns settings for `memory` bytes. The caller closes the file. */
export function spillSettings(memory = MEMORY_BYTES): SpillSettings {
  // The seed is random, so that the author of a text cannot choose values with equal hashes.
  return { file: new SpillFile(), hash: murmur3, seed: Math.floor(Math.random() * 2 ** 32) | 0, memory };
}
