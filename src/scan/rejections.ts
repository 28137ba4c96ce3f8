// Lists rejected candidates, matches without a URL, and omissions in the order of the source, however the source was cut.
import * as code from "#core/layout/codes.js";
import { REJECTED_REGION, WINDOW_REGION } from "#core/layout/memory.js";
import type { Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { BatchSink, RejectedBatch } from "../matches/batch.ts";
import { toSource } from "./rows.ts";
import type { Refusal, SteppedScan } from "./scan.ts";
import type { SourceMap } from "./source-map.ts";

const utf8 = new TextDecoder();

export const SHOWN_BYTES_MAX = 256;

export function refusalOf(window: Uint8Array, start: number, end: number, reason: number): Refusal {
  return { start, end, reason, text: utf8.decode(window.subarray(start, Math.min(end, start + SHOWN_BYTES_MAX))) };
}

export function takeRejected({ bytes, words }: Core, count: number): Refusal[] {
  const window = bytes.subarray(WINDOW_REGION);
  return Array.from({ length: count }, (_, index) => {
    const row = (REJECTED_REGION >> 2) + index * code.REJECTED_WORDS;
    const [start, end] = [words[row + code.REJECTED_START] - WINDOW_REGION, words[row + code.REJECTED_END] - WINDOW_REGION];
    return refusalOf(window, start, end, words[row + code.REJECTED_REASON]);
  });
}

/**
 * Returns the function that lists refusals, and all omissions before them or before the offset `settled` of the text. Later candidates
 * start at `settled` or after it.
 */
export function rejectionLister({ window, decoder }: SteppedScan, sink: BatchSink, source: string | undefined) {
  /** Omissions that wait for the candidates before them. */
  let waiting: Omission[] = [];
  return (refusals: readonly Refusal[], settled: number): void => {
    waiting.push(...(decoder?.takeOmissions?.() ?? []));
    if (refusals.length === 0 && waiting.length === 0) return;
    const packed = { ...packRejected(refusals, window.base, decoder?.map), source };
    // At the end no candidate is to come, so omissions after the last text are listed too.
    const before = settled === Number.POSITIVE_INFINITY ? settled : (decoder?.map.startOf(settled) ?? settled);
    const omitted = omissionsIn(packed, waiting, before);
    waiting = waiting.slice(omitted.length);
    if (packed.count > 0 || omitted.length > 0) sink.write(omitted.length === 0 ? packed : { ...packed, omitted });
  };
}

/** Returns a batch of refusals, in the order of their starts, which count from `base`. With `map` the batch has offsets of the source. */
function packRejected(refusals: readonly Refusal[], base: number, map?: SourceMap): RejectedBatch {
  // Matches without a URL were added after the rejected candidates of the scan.
  const inOrder = [...refusals].sort((a, b) => a.start - b.start);
  const rows = new Int32Array(inOrder.length * code.REJECTED_WORDS);
  for (const [index, { start, end, reason }] of inOrder.entries()) rows.set([start, end, reason], index * code.REJECTED_WORDS);
  const texts = inOrder.map(({ text }) => text);
  return { kind: "rejected", rows, base: toSource(rows, code.REJECTED_WORDS, base, map), count: inOrder.length, texts };
}

/** Returns the omissions before the last row, and the others that start before `settled`, each with the number of the row after it. */
function omissionsIn({ rows, base, count }: RejectedBatch, omissions: readonly Omission[], settled: number) {
  const omitted: { before: number; omission: Omission }[] = [];
  let row = 0;
  for (const omission of omissions) {
    const start = omission.start ?? 0;
    while (row < count && base + rows[row * code.REJECTED_WORDS + code.REJECTED_START] < start) row++;
    if (row === count && start >= settled) break;
    omitted.push({ before: row, omission });
  }
  return omitted;
}
