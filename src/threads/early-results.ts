// The results of a step that this thread carried out early: kept until all results before them have been written.
import type { Result } from "../output/sink.ts";
import { emptyTotals } from "../run/totals.ts";

/** Bytes that a result counts for, in addition to its texts. */
const RESULT_BYTES = 256;

/** Results of one step, and its totals. */
export class EarlyResults {
  readonly totals = emptyTotals();
  #results: Result[] = [];
  /** Bytes of the kept results. */
  bytes = 0;

  /** Keeps a result. */
  write(result: Result): void {
    // `bytes` is a view of memory that will be overwritten.
    this.#results.push(result.kind === "bytes" ? { ...result, bytes: result.bytes.slice() } : result);
    this.bytes += sizeOf(result);
  }

  /** Removes and returns the kept results. */
  take(): Result[] {
    const results = this.#results;
    this.#results = [];
    this.bytes = 0;
    return results;
  }
}

function sizeOf(result: Result): number {
  if (result.kind === "bytes" || result.kind === "groups") return result.bytes.length;
  if (result.kind === "summary") return Object.values(result.tables).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (result.kind === "matches") return result.rows.byteLength + result.bytes.length;
  // The texts of rejected candidates hold at most 256 bytes each.
  return result.kind === "rejected" ? (result.count * 2 + (result.omitted?.length ?? 0)) * RESULT_BYTES : RESULT_BYTES;
}
