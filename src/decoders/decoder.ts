// Chooses the decoder of a source.
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { isPlainText, type MakeDecoder, type ScanOptions } from "../scan/scan.ts";
import { type Decoded, fillDecoderTables, SourceBytes } from "../scan/source-decoder.ts";
import { Mappings, SourceMap } from "../scan/source-map.ts";
import { type Bodies, MailDecoder } from "./mail-decoder.ts";
import { RefangDecoder } from "./refang-decoder.ts";
import { type Rewritten, TextStep } from "./text-step.ts";

/** Returns the maker of decoders for texts of the options' type, or undefined if these need none. */
export function decoderFor(
  options: Pick<ScanOptions, "type" | "charset" | "refang" | "jsonMapping">,
  bodies: Bodies,
): MakeDecoder | undefined {
  const decoder = formatDecoderFor(options, bodies);
  if (!options.refang) return decoder;
  return (core, ...rest) => new RefangDecoder(core, decoder?.(core, ...rest) ?? new PlainDecoder(core));
}

function formatDecoderFor(options: Parameters<typeof decoderFor>[0], bodies: Bodies): MakeDecoder | undefined {
  if (isPlainText(options)) return undefined;
  const type = options.type === "pdf" ? "text" : options.type;
  if ((type === "html" || type === "xml") && options.charset === "utf-8") return (core) => new HtmlDecoder(core, type === "xml");
  const decoder: MakeDecoder = (core, ...rest) => new MailDecoder(type, bodies, core, ...rest);
  return type === "json" && options.jsonMapping?.markdown ? (core, ...rest) => new JsonMarks(core, decoder(core, ...rest)) : decoder;
}

/** Decodes one source of HTML or XML, piece by piece (X9, C195). */
class HtmlDecoder {
  readonly context = layout.CONTEXT_TEXT;
  readonly lookBack = 0;
  readonly #core: Core;
  readonly source: SourceBytes;
  readonly #rows = new Mappings();
  readonly map = new SourceMap(this.#rows);

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
    this.#rows.addRows(words, layout.MAP_REGION, words[DECODED_MAP_ROWS >> 2], base, source.base);
    source.take(false);
    return { high: words[DECODED_END >> 2], isFull: stop === layout.STOP_FULL, isOver: false, openFrom: Number.POSITIVE_INFINITY };
  }
}

/** Copies one source of plain text to the window, piece by piece, for the refang step after it (X15). */
class PlainDecoder {
  readonly context = 0;
  readonly lookBack = 0;
  readonly map = new SourceMap();
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

const BACKSLASH = 0x5c;
/** The characters that Markdown escapes with a backslash: ASCII punctuation, but not `&`, which may begin a reference. */
const PUNCTUATION = new Set([..."!\"#$%'()*+,-./:;<=>?@[\\]^_`{|}~"].map((mark) => mark.charCodeAt(0)));

/** Undoes the backslashes of Markdown after the decoder of JSON (A19). */
class JsonMarks extends TextStep {
  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const { bytes } = this.core;
    let [from, to] = [start, start];
    for (let p = start; ; ) {
      const found = bytes.subarray(p, end).indexOf(BACKSLASH);
      p = found < 0 ? end : p + found;
      const isMark = p + 1 < end && PUNCTUATION.has(bytes[p + 1]);
      if (p < end && !isMark && (isLast || p + 1 < end)) {
        p++;
        continue;
      }
      if (to < from) bytes.copyWithin(to, from, p);
      to += p - from;
      from = p;
      if (!isMark) return [from, to];
      bytes[to] = bytes[p + 1];
      to++;
      p += 2;
      from = p;
      this.changes.add(base + to, 1, innerBase + from);
    }
  }
}
