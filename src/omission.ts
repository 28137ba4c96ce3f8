// What a run leaves out, or reads otherwise than it was meant: each has a reason, is counted, and the first of each reason is named.

/** Why. The first four are of files; the others are of what stands in archives, in the order of COUNT_* (A15). */
export const OMISSION_REASONS = [
  "link",
  "special-file",
  "output",
  "unreadable",
  "deep-multipart",
  "no-boundary",
  "long-field",
  "uuencode",
  "yenc",
  "encoded-body",
] as const;
/** One of OMISSION_REASONS. */
export type OmissionReason = (typeof OMISSION_REASONS)[number];

/** Something that was left out. */
export interface Omission {
  readonly reason: OmissionReason;
  /** Name of the source, if it has one. */
  readonly source?: string;
  /** Byte of the source where it begins; absent for a source as a whole. */
  readonly start?: number;
  /** Message-ID of the message that holds it, if that is known. */
  readonly message_id?: string;
  /** What is wrong, for a source that cannot be read. */
  readonly text?: string;
}

/** How often something was left out, and the first of it, by reason. */
export type OmissionCounts = { [reason in OmissionReason]?: { count: number; first: Omission } };

/** Adds what was left out in one place: `source` is its name. */
export function addOmissions(sums: OmissionCounts, more: OmissionCounts, source?: string): void {
  for (const reason of OMISSION_REASONS) {
    const counted = more[reason];
    if (counted !== undefined) add(sums, reason, counted.count, source === undefined ? counted.first : { ...counted.first, source });
  }
}

/** Counts one. */
export function countOmission(sums: OmissionCounts, omission: Omission): void {
  add(sums, omission.reason, 1, omission);
}

function add(sums: OmissionCounts, reason: OmissionReason, count: number, first: Omission): void {
  const sum = sums[reason];
  if (sum === undefined) sums[reason] = { count, first };
  else sum.count += count;
}
