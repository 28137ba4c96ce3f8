// Rows of the core as batches: copies, or its own memory until its next call.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { remembering } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";
import { ATTRIBUTES } from "../core/names.ts";
import { decodeLatin1 } from "../core/text.ts";
import { type Element, type FoundElement, type MatchBatch, matchBatch } from "../matches/batch.ts";
import type { SourceMap } from "./source-map.ts";

/**
 * Converts the start and the end in rows of `words` words from decoded offsets, which count from `base`, to offsets of the source. Returns
 * their new base. Without a map nothing changes.
 */
export function toSource(rows: Int32Array, words: number, base: number, map: SourceMap | undefined): number {
  if (map === undefined || rows.length === 0) return base;
  // Rows of matches and of refusals begin with these two words.
  const [start, end] = [code.RECORD_START, code.RECORD_END];
  const first = map.startOf(base + rows[start]);
  for (let at = 0; at < rows.length; at += words) {
    rows[at + start] = map.startOf(base + rows[at + start]) - first;
    rows[at + end] = map.endOf(base + rows[at + end]) - first;
  }
  return first;
}

/** Returns a batch with offsets of the source instead of decoded offsets. Changes the rows of `batch`, which it shares. */
export function mapToSource(batch: MatchBatch, map: SourceMap | undefined): MatchBatch {
  return map === undefined ? batch : matchBatch({ ...batch, base: toSource(batch.rows, code.RECORD_WORDS, batch.base, map) });
}

/** Returns the rows [from, to), as a copy if they are kept. Makes their addresses count from the start of their region: call it once. */
export function takeRows({ words }: Core, from: number, to: number, isKept: boolean): Int32Array<ArrayBuffer> {
  const first = (layout.RECORD_REGION >> 2) + from * code.RECORD_WORDS;
  const end = first + (to - from) * code.RECORD_WORDS;
  const rows = isKept ? copyOf(words.subarray(first, end)) : words.subarray(first, end);
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
    rows[at + code.RECORD_START] -= layout.WINDOW_REGION;
    rows[at + code.RECORD_END] -= layout.WINDOW_REGION;
    // A loop over ADDRESSES would make an iterator for each row until V8 optimizes it.
    rows[at + code.RECORD_URL] -= layout.OUTPUT_REGION;
    rows[at + code.RECORD_RAW] -= layout.OUTPUT_REGION;
    rows[at + code.RECORD_HOST] -= layout.OUTPUT_REGION;
  }
  return rows;
}

/** Returns the element of an attribute, a space and a tag. Links share elements, so that results that are sent or stored have each once. */
const sharedElement = remembering((key: string): Element => {
  const [attribute, tag] = key.split(" ") as [string, string];
  return Object.freeze({ tag, attribute });
}, 1024);

/** Returns the elements of rows [from, to), by row from 0 on. (C106) */
export function takeElements({ bytes, words }: Core, from: number, to: number): Map<number, FoundElement> {
  const elements = new Map<number, FoundElement>();
  for (let row = from; row < to; row++) {
    const word = words[(layout.RECORD_ELEMENTS >> 2) + row];
    if (word === 0) continue;
    const address = word & ~1;
    const start = address + layout.ELEMENT_TAG;
    const tag = decodeLatin1(bytes, start, start + bytes[address + layout.ELEMENT_TAG_LENGTH]);
    const element = sharedElement(`${ATTRIBUTES[bytes[address]]} ${tag}`);
    const isBase = (bytes[address + layout.ELEMENT_BITS] & layout.ELEMENT_BASE) !== 0;
    const document = words[(address + layout.ELEMENT_DOCUMENT) >> 2];
    elements.set(row - from, { element, isBase, document, isSilent: (word & 1) !== 0 });
  }
  return elements;
}

type Copied = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Bytes of a buffer that short copies share, and most bytes of a short copy. */
const [SHARED_BYTES, SHORT_BYTES] = [1 << 14, 1 << 10];
let shared = new ArrayBuffer(SHARED_BYTES);
let used = 0;

/** Returns a copy of a part of a core's memory. V8 needs as long for a new buffer as for a short scan, so short copies share one. */
export function copyOf<Elements extends Copied>(part: Elements): Elements {
  if (part.byteLength > SHORT_BYTES) return part.slice() as Elements;
  if (used + part.byteLength > SHARED_BYTES) {
    shared = new ArrayBuffer(SHARED_BYTES);
    used = 0;
  }
  const copy = part instanceof Int32Array ? new Int32Array(shared, used, part.length) : new Uint8Array(shared, used, part.length);
  copy.set(part);
  used = (used + part.byteLength + 3) & ~3;
  return copy as Elements;
}

/** Returns an array with the same elements and a buffer of its own, which can go to another thread. */
export function withOwnBuffer<Elements extends Copied>(array: Elements): Elements {
  return array.byteLength === array.buffer.byteLength ? array : (array.slice() as Elements);
}
