// Where decoded bytes stand in the source: runs of bytes that are decoded alike, and between them single characters that many bytes encode.
import { MAP_SCALE_BASE64, MAP_SCALE_ONE, MAP_SCALE_SHIFT, MAP_SCALE_UTF16, MAP_SCALE_WHOLE, MAP_SHIFT } from "#core/layout/memory.js";

/** Fewer rows are not worth moving the others. */
const ROWS_DROPPED_AT_ONCE = 256;
/** Rows that there is room for at first. */
const ROWS_LEAST = 16;

/** What tells places in a source. */
export interface SourceMap {
  /** Source offset of the first byte that encodes the decoded byte at `decoded`. */
  startOf(decoded: number): number;
  /** Source offset behind the bytes that encode the decoded byte before `decoded`. */
  endOf(decoded: number): number;
}

/** Source bytes for the first `count` decoded ones of a run; of base64 whole groups. */
function sourceBytes(scale: number, count: number): number {
  if (scale === MAP_SCALE_ONE) return count;
  if (scale === MAP_SCALE_WHOLE) return 0;
  return scale === MAP_SCALE_BASE64 ? 4 * Math.floor(count / 3) : 2 * count;
}

/** Decoded bytes of a run whose source stands in its first `count` bytes. */
function decodedBytes(scale: number, count: number): number {
  if (scale === MAP_SCALE_ONE) return count;
  if (scale === MAP_SCALE_WHOLE) return count === 0 ? 0 : Number.MAX_SAFE_INTEGER;
  return scale === MAP_SCALE_BASE64 ? 3 * Math.ceil(count / 4) : Math.ceil(count / 2);
}

/** Maps absolute offsets of decoded bytes to absolute offsets of source bytes. Rows are added in order. @see docs/rules.md X9, A6 */
export class Mappings implements SourceMap {
  // A row begins a run of bytes: its place in the decoded bytes and in the source, the decoded bytes of the reference before it, and how
  // it goes on.
  #decoded = new Float64Array(ROWS_LEAST);
  #source = new Float64Array(ROWS_LEAST);
  #widths = new Uint8Array(ROWS_LEAST);
  #scales = new Uint8Array(ROWS_LEAST);
  #count = 1;
  /** The row that was asked for last: the next one is near. */
  #near = 0;

  /** A reference of `width` decoded bytes ends at `decoded` and at `source`. */
  add(decoded: number, width: number, source: number, scale: number = MAP_SCALE_ONE): void {
    if (this.#count === this.#decoded.length) this.#grow();
    this.#decoded[this.#count] = decoded;
    this.#source[this.#count] = source;
    this.#scales[this.#count] = scale;
    this.#widths[this.#count++] = width;
  }

  /** Adds rows that the core wrote at `area`; their places count from `decodedBase` and `sourceBase`. */
  addRows(words: Int32Array, area: number, rows: number, decodedBase: number, sourceBase: number): void {
    const first = area >> 2;
    for (let at = first; at < first + 2 * rows; at += 2) {
      const [behind, source] = [words[at] as number, words[at + 1] as number];
      const width = behind & ((1 << MAP_SHIFT) - 1);
      const scale = source & ((1 << MAP_SCALE_SHIFT) - 1);
      this.add(decodedBase + (behind >> MAP_SHIFT), width, sourceBase + (source >> MAP_SCALE_SHIFT), scale);
    }
  }

  startOf(decoded: number): number {
    const row = this.#rowOf(decoded);
    const next = this.#referenceAt(row);
    const run = Math.min(next, decoded) - this.#at(this.#decoded, row);
    return this.#at(this.#source, row) + sourceBytes(this.#at(this.#scales, row), run);
  }

  endOf(decoded: number): number {
    const last = decoded - 1;
    const row = this.#rowOf(last);
    if (last >= this.#referenceAt(row)) return this.#at(this.#source, row + 1);
    const scale = this.#at(this.#scales, row);
    if (scale === MAP_SCALE_WHOLE) return this.#at(this.#source, Math.min(row + 1, this.#count - 1));
    const run = last - this.#at(this.#decoded, row);
    const start = this.#at(this.#source, row) + sourceBytes(scale, run);
    return start + (scale === MAP_SCALE_ONE ? 1 : scale === MAP_SCALE_UTF16 ? 2 : 4);
  }

  /** Offset of the first decoded byte whose source starts at `source` or behind it. */
  firstFrom(source: number): number {
    let row = this.#count - 1;
    while (row > 0 && this.#at(this.#source, row) >= source) row--;
    const run = Math.max(source - this.#at(this.#source, row), 0);
    const decoded = this.#at(this.#decoded, row) + decodedBytes(this.#at(this.#scales, row), run);
    return decoded <= this.#referenceAt(row) ? decoded : this.#at(this.#decoded, row + 1);
  }

  /** Forgets what is known of decoded bytes before `decoded`. */
  drop(decoded: number): void {
    const row = this.#rowOf(decoded);
    if (row < ROWS_DROPPED_AT_ONCE) return;
    for (const column of [this.#decoded, this.#source, this.#widths, this.#scales]) column.copyWithin(0, row, this.#count);
    this.#count -= row;
    this.#near = 0;
  }

  #grow(): void {
    const [decoded, source, widths, scales] = [this.#decoded, this.#source, this.#widths, this.#scales];
    this.#decoded = new Float64Array(2 * decoded.length);
    this.#source = new Float64Array(2 * source.length);
    this.#widths = new Uint8Array(2 * widths.length);
    this.#scales = new Uint8Array(2 * widths.length);
    this.#decoded.set(decoded);
    this.#source.set(source);
    this.#widths.set(widths);
    this.#scales.set(scales);
  }

  #at(column: ArrayLike<number>, row: number): number {
    return column[row] as number;
  }

  /** First decoded byte of the reference behind the run of `row`. */
  #referenceAt(row: number): number {
    if (row + 1 >= this.#count) return Number.POSITIVE_INFINITY;
    return this.#at(this.#decoded, row + 1) - this.#at(this.#widths, row + 1);
  }

  /** The last row that begins at `decoded` or before it. */
  #rowOf(decoded: number): number {
    const starts = this.#decoded;
    let low = this.#at(starts, this.#near) <= decoded ? this.#near : 0;
    let high = this.#count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#at(starts, middle) <= decoded) low = middle;
      else high = middle;
    }
    this.#near = low;
    return low;
  }
}
