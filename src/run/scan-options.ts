// Makes the options of scanners from the settings of a run.

import { decoderFor } from "../decoders/decoder.ts";
import type { Bodies } from "../decoders/mail-decoder.ts";
import { decodeBody } from "../input/containers/content-coding.ts";
import { bodyUnpacker } from "../input/containers/packed-body.ts";
import type { KeyField } from "../options/fields.ts";
import { type ScanSettings, searchOf, type TextType } from "../options/options.ts";
import { fieldsRead, isCounted, leavesMatches } from "../output/formatted.ts";
import { addLinkTexts } from "../rewrite/link-text.ts";
import { coreProfile, needsRewriter, rewriterOptions, unwrapsAlone } from "../rewrite/rewriter.ts";
import type { ScanOptions } from "../scan/scan.ts";

/** Fields that need nothing of a match but its URL. */
const OF_URLS: readonly KeyField[] = ["url", "host", "domain"];

/** Options by settings and type of text. Each is made once, because files may be many and small. */
const made = new WeakMap<ScanSettings, Map<TextType, ScanOptions>>();

/** Returns the options of a scanner for these settings, over a text of `type`. */
export function scanOptionsOf(settings: ScanSettings, type: TextType): ScanOptions {
  const byType = made.get(settings);
  const known = byType?.get(type);
  if (known !== undefined) return known;
  const options = makeOptions(settings, type);
  if (byType === undefined) made.set(settings, new Map([[type, options]]));
  else byType.set(type, options);
  return options;
}

/** The command loads the bundle of these decoders for the first body. */
const BODIES: Bodies = {
  decode: (body, codings, most) => decodeBody(body, codings, most),
  unpackerFor: (bytes) => bodyUnpacker(bytes),
};

function makeOptions(settings: ScanSettings, type: TextType): ScanOptions {
  const { form, format, separator, rejected } = settings;
  const read = fieldsRead(settings);
  const decoder = decoderFor({ ...settings, type }, BODIES);
  const linkTexts = settings.asked.includes("text") ? { addLinkTexts } : {};
  if (needsRewriter(settings)) {
    const options = rewriterOptions(settings, type, separator, rejected);
    // A rewriter that only unwraps redirectors makes its own copies, of the few batches with redirectors.
    const isCopied = !isCounted(format) || settings.nested || settings.links || !unwrapsAlone(form);
    return { ...options, output: isCopied ? "matches" : "rows", decoder, read, ...linkTexts };
  }
  const isOfLines = format === "plain" && settings.filter === undefined && settings.context === 0;
  // Counted matches are counted at once, so they need no copy.
  const isKept = leavesMatches(format) && !isCounted(format) && settings.isReadAtOnce !== true;
  const output = isKept ? "matches" : isOfLines ? "lines" : "rows";
  const urlsOnly = format === "groups" && settings.filter === undefined && settings.by.every((name) => OF_URLS.includes(name));
  return {
    ...searchOf(settings),
    type,
    profile: coreProfile(form),
    output,
    urlsOnly,
    separator,
    rejected,
    decoder,
    read,
    ...linkTexts,
  };
}
