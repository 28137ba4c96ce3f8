// The web form of the extracting stream; it uses nothing of Node.
import { getCore } from "../core/core.ts";
import { checkOptions, type ExtractFromOptions } from "../options.ts";
import { StreamScan } from "../pool/stream-scan.ts";
import { bytesOf } from "../sources/chunks.ts";
import type { Match } from "../window/batch.ts";
import { Collector } from "./collector.ts";

/**
 * A stream that takes bytes and gives matches. Throws OptionError; the stream fails with InputError, SourceError (`ERR_COMPRESSED`) and
 * the signal's reason.
 */
export function extractWebStream(options?: ExtractFromOptions): TransformStream<Uint8Array, Match> {
  const { settings, range, onRejected, signal } = checkOptions("extractWebStream", options);
  const collector = new Collector(onRejected, signal);
  const scan = new StreamScan(getCore(), settings, range, undefined, collector);
  const enqueue = (controller: TransformStreamDefaultController<Match>): void => {
    for (const match of collector.deliver()) controller.enqueue(match);
  };
  return new TransformStream<Uint8Array, Match>({
    start(controller) {
      signal?.throwIfAborted();
      // Matches may wait in the stream for longer than its input comes, and the signal may outlive both.
      const stream = new WeakRef(controller);
      signal?.addEventListener("abort", () => stream.deref()?.error(signal.reason), { once: true });
    },
    transform(chunk, controller) {
      scan.write(bytesOf(chunk));
      enqueue(controller);
    },
    flush(controller) {
      scan.end();
      enqueue(controller);
    },
  });
}
