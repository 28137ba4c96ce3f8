// Matches of an input that arrives over time.
import { SourceError } from "../errors.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { checkOptions, type ExtractFromOptions } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import type { Match } from "../scanner/batch.ts";
import { scanMembers } from "../threads/scan-members.ts";
import { emptyTotals } from "../threads/totals.ts";
import { matchesOf } from "./match-queue.ts";

/**
 * Returns the matches in `source`, or in its members if it is compressed or an archive (A11). It may be a string, bytes (Uint8Array,
 * ArrayBuffer, Blob, File), a Response, a stream of Node's or of the web, or an iterable of bytes; the next chunk is asked for when the
 * matches of the last one are taken. Throws OptionError at once. The iterator rejects with InputError, with SourceError for compressed data
 * that is broken, with the signal's reason, and with what `source` throws. After the signal it gives nothing.
 */
export function extractFrom(source: ByteSource, options?: ExtractFromOptions): AsyncIterable<Match> {
  const checked = checkOptions("extractFrom", options);
  const { settings, range, signal } = checked;
  return matchesOf(checked, async (sink: Sink) => {
    const chunks = readChunks(source, signal);
    await scanMembers({ name: undefined, chunks }, settings, range, { sink: formatted(settings, sink), failureOf }, emptyTotals(), signal);
  });
}

function failureOf(_source: string | undefined, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}
