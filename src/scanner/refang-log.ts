// What was written in a defanged text, by the bytes that are read for it: for the kind and the raw form of matches (X15).
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { firstIndex } from "../arrays.ts";
import type { Core } from "../core/core.ts";
import type { MatchBatch } from "./batch.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { Mappings } from "./source-map.ts";

/** Fewer changes are not worth moving the others. */
const DROPPED_AT_ONCE = 256;

/** The text that is read at [start, end) of the window, in offsets, and what was written for it. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** Collects the changes of one text. */
export class RefangLog {
  /** From the offsets of the text as it is read to those of the text as it was written. */
  readonly map = new Mappings();
  #changes: Change[] = [];

  /** Takes the rows of the core; address 0 is the offset `base` of the text that is read, and `writtenBase` of the one that was written. */
  take({ words, bytes }: Core, rows: number, base: number, writtenBase: number): void {
    for (let row = layout.MAP_REGION; row < layout.MAP_REGION + rows * layout.REFANG_ROW_BYTES; row += layout.REFANG_ROW_BYTES) {
      const [after, source, width, length] = words.subarray(row >> 2, (row >> 2) + 4) as unknown as [number, number, number, number];
      const text = row + layout.REFANG_ROW_TEXT;
      this.map.add(base + after, width, writtenBase + source);
      const written = String.fromCharCode(...bytes.subarray(text, text + length));
      this.#changes.push({ start: base + after - width, end: base + after, written });
    }
  }

  /** Forgets the changes before `offset`. */
  drop(offset: number): void {
    this.map.drop(offset);
    const count = firstIndex(this.#changes.length, (index) => (this.#changes[index] as Change).start >= offset);
    if (count >= DROPPED_AT_ONCE) this.#changes = this.#changes.slice(count);
  }

  /** Returns a batch whose matches have the raw form that was written and the kind `refanged`, where these are others. */
  restore(batch: MatchBatch, window: Uint8Array): MatchBatch {
    const changed = this.#changedRows(batch);
    if (changed.size === 0) return batch;
    const builder = new BatchBuilder(batch);
    for (let row = 0; row < batch.count; row++) {
      builder.addRow(batch, row, 0);
      const chain = batch.chains?.get(row);
      if (chain !== undefined) builder.setChain(row, chain);
      const changes = changed.get(row);
      if (changes === undefined) continue;
      const raw = writtenText(window, builder.word(row, code.RECORD_START), builder.word(row, code.RECORD_END), changes, batch.base);
      nameByRow(builder, row);
      builder.setText(row, code.RECORD_RAW, code.RECORD_RAW_LENGTH, raw);
      builder.setWord(row, code.RECORD_KIND, code.KIND_REFANGED);
    }
    return builder.finish();
  }

  /** Returns the changes inside each match that has some. What is nested keeps its own form (X11). */
  #changedRows({ rows, base }: MatchBatch): Map<number, Change[]> {
    const changed = new Map<number, Change[]>();
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
      if (rows[at + code.RECORD_KIND] === code.KIND_NESTED) continue;
      const [start, end] = [base + (rows[at + code.RECORD_START] as number), base + (rows[at + code.RECORD_END] as number)];
      const first = firstIndex(this.#changes.length, (index) => (this.#changes[index] as Change).start >= start);
      const last = firstIndex(this.#changes.length, (index) => (this.#changes[index] as Change).end > end);
      if (first < last) changed.set(at / code.RECORD_WORDS, this.#changes.slice(first, last));
    }
    return changed;
  }
}

/** Where there is no URL, the raw form names the scheme: the row names it now, because another name was written. */
function nameByRow(builder: BatchBuilder, row: number): void {
  const hasUrl = builder.word(row, code.RECORD_REASON) === code.REASON_NONE;
  if (!hasUrl && builder.word(row, code.RECORD_SCHEME) >= 0) builder.setWord(row, code.RECORD_SCHEME_LENGTH, 0);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the text [start, end) of the window as it was written, without white space and quote marks (X7, X8). */
function writtenText(window: Uint8Array, start: number, end: number, changes: readonly Change[], base: number): string {
  let text = "";
  let from = start;
  for (const change of changes) {
    text += decoder.decode(window.subarray(from, change.start - base)) + change.written;
    from = change.end - base;
  }
  return (text + decoder.decode(window.subarray(from, end))).replace(/[ \t\r\n>]/g, "");
}
