// Decodes compressed data from a block on, and checks whether the decoder reaches the block at which the next part is read.
import type { TextType } from "../../options/options.ts";
import type { ByteReader } from "./byte-reader.ts";

/** The start of a block (a gzip member or a zstd frame): its offset in the file, and the offset of its text in the decoded text. */
export interface BlockStart {
  readonly compressed: number;
  readonly decoded: number;
}

/** The blocks of one part. `type` is the type of the decoded text. */
export interface BlockRange {
  readonly type: TextType;
  /** The block from which this part is read, at the start of its range or before it. */
  readonly start: BlockStart;
  /** The block from which the next part is read; undefined for the last part. */
  readonly next: BlockStart | undefined;
}

/** Decodes compressed data. The decoders of gzip and zstd call `atBlock` before each block. */
export type Decoder = (reader: ByteReader, atBlock?: () => void) => AsyncGenerator<Uint8Array>;

/** Decodes the blocks of one part. */
export class RangeDecoder {
  readonly type: TextType;
  readonly start: BlockStart;
  readonly #next: BlockStart | undefined;
  /** Whether a block ended exactly at `next`. It is set before any text after `next` is given. */
  hasReachedNext = false;

  constructor({ type, start, next }: BlockRange) {
    this.type = type;
    this.start = start;
    this.#next = next;
  }

  /** Decodes the rest of the file from `start` on. Throws the errors of the decoder. */
  async *decode(decode: Decoder, reader: ByteReader): AsyncGenerator<Uint8Array> {
    let { decoded } = this.start;
    const atBlock = (): void => {
      if (reader.position === this.#next?.compressed && decoded === this.#next.decoded) this.hasReachedNext = true;
    };
    for await (const text of decode(reader, atBlock)) {
      decoded += text.length;
      yield text;
    }
  }
}
