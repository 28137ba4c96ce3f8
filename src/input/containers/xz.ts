// xz: concatenated streams, each with blocks of LZMA2, their checksums, an index and a footer.
import { bytesOfU32, concat, hasBytes, readU32 } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { type Steps, tapped } from "../steps.ts";
import type { ByteReader, Decoding } from "./byte-reader.ts";
import { crc32, crcTable } from "./crc.ts";
import { corrupt, decoderError, isZero, SHORT, takeAll, truncated, WRONG, wrongSum } from "./errors.ts";
import { type Checksum, createSha256 } from "./hashes.ts";
import { checkWindow } from "./limits.ts";
import { LzmaDecoder } from "./lzma.ts";

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0);
const FOOTER_MAGIC = Uint8Array.of(0x59, 0x5a);
const STREAM_HEADER_BYTES = 12;
const FOOTER_BYTES = 12;
const LZMA2 = 0x21;
const KIND_MAX = 15; // Highest id of a kind of checksum
const WINDOW_NUMBER_MAX = 40; // Highest number that stands for a window size
const HAS_PACKED_SIZE = 0x40; // Flag of a block: its header has the size of the compressed data
const HAS_SIZE = 0x80; // Flag of a block: its header has the size of the text
const RESERVED_FLAGS_AND_FILTERS = 0x3f; // Flags of a block that are reserved, or count filters in addition to one

export function* readXz(reader: ByteReader, { windowMax }: Decoding): Steps<Uint8Array> {
  const decoder = new LzmaDecoder();
  do yield* readStream(reader, decoder, windowMax);
  while (yield* hasStream(reader));
}

/** Skips the padding between two streams; returns whether another stream begins. */
function* hasStream(reader: ByteReader): Steps<never, boolean> {
  let start = yield* reader.peek(4);
  while (start.length === 4 && isZero(start)) {
    yield* reader.skip(4);
    start = yield* reader.peek(4);
  }
  return start.length > 0 && hasBytes(MAGIC, start, 0);
}

function* readStream(reader: ByteReader, decoder: LzmaDecoder, windowMax: number): Steps<Uint8Array> {
  const { source } = reader;
  const header = yield* takeAll(reader, STREAM_HEADER_BYTES);
  const [, , , , , , reserved, kind] = header;
  const isRight = hasBytes(header, MAGIC, 0) && readU32(header, 8) === crc32(header.subarray(6, 8));
  if (!isRight || reserved !== 0 || kind > KIND_MAX) throw corrupt(source, "an xz header is invalid");
  let [recordCount, recordBytes, recordSum] = [0, 0, 0];
  for (;;) {
    const [size] = yield* takeAll(reader, 1);
    if (size === 0) break;
    const blockHeader = concat([Uint8Array.of(size), yield* takeAll(reader, size * 4 + 3)]);
    const { windowBytes, packedSize, size: wantedSize } = readBlockHeader(blockHeader, source);
    checkWindow(windowBytes, windowMax, source, "xz -dc");
    const start = reader.position;
    const check = createCheck(kind);
    decoder.begin(windowBytes);
    let length = 0;
    try {
      yield* tapped(readLzma2(reader, decoder), (text) => {
        length += text.length;
        check?.update(text);
      });
    } catch (error) {
      throw decoderError(source, error, "its LZMA2 data is invalid");
    }
    const packed = reader.position - start;
    if ((packedSize ?? packed) !== packed || (wantedSize ?? length) !== length) throw corrupt(source, "the sizes of an xz block are wrong");
    if (!isZero(yield* takeAll(reader, -packed & 3))) throw corrupt(source, "the padding of an xz block is invalid");
    const found = yield* takeAll(reader, checkBytes(kind));
    if (check !== undefined && !hasBytes(found, check.digest(), 0)) throw wrongSum(source);
    // The record of a block is two numbers. The first excludes the padding.
    const record = concat([numberOf(blockHeader.length + packed + found.length), numberOf(length)]);
    recordCount++;
    recordBytes += record.length;
    recordSum = crc32(record, recordSum);
  }
  const indexBytes = yield* readIndex(reader, recordCount, recordBytes, recordSum);
  const footer = yield* takeAll(reader, FOOTER_BYTES);
  const isEnd = hasBytes(footer, FOOTER_MAGIC, 10) && readU32(footer, 0) === crc32(footer.subarray(4, 10));
  const isSame = readU32(footer, 4) * 4 + 4 === indexBytes && hasBytes(footer, header.subarray(6, 8), 8);
  if (!isEnd || !isSame) throw corrupt(source, "the footer of an xz stream is invalid");
}

