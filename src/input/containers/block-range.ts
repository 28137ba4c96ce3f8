// A part of compressed data: it is read from a block on as the whole is read, and says whether that reading comes to the next part's block.
import type { TextType } from "../../options/options.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Where a block begins, a member of gzip or a frame of zstd: its offset in the file, and that of its text in the decoded text. */
export interface BlockStart {
  readonly compressed: number;
  readonly decoded: number;
}

/** Blocks of a compressed text of the type `type`. */
export interface BlockRange {
  readonly type: TextType;
  /** The block at which the reading begins. */
  readonly start: BlockStart;
  /** The block at which that of the next part begins, if there is one. */
  readonly next: BlockStart | undefined;
}

/** Decodes blocks one after the other; calls `atBlock` before each. */
export type BlockDecoder = (reader: ByteReader, source: string | undefined, atBlock?: () => void) => AsyncGenerator<Uint8Array>;

/** The reading of a part. */
export class BlockReading {
  readonly type: TextType;
  readonly start: BlockStart;
  readonly #next: BlockStart | undefined;
  /** Whether a block began where the next part takes one to begin. Nothing after the start of that block has been given before. */
  hasReachedNext = false;

  constructor({ type, start, next }: BlockRange) {
    this.type = type;
    this.start = start;
    this.#next = next;
  }

  /** Decodes the rest of the file from `start` on. Throws what the decoder throws. */
  async *decode(decode: BlockDecoder, reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
    let { decoded } = this.start;
    const atBlock = (): void => {
      if (reader.position === this.#next?.compressed && decoded === this.#next.decoded) this.hasReachedNext = true;
    };
    for await (const text of decode(reader, source, atBlock)) {
      decoded += text.length;
      yield text;
    }
  }
}
