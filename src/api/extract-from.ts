// Extracts the matches of an input that arrives over time.
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { describeSource } from "../input/content-type.ts";
import { Pacer } from "../input/pacer.ts";
import { checkOptions, type ExtractFromOptions, type ScanSettings, settingsOfString } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { scanMembers, sourceErrorOf } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import type { Match } from "../scanner/match.ts";
import { CodeUnits } from "./code-units.ts";
import { rangeIn } from "./extract.ts";
import { matchesOf } from "./match-queue.ts";

/**
 * Returns the matches in `source`, or in its members if it is compressed or an archive (A11). `source` may be a string, bytes (Uint8Array,
 * ArrayBuffer, Blob, File), a Response, a Node or web stream, or an iterable of bytes. The next chunk is requested when the matches of the
 * last one are taken. The Content-Type of a Response or a Blob gives the defaults of `type` and `charset`, and the URL of a Response the
 * default of `base`. Throws OptionError at once. The iterator rejects with InputError, with SourceError for damaged compressed data, with
 * the signal's reason, or with an error that `source` throws. After the signal it yields nothing.
 */
export function extractFrom(source: ByteSource, options?: ExtractFromOptions): AsyncIterable<Match> {
  const checked = checkOptions("extractFrom", options);
  const { range, signal } = checked;
  const settings = settingsOfSource(checked.settings, source, options);
  // Offsets in a string count code units, not bytes.
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const units = typeof source === "string" ? CodeUnits.of(source, bytes as Uint8Array) : undefined;
  const run = async (sink: Sink): Promise<void> => {
    const packed = { name: checked.source, chunks: readChunks(bytes, signal) };
    const results = { sink: formatted(settings, sink), failureOf: sourceErrorOf };
    const scan = scanMembers(packed, settings, rangeIn(range, units), results, emptyTotals(), new Pacer(signal));
    for await (const _ of scan) await sink.wait();
  };
  return matchesOf(checked, run, units);
}

/** Returns the settings for a source. Options override its own type, charset and URL. */
function settingsOfSource(settings: ScanSettings, source: ByteSource, { type, charset, base }: ExtractFromOptions = {}): ScanSettings {
  if (typeof source === "string") return settingsOfString(settings);
  const described = describeSource(source);
  return {
    ...settings,
    ...(type === undefined && described.type !== undefined ? { type: described.type } : {}),
    ...(charset === undefined && described.charset !== undefined ? { charset: described.charset } : {}),
    ...(base === undefined && settings.links ? { base: described.base } : {}),
  };
}
