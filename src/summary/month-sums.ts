// Sums by month, in the form of a summary.
import type { Cells } from "./summary.ts";

/** Months in their order. */
export interface MonthOrder {
  readonly months: readonly number[];
  /** By month: its index in `months`. */
  readonly indexes: ReadonlyMap<number, number>;
}

/** Sums of months of an order. */
export class MonthSums {
  readonly #indexes: ReadonlyMap<number, number>;
  /** Matches by the index of a month. */
  readonly #matches: Float64Array;
  readonly #messages: Float64Array;
  /** Indexes of months with additions, each once. */
  readonly #touched: Int32Array;
  readonly #isTouched: Uint8Array;
  #count = 0;

  constructor({ months, indexes }: MonthOrder) {
    this.#indexes = indexes;
    this.#matches = new Float64Array(months.length);
    this.#messages = new Float64Array(months.length);
    this.#touched = new Int32Array(months.length);
    this.#isTouched = new Uint8Array(months.length);
  }

  /** Adds to a month of the order. Months outside it are allowed if nothing is added. */
  add(month: number, matches: number, messages: number): void {
    if (matches === 0) return;
    const index = this.#indexes.get(month) as number;
    if (this.#isTouched[index] === 0) {
      this.#isTouched[index] = 1;
      this.#touched[this.#count++] = index;
    }
    this.#matches[index] = this.#matches[index] + matches;
    this.#messages[index] = this.#messages[index] + messages;
  }

  /** Returns the sums of months with matches, and resets all. */
  take(): Cells {
    const cells: number[] = [];
    const count = this.#count;
    const touched = this.#touched;
    if (count > 1) touched.subarray(0, count).sort();
    for (let place = 0; place < count; place++) {
      const index = touched[place];
      const matches = this.#matches[index];
      if (matches > 0) cells.push(index, matches, this.#messages[index]);
      this.#matches[index] = 0;
      this.#messages[index] = 0;
      this.#isTouched[index] = 0;
    }
    this.#count = 0;
    return cells;
  }
}
