// CRC-32 of zip, gzip and xz.
import { crc32 } from "node:zlib";

/** Returns the checksum of `bytes` after bytes with the checksum `before`. */
export function addCrc32(bytes: Uint8Array, before: number): number {
  // Of no bytes, where they have no address, zlib's result is 0 whatever was before.
  return bytes.length === 0 ? before : crc32(bytes, before);
}
