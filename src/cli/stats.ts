// The JSON object of --stats.
import * as mail from "#core/layout/mail.js";
import { ARCHIVE_REASONS, type OmissionCounts, SOURCE_REASONS } from "../base/omission.ts";
import { jsonText } from "../base/shown.ts";
import { KINDS, REASON_NAMES, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { Totals } from "../run/totals.ts";

/** Returns the totals of a run as a line of JSON. `written`: number of URLs, records or rows; `hasFilter`: adds the filter's counts. */
export function statsLine(totals: Totals, written: number, seconds: number, hasFilter: boolean): string {
  const kinds = Object.fromEntries(KINDS.map((kind, code) => [kind, totals.kinds[code] ?? 0]));
  const rejected = Object.fromEntries(REASON_NAMES.map((reason, code) => [reason, totals.rejected[code] ?? 0]));
  // The first name means that there is no reason.
  delete rejected[REASON_NAMES[0]];
  return `${jsonText({
    bytes: totals.bytes,
    sources: totals.sources,
    ...archiveOf(totals.archive),
    matches: totals.matches,
    written,
    ...(!hasFilter ? {} : { filtered: totals.filtered, undated: totals.undated }),
    kinds,
    rejected,
    skipped: totals.skipped,
    ...leftOutOf(totals.omitted),
    seconds: Number(seconds.toFixed(6)),
    bytes_per_second: Math.round(totals.bytes / seconds),
    rules: RULES_VERSION,
    unicode: UNICODE_VERSION,
  })}\n`;
}

/** Returns the counts of omissions by reason, and of attachments by media type; an empty object if nothing was omitted. */
function leftOutOf(counts: OmissionCounts): object {
  const counted = LEFT_OUT.flatMap((reason) => (counts[reason] === undefined ? [] : [[reason, counts[reason].count]]));
  const types = counts.attachment?.types;
  return {
    ...(counted.length === 0 ? {} : { left_out: Object.fromEntries(counted) }),
    ...(types === undefined ? {} : { attachments: types }),
  };
}

const LEFT_OUT = [...SOURCE_REASONS, "attachment", "large-object"] as const;
/** Limits of archives: all reasons but attachments. */
const LIMITS = ARCHIVE_REASONS.filter((reason) => reason !== "attachment");

/** Returns the counts of archives; an empty object if there were none (A15). */
function archiveOf(counts: readonly number[]): object {
  if (counts.every((count) => count === 0)) return {};
  const of = (counter: number): number => counts[counter] ?? 0;
  return {
    messages: of(mail.COUNT_MESSAGES),
    doubtful: of(mail.COUNT_DOUBTFUL),
    parts_skipped: of(mail.COUNT_PARTS_SKIPPED),
    bytes_skipped: of(mail.COUNT_BYTES_SKIPPED),
    limits: Object.fromEntries(LIMITS.map((reason, index) => [reason, of(mail.COUNT_DEEP_MULTIPART + index)])),
  };
}
