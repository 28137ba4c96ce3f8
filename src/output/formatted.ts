// From the settings of a run to the format in which matches reach a sink.
import type { FormatName, ScanSettings } from "../options.ts";
import { ndjson } from "./ndjson.ts";
import type { OutputFormat } from "./output-format.ts";
import { plain } from "./plain.ts";
import { redacted } from "./redacted.ts";
import { before, type Sink } from "./sink.ts";

const FORMATS: Record<FormatName, OutputFormat> = { plain, ndjson };

/** Returns a sink for scanners. If the settings ask for it, it hides passwords and makes bytes of the format; all goes on to `sink`. */
export function formatted(settings: ScanSettings, sink: Sink): Sink {
  const { format } = settings;
  const written = format === "matches" ? sink : inFormat(FORMATS[format], settings, sink);
  return settings.form.userinfo === "redact" ? redacted(written, settings.fields) : written;
}

function inFormat(format: OutputFormat, settings: ScanSettings, sink: Sink): Sink {
  const writeMatches = format(settings, (bytes, count, numbers) => {
    sink.write({ kind: "bytes", bytes, count, messageNumbers: numbers.length === 0 ? undefined : Int32Array.from(numbers) });
  });
  return before(sink, (result) => (result.kind === "matches" ? writeMatches(result) : sink.write(result)));
}
