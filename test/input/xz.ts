// xz streams of one block, written by hand: also such that say wrong things of themselves, with right checksums.
import { crc32 } from "node:zlib";

/** What a stream says of itself, if it is not what is true. */
export interface XzLies {
  /** Of the stream: the kind of its checksum. */
  readonly kind?: number;
  /** Numbers in the header of the block, as bytes: those of its chunks and of its text. */
  readonly packedSize?: readonly number[];
  readonly size?: readonly number[];
  /** What stands for LZMA2 and its window, and after it in the header. */
  readonly filter?: readonly number[];
  readonly padding?: number;
  /** Chunks of LZMA2, and the byte at their end. */
  readonly chunks?: Buffer;
  /** The index without its padding and its checksum. */
  readonly index?: readonly number[];
}

function sumOf(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}

/** Returns bytes, filled up with `filling` to a multiple of four, and their checksum. */
function filled(bytes: readonly number[], filling = 0): Buffer {
  const whole = Buffer.from([...bytes, ...new Array<number>(-bytes.length & 3).fill(filling)]);
  return Buffer.concat([whole, sumOf(whole)]);
}

/** Returns a number below 2 ** 14 as xz writes it. */
function number(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}

/** Returns an uncompressed chunk of LZMA2 that empties the window, and one that does not (`control` 2). */
export function stored(text: string, control = 1): Buffer {
  return Buffer.from([control, (text.length - 1) >> 8, (text.length - 1) & 255, ...Buffer.from(text, "latin1")]);
}

/** Returns a stream of a short text without a checksum. */
export function xz(text: string, lies: XzLies = {}): Buffer {
  const { kind = 0, packedSize, size, filter = [0x21, 1, 22], padding = 0, chunks = Buffer.concat([stored(text), Buffer.of(0)]) } = lies;
  const sizes = (packedSize === undefined ? 0 : 0x40) | (size === undefined ? 0 : 0x80);
  const fields = [sizes, ...(packedSize ?? []), ...(size ?? []), ...filter];
  const header = filled([(fields.length + 4) >> 2, ...fields], padding);
  const { index = [0, 1, ...number(header.length + chunks.length), ...number(text.length)] } = lies;
  const listed = filled(index);
  const flags = Buffer.of(0, kind);
  const end = Buffer.concat([Buffer.alloc(4), flags]);
  end.writeUInt32LE(listed.length / 4 - 1);
  const start = [Buffer.from("\xfd7zXZ\0", "latin1"), flags, sumOf(flags)];
  return Buffer.concat([...start, header, chunks, Buffer.alloc(-chunks.length & 3), listed, sumOf(end), end, Buffer.from("YZ")]);
}
