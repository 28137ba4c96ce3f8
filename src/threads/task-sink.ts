// The form in which results of a task go from thread to thread: bytes, matches, or counts of matches.
import type { CounterSettings } from "../count/counter.ts";
import type { ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { before, type Sink } from "../output/sink.ts";

/** Most bytes of groups that are kept between two messages. More are written to the sink before the end of the scan. */
const KEPT_BYTES = 8 << 20;

/** Returns a sink for the scanners of one task. It formats, counts or summarizes the matches, and writes the rest to `sink` at its end. */
export async function taskSink(settings: ScanSettings, sink: Sink): Promise<Sink> {
  if (settings.format === "groups") return formatted(settings, await grouped(settings, sink));
  if (settings.format !== "summary") return formatted(settings, sink);
  const { summarized } = await import("../output/summarized.ts");
  return formatted(settings, summarized(settings, sink));
}

/** Returns a sink that counts matches by the fields `by`, and writes their groups to `sink`, at the latest at its end. */
async function grouped(settings: CounterSettings, sink: Sink): Promise<Sink> {
  const [{ Counter }, { spillSettings }] = await Promise.all([import("../count/counter.ts"), import("../count/spill-settings.ts")]);
  const counter = new Counter(settings, spillSettings(Number.POSITIVE_INFINITY), {
    bytes: KEPT_BYTES,
    give: (groups) => sink.write(groups),
  });
  const write: Sink["write"] = (result) => {
    if (result.kind === "matches") counter.add(result);
    else if (result.kind === "messages") counter.addMessages(result.rows);
    else sink.write(result);
  };
  return before(sink, write, () => {
    sink.write(counter.take());
    return sink.end();
  });
}
