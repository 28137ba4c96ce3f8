// The contract between scans and the receivers of results: a format, an output, a stream, a list of matches, a thread.
import type { SourceError } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import type { GroupBatch } from "../count/group-table.ts";
import type { Batch, MatchBatch } from "../matches/batch.ts";
import type { FieldReader, FieldValue } from "../matches/field-values.ts";
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

/** A file format that is written from the values of records. */
export interface RecordTable {
  add(row: readonly FieldValue[]): void;
  /** Adds many records faster. */
  addBatch?(batch: MatchBatch, readers: readonly FieldReader[]): void;
  end(): Promise<void> | void;
  /** Whether the table counts its records when it writes their bytes. Else they are counted at once, and the bytes come later. */
  readonly counts?: boolean;
}

const NOTHING = new Uint8Array(0);

/** Returns a sink that adds records to a table, and ends the table before `sink`. */
export function tableSink(readers: readonly FieldReader[], { add, addBatch, end, counts }: RecordTable, sink: Sink): Sink {
  const count = (records: number): void => {
    if (counts !== true) sink.write({ kind: "bytes", bytes: NOTHING, count: records });
  };
  const write = (result: Result): void => {
    if (result.kind === "matches") {
      if (addBatch !== undefined) addBatch(result, readers);
      else for (let index = 0; index < result.count; index++) add(readers.map((read) => read(result, index)));
      count(result.count);
    } else if (result.kind === "values") {
      add(result.values);
      count(1);
    } else sink.write(result);
  };
  return before(sink, write, async () => {
    await end();
    await sink.end();
  });
}
