// CRC-32 of zip, gzip and xz.

/** Returns the checksum of `bytes`. */
export function crc32(bytes: Uint8Array): number {
  return addCrc32(bytes, 0);
}

/** Returns the checksum of `bytes` after bytes with the checksum `before`. */
export function addCrc32(bytes: Uint8Array, before: number): number {
  // Of no bytes, where they have no address, zlib's result is 0 whatever was before.
  return bytes.length === 0 ? before : process.getBuiltinModule("node:zlib").crc32(bytes, before);
}
