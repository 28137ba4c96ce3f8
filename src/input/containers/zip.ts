// Reads zip archives in files, pipes and other containers as a stream, by the local header before each file. Compares the files with the
// directory after them.
import { SourceError } from "../../base/errors.ts";
import type { Pacer } from "../pacer.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ArchiveError, Entry, LeftOut, SourceName } from "./entry.ts";
import { isZero, skipAll, takeAll, truncated } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { readU16, readU32, readU64 } from "./little-endian.ts";
import { DirectoryComparison } from "./zip-comparison.ts";
import { ZipFile } from "./zip-file.ts";
import * as zip from "./zip-headers.ts";
import type { ZipIndex } from "./zip-index.ts";

/** A record: its fixed length in bytes, and the field that gives the length of its rest. */
interface OtherRecord {
  readonly bytes: number;
  readonly length?: { readonly at: number; readonly read: typeof readU32 };
}

/** Other records after the files, by signature: archive extra data, digital signature, zip64 locator. */
const OTHERS: ReadonlyMap<number, OtherRecord> = new Map([
  [0x08064b50, { bytes: 8, length: { at: 4, read: readU32 } }],
  [0x05054b50, { bytes: 6, length: { at: 4, read: readU16 } }],
  [0x07064b50, { bytes: 20 }],
]);
/** Signatures of a split or spanned archive, before its first file. */
const SPLIT_SIGNATURES: readonly number[] = [0x30304b50, 0x08074b50];
/** Marks a number of entries that is in the zip64 end record instead. */
const COUNT_ELSEWHERE = 0xffff;
/** Most bytes that are searched for a header at a time. */
const SCAN_BYTES = 1 << 16;

/** The start and end offsets of an archive's directory in the reader, and the numbers of its zip64 end record. */
interface Directory {
  readonly start: number;
  end: number;
  zip64?: { readonly entries: number; readonly bytes: number; readonly offset: number };
}

/** Reads concatenated archives. */
export class ZipReader {
  readonly #reader: ByteReader;
  readonly #source: SourceName;
  readonly #meter: Meter;
  readonly #pacer: Pacer;
  readonly #index: ZipIndex | undefined;
  readonly #comparison = new DirectoryComparison();
  #directory: Directory | undefined;
  /** Whether the end record of the last archive has been read, and no file after it. */
  #hasEnded = false;
  /** Whether the error for data after this end record has been yielded. */
  #hasReportedTrailing = false;

  /** `index`: the archive's directory, if the archive is in a file. */
  constructor(reader: ByteReader, source: SourceName, meter: Meter, pacer: Pacer, index: ZipIndex | undefined) {
    this.#reader = reader;
    this.#source = source;
    this.#meter = meter;
    this.#pacer = pacer;
    this.#index = index;
  }

