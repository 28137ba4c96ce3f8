// Between the bytes of an HTML source and the window: the core decodes what stands in SOURCE_AREA to the window's end.
import * as area from "#core/tables/areas.js";
import type { Core } from "../core/core.ts";
import { fillReferences } from "../core/references.ts";
import { OffsetMap } from "./offset-map.ts";

/** The source bytes that wait for more, and the tokenizer's state; kept while another user has the core. */
interface Saved {
  readonly waiting: Uint8Array;
  readonly words: readonly number[];
}

const CARRIED = [area.STATE_HTML, area.STATE_HTML_ELEMENT, area.STATE_REGION];

/** Decodes one source, piece by piece. Works on the core that its scanner has acquired. @see docs/rules.md X9 */
export class HtmlDecoder {
  readonly map = new OffsetMap();
  readonly #core: Core;
  /** Source bytes in SOURCE_AREA that are not decoded yet. */
  #waiting = 0;
  /** Source offset of SOURCE_AREA. */
  #base = 0;
  #saved: Saved | undefined = { waiting: new Uint8Array(0), words: [0, 0, area.REGION_TEXT] };

  constructor(core: Core) {
    this.#core = core;
  }

  /** Source bytes taken so far. */
  get received(): number {
    return this.#base + this.#waiting;
  }

  /** Source bytes decoded so far. */
  get decoded(): number {
    return this.#base;
  }

  /** A writable view for the next source bytes, of at least min(`bytesWanted`, 512 KiB) bytes. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    const start = area.SOURCE_AREA + this.#waiting;
    return this.#core.bytes.subarray(start, start + Math.min(bytesWanted, area.SOURCE_BYTES >> 1));
  }

  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void {
    this.#waiting += count;
  }

  /**
   * Decodes to the window from `high` on, up to `limit`; `base` is the offset of address 0 in the decoded bytes. Returns the window's new
   * end and whether it must be called again for want of room.
   */
  decode(high: number, limit: number, base: number, final: boolean): { high: number; isFull: boolean } {
    const { words, bytes } = this.#core;
    this.#set(area.STATE_SOURCE, area.SOURCE_AREA);
    this.#set(area.STATE_SOURCE_END, area.SOURCE_AREA + this.#waiting);
    this.#set(area.STATE_SOURCE_FINAL, final ? 1 : 0);
    this.#set(area.STATE_DECODED, high);
    this.#set(area.STATE_DECODED_LIMIT, limit);
    const stop = this.#core.decode();
    const rows = words[area.STATE_MAP_ROWS >> 2] as number;
    for (let at = area.MAP_AREA >> 2; at < (area.MAP_AREA >> 2) + 2 * rows; at += 2) {
      const behind = words[at] as number;
      const width = behind & ((1 << area.MAP_SHIFT) - 1);
      this.map.add(base + (behind >> area.MAP_SHIFT), width, this.#base + (words[at + 1] as number) - area.SOURCE_AREA);
    }
    const taken = (words[area.STATE_SOURCE >> 2] as number) - area.SOURCE_AREA;
    bytes.copyWithin(area.SOURCE_AREA, area.SOURCE_AREA + taken, area.SOURCE_AREA + this.#waiting);
    this.#waiting -= taken;
    this.#base += taken;
    return { high: words[area.STATE_DECODED >> 2] as number, isFull: stop === area.STOP_FULL };
  }

  /** Another user takes the core. */
  suspend(): void {
    const { bytes, words } = this.#core;
    this.#saved = {
      waiting: bytes.slice(area.SOURCE_AREA, area.SOURCE_AREA + this.#waiting),
      words: CARRIED.map((address) => words[address >> 2] as number),
    };
  }

  /** The scanner has the core again. */
  resume(): void {
    fillReferences(this.#core);
    const { waiting, words } = this.#saved as Saved;
    this.#saved = undefined;
    this.#core.bytes.set(waiting, area.SOURCE_AREA);
    for (const [index, address] of CARRIED.entries()) this.#set(address, words[index] as number);
  }

  #set(address: number, value: number): void {
    this.#core.words[address >> 2] = value;
  }
}
