// CRC-32 of zip, gzip and xz: zlib's, or our own without zlib.
import { HAS_NODE } from "../../base/has-node.ts";

const POLYNOMIAL = 0xedb88320;
const STEP = 8; // Bytes that are added at a time, each by its own table

/** Returns the checksum of `bytes`; `before`: the checksum of the bytes before them, if any. */
export function crc32(bytes: Uint8Array, before = 0): number {
  // zlib returns 0 for an empty array that has no memory.
  if (bytes.length === 0) return before;
  return HAS_NODE ? process.getBuiltinModule("node:zlib").crc32(bytes, before) : addByTables(bytes, before);
}

let tables: Int32Array | undefined;

/** Returns the checksums of each byte with 0 to STEP - 1 zeros after it. */
function makeTables(): Int32Array {
  const made = new Int32Array(256 * STEP);
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ POLYNOMIAL;
    made[byte] = sum;
  }
  for (let index = 256; index < made.length; index++) {
    const before = made[index - 256];
    made[index] = (before >>> 8) ^ made[before & 0xff];
  }
  return made;
}

export function addByTables(bytes: Uint8Array, before: number): number {
  tables ??= makeTables();
  const sums = tables;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = ~before;
  let at = 0;
  for (; at + STEP <= bytes.length; at += STEP) {
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
