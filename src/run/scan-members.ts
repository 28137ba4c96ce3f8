// The text of an input of any format: of the input itself, or of each member of a container (A11).
import { releaseCore } from "../core/core.ts";
import type { SourceError } from "../errors.ts";
import type { PackedSource } from "../input/containers/members.ts";
import type { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import type { Sink } from "../output/sink.ts";
import { openScanner } from "./open-scanner.ts";
import { addCounts, type Totals } from "./totals.ts";

/** Where the results of sources go. */
export interface SourceResults {
  readonly sink: Sink;
  /** Returns why the reading of `source` ended with `error`. Throws what ends the whole run. */
  failureOf(source: string | undefined, error: unknown): SourceError;
}

/**
 * Scans the members of `source` one after the other, adding to `totals`; yields after each chunk, and before an error of a member is
 * reported. Rejects with the reason of the pacer's signal, and with what the sink throws.
 */
export async function* scanMembers(
  source: PackedSource,
  settings: ScanSettings,
  range: OwnedRange,
  { sink, failureOf }: SourceResults,
  totals: Totals,
  pacer: Pacer,
): AsyncGenerator<undefined> {
  const { openMembers } = await import("../input/containers/members.ts");
  for await (const { name, type, chunks } of openMembers({ type: settings.type, ...source }, undefined, pacer)) {
    const { scanner, core } = openScanner(settings, type, sink, { ...range, source: name, offset: 0 });
    try {
      for await (const chunk of chunks) {
        scanner.write(chunk);
        yield;
        if (scanner.done) break;
      }
      scanner.end();
      yield;
    } catch (cause) {
      const error = failureOf(name, cause);
      // What a cut may have halved is not reported. Nothing is cut by bytes after whole data.
      if (error === cause && error.code !== "ERR_TRAILING") scanner.cut();
      else if (error === cause) scanner.end();
      yield;
      sink.write({ kind: "failed", error });
    } finally {
      addCounts(totals, scanner.counts, name);
      releaseCore(core);
    }
  }
}
