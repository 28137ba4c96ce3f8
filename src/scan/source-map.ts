// Source maps: from a decoded byte to the source bytes that encode it.
//
// In the plain algorithm each decoded byte has its source offset beside it, which takes eight times the text. Here each step of decoding
// writes a row where the distance to its source changes: at the start of a run, and after a reference that decodes to `width` bytes. A row
// has the offsets of this border among decoded and source bytes. From there on, bytes are copies. A body in quoted-printable, ISO-8859-1
// and HTML has three maps. assembly/mail/pipe.ts and assembly/html/decoded.ts write the rows. `#` is the byte E9, and é has two bytes:
//
//   source        http://a/=E9?b&amp;c    0 ... 20     decoded   width   source
//   transferred   http://a/#?b&amp;c      0 ... 18          10       1       12
//   text          http://a/é?b&amp;c      0 ... 19          11       2       10
//   window        http://a/é?b&c          0 ... 15          14       1       18
//
// The byte 13 of the window is `&`. It starts at 13 in the text, 12 in the transferred bytes, 14 in the source. It ends at 18, 17 and 19:
// its source is `&amp;`. Departures from this, each with the failure that it prevents:
//
// 1. `endOf` gives the end of the last byte, not the start of the next one. Otherwise a URL before a soft line break (`http://a/x=` at the
//    end of a line, ` y` in the next one) would end after the break.
// 2. All bytes of a reference have its whole source: both bytes of é have [9, 12). Otherwise a match could begin or end inside `=E9`.
// 3. A run has a scale. In base64 four source bytes are three, in UTF-16 two are one. With a row for each group, the rows would take more
//    than the text. A byte of base64 has the source of its group.
// 4. Each byte of a text that the host has unpacked or decoded has the source of the whole body. A row with MAP_SCALE_WHOLE has the end of
//    the body, and the row before it the start. Counted on from the start, offsets would be those of later messages.
// 5. Each step has Mappings of its own, and SourceMap asks one after the other. With a single map, each new row would be searched in the
//    maps before it, but matches need few of them. Refanged text, and Markdown in JSON, add one more (TextStep).
// 6. Rows of the core have addresses, or the number of bytes since the start of the call. `addRows` adds the offsets of that start, because
//    32 bits do not hold the offsets of a large file. A run of lines, without a mapping of JSON, has no rows of the first two steps.
// 7. Each step keeps the run of its last answer, because matches come in order: most need no search. `#rowOf` starts at its last answer.
// 8. `drop` forgets rows when the window moves. Otherwise a map would grow with its source.
// 9. `firstFrom` maps the other way, for the edges of ranges (range.ts).
import { MAP_SCALE_ONE, MAP_SCALE_SHIFT, MAP_SCALE_WHOLE, MAP_SHIFT } from "#core/layout/memory.js";
import { grown } from "../base/arrays.ts";

/** Fewest rows that are dropped at once, because dropping moves all others. */
const ROWS_DROPPED_AT_ONCE = 256;
const ROWS_LEAST = 16;

/** The mappings of all steps of a decoder, from the last step to the first. Without a step both offsets are equal. */
export class SourceMap {
  readonly steps: readonly Mappings[];

  constructor(...steps: readonly Mappings[]) {
    this.steps = steps;
  }

  /** Returns the source offset of the first byte that encodes the decoded byte at `decoded`. */
  startOf(decoded: number): number {
    return this.steps.reduce(startIn, decoded);
  }

  /** Returns the source offset after the bytes that encode the decoded byte before `decoded`. */
  endOf(decoded: number): number {
    return this.steps.reduce(endIn, decoded);
  }

  /** Returns the offset of the first decoded byte whose source starts at `source` or later; before it is decoded, a bound or Infinity. */
  firstFrom(source: number): number {
    return this.steps.reduceRight((offset, step) => step.firstFrom(offset), source);
  }

  /** Forgets the mappings of decoded bytes before `decoded`. */
  drop(decoded: number): void {
    let offset = decoded;
    for (const step of this.steps) {
      step.drop(offset);
      offset = step.startOf(offset);
    }
  }
}

