// What a run leaves out, or reads as something else: counted by reason, with the first of each reason.

import type { SourceError } from "./errors.ts";

/** Reasons why a file in a folder is left out. */
export const FOLDER_REASONS = ["link", "special-file", "output", "excluded"] as const;
/** Reasons of archives, in the order of COUNT_* from COUNT_DEEP_MULTIPART on. (A15) */
export const ARCHIVE_REASONS = ["deep-multipart", "no-boundary", "long-field", "uuencode", "yenc", "encoded-body"] as const;
/** All reasons. */
export const OMISSION_REASONS = [...FOLDER_REASONS, "unreadable", ...ARCHIVE_REASONS] as const;
/** One of OMISSION_REASONS. */
export type OmissionReason = (typeof OMISSION_REASONS)[number];

/** Something that was left out. */
export interface Omission {
  readonly reason: OmissionReason;
  /** Name of the source, if it has one. */
  readonly source?: string;
  /** Byte of the source at which it starts; absent for a whole source. */
  readonly start?: number;
  /** Message-ID of its message, if that is known. */
  readonly message_id?: string;
  /** Message about a source that cannot be read. */
  readonly text?: string;
}

/** Returns a source that was not read to its end; it has the message of the error. */
export function unreadable({ source, reason }: Pick<SourceError, "source" | "reason">): Omission {
  return { reason: "unreadable", ...(source === undefined ? {} : { source }), text: reason };
}

/** How many were left out and the first of them, by reason. */
export type OmissionCounts = { [reason in OmissionReason]?: { count: number; first: Omission } };

/** Adds the counts of one source; `source` is its name. */
export function addOmissions(sums: OmissionCounts, more: OmissionCounts, source?: string): void {
  for (const reason of OMISSION_REASONS) {
    const counted = more[reason];
    if (counted !== undefined) add(sums, reason, counted.count, source === undefined ? counted.first : { ...counted.first, source });
  }
}

/** Adds one omission. */
export function countOmission(sums: OmissionCounts, omission: Omission): void {
  add(sums, omission.reason, 1, omission);
}

function add(sums: OmissionCounts, reason: OmissionReason, count: number, first: Omission): void {
  const sum = sums[reason];
  if (sum === undefined) sums[reason] = { count, first };
  else sum.count += count;
}
