// The contract between those that scan and those that take the results: a format, an output, a stream, a list of matches, a thread.

import type { SourceError } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import type { GroupBatch } from "../count/groups.ts";
import type { Batch } from "../scanner/batch.ts";
import type { FieldValue } from "../scanner/field-values.ts";
import type { SummaryPart } from "../summary/summarizer.ts";

/** A record that is read again from where it waited: the values of its fields, in their order. */
export interface ValuesResult {
  readonly kind: "values";
  readonly values: readonly FieldValue[];
}

/**
 * What a run finds, a source that it could not read, or something that it left out; `over`: what was a part of a source was read to the end
 * of the source, and what is read as the parts after it is nothing.
 */
export type Result =
  | Batch
  | GroupBatch
  | SummaryPart
  | ValuesResult
  | { readonly kind: "failed"; readonly error: SourceError }
  | { readonly kind: "omitted"; readonly omission: Omission }
  | { readonly kind: "over" };

/** Takes the results of a run in their order. What a method throws, or rejects with, ends the run. */
export interface Sink {
  write(result: Result): void;
  /** Returns a promise if the caller should wait for it before it writes more. */
  wait(): Promise<void> | undefined;
  /** Writes out what is left: the run is complete. Returns a promise if that takes time. */
  end(): Promise<void> | undefined;
}

/** Returns a sink that writes with `write` and leaves the rest to `sink`. */
export function before(sink: Sink, write: (result: Result) => void): Sink {
  return { write, wait: () => sink.wait(), end: () => sink.end() };
}
