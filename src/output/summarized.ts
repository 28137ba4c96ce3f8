// The sink of a scan whose matches are summarized.
import type { ScanSettings } from "../options/options.ts";
import { Summarizer } from "../summary/summarizer.ts";
import { before, type Sink } from "./sink.ts";

/** Most bytes of counts that are kept between two messages. More are written to the sink before the end of the scan. */
const KEPT_BYTES = 8 << 20;

/** Returns a sink that summarizes matches and rejected candidates, and writes the counts to `sink`, the last ones at its end. */
export function summarized({ listsRejected }: Pick<ScanSettings, "listsRejected">, sink: Sink): Sink {
  const summarizer = new Summarizer(Number.POSITIVE_INFINITY, { bytes: KEPT_BYTES, give: (part) => sink.write(part) });
  const end: Sink["end"] = () => {
    sink.write(summarizer.take());
    return sink.end();
  };
  return { ...summarySink(summarizer, sink, listsRejected), end };
}

/** Returns a sink that summarizes matches, rejected candidates and parts. The rest, and what `listsRejected` lists, goes to `sink`. */
export function summarySink(summarizer: Summarizer, sink: Sink, listsRejected: boolean): Sink {
  return before(sink, (result) => {
    if (result.kind === "matches") summarizer.add(result);
    else if (result.kind === "summary") summarizer.merge(result);
    else {
      if (result.kind === "rejected") summarizer.addRejected(result);
      if (result.kind !== "rejected" || listsRejected) sink.write(result);
    }
  });
}
