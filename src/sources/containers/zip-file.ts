// zip in a file, by its central directory.
import { read } from "node:fs";
import type { Entry as DirectoryEntry, ZipFile } from "yauzl";
import { SourceError } from "../../errors.ts";
import { decodeName, type Entry, memberName } from "./entry.ts";
import { corrupt, truncated } from "./faults.ts";
import type { Meter } from "./limits.ts";
import { openEntry } from "./zip.ts";

/** An open file that has offsets; `size` in bytes. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
}

const READ_BYTES = 1 << 18;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const UNIX = 3;
const FILE_TYPE = 0xf000;
/** None, regular, and what zip notes for text that came through a pipe. */
const TEXT_TYPES: readonly number[] = [0, 0x8000, 0x1000];

/** The central directory, or undefined where there is none that can be read. */
export async function openDirectory({ fd }: OpenFile): Promise<ZipFile | undefined> {
  const { fromFdPromise } = await import("yauzl");
  return fromFdPromise(fd, { autoClose: false, decodeStrings: false, validateEntrySizes: false }).catch(() => undefined);
}

/** The regular files of a zip archive. Throws SourceError where the directory is wrong; a wrong entry says so itself. */
export async function* readDirectory(zip: ZipFile, file: OpenFile, source: string | undefined, outer: Meter): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()[Symbol.asyncIterator]();
  for (;;) {
    const next = await entries.next().catch((error: unknown) => {
      throw corrupt(source, "its directory is wrong", error);
    });
    if (next.done === true) return;
    const entry = next.value;
    const name = decodeName(entry.fileNameRaw);
    if (name.endsWith("/") || !isRegular(entry)) continue;
    const header = {
      name,
      flags: entry.generalPurposeBitFlag,
      method: entry.compressionMethod,
      sum: entry.crc32,
      size: entry.uncompressedSize,
    };
    const member = memberName(source, name);
    yield openEntry(readPacked(entry, file, member), header, member, outer);
  }
}

function isRegular({ versionMadeBy, externalFileAttributes }: DirectoryEntry): boolean {
  return versionMadeBy >> 8 !== UNIX || TEXT_TYPES.includes((externalFileAttributes >>> 16) & FILE_TYPE);
}

/** What the entry's own header has behind it. One read is enough for a short file. */
async function* readPacked(entry: DirectoryEntry, { fd }: OpenFile, source: string): AsyncGenerator<Uint8Array> {
  const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameLength, extraFieldLength } = entry;
  const guess = LOCAL_HEADER_BYTES + fileNameLength + extraFieldLength + compressedSize;
  const first = await readAt(fd, start, Math.min(READ_BYTES, guess), source);
  if (first.length < LOCAL_HEADER_BYTES) throw truncated(source);
  if (first.readUInt32LE(0) !== LOCAL_HEADER) throw corrupt(source, "its header is wrong");
  const at = LOCAL_HEADER_BYTES + first.readUInt16LE(26) + first.readUInt16LE(28);
  const packed = first.subarray(at, at + compressedSize);
  yield packed;
  for (let left = compressedSize - packed.length; left > 0; ) {
    const bytes = await readAt(fd, start + at + compressedSize - left, Math.min(READ_BYTES, left), source);
    if (bytes.length === 0) throw truncated(source);
    left -= bytes.length;
    yield bytes;
  }
}

function readAt(fd: number, position: number, count: number, source: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(fd, Buffer.allocUnsafeSlow(count), 0, count, position, (error, length, bytes) => {
      if (error === null) resolve(bytes.subarray(0, length));
      else reject(SourceError.from(source, error));
    });
  });
}
