// Sums over sources and over the parts of a source.
import { addOmissions } from "../base/omission.ts";
import type { ScanCounts } from "../scan/scan.ts";

/** Sums over sources, the same for every number of threads. */
export interface Totals extends ScanCounts {
  /** Texts that were begun: files, streams, and members of archives. */
  sources: number;
  /** Sources, or members of archives, that were not read to the end. */
  skipped: number;
}

export function emptyTotals(): Totals {
  return { bytes: 0, matches: 0, filtered: 0, undated: 0, kinds: [], rejected: [], archive: [], omitted: {}, sources: 0, skipped: 0 };
}

export function addTotals(totals: Totals, more: Totals): void {
  totals.sources += more.sources;
  totals.skipped += more.skipped;
  addCounts(totals, more);
}

/** Adds the counts of a scan. `source`: the name of its source, which the omissions get; absent: they keep theirs. */
export function addCounts(totals: Totals, counts: ScanCounts, source?: string): void {
  totals.bytes += counts.bytes;
  totals.matches += counts.matches;
  totals.filtered += counts.filtered;
  totals.undated += counts.undated;
  addEach(totals.kinds, counts.kinds);
  addEach(totals.rejected, counts.rejected);
  addEach(totals.archive, counts.archive);
  addOmissions(totals.omitted, counts.omitted, source);
}

function addEach(sums: number[], more: readonly number[]): void {
  more.forEach((count, index) => {
    sums[index] = (sums[index] ?? 0) + count;
  });
}
