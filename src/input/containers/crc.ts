// CRC-32 of gzip, zip and xz, and the table of CRC-64.
import { viewOf } from "../../base/arrays.ts";
import { HAS_NODE } from "../../base/has-node.ts";

/** Returns the CRC-32 of `bytes`; `before`: that of the bytes before them, if any. By zlib where there is Node. */
export function crc32(bytes: Uint8Array, before = 0): number {
  // zlib returns 0 for an empty array that has no memory.
  if (bytes.length === 0) return before;
  return HAS_NODE ? process.getBuiltinModule("node:zlib").crc32(bytes, before) : addByTables(bytes, before);
}

const CRC32_STEP = 8; // Bytes that are added at a time, each by its own table
const CRC32_POLYNOMIAL = 0xedb88320n;
let crc32Tables: Int32Array | undefined;

/** Returns the checksum of each byte. The highest power of `polynomial` is its lowest bit. */
export function crcTable(polynomial: bigint): bigint[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let sum = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) sum = (sum >> 1n) ^ (-(sum & 1n) & polynomial);
    return sum;
  });
}

/** Returns the checksums of each byte with 0 to CRC32_STEP - 1 zeros after it. */
function makeCrc32Tables(): Int32Array {
  const made = new Int32Array(256 * CRC32_STEP);
  made.set(crcTable(CRC32_POLYNOMIAL).map(Number));
  for (let index = 256; index < made.length; index++) {
    const before = made[index - 256];
    made[index] = (before >>> 8) ^ made[before & 0xff];
  }
  return made;
}

export function addByTables(bytes: Uint8Array, before: number): number {
  crc32Tables ??= makeCrc32Tables();
  const sums = crc32Tables;
  const view = viewOf(bytes);
  let sum = ~before;
  let at = 0;
  for (; at + CRC32_STEP <= bytes.length; at += CRC32_STEP) {
    const low = view.getInt32(at, true) ^ sum;
    const high = view.getInt32(at + 4, true);
    sum =
      sums[0x700 + (low & 0xff)] ^
      sums[0x600 + ((low >>> 8) & 0xff)] ^
      sums[0x500 + ((low >>> 16) & 0xff)] ^
      sums[0x400 + (low >>> 24)] ^
      sums[0x300 + (high & 0xff)] ^
      sums[0x200 + ((high >>> 8) & 0xff)] ^
      sums[0x100 + ((high >>> 16) & 0xff)] ^
      sums[high >>> 24];
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ sums[(sum ^ bytes[at]) & 0xff];
  return ~sum >>> 0;
}
