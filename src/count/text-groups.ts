// Groups whose keys are one text of the rows: a core tells the texts apart, so that a match that is counted needs no key.
import * as code from "#core/layout/codes.js";
import { RECORD_REGION, RECORD_ROWS_MAX } from "#core/layout/memory.js";
import * as layout from "#core/layout/texts.js";
import { grown } from "../arrays.ts";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { KeyField } from "../fields.ts";
import type { MatchBatch } from "../scanner/batch.ts";
import { addNumbers, COLUMNS, COLUMNS_COUNT, type GroupNumbers } from "./group-table.ts";

/** Groups that there is room for at first: a file may have a counter of its own. */
const GROUPS_LEAST = 64;

/** Fields that are texts of a row: the word of the row that has the address, before the one that has the length. */
const TEXT_WORDS: Partial<Record<KeyField, number>> = { url: code.RECORD_URL, host: code.RECORD_HOST };

/** Takes a group: its text is [start, end) of `view`. */
type TakeGroup = (view: DataView<ArrayBuffer>, start: number, end: number, numbers: GroupNumbers) => void;

/** Counts matches by a text of their rows, as many different ones as a core has room for. */
export class TextGroups {
  readonly #word: number;
  readonly #random: number;
  #core: Core | undefined;
  #numbers = new Float64Array(GROUPS_LEAST * COLUMNS_COUNT);
  #count = 0;
  /** The rows of the batch that are in the core, and the one after the last whose text has a number. */
  #placed = 0;
  #reached = 0;

  private constructor(word: number, random: number) {
    this.#word = word;
    this.#random = random;
  }

  /** Returns groups by the fields `by`, or undefined if their keys are no texts of rows. */
  static by(by: readonly KeyField[], random: number): TextGroups | undefined {
    const word = by.length === 1 ? TEXT_WORDS[by[0] as KeyField] : undefined;
    return word === undefined ? undefined : new TextGroups(word, random);
  }

  /** Takes a batch, whose rows are to be reached before they are added. Returns false if it is too long. */
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

  /** Tells the texts of rows apart, from row `first` of the batch on. Returns the first row that is not reached. */
  reach({ rows, count }: MatchBatch, first: number): number {
    if (first < this.#reached) return this.#reached;
    const core = this.#core as Core;
    const end = Math.min(first + RECORD_ROWS_MAX, count);
    core.words.set(rows.subarray(first * code.RECORD_WORDS, end * code.RECORD_WORDS), RECORD_REGION >> 2);
    this.#placed = first;
    this.#reached = first + core.numberTexts(0, end - first, this.#word);
    return this.#reached;
  }

  /** Adds to the groups of the rows [first, end), which have been reached. */
  add(first: number, end: number, more: GroupNumbers): void {
    const { words } = this.#core as Core;
    const from = (layout.NUMBER_REGION >> 2) - this.#placed;
    for (let index = first; index < end; index++) {
      const group = words[from + index] as number;
      const isNew = group === this.#count;
      if (isNew) this.#addGroup();
      addNumbers(this.#numbers, group * COLUMNS_COUNT, isNew, more);
    }
  }

  /** Gives all groups to `take`, and forgets them. */
  giveTo(take: TakeGroup): void {
    const core = this.#core;
    if (core === undefined) return;
    const view = new DataView(core.bytes.buffer);
    const numbers = this.#numbers;
    const more: GroupNumbers = { count: 0, messages: 0, serial: 0, first: 0, last: 0 };
    for (let group = 0; group < this.#count; group++) {
      const text = core.words[(layout.TEXT_TABLE >> 2) + group] as number;
      const start = text + layout.TEXT_BYTES;
      readNumbers(numbers, group * COLUMNS_COUNT, more);
      take(view, start, start + (core.words[(text + layout.TEXT_LENGTH) >> 2] as number), more);
    }
    numbers.fill(0, 0, this.#count * COLUMNS_COUNT);
    this.#count = 0;
    this.#reached = 0;
    core.beginTexts(this.#random);
  }

  /** Gives the core back; all groups have been given away. */
  close(): void {
    if (this.#core !== undefined) releaseCore(this.#core);
    this.#core = undefined;
  }

  #addGroup(): void {
    this.#count++;
    if (this.#count * COLUMNS_COUNT > this.#numbers.length) this.#numbers = grown(this.#numbers, 2 * this.#numbers.length);
  }
}

function readNumbers(numbers: Float64Array, at: number, into: GroupNumbers): void {
  into.count = numbers[at + COLUMNS.count] as number;
  into.messages = numbers[at + COLUMNS.messages] as number;
  into.serial = numbers[at + COLUMNS.serial] as number;
  into.first = numbers[at + COLUMNS.first] as number;
  into.last = numbers[at + COLUMNS.last] as number;
}
