// What an output format is. Each has a file of its own and a row in formatted.ts.
import type { MatchBatch } from "../scanner/batch.ts";

/**
 * Takes whole records, which are valid until it returns, and the number of them. `messageNumbers` has pairs of the offset of a number and
 * the number: numbers of messages that count from the start of a range, where nobody knows yet how many messages are before it.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/** Writes the matches of a batch as bytes. One thread writes the batches of all its sources with one such function. */
export type WriteMatches = (batch: MatchBatch) => void;
