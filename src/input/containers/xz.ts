// xz: streams one after the other, each with blocks of LZMA2, their checksums, an index and a footer.
import { concat } from "../../arrays.ts";
import { SourceError } from "../../errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { addCrc32, crc32 } from "./crc32.ts";
import { Crc64 } from "./crc64.ts";
import { corrupt, decoderError, isZero, takeAll, truncated, WRONG, wrongSum } from "./errors.ts";
import { checkWindow } from "./limits.ts";
import { hasBytes, readU32, writeU32 } from "./little-endian.ts";
import { LzmaDecoder } from "./lzma.ts";
import { createSha256 } from "./sha256.ts";
import { Spare } from "./spare.ts";

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0);
const FOOTER_MAGIC = Uint8Array.of(0x59, 0x5a);
const STREAM_HEADER_BYTES = 12;
const FOOTER_BYTES = 12;
const LZMA2 = 0x21;
const HAS_PACKED_SIZE = 0x40;
const HAS_SIZE = 0x80;

const spare = new Spare(() => new LzmaDecoder());

/** Decodes all streams, with windows of `windowMax` bytes at most. Throws SourceError. */
export async function* readXz(reader: ByteReader, source: string | undefined, windowMax: number): AsyncGenerator<Uint8Array> {
  const decoder = spare.take();
  try {
    yield* readStreams(reader, decoder, source, windowMax);
  } finally {
    spare.give(decoder);
  }
}

async function* readStreams(
  reader: ByteReader,
  decoder: LzmaDecoder,
  source: string | undefined,
  windowMax: number,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield* readStream(reader, decoder, source, windowMax);
    let start = await reader.peek(4);
    while (start.length === 4 && start.every((byte) => byte === 0)) {
      await reader.skip(4);
      start = await reader.peek(4);
    }
    if (start.length === 0) {
      // Throws what ended the reader, if it was an error.
      await reader.take(1);
      return;
    }
    if (!hasBytes(MAGIC, start, 0)) {
      throw new SourceError("ERR_TRAILING", source, "has other data after its xz data, which was not read");
    }
  }
}

async function* readStream(
  reader: ByteReader,
  decoder: LzmaDecoder,
  source: string | undefined,
  windowMax: number,
): AsyncGenerator<Uint8Array> {
  const header = await takeAll(reader, STREAM_HEADER_BYTES, source);
  const isRight = hasBytes(header, MAGIC, 0) && readU32(header, 8) === crc32(header.subarray(6, 8));
  if (!isRight || header[6] !== 0) throw corrupt(source, "an xz header is invalid");
  const kind = (header[7] ?? 0) & 15;
  let blocks = 0;
  for (; ; blocks++) {
    const [size = 0] = await takeAll(reader, 1, source);
    if (size === 0) break;
    const windowBytes = readBlockHeader(concat([Uint8Array.of(size), await takeAll(reader, size * 4 + 3, source)]), source);
    checkWindow(windowBytes, windowMax, source, "xz -dc");
    const start = reader.position;
    const check = createCheck(kind);
    decoder.begin(windowBytes);
    try {
      for await (const text of readLzma2(reader, decoder, source)) {
        check.update(text);
        yield text;
      }
    } catch (error) {
      throw decoderError(source, error, "its LZMA2 data is invalid");
    }
    if (!isZero(await takeAll(reader, (start - reader.position) & 3, source)))
      throw corrupt(source, "the padding of an xz block is invalid");
    const found = await takeAll(reader, checkBytes(kind), source);
    const wanted = check.digest();
    if (wanted !== undefined && !hasBytes(found, wanted, 0)) throw wrongSum(source);
  }
  const indexBytes = await readIndex(reader, blocks, source);
  const footer = await takeAll(reader, FOOTER_BYTES, source);
  const isEnd = hasBytes(footer, FOOTER_MAGIC, 10) && readU32(footer, 0) === crc32(footer.subarray(4, 10));
  const isSame = readU32(footer, 4) * 4 + 4 === indexBytes && hasBytes(footer, header.subarray(6, 8), 8);
  if (!isEnd || !isSame) throw corrupt(source, "the footer of an xz stream is invalid");
}

