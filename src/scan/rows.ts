// Rows of the core as batches: copies, or its own memory until its next call.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { OUTPUT_REGION, RECORD_REGION, REJECTED_REGION, WINDOW_REGION } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { ATTRIBUTES } from "../core/names.ts";
import { type Element, type FoundElement, type MatchBatch, matchBatch, type RejectedBatch } from "../matches/batch.ts";
import { copyWords } from "./small-copies.ts";
import type { SourceMap } from "./source-map.ts";

const decoder = new TextDecoder();

/** Most bytes of a refusal that are shown. */
export const SHOWN_BYTES_MAX = 256;

/** Makes the address in the word `at` count from the start of `region`. */
function move(rows: Int32Array, at: number, region: number): void {
  rows[at] = rows[at] - region;
}

/** One kind of row: its length in words, and the words of start and end in it. */
interface Span {
  readonly words: number;
  readonly start: number;
  readonly end: number;
}

const MATCH: Span = { words: code.RECORD_WORDS, start: code.RECORD_START, end: code.RECORD_END };
const REJECTED: Span = { words: code.REJECTED_WORDS, start: code.REJECTED_START, end: code.REJECTED_END };

/** Converts decoded offsets that count from `base` to offsets of the source; returns their new base. Without a map nothing changes. */
function toSource(rows: Int32Array, span: Span, base: number, map: SourceMap | undefined): number {
  if (map === undefined || rows.length === 0) return base;
  const first = map.startOf(base + rows[span.start]);
  for (let at = 0; at < rows.length; at += span.words) {
    rows[at + span.start] = map.startOf(base + rows[at + span.start]) - first;
    rows[at + span.end] = map.endOf(base + rows[at + span.end]) - first;
  }
  return first;
}

/** Returns a batch with offsets of the source instead of decoded offsets. Changes the rows of `batch`, which it shares. */
export function mapToSource(batch: MatchBatch, map: SourceMap | undefined): MatchBatch {
  return map === undefined ? batch : matchBatch({ ...batch, base: toSource(batch.rows, MATCH, batch.base, map) });
}

/** Returns the rows [from, to), as a copy if they are kept. Makes their addresses count from the start of their region: call it once. */
export function takeRows({ words }: Core, from: number, to: number, isKept: boolean): Int32Array<ArrayBuffer> {
  const first = (RECORD_REGION >> 2) + from * code.RECORD_WORDS;
  const end = first + (to - from) * code.RECORD_WORDS;
  const rows = isKept ? copyWords(words, first, end) : words.subarray(first, end);
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
    move(rows, at + code.RECORD_START, WINDOW_REGION);
    move(rows, at + code.RECORD_END, WINDOW_REGION);
    move(rows, at + code.RECORD_URL, OUTPUT_REGION);
    move(rows, at + code.RECORD_RAW, OUTPUT_REGION);
    move(rows, at + code.RECORD_HOST, OUTPUT_REGION);
  }
  return rows;
}

/** Elements by attribute and tag: most pages have few. */
const known = new Map<number | string, Element>();
const KNOWN_MOST = 1024;
/** Most bytes of a tag that make an exact number with the attribute. Strings for each match would cost more. */
const NUMBER_BYTES = 5;

/** Returns the element of a row of ELEMENT_REGION. */
function elementAt(bytes: Uint8Array, address: number): Element {
  const start = address + layout.ELEMENT_TAG;
  const end = start + bytes[address + layout.ELEMENT_TAG_LENGTH];
  // The bit before the attribute keeps tags of different lengths apart.
  let key: number | string = 0x100 | bytes[address];
  if (end - start > NUMBER_BYTES) key = String.fromCharCode(...bytes.subarray(start, end), key);
  else for (let at = start; at < end; at++) key = 256 * (key as number) + bytes[at];
  let element = known.get(key);
  if (element === undefined) {
    element = Object.freeze({ tag: String.fromCharCode(...bytes.subarray(start, end)), attribute: ATTRIBUTES[bytes[address]] as string });
    if (known.size === KNOWN_MOST) known.clear();
    known.set(key, element);
  }
  return element;
}

/** Returns the elements of rows [from, to), by row from 0 on. (C106) */
export function takeElements({ bytes, words }: Core, from: number, to: number): Map<number, FoundElement> {
  const elements = new Map<number, FoundElement>();
  for (let row = from; row < to; row++) {
    const word = words[(layout.RECORD_ELEMENTS >> 2) + row];
    if (word === 0) continue;
    const address = word & ~1;
    const isBase = (bytes[address + layout.ELEMENT_BITS] & layout.ELEMENT_BASE) !== 0;
    const document = words[(address + layout.ELEMENT_DOCUMENT) >> 2];
    elements.set(row - from, { element: elementAt(bytes, address), isBase, document, isSilent: (word & 1) !== 0 });
  }
  return elements;
}

/** A rejected candidate, or a match without a URL. Its offsets count from the base of its batch. */
export interface Refusal {
  readonly start: number;
  readonly end: number;
  readonly reason: number;
  /** Its shown text. */
  readonly text: string;
}

/** Returns the shown text of a refusal: at most SHOWN_BYTES_MAX bytes of `bytes`, ill-formed UTF-8 replaced. */
export function shownText(bytes: Uint8Array): string {
  return decoder.decode(bytes.subarray(0, SHOWN_BYTES_MAX));
}

/** Copies the first `count` rejected candidates. */
export function takeRejected(core: Core, count: number): Refusal[] {
  const first = REJECTED_REGION >> 2;
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * code.REJECTED_WORDS;
    const start = core.words[from + code.REJECTED_START];
    const end = core.words[from + code.REJECTED_END];
    const reason = core.words[from + code.REJECTED_REASON];
    return { start: start - WINDOW_REGION, end: end - WINDOW_REGION, reason, text: shownText(core.bytes.subarray(start, end)) };
  });
}

/** Returns a batch of refusals, in the order of their starts, which count from `base`. With `map` the batch has offsets of the source. */
export function packRejected(refusals: readonly Refusal[], base: number, map?: SourceMap): RejectedBatch {
  // Matches without a URL were added after the rejected candidates of the scan.
  const inOrder = [...refusals].sort((a, b) => a.start - b.start);
  const rows = new Int32Array(inOrder.length * code.REJECTED_WORDS);
  inOrder.forEach(({ start, end, reason }, index) => {
    const at = index * code.REJECTED_WORDS;
    rows[at + code.REJECTED_START] = start;
    rows[at + code.REJECTED_END] = end;
    rows[at + code.REJECTED_REASON] = reason;
  });
  const texts = inOrder.map(({ text }) => text);
  return { kind: "rejected", rows, base: toSource(rows, REJECTED, base, map), count: inOrder.length, texts };
}
