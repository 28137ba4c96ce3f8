// Builds a batch of packed rows from the rows of other batches.
import * as code from "#core/layout/codes.js";
import { grown } from "../base/arrays.ts";
import { decodeUtf8, encodeInto } from "../core/text.ts";
import { ADDRESSES, type Element, type MatchBatch, matchBatch } from "./batch.ts";

/** Spare bytes for each row of the first batch. */
const ROW_BYTES = 32;

/** Collects rows of a first batch and of others, and changes them; rows count from 0. */
export class BatchBuilder {
  #rows: Int32Array<ArrayBuffer>;
  #count = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  #used: number;
  /** By the bytes of another batch: their offset in the bytes of this one. */
  readonly #shifts = new Map<Uint8Array, number>();
  /** The bytes of the first batch as a string, if all are ASCII: slices of it are cheaper than new strings. */
  readonly #ascii: string | undefined;
  readonly #chains = new Map<number, readonly string[]>();
  readonly #elements = new Map<number, Element>();
  readonly #first: MatchBatch;
  /** By row: the index of its location in the first batch, below 0 for none. A nested match has the location of its outermost match. */
  readonly #locationOf: number[] = [];
  /** Index of the location of the last row that `addRow` copied from the first batch. */
  #outerLocation = 0;

  /** `first`: the new batch has the same base, and its bytes begin with those of `first`. */
  constructor(first: MatchBatch) {
    const { bytes } = first;
    this.#first = first;
    this.#rows = new Int32Array(first.rows.length);
    this.#bytes = new Uint8Array(bytes.length + first.count * ROW_BYTES);
    this.#bytes.set(bytes);
    this.#used = bytes.length;
    const text = decodeUtf8(bytes, 0, bytes.length);
    this.#ascii = text.length === bytes.length ? text : undefined;
  }

  /** Adds the bytes of another batch, once. Returns the distance by which addresses in its rows must move. */
  #addBytes(bytes: Uint8Array): number {
    const known = this.#shifts.get(bytes);
    if (known !== undefined) return known;
    const shift = this.#used;
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, shift);
    this.#used += bytes.length;
    this.#shifts.set(bytes, shift);
    return shift;
  }

  /** Adds a copy of a row of the first batch or of another one. Returns the number of the copy. */
  addRow(batch: MatchBatch, row: number): number {
    const isFirst = batch === this.#first;
    const shift = isFirst ? 0 : this.#addBytes(batch.bytes);
    const from = row * code.RECORD_WORDS;
    const at = this.#count * code.RECORD_WORDS;
    if (at === this.#rows.length) this.#rows = grown(this.#rows, 2 * at);
    for (let field = 0; field < code.RECORD_WORDS; field++) this.#rows[at + field] = batch.rows[from + field];
    for (const field of ADDRESSES) this.#rows[at + field] += shift;
    if (isFirst) {
      this.#outerLocation = batch.locations?.of[row] ?? 0;
      this.#copyOthers(row, this.#count);
    }
    this.#locationOf.push(this.#outerLocation);
    return this.#count++;
  }

  /** Adds copies of the rows [from, to) of the first batch. */
  addRows(from: number, to: number): void {
    const { rows, locations, elements, chains } = this.#first;
    const at = this.#count * code.RECORD_WORDS;
    const end = at + (to - from) * code.RECORD_WORDS;
    if (end > this.#rows.length) this.#rows = grown(this.#rows, 2 * end);
    this.#rows.set(rows.subarray(from * code.RECORD_WORDS, to * code.RECORD_WORDS), at);
    for (let row = from; row < to; row++) this.#locationOf.push(locations?.of[row] ?? 0);
    if (elements !== undefined || chains !== undefined) {
      for (let row = from; row < to; row++) this.#copyOthers(row, this.#count + row - from);
    }
    this.#count += to - from;
  }

  #copyOthers(from: number, to: number): void {
    const { elements, chains } = this.#first;
    const [element, chain] = [elements?.get(from), chains?.get(from)];
    if (element !== undefined) this.#elements.set(to, element);
    if (chain !== undefined) this.#chains.set(to, chain);
  }

  word(row: number, field: number): number {
    return this.#rows[row * code.RECORD_WORDS + field];
  }

  setWord(row: number, field: number, value: number): void {
    this.#rows[row * code.RECORD_WORDS + field] = value;
  }

  /** Returns the text of a row. `address` and `length` are the fields RECORD_* that hold its address and its length in bytes. */
  text(row: number, address: number, length: number): string {
    const start = this.word(row, address);
    const end = start + this.word(row, length);
    if (this.#ascii !== undefined && end <= this.#ascii.length) return this.#ascii.slice(start, end);
    return decodeUtf8(this.#bytes, start, end);
  }

  /** Replaces the text of a row at the fields `address` and `length`. */
  setText(row: number, address: number, length: number, text: string): void {
    // A code unit of a string takes three bytes at most.
    this.#reserve(3 * text.length);
    const written = encodeInto(text, this.#bytes, this.#used);
    this.setWord(row, address, this.#used);
    this.setWord(row, length, written);
    this.#used += written;
  }

  /** Replaces the text of a row at the fields `address` and `length` by bytes. */
  setBytes(row: number, address: number, length: number, bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.setWord(row, address, this.#used);
    this.setWord(row, length, bytes.length);
    this.#used += bytes.length;
  }

  setChain(row: number, chain: readonly string[]): void {
    this.#chains.set(row, chain);
  }

  /** Returns the batch; nothing can be added afterwards. */
  finish(): MatchBatch {
    const rows = this.#rows.slice(0, this.#count * code.RECORD_WORDS);
    const { source, locations, base } = this.#first;
    return matchBatch({
      source,
      rows,
      bytes: this.#bytes.slice(0, this.#used),
      base,
      count: this.#count,
      needsEscapes: true,
      locations: locations && { ...locations, of: Int32Array.from(this.#locationOf) },
      chains: this.#chains.size === 0 ? undefined : this.#chains,
      elements: this.#elements.size === 0 ? undefined : this.#elements,
    });
  }

  #reserve(count: number): void {
    const needed = this.#used + count;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, Math.max(needed, 2 * this.#bytes.length));
  }
}
