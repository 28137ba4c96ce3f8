// Turns the results of a scan into the output of a command.

import { Pacer } from "../input/pacer.ts";
import type { FieldName } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { runOutput, settingsOfUnique } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";

/** The output of a command. */
export interface Results {
  /** Settings of the scan. */
  readonly settings: ScanSettings;
  /** Returns the sink of the scan. It writes the output to `sink` as bytes, and all failures. */
  readonly open: (sink: Sink, signal: AbortSignal) => Sink;
  /** Returns the bytes to be written after the scan, which took `seconds`. Rejects with the reason of `signal`. */
  readonly finish?: (totals: Totals, seconds: number, signal: AbortSignal) => Promise<Uint8Array>;
}

/** Settings of deduplication. */
export interface UniqueSettings {
  /** Fields whose values are written once each; undefined: all records are written. */
  readonly by: readonly FieldName[] | undefined;
  /** Bytes of keys in memory. */
  readonly memory?: number | undefined;
}

/** Returns the output of records. `hasBegun`: the output already has its header. */
export async function extractResults(settings: ScanSettings, unique: UniqueSettings, hasBegun = false): Promise<Results> {
  const begin = await runOutput(hasBegun ? { ...settings, header: false } : settings);
  const { by } = unique;
  if (by === undefined) return { settings, open: begin };
  const { Distinct } = await import("../count/distinct.ts");
  const { spillSettings } = await import("../count/spill-settings.ts");
  const { uniqueRecords } = await import("../output/unique.ts");
  return {
    settings: settingsOfUnique(settings, by),
    open(sink, signal) {
      const pacer = new Pacer(signal);
      const keys = new Distinct(spillSettings(unique.memory));
      return uniqueRecords(settings, { by, keys, pause: () => pacer.pause() }, begin(sink));
    },
  };
}
