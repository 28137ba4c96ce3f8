// zstd (RFC 8878): concatenated frames. Each block header has the length of its block, so truncated data is noticed here.
import type { XXHash, XXHashAPI } from "xxhash-wasm";
import { SourceError } from "../../base/errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, decoderError, refuseTrailing, skipAll, takeAll, wrongSum } from "./errors.ts";
import { checkWindow } from "./limits.ts";
import { readU32 } from "./little-endian.ts";
import { isSkippableFrame } from "./recognize.ts";
import { Spare } from "./spare.ts";
import { Xxh64 } from "./xxh64.ts";
import { ZstdDecoder } from "./zstd-block.ts";
import {
  BLOCK_HEADER_BYTES,
  type BlockHeader,
  decodeBlock,
  type FrameHeader,
  frameHeaderBytes,
  MAGIC,
  RAW,
  readBlockHeader,
  readFrameHeader,
} from "./zstd-frame.ts";

const NOTHING = new Uint8Array(0);

const spare = new Spare(() => new ZstdDecoder());

/** Decodes all frames, with windows of `windowMax` bytes at most; calls `atFrame` before each frame and at the end. Throws SourceError. */
export async function* readZstd(reader: ByteReader, windowMax: number, atFrame?: () => void): AsyncGenerator<Uint8Array> {
  const decoder = spare.take();
  try {
    for (;;) {
      atFrame?.();
      const start = await reader.peek(4);
      if (isSkippableFrame(start)) {
        const size = readU32(await takeAll(reader, 8), 4);
        await skipAll(reader, size);
      } else if (start.length === 4 && readU32(start, 0) === MAGIC) {
        yield* readFrame(reader, decoder, windowMax);
      } else {
        await refuseTrailing(reader, "zstd");
        return;
      }
    }
  } finally {
    spare.give(decoder);
  }
}

/** Decodes a frame. Throws SourceError. */
async function* readFrame(reader: ByteReader, decoder: ZstdDecoder, windowMax: number): AsyncGenerator<Uint8Array> {
  const { source } = reader;
  const { windowBytes, size: textBytes, hasSum } = await readHeader(reader);
  checkWindow(windowBytes, windowMax, source, "zstd -dc --long=31");
  const sum = hasSum ? await createSum() : undefined;
  decoder.begin(Math.min(windowBytes, textBytes ?? windowBytes));
  let length = 0;
  for (let isLast = false; !isLast; ) {
    const header = readBlockHeader(await takeAll(reader, BLOCK_HEADER_BYTES));
    if (header === undefined) throw corrupt(source, "a zstd block is invalid");
    isLast = header.isLast;
    const block = await reader.peek(header.packedSize);
    // The bytes of a truncated uncompressed block are text too.
    const isReadable = block.length === header.packedSize || header.type === RAW;
    const text = isReadable ? readBlock(decoder, header, block, source) : NOTHING;
    if (text.length > 0) {
      length += text.length;
      sum?.update(text);
      yield text;
    }
    await takeAll(reader, header.packedSize);
  }
  if (sum !== undefined) {
    const found = readU32(await takeAll(reader, 4), 0);
    if (BigInt(found) !== BigInt.asUintN(32, sum.digest())) throw wrongSum(source);
  }
  if (textBytes !== undefined && textBytes !== length) throw corrupt(source, "its size is wrong");
}

/** Returns the text of a block. Throws SourceError. */
function readBlock(decoder: ZstdDecoder, header: BlockHeader, block: Uint8Array, source: string | undefined): Uint8Array {
  try {
    return decodeBlock(decoder, header, block);
  } catch (error) {
    throw decoderError(source, error, "its zstd data is invalid");
  }
}

let xxhash: Promise<XXHashAPI | undefined> | undefined;

/** Returns a new XXH64; one in JavaScript if there is no WebAssembly. */
async function createSum(): Promise<Pick<XXHash<bigint>, "digest"> & { update(text: Uint8Array): unknown }> {
  xxhash ??= import("xxhash-wasm").then(({ default: load }) => load()).catch(() => undefined);
  return (await xxhash)?.create64() ?? new Xxh64();
}

/** Reads the header of a frame. Throws SourceError. */
async function readHeader(reader: ByteReader): Promise<FrameHeader> {
  const [, , , , description = 0] = await reader.peek(5);
  const header = readFrameHeader(await takeAll(reader, frameHeaderBytes(description)));
  if (!header.isValid) throw corrupt(reader.source, "a zstd header is invalid");
  if (header.hasDictionary)
    throw new SourceError("ERR_URLMILL_METHOD", reader.source, "needs a zstd dictionary, which urlmill does not read; unpack it first");
  return header;
}