// Functions of their own, so that a match needs no closures.
const startIn = (offset: number, step: Mappings): number => step.startOf(offset);
const endIn = (offset: number, step: Mappings): number => step.endOf(offset);

/** By MAP_SCALE_ONE, _BASE64 and _UTF16: the decoded bytes of a group, and the source bytes that encode them. */
const GROUP_BYTES = [1, 3, 1];
const GROUP_SOURCE_BYTES = [1, 4, 2];

/** The mappings of one step. */
export class Mappings {
  // Columns of the rows. The first row begins the text.
  #decoded = new Float64Array(ROWS_LEAST);
  #source = new Float64Array(ROWS_LEAST);
  #widths = new Uint8Array(ROWS_LEAST);
  #scales = new Uint8Array(ROWS_LEAST);
  #count = 1;
  #near = 0;
  // The bytes [from, to) of the run of `#near` that are copies of source bytes, moved by `shift`.
  #from = 0;
  #to = 0;
  #shift = 0;

  /** Adds a reference of `width` decoded bytes that ends at `decoded` and at `source`, and the run after it. */
  add(decoded: number, width: number, source: number, scale: number = MAP_SCALE_ONE): void {
    if (this.#count === this.#decoded.length) this.#grow();
    this.#decoded[this.#count] = decoded;
    this.#source[this.#count] = source;
    this.#widths[this.#count] = width;
    this.#scales[this.#count++] = scale;
    this.#to = 0;
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
    if (decoded >= this.#from && decoded < this.#to) return decoded + this.#shift;
    const row = this.#rowOf(decoded);
    if (this.#isWhole(row)) return this.#source[row - 1];
    return this.#sourceOf(row, Math.min(this.#referenceAt(row), decoded));
  }

  endOf(decoded: number): number {
    const last = decoded - 1;
    if (last >= this.#from && last < this.#to) return decoded + this.#shift;
    const row = this.#rowOf(last);
    if (this.#isWhole(row)) return this.#source[row];
    if (last >= this.#referenceAt(row)) return this.#source[row + 1];
    return this.#sourceOf(row, last) + GROUP_SOURCE_BYTES[this.#scales[row]];
  }

  firstFrom(source: number): number {
    const last = this.#count - 1;
    let row = last;
    while (row > 0 && this.#source[row] >= source) row--;
    // All bytes of a MAP_SCALE_WHOLE unit start at its first source byte.
    const isInside = row < last && this.#isWhole(row + 1) && source > this.#source[row];
    if (isInside || this.#isWhole(row)) {
      const next = isInside ? row + 2 : row + 1;
      return next <= last ? this.#decoded[next] : Number.POSITIVE_INFINITY;
    }
    const scale = this.#scales[row];
    const groups = Math.ceil(Math.max(source - this.#source[row], 0) / GROUP_SOURCE_BYTES[scale]);
    const decoded = this.#decoded[row] + GROUP_BYTES[scale] * groups;
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
    const rows = 2 * this.#count;
    this.#decoded = grown(this.#decoded, rows);
    this.#source = grown(this.#source, rows);
    this.#widths = grown(this.#widths, rows);
    this.#scales = grown(this.#scales, rows);
  }

  #isWhole(row: number): boolean {
    return this.#scales[row] === MAP_SCALE_WHOLE;
  }

  /** Returns the source offset of the group of a decoded byte in the run of `row`. */
  #sourceOf(row: number, decoded: number): number {
    const scale = this.#scales[row];
    return this.#source[row] + GROUP_SOURCE_BYTES[scale] * Math.floor((decoded - this.#decoded[row]) / GROUP_BYTES[scale]);
  }

  /** Returns the decoded offset of the reference after the run of `row`; Infinity after the last run. */
  #referenceAt(row: number): number {
    if (row + 1 >= this.#count) return Number.POSITIVE_INFINITY;
    return this.#decoded[row + 1] - this.#widths[row + 1];
  }

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
    this.#from = starts[low];
    this.#to = this.#scales[low] === MAP_SCALE_ONE ? this.#referenceAt(low) : 0;
    this.#shift = this.#source[low] - this.#from;
    return low;
  }
}
