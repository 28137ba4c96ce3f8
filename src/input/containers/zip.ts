// zip, by the header before each file, as it comes: in a file, in a pipe, or in another container. What the directory after the files says
// is compared with what was found.
import { SourceError } from "../../base/errors.ts";
import type { Pacer } from "../pacer.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ArchiveError, Entry, LeftOut, SourceName } from "./entry.ts";
import { isZero, takeAll, truncated } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { readU16, readU32, readU64 } from "./little-endian.ts";
import { ZipFile } from "./zip-file.ts";
import * as zip from "./zip-headers.ts";
import type { ZipIndex } from "./zip-index.ts";
import { DirectoryComparison } from "./zip-listing.ts";

/** What else may be after the files: archive extra data, a signature, the locator of zip64; and where the lengths of their rest are. */
const OTHERS: ReadonlyMap<number, { readonly bytes: number; readonly length?: { readonly at: number; readonly read: typeof readU32 } }> =
  new Map([
    [0x08064b50, { bytes: 8, length: { at: 4, read: readU32 } }],
    [0x05054b50, { bytes: 6, length: { at: 4, read: readU16 } }],
    [0x07064b50, { bytes: 20 }],
  ]);
/** Marks of an archive that was meant to be split, before its first file. */
const SPLIT_MARKS: readonly number[] = [0x30304b50, 0x08074b50];
const COUNT_ELSEWHERE = 0xffff;
const SCAN_BYTES = 1 << 16;

/** Where the directory of an archive is, and what zip64 says of it. */
interface Directory {
  readonly start: number;
  end: number;
  long?: { readonly entries: number; readonly bytes: number; readonly offset: number };
}

/** Reads archives that are one after the other. */
export class ZipReader {
  readonly #reader: ByteReader;
  readonly #source: SourceName;
  readonly #meter: Meter;
  readonly #pacer: Pacer;
  readonly #index: ZipIndex | undefined;
  readonly #listing = new DirectoryComparison();
  #directory: Directory | undefined;
  /** The archive's end has come. */
  #hasEnded = false;
  /** The data after the end has been named. */
  #isNamed = false;

  /** `index`: the archive's directory, if the reader's bytes are a file's. */
  constructor(reader: ByteReader, source: SourceName, meter: Meter, pacer: Pacer, index: ZipIndex | undefined) {
    this.#reader = reader;
    this.#source = source;
    this.#meter = meter;
    this.#pacer = pacer;
    this.#index = index;
  }