  /** Yields files, other members, and errors of the archive. Throws SourceError if the archive is truncated. */
  async *read(): AsyncGenerator<Entry | LeftOut | ArchiveError> {
    const reader = this.#reader;
    for (;;) {
      const start = await reader.peek(zip.PLAUSIBLE_BYTES);
      if (start.length === 0 && this.#hasEnded) {
        // Throws the error of the source, if the reader ended with one.
        await reader.take(1);
        return;
      }
      if (start.length < 4) {
        if (!this.#hasEnded) throw await this.#endError();
        yield* this.#skipGap();
        continue;
      }
      const signature = readU32(start, 0);
      const other = OTHERS.get(signature);
      if (signature === zip.FILE_HEADER && (await this.#fits(start))) {
        this.#hasEnded = false;
        yield* this.#readFile();
      } else if (signature === zip.DIRECTORY_ENTRY) yield* this.#readEntry();
      else if (signature === zip.DIRECTORY_END) yield* this.#readEnd();
      else if (signature === zip.ZIP64_END) await this.#readZip64End();
      else if (other !== undefined) await this.#skipOther(other);
      else if (SPLIT_SIGNATURES.includes(signature) && reader.position === 0) await reader.skip(4);
      else yield* this.#skipGap();
    }
  }

  /** Returns whether a header may be true: a file that the directory does not list must not overlap the next file that it lists. */
  async #fits(header: Uint8Array): Promise<boolean> {
    const at = this.#reader.position;
    if (this.#index === undefined || this.#index.has(at) || header.length < zip.PLAUSIBLE_BYTES - 2) return true;
    const next = await this.#index.next(at);
    if (next === undefined) return true;
    const { packedSize, flags } = zip.readFileHeader(header);
    return (flags & zip.FLAG_SIZES_AFTER) !== 0 || packedSize === zip.ELSEWHERE || at + zip.headerBytes(header) + packedSize <= next;
  }

  async *#readFile(): AsyncGenerator<Entry | ArchiveError> {
    const reader = this.#reader;
    const offset = reader.position;
    const found = zip.readFileHeader(await this.#takeHeader());
    const entry = await this.#index?.find(offset, found);
    this.#comparison.addFile(found, offset);
    const header = entry === undefined ? found : { ...entry, name: found.name };
    const source = this.#source.member(header.name).text;
    const hasDescriptor = (found.flags & zip.FLAG_SIZES_AFTER) !== 0;
    const isOpenEnded = entry === undefined && hasDescriptor;
    const file = new ZipFile({ reader, header, source, meter: this.#meter, pacer: this.#pacer, hasDescriptor, isOpenEnded });
    if (entry === undefined ? !header.name.endsWith("/") : entry.isFile) yield file.entry;
    try {
      const sizes = await file.finish();
      if (sizes !== undefined) this.#comparison.addSizes(zip.sizeHashOf(sizes));
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== "ERR_URLMILL_CORRUPT") throw error;
      // Reading continues at the next header.
      yield { error };
    }
  }

  async #takeHeader(): Promise<Uint8Array> {
    const start = await this.#reader.peek(zip.headerBytes(await this.#reader.peek(4)));
    return takeAll(this.#reader, zip.headerBytes(start));
  }

  async *#readEntry(): AsyncGenerator<LeftOut> {
    this.#directory ??= { start: this.#reader.position, end: 0 };
    const entry = zip.readDirectoryEntry(await this.#takeHeader());
    this.#comparison.addEntry(entry);
    this.#directory.end = this.#reader.position;
    // Only the directory has the type, and in a pipe the directory comes after the files.
    if (entry.leftOut !== undefined) yield { name: entry.name, leftOut: entry.leftOut };
  }

  async *#readEnd(): AsyncGenerator<ArchiveError> {
    const location = this.#reader.position;
    const end = await takeAll(this.#reader, zip.DIRECTORY_END_BYTES);
    const comment = readU16(end, 20);
    await skipAll(this.#reader, comment);
    const { start, end: after, zip64 } = this.#directory ?? { start: location, end: location };
    const [count, length, offset] = [readU16(end, 10), readU32(end, 12), readU32(end, 16)];
    const base = start - (offset === zip.ELSEWHERE ? (zip64?.offset ?? offset) : offset);
    const { entries } = this.#comparison;
    const isCounted = count === COUNT_ELSEWHERE && zip64 !== undefined ? zip64.entries === entries : count === entries % 2 ** 16;
    const isWhole = isCounted && after - start === (length === zip.ELSEWHERE ? zip64?.bytes : length);
    this.#directory = undefined;
    this.#hasEnded = true;
    this.#hasReportedTrailing = false;
    const error = await this.#comparison.compare(base, isWhole, this.#reader.source, () => this.#reader.pause());
    if (error !== undefined) yield { error };
  }

  async #readZip64End(): Promise<void> {
    const location = this.#reader.position;
    const bytes = await takeAll(this.#reader, zip.ZIP64_END_BYTES);
    const number = (at: number): number => readU64(bytes, at);
    this.#directory ??= { start: location, end: location };
    this.#directory.zip64 = { entries: number(32), bytes: number(40), offset: number(48) };
    await this.#reader.skip(Math.max(0, number(4) + 12 - zip.ZIP64_END_BYTES));
  }

  async #skipOther({ bytes, length }: OtherRecord): Promise<void> {
    const header = await takeAll(this.#reader, bytes);
    const rest = length === undefined ? 0 : length.read(header, length.at);
    await skipAll(this.#reader, rest);
  }

  /** Skips to the next header. After the end of the archive, skipped bytes other than zero are an error. */
  async *#skipGap(): AsyncGenerator<ArchiveError> {
    const reader = this.#reader;
    const limit = await this.#index?.next(reader.position);
    for (let first = 1; ; first = 0) {
      const left = limit === undefined ? SCAN_BYTES : Math.min(SCAN_BYTES, limit - reader.position);
      const bytes = await reader.peek(Math.max(left, 0) + zip.PLAUSIBLE_BYTES);
      const next = zip.findHeader(bytes, first);
      const isLast = bytes.length < zip.PLAUSIBLE_BYTES + left;
      const skipped = Math.min(next ?? (isLast ? bytes.length : left), limit === undefined ? bytes.length : left);
      if (this.#hasEnded && !this.#hasReportedTrailing && !isZero(bytes.subarray(0, skipped))) {
        this.#hasReportedTrailing = true;
        yield {
          error: new SourceError("ERR_URLMILL_TRAILING", this.#reader.source, "has other data after its zip archive, which was not read"),
        };
      }
      await reader.skip(skipped);
      if (next !== undefined || isLast || reader.position === limit) return;
    }
  }

  /** Returns the error for an archive without an end record. */
  async #endError(): Promise<unknown> {
    try {
      await this.#reader.take(zip.PLAUSIBLE_BYTES);
      await this.#reader.next();
      return truncated(this.#reader.source);
    } catch (error) {
      return error;
    }
  }
}