/** Returns the bytes of the window that a block needs. Throws SourceError for filters that are not read. */
function readBlockHeader(header: Uint8Array, source: string | undefined): number {
  const end = header.length - 4;
  if (readU32(header, end) !== crc32(header.subarray(0, end))) throw corrupt(source, "the header of an xz block is invalid");
  const flags = header[1] ?? 0;
  let at = 2;
  const skipNumber = (): void => {
    while (((header[at++] ?? 0) & 0x80) !== 0);
  };
  if ((flags & HAS_PACKED_SIZE) !== 0) skipNumber();
  if ((flags & HAS_SIZE) !== 0) skipNumber();
  if ((flags & 0x3f) !== 0 || header[at] !== LZMA2) {
    throw new SourceError("ERR_METHOD", source, "is compressed with xz filters that urlmill does not read; unpack it first");
  }
  const bits = header[at + 2] ?? 0;
  return (2 | (bits & 1)) * 2 ** ((bits >> 1) + 11);
}

/** Decodes the LZMA2 data of a block. Throws WRONG, and SourceError where it ends too early. */
async function* readLzma2(reader: ByteReader, decoder: LzmaDecoder, source: string | undefined): AsyncGenerator<Uint8Array> {
  let needsWindow = true;
  let needsBits = true;
  let needsReset = true;
  for (;;) {
    const [control = 0] = await takeAll(reader, 1, source);
    if (control === 0) return;
    const isStored = control < 0x80;
    const resets = (control >> 5) & 3;
    if (control === 1 || control >= 0xe0) {
      decoder.empty();
      needsWindow = false;
    }
    if (needsWindow || (isStored && control > 2)) throw WRONG;
    if (isStored) {
      const [high = 0, low = 0] = await takeAll(reader, 2, source);
      const size = (high << 8) + low + 1;
      const text = (await takeAll(reader, size, source)).slice();
      decoder.store(text);
      yield text;
      continue;
    }
    const [high = 0, low = 0, packedHigh = 0, packedLow = 0, properties = 0] = await takeAll(reader, resets >= 2 ? 5 : 4, source);
    if (resets >= 2) decoder.configure(properties);
    if (resets >= 1) decoder.reset();
    needsBits &&= resets < 2;
    needsReset &&= resets < 1;
    if (needsBits || needsReset) throw WRONG;
    const size = ((control & 0x1f) << 16) + (high << 8) + low + 1;
    yield* decoder.decode(await takeAll(reader, (packedHigh << 8) + packedLow + 1, source), size);
  }
}

/** Skips the index, which repeats the sizes of the blocks; returns its bytes. Throws SourceError if it lists another number of blocks. */
async function readIndex(reader: ByteReader, blocks: number, source: string | undefined): Promise<number> {
  const start = reader.position - 1;
  let sum = crc32(Uint8Array.of(0));
  const take = async (count: number): Promise<Uint8Array> => {
    const bytes = await takeAll(reader, count, source);
    sum = addCrc32(bytes, sum);
    return bytes;
  };
  let count = 0;
  for (let factor = 1, byte = 0x80; byte >= 0x80 && factor < 2 ** 53; factor *= 128) {
    [byte = 0] = await take(1);
    count += (byte & 0x7f) * factor;
  }
  if (count !== blocks) throw corrupt(source, "the xz index is invalid");
  // A number ends at a byte below 0x80.
  for (let left = 2 * count; left > 0; ) {
    const bytes = await reader.next();
    if (bytes === undefined) throw truncated(source);
    let at = 0;
    for (; at < bytes.length && left > 0; at++) if ((bytes[at] ?? 0) < 0x80) left--;
    sum = addCrc32(bytes.subarray(0, at), sum);
    reader.unread(bytes.subarray(at));
  }
  const isFilled = isZero(await take((start - reader.position) & 3));
  const found = readU32(await takeAll(reader, 4, source), 0);
  if (!isFilled || found !== sum) throw corrupt(source, "the xz index is invalid");
  return reader.position - start;
}

interface Check {
  update(text: Uint8Array): unknown;
  /** Returns the checksum that should follow the block, or undefined for an unknown kind. */
  digest(): Uint8Array | undefined;
}

function createCheck(kind: number): Check {
  if (kind === 1) {
    let sum = 0;
    const digest = (): Uint8Array => {
      const bytes = new Uint8Array(4);
      writeU32(bytes, 0, sum);
      return bytes;
    };
    return { update: (text) => (sum = addCrc32(text, sum)), digest };
  }
  if (kind === 4) return new Crc64();
  if (kind === 10) return createSha256();
  return { update: () => undefined, digest: () => undefined };
}

/** Returns the bytes of a checksum: kind 0 has none, then three kinds each have 4, 8, 16, 32 and 64. */
function checkBytes(kind: number): number {
  return kind === 0 ? 0 : 2 ** (2 + Math.floor((kind - 1) / 3));
}
