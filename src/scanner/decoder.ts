// The decoder of each type.
import type { Core } from "../core/core.ts";
import { HtmlDecoder } from "./html-decoder.ts";
import { MailDecoder } from "./mail-decoder.ts";
import { PlainDecoder } from "./plain-decoder.ts";
import { RefangDecoder } from "./refang-decoder.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "./scan.ts";
import type { SourceDecoder } from "./source-decoder.ts";

/** Returns the decoder of a source, or undefined: it is scanned as it is. */
export function decoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const decoder = formatDecoderOf(core, options, range, counts);
  return options.refang ? new RefangDecoder(core, decoder ?? new PlainDecoder(core)) : decoder;
}

function formatDecoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const { charset } = options;
  const type = options.type === "pdf" ? "text" : options.type;
  const isUtf8 = charset === "utf-8";
  if (type === "text" && isUtf8) return undefined;
  const isXml = type === "xml";
  return (type === "html" || isXml) && isUtf8 ? new HtmlDecoder(core, isXml) : new MailDecoder(core, type, options, range, counts);
}
