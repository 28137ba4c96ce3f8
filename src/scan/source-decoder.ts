// The interface of decoders.
import type { Omission } from "../base/omission.ts";
import type { Location, MatchBatch, MatchLocations } from "../matches/batch.ts";
import type { SourceBytes } from "./source-bytes.ts";
import type { SourceMap } from "./source-map.ts";

/** The result of one call of a decoder. */
export interface Decoded {
  /** Address after the last byte of the window. */
  readonly high: number;
  /** The window had no room for more: call again. */
  readonly isFull: boolean;
  /** The rest of the source is not needed. */
  readonly isOver: boolean;
  /** Do not scan past this decoded offset: the fields of the message there are still incomplete. Infinity: scan all. */
  readonly openFrom: number;
}

/** Decodes one source, piece by piece, into the window. */
export interface SourceDecoder {
  /** The bytes of the source; new ones go there. */
  readonly source: SourceBytes;
  /** Maps decoded offsets to the source; undefined if both are equal, or if nothing reads source offsets. */
  readonly map: SourceMap | undefined;
  /** CONTEXT_* in which the decoded text begins; 0: none. */
  readonly context: number;
  /** Bytes before the position of the scan that must stay in the window, in order to find the locations of matches. */
  readonly lookBack: number;
  /** Decodes to the window from `high` on, up to `limit`; `base` is the offset of address 0 in the decoded bytes. */
  decode(high: number, limit: number, base: number, final: boolean): Decoded;
  /** Returns the listed omissions since the last call. */
  takeOmissions?(): Omission[];
  /**
   * Returns the locations of the matches in `rows`, whose offsets count from `base`. Address 0 of the window is the offset `windowBase`.
   * `decoded` converts an offset of the window to one in the text of this decoder, if a later step has changed the window.
   */
  locationsOf?(rows: Int32Array, base: number, windowBase: number, decoded?: (offset: number) => number): MatchLocations | undefined;
  /** Returns the messages whose headers have been read since the last call. `isEnd`: no header is still open. */
  takeMessages?(isEnd: boolean): Location[];
  /** Offset up to which the source is in the window, if that is not `source.taken`. */
  readonly taken?: number;
  /** Restores the raw forms of refanged matches (X15). `window`: the bytes of the text from the batch's base on. */
  restore?(batch: MatchBatch, window: Uint8Array): MatchBatch;
}
