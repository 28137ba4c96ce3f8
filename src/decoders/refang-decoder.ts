// Reads defanged text (X15) after another decoder, in the window. The changes are kept: they restore the raw form of matches.
import * as code from "#core/layout/codes.js";
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { firstIndex } from "../base/arrays.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { BatchBuilder } from "../matches/batch-builder.ts";
import { copyOf } from "../scan/rows.ts";
import { type Rewritten, TextStep } from "./text-step.ts";

/** Fewest changes that are dropped at once, because dropping moves all others. */
const DROPPED_AT_ONCE = 256;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const SPACE = 0x20;
const LESS = 0x3c;
const GREATER = 0x3e;

/** Refanged bytes, at the offsets [start, end), and the bytes that they were before. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly written: Uint8Array;
}

/** Decodes a source by another decoder, refangs its text, and keeps the changes. */
export class RefangDecoder extends TextStep {
  readonly #list: Change[] = [];

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
    return [from, to];
  }

  /** Takes the rows of the core. Address 0 is the offset `base` of the refanged text, and `writtenBase` of the text before refanging. */
  #take(base: number, writtenBase: number): void {
    const { bytes, words } = this.core;
    const after = layout.MAP_REGION + words[DECODED_MAP_ROWS >> 2] * layout.REFANG_ROW_BYTES;
    for (let row = layout.MAP_REGION; row < after; row += layout.REFANG_ROW_BYTES) {
      const at = row >> 2;
      const [end, width] = [base + words[at], words[at + 2]];
      this.changes.add(end, width, writtenBase + words[at + 1]);
      const text = row + layout.REFANG_ROW_TEXT;
      this.#list.push({ start: end - width, end, written: copyOf(bytes.subarray(text, text + words[at + 3])) });
    }
  }

  override drop(decoded: number): void {
    super.drop(decoded);
    const first = firstIndex(this.#list.length, (index) => this.#list[index].start >= decoded);
    if (first >= DROPPED_AT_ONCE) this.#list.splice(0, first);
  }

  /** Nested matches keep their own form (X11). */
  restore(batch: MatchBatch, window: Uint8Array): MatchBatch {
    const { rows, base } = batch;
    let builder: BatchBuilder | undefined;
    for (let row = 0; row < batch.count; row++) {
      const at = row * code.RECORD_WORDS;
      const [start, end] = [rows[at + code.RECORD_START], rows[at + code.RECORD_END]];
      const changes = rows[at + code.RECORD_KIND] === code.KIND_NESTED ? [] : this.#changesIn(base + start, base + end);
      if (changes.length === 0) continue;
      builder ??= new BatchBuilder(batch);
      nameByRow(builder, row);
      builder.setText(row, code.RECORD_RAW, writtenForm(window.subarray(start, end), base + start, changes, isOutOf(batch, row)));
      builder.setWord(row, code.RECORD_KIND, code.KIND_REFANGED);
    }
    return builder?.finish() ?? batch;
  }

  #changesIn(start: number, end: number): Change[] {
    const first = firstIndex(this.#list.length, (index) => this.#list[index].start >= start);
    const next = firstIndex(this.#list.length, (index) => this.#list[index].end > end);
    return this.#list.slice(first, next);
  }
}

/** Returns a match as it was written: its refanged bytes are `read`, at the offset `start`. Leaves out the bytes that `isOut` selects. */
function writtenForm(read: Uint8Array, start: number, changes: readonly Change[], isOut: (byte: number) => boolean): Uint8Array {
  const text = new Uint8Array(changes.reduce((sum, { written }) => sum + written.length, read.length));
  let [at, used] = [0, 0];
  for (let index = 0; index <= changes.length; index++) {
    const change = changes[index] as Change | undefined;
    const until = change === undefined ? read.length : change.start - start;
    for (; at < until; at++) {
      const byte = read[at];
      if (!isOut(byte)) text[used++] = byte;
    }
    if (change === undefined) break;
    text.set(change.written, used);
    used += change.written.length;
    at = change.end - start;
  }
  return text.subarray(0, used);
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
