// What entries of zip have in common: the bytes of one and its checksum.
import { SourceError } from "../../errors.ts";
import type { Pacer } from "../pacer.ts";
import { ByteReader } from "./byte-reader.ts";
import { addCrc32 } from "./crc32.ts";
import type { Entry } from "./entry.ts";
import { wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";
import type { Meter } from "./limits.ts";
import type { Slice } from "./slice.ts";

/** Methods that are read. */
export const STORED = 0;
export const DEFLATED = 8;

/** Bits of flags: the text is encrypted; sizes and checksum are behind the file. */
export const FLAG_ENCRYPTED = 1;
export const FLAG_SIZES_AFTER = 8;

/** What a header says of an entry. */
export interface ZipHeader {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  /** CRC-32 of the text. */
  readonly sum: number;
  /** Bytes of the text. */
  readonly size: number;
}

/** Checksum and length of a text. */
export class TextSum {
  #sum = 0;
  #length = 0;

  add(chunk: Uint8Array): void {
    this.#sum = addCrc32(chunk, this.#sum);
    this.#length += chunk.length;
  }

  /** Whether the text is that of a header. */
  isOf({ sum, size }: Pick<ZipHeader, "sum" | "size">): boolean {
    return this.#sum === sum && this.#length === size;
  }
}

/** Throws SourceError for an entry that is encrypted or compressed in a way that is not read. */
export function refuseUnread({ flags, method }: ZipHeader, source: string | undefined): void {
  if ((flags & FLAG_ENCRYPTED) !== 0) throw new SourceError("ERR_ENCRYPTED", source, "is encrypted and was not read");
  if (method === STORED || method === DEFLATED) return;
  throw new SourceError("ERR_METHOD", source, `is compressed with zip method ${method}, which urlmill does not read; unpack it first`);
}

/** What is read of an entry, and who reads it. */
export interface Opened {
  /** All its compressed bytes. */
  readonly packed: Slice;
  readonly header: ZipHeader;
  readonly source: string | undefined;
  /** Gives checksum and size again, if they follow the bytes. It is called once all bytes are taken. */
  readonly behind: () => Promise<Pick<ZipHeader, "sum" | "size"> | undefined>;
}

/** The entry of what is opened. */
export function openEntry({ packed, header, source, behind }: Opened, outer: Meter, pacer: Pacer): Entry {
  const reader = new ByteReader(header.method === DEFLATED ? padded(packed) : packed, pacer);
  const meter = outer.inner(source, () => reader.position);
  const text = async function* (): AsyncGenerator<Uint8Array> {
    refuseUnread(header, source);
    const sum = new TextSum();
    for await (const chunk of header.method === DEFLATED ? meter.count(inflateRaw(reader, source)) : packed) {
      sum.add(chunk);
      yield chunk;
    }
    await packed.finish();
    const again = await behind();
    if (!sum.isOf(header) || (again !== undefined && !sum.isOf(again))) throw wrongSum(source);
  };
  return { name: header.name, chunks: text(), meter };
}

// zlib says that deflate data has ended when more is there.
async function* padded(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* packed;
  yield new Uint8Array(1);
}