/** Reads the header of a block, with the sizes that it may have. Throws SourceError, also for filters other than LZMA2. */
function readBlockHeader(header: Uint8Array, source: string | undefined) {
  const end = header.length - 4;
  const flags = header[1];
  let at = 2;
  const readNumber = (): number => {
    const start = at;
    while (((header[at++] ?? 0) & 0x80) !== 0);
    return header.subarray(start, at).reduceRight((value, byte) => value * 128 + (byte & 0x7f), 0);
  };
  const packedSize = (flags & HAS_PACKED_SIZE) !== 0 ? readNumber() : undefined;
  const size = (flags & HAS_SIZE) !== 0 ? readNumber() : undefined;
  const [filter, propertyBytes, window = 0, ...padding] = header.subarray(at, end);
  const isRight = readU32(header, end) === crc32(header.subarray(0, end));
  if (isRight && ((flags & RESERVED_FLAGS_AND_FILTERS) !== 0 || filter !== LZMA2)) {
    throw new SourceError("ERR_URLMILL_METHOD", source, "is compressed with xz filters that urlmill does not read; unpack it first");
  }
  if (!isRight || propertyBytes !== 1 || window > WINDOW_NUMBER_MAX || padding.some((byte) => byte !== 0)) {
    throw corrupt(source, "the header of an xz block is invalid");
  }
  return { windowBytes: Math.min(2 ** 32 - 1, (2 | (window & 1)) * 2 ** ((window >> 1) + 11)), packedSize, size };
}

/** Decodes the LZMA2 data of a block. Throws WRONG, NO_MEMORY, and SourceError if the data ends too early. */
function* readLzma2(reader: ByteReader, decoder: LzmaDecoder): Steps<Uint8Array> {
  let needsWindow = true;
  let needsBits = true;
  for (;;) {
    const [control] = yield* takeAll(reader, 1);
    if (control === 0) return;
    const isStored = control < 0x80;
    const resets = (control >> 5) & 3;
    if (control === 1 || control >= 0xe0) {
      decoder.begin();
      needsWindow = false;
      needsBits = true;
    }
    if (needsWindow || (isStored && control > 2)) throw WRONG;
    if (isStored) {
      const [high, low] = yield* takeAll(reader, 2);
      const size = (high << 8) + low + 1;
      // The bytes of a truncated chunk are text too.
      const text = decoder.store(yield* reader.peek(size));
      if (text.length > 0) yield text;
      yield* takeAll(reader, size);
      continue;
    }
    const [high, low, packedHigh, packedLow, properties] = yield* takeAll(reader, resets >= 2 ? 5 : 4);
    if (resets >= 2) decoder.configure(properties);
    if (resets >= 1) decoder.reset();
    needsBits &&= resets < 2;
    if (needsBits) throw WRONG;
    const size = ((control & 0x1f) << 16) + (high << 8) + low + 1;
    const packedSize = (packedHigh << 8) + packedLow + 1;
    const packed = yield* reader.peek(packedSize);
    try {
      yield* decoder.decode(packed, size);
    } catch (error) {
      if (error !== SHORT) throw error;
      if (packed.length === packedSize) throw WRONG;
    }
    yield* takeAll(reader, packedSize);
  }
}

/** Encodes a number in seven bits per byte, the lowest first. */
function numberOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push((left % 128) | (left < 128 ? 0 : 0x80));
    if (left < 128) return Uint8Array.from(bytes);
  }
}

/** Reads the index, which repeats the sizes of the blocks. Returns its length in bytes. Throws SourceError. */
function* readIndex(reader: ByteReader, recordCount: number, recordBytes: number, recordSum: number): Steps<never, number> {
  const start = reader.position - 1;
  let sum = crc32(Uint8Array.of(0));
  const take = function* (count: number): Steps<never, Uint8Array> {
    const bytes = yield* takeAll(reader, count);
    sum = crc32(bytes, sum);
    return bytes;
  };
  const count = numberOf(recordCount);
  const isCount = hasBytes(yield* take(count.length), count, 0);
  let foundSum = 0;
  for (let left = recordBytes; left > 0; ) {
    const bytes = yield* reader.next(left);
    if (bytes === undefined) throw truncated(reader.source);
    left -= bytes.length;
    sum = crc32(bytes, sum);
    foundSum = crc32(bytes, foundSum);
  }
  const isFilled = isZero(yield* take((start - reader.position) & 3));
  const found = readU32(yield* takeAll(reader, 4), 0);
  if (!isCount || foundSum !== recordSum || !isFilled || found !== sum) throw corrupt(reader.source, "the xz index is invalid");
  return reader.position - start;
}

/** Returns undefined for an unknown kind. */
function createCheck(kind: number): Checksum | undefined {
  let sum = 0;
  if (kind === 1) return { update: (text) => (sum = crc32(text, sum)), digest: () => bytesOfU32(sum) };
  if (kind === 4) return new Crc64();
  return kind === 10 ? createSha256() : undefined;
}

/** Returns the bytes of a checksum: 0 for kind 0, then 4, 8, 16, 32 and 64, each for three kinds. */
function checkBytes(kind: number): number {
  return kind === 0 ? 0 : 2 ** (2 + Math.floor((kind - 1) / 3));
}

const CRC64 = crcTable(0xc96c5795d7870f42n);
// 64-bit numbers of V8 are slow, so sums are in halves.
const HIGH = Int32Array.from(CRC64, (sum) => Number(sum >> 32n));
const LOW = Int32Array.from(CRC64, (sum) => Number(BigInt.asIntN(32, sum)));

/** CRC-64 (ECMA-182, bits reversed). */
class Crc64 implements Checksum {
  #high = -1;
  #low = -1;

  update(bytes: Uint8Array): void {
    let high = this.#high;
    let low = this.#low;
    for (const byte of bytes) {
      const index = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ LOW[index];
      high = (high >>> 8) ^ HIGH[index];
    }
    this.#high = high;
    this.#low = low;
  }

  digest(): Uint8Array {
    return bytesOfU32(~this.#low, ~this.#high);
  }
}
