// Numbers of a few bits in Parquet's hybrid form: runs of one value, and groups of eight values whose bits are packed. The package has the
// same, a byte at a time in a buffer that grows: this takes a third of the time. The bytes are the same.

/** Values that are packed together, and equal ones that are written as a run at least. */
const GROUP = 8;
/** Bytes of a number of 32 bits with seven bits in each. */
export const NUMBER_BYTES_MOST = 5;

/** Returns `values`, each of `bits` bits, at most 24. */
export function hybrid(values: Int32Array, bits: number): Uint8Array {
  const width = (bits + 7) >> 3;
  const runs = Math.ceil(values.length / GROUP);
  const bytes = new Uint8Array(runs * (NUMBER_BYTES_MOST + Math.max(width, bits)));
  let used = 0;
  // The groups before `at` that are not written yet begin at `first`.
  let first = 0;
  for (let at = 0; at < values.length; ) {
    const value = values[at] as number;
    let end = at + 1;
    while (end < values.length && values[end] === value) end++;
    if (end - at < GROUP) {
      at += GROUP;
      continue;
    }
    if (first < at) used = writeGroups(bytes, used, values, first, at, bits);
    used = writeNumber(bytes, used, (end - at) << 1);
    for (let shift = 0; shift < 8 * width; shift += 8) bytes[used++] = value >> shift;
    at = end;
    first = end;
  }
  if (first < values.length) used = writeGroups(bytes, used, values, first, values.length, bits);
  return bytes.subarray(0, used);
}

/** Returns `count` times the same value, of 8 bits at most. */
export function hybridRun(value: number, count: number): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES_MOST + 1);
  const used = writeNumber(bytes, 0, count << 1);
  bytes[used] = value;
  return bytes.subarray(0, used + 1);
}

/** Writes the values [from, to), with zeros after them up to whole groups; returns the offset after them. */
function writeGroups(bytes: Uint8Array, start: number, values: Int32Array, from: number, to: number, bits: number): number {
  const groups = Math.ceil((to - from) / GROUP);
  const used = writeNumber(bytes, start, (groups << 1) | 1);
  const last = Math.min(from + groups * GROUP, values.length);
  packBits(bytes, used, values, from, last, bits);
  return used + groups * bits;
}

/** Writes `bits` bits, at most 31, of each of the values [from, to), where there are zeros; returns the offset after the last byte. */
export function packBits(bytes: Uint8Array, start: number, values: Int32Array, from: number, to: number, bits: number): number {
  let used = start;
  let packed = 0;
  let count = 0;
  for (let at = from; at < to; at++) {
    const value = values[at] as number;
    packed |= value << count;
    count += bits;
    if (count < 32) continue;
    bytes[used] = packed;
    bytes[used + 1] = packed >>> 8;
    bytes[used + 2] = packed >>> 16;
    bytes[used + 3] = packed >>> 24;
    used += 4;
    count -= 32;
    packed = value >>> (bits - count);
  }
  for (; count > 0; count -= 8) {
    bytes[used++] = packed;
    packed >>>= 8;
  }
  return used;
}

/** Writes a number with seven bits in each byte; returns the offset after it. */
export function writeNumber(bytes: Uint8Array, start: number, number: number): number {
  let used = start;
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) bytes[used++] = (rest & 0x7f) | 0x80;
  bytes[used++] = rest;
  return used;
}
