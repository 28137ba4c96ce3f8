// The form in which results of a task go from thread to thread: bytes, matches, or counts of matches.
import type { ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";

/** Returns a sink for the scanners of one task. It formats, counts or summarizes the matches, and writes the rest to `sink` at its end. */
export async function taskSink(settings: ScanSettings, sink: Sink): Promise<Sink> {
  if (settings.format === "groups") {
    const { grouped } = await import("../output/grouped.ts");
    return formatted(settings, grouped(settings, sink));
  }
  if (settings.format === "summary") {
    const { summarized } = await import("../output/summarized.ts");
    return formatted(settings, summarized(settings, sink));
  }
  return formatted(settings, sink);
}
