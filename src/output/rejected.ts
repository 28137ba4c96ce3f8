// Rejected candidates as the library and the command show them.
import { REJECTED_END, REJECTED_REASON, REJECTED_START, REJECTED_WORDS } from "#core/layout/codes.js";
import { REASONS } from "../core/names.ts";
import type { Omission } from "../omission.ts";
import type { Rejected } from "../options.ts";
import type { RejectedBatch } from "../scanner/batch.ts";
import { jsonText } from "../shown.ts";

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

/** Returns the same as NDJSON, with what was left out of archives among it. */
export function rejectedLines(batch: RejectedBatch, source: string | undefined): string {
  const lines = [...listRejected(batch, source)].map((rejected) => `${jsonText(rejected)}\n`);
  for (const { before, omission } of [...(batch.omitted ?? [])].reverse()) lines.splice(before, 0, omissionLine(omission, source));
  return lines.join("");
}

/** Returns an omission as a line of NDJSON. */
export function omissionLine({ reason, ...rest }: Omission, source?: string): string {
  return `${jsonText({ reason, ...(source === undefined ? {} : { source }), ...rest })}\n`;
}
