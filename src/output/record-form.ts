// The form of records: their fields, and the text of each. records.ts writes the records.
import type { MatchBatch } from "../matches/batch.ts";
import type { FieldValue } from "../matches/field-values.ts";
import type { FieldName } from "../options/fields.ts";

/** The form of records. Positions count the fields from 0. */
export interface RecordForm {
  /** The fields in their order; one may occur twice. */
  readonly fields: readonly FieldName[];
  /** Text after the last field. */
  readonly end: string;
  /** The character that `end` replaces if the last field ends with it; empty: none. */
  readonly replaced: string;
  /** Whether the match in a context is enclosed in the marks of a color. */
  readonly marksMatch?: boolean;
  /** CELL_* bits for values that the core copies. */
  readonly cell: number;
  /** Returns the texts around a value that the core copies, and the text for no value. If one is too long, the core writes no records. */
  around(position: number): readonly [before: string, after: string, without: string];
  /** Returns the text of a field with the texts around it. */
  write(position: number, value: FieldValue): string;
}

/**
 * Takes the bytes of complete records, which are valid until it returns, and their number. `messageNumbers`: pairs of the offset of a
 * message number in `bytes` and the number. It is empty unless numbers count from the start of a range whose first number is not known yet.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/**
 * Writes the matches of a batch from row `first` on, until the receiver of the bytes is full; returns the next row. A thread writes the
 * batches of all its sources with one function.
 */
export type WriteMatches = (batch: MatchBatch, first: number) => number;
