// Compressed inputs that have nothing wrong, of every format, whole and in several pieces.
import { crc32, gzipSync } from "node:zlib";
import * as packed from "./packed.ts";

const { LONG, SHORT, TEXT } = packed;
/** `TEXT`, by gzip. */
export const GZIP: Buffer = gzipSync(TEXT);
/** A frame of zstd that holds none of the text. */
export const SKIPPABLE: Buffer = Buffer.from("\x5a\x2a\x4d\x18\x03\0\0\0abc", "latin1");

/** Inputs, and their texts. */
export const WHOLE: readonly (readonly [name: string, bytes: Buffer, text: string])[] = [
  ["gzip", GZIP, TEXT],
  ["two members of gzip", Buffer.concat([GZIP, gzipSync(SHORT)]), TEXT + SHORT],
  ["gzip with zeros behind it", Buffer.concat([GZIP, Buffer.alloc(1000)]), TEXT],
  ["gzip with a name and a comment", named(gzipSync(SHORT)), SHORT],
  ["gzip of nothing", gzipSync(""), ""],
  ["zstd", packed.ZSTD, TEXT],
  ["zstd with a dictionary of number 0", Buffer.concat([Buffer.from("28b52ffd015800", "hex"), packed.ZSTD_SHORT.subarray(6)]), SHORT],
  ["zstd in blocks", packed.ZSTD_BLOCKS, LONG],
  ["short zstd", packed.ZSTD_SHORT, SHORT],
  ["frames of zstd, some skippable", Buffer.concat([SKIPPABLE, packed.ZSTD, SKIPPABLE, packed.ZSTD_SHORT, SKIPPABLE]), TEXT + SHORT],
  ["xz", packed.XZ, TEXT],
  ["xz in blocks", packed.XZ_BLOCKS, LONG],
  ["streams of xz", Buffer.concat([packed.XZ, Buffer.alloc(8), packed.XZ_CRC32, packed.XZ_SHA256, packed.XZ_BARE]), TEXT + SHORT.repeat(3)],
  ["zstd with zeros behind it", Buffer.concat([packed.ZSTD, Buffer.alloc(1000)]), TEXT],
  ["xz with zeros behind it", Buffer.concat([packed.XZ, Buffer.alloc(1001)]), TEXT],
  ["bzip2", packed.BZIP2, TEXT],
  ["bzip2 in blocks", packed.BZIP2_BLOCKS, LONG],
  ["bzip2 as before 0.9.5", packed.BZIP2_RANDOMIZED, LONG.slice(0, 5000)],
  ["streams of bzip2", Buffer.concat([packed.BZIP2_BLOCKS, packed.BZIP2]), LONG + TEXT],
];

/** Returns `gzip` with all optional fields in its header. */
export function named(gzip: Buffer): Buffer {
  const header = Buffer.from(gzip.subarray(0, 10));
  header[3] = 2 + 4 + 8 + 16;
  const fields = Buffer.concat([header, Buffer.from("\x02\0xxname\0comment\0", "latin1")]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(fields) & 0xffff);
  return Buffer.concat([fields, sum, gzip.subarray(10)]);
}