  /** The files, the members that are none, and what is wrong with the archive. Throws SourceError where it is cut off. */
  async *read(): AsyncGenerator<Entry | LeftOut | ArchiveError> {
    const reader = this.#reader;
    for (;;) {
      const start = await reader.peek(zip.PLAUSIBLE_BYTES);
      if (start.length === 0 && this.#hasEnded) {
        // Throws what ended the reader, if it was an error.
        await reader.take(1);
        return;
      }
      if (start.length < 4) {
        if (!this.#hasEnded) throw await this.#cutOff();
        yield* this.#skipGap();
        continue;
      }
      const mark = readU32(start, 0);
      if (mark === zip.FILE_HEADER && (await this.#fits(start))) {
        this.#hasEnded = false;
        yield* this.#readFile();
      } else if (mark === zip.DIRECTORY_ENTRY) yield* this.#readEntry();
      else if (mark === zip.DIRECTORY_END) yield* this.#readEnd();
      else if (mark === zip.LONG_DIRECTORY_END) await this.#readLongEnd();
      else if (OTHERS.has(mark)) await this.#skipOther(mark);
      else if (SPLIT_MARKS.includes(mark) && reader.position === 0) await reader.skip(4);
      else yield* this.#skipGap();
    }
  }

  /** Whether a file begins here: one that the directory does not list ends before the next that it lists. */
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
    this.#listing.addFile(found, offset);
    const header = entry === undefined ? found : { ...entry, name: found.name };
    const source = this.#source.member(header.name).text;
    const hasDescriptor = (found.flags & zip.FLAG_SIZES_AFTER) !== 0;
    const isOpenEnded = entry === undefined && hasDescriptor;
    const file = new ZipFile({ reader, header, source, meter: this.#meter, pacer: this.#pacer, hasDescriptor, isOpenEnded });
    if (entry === undefined ? !header.name.endsWith("/") : entry.isFile) yield file.entry;
    try {
      const sizes = await file.finish();
      if (sizes !== undefined) this.#listing.addSizes(zip.printOf(sizes));
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== "ERR_URLMILL_CORRUPT") throw error;
      // Where the next file begins is looked for.
      yield { error: error };
    }
  }

  async #takeHeader(): Promise<Uint8Array> {
    const start = await this.#reader.peek(zip.headerBytes(await this.#reader.peek(4)));
    return takeAll(this.#reader, zip.headerBytes(start), this.#source.text);
  }

  async *#readEntry(): AsyncGenerator<LeftOut> {
    this.#directory ??= { start: this.#reader.position, end: 0 };
    const entry = zip.readDirectoryEntry(await this.#takeHeader());
    this.#listing.addEntry(entry);
    this.#directory.end = this.#reader.position;
    // Only the directory says it, which a pipe brings after the files.
    if (entry.leftOut !== undefined) yield { name: entry.name, leftOut: entry.leftOut };
  }

  async *#readEnd(): AsyncGenerator<ArchiveError> {
    const place = this.#reader.position;
    const end = await takeAll(this.#reader, zip.DIRECTORY_END_BYTES, this.#source.text);
    const comment = readU16(end, 20);
    if ((await this.#reader.skip(comment)) < comment) throw truncated(this.#source.text);
    const { start, end: after, long } = this.#directory ?? { start: place, end: place };
    const [count, length, offset] = [readU16(end, 10), readU32(end, 12), readU32(end, 16)];
    const base = start - (offset === zip.ELSEWHERE ? (long?.offset ?? offset) : offset);
    const { entries } = this.#listing;
    const isCounted = count === COUNT_ELSEWHERE && long !== undefined ? long.entries === entries : count === entries % 2 ** 16;
    const isWhole = isCounted && after - start === (length === zip.ELSEWHERE ? long?.bytes : length);
    this.#directory = undefined;
    this.#hasEnded = true;
    this.#isNamed = false;
    const error = await this.#listing.compare(base, isWhole, this.#source.text, () => this.#reader.pause());
    if (error !== undefined) yield { error };
  }

  async #readLongEnd(): Promise<void> {
    const place = this.#reader.position;
    const bytes = await takeAll(this.#reader, zip.LONG_DIRECTORY_END_BYTES, this.#source.text);
    const number = (at: number): number => readU64(bytes, at);
    this.#directory ??= { start: place, end: place };
    this.#directory.long = { entries: number(32), bytes: number(40), offset: number(48) };
    await this.#reader.skip(Math.max(0, number(4) + 12 - zip.LONG_DIRECTORY_END_BYTES));
  }

  async #skipOther(mark: number): Promise<void> {
    const { bytes = 0, length } = OTHERS.get(mark) ?? {};
    const header = await takeAll(this.#reader, bytes, this.#source.text);
    const rest = length === undefined ? 0 : length.read(header, length.at);
    if ((await this.#reader.skip(rest)) < rest) throw truncated(this.#source.text);
  }

  /** Goes to the next header: bytes between files are not the archive's. After its end they are named. */
  async *#skipGap(): AsyncGenerator<ArchiveError> {
    const reader = this.#reader;
    const limit = await this.#index?.next(reader.position);
    for (let first = 1; ; first = 0) {
      const left = limit === undefined ? SCAN_BYTES : Math.min(SCAN_BYTES, limit - reader.position);
      const bytes = await reader.peek(Math.max(left, 0) + zip.PLAUSIBLE_BYTES);
      const next = zip.findHeader(bytes, first);
      const isLast = bytes.length < zip.PLAUSIBLE_BYTES + left;
      const skipped = Math.min(next ?? (isLast ? bytes.length : left), limit === undefined ? bytes.length : left);
      if (this.#hasEnded && !this.#isNamed && !isZero(bytes.subarray(0, skipped))) {
        this.#isNamed = true;
        yield {
          error: new SourceError("ERR_URLMILL_TRAILING", this.#source.text, "has other data after its zip archive, which was not read"),
        };
      }
      await reader.skip(skipped);
      if (next !== undefined || isLast || reader.position === limit) return;
    }
  }

  /** The error for an archive without an end. */
  async #cutOff(): Promise<unknown> {
    try {
      await this.#reader.take(zip.PLAUSIBLE_BYTES);
      await this.#reader.next();
      return truncated(this.#source.text);
    } catch (error) {
      return error;
    }
  }
}
