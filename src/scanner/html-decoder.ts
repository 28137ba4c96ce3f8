// The decoder of a source that is HTML or XML.
import { DECODED_END, DECODED_MAP_ROWS } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { fillDecoderTables } from "../core/decoder-tables.ts";
import { type Decoded, SourceBytes } from "./source-bytes.ts";
import { Mappings } from "./source-map.ts";

/** Decodes one source, piece by piece (X9, C195). */
export class HtmlDecoder {
  readonly context = layout.CONTEXT_TEXT;
  readonly lookBack = 0;
  readonly #core: Core;
  readonly source: SourceBytes;
  readonly map = new Mappings();

  constructor(core: Core, isXml: boolean) {
    this.#core = core;
    this.source = new SourceBytes(core, 0, 0);
    fillDecoderTables(core);
    core.beginHtml(isXml);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const { source } = this;
    const { words } = this.#core;
    const stop = this.#core.decodeHtml(source.start, source.end, final, high, limit);
    this.map.addRows(words, layout.MAP_REGION, words[DECODED_MAP_ROWS >> 2], base, source.base);
    source.take(false);
    const openFrom = Number.POSITIVE_INFINITY;
    return { high: words[DECODED_END >> 2], isFull: stop === layout.STOP_FULL, isOver: false, openFrom };
  }
}
