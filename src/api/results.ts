// Turns the results of a scan into the output of a command.
import { Pacer } from "../input/pacer.ts";
import type { ScanSettings } from "../options/options.ts";
import { type RecordChoice, settingsOfChoice } from "../output/formatted.ts";
import { nodeOutput } from "../output/node-output.ts";
import type { Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";

export interface Results {
  readonly settings: ScanSettings;
  /** Returns the sink of the scan. It writes the output to `sink` as bytes, and passes failures and omissions on. */
  readonly open: (sink: Sink, signal: AbortSignal) => Sink;
  /** Returns the picture of `--plot` as text. Call it after the sink has ended. */
  readonly plot?: (() => string) | undefined;
  /** Returns the bytes to write after a scan that took `seconds`. Rejects with the reason of `signal`. */
  readonly finish?: (totals: Totals, seconds: number, signal: AbortSignal) => Promise<Uint8Array>;
}

/** Returns the output of URLs or records. `hasBegun`: the output already has its header. */
export async function extractResults(settings: ScanSettings, choice: RecordChoice, hasBegun = false): Promise<Results> {
  const begin = await nodeOutput(hasBegun ? { ...settings, header: false, csvSafe: false } : settings, choice.memory);
  const { by, memory, sample } = choice;
  const steps: ((sink: Sink, signal: AbortSignal) => Sink)[] = [begin];
  if (sample !== undefined) {
    const { sampleOf } = await import("../output/choice.ts");
    steps.unshift((sink) => sampleOf(settings, sample, sink));
  }
  if (by !== undefined) {
    const { Distinct } = await import("../count/distinct.ts");
    const { spillSettings } = await import("../count/spill.ts");
    const { uniqueRecords } = await import("../output/choice.ts");
    steps.unshift((sink, signal) => {
      const pacer = new Pacer(signal);
      const keys = new Distinct(spillSettings(memory));
      return uniqueRecords(settings, { by, keys, pause: () => pacer.pause(), leavesMatches: sample !== undefined }, sink);
    });
  }
  return {
    settings: settingsOfChoice(settings, choice),
    open: (sink, signal) => steps.reduceRight((last, step) => step(last, signal), sink),
  };
}
