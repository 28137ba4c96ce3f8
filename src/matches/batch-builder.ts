// Batches that are made of other batches: with changed, added or fewer rows.
import * as code from "#core/layout/codes.js";
import { grown } from "../base/arrays.ts";
import { decodeUtf8, encodeInto } from "../core/text.ts";
import { ADDRESSES, type MatchBatch, matchBatch } from "./batch.ts";

const ROW_BYTES = 32; // Spare bytes for each row of the batch

/**
 * Changes the rows of a batch in place, and adds rows after them. `text` and `setText` take a field of ADDRESSES. The texts of changed
 * rows are in the batch that `finish` returns: a changed row must not be read from the given one.
 */
export class BatchBuilder {
  readonly #batch: MatchBatch;
  #rows: Int32Array<ArrayBuffer>;
  #count: number;
  #bytes: Uint8Array<ArrayBuffer>; // The bytes of the batch, and after them those of changed and added rows
  #used: number;
  readonly #shifts = new Map<Uint8Array, number>(); // By the bytes of another batch: their offset in `#bytes`
  readonly #ascii: string | undefined; // The bytes of the batch as a string, if all are ASCII: slices of it are cheaper than new strings
  readonly #chains: Map<number, readonly string[]>;
  readonly #added: number[] = []; // The indices of the locations of added rows

  constructor(batch: MatchBatch) {
    const { bytes, chains } = batch;
    this.#batch = batch;
    this.#rows = batch.rows;
    this.#count = batch.count;
    this.#bytes = new Uint8Array(bytes.length + batch.count * ROW_BYTES);
    this.#bytes.set(bytes);
    this.#used = bytes.length;
    this.#chains = new Map(chains);
    const text = decodeUtf8(bytes, 0, bytes.length);
    this.#ascii = text.length === bytes.length ? text : undefined;
  }

  /** Adds a copy of a row of another batch, at the location of the row `outer` of this one. Returns the number of the copy. */
  addRow(batch: MatchBatch, row: number, outer: number): number {
    const shift = this.#shifts.get(batch.bytes) ?? this.#addBytes(batch.bytes);
    this.#shifts.set(batch.bytes, shift);
    const at = this.#count * code.RECORD_WORDS;
    if (at === this.#rows.length) this.#rows = grown(this.#rows, 2 * at);
    this.#rows.set(rowIn(batch, row), at);
    for (const field of ADDRESSES) this.#rows[at + field] += shift;
    this.#added.push(this.#batch.locations?.of[outer] ?? 0);
    return this.#count++;
  }

  word(row: number, field: number): number {
    return this.#rows[row * code.RECORD_WORDS + field];
  }

  setWord(row: number, field: number, value: number): void {
    this.#rows[row * code.RECORD_WORDS + field] = value;
  }

  text(row: number, address: number): string {
    const start = this.word(row, address);
    const end = start + this.word(row, address + 1);
    if (this.#ascii !== undefined && end <= this.#ascii.length) return this.#ascii.slice(start, end);
    return decodeUtf8(this.#bytes, start, end);
  }

  setText(row: number, address: number, text: string | Uint8Array): void {
    this.setWord(row, address, this.#addBytes(text));
    this.setWord(row, address + 1, this.#used - this.word(row, address));
  }

  chain(row: number): readonly string[] | undefined {
    return this.#chains.get(row);
  }

  setChain(row: number, chain: readonly string[]): void {
    this.#chains.set(row, chain);
  }

  /** Returns the batch with the rows numbered in `order`, or with all. */
  finish(order?: readonly number[]): MatchBatch {
    const { locations } = this.#batch;
    const changed = {
      ...this.#batch,
      rows: this.#rows.subarray(0, this.#count * code.RECORD_WORDS),
      bytes: this.#bytes.slice(0, this.#used),
      count: this.#count,
      needsEscapes: true,
      locations:
        locations && (this.#added.length === 0 ? locations : { ...locations, of: Int32Array.from([...locations.of, ...this.#added]) }),
      chains: this.#chains.size === 0 ? undefined : this.#chains,
      found: undefined,
      view: undefined,
      text: undefined,
    };
    if (order === undefined) return matchBatch(changed);
    const rows = new Int32Array(order.length * code.RECORD_WORDS);
    for (const [to, from] of order.entries()) rows.set(rowIn(changed, from), to * code.RECORD_WORDS);
    return withOthers({ ...changed, rows }, order);
  }

  /** Adds bytes, or the UTF-8 of a text, and returns their offset. */
  #addBytes(added: string | Uint8Array): number {
    // A code unit of a string takes three bytes at most.
    const needed = this.#used + (typeof added === "string" ? 3 : 1) * added.length;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, Math.max(needed, 2 * this.#bytes.length));
    const at = this.#used;
    if (typeof added === "string") this.#used += encodeInto(added, this.#bytes, at);
    else {
      this.#bytes.set(added, at);
      this.#used += added.length;
    }
    return at;
  }
}

function rowIn({ rows }: MatchBatch, row: number): Int32Array<ArrayBuffer> {
  return rows.subarray(row * code.RECORD_WORDS, (row + 1) * code.RECORD_WORDS);
}

export function rowsWhere({ count }: MatchBatch, test: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (test(row)) rows.push(row);
  return rows;
}

/** Returns the batch with only the rows that `wants` selects. They move to the front of the array of `batch`. */
export function keepRows(batch: MatchBatch, wants: (row: number) => boolean): MatchBatch {
  const kept = rowsWhere(batch, wants);
  return kept.length === batch.count ? batch : withRows(batch, kept);
}

/** Returns the batch with only the rows numbered in `kept`, in ascending order. They move to the front of the array of `batch`. */
export function withRows(batch: MatchBatch, kept: readonly number[]): MatchBatch {
  kept.forEach((from, to) => {
    batch.rows.copyWithin(to * code.RECORD_WORDS, from * code.RECORD_WORDS, (from + 1) * code.RECORD_WORDS);
  });
  return withOthers({ ...batch, rows: batch.rows.subarray(0, kept.length * code.RECORD_WORDS) }, kept);
}

/** Returns a batch with a copy of one row, and only the bytes that the row has. */
export function rowOf(batch: MatchBatch, index: number): MatchBatch {
  const rows = rowIn(batch, index).slice();
  // The length of a text is the word after its address.
  const texts = ADDRESSES.filter((field) => rows[field + 1] > 0);
  const start = Math.min(...texts.map((field) => rows[field]));
  const end = Math.max(...texts.map((field) => rows[field] + rows[field + 1]));
  for (const field of texts) rows[field] -= start;
  return withOthers({ ...batch, rows, bytes: batch.bytes.subarray(start, end), view: undefined, text: undefined }, [index]);
}

/** Returns a batch that has the rows `kept` of another with what else belongs to them. */
function withOthers(batch: MatchBatch, kept: readonly number[]): MatchBatch {
  const { locations, chains, elements, texts, contexts } = batch;
  return matchBatch({
    ...batch,
    count: kept.length,
    locations: locations && { ...locations, of: Int32Array.from(kept, (from) => locations.of[from]) },
    contexts: contexts && kept.map((from) => contexts[from]),
    chains: moved(chains, kept),
    elements: moved(elements, kept),
    texts: moved(texts, kept),
  });
}

function moved<T>(values: ReadonlyMap<number, T> | undefined, kept: readonly number[]): ReadonlyMap<number, T> | undefined {
  if (values === undefined) return undefined;
  const now = new Map<number, T>();
  kept.forEach((from, to) => {
    const value = values.get(from);
    if (value !== undefined) now.set(to, value);
  });
  return now;
}
