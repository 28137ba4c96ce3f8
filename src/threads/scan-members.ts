// What is in compressed data and archives, each member scanned as a source of its own.
import type { SourceError } from "../errors.ts";
import type { PackedSource } from "../input/containers/members.ts";
import { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import type { Sink } from "../output/sink.ts";
import { StreamScan } from "./stream-scan.ts";
import { addCounts, type Totals } from "./totals.ts";

/** Where the results of sources go: a sink for scanners, and the reason why the reading of a source ended. */
export interface SourceResults {
  readonly sink: Sink;
  /** Returns why the reading of `source` ended with `error`. Throws what ends the whole run. */
  failureOf(source: string | undefined, error: unknown): SourceError;
}

/**
 * Scans the members of `source` one after the other, adding to `totals`; what is wrong with one goes to the sink. Rejects with
 * the reason of `signal`.
 * @see docs/rules.md A11
 */
export async function scanMembers(
  source: PackedSource,
  settings: ScanSettings,
  range: OwnedRange,
  { sink, failureOf }: SourceResults,
  totals: Totals,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const { openMembers } = await import("../input/containers/members.ts");
  for await (const { name, chunks } of openMembers(source, undefined, new Pacer(signal))) {
    const scan = new StreamScan(settings, range, name, sink);
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        await scan.writeInPieces(chunk);
        if (scan.done) break;
      }
      scan.end();
    } catch (cause) {
      const error = failureOf(name, cause);
      if (error === cause) scan.fail(error);
      sink.write({ kind: "failed", error });
    } finally {
      addCounts(totals, scan.counts, name);
    }
    await sink.wait();
  }
}
