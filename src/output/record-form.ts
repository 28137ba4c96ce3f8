// What a format of records is: which fields, and what is written for each. The records themselves are written in records.ts.
import { type FieldName, fieldOf } from "../options/fields.ts";
import type { FieldValue } from "../scanner/field-values.ts";

/** How records look. Positions count the fields from 0. */
export interface RecordForm {
  /** The fields in their order; one may come twice. */
  readonly fields: readonly FieldName[];
  /** Text after the last field, and the character that it takes the place of if that is the last one. */
  readonly end: string;
  readonly replaced: string;
  /** Whether the match in a context is between the marks of a color. */
  readonly marksMatch?: boolean;
  /** CELL_* bits for values that the core copies. */
  readonly cell: number;
  /** What is before and after a value that the core copies, and what is written without a value. If one is long, no record is copied. */
  around(position: number): readonly [before: string, after: string, without: string];
  /** Returns the text of a field. */
  write(position: number, value: FieldValue): string;
}

/** Returns whether the core knows the value of a field, and so copies it. */
export function isCopied(name: FieldName): boolean {
  return fieldOf(name).origin === "copied";
}
