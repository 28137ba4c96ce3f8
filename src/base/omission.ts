// What a run leaves out, or reads as something else: counted by reason, with the first of each reason.

import type { SourceError } from "./errors.ts";

/** Reasons why a file or folder, or a member of an archive, is left out; of a `pdf` the bytes are read, but nothing that is compressed. */
export const SOURCE_REASONS = ["link", "special-file", "output", "excluded", "git", "pdf"] as const;
/** Reasons of archives, in the order of COUNT_* from COUNT_DEEP_MULTIPART on. (A15) */
export const ARCHIVE_REASONS = ["deep-multipart", "no-boundary", "long-field", "uuencode", "yenc", "encoded-body", "attachment"] as const;
/** All reasons. */
export const OMISSION_REASONS = [...SOURCE_REASONS, "unreadable", ...ARCHIVE_REASONS, "large-object"] as const;
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
  /** Message about a source that cannot be read, or the media type of an attachment. */
  readonly text?: string;
}

/** Returns a source that was not read to its end; it has the message of the error. */
export function unreadable({ source, reason }: Pick<SourceError, "source" | "reason">): Omission {
  return { reason: "unreadable", ...(source === undefined ? {} : { source }), text: reason };
}

/** Media types of attachments that are counted one by one: mail may name any number of them. */
const TYPES_MAX = 1000;
const OTHER_TYPES = "other";

/** How many were left out and the first of them; of attachments also how many of each media type. */
interface OmissionCount {
  count: number;
  first: Omission;
  types?: Record<string, number>;
}

/** What was left out, by reason. */
export type OmissionCounts = { [reason in OmissionReason]?: OmissionCount };

/** Adds the counts of one source; `source` is its name. */
export function addOmissions(sums: OmissionCounts, more: OmissionCounts, source?: string): void {
  for (const reason of OMISSION_REASONS) {
    const counted = more[reason];
    if (counted === undefined) continue;
    const { count, first, types } = counted;
    add(sums, reason, count, source === undefined ? first : { ...first, source }, types);
  }
}

/** Adds one omission. */
export function countOmission(sums: OmissionCounts, omission: Omission): void {
  const { reason, text } = omission;
  add(sums, reason, 1, omission, reason === "attachment" && text !== undefined ? { [text]: 1 } : undefined);
}

function add(sums: OmissionCounts, reason: OmissionReason, count: number, first: Omission, types?: Readonly<Record<string, number>>): void {
  sums[reason] ??= { count: 0, first };
  const sum = sums[reason];
  sum.count += count;
  if (types === undefined) return;
  sum.types ??= {};
  for (const [type, more] of Object.entries(types)) {
    // Once others are counted together, no type is added: to count the types each time would be quadratic.
    const isFull: boolean = sum.types[OTHER_TYPES] !== undefined || Object.keys(sum.types).length >= TYPES_MAX;
    const isOther: boolean = isFull && sum.types[type] === undefined;
    const name = isOther ? OTHER_TYPES : type;
    sum.types[name] = (sum.types[name] ?? 0) + more;
  }
}
