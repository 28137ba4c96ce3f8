// Between the bytes of an HTML source and the window: the core decodes what stands in SOURCE_REGION to the window's end.
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { fillReferences } from "../core/references.ts";
import type { Decoded, SourceDecoder } from "./decoder.ts";
import { SourceBytes } from "./source-bytes.ts";
import { Mappings } from "./source-map.ts";

/** Decodes one source, piece by piece. @see docs/rules.md X9 */
export class HtmlDecoder implements SourceDecoder {
  readonly context = layout.CONTEXT_TEXT;
  readonly #core: Core;
  readonly #source: SourceBytes;
  readonly #map = new Mappings();

  constructor(core: Core) {
    this.#core = core;
    this.#source = new SourceBytes(core, 0, 0);
    fillReferences(core);
    core.words[layout.STATE_HTML >> 2] = 0;
    core.words[layout.STATE_HTML_ELEMENT >> 2] = 0;
  }

  get received(): number {
    return this.#source.received;
  }

  get decoded(): number {
    return this.#source.taken;
  }

  get lookBack(): number {
    return 0;
  }

  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    return this.#source.space(bytesWanted);
  }

  advance(count: number): void {
    this.#source.advance(count);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const { words } = this.#core;
    this.#source.tell(final);
    words[layout.STATE_DECODED >> 2] = high;
    words[layout.STATE_DECODED_LIMIT >> 2] = limit;
    const stop = this.#core.decode();
    this.#map.addRows(words, layout.MAP_REGION, words[layout.STATE_MAP_ROWS >> 2] as number, base, this.#source.base);
    this.#source.take(false);
    const openFrom = Number.POSITIVE_INFINITY;
    return { high: words[layout.STATE_DECODED >> 2] as number, isFull: stop === layout.STOP_FULL, isOver: false, openFrom };
  }

  startOf(decoded: number): number {
    return this.#map.startOf(decoded);
  }

  endOf(decoded: number): number {
    return this.#map.endOf(decoded);
  }

  firstFrom(source: number): number {
    return this.#map.firstFrom(source);
  }

  drop(decoded: number): void {
    this.#map.drop(decoded);
  }

  locationsOf(): undefined {
    return undefined;
  }

  takeOmissions(): [] {
    return [];
  }
}
