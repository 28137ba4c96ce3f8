// Extracts the matches of an input that arrives over time.
import { Signal } from "../base/signal.ts";
import { charsetOf } from "../core/charsets.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { Pacer } from "../input/pacer.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { derivedReaderOf, Match } from "../matches/match.ts";
import {
  type CheckedOptions,
  checkOptions,
  type ExtractFromOptions,
  type ScanSettings,
  type SourceType,
  settingsOfString,
} from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { scanMembers, sourceErrorOf } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import { CodeUnits } from "./code-units.ts";
import { batchSink, rangeIn } from "./extract.ts";

/**
 * Returns the matches in `source`, or in its members if it is compressed or an archive (A11). `source` may be a string, bytes (Uint8Array,
 * ArrayBuffer, Blob, File), a Response, a Node or web stream, or an iterable of bytes. The next chunk is requested when the matches of the
 * last one are taken. The Content-Type of a Response or a Blob gives the defaults of `type` and `charset`, and the URL of a Response the
 * default of `base`. Throws OptionError at once. The iterator rejects with InputError, with SourceError for damaged compressed data, with
 * the signal's reason, or with an error that `source` throws. After the signal it yields nothing.
 */
export function extractFrom(source: ByteSource, options?: ExtractFromOptions): AsyncIterable<Match> {
  const checked = checkOptions("extractFrom", options);
  const settings = settingsOfSource(checked.settings, source, options);
  // Offsets in a string count code units, not bytes.
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const units = typeof source === "string" ? CodeUnits.of(source, bytes as Uint8Array) : undefined;
  return matchesIn(bytes, { ...checked, settings }, units);
}

/** Returns the matches in `source`. With `units` their offsets count the code units of a string, whose UTF-8 is `source`. */
export function matchesIn(source: ByteSource, options: CheckedOptions, units?: CodeUnits): AsyncGenerator<Match> {
  const { settings, range, signal } = options;
  const run = async (sink: Sink): Promise<void> => {
    const packed = { name: options.source, chunks: readChunks(source, signal) };
    const pacer = new Pacer(signal);
    const context = { settings, sink: formatted(settings, sink), totals: emptyTotals(), pacer, failureOf: sourceErrorOf };
    for await (const _ of scanMembers(packed, rangeIn(range, units), context)) await sink.wait();
  };
  return matchesOf(options, run, units);
}

/**
 * Starts `run` and yields its matches. Rejects with the signal's reason, or after the last match with the first error of the run. The run
 * continues only while the caller asks for more. With `units` the offsets count the code units of a string.
 */
export async function* matchesOf(options: CheckedOptions, run: (sink: Sink) => Promise<unknown>, units?: CodeUnits): AsyncGenerator<Match> {
  const { settings, signal } = options;
  const readDerived = derivedReaderOf(settings.fields);
  const batches: MatchBatch[] = [];
  let isStopped = false;
  let isOver = false;
  /** Wakes the reader at a batch or at the end of the run. */
  const given = new Signal();
  /** Wakes the writer when the reader asks for a batch or stops. */
  const asked = new Signal();
  const sink = batchSink(options, units, (batch) => {
    batches.push(batch);
    given.wake();
  });
  const wait = async (): Promise<void> => {
    while (!isStopped && (batches.length > 0 || !given.isAwaited)) await asked.wait();
    if (isStopped) throw new Error("nobody takes the matches any more");
  };
  const over = run({ ...sink, wait }).finally(() => {
    isOver = true;
    given.wake();
  });
  over.catch(() => undefined);
  try {
    for (;;) {
      const batch = batches.shift();
      if (batch === undefined && !isOver) {
        const more = given.wait();
        asked.wake();
        await more;
        continue;
      }
      if (batch === undefined) await over;
      signal?.throwIfAborted();
      if (batch === undefined) return;
      for (let index = 0; index < batch.count; index++) {
        yield new Match(batch, index, units, readDerived);
        signal?.throwIfAborted();
      }
    }
  } finally {
    isStopped = true;
    asked.wake();
    await over.catch(() => undefined);
  }
}

/** Returns the settings for a source. Options override the type, the charset and the URL that the source has. */
function settingsOfSource(settings: ScanSettings, source: ByteSource, { type, charset, base }: ExtractFromOptions = {}): ScanSettings {
  if (typeof source === "string") return settingsOfString(settings);
  if (typeof source !== "object" || source === null) return settings;
  const described = describeSource(source);
  return {
    ...settings,
    ...(type === undefined && described.type !== undefined ? { type: described.type } : {}),
    ...(charset === undefined && described.charset !== undefined ? { charset: described.charset } : {}),
    ...(base === undefined && settings.links ? { base: described.base } : {}),
  };
}

/** Media types that decide the type of a source. `text/plain` does not, because archives are often sent with it. */
const TYPES: readonly (readonly [RegExp, SourceType])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, "html"],
  [/^(?:(?:text|application)\/json|[^/]+\/[^/]+\+json|application\/(?:x-)?(?:ndjson|jsonl|json-seq))$/, "json"],
  [/^(?:(?:text|application)\/xml|[^/]+\/[^/]+\+xml)$/, "xml"],
  [/^message\/(?:rfc822|global)$/, "eml"],
  [/^application\/mbox$/, "mbox"],
  [/^application\/warc$/, "warc"],
];
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^;," \t]+))/i;

/** Returns the metadata of a Response, a Request or a Blob, or undefined values. `base`: the URL of relative links. */
function describeSource(source: object) {
  const { headers, type: blobType, status, url }: Partial<Response & Blob> = source;
  const ofHeaders = typeof headers?.get === "function" ? headers.get("content-type") : undefined;
  const contentType = ofHeaders ?? ("size" in source && typeof blobType === "string" ? blobType : "");
  const essence = contentType.split(/[;,]/, 1)[0].trim().toLowerCase();
  const type = TYPES.find(([pattern]) => pattern.test(essence))?.[1];
  const [, quoted, plain] = CHARSET.exec(contentType) ?? [];
  const charset = charsetOf(quoted ?? plain ?? "");
  // The URL of a Request is the target of its body, not the origin.
  const base = typeof status === "number" && typeof url === "string" && url !== "" ? url : undefined;
  return { type, charset, base };
}
