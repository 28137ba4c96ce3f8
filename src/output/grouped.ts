// The sink of a scan whose matches are only counted.
import { Counter } from "../count/counter.ts";
import { spillSettings } from "../count/spill-settings.ts";
import type { ScanSettings } from "../options/options.ts";
import { before, type Sink } from "./sink.ts";

/** Bytes of groups that are kept until the end of a scan. */
const KEPT_BYTES = 8 << 20;

/** Returns a sink that counts matches by the fields `by`, and writes their groups to `sink`, at the latest at its end. */
export function grouped({ by }: Pick<ScanSettings, "by">, sink: Sink): Sink {
  const counter = new Counter(by, spillSettings(Number.POSITIVE_INFINITY), { bytes: KEPT_BYTES, give: (groups) => sink.write(groups) });
  const end: Sink["end"] = () => {
    sink.write(counter.take());
    return sink.end();
  };
  return { ...before(sink, (result) => (result.kind === "matches" ? counter.add(result) : sink.write(result))), end };
}
