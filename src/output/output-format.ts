// The interface of output formats. Each format has a file of its own and a row in formatted.ts.
import type { MatchBatch } from "../scanner/batch.ts";

/**
 * Takes complete records, which are valid until it returns, and their number. `messageNumbers`: pairs of the offset of a message number and
 * the number, if it counts from the start of a range whose first number is not known yet.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/** Writes the matches of a batch as bytes. A thread writes the batches of all its sources with one function. */
export type WriteMatches = (batch: MatchBatch) => void;
