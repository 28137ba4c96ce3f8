// Settings of tables that spill to disk, for tests.
import { type Hash, murmur3 } from "../../src/count/key-table.ts";
import { SpillFile, type SpillSettings } from "../../src/count/spill.ts";

/** Hashes from good to useless: of few bits, of the length alone, the same for all keys. */
export const HASHES: Readonly<Record<string, Hash>> = {
  murmur3,
  "three bits": (view, start, end, seed) => murmur3(view, start, end, seed) & 7,
  length: (_view, start, end) => end - start,
  none: () => 0,
};

/** Returns settings; the caller closes the file. */
export function smallMemory(memory: number, hash: Hash = murmur3, seed = 1): SpillSettings {
  return { file: new SpillFile(), hash, seed, memory };
}

/** Returns a view of the UTF-8 of a text, at an odd offset of its buffer. */
export function viewOf(text: string): DataView<ArrayBuffer> {
  const bytes = Buffer.from(text);
  const larger = new Uint8Array(bytes.length + 3);
  larger.set(bytes, 1);
  return new DataView(larger.buffer, 1, bytes.length);
}
