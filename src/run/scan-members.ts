// The text of an input of any format: of the input itself, or of each member of a container (A11).
import { releaseCore } from "../core/core.ts";
import type { PackedSource } from "../input/containers/members.ts";
import type { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import { openScanner } from "./open-scanner.ts";
import type { SourceReceiver } from "./source-receiver.ts";
import { addCounts, type Totals } from "./totals.ts";

/**
 * Scans the members of `source` one after the other, adding to `totals`; yields after each chunk, and before an error of a member is
 * reported. Rejects with the reason of the pacer's signal, and with what the receiver throws.
 */
export async function* scanMembers(
  source: PackedSource,
  settings: ScanSettings,
  range: OwnedRange,
  receiver: SourceReceiver,
  totals: Totals,
  pacer: Pacer,
): AsyncGenerator<undefined> {
  const { openMembers } = await import("../input/containers/members.ts");
  for await (const { name, type, chunks } of openMembers({ type: settings.type, ...source }, undefined, pacer)) {
    const { scanner, core } = openScanner(settings, type, name, receiver, { ...range, offset: 0 });
    try {
      for await (const chunk of chunks) {
        scanner.write(chunk);
        yield;
        if (scanner.done) break;
      }
      scanner.end();
      yield;
    } catch (error) {
      const failure = receiver.failureOf(name, error);
      // What a cut may have halved is not reported. Nothing is cut by bytes after whole data.
      if (failure === error && failure.code !== "ERR_TRAILING") scanner.cut();
      else if (failure === error) scanner.end();
      yield;
      receiver.failed(failure);
    } finally {
      addCounts(totals, scanner.counts, name);
      releaseCore(core);
    }
  }
}
