// The contract between scans and the receivers of results: a format, an output, a stream, a list of matches, a thread.
import type { SourceError } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import type { GroupBatch } from "../count/groups.ts";
import type { Batch } from "../matches/batch.ts";
import type { FieldValue } from "../matches/field-values.ts";
import type { SummaryPart } from "../summary/summarizer.ts";

/** A record that waited for the end of the run, on disk or in a sample: the values of its fields, in their order. */
interface ValuesResult {
  readonly kind: "values";
  readonly values: readonly FieldValue[];
}

/** `over`: this part was read to the end of the source. Discard the results of later parts. */
export type Result =
  | Batch
  | GroupBatch
  | SummaryPart
  | ValuesResult
  | { readonly kind: "failed"; readonly error: SourceError }
  | { readonly kind: "omitted"; readonly omission: Omission }
  | { readonly kind: "over" };

/** Takes the results of a run in their order. An error of a method ends the run. */
export interface Sink {
  write(result: Result): void;
  /** Returns a promise if the caller should wait for it before it writes more. */
  wait(): Promise<void> | undefined;
  /** Ends the run: writes the remaining results. Returns a promise if that takes time. */
  end(): Promise<void> | undefined;
}

/** Returns a sink with its own `write`, with its own `end` if given, and with the other methods of `sink`. */
export function before(sink: Sink, write: Sink["write"], end: Sink["end"] = () => sink.end()): Sink {
  return { write, wait: () => sink.wait(), end };
}
