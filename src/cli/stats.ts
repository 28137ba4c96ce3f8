// The JSON object of --stats.
import { KINDS, REASONS, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { Totals } from "../pool/totals.ts";

/** The sums of a run as one line of JSON. */
export function statsLine(totals: Totals, seconds: number): string {
  const kinds = Object.fromEntries(KINDS.map((kind, code) => [kind, totals.kinds[code] ?? 0]));
  const rejected = Object.fromEntries(REASONS.map((reason, code) => [reason, totals.rejected[code] ?? 0]));
  // The first name stands for no reason.
  delete rejected[REASONS[0]];
  return `${JSON.stringify({
    bytes: totals.bytes,
    matches: totals.matches,
    kinds,
    rejected,
    skipped: totals.skipped,
    seconds: Number(seconds.toFixed(6)),
    bytes_per_second: Math.round(totals.bytes / seconds),
    rules: RULES_VERSION,
    unicode: UNICODE_VERSION,
  })}\n`;
}
