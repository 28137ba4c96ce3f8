// The header of a gzip member in memory (RFC 1952).
import { readU16 } from "../../base/arrays.ts";

const HEADER_BYTES = 10;
const DEFLATE = 8;
export const FLAG_CHECKSUM = 2;
export const FLAG_EXTRA = 4;
export const FLAG_NAME = 8;
export const FLAG_COMMENT = 16;

/** Returns the offset of the deflate data of the member at `from`, or undefined if its header is invalid or incomplete. */
export function gzipHeaderEnd(bytes: Uint8Array, from: number): number | undefined {
  const flags = bytes[from + 3] ?? 0;
  if (bytes[from] !== 0x1f || bytes[from + 1] !== 0x8b || bytes[from + 2] !== DEFLATE || flags > 31) return undefined;
  let at = from + HEADER_BYTES;
  if ((flags & FLAG_EXTRA) !== 0) at += 2 + readU16(bytes, at);
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if ((flags & FLAG_CHECKSUM) !== 0) at += 2;
  return at <= bytes.length ? at : undefined;
}
