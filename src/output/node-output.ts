// Begins the output of a run in Node. Pages in a browser use `runOutput` instead.
import type { ScanSettings } from "../options/options.ts";
import { fieldsOf } from "./format-fields.ts";
import { runOutput } from "./run-output.ts";
import type { Sink } from "./sink.ts";

/** Returns a function like that of `runOutput`, also for sqlite, stix and misp. `memory`: most bytes of known keys of stix and misp. */
export async function nodeOutput(settings: ScanSettings, memory?: number): Promise<(sink: Sink) => Sink> {
  const { format } = settings;
  if (format === "sqlite") return (await import("./sqlite.ts")).database(fieldsOf(settings));
  if (format === "stix" || format === "misp") return (await import("./indicators.ts")).indicators(format, memory);
  return await runOutput(settings);
}
