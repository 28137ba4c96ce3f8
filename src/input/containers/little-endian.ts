// Reads and writes little-endian numbers, and searches for byte sequences. In a number, a byte after the end of the array is zero.

/** Returns the number in the two bytes at `at`. */
export function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

/** Returns the number in the four bytes at `at`. */
export function readU32(bytes: Uint8Array, at: number): number {
  return (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0;
}

/** Returns the number in the eight bytes at `at`, rounded if it is above 2 ** 53. */
export function readU64(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + readU32(bytes, at + 4) * 2 ** 32;
}

/** Writes four bytes at `at`. */
export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  for (let index = 0; index < 4; index++) bytes[at + index] = value >>> (8 * index);
}

/** Returns whether `wanted` is in `bytes` at `at`. */
export function hasBytes(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

/** Returns the offset of the first `wanted` in `bytes` from `from` on, or -1. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first] = wanted;
  let at = bytes.indexOf(first, from);
  while (at >= 0 && !hasBytes(bytes, wanted, at)) at = bytes.indexOf(first, at + 1);
  return at;
}
