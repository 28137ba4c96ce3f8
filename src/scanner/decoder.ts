// What stands between a source that is decoded and the window of its scanner.
import type { Omission } from "../omission.ts";
import type { MatchLocations } from "./batch.ts";
import type { SourceMap } from "./source-map.ts";

/** What one call of a decoder came to. */
export interface Decoded {
  /** The window's new end. */
  readonly high: number;
  /** It must be called again for want of room. */
  readonly isFull: boolean;
  /** Nothing of the source is wanted any more. */
  readonly isOver: boolean;
  /** Decoded offset from which on it is scanned later: what is told of it is not known yet. Infinity: there is no such text. */
  readonly openFrom: number;
}

/** Decodes one source, piece by piece, to a window. */
export interface SourceDecoder extends SourceMap {
  /** Source offset behind the last byte that has come; behind the last that is decoded. */
  readonly received: number;
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
  /** Offset of the first decoded byte whose source starts at `source` or behind it. */
  firstFrom(source: number): number;
  /** Forgets what is known of decoded bytes before `decoded`. */
  drop(decoded: number): void;
  /** Takes what was left out, in the order of the source, that has not been taken. */
  takeOmissions(): Omission[];
  /** Where the matches stand whose rows are given; their offsets count from `base`, the window's address 0 is offset `windowBase`. */
  locationsOf(rows: Int32Array, base: number, windowBase: number): MatchLocations | undefined;
}
