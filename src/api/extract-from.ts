// Matches of an input that arrives over time.
import { SourceError } from "../errors.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { type Member, openMembers } from "../input/containers/members.ts";
import { Pacer } from "../input/pacer.ts";
import { checkOptions, type ExtractFromOptions } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import type { Match } from "../scanner/batch.ts";
import { StreamScan } from "../threads/stream-scan.ts";
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
  const sink = formatted(settings, matches);
  const begin = (name: string | undefined): StreamScan => new StreamScan(settings, range, name, sink);
  const members = openMembers({ name: undefined, chunks: readChunks(source, signal) }, undefined, new Pacer(signal));
  return iterate(begin, members, matches);
}

async function* iterate(
  begin: (name: string | undefined) => StreamScan,
  members: AsyncIterable<Member>,
  matches: MatchList,
): AsyncGenerator<Match> {
  for await (const { name, chunks } of members) {
    const scan = begin(name);
    let failure: { error: unknown } | undefined;
    try {
      for await (const chunk of chunks) {
        scan.write(chunk);
        yield* matches.deliver();
        if (scan.done) break;
      }
      scan.end();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      failure = { error };
      scan.fail(error);
    }
    yield* matches.deliver();
    if (failure !== undefined) throw failure.error;
  }
}
