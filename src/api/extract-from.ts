// Matches of an input that arrives over time.
import { SourceError } from "../errors.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { Pacer } from "../input/pacer.ts";
import { checkOptions, type ExtractFromOptions } from "../options.ts";
import { scanMembers } from "../run/scan-members.ts";
import type { SourceReceiver } from "../run/source-receiver.ts";
import { emptyTotals } from "../run/totals.ts";
import type { Match } from "../scanner/batch.ts";
import { Collector } from "./collector.ts";

/**
 * The matches in `source`, in its members where it is compressed or an archive (A11). It may be a string, bytes (Uint8Array, ArrayBuffer,
 * Blob, File), a Response, a stream of Node's or of the web, or an iterable of bytes; the next chunk is asked for when the matches of the
 * last one are taken. Throws OptionError at once; the iterator rejects with InputError, SourceError for compressed data that is broken,
 * the signal's reason, and with what `source` throws. After the signal nothing is delivered.
 */
export function extractFrom(source: ByteSource, options?: ExtractFromOptions): AsyncIterable<Match> {
  const { settings, range, onRejected, signal } = checkOptions("extractFrom", options);
  const collector = new Collector(onRejected, signal);
  const receiver: SourceReceiver = {
    matches: (batch, name) => collector.matches(batch, name),
    rejected: (batch, name) => collector.rejected(batch, name),
    bytes: () => undefined,
    room: () => undefined,
    failureOf(_, error) {
      if (error instanceof SourceError) return error;
      throw error;
    },
    failed(error) {
      throw error;
    },
  };
  const packed = { name: undefined, chunks: readChunks(source, signal) };
  return iterate(() => scanMembers(packed, settings, range, receiver, emptyTotals(), new Pacer(signal)), collector);
}

async function* iterate(scan: () => AsyncIterable<undefined>, collector: Collector): AsyncGenerator<Match> {
  for await (const _ of scan()) yield* collector.deliver();
}
