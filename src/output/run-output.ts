// Begins the output of a run: its header, and the sink of a file format.
import type { ScanSettings } from "../options/options.ts";
import { fieldsOf } from "./format-fields.ts";
import { formOf } from "./formatted.ts";
import { headOf } from "./record-form.ts";
import type { Sink } from "./sink.ts";

/**
 * Returns a function that begins the output of a run: it writes the header to a sink, and returns the sink for results of scanners. The
 * returned sink makes the file of parquet. For all other formats it is the given sink, because scanners write what that sink takes.
 */
export async function runOutput(settings: ScanSettings): Promise<(sink: Sink) => Sink> {
  const { format } = settings;
  const form = formOf(settings);
  const head = form === undefined ? "" : headOf(form, format, settings);
  const table = format === "parquet" ? await (await import("./parquet.ts")).matchTable(fieldsOf(settings)) : undefined;
  return (sink) => {
    if (head !== "") sink.write({ kind: "bytes", bytes: new TextEncoder().encode(head), count: 0 });
    return table?.(sink) ?? sink;
  };
}
