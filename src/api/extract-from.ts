// Matches of an input that arrives over time.
import { SourceError } from "../errors.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { Pacer } from "../input/pacer.ts";
import { checkOptions, type ExtractFromOptions } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import { before } from "../output/sink.ts";
import { type SourceResults, scanMembers } from "../run/scan-members.ts";
import { emptyTotals } from "../run/totals.ts";
import type { Match } from "../scanner/batch.ts";
import { MatchList } from "./match-list.ts";

/**
 * The matches in `source`, in its members where it is compressed or an archive (A11). It may be a string, bytes (Uint8Array, ArrayBuffer,
 * Blob, File), a Response, a stream of Node's or of the web, or an iterable of bytes; the next chunk is asked for when the matches of the
 * last one are taken. Throws OptionError at once; the iterator rejects with InputError, SourceError for compressed data that is broken,
 * the signal's reason, and with what `source` throws. After the signal nothing is delivered.
 */
export function extractFrom(source: ByteSource, options?: ExtractFromOptions): AsyncIterable<Match> {
  const checked = checkOptions("extractFrom", options);
  const { settings, range, signal } = checked;
  const matches = new MatchList(checked);
  const sink = before(matches, (result) => {
    if (result.kind === "failed") throw result.error;
    matches.write(result);
  });
  const results: SourceResults = {
    sink: formatted(settings, sink),
    failureOf(_, error) {
      if (error instanceof SourceError) return error;
      throw error;
    },
  };
  const packed = { name: undefined, chunks: readChunks(source, signal) };
  return iterate(() => scanMembers(packed, settings, range, results, emptyTotals(), new Pacer(signal)), matches);
}

async function* iterate(scan: () => AsyncIterable<undefined>, matches: MatchList): AsyncGenerator<Match> {
  for await (const _ of scan()) yield* matches.deliver();
}
