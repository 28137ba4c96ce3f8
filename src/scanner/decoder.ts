// What a scanner asks of a decoder, and the decoder of each type.
import type { Core } from "../core/core.ts";
import type { Omission } from "../omission.ts";
import type { MatchLocations } from "./batch.ts";
import { HtmlDecoder } from "./html-decoder.ts";
import { MailDecoder } from "./mail-decoder.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "./scan.ts";
import type { Decoded, SourceBytes } from "./source-bytes.ts";
import type { SourceMap } from "./source-map.ts";

/** Decodes one source, piece by piece, to a window. */
export interface SourceDecoder {
  /** The bytes of the source; new ones go there. */
  readonly source: SourceBytes;
  /** The way back to the source; undefined if nobody needs it. */
  readonly map: SourceMap | undefined;
  /** CONTEXT_* in which the decoded text begins. */
  readonly context: number;
  /** Bytes before the position that must stay in the window. */
  readonly lookBack: number;
  /** Decodes to the window from `high` on, up to `limit`; `base` is the offset of address 0 in the decoded bytes. */
  decode(high: number, limit: number, base: number, final: boolean): Decoded;
  /** Returns the omissions that have not been taken, in the order of the source. */
  takeOmissions?(): Omission[];
  /** Returns the locations of the matches in `rows`, which count from `base`; address 0 of the window is the offset `windowBase`. */
  locationsOf?(rows: Int32Array, base: number, windowBase: number): MatchLocations | undefined;
}

/** Returns the decoder of a source, or undefined: it is scanned as it is. */
export function decoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const { type } = options;
  if (type === "text") return undefined;
  return type === "html" ? new HtmlDecoder(core) : new MailDecoder(core, type, options, range, counts);
}
