// zip as it comes, by the header before each file: in a pipe, or in another container.
import type { ByteReader } from "./byte-reader.ts";
import { decodeName, type Entry, memberName } from "./entry.ts";
import { corrupt, takeAll, truncated } from "./faults.ts";
import { inflateRaw } from "./inflate.ts";
import type { Meter } from "./limits.ts";
import { Slice } from "./slice.ts";
import { DEFLATED, openEntry, refuseUnread, TextSum, type ZipHeader } from "./zip.ts";

const FILE_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DESCRIPTOR_SIGNATURE = Buffer.from("PK\x07\x08", "latin1");
const END = 0x06054b50;
/**
 * What stands behind the files, before the end: entries of the directory, archive extra data, a signature, the end and its locator of
 * zip64. Each has lengths of what follows it at some bytes behind its mark.
 */
const BEHIND_FILES: ReadonlyMap<
  number,
  { readonly bytes: number; readonly lengths: readonly (readonly [at: number, bytes: 2 | 4 | 6])[] }
> = new Map([
  [
    0x02014b50,
    {
      bytes: 42,
      lengths: [
        [24, 2],
        [26, 2],
        [28, 2],
      ],
    },
  ],
  [0x08064b50, { bytes: 4, lengths: [[0, 4]] }],
  [0x05054b50, { bytes: 2, lengths: [[0, 2]] }],
  [0x06064b50, { bytes: 8, lengths: [[0, 6]] }],
  [0x07064b50, { bytes: 16, lengths: [] }],
]);
/** Marks of an archive that was meant to be split, before its first file. */
const SPLIT_MARKS: readonly number[] = [0x30304b50, DESCRIPTOR];

const FLAG_SIZES_BEHIND = 8;
const ZIP64 = 1;
const UNKNOWN_SIZE = 0xffffffff;
const DESCRIPTOR_BYTES = 24;
const SCAN_BYTES = 1 << 16;

interface LocalHeader extends ZipHeader {
  readonly packedSize: number;
}

/**
 * The files of a zip archive. Throws SourceError where no header stands although one should, where the archive is cut off, and where
 * the end of a file was not found.
 */
export async function* readZipStream(reader: ByteReader, source: string | undefined, outer: Meter): AsyncGenerator<Entry> {
  for (;;) {
    const signature = Buffer.from(await takeAll(reader, 4, source)).readUInt32LE(0);
    if (SPLIT_MARKS.includes(signature) && reader.position === 4) continue;
    const behind = BEHIND_FILES.get(signature);
    if (behind !== undefined) {
      const fixed = Buffer.from(await takeAll(reader, behind.bytes, source));
      const length = behind.lengths.reduce((sum, [at, bytes]) => sum + fixed.readUIntLE(at, bytes), 0);
      if ((await reader.skip(length)) < length) throw truncated(source);
      continue;
    }
    if (signature === END) {
      await takeAll(reader, 18, source);
      await reader.skip(Number.POSITIVE_INFINITY);
      return;
    }
    if (signature !== FILE_HEADER) throw corrupt(source, "a header of zip is wrong");
    const header = await readHeader(reader, source);
    const isFile = !header.name.endsWith("/");
    const member = memberName(source, header.name);
    const packed =
      (header.flags & FLAG_SIZES_BEHIND) === 0
        ? new Slice(reader, header.packedSize, source)
        : new OpenEnded(reader, header, member, outer);
    if (isFile) yield packed instanceof Slice ? openEntry(packed, header, member, outer) : packed.entry;
    await packed.finish();
  }
}

async function readHeader(reader: ByteReader, source: string | undefined): Promise<LocalHeader> {
  const fixed = Buffer.from(await takeAll(reader, 26, source));
  const name = decodeName(await takeAll(reader, fixed.readUInt16LE(22), source));
  const extra = Buffer.from(await takeAll(reader, fixed.readUInt16LE(24), source));
  let packedSize = fixed.readUInt32LE(14);
  let size = fixed.readUInt32LE(18);
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64 || at + 20 > extra.length) continue;
    if (size === UNKNOWN_SIZE) size = Number(extra.readBigUInt64LE(at + 4));
    if (packedSize === UNKNOWN_SIZE) packedSize = Number(extra.readBigUInt64LE(at + 12));
  }
  return { name, flags: fixed.readUInt16LE(2), method: fixed.readUInt16LE(4), sum: fixed.readUInt32LE(10), size, packedSize };
}

