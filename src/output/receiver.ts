// Between a scanner and whoever takes its results: the scanner's packed output becomes bytes of the wanted format here.
import { type ScanSettings, searchOf, type TextType } from "../options.ts";
import type { MatchBatch, RejectedBatch } from "../scanner/batch.ts";
import { coreProfile, needsRewriter, rewriterOptions } from "../scanner/rewriter.ts";
import type { ScanOptions, ScanSink } from "../scanner/scan.ts";
import { linesOf } from "./lines.ts";
import { NdjsonWriter } from "./ndjson.ts";
import { Redactor } from "./redacted.ts";

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
  const lines: ScanSink["lines"] = (bytes, count) => receiver.bytes(bytes, count);
  const matches = matchesOf(settings, source, receiver);
  if (settings.form.userinfo !== "redact") return { lines, matches, rejected: (batch) => receiver.rejected(batch, source) };
  const redactor = new Redactor(settings);
  return {
    lines,
    matches: (batch) => matches(redactor.matches(batch)),
    rejected: (batch) => receiver.rejected(redactor.rejected(batch), source),
  };
}

function matchesOf(settings: ScanSettings, source: string | undefined, receiver: Receiver): ScanSink["matches"] {
  if (settings.format === "matches") return (batch) => receiver.matches(batch, source);
  if (settings.format === "plain") return (batch) => writeLines(batch, settings.separator, receiver);
  const writer = new NdjsonWriter(source, settings.fields, (bytes, count) => receiver.bytes(bytes, count));
  return needsRewriter(settings) ? (batch) => writer.writeRewritten(batch) : (batch) => writer.write(batch);
}

function writeLines(batch: MatchBatch, separator: number, receiver: Receiver): void {
  const { bytes, count } = linesOf(batch, separator);
  if (count > 0) receiver.bytes(bytes, count);
}

/** Made once for all sources of a kind: with small files it is done as often as there are files. */
const made = new WeakMap<ScanSettings, Map<TextType, ScanOptions>>();

/** The options of a scanner for these settings, over a source of `type`. */
export function scanOptionsOf(settings: ScanSettings, type: TextType): ScanOptions {
  const byType = made.get(settings) ?? new Map<TextType, ScanOptions>();
  made.set(settings, byType);
  const options = byType.get(type) ?? makeOptions(settings, type);
  byType.set(type, options);
  return options;
}

function makeOptions(settings: ScanSettings, type: TextType): ScanOptions {
  const { form, separator, rejected, format } = settings;
  if (needsRewriter(settings)) return rewriterOptions(settings, type, separator, rejected);
  const output = format === "plain" ? "lines" : "matches";
  return { ...searchOf(settings), type, profile: coreProfile(form), output, separator, rejected };
}
