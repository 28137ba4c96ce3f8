// The central directory of a zip archive in a file. It has sizes that local headers lack, and the types of entries.
import { readU32, readU64 } from "./little-endian.ts";
import * as zip from "./zip-headers.ts";

/** An open file with random access; `size` in bytes. */
export interface OpenFile {
  readonly size: number;
  /** Returns `count` bytes at `offset`, fewer at the end, none if they cannot be read. */
  load(offset: number, count: number): Promise<Uint8Array>;
}

const NOTHING = new Uint8Array(0);
/** Bytes per read of the directory. */
const READ_BYTES = 1 << 18;
/** Bytes per read of local headers: small, because the next one may be far away. */
const HEADER_READ_BYTES = 1 << 12;
const COMMENT_BYTES_MAX = 0xffff;
/** Signature of the locator of the zip64 end record. */
const LOCATOR = 0x07064b50;
/** Bytes of the locator. */
const LOCATOR_BYTES = 20;
/** Most entries of a directory whose order differs from that of its files: sorting blocks the event loop. */
const UNSORTED_MAX = 50_000;
/** Most bytes of an unsorted directory. It is kept in memory, because its entries are read in the order of the files. */
const UNSORTED_BYTES_MAX = 1 << 24;

/** The entries of a directory by the offsets of their files. An offset is right if it leads to a local header with the entry's name. */
export class ZipIndex {
  readonly #file: BufferedFile;
  /** Ascending offsets of files, as the directory gives them. */
  readonly #offsets: Float64Array;
  /** Offsets of the entries of these files. */
  readonly #locations: Float64Array;
  /** Offset of the directory, which is after all files. */
  readonly #end: number;
  /** Reads local headers, in ascending order. */
  readonly #headers: BufferedFile;
  readonly #pause: () => Promise<void>;
  /** Index of the first of `#offsets` that is not below the last offset asked for. */
  #next = 0;
  /** Index in `#offsets` of the last result of `next`, which is right. The offsets that `next` skipped before it are wrong. */
  #ahead = -1;

  private constructor(open: OpenFile, file: BufferedFile, offsets: number[], locations: number[], end: number, pause: () => Promise<void>) {
    this.#file = file;
    this.#offsets = new Float64Array(offsets);
    this.#locations = new Float64Array(locations);
    this.#end = end;
    this.#headers = new BufferedFile(open, HEADER_READ_BYTES);
    this.#pause = pause;
  }

  /**
   * Returns the index of the last directory in `open`. Returns undefined if there is none, or if it is unsorted and large. Awaits `pause`
   * now and then.
   */
  static async open(open: OpenFile, pause: () => Promise<void>): Promise<ZipIndex | undefined> {
    const file = new BufferedFile(open, READ_BYTES);
    const found = await findDirectory(file, open.size);
    if (found === undefined) return undefined;
    const { start, end, base } = found;
    const [offsets, locations]: [number[], number[]] = [[], []];
    let isSorted = true;
    let location = start;
    while (location < end) {
      if (offsets.length % 1000 === 0) await pause();
      const entry = await readEntry(file, location);
      if (entry === undefined) break;
      isSorted &&= base + entry.offset >= (offsets.at(-1) ?? 0);
      offsets.push(base + entry.offset);
      locations.push(location);
      location += entry.bytes;
    }
    if (isSorted) return new ZipIndex(open, file, offsets, locations, start, pause);
    if (offsets.length > UNSORTED_MAX || location - start > UNSORTED_BYTES_MAX) return undefined;
    await file.read(start, location - start);
    const order = offsets.map((_, index) => index).sort((one, other) => offsets[one] - offsets[other]);
    const sorted = (numbers: readonly number[]): number[] => order.map((index) => numbers[index]);
    return new ZipIndex(open, file, sorted(offsets), sorted(locations), start, pause);
  }

