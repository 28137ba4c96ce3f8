// zstd (RFC 8878, section 3.1.1): concatenated frames. Each block header has the length of its block, so truncated data is noticed here.
import type { XXHash, XXHashAPI } from "xxhash-wasm";
import type { Inflated } from "#codings";
import { concat, readU32, readU64 } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { resultOf, type Steps } from "../steps.ts";
import { ByteReader, type Decoding } from "./byte-reader.ts";
import { corrupt, decoderError, isZero, skipAll, takeAll, wrongSum } from "./errors.ts";
import { Xxh64 } from "./hashes.ts";
import { checkWindow } from "./limits.ts";
import { isSkippableFrame } from "./recognize.ts";
import { BLOCK_BYTES_MAX, ZstdDecoder } from "./zstd-block.ts";

const MAGIC = 0xfd2fb528;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const; // Bytes of the dictionary id, by the lowest two bits of the description
/** Bytes of the size of the text, by the highest two bits of the description. A single segment has 1 instead of 0. */
const SIZE_BYTES = [0, 2, 4, 8] as const;
const CHECKSUM = 4; // Bit of the description: a checksum follows the blocks
const SINGLE = 0x20; // Bit of the description: the frame is a single segment, so the window is the whole text
const RESERVED_BIT = 8; // Bit of the description that must be 0
const BLOCK_HEADER_BYTES = 3;
const RAW = 0;
const RLE = 1;
const COMPRESSED = 2;
const RESERVED = 3;

const KEPT_BYTES = 1 << 22; // A larger decoder is not kept: the next input may need little memory
let kept: ZstdDecoder | undefined;

interface FrameOptions extends Decoding {
  /** Whether checksums and sizes are compared; absent: true. */
  readonly checks?: boolean;
  /** Most bytes of text that are needed. Only data in memory has a limit, so nothing is waited for. */
  readonly most?: number;
}

type Sum = Pick<XXHash<bigint>, "digest"> & { update(text: Uint8Array): unknown };

/** Decodes frames in memory up to an error or `most` bytes of text. `taken` is larger than the length of a truncated `body`. */
export function decodeZstd(body: Uint8Array, most: number, checks = false): Inflated {
  const reader = new ByteReader([body]);
  const texts: Uint8Array[] = [];
  let left = most;
  const result = (isWhole: boolean, taken: number): Inflated => ({ text: concat(texts), isWhole, cost: most - left, taken });
  try {
    for (const text of readZstd(reader, { windowMax: Number.POSITIVE_INFINITY, checks, most })) {
      // There are no waits.
      if (text instanceof Promise) continue;
      if (text.length > left) return result(false, reader.position);
      left -= text.length;
      texts.push(text);
    }
    return result(reader.position > 0, reader.position);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.code === "ERR_URLMILL_TRUNCATED" ? result(true, body.length + 1) : result(false, reader.position);
  }
}

/** Decodes frames up to other bytes; `atBlock` is called at the end too. Throws SourceError. */
export function* readZstd(reader: ByteReader, options: FrameOptions): Steps<Uint8Array> {
  const decoder = kept ?? new ZstdDecoder();
  kept = undefined;
  try {
    for (;;) {
      options.atBlock?.();
      const start = yield* reader.peek(4);
      if (isSkippableFrame(start)) {
        const size = readU32(yield* takeAll(reader, 8), 4);
        yield* skipAll(reader, size);
      } else if (readU32(start, 0) === MAGIC) {
        yield* readFrame(reader, decoder, options);
      } else return;
    }
  } finally {
    if (decoder.memoryBytes <= KEPT_BYTES) kept = decoder;
  }
}

