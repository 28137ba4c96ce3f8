// Groups whose keys are one text of the rows: a match that is counted needs no key.
import * as code from "#core/layout/codes.js";
import { grown } from "../arrays.ts";
import type { KeyField } from "../fields.ts";
import type { MatchBatch } from "../scanner/batch.ts";
import { addNumbers, COLUMNS, COLUMNS_COUNT, type GroupNumbers } from "./group-table.ts";
import { RowTexts } from "./row-texts.ts";

/** Groups that there is room for at first: a file may have a counter of its own. */
const GROUPS_LEAST = 64;

/** Fields that are texts of a row: the word of the row that has the address, before the one that has the length. */
const TEXT_WORDS: Partial<Record<KeyField, number>> = { url: code.RECORD_URL, host: code.RECORD_HOST };

/** Takes a group: its text is [start, end) of `view`. */
type TakeGroup = (view: DataView<ArrayBuffer>, start: number, end: number, numbers: GroupNumbers) => void;

/** Counts matches by a text of their rows, as many different ones as a core has room for. */
export class TextGroups {
  readonly #texts: RowTexts;
  #numbers = new Float64Array(GROUPS_LEAST * COLUMNS_COUNT);
  #count = 0;

  private constructor(texts: RowTexts) {
    this.#texts = texts;
  }

  /** Returns groups by the fields `by`, or undefined if their keys are no texts of rows. */
  static by(by: readonly KeyField[], random: number): TextGroups | undefined {
    const word = by.length === 1 ? TEXT_WORDS[by[0] as KeyField] : undefined;
    return word === undefined ? undefined : new TextGroups(new RowTexts(word, random));
  }

  /** Takes a batch, whose rows are to be reached before they are added. Returns false if it is too long. */
  put(batch: MatchBatch): boolean {
    return this.#texts.put(batch);
  }

  /** Tells the texts of rows apart, from row `first` of the batch on. Returns the first row that is not reached. */
  reach(batch: MatchBatch, first: number): number {
    return this.#texts.reach(batch, first);
  }

  /** Adds to the groups of the rows [first, end), which have been reached. */
  add(first: number, end: number, more: GroupNumbers): void {
    const { words, offset } = this.#texts;
    for (let index = first; index < end; index++) {
      const group = words[offset + index] as number;
      const isNew = group === this.#count;
      if (isNew) this.#addGroup();
      addNumbers(this.#numbers, group * COLUMNS_COUNT, isNew, more);
    }
  }

  /** Gives all groups to `take`, and forgets them. */
  giveTo(take: TakeGroup): void {
    const numbers = this.#numbers;
    const more: GroupNumbers = { count: 0, messages: 0, serial: 0, first: 0, last: 0 };
    this.#texts.giveTo(this.#count, (group, view, start, end) => {
      readNumbers(numbers, group * COLUMNS_COUNT, more);
      take(view, start, end, more);
    });
    numbers.fill(0, 0, this.#count * COLUMNS_COUNT);
    this.#count = 0;
    this.#texts.clear();
  }

  /** Gives the core back; all groups have been given away. */
  close(): void {
    this.#texts.close();
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
