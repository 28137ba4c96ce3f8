// The decoder of a text that is read as it is: what a step after it needs (X15).
import { DECODED_SOURCE } from "#core/layout/decoded.js";
import type { Core } from "../core/core.ts";
import { type Decoded, SourceBytes } from "./source-bytes.ts";

/** Copies one source to the window, piece by piece. */
export class PlainDecoder {
  readonly context = 0;
  readonly lookBack = 0;
  readonly map = undefined;
  readonly source: SourceBytes;
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
    this.source = new SourceBytes(core, 0, 0);
  }

  decode(high: number, limit: number): Decoded {
    const { source } = this;
    const { bytes, words } = this.#core;
    const count = Math.min(source.end - source.start, limit - high);
    const isFull = count < source.end - source.start;
    bytes.copyWithin(high, source.start, source.start + count);
    words[DECODED_SOURCE >> 2] = source.start + count;
    source.take(false);
    return { high: high + count, isFull, isOver: false, openFrom: Number.POSITIVE_INFINITY };
  }
}
