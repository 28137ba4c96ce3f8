// The depth of quotation in HTML mail, by decoded offset (C302).
import { DECODED_QUOTES } from "#core/layout/decoded.js";
import { QUOTE_REGION, QUOTE_ROW_BYTES } from "#core/layout/memory.js";
import { firstIndex } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";

/** Fewest rows that are dropped at once, because dropping moves all others. */
const ROWS_DROPPED_AT_ONCE = 1024;

/** Rows of the core: from an offset on, texts have a depth. */
export class QuoteLog {
  #starts: number[] = [];
  #depths: number[] = [];

  /** Takes the rows of the core; `base` is the decoded offset of address 0. */
  take({ words }: Core, base: number): void {
    const end = QUOTE_REGION + words[DECODED_QUOTES >> 2] * QUOTE_ROW_BYTES;
    for (let row = QUOTE_REGION; row < end; row += QUOTE_ROW_BYTES) {
      this.#starts.push(base + words[row >> 2]);
      this.#depths.push(words[(row >> 2) + 1]);
    }
  }

  /** Forgets what only offsets before `decoded` need. */
  drop(decoded: number): void {
    const row = this.#rowAt(decoded);
    if (row < ROWS_DROPPED_AT_ONCE) return;
    this.#starts.splice(0, row);
    this.#depths.splice(0, row);
  }

  /** Returns the depth at `offset` of a text that begins at `start`. */
  depthAt(offset: number, start: number): number {
    const row = this.#rowAt(offset);
    return row >= 0 && this.#starts[row] >= start ? this.#depths[row] : 0;
  }

  #rowAt(offset: number): number {
    return firstIndex(this.#starts.length, (row) => this.#starts[row] > offset) - 1;
  }
}
