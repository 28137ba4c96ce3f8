// What an output format is. Each has a file of its own and a row in formatted.ts.
import type { MatchBatch, MatchJson } from "../scanner/batch.ts";

/** Options that formats read. */
export interface FormatOptions {
  /** Names of the fields that records have, in their order; undefined: the usual ones. */
  readonly fields: readonly (keyof MatchJson)[] | undefined;
  /** Byte after each URL of a format that takes lines. */
  readonly separator: number;
}

/**
 * Takes whole records, which are valid until it returns, and the number of them. `messageNumbers` has pairs of the offset of a number and
 * the number: numbers of messages that count from the start of a range, where nobody knows yet how many messages are before it.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/**
 * An output format: returns a function that writes the matches of a batch as bytes. One thread writes the batches of all its sources with
 * one such function.
 */
export type OutputFormat = (options: FormatOptions, write: WriteRecords) => (batch: MatchBatch) => void;
