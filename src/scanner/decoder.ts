// What a scanner asks of a decoder.
import type { Omission } from "../omission.ts";
import type { MatchLocations } from "./batch.ts";
import type { SourceMap } from "./source-map.ts";

/** What one call of a decoder returns. */
export interface Decoded {
  /** Address after the last byte of the window. */
  readonly high: number;
  /** The window had no room for more: call again. */
  readonly isFull: boolean;
  /** The rest of the source is not needed. */
  readonly isOver: boolean;
  /** Do not scan past this decoded offset: the fields of its message are still incomplete. Infinity: scan all. */
  readonly openFrom: number;
}

/** Decodes one source, piece by piece, to a window. */
export interface SourceDecoder extends SourceMap {
  /** Source offset after the last byte that has come. */
  readonly received: number;
  /** Source offset after the last byte that is decoded. */
  readonly decoded: number;
  /** CONTEXT_* in which the decoded text begins. */
  readonly context: number;
  /** Bytes before the position that must stay in the window. */
  readonly lookBack: number;
  /** Returns a writable view for the next source bytes: `bytesWanted` bytes, or fewer. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer>;
  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void;
  /** Decodes to the window from `high` on, up to `limit`; `base` is the offset of address 0 in the decoded bytes. */
  decode(high: number, limit: number, base: number, final: boolean): Decoded;
  /** Returns the offset of the first decoded byte whose source starts at `source` or after it. */
  firstFrom(source: number): number;
  /** Forgets the mappings of decoded bytes before `decoded`. */
  drop(decoded: number): void;
  /** Returns the omissions that have not been taken, in the order of the source. */
  takeOmissions(): Omission[];
  /** Returns the locations of the matches in `rows`, which count from `base`; address 0 of the window is the offset `windowBase`. */
  locationsOf(rows: Int32Array, base: number, windowBase: number): MatchLocations | undefined;
}
