// Files of zip whose sizes are behind them, in a descriptor: deflate data ends by itself, anything else where a descriptor says so.
import type { ByteReader } from "./byte-reader.ts";
import type { Entry } from "./entry.ts";
import { corrupt, takeAll, truncated, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import type { Meter } from "./limits.ts";
import { DEFLATED, refuseUnread, TextSum, type ZipHeader } from "./zip.ts";

const DESCRIPTOR_SIGNATURE = Buffer.from("PK\x07\x08", "latin1");
const DESCRIPTOR_BYTES = 24;
const SCAN_BYTES = 1 << 16;
const NO_END = "its end is not found";

/** What a descriptor tells, and where it is. */
interface Sizes {
  readonly sum: number;
  readonly size: number;
  readonly packedSize: number;
}

/** A file whose size stands behind it: deflate data ends by itself, anything else where what follows says that it does. */
export class OpenEnded {
  readonly entry: Entry;
  /** Checksum and sizes, once they have come. */
  sizes: Sizes | undefined;
  readonly #reader: ByteReader;
  readonly #source: string | undefined;
  readonly #start: number;
  readonly #text: AsyncGenerator<Uint8Array>;
  readonly #sum = new TextSum();
  #isRight: Promise<boolean> | undefined;

  constructor(reader: ByteReader, header: ZipHeader, source: string | undefined, outer: Meter) {
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
    if (!(await this.finish())) throw wrongSum(this.#source);
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
    if (found === undefined) throw bytes.length < DESCRIPTOR_BYTES ? truncated(this.#source) : corrupt(this.#source, NO_END);
    await takeAll(this.#reader, found.length, this.#source);
    this.sizes = { ...found, packedSize };
    return this.#sum.isOf(found);
  }
}

/** The descriptor of a file whose bytes the directory tells. */
export class Descriptor {
  readonly #reader: ByteReader;
  readonly #packedSize: number;
  readonly #source: string | undefined;
  #sizes: Promise<Sizes | undefined> | undefined;

  constructor(reader: ByteReader, packedSize: number, source: string | undefined) {
    this.#reader = reader;
    this.#packedSize = packedSize;
    this.#source = source;
  }

  /** Goes behind the descriptor; undefined if there is none. Throws SourceError where it is of another file, always the same one. */
  take(): Promise<Sizes | undefined> {
    this.#sizes ??= this.#take();
    return this.#sizes;
  }

  async #take(): Promise<Sizes | undefined> {
    const bytes = Buffer.from(await this.#reader.peek(DESCRIPTOR_BYTES + 2));
    const found = readDescriptor(bytes, this.#packedSize);
    if (found !== undefined) {
      await takeAll(this.#reader, found.length, this.#source);
      return { ...found, packedSize: this.#packedSize };
    }
    // Without its mark, or with something else than a header behind it, it is not told from other bytes.
    const isOther = bytes.indexOf(DESCRIPTOR_SIGNATURE) === 0 && bytes.length >= 12 && bytes.readUInt32LE(8) !== this.#packedSize % 2 ** 32;
    if (isOther) throw corrupt(this.#source, NO_END);
    return undefined;
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
