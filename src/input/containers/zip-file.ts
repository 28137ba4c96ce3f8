// One file of a zip archive: its packed bytes, its text, and the descriptor that may follow it.
import { hasBytes, readU32 } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { type Chunks, type Steps, tapped, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Entry, type Layer, sliceOf } from "./entry.ts";
import { corrupt, takeAll, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import { crc32 } from "./sums.ts";
import * as zip from "./zip-headers.ts";

const DESCRIPTOR_BYTES = 24;

interface ZipFileOptions extends Layer {
  readonly header: zip.FileHeader;
  /** Whether a descriptor (checksum and sizes) follows the file. */
  readonly hasDescriptor: boolean;
  /** Whether the packed size is unknown. Deflate data marks its end; other data ends before a matching descriptor. */
  readonly isOpenEnded: boolean;
}

/** A file whose packed bytes are the next bytes of the reader. */
interface ZipFile {
  readonly entry: Entry;
  /** Skips the rest of the file and its descriptor; returns the descriptor, if any. Throws SourceError, always the same object. */
  finish(): Steps<never, zip.Sizes | undefined>;
}

export function openZipFile({ name, reader, meter: outer, header, hasDescriptor, isOpenEnded }: ZipFileOptions): ZipFile {
  const source = name.member(header.name).text;
  const start = reader.position;
  const meter = outer.inner(source, () => reader.position - start);
  const refusal = unreadable(header, source);
  const inflates = header.method === zip.DEFLATED && refusal === undefined;
  const packed = isOpenEnded ? undefined : sliceOf(reader, header.packedSize, source);
  let text: Steps<Uint8Array>;
  if (packed === undefined) text = inflates ? meter.count(inflateRaw(reader, source)) : untilDescriptor(reader, source);
  else text = inflates ? meter.count(inflateRaw(reader.inner(padded(packed), source))) : packed[Symbol.iterator]();
  let [sum, length] = [0, 0];
  const summed = tapped(text, (chunk) => {
    sum = crc32(chunk, sum);
    length += chunk.length;
  });
  /** Returns the descriptor, or throws the error of the file. Absent while the end has not been read. */
  let end: (() => zip.Sizes | undefined) | undefined;
  const fail = (error: unknown): void => {
    end = () => {
      throw error;
    };
  };
  const finish = function* (): Steps<never, zip.Sizes | undefined> {
    try {
      if (end === undefined) {
        yield* waitsOf(packed ?? summed);
        const sizes = hasDescriptor ? yield* takeDescriptor(reader, start, isOpenEnded, source) : undefined;
        end = () => sizes;
      }
    } catch (error) {
      fail(error);
    }
    return end?.();
  };
  const read = function* (): Steps<Uint8Array> {
    if (refusal !== undefined) throw refusal;
    try {
      // If the caller stops early, the decoder must still find the end of an open-ended file, so it is not closed.
      yield* isOpenEnded ? { [Symbol.iterator]: () => ({ next: () => summed.next() }) } : summed;
    } catch (cause) {
      if (isOpenEnded) fail(cause);
      throw cause;
    }
    const after = yield* finish();
    for (const sizes of [isOpenEnded ? undefined : header, after])
      if (sizes !== undefined && (sizes.sum !== sum || sizes.size !== length)) throw wrongSum(source);
  };
  return { entry: { name: header.name, chunks: read(), meter }, finish };
}

/** Takes the descriptor of a file that began at `start`. An open-ended file must have one. */
function* takeDescriptor(
  reader: ByteReader,
  start: number,
  isOpenEnded: boolean,
  source: string | undefined,
): Steps<never, zip.Sizes | undefined> {
  const packedSize = reader.position - start;
  const bytes = yield* reader.peek(DESCRIPTOR_BYTES + 2);
  const found = zip.readDescriptor(bytes, packedSize);
  if (found !== undefined) {
    yield* takeAll(reader, found.length, source);
    return { ...found, packedSize };
  }
  if (isOpenEnded && bytes.length < DESCRIPTOR_BYTES) yield* takeAll(reader, DESCRIPTOR_BYTES, source);
  // Bytes with the signature of a descriptor but another size are wrong. Without the signature they may be anything.
  const isOther = hasBytes(bytes, zip.DESCRIPTOR_SIGNATURE, 0) && bytes.length >= 12 && readU32(bytes, 8) !== packedSize % 2 ** 32;
  if (isOpenEnded || isOther) throw corrupt(source, "its end is not found");
  return undefined;
}

/** Returns the error for a file that is encrypted or has an unsupported compression method; undefined for other files. */
function unreadable({ flags, method }: zip.FileHeader, source: string | undefined): SourceError | undefined {
  if ((flags & zip.FLAG_ENCRYPTED) !== 0) return new SourceError("ERR_URLMILL_ENCRYPTED", source, "is encrypted and was not read");
  if (method === zip.STORED || method === zip.DEFLATED) return undefined;
  const reason = `is compressed with zip method ${method}, which urlmill does not read; unpack it first`;
  return new SourceError("ERR_URLMILL_METHOD", source, reason);
}

// zlib reports the end of deflate data only if more bytes follow.
function* padded(packed: Chunks): Steps<Uint8Array> {
  yield* packed;
  yield new Uint8Array(1);
}

/** Yields the bytes before a descriptor whose packed size is the number of these bytes. Throws SourceError if there is no descriptor. */
function* untilDescriptor(reader: ByteReader, source: string | undefined): Steps<Uint8Array> {
  const start = reader.position;
  yield* reader.until((bytes) => zip.findDescriptor(bytes, 0, reader.position - start), DESCRIPTOR_BYTES + 1);
  if ((yield* reader.peek(1)).length === 0) yield* takeAll(reader, 1, source);
}
