// Between a scanner and whoever takes its results: the scanner's packed output becomes bytes of the wanted format here.
import type { ScanSettings } from "../options.ts";
import type { MatchBatch, RejectedBatch } from "../window/batch.ts";
import type { ScanOptions, ScanSink } from "../window/scanner.ts";
import { NdjsonWriter } from "./ndjson.ts";

/** Takes what a scan finds. `bytes` is called for the formats, `matches` where packed batches were asked for. */
export interface Receiver {
  /** Whole lines and their number; the view is valid only during the call. */
  bytes(bytes: Uint8Array, count: number): void;
  matches(batch: MatchBatch, source: string | undefined): void;
  rejected(batch: RejectedBatch, source: string | undefined): void;
  /** What must be waited for before more is sent; undefined: nothing. */
  room(): Promise<void> | undefined;
}

/** The sink of a scanner over one source. */
export function sinkOf(settings: ScanSettings, source: string | undefined, receiver: Receiver): ScanSink {
  const writer = settings.format === "ndjson" ? new NdjsonWriter(source) : undefined;
  return {
    lines: (bytes, count) => receiver.bytes(bytes, count),
    matches: (batch) => {
      if (writer === undefined) receiver.matches(batch, source);
      else receiver.bytes(writer.write(batch), batch.count);
    },
    rejected: (batch) => receiver.rejected(batch, source),
  };
}

/** The options of a scanner for these settings. */
export function scanOptionsOf(settings: ScanSettings): ScanOptions {
  const { urlBytesMax, profile, schemes, addedSchemes, anyScheme, bare, separator, rejected } = settings;
  return {
    urlBytesMax,
    profile,
    schemes,
    addedSchemes,
    anyScheme,
    bare,
    output: settings.format === "plain" ? "lines" : "matches",
    separator,
    rejected,
  };
}
