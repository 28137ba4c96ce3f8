// Picks the decoder of a source.
import type { Core } from "../core/core.ts";
import type { SourceDecoder } from "./decoder.ts";
import { HtmlDecoder } from "./html-decoder.ts";
import { MailDecoder } from "./mail-decoder.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "./scan.ts";

/** Returns the decoder of a source, or undefined: it is scanned as it is. */
export function decoderOf(core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts): SourceDecoder | undefined {
  const { type, mbox, parts, fields, output, rejected } = options;
  if (type === "text") return undefined;
  if (type === "html") return new HtmlDecoder(core);
  const isWhole = range.byMessage === true || (range.from === 0 && range.to >= Number.MAX_SAFE_INTEGER);
  const settings = {
    format: type,
    mbox,
    allParts: parts === "all",
    fields: (["from", "subject", "newsgroups", "list_id"] as const).filter((field) => fields?.includes(field)),
    lists: rejected,
    collects: output === "matches" || rejected || !isWhole,
  };
  const messages = range.byMessage === true ? range : { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };
  return new MailDecoder(core, settings, messages, counts);
}
