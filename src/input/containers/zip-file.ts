// One file of a zip archive: its packed bytes, its text, and the descriptor that may follow it.
import { SourceError } from "../../base/errors.ts";
import type { Pacer } from "../pacer.ts";
import { ByteReader } from "./byte-reader.ts";
import { crc32 } from "./crc32.ts";
import type { Entry } from "./entry.ts";
import { corrupt, takeAll, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import type { Meter } from "./limits.ts";
import { hasBytes, readU32 } from "./little-endian.ts";
import { Slice } from "./slice.ts";
import {
  DEFLATED,
  DESCRIPTOR_SIGNATURE,
  type FileHeader,
  FLAG_ENCRYPTED,
  findDescriptor,
  readDescriptor,
  type Sizes,
  STORED,
} from "./zip-headers.ts";

/** Most bytes of a descriptor. */
const DESCRIPTOR_BYTES = 24;
/** Most bytes that are searched for a descriptor at a time. */
const SCAN_BYTES = 1 << 16;
const NO_END = "its end is not found";

/** Options of a ZipFile. */
interface ZipFileOptions {
  readonly reader: ByteReader;
  readonly header: FileHeader;
  readonly source: string | undefined;
  readonly meter: Meter;
  readonly pacer: Pacer;
  /** Whether a descriptor (checksum and sizes) follows the file. */
  readonly hasDescriptor: boolean;
  /** Whether the packed size is unknown. Deflate data marks its end; other data ends before a matching descriptor. */
  readonly isOpenEnded: boolean;
}

/** A file whose packed bytes are the next bytes of the reader. */
export class ZipFile {
  readonly entry: Entry;
  readonly #options: ZipFileOptions;
  readonly #start: number;
  /** The packed bytes, if their number is known. */
  readonly #packed: Slice | undefined;
  readonly #text: AsyncGenerator<Uint8Array>;
  #sum = 0;
  #length = 0;
  #end: Promise<Sizes | undefined> | undefined;

  constructor(options: ZipFileOptions) {
    const { reader, header, source, pacer, isOpenEnded } = options;
    this.#options = options;
    this.#start = reader.position;
    const meter = options.meter.inner(source, () => reader.position - this.#start);
    const inflates = header.method === DEFLATED && unreadable(header, source) === undefined;
    if (isOpenEnded) this.#text = inflates ? meter.count(inflateRaw(reader, source)) : untilDescriptor(reader, source);
    else {
      this.#packed = new Slice(reader, header.packedSize, source);
      const chunks = this.#packed[Symbol.asyncIterator]();
      this.#text = inflates ? meter.count(inflateRaw(new ByteReader(padded(chunks), pacer, source))) : chunks;
    }
    this.entry = { name: header.name, chunks: this.#read(), meter };
  }

  /** Skips the rest of the file and its descriptor; returns the descriptor, if any. Throws SourceError, always the same object. */
  finish(): Promise<Sizes | undefined> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const { header, source, isOpenEnded } = this.#options;
    const error = unreadable(header, source);
    if (error !== undefined) throw error;
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) yield next;
    } finally {
      // If the caller stops early, the decoder must still find the end of an open-ended file.
      if (!isOpenEnded) await this.#text.return(undefined);
    }
    const after = await this.finish();
    if (!isOpenEnded && !this.#hasText(header)) throw wrongSum(source);
    if (after !== undefined && !this.#hasText(after)) throw wrongSum(source);
  }

  #hasText({ sum, size }: Sizes): boolean {
    return this.#sum === sum && this.#length === size;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#text.next();
      if (done === true) return undefined;
      this.#sum = crc32(value, this.#sum);
      this.#length += value.length;
      return value;
    } catch (error) {
      if (this.#options.isOpenEnded) {
        this.#end = Promise.reject(error);
        this.#end.catch(() => undefined);
      }
      throw error;
    }
  }

  async #finish(): Promise<Sizes | undefined> {
    const { reader, source, hasDescriptor, isOpenEnded } = this.#options;
    if (isOpenEnded) while ((await this.#next()) !== undefined);
    await this.#packed?.finish();
    if (!hasDescriptor) return undefined;
    const packedSize = reader.position - this.#start;
    const bytes = await reader.peek(DESCRIPTOR_BYTES + 2);
    const found = readDescriptor(bytes, packedSize);
    if (found !== undefined) {
      await takeAll(reader, found.length, source);
      return { ...found, packedSize };
    }
    if (isOpenEnded) {
      if (bytes.length < DESCRIPTOR_BYTES) await takeAll(reader, DESCRIPTOR_BYTES, source);
      throw corrupt(source, NO_END);
    }
    // Bytes with the signature of a descriptor but another size are wrong. Without the signature they may be anything.
    const isOther = hasBytes(bytes, DESCRIPTOR_SIGNATURE, 0) && bytes.length >= 12 && readU32(bytes, 8) !== packedSize % 2 ** 32;
    if (isOther) throw corrupt(source, NO_END);
    return undefined;
  }
}

/** Returns the error for a file that is encrypted or has an unsupported compression method; undefined for other files. */
function unreadable({ flags, method }: FileHeader, source: string | undefined): SourceError | undefined {
  if ((flags & FLAG_ENCRYPTED) !== 0) return new SourceError("ERR_URLMILL_ENCRYPTED", source, "is encrypted and was not read");
  if (method === STORED || method === DEFLATED) return undefined;
  return new SourceError(
    "ERR_URLMILL_METHOD",
    source,
    `is compressed with zip method ${method}, which urlmill does not read; unpack it first`,
  );
}

// zlib reports the end of deflate data only if more bytes follow.
async function* padded(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* packed;
  yield new Uint8Array(1);
}

/** Yields the bytes before a descriptor whose packed size is the number of these bytes. Throws SourceError if there is no descriptor. */
async function* untilDescriptor(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const start = reader.position;
  for (;;) {
    const bytes = await reader.peek(SCAN_BYTES);
    const found = findDescriptor(bytes, 0, reader.position - start);
    if (found !== undefined) {
      if (found > 0) yield await takeAll(reader, found, source);
      return;
    }
    const isLast = bytes.length < SCAN_BYTES;
    yield await takeAll(reader, isLast ? bytes.length : bytes.length - DESCRIPTOR_BYTES - 1, source);
    if (isLast) await takeAll(reader, 1, source);
  }
}
