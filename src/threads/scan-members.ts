// What is in compressed data and archives, each member scanned as a source of its own.
import type { PackedSource } from "../input/containers/members.ts";
import { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import type { SourceReceiver } from "./deliver.ts";
import { StreamScan } from "./stream-scan.ts";
import { addCounts, type Totals } from "./totals.ts";

/**
 * Scans the members of `source` one after the other, adding to `totals`; what is wrong with one is told to the receiver. Rejects with
 * the reason of `signal`.
 * @see docs/rules.md A11
 */
export async function scanMembers(
  source: PackedSource,
  settings: ScanSettings,
  range: OwnedRange,
  receiver: SourceReceiver,
  totals: Totals,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const { openMembers } = await import("../input/containers/members.ts");
  for await (const { name, chunks } of openMembers(source, undefined, new Pacer(signal))) {
    const scan = new StreamScan(settings, range, name, receiver);
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        await scan.writeInPieces(chunk, receiver);
        if (scan.done) break;
      }
      scan.end();
    } catch (error) {
      const failure = receiver.failureOf(name, error);
      if (failure === error) scan.fail(failure);
      receiver.failed(failure);
    } finally {
      addCounts(totals, scan.counts, name);
    }
    await receiver.room();
  }
}
