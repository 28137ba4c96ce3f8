// Decodes compressed data from one block, and checks that the decoder reaches the first block of the next part.
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
  /** The first block of this part. */
  readonly start: BlockStart;
  /** The first block of the next part, if any. */
  readonly next: BlockStart | undefined;
}

/** Decodes blocks one after the other; calls `atBlock` before each. */
export type Decoder = (reader: ByteReader, atBlock?: () => void) => AsyncGenerator<Uint8Array>;

/** Decodes the blocks of one part. */
export class RangeDecoder {
  readonly type: TextType;
  readonly start: BlockStart;
  readonly #next: BlockStart | undefined;
  /** Whether the decoder found a block at `next`. It is set before any text of that block is given. */
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
