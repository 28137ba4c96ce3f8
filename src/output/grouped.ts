// The sink of a scan whose matches are only counted.
import { Counter, type CounterSettings } from "../count/counter.ts";
import type { GroupBatch } from "../count/groups.ts";
import { spillSettings } from "../count/spill-settings.ts";
import { before, type Sink } from "./sink.ts";

/** Most bytes of groups that are kept between two messages. More are written to the sink before the end of the scan. */
const KEPT_BYTES = 8 << 20;

/** Returns a sink that counts matches by the fields `by`, and writes their groups to `sink`, at the latest at its end. */
export function grouped(settings: CounterSettings, sink: Sink): Sink {
  const overflow = { bytes: KEPT_BYTES, give: (groups: GroupBatch) => sink.write(groups) };
  const counter = new Counter(settings, spillSettings(Number.POSITIVE_INFINITY), overflow);
  const end: Sink["end"] = () => {
    sink.write(counter.take());
    return sink.end();
  };
  const write: Sink["write"] = (result) => {
    if (result.kind === "matches") counter.add(result);
    else if (result.kind === "messages") counter.addMessages(result.rows);
    else sink.write(result);
  };
  return before(sink, write, end);
}