  /**
   * Returns the entry of the file with `header` at `offset`. Returns undefined if there is none, if its name differs, or if its size leads
   * into the next file. Offsets must ascend from call to call.
   */
  async find(offset: number, header: zip.FileHeader): Promise<zip.DirectoryEntry | undefined> {
    if (!this.has(offset)) return undefined;
    const entry = await readEntry(this.#file, this.#locations[this.#next]);
    if (entry?.name !== header.name) return undefined;
    const end = offset + header.bytes + entry.packedSize;
    if (end <= (this.#offsets[this.#next + 1] ?? this.#end)) return entry;
    return end <= ((await this.next(offset)) ?? end) ? entry : undefined;
  }

  /** Returns whether the directory has a file at `offset`. */
  has(offset: number): boolean {
    this.#skip(offset);
    return this.#offsets[this.#next] === offset;
  }

  /**
   * Returns the first right offset of a file after `offset`. If there is none, returns the offset of the directory, or undefined if that is
   * not after `offset`.
   */
  async next(offset: number): Promise<number | undefined> {
    this.#skip(offset);
    let at = this.#next;
    while (this.#offsets[at] === offset) at++;
    if (at <= this.#ahead) at = this.#ahead;
    else {
      for (let count = 1; at < this.#offsets.length && !(await this.#isRight(at)); at++) if (count++ % 1000 === 0) await this.#pause();
      this.#ahead = at;
    }
    return this.#offsets[at] ?? (offset < this.#end ? this.#end : undefined);
  }

  async #isRight(at: number): Promise<boolean> {
    const offset = this.#offsets[at];
    if (offset + zip.FILE_HEADER_BYTES > this.#end) return false;
    const start = await this.#headers.read(offset, zip.FILE_HEADER_BYTES);
    if (start.length < zip.FILE_HEADER_BYTES || readU32(start, 0) !== zip.FILE_HEADER) return false;
    const count = zip.headerBytes(start);
    const header = await this.#headers.read(offset, count);
    if (header.length < count) return false;
    const entry = await readEntry(this.#file, this.#locations[at]);
    return entry?.name === zip.readFileHeader(header).name;
  }

  #skip(offset: number): void {
    while ((this.#offsets[this.#next] ?? Number.POSITIVE_INFINITY) < offset) this.#next++;
  }
}

async function readEntry(file: BufferedFile, location: number): Promise<zip.DirectoryEntry | undefined> {
  let bytes = await file.read(location, zip.headerBytes(NOTHING));
  if (bytes.length < 4 || readU32(bytes, 0) !== zip.DIRECTORY_ENTRY) return undefined;
  const wanted = zip.headerBytes(bytes);
  bytes = await file.read(location, wanted);
  return bytes.length < wanted ? undefined : zip.readDirectoryEntry(bytes);
}

interface DirectoryRange {
  readonly start: number;
  readonly end: number;
  /** Offset of the archive in the file. */
  readonly base: number;
}

/** Finds the last directory. Its end record may be followed by a comment. */
async function findDirectory(file: BufferedFile, size: number): Promise<DirectoryRange | undefined> {
  const from = Math.max(0, size - zip.DIRECTORY_END_BYTES - COMMENT_BYTES_MAX);
  const tail = await file.read(from, size - from);
  for (let at = tail.length - zip.DIRECTORY_END_BYTES; at >= 0; at--) {
    if (readU32(tail, at) !== zip.DIRECTORY_END) continue;
    const found = await readEnd(file, from + at, tail.subarray(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readEnd(file: BufferedFile, location: number, bytes: Uint8Array): Promise<DirectoryRange | undefined> {
  let end = location;
  let length = readU32(bytes, 12);
  let offset = readU32(bytes, 16);
  // The zip64 end record may have all numbers, or only the count of entries.
  const long = await readZip64End(file, location);
  if (long !== undefined) {
    end = long.location;
    if (length === zip.ELSEWHERE) length = readU64(long.bytes, 40);
    if (offset === zip.ELSEWHERE) offset = readU64(long.bytes, 48);
  } else if (offset === zip.ELSEWHERE || length === zip.ELSEWHERE) return undefined;
  const start = end - length;
  if (start - offset < 0) return undefined;
  if (length > 0 && (await readEntry(file, start)) === undefined) return undefined;
  return { start, end, base: start - offset };
}

/** Reads the zip64 end record whose locator is before `location`. It is directly before the locator, or at the locator's offset. */
async function readZip64End(
  file: BufferedFile,
  location: number,
): Promise<{ readonly location: number; readonly bytes: Uint8Array } | undefined> {
  if (location < LOCATOR_BYTES) return undefined;
  const locator = await file.read(location - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.length < LOCATOR_BYTES || readU32(locator, 0) !== LOCATOR) return undefined;
  const said = readU64(locator, 8);
  for (const at of [location - LOCATOR_BYTES - zip.ZIP64_END_BYTES, said]) {
    if (at < 0 || at > location) continue;
    const bytes = await file.read(at, zip.ZIP64_END_BYTES);
    if (bytes.length === zip.ZIP64_END_BYTES && readU32(bytes, 0) === zip.ZIP64_END) return { location: at, bytes };
  }
  return undefined;
}

/** Reads a file at any offset through a buffer of one block. */
class BufferedFile {
  readonly #file: OpenFile;
  readonly #blockBytes: number;
  #block: Uint8Array = NOTHING;
  #start = 0;

  constructor(file: OpenFile, blockBytes: number) {
    this.#file = file;
    this.#blockBytes = blockBytes;
  }

  /** Returns `count` bytes, fewer at the end or if they cannot be read. They are valid until the next call. */
  async read(offset: number, count: number): Promise<Uint8Array> {
    const at = offset - this.#start;
    if (at < 0 || at + count > this.#block.length) {
      this.#block = await this.#file.load(offset, Math.max(count, this.#blockBytes));
      this.#start = offset;
    }
    return this.#block.subarray(offset - this.#start, offset - this.#start + count);
  }
}
