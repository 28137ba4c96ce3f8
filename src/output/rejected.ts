// Reports rejected candidates to `onRejected`. Writes the list of the command, which also has omissions and unreadable sources.
import * as code from "#core/layout/codes.js";
import { type Omission, unreadable } from "../base/omission.ts";
import { jsonText } from "../base/shown.ts";
import { REASON_NAMES, type Reason } from "../core/names.ts";
import type { RejectedBatch } from "../matches/batch.ts";
import type { Units } from "../matches/match.ts";
import type { CheckedOptions, Rejected } from "../options/options.ts";
import type { Result } from "./sink.ts";

// Yields the rejected candidates of a batch, in the order of their starts (X12).
function* listRejected({ rows, base, count, source, texts }: RejectedBatch): Generator<Rejected> {
  for (let index = 0; index < count; index++) {
    const row = index * code.REJECTED_WORDS;
    yield {
      code: REASON_NAMES[rows[row + code.REJECTED_REASON]] as Reason,
      ...(source === undefined ? {} : { source }),
      start: base + rows[row + code.REJECTED_START],
      end: base + rows[row + code.REJECTED_END],
      ...(texts === undefined ? {} : { text: texts[index] }),
    };
  }
}

/** The function that takes rejected candidates, and the signal that ends its calls. */
export type RejectedListener = Pick<CheckedOptions, "onRejected"> & Partial<Pick<CheckedOptions, "signal">>;

/** Calls `onRejected` for each rejected candidate of a batch, until `signal` fires. `units` converts the offsets for a string input. */
export function reportRejected(batch: RejectedBatch, { onRejected, signal }: RejectedListener, units?: Units): void {
  if (onRejected === undefined) return;
  for (const rejected of listRejected(batch)) {
    if (signal?.aborted === true) return;
    onRejected(units === undefined ? rejected : { ...rejected, start: units.before(rejected.start), end: units.before(rejected.end) });
  }
}

/** Returns the lines of NDJSON for a result in the list of rejected candidates; empty if the result is not listed. */
export function rejectedLines(result: Result): string {
  if (result.kind === "omitted") return omissionLine(result.omission);
  if (result.kind === "failed") return omissionLine(unreadable(result.error));
  if (result.kind !== "rejected") return "";
  const lines = [...listRejected(result)].map(({ code: reason, ...rest }) => `${jsonText({ reason, ...rest })}\n`);
  for (const { before, omission } of [...(result.omitted ?? [])].reverse()) lines.splice(before, 0, omissionLine(omission, result.source));
  return lines.join("");
}

function omissionLine({ reason, ...rest }: Omission, source?: string): string {
  return `${jsonText({ reason, ...(source === undefined ? {} : { source }), ...rest })}\n`;
}
