// What tables of keys need that may grow beyond memory.
import { type Hash, murmur3 } from "./hash.ts";
import { SpillFile } from "./spill-file.ts";

/** Memory for keys, if nobody says how much. */
const MEMORY_BYTES = 256 << 20;

/** Where the rows on disk are, how keys are hashed, and how much memory there is. */
export interface SpillSettings {
  readonly file: SpillFile;
  readonly hash: Hash;
  readonly seed: number;
  /** Bytes that keys, and blocks of rows on their way to disk, may take. */
  readonly memory: number;
}

/** Returns settings for `memory` bytes. The caller closes the file. */
export function spillSettings(memory = MEMORY_BYTES): SpillSettings {
  // Whoever writes a text does not know the seed, and so no texts with equal hashes.
  return { file: new SpillFile(), hash: murmur3, seed: Math.floor(Math.random() * 2 ** 32) | 0, memory };
}
