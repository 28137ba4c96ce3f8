// The hash of a key. Only speed depends on it, because keys with equal hashes are compared.

/** Returns 32 bits of a hash of the bytes [start, end); another `seed` gives a hash that is independent of the first. */
export type Hash = (view: DataView, start: number, end: number, seed: number) => number;

/** Returns the hash MurmurHash3 (32 bits) of the bytes [start, end). */
export function murmur3(view: DataView, start: number, end: number, seed: number): number {
  let hash = seed;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = Math.imul(rotated(hash ^ scrambled(view.getInt32(at, true)), 13), 5) + 0xe6546b64;
  if (at < end) {
    let last = 0;
    for (let shift = 0; at < end; at++, shift += 8) last |= view.getUint8(at) << shift;
    hash ^= scrambled(last);
  }
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function rotated(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

function scrambled(word: number): number {
  return Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}
