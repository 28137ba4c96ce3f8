// Chooses the decoder of a source.

import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { fillDecoderTables } from "../core/decoder-tables.ts";
import { JsonMarks } from "./json-marks.ts";
import { MailDecoder } from "./mail-decoder.ts";
import { RefangDecoder } from "./refang-decoder.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "./scan.ts";
import { type Decoded, SourceBytes } from "./source-bytes.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import { Mappings } from "./source-map.ts";

/** Returns the decoder of a source, or undefined if the source needs none. */
export function decoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const decoder = formatDecoderOf(core, options, range, counts);
  return options.refang ? new RefangDecoder(core, decoder ?? new PlainDecoder(core)) : decoder;
}

function formatDecoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const { charset, jsonMapping } = options;
  const type = options.type === "pdf" ? "text" : options.type;
  const isUtf8 = charset === "utf-8";
  if (type === "text" && isUtf8) return undefined;
  if ((type === "html" || type === "xml") && isUtf8) return new HtmlDecoder(core, type === "xml");
  const decoder = new MailDecoder(core, type, options, range, counts);
  return type === "json" && jsonMapping?.markdown ? new JsonMarks(core, decoder) : decoder;
}

/** Decodes one source of HTML or XML, piece by piece (X9, C195). */
class HtmlDecoder {
  readonly context = layout.CONTEXT_TEXT;
  readonly lookBack = 0;
  readonly #core: Core;
  readonly source: SourceBytes;
  readonly map = new Mappings();

  constructor(core: Core, isXml: boolean) {
    this.#core = core;
    this.source = new SourceBytes(core, 0, 0);
    fillDecoderTables(core);
    core.beginHtml(isXml, false);
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

/** Copies one source of plain text to the window, piece by piece, for the refang step after it (X15). */
class PlainDecoder {
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
