// Rejected candidates as the library and the command show them.
import { REJECTED_END, REJECTED_REASON, REJECTED_START, REJECTED_WORDS } from "#core/tables/codes.js";
import { REASONS } from "../core/names.ts";
import type { Rejected } from "../options.ts";
import { jsonText } from "../shown.ts";
import type { RejectedBatch } from "../window/batch.ts";

/** The rejected candidates of a batch (SPEC X12), in the order of their starts. */
export function* listRejected(batch: RejectedBatch, source: string | undefined): Generator<Rejected> {
  for (let index = 0; index < batch.count; index++) {
    const row = index * REJECTED_WORDS;
    yield {
      reason: REASONS[batch.rows[row + REJECTED_REASON]],
      ...(source === undefined ? {} : { source }),
      start: batch.base + batch.rows[row + REJECTED_START],
      end: batch.base + batch.rows[row + REJECTED_END],
      ...(batch.texts === undefined ? {} : { text: batch.texts[index] as string }),
    };
  }
}

/** The same as NDJSON. */
export function rejectedLines(batch: RejectedBatch, source: string | undefined): string {
  let lines = "";
  for (const rejected of listRejected(batch, source)) lines += `${jsonText(rejected)}\n`;
  return lines;
}
