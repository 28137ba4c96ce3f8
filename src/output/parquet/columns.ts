// The columns of a group of rows: they take a value for each row, and give what a data page holds.
import { grown } from "../../arrays.ts";
import type { FieldValue } from "../../scanner/field-values.ts";
import { Dictionary } from "./dictionary.ts";

/** What a column holds: whole numbers of 64 or 32 bits, RFC 3339 dates in UTC, texts, lists of texts. */
export type ColumnType = "long" | "integer" | "time" | "text" | "list";

/** Rows that a group has at most. */
export const GROUP_ROWS = 1 << 17;

/** What the rows of a column are. Its arrays are valid until the column takes more. */
export interface ColumnValues {
  /** Where lists are: for each value 0 if a row begins with it, else 1. */
  readonly repetition: Uint8Array | undefined;
  /** For each value how much of it there is: all, or 0 for none. An empty list is a value too. */
  readonly definition: Uint8Array;
  /** Numbers as they are written, or numbers of texts in the dictionary; none of what is not there. */
  readonly values: Uint8Array | Int32Array;
  readonly dictionary: Dictionary | undefined;
  /** Number of the values. */
  readonly count: number;
  /** The smallest and the largest number, if there is one. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** One column. */
export interface Column {
  /** Bytes of its texts. */
  readonly size: number;
  /** Takes the value of the next row, or of so many rows. */
  add(value: FieldValue, rows?: number): void;
  /** Returns the values of all rows. */
  values(): ColumnValues;
  /** Removes them. */
  clear(): void;
}

/** Returns an empty column. */
export function columnOf(type: ColumnType): Column {
  if (type === "text") return new TextColumn();
  return type === "list" ? new ListColumn() : new NumberColumn(type);
}

/** In place of the number of a text: there is none. */
const NONE = -1;

/** A column of texts. */
export class TextColumn implements Column {
  readonly #dictionary = new Dictionary();
  readonly #indexes = new Int32Array(GROUP_ROWS);
  #rows = 0;
  #last: string | undefined;
  #lastIndex = NONE;

  get size(): number {
    return this.#dictionary.size;
  }

  add(value: FieldValue, rows = 1): void {
    const text = value as string | undefined;
    // Rows of one message share its texts, as the same strings.
    if (text !== this.#last) {
      this.#last = text;
      this.#lastIndex = text === undefined ? NONE : this.#dictionary.indexOfString(text);
    }
    const end = this.#rows + rows;
    while (this.#rows < end) this.#indexes[this.#rows++] = this.#lastIndex;
  }

  /** Takes the text of well-formed bytes as the value of the next row. */
  addBytes(source: DataView, start: number, length: number): void {
    this.#indexes[this.#rows++] = this.#dictionary.indexOfBytes(source, start, length);
  }

  values(): ColumnValues {
    const definition = new Uint8Array(this.#rows);
    const values = new Int32Array(this.#rows);
    let count = 0;
    // Methods of typed arrays that call a function for each value take ten times as long.
    for (let row = 0; row < this.#rows; row++) {
      const index = this.#indexes[row] as number;
      if (index === NONE) continue;
      definition[row] = 1;
      values[count++] = index;
    }
    return { repetition: undefined, definition, values: values.subarray(0, count), dictionary: this.#dictionary, count };
  }

  clear(): void {
    this.#dictionary.clear();
    this.#rows = 0;
    this.#last = undefined;
    this.#lastIndex = NONE;
  }
}

/** Values of a 32-bit word. */
const WORD = 2 ** 32;

/** A column of numbers or dates. */
class NumberColumn implements Column {
  readonly #type: "long" | "integer" | "time";
  /** NaN: there is none. */
  readonly #numbers = new Float64Array(GROUP_ROWS);
  #rows = 0;
  #last: FieldValue;
  #lastNumber = Number.NaN;

  constructor(type: "long" | "integer" | "time") {
    this.#type = type;
  }

  get size(): number {
    return 0;
  }

  add(value: FieldValue, rows = 1): void {
    if (value !== this.#last) {
      this.#last = value;
      this.#lastNumber = value === undefined ? Number.NaN : this.#type === "time" ? Date.parse(value as string) : (value as number);
    }
    const end = this.#rows + rows;
    while (this.#rows < end) this.#numbers[this.#rows++] = this.#lastNumber;
  }

  values(): ColumnValues {
    const isLong = this.#type !== "integer";
    const definition = new Uint8Array(this.#rows);
    const words = new Int32Array((isLong ? 2 : 1) * this.#rows);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [count, used] = [0, 0];
    for (let row = 0; row < this.#rows; row++) {
      const number = this.#numbers[row] as number;
      if (Number.isNaN(number)) continue;
      definition[row] = 1;
      count++;
      words[used++] = number;
      if (isLong) words[used++] = Math.floor(number / WORD);
      if (number < least) least = number;
      if (number > most) most = number;
    }
    const values = new Uint8Array(words.buffer, 0, used * words.BYTES_PER_ELEMENT);
    return { repetition: undefined, definition, values, dictionary: undefined, count, ...(count === 0 ? {} : { least, most }) };
  }

  clear(): void {
    this.#rows = 0;
    this.#last = undefined;
    this.#lastNumber = Number.NaN;
  }
}

/** Of a value of a column of lists: there is no list, an empty one, a list with this text. */
const [NO_LIST, EMPTY_LIST, IN_LIST] = [0, 1, 2];

/** A column of lists of texts. */
class ListColumn implements Column {
  readonly #dictionary = new Dictionary();
  /** By value, of which a list that is not empty has several. */
  #repetition = new Uint8Array(GROUP_ROWS);
  #definition = new Uint8Array(GROUP_ROWS);
  #count = 0;
  readonly #indexes: number[] = [];

  get size(): number {
    return this.#dictionary.size + this.#count;
  }

  add(value: FieldValue, rows = 1): void {
    const list = value as readonly string[] | undefined;
    const isEmpty = list === undefined || list.length === 0;
    if (isEmpty) this.#addLevels(rows, list === undefined ? NO_LIST : EMPTY_LIST);
    else for (let row = 0; row < rows; row++) this.#addList(list);
  }

  /** Most matches have no flag and no chain: many rows without a text are one step. */
  #addLevels(rows: number, definition: number): void {
    this.#reserve(rows);
    this.#definition.fill(definition, this.#count, this.#count + rows);
    this.#count += rows;
  }

  #addList(list: readonly string[]): void {
    const first = this.#count;
    this.#addLevels(list.length, IN_LIST);
    this.#repetition.fill(1, first + 1, this.#count);
    for (const text of list) this.#indexes.push(this.#dictionary.indexOfString(text));
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#definition.length) return;
    this.#repetition = grown(this.#repetition, 2 * needed);
    this.#definition = grown(this.#definition, 2 * needed);
  }

  values(): ColumnValues {
    return {
      repetition: this.#repetition.subarray(0, this.#count),
      definition: this.#definition.subarray(0, this.#count),
      values: Int32Array.from(this.#indexes),
      dictionary: this.#dictionary,
      count: this.#indexes.length,
    };
  }

  clear(): void {
    this.#dictionary.clear();
    this.#repetition.fill(0);
    this.#count = 0;
    this.#indexes.length = 0;
  }
}
