// A scanner over one text, with a core of its own.
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { ScanSettings, TextType } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import type { ScanRange } from "../scanner/scan.ts";
import { Scanner } from "../scanner/scanner.ts";
import { scanOptionsOf } from "./scan-options.ts";

/** A scanner, and the core that is to be released after it. */
export interface OpenScanner {
  readonly scanner: Scanner;
  readonly core: Core;
}

/** Opens a scanner for a text, or for a range of it; the results go to `sink`. A PDF is scanned as it is, and named. */
export function openScanner(settings: ScanSettings, type: TextType, sink: Sink, range: ScanRange): OpenScanner {
  if (type === "pdf" && range.from === 0)
    sink.write({ kind: "omitted", omission: { reason: "pdf", ...(range.source === undefined ? {} : { source: range.source }) } });
  const core = takeCore();
  try {
    return { core, scanner: new Scanner(core, scanOptionsOf(settings, type), sink, range) };
  } catch (error) {
    releaseCore(core);
    throw error;
  }
}
