// Takes rows out of the core's memory into batches of their own.
import { OUTPUT_AREA, RECORD_AREA, REJECTED_AREA, WINDOW_AREA } from "#core/tables/areas.js";
import * as code from "#core/tables/codes.js";
import type { Core } from "../core/core.ts";
import type { MatchBatch, RejectedBatch } from "./batch.ts";

const decoder = new TextDecoder();

/** Makes an address one that counts from `area`. */
function move(rows: Int32Array, at: number, area: number): void {
  rows[at] = (rows[at] as number) - area;
}

/** Copies rows [from, to) and the output up to `outputEnd`; `base` is the absolute offset of WINDOW_AREA. */
export function takeMatches(core: Core, from: number, to: number, outputEnd: number, base: number): MatchBatch {
  const first = (RECORD_AREA >> 2) + from * code.RECORD_WORDS;
  const rows = core.words.slice(first, first + (to - from) * code.RECORD_WORDS);
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
    move(rows, at + code.RECORD_START, WINDOW_AREA);
    move(rows, at + code.RECORD_END, WINDOW_AREA);
    move(rows, at + code.RECORD_URL, OUTPUT_AREA);
    move(rows, at + code.RECORD_RAW, OUTPUT_AREA);
    move(rows, at + code.RECORD_HOST, OUTPUT_AREA);
  }
  return { rows, bytes: core.bytes.slice(OUTPUT_AREA, outputEnd), base, count: to - from };
}

/** Copies the first `count` rejected candidates in the order of their starts, with the text of each. */
export function takeRejected(core: Core, count: number, base: number): RejectedBatch {
  const first = REJECTED_AREA >> 2;
  const found = core.words.slice(first, first + count * code.REJECTED_WORDS);
  const startOf = (index: number): number => found[index * code.REJECTED_WORDS + code.REJECTED_START] as number;
  // What `emit` refused stands behind what `scan` rejected.
  const order = Array.from({ length: count }, (_, index) => index).sort((a, b) => startOf(a) - startOf(b));
  const rows = new Int32Array(found.length);
  const texts = order.map((index, position) => {
    const from = index * code.REJECTED_WORDS;
    const start = startOf(index);
    const end = found[from + code.REJECTED_END] as number;
    const at = position * code.REJECTED_WORDS;
    rows[at + code.REJECTED_START] = start - WINDOW_AREA;
    rows[at + code.REJECTED_END] = end - WINDOW_AREA;
    rows[at + code.REJECTED_REASON] = found[from + code.REJECTED_REASON] as number;
    return decoder.decode(core.bytes.subarray(start, Math.min(end, start + 256)));
  });
  return { rows, base, count, texts };
}
