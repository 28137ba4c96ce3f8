// Cells: the counts of each pair of a value and a month. They are rows of counts whose keys are the address of the value and the month.
import { addNumbers, COLUMNS, COLUMNS_COUNT } from "../count/count-rows.ts";
import { murmur3 } from "../count/hash.ts";
import { KeyTable } from "../count/key-table.ts";
import { type Addition, noAddition } from "./month-cells.ts";

/** Column of a cell after COLUMNS: the previous cell of the same value. */
const OLDER = COLUMNS_COUNT;
/** Instead of the address of a cell: there is none. */
export const NO_CELL = -1;
/** About the bytes of a cell, with its slots. */
export const CELL_BYTES = 80;
const KEY_BYTES = 8;
/** Offset of the month in a key. */
const MONTH = 4;

export class CellTable {
  readonly #rows: KeyTable;
  /** Scratch: the key of a cell, and the argument of a visit. */
  readonly #key = new DataView(new ArrayBuffer(KEY_BYTES));
  readonly #sums = noAddition();

  constructor(seed: number, blockBytes: number) {
    this.#rows = new KeyTable(COLUMNS_COUNT + 1, Number.POSITIVE_INFINITY, murmur3, seed, blockBytes);
  }

  get count(): number {
    return this.#rows.count;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Whether the last `addTo` has made a cell. */
  get isNew(): boolean {
    return this.#rows.isNew;
  }

  /** Adds `more` to a cell. */
  add(cell: number, more: Addition): void {
    this.#rows.select(cell);
    addNumbers(this.#rows.numbers, this.#rows.at, false, more);
  }

  /** Adds `more` to the cell of a value and its month, or to a new one. Returns the cell; `newest`: the newest cell of the value. */
  addTo(value: number, newest: number, more: Addition): number {
    this.#key.setInt32(0, value);
    this.#key.setInt32(MONTH, more.month);
    const rows = this.#rows;
    const cell = rows.reach(this.#key, 0, KEY_BYTES);
    addNumbers(rows.numbers, rows.at, rows.isNew, more);
    if (rows.isNew) rows.numbers[rows.at + OLDER] = newest;
    return cell;
  }

  /** Calls `visit` for a cell and all older ones of its value. The argument is valid until `visit` returns. */
  visit(newest: number, visit: (sums: Addition) => void): void {
    for (let cell = newest; cell !== NO_CELL; ) {
      const sums = this.#sumsOf(cell);
      cell = this.#rows.number(OLDER);
      visit(sums);
    }
  }

  /** Calls `visit` for each cell with matches, in any order, with the address of its value. Yields where the caller may pause. */
  *each(visit: (address: number, sums: Addition) => void): Generator<undefined> {
    for (const part of this.#rows.addressParts()) {
      for (const cell of part) {
        const sums = this.#sumsOf(cell);
        if (sums.count > 0) visit(this.#rows.keyWord(cell, 0), sums);
      }
      yield;
    }
  }

  #sumsOf(cell: number): Addition {
    const [rows, sums] = [this.#rows, this.#sums];
    rows.select(cell);
    const { numbers, at } = rows;
    sums.month = rows.keyWord(cell, MONTH) | 0;
    sums.count = numbers[at + COLUMNS.count];
    sums.messages = numbers[at + COLUMNS.messages];
    sums.serial = numbers[at + COLUMNS.serial];
    sums.first = numbers[at + COLUMNS.first];
    sums.last = numbers[at + COLUMNS.last];
    return sums;
  }
}
