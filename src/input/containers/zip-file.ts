// One file of a zip archive: its packed bytes, its text, and the descriptor that may follow it.
import { hasBytes } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { type Chunks, type Steps, tapped, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { crc32 } from "./crc32.ts";
import { type Entry, type Layer, Slice } from "./entry.ts";
import { corrupt, takeAll, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import { readU32 } from "./little-endian.ts";
import * as zip from "./zip-headers.ts";

const DESCRIPTOR_BYTES = 24;
const NO_END = "its end is not found";

interface ZipFileOptions extends Layer {
  readonly header: zip.FileHeader;
  /** Whether a descriptor (checksum and sizes) follows the file. */
  readonly hasDescriptor: boolean;
  /** Whether the packed size is unknown. Deflate data marks its end; other data ends before a matching descriptor. */
  readonly isOpenEnded: boolean;
}

/** A file whose packed bytes are the next bytes of the reader. */
export class ZipFile {
  readonly entry: Entry;
  readonly #options: ZipFileOptions;
  readonly #source: string | undefined;
  readonly #start: number;
  /** The packed bytes, if their number is known. */
  readonly #packed: Slice | undefined;
  readonly #text: Steps<Uint8Array>;
  #sum = 0;
  #length = 0;
  /** Returns the descriptor, or throws the error of the file. Absent while the end has not been read. */
  #end: (() => zip.Sizes | undefined) | undefined;

  constructor(options: ZipFileOptions) {
    const { name, reader, header, isOpenEnded } = options;
    const source = name.member(header.name).text;
    this.#options = options;
    this.#source = source;
    this.#start = reader.position;
    const meter = options.meter.inner(source, () => reader.position - this.#start);
    const inflates = header.method === zip.DEFLATED && unreadable(header, source) === undefined;
    let text: Steps<Uint8Array>;
    if (isOpenEnded) text = inflates ? meter.count(inflateRaw(reader, source)) : untilDescriptor(reader, source);
    else {
      this.#packed = new Slice(reader, header.packedSize, source);
      const chunks = this.#packed[Symbol.iterator]();
      text = inflates ? meter.count(inflateRaw(reader.inner(padded(chunks), source))) : chunks;
    }
    this.#text = tapped(text, (chunk) => {
      this.#sum = crc32(chunk, this.#sum);
      this.#length += chunk.length;
    });
    this.entry = { name: header.name, chunks: this.#read(), meter };
  }

  /** Skips the rest of the file and its descriptor; returns the descriptor, if any. Throws SourceError, always the same object. */
  *finish(): Steps<never, zip.Sizes | undefined> {
    if (this.#end === undefined) {
      try {
        const sizes = yield* this.#finish();
        this.#end = () => sizes;
      } catch (error) {
        this.#fail(error);
      }
    }
    return this.#end?.();
  }

  *#read(): Steps<Uint8Array> {
    const { header, isOpenEnded } = this.#options;
    const source = this.#source;
    const error = unreadable(header, source);
    if (error !== undefined) throw error;
    try {
      // If the caller stops early, the decoder must still find the end of an open-ended file, so it is not closed.
      yield* isOpenEnded ? { [Symbol.iterator]: () => ({ next: () => this.#text.next() }) } : this.#text;
    } catch (cause) {
      if (isOpenEnded) this.#fail(cause);
      throw cause;
    }
    const after = yield* this.finish();
    if (!isOpenEnded && !this.#hasText(header)) throw wrongSum(source);
    if (after !== undefined && !this.#hasText(after)) throw wrongSum(source);
  }

  #hasText({ sum, size }: zip.Sizes): boolean {
    return this.#sum === sum && this.#length === size;
  }

  #fail(error: unknown): void {
    this.#end = () => {
      throw error;
    };
  }

  *#finish(): Steps<never, zip.Sizes | undefined> {
    const { reader, hasDescriptor, isOpenEnded } = this.#options;
    const source = this.#source;
    if (isOpenEnded) yield* waitsOf(this.#text);
    if (this.#packed !== undefined) yield* this.#packed.finish();
    if (!hasDescriptor) return undefined;
    const packedSize = reader.position - this.#start;
    const bytes = yield* reader.peek(DESCRIPTOR_BYTES + 2);
    const found = zip.readDescriptor(bytes, packedSize);
    if (found !== undefined) {
      yield* takeAll(reader, found.length, source);
      return { ...found, packedSize };
    }
    if (isOpenEnded) {
      if (bytes.length < DESCRIPTOR_BYTES) yield* takeAll(reader, DESCRIPTOR_BYTES, source);
      throw corrupt(source, NO_END);
    }
    // Bytes with the signature of a descriptor but another size are wrong. Without the signature they may be anything.
    const isOther = hasBytes(bytes, zip.DESCRIPTOR_SIGNATURE, 0) && bytes.length >= 12 && readU32(bytes, 8) !== packedSize % 2 ** 32;
    if (isOther) throw corrupt(source, NO_END);
    return undefined;
  }
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
