// From the settings of a run to the options of its scanners, and to the format in which matches reach a sink.
import { FORMATS } from "../option-table.ts";
import { type FormatName, type ScanSettings, searchOf, type TextType } from "../options.ts";
import { coreProfile, needsRewriter, rewriterOptions } from "../scanner/rewriter.ts";
import type { ScanOptions } from "../scanner/scan.ts";
import { ndjson } from "./ndjson.ts";
import type { OutputFormat } from "./output-format.ts";
import { plain } from "./plain.ts";
import { redacted } from "./redacted.ts";
import { before, type Sink } from "./sink.ts";

const ROWS: Record<FormatName, OutputFormat> = { plain, ndjson };

/** Returns a sink for scanners. If the settings ask for it, it hides passwords and makes bytes of the format; all goes on to `sink`. */
export function formatted(settings: ScanSettings, sink: Sink): Sink {
  const { format } = settings;
  const written = format === "matches" ? sink : inFormat(ROWS[format], settings, sink);
  return settings.form.userinfo === "redact" ? redacted(written, settings.fields) : written;
}

function inFormat(format: OutputFormat, settings: ScanSettings, sink: Sink): Sink {
  const writeMatches = format(settings, (bytes, count) => sink.write({ kind: "bytes", bytes, count }));
  return before(sink, (result) => (result.kind === "matches" ? writeMatches(result) : sink.write(result)));
}

/** Made once for all sources of a type: the files may be many and small. */
const made = new WeakMap<ScanSettings, Map<TextType, ScanOptions>>();

/** Returns the options of a scanner for these settings, over a source of `type`. */
export function scanOptionsOf(settings: ScanSettings, type: TextType): ScanOptions {
  const byType = made.get(settings) ?? new Map<TextType, ScanOptions>();
  made.set(settings, byType);
  const options = byType.get(type) ?? makeOptions(settings, type);
  byType.set(type, options);
  return options;
}

function makeOptions(settings: ScanSettings, type: TextType): ScanOptions {
  const { form, format, separator, rejected } = settings;
  if (needsRewriter(settings)) return rewriterOptions(settings, type, separator, rejected);
  const output = format === "matches" ? format : FORMATS[format];
  return { ...searchOf(settings), type, profile: coreProfile(form), output, separator, rejected };
}
