// Messages at the end of a run about what it left out.
import { REASON_NO_BASE, REASON_OVERLONG } from "#core/layout/codes.js";
import { OMISSION_REASONS, type Omission, type OmissionCounts, type OmissionReason } from "../omission.ts";
import { omissionWithoutPasswords } from "../output/redacted.ts";
import type { Totals } from "../run/totals.ts";
import { shown } from "../shown.ts";

/** What happened to what, by reason. Reasons that are not here have no message: they are of attached files, which --stats counts. */
const SENTENCES: Partial<Record<OmissionReason, readonly [what: string, one: string, many: string]>> = {
  link: ["not followed", "link in a folder", "links in folders"],
  "special-file": ["not read", "pipe, socket or device in a folder", "pipes, sockets or devices in folders"],
  output: ["not read", "file that is the output itself", "files that are outputs themselves"],
  "encoded-body": ["not fully read", "body (encoded-body)", "bodies (encoded-body)"],
  "deep-multipart": ["read as plain text", "multipart that is too deep (deep-multipart)", "multiparts that are too deep (deep-multipart)"],
  "long-field": ["encoded words not decoded after 64 KiB", "header field (long-field)", "header fields (long-field)"],
};

/** Returns a line for each reason, with the first case; `hidesPasswords` hides passwords in its Message-ID. */
export function leftOut(counts: OmissionCounts, hidesPasswords: boolean): string[] {
  return OMISSION_REASONS.flatMap((reason) => {
    const [sentence, counted] = [SENTENCES[reason], counts[reason]];
    if (sentence === undefined || counted === undefined) return [];
    const { count, first } = counted;
    const [what, one, many] = sentence;
    return [`${what}: ${count} ${count === 1 ? one : `${many}, the first`}: ${locationOf(first, hidesPasswords)}`];
  });
}

/** Returns a line about the matches that a filter by date could not judge. */
export function unjudged(count: number): string[] {
  if (count === 0) return [];
  return [`left out: ${count} ${count === 1 ? "match in a message" : "matches in messages"} without a date (--since, --until)`];
}

/** Returns a line for each reason of rejections that an option would have prevented, and one if options left nothing to read. */
export function mendable({ rejected, bytes, omitted }: Totals): string[] {
  const counts = (reason: number): number => rejected[reason] ?? 0;
  const [overlong, noBase] = [counts(REASON_OVERLONG), counts(REASON_NO_BASE)];
  return [
    ...(overlong === 0 ? [] : [`not reported: ${overlong} of more than --url-bytes-max bytes (overlong)`]),
    ...(bytes === 0 && omitted.excluded !== undefined ? ["nothing was read: --include or --exclude left out all that was found"] : []),
    ...(noBase === 0 ? [] : [`not resolved: ${noBase} ${noBase === 1 ? "link" : "links"} without a base (no-base); --base gives one`]),
  ];
}

function locationOf(omission: Omission, hidesPasswords: boolean): string {
  const { source = "-", start, message_id } = hidesPasswords ? omissionWithoutPasswords(omission) : omission;
  const message = message_id === undefined ? "" : `, message <${shown(message_id)}>`;
  return `${shown(source)}${start === undefined ? "" : `, byte ${start}`}${message}`;
}
