// Reads defanged text (X15) after another decoder, in the window. The changes are kept: they restore the raw form of matches.
import * as code from "#core/layout/codes.js";
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { firstIndex, grown } from "../base/arrays.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { BatchBuilder } from "../matches/batch-builder.ts";
import { type Rewritten, TextStep } from "./text-step.ts";

/** Fewest changes that are dropped at once, because dropping moves all others. */
const DROPPED_AT_ONCE = 256;
/** Changes that the first arrays have room for. */
const CHANGES_LEAST = 16;
const ROW_WORDS = layout.REFANG_ROW_BYTES >> 2;
const TEXT_WORDS = (layout.REFANG_ROW_BYTES - layout.REFANG_ROW_TEXT) >> 2;
const TEXT_BYTES = TEXT_WORDS << 2;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const SPACE = 0x20;
const LESS = 0x3c;
const GREATER = 0x3e;

/** The changes [first, last), by their index in the columns. */
interface Changes {
  readonly first: number;
  readonly last: number;
}

/** Decodes a source by another decoder, refangs its text, and keeps the changes. */
export class RefangDecoder extends TextStep {
  // Columns of the changes: offsets of the refanged bytes, and the written bytes with their length.
  #starts = new Float64Array(CHANGES_LEAST);
  #ends = new Float64Array(CHANGES_LEAST);
  #texts = new Int32Array(CHANGES_LEAST * TEXT_WORDS);
  #lengths = new Uint8Array(CHANGES_LEAST);
  #count = 0;

  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const { core } = this;
    let [from, to] = [start, start];
    let stop: number = layout.STOP_FULL;
    while (stop === layout.STOP_FULL) {
      stop = core.refang(from, end, to, isLast);
      this.#take(base, innerBase);
      from = core.words[DECODED_SOURCE >> 2];
      to = core.words[DECODED_END >> 2];
    }
    return { from, to };
  }

  /** Takes the rows of the core. Address 0 is the offset `base` of the refanged text, and `writtenBase` of the text before refanging. */
  #take(base: number, writtenBase: number): void {
    const { words } = this.core;
    const rows = words[DECODED_MAP_ROWS >> 2];
    while (this.#count + rows > this.#starts.length) this.#grow();
    let at = layout.MAP_REGION >> 2;
    for (const last = at + rows * ROW_WORDS; at < last; at += ROW_WORDS) {
      const end = base + words[at];
      const width = words[at + 2];
      this.changes.add(end, width, writtenBase + words[at + 1]);
      const change = this.#count++;
      this.#starts[change] = end - width;
      this.#ends[change] = end;
      this.#lengths[change] = words[at + 3];
      for (let word = 0; word < TEXT_WORDS; word++) {
        this.#texts[change * TEXT_WORDS + word] = words[at + (layout.REFANG_ROW_TEXT >> 2) + word];
      }
    }
  }

  #grow(): void {
    const count = 2 * this.#starts.length;
    this.#starts = grown(this.#starts, count);
    this.#ends = grown(this.#ends, count);
    this.#texts = grown(this.#texts, count * TEXT_WORDS);
    this.#lengths = grown(this.#lengths, count);
  }

  protected override drop(offset: number): void {
    super.drop(offset);
    const first = firstIndex(this.#count, (index) => this.#starts[index] >= offset);
    if (first < DROPPED_AT_ONCE) return;
    for (const column of [this.#starts, this.#ends, this.#lengths]) column.copyWithin(0, first, this.#count);
    this.#texts.copyWithin(0, first * TEXT_WORDS, this.#count * TEXT_WORDS);
    this.#count -= first;
  }

  restore(batch: MatchBatch, window: Uint8Array): MatchBatch {
    const changed = this.#changedRows(batch);
    if (changed.size === 0) return batch;
    const builder = new BatchBuilder(batch);
    for (const [row, changes] of changed) {
      nameByRow(builder, row);
      const [start, end] = [builder.word(row, code.RECORD_START), builder.word(row, code.RECORD_END)];
      const text = window.subarray(start, end);
      builder.setText(row, code.RECORD_RAW, this.#written(text, batch.base + start, changes, isOutOf(batch, row)));
      builder.setWord(row, code.RECORD_KIND, code.KIND_REFANGED);
    }
    return builder.finish();
  }

  /** Returns the changes inside the matches, by row of the batch. Nested matches keep their own form (X11). */
  #changedRows({ rows, base }: MatchBatch): Map<number, Changes> {
    const changed = new Map<number, Changes>();
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
      if (rows[at + code.RECORD_KIND] === code.KIND_NESTED) continue;
      const [start, end] = [base + rows[at + code.RECORD_START], base + rows[at + code.RECORD_END]];
      const first = firstIndex(this.#count, (index) => this.#starts[index] >= start);
      const last = firstIndex(this.#count, (index) => this.#ends[index] > end);
      if (first < last) changed.set(at / code.RECORD_WORDS, { first, last });
    }
    return changed;
  }

  /** Returns a match as it was written: its refanged bytes are `read`, at the offset `start`. Leaves out the bytes that `isOut` selects. */
  #written(read: Uint8Array, start: number, { first, last }: Changes, isOut: (byte: number) => boolean): Uint8Array {
    const text = new Uint8Array(read.length + (last - first) * TEXT_BYTES);
    const texts = new Uint8Array(this.#texts.buffer);
    let used = 0;
    let at = 0;
    for (let change = first; change <= last; change++) {
      const until = change === last ? read.length : this.#starts[change] - start;
      for (; at < until; at++) {
        const byte = read[at];
        if (!isOut(byte)) text[used++] = byte;
      }
      if (change === last) break;
      const from = change * TEXT_BYTES;
      text.set(texts.subarray(from, from + this.#lengths[change]), used);
      used += this.#lengths[change];
      at = this.#ends[change] - start;
    }
    return text.subarray(0, used);
  }
}

/** Returns the test for bytes in a span that are no part of its URL: fewer if the raw form has such bytes, as in values (C102). */
function isOutOf({ bytes, rows }: MatchBatch, row: number): (byte: number) => boolean {
  const at = row * code.RECORD_WORDS;
  const raw = rows[at + code.RECORD_RAW];
  const end = raw + rows[at + code.RECORD_RAW_LENGTH];
  return (rows[at + code.RECORD_HINT] & code.HINT_ESCAPED) !== 0 || bytes.subarray(raw, end).some(isAround) ? isBreak : isAround;
}

/** Returns whether a byte is white space, a control but that of colors (C311), or a quote mark or bracket as in `news:<a@b>` (X7, X8). */
function isAround(byte: number): boolean {
  return (byte <= SPACE && byte !== ESC) || byte === LESS || byte === GREATER;
}

function isBreak(byte: number): boolean {
  return byte === TAB || byte === LF || byte === CR;
}

/**
 * Makes a row without a URL name its scheme by the row number alone, because the raw form now begins with a defanged name. Schemes of
 * options are never defanged, and their numbers are known only to the core of the scan.
 */
function nameByRow(builder: BatchBuilder, row: number): void {
  const hasUrl = builder.word(row, code.RECORD_REASON) === code.REASON_NONE;
  const scheme = builder.word(row, code.RECORD_SCHEME);
  if (!hasUrl && scheme >= 0 && scheme < SCHEMES.length) builder.setWord(row, code.RECORD_SCHEME_LENGTH, 0);
}