function* readFrame(reader: ByteReader, decoder: ZstdDecoder, { windowMax, checks = true, most }: FrameOptions): Steps<Uint8Array> {
  const { source } = reader;
  const { windowBytes, size: textBytes, hasSum } = yield* readHeader(reader);
  checkWindow(windowBytes, windowMax, source, "zstd -dc --long=31");
  const sum = hasSum && checks ? yield* createSum(most === undefined) : undefined;
  decoder.begin(Math.min(windowBytes, textBytes ?? windowBytes, most ?? windowBytes));
  let length = 0;
  for (let isLast = false; !isLast; ) {
    const header = readU32(yield* takeAll(reader, BLOCK_HEADER_BYTES), 0);
    // Of a block that repeats one byte, `size` is that of the text.
    const [type, size] = [(header >> 1) & 3, header >> 3];
    if (type === RESERVED || size > BLOCK_BYTES_MAX) throw corrupt(source, "a zstd block is invalid");
    isLast = (header & 1) !== 0;
    const packedSize = type === RLE ? 1 : size;
    const block = yield* reader.peek(packedSize);
    // The bytes of a truncated uncompressed block are text too.
    const isReadable = block.length === packedSize || type === RAW;
    const text = isReadable ? readBlock(decoder, type, size, block, source) : new Uint8Array(0);
    if (text.length > 0) {
      length += text.length;
      sum?.update(text);
      yield text;
    }
    yield* takeAll(reader, packedSize);
  }
  const found = hasSum ? readU32(yield* takeAll(reader, 4), 0) : 0;
  if (sum !== undefined && BigInt(found) !== BigInt.asUintN(32, sum.digest())) throw wrongSum(source);
  if (checks && textBytes !== undefined && textBytes !== length) throw corrupt(source, "its size is wrong");
}

/** Returns the text of a block, and adds it to the history of `decoder`. Throws SourceError. */
function readBlock(decoder: ZstdDecoder, type: number, size: number, block: Uint8Array, source: string | undefined): Uint8Array {
  try {
    if (type === COMPRESSED) return decoder.decode(block);
    return decoder.store(type === RLE ? new Uint8Array(size).fill(block[0]) : block);
  } catch (error) {
    throw decoderError(source, error, "its zstd data is invalid");
  }
}

let xxhash: Promise<XXHashAPI | undefined> | undefined;

/** Returns a new XXH64; one in JavaScript if there is no WebAssembly, or if it must not wait. */
function* createSum(mayWait: boolean): Steps<never, Sum> {
  if (!mayWait) return new Xxh64();
  xxhash ??= import("xxhash-wasm").then(({ default: load }) => load()).catch(() => undefined);
  return (yield* resultOf(xxhash))?.create64() ?? new Xxh64();
}

/** Reads the header of a frame; `size`: bytes of its text, if the header has them. Throws SourceError. */
function* readHeader(reader: ByteReader): Steps<never, { windowBytes: number; size: number | undefined; hasSum: boolean }> {
  const [, , , , description = 0] = yield* reader.peek(5);
  const isSingle = (description & SINGLE) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[description & 3];
  const sizeBytes = SIZE_BYTES[description >> 6] || (isSingle ? 1 : 0);
  const header = yield* takeAll(reader, 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes);
  const sizeAt = header.length - sizeBytes;
  if ((description & RESERVED_BIT) !== 0) throw corrupt(reader.source, "a zstd header is invalid");
  // Dictionary id 0 means no dictionary.
  if (!isZero(header.subarray(sizeAt - dictionaryBytes, sizeAt)))
    throw new SourceError("ERR_URLMILL_METHOD", reader.source, "needs a zstd dictionary, which urlmill does not read; unpack it first");
  // The size of the text ends the header. One of two bytes begins at 256.
  const size = sizeBytes === 0 ? undefined : readU64(header, sizeAt) + (sizeBytes === 2 ? 256 : 0);
  const windowBytes = isSingle ? (size ?? 0) : (8 + (header[5] & 7)) * 2 ** (7 + (header[5] >> 3));
  return { windowBytes, size, hasSum: (description & CHECKSUM) !== 0 };
}
