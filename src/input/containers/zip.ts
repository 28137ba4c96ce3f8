// Reads zip archives as a stream: one in a file by its directory, one from a pipe or another container by the header before each file.
import { hasBytes, readU16, readU32 } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import { type Chunks, resultOf, type Steps, tapped, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { crc32 } from "./crc.ts";
import { type ArchiveError, type Entry, type Layer, type LeftOut, sliceOf } from "./entry.ts";
import { corrupt, isZero, skipAll, takeAll, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import * as zip from "./zip-headers.ts";
import type { ZipIndex } from "./zip-index.ts";

const COUNT_ELSEWHERE = 0xffff; // Marks a number of entries that is in the zip64 end record instead. The entries that are read are counted
const DESCRIPTOR_BYTES = 24;

/**
 * Yields files, other members, and errors of concatenated archives. Throws SourceError if the last one is truncated. `index`: the
 * directory of the last archive, if it is in a file and can be trusted.
 */
export function* readZip(layer: Layer, index: ZipIndex | undefined): Steps<Entry | LeftOut | ArchiveError> {
  const { reader } = layer;
  const wrong = (what: string): ArchiveError => ({ error: new SourceError("ERR_URLMILL_CORRUPT", reader.source, what) });
  /** Members of the archive by its local headers, and by its directory. */
  let [files, entries] = [0, 0];
  /** Whether the end record of the last archive has been read, and no file after it. */
  let hasEnded = false;
  let hasReportedTrailing = false;
  for (;;) {
    const start = yield* reader.peek(zip.PLAUSIBLE_BYTES);
    // Throws: the archive is truncated, or the reader has an error.
    if (start.length < 4 && !hasEnded) yield* takeAll(reader, zip.PLAUSIBLE_BYTES);
    // Throws the error of the source, if the reader ended with one.
    if (start.length === 0) return void (yield* reader.take(1));
    const listed = index?.next(reader.position);
    const signature = readU32(start, 0);
    const isCut = signature === zip.FILE_HEADER && (yield* runsIntoArchive(reader, index));
    if (listed !== undefined && listed > reader.position) {
      // Skips bytes that the trusted directory does not list. The first file in them is named.
      yield* waitsOf(reader.until((bytes) => zip.findHeader(bytes, 0, zip.FILE_HEADER), zip.PLAUSIBLE_BYTES, listed));
      if (reader.position >= listed || (yield* reader.peek(1)).length === 0) continue;
      yield wrong(`contains a file at byte ${reader.position} that its directory does not list (not read)`);
      yield* reader.skip(listed - reader.position);
    } else if (signature === zip.FILE_HEADER && !isCut) {
      hasEnded = false;
      files++;
      const entry = index === undefined || listed === undefined ? undefined : yield* resultOf(index.entry());
      yield* readFile(layer, entry, wrong);
    } else if (listed !== undefined) yield* reader.skip(1);
    else if (signature === zip.DIRECTORY_ENTRY) {
      const { name, leftOut } = zip.readDirectoryEntry(yield* takeHeader(reader));
      entries++;
      // Only the directory has the type, and in a pipe the directory comes after the files.
      if (leftOut !== undefined) yield { name, leftOut };
    } else if (signature === zip.DIRECTORY_END) {
      const end = yield* takeAll(reader, zip.DIRECTORY_END_BYTES);
      yield* skipAll(reader, readU16(end, 20));
      const count = readU16(end, 10);
      if (files !== entries) yield wrong(`its directory has ${entries} members, but ${files} were found, which were read`);
      else if (count !== COUNT_ELSEWHERE && count !== entries % 2 ** 16)
        yield wrong(`its directory has ${entries} members, but its end says ${count}`);
      [files, entries, hasEnded, hasReportedTrailing] = [0, 0, true, false];
    } else {
      if (isCut) yield wrong(`has a member at byte ${reader.position} that is cut (not read)`);
      // Skips to the next header. After the end of the archive, skipped bytes other than zero are an error.
      let first = 1;
      const findNext = (bytes: Uint8Array): number | undefined => {
        const next = zip.findHeader(bytes, first);
        first = 0;
        return next;
      };
      for (const skipped of reader.until(findNext, zip.PLAUSIBLE_BYTES)) {
        if (skipped instanceof Promise) yield skipped;
        else if (hasEnded && !hasReportedTrailing && !isZero(skipped)) {
          hasReportedTrailing = true;
          const reason = "has other data after its zip archive, which was not read";
          yield { error: new SourceError("ERR_URLMILL_TRAILING", reader.source, reason) };
        }
      }
    }
  }
}

/** Reads a file. `entry`: that of the trusted directory, if there is one. */
function* readFile(
  layer: Layer,
  entry: zip.DirectoryEntry | undefined,
  wrong: (what: string) => ArchiveError,
): Steps<Entry | ArchiveError> {
  const found = zip.readFileHeader(yield* takeHeader(layer.reader));
  const header = entry ?? found;
  const hasDescriptor = (found.flags & zip.FLAG_SIZES_AFTER) !== 0;
  const isOpenEnded = entry === undefined && hasDescriptor;
  const file = openFile(layer, header, hasDescriptor, isOpenEnded);
  // A folder with bytes is read (C261). Of an open-ended one it is not known.
  const isFile = isOpenEnded || header.size > 0 || !header.name.endsWith("/");
  if (entry?.isFile ?? isFile) yield file.entry;
  const isOther = !hasDescriptor && found.packedSize !== header.packedSize;
  if (isOther) yield wrong(`its directory gives a member (${shown(header.name)}) another size than its header, which was not used`);
  try {
    yield* file.finish();
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== "ERR_URLMILL_CORRUPT") throw error;
    // Reading continues at the next header.
    yield { error };
  }
}

/** Returns whether the member here would end in the archive of the trusted directory, because the one before that was cut. */
function* runsIntoArchive(reader: ByteReader, index: ZipIndex | undefined): Steps<never, boolean> {
  const { position } = reader;
  if (index === undefined || position >= index.base) return false;
  const start = yield* reader.peek(zip.FILE_HEADER_BYTES);
  const length = zip.headerBytes(start);
  const header = yield* reader.peek(length);
  return header.length < length || position + length + zip.readFileHeader(header).packedSize > index.base;
}

function* takeHeader(reader: ByteReader): Steps<never, Uint8Array> {
  const start = yield* reader.peek(zip.headerBytes(yield* reader.peek(4)));
  return yield* takeAll(reader, zip.headerBytes(start));
}

/**
 * Opens a file whose packed bytes are the next bytes of the reader. `finish` skips the rest of the file and its descriptor, and throws
 * always the same SourceError. `hasDescriptor`: checksum and sizes follow the file. `isOpenEnded`: its packed size is unknown. Deflate data
 * marks its end; other data ends before a matching descriptor.
 */
function openFile({ name, reader, meter: outer }: Layer, header: zip.FileHeader, hasDescriptor: boolean, isOpenEnded: boolean) {
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
  let descriptor: zip.Sizes | undefined;
  let isFinished = false;
  let failure: { readonly error: unknown } | undefined;
  const finish = function* (): Steps<never> {
    if (failure !== undefined) throw failure.error;
    if (isFinished) return;
    try {
      yield* waitsOf(packed ?? summed);
      if (hasDescriptor) descriptor = yield* takeDescriptor(reader, start, isOpenEnded, source);
      isFinished = true;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const read = function* (): Steps<Uint8Array> {
    if (refusal !== undefined) throw refusal;
    try {
      // If the caller stops early, the decoder must still find the end of an open-ended file, so it is not closed.
      yield* isOpenEnded ? { [Symbol.iterator]: () => ({ next: () => summed.next() }) } : summed;
    } catch (error) {
      if (isOpenEnded) failure = { error };
      throw error;
    }
    yield* finish();
    for (const sizes of [isOpenEnded ? undefined : header, descriptor])
      if (sizes !== undefined && (sizes.sum !== sum || sizes.size !== length)) throw wrongSum(source);
  };
  return { entry: { name: header.name, chunks: read(), meter }, finish };
}

/** Takes the descriptor of a file that began at `start`. An open-ended file needs one. */
function* takeDescriptor(
  reader: ByteReader,
  start: number,
  isNeeded: boolean,
  source = reader.source,
): Steps<never, zip.Sizes | undefined> {
  const packedSize = reader.position - start;
  const bytes = yield* reader.peek(DESCRIPTOR_BYTES + 2);
  const found = zip.readDescriptor(bytes, packedSize);
  if (found !== undefined) {
    yield* takeAll(reader, found.length, source);
    return { ...found, packedSize };
  }
  if (isNeeded && bytes.length < DESCRIPTOR_BYTES) yield* takeAll(reader, DESCRIPTOR_BYTES, source);
  // Bytes with the signature of a descriptor but another size are wrong. Without the signature they may be anything.
  const isOther = hasBytes(bytes, zip.DESCRIPTOR_SIGNATURE, 0) && bytes.length >= 12 && readU32(bytes, 8) !== packedSize % 2 ** 32;
  if (isNeeded || isOther) throw corrupt(source, "its end is not found");
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
