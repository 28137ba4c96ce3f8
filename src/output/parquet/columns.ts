// The columns of a group of rows: they take a value for each row, and give what a data page holds.
import { grown } from "../../arrays.ts";
import type { FieldValue } from "../../scanner/field-values.ts";
import { deltas } from "./delta.ts";
import { Dictionary } from "./dictionary.ts";

/** What a column holds: whole numbers of 64 or 32 bits, RFC 3339 dates in UTC, texts, lists of texts. */
export type ColumnType = "long" | "integer" | "time" | "text" | "list";

/** Rows that a group has at most. */
export const GROUP_ROWS = 1 << 17;

/** What the rows of a column are. Its arrays are valid until the column takes more. */
export interface ColumnValues {
  /** Where lists are: for each value 0 if a row begins with it, else 1. */
  readonly repetition: Int32Array | undefined;
  /** For each value how much of it there is: all, or 0 for none. An empty list is a value too. Absent if each row has a value. */
  readonly definition: Int32Array | undefined;
  /** Numbers as they are written, or numbers of texts in the dictionary; none of what is not there. */
  readonly values: Uint8Array | Int32Array;
  /** Whether the numbers are written as their differences (delta.ts). */
  readonly areDeltas?: true;
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
  #missing = 0;
  #last: string | undefined;
  #lastIndex = NONE;
  /** By number of a text of the column that this one follows: the number, from 1 on, of the text that was last beside it. */
  #beside: Int32Array | undefined;

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
    if (text === undefined) this.#missing += rows;
    const end = this.#rows + rows;
    while (this.#rows < end) this.#indexes[this.#rows++] = this.#lastIndex;
  }

  /** Takes the text of well-formed bytes as the value of the next row. */
  addBytes(source: DataView, start: number, length: number): void {
    this.#indexes[this.#rows++] = this.#dictionary.indexOfBytes(source, start, length);
  }

  /**
   * Takes some bytes as the value of the next row, if they are the text that this column had when `leader` last had the text that it has in
   * this row. Comparing takes less than half of the time of a search.
   */
  addIfBeside(leader: TextColumn, source: DataView, start: number, length: number): boolean {
    const key = leader.#indexes[this.#rows] as number;
    const known = key === NONE || this.#beside === undefined ? 0 : (this.#beside[key] as number);
    if (known === 0 || !this.#dictionary.isEntry(known - 1, source, start, length)) return false;
    this.#indexes[this.#rows++] = known - 1;
    return true;
  }

  /** Remembers the text of the last row for rows in which `leader` has the same text as in that one. */
  remember(leader: TextColumn): void {
    const row = this.#rows - 1;
    const key = leader.#indexes[row] as number;
    this.#beside ??= new Int32Array(GROUP_ROWS);
    if (key !== NONE) this.#beside[key] = (this.#indexes[row] as number) + 1;
  }

  values(): ColumnValues {
    const dictionary = this.#dictionary;
    if (this.#missing === 0) {
      const values = this.#indexes.subarray(0, this.#rows);
      return { repetition: undefined, definition: undefined, values, dictionary, count: this.#rows };
    }
    const definition = new Int32Array(this.#rows);
    const values = new Int32Array(this.#rows - this.#missing);
    let count = 0;
    // Methods of typed arrays that call a function for each value take ten times as long.
    for (let row = 0; row < this.#rows && count < values.length; row++) {
      const index = this.#indexes[row] as number;
      if (index === NONE) continue;
      definition[row] = 1;
      values[count++] = index;
    }
    return { repetition: undefined, definition, values, dictionary, count };
  }

  clear(): void {
    this.#dictionary.clear();
    this.#beside?.fill(0);
    this.#rows = 0;
    this.#missing = 0;
    this.#last = undefined;
    this.#lastIndex = NONE;
  }
}

/** A column of numbers or dates. */
export class NumberColumn implements Column {
  readonly #type: "long" | "integer" | "time";
  /** The values that are there. */
  readonly #numbers = new Float64Array(GROUP_ROWS);
  readonly #definition = new Int32Array(GROUP_ROWS);
  #rows = 0;
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  constructor(type: "long" | "integer" | "time") {
    this.#type = type;
  }

  get size(): number {
    return 0;
  }

  /** Takes numbers; dates may also be milliseconds since 1970. */
  add(value: FieldValue, rows = 1): void {
    if (value === undefined) {
      this.#definition.fill(0, this.#rows, this.#rows + rows);
      this.#rows += rows;
      return;
    }
    const number = typeof value === "number" ? value : Date.parse(value as string);
    for (let row = 0; row < rows; row++) this.addNumber(number);
  }

  /** Takes a number as the value of the next row. */
  addNumber(number: number): void {
    this.#definition[this.#rows++] = 1;
    this.#numbers[this.#count++] = number;
    if (number < this.#least) this.#least = number;
    if (number > this.#most) this.#most = number;
  }

  values(): ColumnValues {
    const numbers = this.#numbers.subarray(0, this.#count);
    const range = this.#count === 0 ? {} : { least: this.#least, most: this.#most };
    const definition = this.#count === this.#rows ? undefined : this.#definition.subarray(0, this.#rows);
    const rest = { repetition: undefined, definition, dictionary: undefined, count: this.#count, ...range };
    // Neighbors are near each other where they are offsets, not where they are dates.
    const packed = this.#type === "long" && this.#count > 0 ? deltas(numbers) : undefined;
    if (packed !== undefined) return { ...rest, values: packed, areDeltas: true };
    return { ...rest, values: this.#type === "integer" ? new Uint8Array(Int32Array.from(numbers).buffer) : longs(numbers) };
  }

  clear(): void {
    this.#rows = 0;
    this.#count = 0;
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = Number.NEGATIVE_INFINITY;
  }
}

/** Values of a 32-bit word. */
const WORD = 2 ** 32;

/** Returns integers of 64 bits. */
function longs(numbers: Float64Array): Uint8Array {
  const words = new Int32Array(2 * numbers.length);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    words[2 * index] = number;
    words[2 * index + 1] = Math.floor(number / WORD);
  }
  return new Uint8Array(words.buffer);
}

/** Of a value of a column of lists: there is no list, an empty one, a list with this text. */
const [NO_LIST, EMPTY_LIST, IN_LIST] = [0, 1, 2];

/** A column of lists of texts. */
class ListColumn implements Column {
  readonly #dictionary = new Dictionary();
  /** By value, of which a list that is not empty has several. */
  #repetition = new Int32Array(GROUP_ROWS);
  #definition = new Int32Array(GROUP_ROWS);
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
