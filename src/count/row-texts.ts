// Numbers the different texts of one field of rows in a core, so that counting by them, or remembering something of each, needs no key.
import * as code from "#core/layout/codes.js";
import { RECORD_REGION, RECORD_ROWS_MAX } from "#core/layout/memory.js";
import * as layout from "#core/layout/texts.js";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { MatchBatch } from "../scanner/batch.ts";

/** Takes a text: [start, end) of `view`. */
type TakeText = (number: number, view: DataView<ArrayBuffer>, start: number, end: number) => void;

/** Numbers the different texts of a field from 0 on, as many as a core has room for. */
export class RowTexts {
  readonly #word: number;
  readonly #random: number;
  #core: Core | undefined;
  /** The row after the last one whose text has a number. */
  #reached = 0;
  /** `words[offset + row]` is the number of a row's text, for the rows that the last `reach` copied. */
  words = new Int32Array(0);
  offset = 0;

  /**
   * `word`: that of a row which has the address of the text; the next one has its length. With a known `random` texts could be made to
   * collide.
   */
  constructor(word: number, random: number) {
    this.#word = word;
    this.#random = random;
  }

  /** Takes a batch, whose rows are to be reached before they are asked for. Returns false if it is too long. */
  put({ bytes }: MatchBatch): boolean {
    if (bytes.length > layout.BATCH_BYTES_MOST) return false;
    if (this.#core === undefined) {
      this.#core = takeCore();
      this.#core.beginTexts(this.#random);
    }
    this.#core.bytes.set(bytes, layout.BATCH_REGION);
    this.#reached = 0;
    return true;
  }

  /** Numbers the texts of rows, from row `first` of the batch on. Returns the first row that is not reached: its text has no room. */
  reach({ rows, count }: MatchBatch, first: number): number {
    if (first < this.#reached) return this.#reached;
    const core = this.#core as Core;
    const end = Math.min(first + RECORD_ROWS_MAX, count);
    core.words.set(rows.subarray(first * code.RECORD_WORDS, end * code.RECORD_WORDS), RECORD_REGION >> 2);
    this.words = core.words;
    this.offset = (layout.NUMBER_REGION >> 2) - first;
    this.#reached = first + core.numberTexts(0, end - first, this.#word);
    return this.#reached;
  }

  /** Gives the texts of the first `count` numbers to `take`. */
  giveTo(count: number, take: TakeText): void {
    if (this.#core === undefined) return;
    const { bytes, words } = this.#core;
    const view = new DataView(bytes.buffer);
    for (let number = 0; number < count; number++) {
      const text = words[(layout.TEXT_TABLE >> 2) + number] as number;
      const start = text + layout.TEXT_BYTES;
      take(number, view, start, start + (words[(text + layout.TEXT_LENGTH) >> 2] as number));
    }
  }

  /** Forgets all numbers. The batch stays, but none of its rows is reached. */
  clear(): void {
    this.#reached = 0;
    this.#core?.beginTexts(this.#random);
  }

  /** Forgets the batch too, and gives the core back. */
  close(): void {
    if (this.#core !== undefined) releaseCore(this.#core);
    this.#core = undefined;
  }
}
