// Blocks of compressed data that can be decoded by themselves.
import type { TextType } from "../../options/options.ts";
import type { Steps } from "../steps.ts";
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

export interface Decoding {
  /** Most bytes of a window of xz or zstd. */
  readonly windowMax: number;
  /** Called before each block of gzip or zstd. */
  readonly atBlock?: () => void;
}

/** Decodes compressed data up to bytes that are none. */
export type Decoder = (reader: ByteReader, decoding: Decoding) => Steps<Uint8Array>;

export interface BlockReading extends BlockRange {
  /** Whether a block ended exactly at `next`. It is set before any text after `next` is given. */
  hasReachedNext: boolean;
}
