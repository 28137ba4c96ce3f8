// Small inputs that could make a decoder work or wait: many empty or tiny frames, streams, blocks, members and entries.
import { gzipSync } from "node:zlib";
import { tar, tarFile, zip } from "./archives.ts";
import { BZIP2, SHORT, TEXT, XZ_BARE } from "./packed.ts";

const times = (bytes: Buffer, count: number): Buffer => Buffer.concat(new Array<Buffer>(count).fill(bytes));

/** A block of zstd as it is. */
function zstdBlock(text: string, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(3 + text.length);
  bytes.writeUIntLE((text.length << 3) | (isLast ? 1 : 0), 0, 3);
  bytes.write(text, 3, "latin1");
  return bytes;
}

/** A frame of zstd that claims a window of 2 ** `bits` bytes. */
export function windowFrame(bits: number, ...texts: readonly string[]): Buffer {
  const blocks = texts.map((text, index) => zstdBlock(text, index === texts.length - 1));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (bits - 10) << 3]), ...blocks]);
}

/** A frame of zstd that claims a window of 128 MiB. */
export function wideFrame(...texts: readonly string[]): Buffer {
  return windowFrame(27, ...texts);
}

/** A frame of zstd that says how long its text is. */
export function shortFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length]), zstdBlock(text, true)]);
}

const SKIPPABLE = Buffer.from("\x5a\x2a\x4d\x18\0\0\0\0", "latin1");
/** An xz stream of `SHORT` whose window is said to be 96 MiB. */
const WIDE_XZ = widened(XZ_BARE);
const EMPTY_BZIP2 = Buffer.from("QlpoORdyRThQkAAAAAA=", "base64");

/** The header of its only block says 96 MiB, or the size that `window` stands for; the header's checksum is set right. */
export function widened(xz: Buffer, window = 29): Buffer {
  const bytes = Buffer.from(xz);
  const size = ((bytes[12] ?? 0) + 1) * 4;
  bytes[12 + 4] = window;
  bytes.writeUInt32LE(crc32Of(bytes.subarray(12, 12 + size - 4)), 12 + size - 4);
  return bytes;
}

function crc32Of(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A zip archive of `count` copies of itself, `levels` deep, around one line. */
export function nestedZip(count: number, levels: number): Buffer {
  let bytes: Buffer = Buffer.from(SHORT);
  for (let level = 0; level < levels; level++) {
    const text = bytes;
    bytes = zip(Array.from({ length: count }, (_, index) => ({ name: `${index}`, text })));
  }
  return bytes;
}

/** Names, bytes and the bytes of text of inputs that are whole. */
export const BOMBS: readonly (readonly [name: string, bytes: Buffer, textBytes: number])[] = [
  ["frames of zstd with a window of 128 MiB", times(wideFrame(SHORT), 500), 500 * SHORT.length],
  ["empty frames of zstd", times(wideFrame(""), 20_000), 0],
  ["short frames of zstd", times(shortFrame(SHORT), 20_000), 20_000 * SHORT.length],
  ["frames of zstd of a byte", times(shortFrame("a"), 20_000), 20_000],
  ["empty blocks of zstd", wideFrame(...new Array<string>(60_000).fill(""), SHORT), SHORT.length],
  ["skippable frames of zstd", Buffer.concat([times(SKIPPABLE, 25_000), shortFrame(SHORT)]), SHORT.length],
  ["streams of xz with a window of 96 MiB", times(WIDE_XZ, 2000), 2000 * SHORT.length],
  ["streams of bzip2", times(BZIP2, 1000), 1000 * TEXT.length],
  ["empty streams of bzip2", times(EMPTY_BZIP2, 15_000), 0],
  ["empty members of gzip", times(gzipSync(""), 10_000), 0],
  ["short members of gzip", times(gzipSync(SHORT), 5000), 5000 * SHORT.length],
  ["empty files in a tar", times(tarFile({ name: "a", text: "" }), 400), 0],
  ["empty files in a zip", zip(Array.from({ length: 2500 }, (_, index) => ({ name: `${index}`, text: "", method: 0 }))), 0],
  ["deflated empty files in a zip", zip(Array.from({ length: 2500 }, (_, index) => ({ name: `${index}`, text: "" }))), 0],
  [
    "files of zstd with a window of 128 MiB in a tar",
    tar(Array.from({ length: 200 }, (_, index) => ({ name: `${index}`, text: wideFrame(SHORT) }))),
    200 * SHORT.length,
  ],
  ["files of bzip2 in a tar", tar(Array.from({ length: 200 }, (_, index) => ({ name: `${index}`, text: EMPTY_BZIP2 }))), 0],
];
