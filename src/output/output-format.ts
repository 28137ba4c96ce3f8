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
 * An output format: returns a function that writes the matches of a batch as bytes. It gives `write` whole records and the number of them;
 * the bytes are valid only until `write` returns. One thread writes the batches of all its sources with one such function.
 */
export type OutputFormat = (options: FormatOptions, write: (bytes: Uint8Array, count: number) => void) => (batch: MatchBatch) => void;
