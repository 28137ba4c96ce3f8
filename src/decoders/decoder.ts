// Chooses the decoder of a source.
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { isPlainText, type MakeDecoder, type ScanOptions } from "../scan/scan.ts";
import { fillDecoderTables, SourceBytes, type SourceDecoder } from "../scan/source-decoder.ts";
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
  return (core, ...rest) => new RefangDecoder(core, decoder?.(core, ...rest) ?? plainDecoder(core));
}

function formatDecoderFor(options: Parameters<typeof decoderFor>[0], bodies: Bodies): MakeDecoder | undefined {
  if (isPlainText(options)) return undefined;
  const type = options.type === "pdf" ? "text" : options.type;
  if ((type === "html" || type === "xml") && options.charset === "utf-8") return (core) => htmlDecoder(core, type === "xml");
  const decoder: MakeDecoder = (core, ...rest) => new MailDecoder(type, bodies, core, ...rest);
  return type === "json" && options.jsonMapping?.markdown ? (core, ...rest) => new JsonMarks(core, decoder(core, ...rest)) : decoder;
}

/** Returns the decoder of a source of HTML or XML (X9, C195). */
function htmlDecoder(core: Core, isXml: boolean): SourceDecoder {
  const source = new SourceBytes(core, 0, 0);
  const rows = new Mappings();
  fillDecoderTables(core);
  core.beginHtml(isXml, false);
  return {
    source,
    map: new SourceMap(rows),
    context: layout.CONTEXT_TEXT,
    lookBack: 0,
    decode(high, limit, base, final) {
      const { words } = core;
      const stop = core.decodeHtml(source.start, source.end, final, high, limit);
      rows.addRows(words, layout.MAP_REGION, words[DECODED_MAP_ROWS >> 2], base, source.base);
      source.take(false);
      return { high: words[DECODED_END >> 2], isFull: stop === layout.STOP_FULL, isOver: false, openFrom: Number.POSITIVE_INFINITY };
    },
  };
}

/** Returns a decoder that copies plain text to the window, for the refang step after it (X15). */
function plainDecoder(core: Core): SourceDecoder {
  const source = new SourceBytes(core, 0, 0);
  return {
    source,
    map: new SourceMap(),
    context: 0,
    lookBack: 0,
    decode(high, limit) {
      const waiting = source.end - source.start;
      const count = Math.min(waiting, limit - high);
      core.bytes.copyWithin(high, source.start, source.start + count);
      core.words[DECODED_SOURCE >> 2] = source.start + count;
      source.take(false);
      return { high: high + count, isFull: count < waiting, isOver: false, openFrom: Number.POSITIVE_INFINITY };
    },
  };
}

const BACKSLASH = 0x5c;
/** The characters that Markdown escapes with a backslash: ASCII punctuation, but not `&`, which may begin a reference. */
const PUNCTUATION = new Set([..."!\"#$%'()*+,-./:;<=>?@[\\]^_`{|}~"].map((mark) => mark.charCodeAt(0)));

/** Undoes the backslashes of Markdown after the decoder of JSON (A19). */
class JsonMarks extends TextStep {
  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const text = this.core.bytes.subarray(0, end);
    let [from, to] = [start, start];
    const copyTo = (until: number): void => {
      if (to < from) text.copyWithin(to, from, until);
      to += until - from;
      from = until;
    };
    let at = text.indexOf(BACKSLASH, start);
    for (; at >= 0 && at + 1 < end; at = text.indexOf(BACKSLASH, at + 2)) {
      if (!PUNCTUATION.has(text[at + 1])) continue;
      copyTo(at);
      text[to++] = text[at + 1];
      from = at + 2;
      this.changes.add(base + to, 1, innerBase + from);
    }
    // A backslash at the end waits for the byte after it.
    copyTo(at < 0 || isLast ? end : at);
    return [from, to];
  }
}
