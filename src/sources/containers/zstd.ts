// zstd (RFC 8878): frames one behind the other. Their blocks say how long they are, so each frame and each cut is found here.
import * as zlib from "node:zlib";
import { SourceError } from "../../errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, takeAll, truncated } from "./faults.ts";
import { overLimit } from "./limits.ts";
import { isFormatError, NATIVE_OPTIONS, type NativeDecoder, runNative } from "./native.ts";
import { isSkippableFrame } from "./recognize.ts";

const MAGIC = 0xfd2fb528;
/** What zstd itself takes without being told to use more. */
const WINDOW_BYTES_MAX = 2 ** 27;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
/** Bit of a frame that has a checksum. */
const CHECKSUM = 4;
const BLOCK_BYTES_MAX = 1 << 17;
const RUN = 1;
const RESERVED = 3;

/** The text of all frames. Throws SourceError. */
export async function* readZstd(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  for (;;) {
    const start = Buffer.from(await reader.peek(4));
    if (start.length === 0) {
      await reader.take(1);
      return;
    }
    if (isSkippableFrame(start)) {
      const size = Buffer.from(await takeAll(reader, 8, source)).readUInt32LE(4);
      if ((await reader.skip(size)) < size) throw truncated(source);
    } else if (start.length === 4 && start.readUInt32LE(0) === MAGIC) {
      const pieces = readPieces(reader, source);
      yield* createNative === undefined ? decode(pieces, source) : decodeNative(createNative(NATIVE_OPTIONS), pieces, source);
    } else {
      throw new SourceError("ERR_TRAILING", source, "has something behind its zstd data, which was not read");
    }
  }
}

// From Node 22.15 on.
const createNative: ((options: typeof NATIVE_OPTIONS) => NativeDecoder) | undefined = Reflect.get(zlib, "createZstdDecompress");

async function* decodeNative(
  decoder: NativeDecoder,
  pieces: AsyncGenerator<Uint8Array>,
  source: string | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* runNative(decoder, async () => (await pieces.next()).value);
  } catch (error) {
    throw isFormatError(error) ? corrupt(source, "its zstd data is wrong", error) : error;
  }
}

/** fzstd does not look at checksums. */
async function* decode(pieces: AsyncGenerator<Uint8Array>, source: string | undefined): AsyncGenerator<Uint8Array> {
  const [{ Decompress }, { default: xxhash }] = await Promise.all([import("fzstd"), import("xxhash-wasm")]);
  const sum = (await xxhash()).create64();
  const decoded: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => decoded.push(chunk));
  const push = (piece: Uint8Array, isLast: boolean): Uint8Array[] => {
    try {
      decoder.push(piece, isLast);
    } catch (error) {
      throw corrupt(source, "its zstd data is wrong", error);
    }
    const chunks = decoded.splice(0).filter((chunk) => chunk.length > 0);
    for (const chunk of chunks) sum.update(chunk);
    return chunks;
  };
  let hasSum: boolean | undefined;
  let last: Uint8Array | undefined;
  for await (const piece of pieces) {
    hasSum ??= ((piece[4] ?? 0) & CHECKSUM) !== 0;
    last = piece;
    yield* push(piece, false);
  }
  // Frames of a few bytes wait for this.
  yield* push(new Uint8Array(0), true);
  if (hasSum !== true || last === undefined) return;
  if (BigInt(Buffer.from(last).readUInt32LE(0)) !== BigInt.asUintN(32, sum.digest())) throw corrupt(source, "its checksum is wrong");
}

/** A frame: its header, each block, its checksum. */
async function* readPieces(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const [, , , , description = 0] = await reader.peek(5);
  const isSingle = (description & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[description & 3] ?? 0;
  const sizeBytes = SIZE_BYTES[description >> 6] || (isSingle ? 1 : 0);
  const header = Buffer.from(await takeAll(reader, 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes, source));
  if (windowBytes(header, isSingle, sizeBytes) > WINDOW_BYTES_MAX) {
    throw overLimit(source, `it needs more than ${WINDOW_BYTES_MAX} bytes of memory to decode; unpack it first (zstd -d --long=31)`);
  }
  if (dictionaryBytes > 0) throw new SourceError("ERR_METHOD", source, "needs a dictionary of zstd, which is not read; unpack it first");
  yield header;
  for (let isLast = false; !isLast; ) {
    const start = await reader.peek(3);
    const bits = Buffer.from(start.length === 3 ? start : await takeAll(reader, 3, source)).readUIntLE(0, 3);
    isLast = (bits & 1) !== 0;
    const type = (bits >> 1) & 3;
    if (type === RESERVED || bits >> 3 > BLOCK_BYTES_MAX) throw corrupt(source, "a block of zstd is wrong");
    yield await takeAll(reader, 3 + (type === RUN ? 1 : bits >> 3), source);
  }
  if ((description & CHECKSUM) !== 0) yield await takeAll(reader, 4, source);
}

function windowBytes(header: Buffer, isSingle: boolean, sizeBytes: number): number {
  if (!isSingle) {
    const window = header[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = header.length - sizeBytes;
  if (sizeBytes === 8) return Number(header.readBigUInt64LE(at));
  return header.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
}
