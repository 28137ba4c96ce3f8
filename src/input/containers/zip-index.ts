// The central directory of a zip archive in a file. It has sizes that local headers lack, and the types of entries.
import { readU32, readU64 } from "../../base/arrays.ts";
import * as zip from "./zip-headers.ts";

/** An open file with random access; `size` in bytes. */
export interface OpenFile {
  readonly size: number;
  /** Returns `count` bytes at `offset`, fewer at the end, none if they cannot be read. */
  load(offset: number, count: number): Promise<Uint8Array>;
}

const NOTHING: Uint8Array = new Uint8Array(0);
const READ_BYTES = 1 << 18;
const COMMENT_BYTES_MAX = 0xffff;
const LOCATOR = 0x07064b50; // Signature of the locator of the zip64 end record
const LOCATOR_BYTES = 20;
const UNSORTED_MAX = 50_000; // Most entries of a directory whose order differs from that of its files: sorting blocks the event loop
/** Most bytes of an unsorted directory. It is kept in memory, because its entries are read in the order of the files. */
const UNSORTED_BYTES_MAX = 1 << 24;

/** The entries of a directory, by the ascending offsets of their files. */
export interface ZipIndex {
  /** Offset of the archive in the file. */
  readonly base: number;
  /** Returns the offset of the first file from `offset` on, or of the directory; undefined outside the archive. Offsets must ascend. */
  next(offset: number): number | undefined;
  /** Returns the entry of the file at the offset that `next` returned last. */
  entry(): Promise<zip.DirectoryEntry | undefined>;
}

/** Returns the index of the last directory; undefined if it cannot be trusted (A11), or is unsorted and large. Awaits `pause` often. */
export async function openZipIndex(file: OpenFile, pause: () => Promise<void>): Promise<ZipIndex | undefined> {
  const read = buffered(file);
  const range = await findDirectory(read, file.size);
  if (range === undefined) return undefined;
  const files = await listFiles(read, range, pause);
  if (files === undefined) return undefined;
  const { base, start } = range;
  const { offsets, locations } = files;
  const first = offsets.length === 0 ? undefined : await file.load(offsets[0], 4);
  if (first !== undefined && readU32(first, 0) !== zip.FILE_HEADER) return undefined;
  /** Index of the first file that is not before the last offset asked for. */
  let at = 0;
  return {
    base,
    next: (offset) => {
      if (offset < base || offset >= start) return undefined;
      while (offsets[at] < offset) at++;
      return offsets[at] ?? start;
    },
    entry: () => readEntry(read, locations[at]),
  };
}

/** Returns the offsets of the files of a directory, ascending, and those of their entries; undefined as `openZipIndex` does. */
async function listFiles(read: Read, { start, end, base }: DirectoryRange, pause: () => Promise<void>) {
  const [offsets, ends, locations]: [number[], number[], number[]] = [[], [], []];
  let isSorted = true;
  for (let location = start; location < end; ) {
    if (offsets.length % 1000 === 0) await pause();
    const entry = await readEntry(read, location);
    if (entry === undefined) return undefined;
    const offset = base + entry.offset;
    isSorted &&= offset >= (offsets.at(-1) ?? 0);
    offsets.push(offset);
    ends.push(offset + zip.FILE_HEADER_BYTES + entry.packedSize);
    locations.push(location);
    location += entry.bytes;
  }
  if (!isSorted && (offsets.length > UNSORTED_MAX || end - start > UNSORTED_BYTES_MAX)) return undefined;
  const order = offsets.map((_, index) => index);
  if (!isSorted) order.sort((one, other) => offsets[one] - offsets[other]);
  // Files that share bytes could be a bomb: a stream has each byte once.
  if (order.some((at, index) => ends[at] > (offsets[order[index + 1]] ?? start))) return undefined;
  if (!isSorted) await read(start, end - start);
  const sorted = (numbers: readonly number[]): Float64Array => Float64Array.from(order, (index) => numbers[index]);
  return { offsets: sorted(offsets), locations: sorted(locations) };
}

async function readEntry(read: Read, location: number): Promise<zip.DirectoryEntry | undefined> {
  let bytes = await read(location, zip.headerBytes(NOTHING));
  if (readU32(bytes, 0) !== zip.DIRECTORY_ENTRY) return undefined;
  const wanted = zip.headerBytes(bytes);
  bytes = await read(location, wanted);
  return bytes.length < wanted ? undefined : zip.readDirectoryEntry(bytes);
}

interface DirectoryRange {
  readonly start: number;
  readonly end: number;
  /** Offset of the archive in the file. */
  readonly base: number;
}

/** Finds the last directory. Its end record may be followed by a comment. */
async function findDirectory(read: Read, size: number): Promise<DirectoryRange | undefined> {
  const from = Math.max(0, size - zip.DIRECTORY_END_BYTES - COMMENT_BYTES_MAX);
  const tail = await read(from, size - from);
  for (let at = tail.length - zip.DIRECTORY_END_BYTES; at >= 0; at--) {
    if (readU32(tail, at) !== zip.DIRECTORY_END) continue;
    const found = await readEnd(read, from + at, tail.subarray(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readEnd(read: Read, location: number, bytes: Uint8Array): Promise<DirectoryRange | undefined> {
  let length = readU32(bytes, 12);
  let offset = readU32(bytes, 16);
  // The zip64 end record may have all numbers, or only the count of entries.
  const long = await findZip64End(read, location);
  if (long !== undefined) {
    const numbers = await read(long, zip.ZIP64_END_BYTES);
    if (length === zip.ELSEWHERE) length = readU64(numbers, 40);
    if (offset === zip.ELSEWHERE) offset = readU64(numbers, 48);
  } else if (offset === zip.ELSEWHERE || length === zip.ELSEWHERE) return undefined;
  const end = long ?? location;
  const start = end - length;
  if (start - offset < 0) return undefined;
  if (length > 0 && (await readEntry(read, start)) === undefined) return undefined;
  return { start, end, base: start - offset };
}

/** Finds the zip64 end record whose locator is before `location`. It is directly before the locator, or at the locator's offset. */
async function findZip64End(read: Read, location: number): Promise<number | undefined> {
  if (location < LOCATOR_BYTES) return undefined;
  const locator = await read(location - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.length < LOCATOR_BYTES || readU32(locator, 0) !== LOCATOR) return undefined;
  const said = readU64(locator, 8);
  for (const at of [location - LOCATOR_BYTES - zip.ZIP64_END_BYTES, said]) {
    if (at < 0 || at > location) continue;
    const bytes = await read(at, zip.ZIP64_END_BYTES);
    if (bytes.length === zip.ZIP64_END_BYTES && readU32(bytes, 0) === zip.ZIP64_END) return at;
  }
  return undefined;
}

/** Returns `count` bytes at `offset`, fewer at the end or if they cannot be read. They are valid until the next call. */
type Read = (offset: number, count: number) => Promise<Uint8Array>;

/** Returns a function that reads a file at any offset through a buffer of one block. */
function buffered(file: OpenFile): Read {
  let [block, start] = [NOTHING, 0];
  return async (offset, count) => {
    if (offset < start || offset + count > start + block.length) {
      block = await file.load(offset, Math.max(count, READ_BYTES));
      start = offset;
    }
    return block.subarray(offset - start, offset - start + count);
  };
}
