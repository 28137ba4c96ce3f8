// Counts the omissions of a run by reason, and keeps the first of each. Some reasons only mean that input is read in another way.
import type { SourceError } from "./errors.ts";

/** Reasons to leave out a file, a folder, or a member of an archive. `pdf`: the links of a PDF are read, but not the text of its pages. */
export const SOURCE_REASONS = ["link", "special-file", "output", "excluded", "git", "pdf"] as const;
/** Reasons to leave out a part of a mail or web archive. (A15) */
export const ARCHIVE_REASONS = ["deep-multipart", "no-boundary", "long-field", "uuencode", "yenc", "encoded-body", "attachment"] as const;
/** The reasons that the core has, in the order of COUNT_* from COUNT_DEEP_MULTIPART on. */
export const CORE_REASONS = [...ARCHIVE_REASONS, "pdf"] as const;
export const OMISSION_REASONS = [...SOURCE_REASONS, "unreadable", ...ARCHIVE_REASONS, "large-object"] as const;
export type OmissionReason = (typeof OMISSION_REASONS)[number];

export interface Omission {
  readonly reason: OmissionReason;
  /** Name of the source, if it has one. */
  readonly source?: string;
  /** Byte offset in the source at which the omitted part starts; absent for a whole source. */
  readonly start?: number;
  readonly message_id?: string;
  /** Error message for an unreadable source, or the media type of an attachment. */
  readonly text?: string;
  /** File name of an attachment. */
  readonly name?: string;
}

export function unreadable({ source, reason }: Pick<SourceError, "source" | "reason">): Omission {
  return { reason: "unreadable", ...(source === undefined ? {} : { source }), text: reason };
}

const TYPES_MAX = 1000; // Most media types of attachments that have their own counts: mail may name any number of types
const OTHER_TYPES = "other";

/** The number of omissions for one reason, and the first one; for attachments also the number of each media type. */
interface OmissionCount {
  count: number;
  first: Omission;
  types?: Record<string, number>;
}

export type OmissionCounts = { [reason in OmissionReason]?: OmissionCount };

/** Adds `more` to `sums`. `source`: the name of the source that all of `more` is about, if there is one. */
export function addOmissions(sums: OmissionCounts, more: OmissionCounts, source?: string): void {
  for (const reason of OMISSION_REASONS) {
    const counted = more[reason];
    if (counted === undefined) continue;
    const { count, first, types } = counted;
    const sum = add(sums, reason, count, source === undefined ? first : { ...first, source });
    for (const [type, more] of Object.entries(types ?? {})) addType(sum, type, more);
  }
}

export function countOmission(sums: OmissionCounts, omission: Omission): void {
  const { reason, text } = omission;
  const sum = add(sums, reason, 1, omission);
  if (reason === "attachment" && text !== undefined) addType(sum, text, 1);
}

function add(sums: OmissionCounts, reason: OmissionReason, count: number, first: Omission): OmissionCount {
  sums[reason] ??= { count: 0, first };
  sums[reason].count += count;
  return sums[reason];
}

function addType(sum: OmissionCount, type: string, count: number): void {
  // The names of media types come from input.
  sum.types ??= Object.create(null) as Record<string, number>;
  const { types } = sum;
  // Once `other` exists, no type is added. This saves counting the types each time, which would take quadratic time.
  const isFull = (): boolean => types[OTHER_TYPES] !== undefined || Object.keys(types).length >= TYPES_MAX;
  const name = types[type] === undefined && isFull() ? OTHER_TYPES : type;
  types[name] = (types[name] ?? 0) + count;
}
