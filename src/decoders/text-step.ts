// A step that rewrites the text of another decoder in the window.
import type { Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { Location, MatchLocations } from "../matches/batch.ts";
import type { Decoded, SourceBytes, SourceDecoder } from "../scan/source-decoder.ts";
import { Mappings, SourceMap } from "../scan/source-map.ts";

/** Address after the bytes that were read, those from there on wait for more, and address after the rewritten bytes. */
export type Rewritten = readonly [readEnd: number, end: number];

/** Decodes a source by another decoder, and rewrites its text in place. */
export abstract class TextStep implements SourceDecoder {
  readonly context: number;
  readonly lookBack: number;
  readonly source: SourceBytes;
  readonly map: SourceMap;
  readonly core: Core;
  /** Maps offsets of the rewritten text to offsets of the inner text. `rewrite` adds to it. */
  protected readonly changes = new Mappings();
  readonly #inner: SourceDecoder;
  /** Bytes of the inner text that wait for more. */
  #waiting: Uint8Array = new Uint8Array(0);
  /** Number of bytes of the inner text so far. */
  #innerBytes = 0;

  constructor(core: Core, inner: SourceDecoder) {
    this.core = core;
    this.#inner = inner;
    this.context = inner.context;
    this.lookBack = inner.lookBack;
    this.source = inner.source;
    this.map = new SourceMap(this.changes, ...inner.map.steps);
  }

  /** Rewrites the text [start, end). Address 0 is the offset `innerBase` before the step, and `base` after it. `isLast`: no more comes. */
  protected abstract rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten;

  drop(decoded: number): void {
    this.#inner.drop?.(this.changes.startOf(decoded));
  }

  /** Offset up to which the source is in the window. */
  get taken(): number {
    return this.#waiting.length === 0 ? this.source.taken : this.#inner.map.startOf(this.#innerBytes - this.#waiting.length);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const { bytes } = this.core;
    bytes.set(this.#waiting, high);
    const from = high + this.#waiting.length;
    const innerBase = this.#innerBytes - from;
    const decoded = this.#inner.decode(from, limit, innerBase, final);
    this.#innerBytes += decoded.high - from;
    const isLast = (final || decoded.isOver) && !decoded.isFull;
    const [readEnd, end] = this.rewrite(high, decoded.high, base, innerBase, isLast);
    this.#waiting = bytes.slice(readEnd, decoded.high);
    return { ...decoded, high: end, openFrom: this.changes.firstFrom(decoded.openFrom) };
  }

  locationsOf(rows: Int32Array, base: number, decoded?: (offset: number) => number): MatchLocations | undefined {
    return this.#inner.locationsOf?.(rows, base, (offset) => this.changes.startOf(decoded?.(offset) ?? offset));
  }

  takeOmissions(): Omission[] {
    return this.#inner.takeOmissions?.() ?? [];
  }

  takeMessages(isEnd: boolean): Location[] {
    return this.#inner.takeMessages?.(isEnd) ?? [];
  }
}
