// Where decoded bytes stand in the source: decoded bytes are copies of source bytes, one for one, but for references between them.

/** Fewer rows are not worth moving the others. */
const ROWS_DROPPED_AT_ONCE = 1024;
/** Rows that there is room for at first. */
const ROWS_LEAST = 16;

/** Maps absolute offsets of decoded bytes to absolute offsets of source bytes. Rows are added in order. @see docs/rules.md X9 */
export class OffsetMap {
  // A row begins a run of copied bytes: its place in the decoded bytes and in the source, and the decoded bytes of the reference before it.
  #decoded = new Float64Array(ROWS_LEAST);
  #source = new Float64Array(ROWS_LEAST);
  #widths = new Uint8Array(ROWS_LEAST);
  #count = 1;
  /** The row that was asked for last: the next one is near. */
  #near = 0;

  /** A reference of `width` decoded bytes ends at `decoded` and at `source`. */
  add(decoded: number, width: number, source: number): void {
    if (this.#count === this.#decoded.length) this.#grow();
    this.#decoded[this.#count] = decoded;
    this.#source[this.#count] = source;
    this.#widths[this.#count++] = width;
  }

  /** Source offset of the first byte that encodes the decoded byte at `decoded`. */
  startOf(decoded: number): number {
    const row = this.#rowOf(decoded);
    const next = this.#referenceAt(row);
    const run = Math.min(next, decoded) - this.#at(this.#decoded, row);
    return this.#at(this.#source, row) + run;
  }

  /** Source offset behind the bytes that encode the decoded byte before `decoded`. */
  endOf(decoded: number): number {
    const last = decoded - 1;
    const row = this.#rowOf(last);
    if (last >= this.#referenceAt(row)) return this.#at(this.#source, row + 1);
    return this.#at(this.#source, row) + last - this.#at(this.#decoded, row) + 1;
  }

  /** Offset of the first decoded byte whose source starts at `source` or behind it. */
  firstFrom(source: number): number {
    let row = this.#count - 1;
    while (row > 0 && this.#at(this.#source, row) >= source) row--;
    const decoded = this.#at(this.#decoded, row) + Math.max(source - this.#at(this.#source, row), 0);
    return decoded <= this.#referenceAt(row) ? decoded : this.#at(this.#decoded, row + 1);
  }

  /** Forgets what is known of decoded bytes before `decoded`. */
  drop(decoded: number): void {
    const row = this.#rowOf(decoded);
    if (row < ROWS_DROPPED_AT_ONCE) return;
    for (const column of [this.#decoded, this.#source, this.#widths]) column.copyWithin(0, row, this.#count);
    this.#count -= row;
    this.#near = 0;
  }

  #grow(): void {
    const [decoded, source, widths] = [this.#decoded, this.#source, this.#widths];
    this.#decoded = new Float64Array(2 * decoded.length);
    this.#source = new Float64Array(2 * source.length);
    this.#widths = new Uint8Array(2 * widths.length);
    this.#decoded.set(decoded);
    this.#source.set(source);
    this.#widths.set(widths);
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
