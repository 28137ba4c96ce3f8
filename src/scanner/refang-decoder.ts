// Reads defanged text (X15) after another decoder, in the window.
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import { STOP_FULL } from "#core/layout/memory.js";
import type { Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { MatchBatch, MatchLocations } from "./batch.ts";
import { RefangLog } from "./refang-log.ts";
import type { Decoded, SourceBytes } from "./source-bytes.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import type { SourceMap } from "./source-map.ts";

/** Decodes a source by another decoder, and refangs its text. */
export class RefangDecoder implements SourceDecoder {
  readonly context: number;
  readonly lookBack: number;
  readonly source: SourceBytes;
  readonly map: SourceMap;
  readonly #core: Core;
  readonly #inner: SourceDecoder;
  readonly #log = new RefangLog();
  /** Bytes of the inner text that wait for more, because a mark may begin there. */
  #waiting: Uint8Array = new Uint8Array(0);
  /** Bytes of the inner text so far. */
  #innerBytes = 0;

  constructor(core: Core, inner: SourceDecoder) {
    this.#core = core;
    this.#inner = inner;
    this.context = inner.context;
    this.lookBack = inner.lookBack;
    this.source = inner.source;
    const [outer, within] = [this.#log.map, inner.map];
    this.map = {
      startOf: (offset) => startOf(within, outer.startOf(offset)),
      endOf: (offset) => within?.endOf(outer.endOf(offset)) ?? outer.endOf(offset),
      firstFrom: (source) => outer.firstFrom(within?.firstFrom(source) ?? source),
      drop: (offset) => {
        within?.drop(outer.startOf(offset));
        this.#log.drop(offset);
      },
    };
  }

  /** Offset up to which the source is in the window. */
  get taken(): number {
    return this.#waiting.length === 0 ? this.source.taken : startOf(this.#inner.map, this.#innerBytes - this.#waiting.length);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const { bytes } = this.#core;
    bytes.set(this.#waiting, high);
    const from = high + this.#waiting.length;
    const innerBase = this.#innerBytes - from;
    const decoded = this.#inner.decode(from, limit, innerBase, final);
    this.#innerBytes += decoded.high - from;
    const isLast = (final || decoded.isOver) && !decoded.isFull;
    const end = this.#refang(high, decoded.high, base, innerBase, isLast);
    const { openFrom } = decoded;
    return { ...decoded, high: end, openFrom: Number.isFinite(openFrom) ? this.#log.map.firstFrom(openFrom) : openFrom };
  }

  /** Reads the text [start, end) of the window, in place; returns the address after the result. */
  #refang(start: number, end: number, base: number, innerBase: number, isLast: boolean): number {
    const { words } = this.#core;
    const result = (address: number): number => words[address >> 2];
    let [from, to] = [start, start];
    let stop: number = STOP_FULL;
    while (stop === STOP_FULL) {
      stop = this.#core.refang(from, end, to, isLast);
      this.#log.take(this.#core, result(DECODED_MAP_ROWS), base, innerBase);
      from = result(DECODED_SOURCE);
      to = result(DECODED_END);
    }
    this.#waiting = this.#core.bytes.slice(from, end);
    return to;
  }

  restore(batch: MatchBatch, window: Uint8Array): MatchBatch {
    return this.#log.restore(batch, window);
  }

  locationsOf(rows: Int32Array, base: number, windowBase: number): MatchLocations | undefined {
    return this.#inner.locationsOf?.(rows, base, windowBase, (offset) => this.#log.map.startOf(offset));
  }

  takeOmissions(): Omission[] {
    return this.#inner.takeOmissions?.() ?? [];
  }
}

function startOf(map: SourceMap | undefined, offset: number): number {
  return map?.startOf(offset) ?? offset;
}
