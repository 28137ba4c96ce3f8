// The functions by which formats of lines and records write matches. formatted.ts chooses the format.
import type { MatchBatch } from "../scanner/batch.ts";

/**
 * Takes the bytes of complete records, which are valid until it returns, and their number. `messageNumbers`: pairs of the offset of a
 * message number in `bytes` and the number. It is empty unless numbers count from the start of a range whose first number is not known yet.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/** Writes the matches of a batch as bytes. A thread writes the batches of all its sources with one function. */
export type WriteMatches = (batch: MatchBatch) => void;