/** A file whose size stands behind it: deflate data ends by itself, anything else where what follows says that it does. */
class OpenEnded {
  readonly entry: Entry;
  readonly #reader: ByteReader;
  readonly #source: string | undefined;
  readonly #start: number;
  readonly #text: AsyncGenerator<Uint8Array>;
  readonly #sum = new TextSum();
  #isRight: Promise<boolean> | undefined;

  constructor(reader: ByteReader, header: ZipHeader, source: string, outer: Meter) {
    this.#reader = reader;
    this.#source = source;
    this.#start = reader.position;
    const meter = outer.inner(source, () => reader.position - this.#start);
    const inflates = isRead(header) && header.method === DEFLATED;
    this.#text = inflates ? meter.count(inflateRaw(reader, source)) : findDescriptor(reader, source);
    this.entry = { name: header.name, chunks: this.#read(header), meter };
  }

  /** Goes behind the file and its descriptor. Throws SourceError where they have no end, and what stopped the reading before. */
  async finish(): Promise<boolean> {
    this.#isRight ??= this.#finish();
    return this.#isRight;
  }

  async *#read(header: ZipHeader): AsyncGenerator<Uint8Array> {
    refuseUnread(header, this.#source);
    // The decoder is not closed when the caller stops early: where the file ends is still to be found.
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) yield next;
    if (!(await this.finish())) throw corrupt(this.#source, "its checksum is wrong");
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#text.next();
      if (done === true) return undefined;
      this.#sum.add(value);
      return value;
    } catch (error) {
      this.#isRight = Promise.reject(error);
      this.#isRight.catch(() => undefined);
      throw error;
    }
  }

  async #finish(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#text.next();
      if (done === true) break;
      this.#sum.add(value);
    }
    const packedSize = this.#reader.position - this.#start;
    const bytes = Buffer.from(await this.#reader.peek(DESCRIPTOR_BYTES + 2));
    const found = readDescriptor(bytes, packedSize);
    if (found === undefined)
      throw bytes.length < DESCRIPTOR_BYTES ? truncated(this.#source) : corrupt(this.#source, "its end is not found");
    await takeAll(this.#reader, found.length, this.#source);
    return this.#sum.isOf(found);
  }
}

function isRead(header: ZipHeader): boolean {
  try {
    refuseUnread(header, undefined);
    return true;
  } catch {
    return false;
  }
}

/** The descriptor in front of `bytes`: with its signature or without, its sizes of four bytes or of eight, another header behind it. */
function readDescriptor(bytes: Buffer, packedSize: number): { length: number; sum: number; size: number } | undefined {
  const at = bytes.indexOf(DESCRIPTOR_SIGNATURE) === 0 ? 4 : 0;
  const isFollowed = (length: number): boolean => bytes[length] === 0x50 && bytes[length + 1] === 0x4b;
  if (isFollowed(at + 12) && bytes.readUInt32LE(at + 4) === packedSize % 2 ** 32) {
    return { length: at + 12, sum: bytes.readUInt32LE(at), size: bytes.readUInt32LE(at + 8) };
  }
  if (isFollowed(at + 20) && bytes.readBigUInt64LE(at + 4) === BigInt(packedSize)) {
    return { length: at + 20, sum: bytes.readUInt32LE(at), size: Number(bytes.readBigUInt64LE(at + 12)) };
  }
  return undefined;
}

/** The bytes before the descriptor that has their number in it. Throws SourceError where there is none. */
async function* findDescriptor(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const start = reader.position;
  for (;;) {
    const bytes = Buffer.from(await reader.peek(SCAN_BYTES));
    const packedSize = reader.position - start;
    let found = bytes.indexOf(DESCRIPTOR_SIGNATURE);
    while (found >= 0 && readDescriptor(bytes.subarray(found), packedSize + found) === undefined) {
      found = bytes.indexOf(DESCRIPTOR_SIGNATURE, found + 1);
    }
    if (found >= 0) {
      if (found > 0) yield await takeAll(reader, found, source);
      return;
    }
    const isLast = bytes.length < SCAN_BYTES;
    yield await takeAll(reader, isLast ? bytes.length : bytes.length - DESCRIPTOR_BYTES - 1, source);
    if (isLast) throw truncated(source);
  }
}
