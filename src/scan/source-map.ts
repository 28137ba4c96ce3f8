// Maps decoded bytes to the source. A map has runs of bytes that are decoded in the same way, and between them references of several bytes.
import { MAP_SCALE_BASE64, MAP_SCALE_ONE, MAP_SCALE_SHIFT, MAP_SCALE_UTF16, MAP_SCALE_WHOLE, MAP_SHIFT } from "#core/layout/memory.js";
import { grown } from "../base/arrays.ts";

/** Fewest rows that are dropped at once, because dropping moves all others. */
const ROWS_DROPPED_AT_ONCE = 256;
/** Rows that the first arrays have room for. */
const ROWS_LEAST = 16;

/** Maps decoded offsets to source offsets. */
export interface SourceMap {
  /** Returns the source offset of the first byte that encodes the decoded byte at `decoded`. */
  startOf(decoded: number): number;
  /** Returns the source offset after the bytes that encode the decoded byte before `decoded`. */
  endOf(decoded: number): number;
  /**
   * Returns the offset of the first decoded byte whose source starts at `source` or after it. Before this byte is decoded, the result is
   * only a bound, or Infinity.
   */
  firstFrom(source: number): number;
  /** Forgets the mappings of decoded bytes before `decoded`. */
  drop(decoded: number): void;
}

/** Returns how many source bytes encode the first `count` bytes of a run; only whole groups in base64. */
function sourceBytes(scale: number, count: number): number {
  if (scale === MAP_SCALE_ONE) return count;
  return scale === MAP_SCALE_BASE64 ? 4 * Math.floor(count / 3) : 2 * count;
}

/** Returns how many bytes of a run the first `count` source bytes encode, rounded up. */
function decodedBytes(scale: number, count: number): number {
  if (scale === MAP_SCALE_ONE) return count;
  return scale === MAP_SCALE_BASE64 ? 3 * Math.ceil(count / 4) : Math.ceil(count / 2);
}

/** Decoded bytes [start, end) that are copies of source bytes, moved by `shift`. */
export interface CopiedRun {
  start: number;
  end: number;
  shift: number;
}

/** A source map of one step of decoding. Rows are added in order (X9, A6). */
export class Mappings implements SourceMap {
  // A row describes a run: the decoded and the source offset of its start, the length of the decoded reference before it, and its scale.
  // The row of a run that is one unit (MAP_SCALE_WHOLE) has the source offset of its end; the row before has that of its start.
  #decoded = new Float64Array(ROWS_LEAST);
  #source = new Float64Array(ROWS_LEAST);
  #widths = new Uint8Array(ROWS_LEAST);
  #scales = new Uint8Array(ROWS_LEAST);
  #count = 1;
  /** The row of the last answer: the next one is near. */
  #near = 0;

  /** Adds a reference of `width` decoded bytes that ends at `decoded` and at `source`, and the run after it. */
  add(decoded: number, width: number, source: number, scale: number = MAP_SCALE_ONE): void {
    if (this.#count === this.#decoded.length) this.#grow();
    this.#decoded[this.#count] = decoded;
    this.#source[this.#count] = source;
    this.#scales[this.#count] = scale;
    this.#widths[this.#count++] = width;
  }

  /** Adds the rows that the core wrote at `region`; their offsets count from `decodedBase` and `sourceBase`. */
  addRows(words: Int32Array, region: number, rows: number, decodedBase: number, sourceBase: number): void {
    const first = region >> 2;
    for (let at = first; at < first + 2 * rows; at += 2) {
      const [end, source] = [words[at], words[at + 1]];
      const width = end & ((1 << MAP_SHIFT) - 1);
      const scale = source & ((1 << MAP_SCALE_SHIFT) - 1);
      this.add(decodedBase + (end >> MAP_SHIFT), width, sourceBase + (source >> MAP_SCALE_SHIFT), scale);
    }
  }

  startOf(decoded: number): number {
    const row = this.#rowOf(decoded);
    if (this.#isWhole(row)) return this.#source[row - 1];
    const next = this.#referenceAt(row);
    const run = Math.min(next, decoded) - this.#decoded[row];
    return this.#source[row] + sourceBytes(this.#scales[row], run);
  }

  endOf(decoded: number): number {
    const last = decoded - 1;
    const row = this.#rowOf(last);
    if (this.#isWhole(row)) return this.#source[row];
    if (last >= this.#referenceAt(row)) return this.#source[row + 1];
    const scale = this.#scales[row];
    const run = last - this.#decoded[row];
    const start = this.#source[row] + sourceBytes(scale, run);
    return start + (scale === MAP_SCALE_ONE ? 1 : scale === MAP_SCALE_UTF16 ? 2 : 4);
  }

  /**
   * Narrows `run` to the bytes that this step copies together with the one at `decoded`, and adds their shift. Makes it empty if that byte
   * is no copy. `run` is in offsets of the last text; `decoded` is such an offset plus `run.shift`.
   */
  narrow(run: CopiedRun, decoded: number): void {
    const row = this.#rowOf(decoded);
    const next = this.#referenceAt(row);
    const isCopied = this.#scales[row] === MAP_SCALE_ONE && decoded < next;
    const start = this.#decoded[row];
    run.start = Math.max(run.start, start - run.shift);
    run.end = isCopied ? Math.min(run.end, next - run.shift) : run.start;
    run.shift += this.#source[row] - start;
  }

  firstFrom(source: number): number {
    let row = this.#count - 1;
    while (row > 0 && this.#source[row] >= source) row--;
    // All bytes of a MAP_SCALE_WHOLE unit start at its first source byte.
    const isInside = row + 1 < this.#count && this.#isWhole(row + 1) && source > this.#source[row];
    if (isInside || this.#isWhole(row)) {
      const next = isInside ? row + 2 : row + 1;
      return next < this.#count ? this.#decoded[next] : Number.POSITIVE_INFINITY;
    }
    const run = Math.max(source - this.#source[row], 0);
    const decoded = this.#decoded[row] + decodedBytes(this.#scales[row], run);
    return decoded <= this.#referenceAt(row) ? decoded : this.#decoded[row + 1];
  }

  drop(decoded: number): void {
    const found = this.#rowOf(decoded);
    const row = this.#isWhole(found) ? found - 1 : found;
    if (row < ROWS_DROPPED_AT_ONCE) return;
    for (const column of [this.#decoded, this.#source, this.#widths, this.#scales]) column.copyWithin(0, row, this.#count);
    this.#count -= row;
    this.#near = 0;
  }

  #grow(): void {
    const rows = 2 * this.#decoded.length;
    this.#decoded = grown(this.#decoded, rows);
    this.#source = grown(this.#source, rows);
    this.#widths = grown(this.#widths, rows);
    this.#scales = grown(this.#scales, rows);
  }

  #isWhole(row: number): boolean {
    return this.#scales[row] === MAP_SCALE_WHOLE;
  }

  /** Returns the decoded offset of the reference after the run of `row`; Infinity after the last run. */
  #referenceAt(row: number): number {
    if (row + 1 >= this.#count) return Number.POSITIVE_INFINITY;
    return this.#decoded[row + 1] - this.#widths[row + 1];
  }

  /** Returns the last row that begins at `decoded` or before it: a galloping search from the last answer. */
  #rowOf(decoded: number): number {
    const starts = this.#decoded;
    let low = starts[this.#near] <= decoded ? this.#near : 0;
    let step = 1;
    while (low + step < this.#count && starts[low + step] <= decoded) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.#count);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= decoded) low = middle;
      else high = middle;
    }
    this.#near = low;
    return low;
  }
}
