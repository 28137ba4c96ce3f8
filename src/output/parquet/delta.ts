// Whole numbers in Parquet's form DELTA_BINARY_PACKED: the differences of neighbors, whose least is taken off and whose bits are packed.
// Offsets take 2 bytes instead of 8. The bytes are those of the package, which takes a bigint for each large number.
import { NUMBER_BYTES_MOST, packBits, writeNumber } from "./hybrid.ts";

/** Differences that share their least, and those of them whose bits have one width. */
const BLOCK = 128;
const MINIBLOCKS = 4;
const MINIBLOCK = BLOCK / MINIBLOCKS;
/** Differences beyond the least are at most so large. */
const BITS_MOST = 31;
const REST_MOST = 2 ** BITS_MOST - 1;
/** Bytes of a number of 53 bits and its sign with seven bits in each. */
const LONG_BYTES_MOST = 8;
const BLOCK_BYTES_MOST = LONG_BYTES_MOST + MINIBLOCKS + (BLOCK * BITS_MOST) / 8;

/** Returns integers in this form, or undefined if neighbors are too far from each other. */
export function deltas(values: Float64Array): Uint8Array | undefined {
  const blocks = Math.ceil(values.length / BLOCK);
  const bytes = new Uint8Array(3 * NUMBER_BYTES_MOST + LONG_BYTES_MOST + blocks * BLOCK_BYTES_MOST);
  let used = writeNumber(bytes, 0, BLOCK);
  used = writeNumber(bytes, used, MINIBLOCKS);
  used = writeNumber(bytes, used, values.length);
  used = writeSigned(bytes, used, values[0] ?? 0);
  const rests = new Int32Array(BLOCK);
  for (let from = 1; from < values.length; from += BLOCK) {
    const count = Math.min(BLOCK, values.length - from);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = from; at < from + count; at++) {
      const difference = (values[at] as number) - (values[at - 1] as number);
      if (difference < least) least = difference;
      if (difference > most) most = difference;
    }
    if (most - least > REST_MOST) return undefined;
    for (let at = from; at < from + count; at++) rests[at - from] = (values[at] as number) - (values[at - 1] as number) - least;
    used = writeSigned(bytes, used, least);
    used = writeBlock(bytes, used, rests.fill(0, count));
  }
  return bytes.subarray(0, used);
}

function writeBlock(bytes: Uint8Array, start: number, rests: Int32Array): number {
  let used = start + MINIBLOCKS;
  for (let block = 0; block < MINIBLOCKS; block++) {
    const from = block * MINIBLOCK;
    let all = 0;
    for (let at = from; at < from + MINIBLOCK; at++) all |= rests[at] as number;
    const bits = 32 - Math.clz32(all);
    bytes[start + block] = bits;
    used = packBits(bytes, used, rests, from, from + MINIBLOCK, bits);
  }
  return used;
}

/** Writes an integer, whose sign becomes its lowest bit. */
function writeSigned(bytes: Uint8Array, start: number, value: number): number {
  let used = start;
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[used++] = (rest % 0x80) | 0x80;
  bytes[used++] = rest;
  return used;
}
