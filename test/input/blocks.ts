// Compressed files that say where their blocks begin, written by hand: also such that say it wrongly.
import { crc32, deflateRawSync } from "node:zlib";

/** What a block says of itself, if it is not what is true. */
export interface BlockLies {
  readonly size?: number;
  readonly length?: number;
  readonly sum?: number;
  readonly deflated?: Buffer;
}

/** Returns a member of BGZF: its extra field holds its size less one. */
export function bgzfBlock(text: Uint8Array, { size, length, sum, deflated = deflateRawSync(text) }: BlockLies = {}): Buffer {
  const block = Buffer.concat([Buffer.from("1f8b08040000000000ff0600424302000000", "hex"), deflated, Buffer.alloc(8)]);
  block.writeUInt16LE((size ?? block.length) - 1, 16);
  block.writeUInt32LE(sum ?? crc32(text), block.length - 8);
  block.writeUInt32LE(length ?? text.length, block.length - 4);
  return block;
}

/** The block without text that ends a file of BGZF. */
export const BGZF_END: Buffer = bgzfBlock(Buffer.alloc(0));

/** Returns the pieces of a text, `size` bytes each. */
export function piecesOf(text: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.subarray(index * size, (index + 1) * size));
}

/** Returns a text in blocks of BGZF with `size` bytes of text each. */
export function bgzf(text: Uint8Array, size: number): Buffer {
  return Buffer.concat([...piecesOf(text, size).map((piece) => bgzfBlock(piece)), BGZF_END]);
}

/** Returns a frame of zstd that holds a text as it is; its header does not say how long it is. */
export function zstdFrame(text: Uint8Array): Buffer {
  const pieces = text.length === 0 ? [text] : piecesOf(text, 1 << 17);
  const blocks = pieces.map((piece, index, all) => zstdBlock(piece, 0, piece.length, index === all.length - 1));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3]), ...blocks]);
}

/** Returns a frame of `count` blocks, each of `length` times one byte. */
export function zstdRuns(byte: number, length: number, count: number): Buffer {
  const blocks = Array.from({ length: count }, (_, index) => zstdBlock(Buffer.of(byte), 1, length, index === count - 1));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3]), ...blocks]);
}

function zstdBlock(bytes: Uint8Array, type: number, size: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([header, bytes]);
}

/** What a seek table says of a frame: its bytes, and those of its text. */
export type FrameSizes = readonly [compressed: number, decoded: number];

/** Returns the seek table of zstd's seekable format; `hasSums`: with room for a checksum of each frame. */
export function seekTable(frames: readonly FrameSizes[], hasSums = false, count = frames.length): Buffer {
  const entryBytes = hasSums ? 12 : 8;
  const table = Buffer.alloc(8 + frames.length * entryBytes + 9);
  table.writeUInt32LE(0x184d2a5e, 0);
  table.writeUInt32LE(table.length - 8, 4);
  for (const [index, [compressed, decoded]] of frames.entries()) {
    table.writeUInt32LE(compressed, 8 + index * entryBytes);
    table.writeUInt32LE(decoded, 12 + index * entryBytes);
  }
  table.writeUInt32LE(count, table.length - 9);
  table.writeUInt8(hasSums ? 0x80 : 0, table.length - 5);
  table.writeUInt32LE(0x8f92eab1, table.length - 4);
  return table;
}

/** Returns a text in frames with `size` bytes of text each, and their seek table. */
export function seekableZstd(text: Uint8Array, size: number, hasSums = false): Buffer {
  const pieces = piecesOf(text, size);
  const frames = pieces.map((piece) => zstdFrame(piece));
  const sizes = frames.map((frame, index): FrameSizes => [frame.length, pieces[index]?.length ?? 0]);
  return Buffer.concat([...frames, seekTable(sizes, hasSums)]);
}
