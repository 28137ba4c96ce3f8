// Summarizes inputs that arrive over time, on this thread.
import { countOmission, unreadable } from "../base/omission.ts";
import { type ByteSource, readChunks } from "../input/chunks.ts";
import { Pacer } from "../input/pacer.ts";
import { EVERYTHING, type ExtractFromOptions, type ScanSettings, settingsOf, settingsOfString } from "../options/options.ts";
import { checkValues } from "../options/table.ts";
import { badOption } from "../options/values.ts";
import { formatted } from "../output/formatted.ts";
import type { Result } from "../output/sink.ts";
import { summarySink } from "../output/summarized.ts";
import { scanMembers, sourceErrorOf } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import { shownOptions } from "../summary/hidden.ts";
import { makeSummary } from "../summary/make-summary.ts";
import { Summarizer } from "../summary/summarizer.ts";
import { SUMMARY_FIELDS, type Summary } from "../summary/summary.ts";

/** An input, and its name in the summary. */
export interface NamedSource {
  name: string;
  source: ByteSource;
}

/** Options of `summarize`. Here `unwrap` is true by default, unlike in other functions. */
export interface SummarizeOptions extends Omit<ExtractFromOptions, "fields" | "context" | "range" | "onRejected" | "source"> {
  /** Most rows of each table; 1000 by default. */
  top?: number | undefined;
  /** Most bytes of memory for the tables; 256 MiB by default. A full table forgets its rarest values; its `bound` shows this. */
  memory?: number | string | undefined;
}

/**
 * Returns the summary of one input, or of an array of inputs, which are read one after the other. A `File` keeps its name in the summary;
 * any other input without a given name is `-`. An input that cannot be read to its end counts as skipped. Rejects with OptionError, with
 * InputError, with the signal's reason, or with an error that a source throws.
 */
export async function summarize(
  inputs: ByteSource | NamedSource | readonly (ByteSource | NamedSource)[],
  options?: SummarizeOptions,
): Promise<Summary> {
  const started = new Date().toISOString();
  const begin = performance.now();
  const values = { ...checkValues("summarize", { unwrap: true, ...options }), by: SUMMARY_FIELDS };
  const settings: ScanSettings = { ...settingsOf(values), format: "summary", rejected: true };
  if (options?.userinfo === "keep") throw badOption("userinfo", 'cannot be "keep": a summary never shows a password');
  const { signal } = values;
  const summarizer = new Summarizer(values.memory);
  const totals = emptyTotals();
  const write = (result: Result): void => {
    if (result.kind === "omitted") countOmission(totals.omitted, result.omission);
    if (result.kind !== "failed") return;
    totals.skipped++;
    countOmission(totals.omitted, unreadable(result.error));
  };
  const sink = summarySink(summarizer, { write, wait: () => undefined, end: () => undefined }, false);
  const pacer = new Pacer(signal);
  const named = ([inputs].flat() as (ByteSource | NamedSource)[]).map(withName);
  for (const { name, source } of named) {
    const own = typeof source === "string" ? settingsOfString(settings) : settings;
    const context = { settings: own, sink: formatted(own, sink), totals, pacer, failureOf: sourceErrorOf };
    const packed = { name, chunks: readChunks(source, signal, [NAMED_FORM]) };
    for await (const _ of scanMembers(packed, EVERYTHING, context)) signal?.throwIfAborted();
  }
  const run = {
    started,
    seconds: (performance.now() - begin) / 1000,
    threads: 1,
    options: shownOptions({ ...options, signal: undefined }),
    inputs: named.map(({ name }) => name),
  };
  return await pacer.finish(makeSummary(summarizer.counted(), totals, run, values.top));
}

/** Text for error messages: the inputs that `summarize` takes in addition to those of `extractFrom`. */
const NAMED_FORM = "{ name, source } with one of these";

const NO_NAME = "-"; // Name of an input without a name

function withName(input: ByteSource | NamedSource): NamedSource {
  if (typeof input !== "object" || input === null || !("name" in input)) return { name: NO_NAME, source: input };
  return { name: String(input.name), source: "source" in input ? input.source : input };
}
