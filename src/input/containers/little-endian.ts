// Reads and makes little-endian numbers. A byte after the end of the array is zero.

export function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0;
}

/** Returns a number, rounded if it is above 2 ** 53. */
export function readU64(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + readU32(bytes, at + 4) * 2 ** 32;
}

export function bytesOfU32(...values: number[]): Uint8Array {
  return Uint8Array.from({ length: 4 * values.length }, (_, index) => values[index >> 2] >>> (8 * (index & 3)));
}
