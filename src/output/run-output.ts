// Begins the output of a run: its header, and the sink of a file format.
import type { ScanSettings } from "../options/options.ts";
import { BYTE_ORDER_MARK } from "./cells.ts";
import { fieldsOf } from "./format-fields.ts";
import { formOf } from "./formatted.ts";
import type { Sink } from "./sink.ts";

/**
 * Returns a function that begins the output of a run: it writes the header to a sink, and returns the sink for results of scanners. The
 * returned sink makes the file of parquet. For all other formats it is the given sink, because scanners write what that sink takes.
 */
export async function runOutput(settings: ScanSettings): Promise<(sink: Sink) => Sink> {
  const header = headerOf(settings);
  const parquet = settings.format === "parquet" ? await import("./parquet.ts") : undefined;
  const table = await parquet?.matchTable(fieldsOf(settings));
  return (sink) => {
    if (header !== undefined) sink.write({ kind: "bytes", bytes: header, count: 0 });
    return table?.(sink) ?? sink;
  };
}

/** Returns the byte order mark and the line of names that the output begins with, or undefined for a format without them. */
function headerOf(settings: ScanSettings): Uint8Array | undefined {
  const form = formOf(settings);
  const { format, header } = settings;
  if (form === undefined || (format !== "csv" && format !== "tsv")) return undefined;
  const mark = format === "csv" && settings.csvSafe ? BYTE_ORDER_MARK : "";
  const names = header ? form.fields.map((name, position) => form.write(position, name)).join("") + form.end : "";
  return new TextEncoder().encode(mark + names);
}
