// Headers of zstd frames and blocks (RFC 8878, sections 3.1.1.1 and 3.1.1.2).
import { readU16, readU32, readU64 } from "./little-endian.ts";
import { BLOCK_BYTES_MAX, type ZstdDecoder } from "./zstd-block.ts";

/** The first four bytes of a frame. */
export const MAGIC = 0xfd2fb528;
/** Bytes of the dictionary id, by the lowest two bits of the description. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
/** Bytes of the size of the text, by the highest two bits of the description. A single segment has 1 instead of 0. */
const SIZE_BYTES = [0, 2, 4, 8] as const;
/** Bit of the description: a checksum follows the blocks. */
const CHECKSUM = 4;
/** Bit of the description: the frame is a single segment, so the window is the whole text. */
const SINGLE = 0x20;
/** Bit of the description that must be 0. */
const RESERVED_BIT = 8;
/** Bytes of the header of a block. */
export const BLOCK_HEADER_BYTES = 3;
/** Types of blocks. */
export const RAW = 0;
const RLE = 1;
const COMPRESSED = 2;
const RESERVED = 3;

/** The header of a frame. */
export interface FrameHeader {
  readonly windowBytes: number;
  /** Bytes of the frame's text, if the header has them. */
  readonly size: number | undefined;
  readonly hasSum: boolean;
  readonly hasDictionary: boolean;
  readonly isValid: boolean;
}

/** Returns the length in bytes of the frame header whose fifth byte is `description`. */
export function frameHeaderBytes(description: number): number {
  const window = (description & SINGLE) === 0 ? 1 : 0;
  return 5 + window + DICTIONARY_BYTES[description & 3] + sizeBytesOf(description);
}

/** Reads a complete header of a frame. */
export function readFrameHeader(header: Uint8Array): FrameHeader {
  const description = header[4];
  const sizeBytes = sizeBytesOf(description);
  const size = sizeBytes === 0 ? undefined : readSize(header, sizeBytes);
  const windowBytes = (description & SINGLE) !== 0 ? (size ?? 0) : readWindow(header[5]);
  // Dictionary id 0 means no dictionary.
  const dictionary = header.subarray(header.length - sizeBytes - DICTIONARY_BYTES[description & 3], header.length - sizeBytes);
  return {
    windowBytes,
    size,
    hasSum: (description & CHECKSUM) !== 0,
    hasDictionary: dictionary.some((byte) => byte !== 0),
    isValid: (description & RESERVED_BIT) === 0,
  };
}

function sizeBytesOf(description: number): number {
  return SIZE_BYTES[description >> 6] || ((description & SINGLE) !== 0 ? 1 : 0);
}

function readWindow(window: number): number {
  const base = 2 ** (10 + (window >> 3));
  return base + (base / 8) * (window & 7);
}

function readSize(header: Uint8Array, bytes: number): number {
  const at = header.length - bytes;
  if (bytes === 8) return readU64(header, at);
  if (bytes === 4) return readU32(header, at);
  return bytes === 2 ? readU16(header, at) + 256 : header[at];
}

/** The header of a block. */
export interface BlockHeader {
  readonly isLast: boolean;
  readonly type: number;
  /** Bytes of the text if the block repeats one byte, else bytes of the block. */
  readonly size: number;
  /** Bytes of the block after its header. */
  readonly packedSize: number;
}

/** Reads the header of a block at `at`; returns undefined if it is invalid. */
export function readBlockHeader(bytes: Uint8Array, at = 0): BlockHeader | undefined {
  const header = readU16(bytes, at) + (bytes[at + 2] << 16);
  const [type, size] = [(header >> 1) & 3, header >> 3];
  if (type === RESERVED || size > BLOCK_BYTES_MAX) return undefined;
  return { isLast: (header & 1) !== 0, type, size, packedSize: type === RLE ? 1 : size };
}

/** Returns the text of a block, and adds it to the history of `decoder`. Throws WRONG and NO_MEMORY. */
export function decodeBlock(decoder: ZstdDecoder, { type, size }: BlockHeader, block: Uint8Array): Uint8Array {
  if (type === COMPRESSED) return decoder.decode(block);
  return type === RLE ? decoder.repeat(block[0], size) : decoder.store(block);
}
