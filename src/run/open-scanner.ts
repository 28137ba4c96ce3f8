// Opens scanners, with the options that the settings of a run give.
import { type Core, SHARED_CORES } from "../core/core.ts";
import { decoderFor } from "../decoders/decoder.ts";
import type { Bodies } from "../decoders/mail-decoder.ts";
import { decodeBody } from "../input/containers/content-coding.ts";
import { bodyUnpacker } from "../input/containers/packed-body.ts";
import type { KeyField } from "../options/fields.ts";
import { type ScanSettings, searchOf, type TextType } from "../options/options.ts";
import { fieldsRead, isCounted, leavesMatches } from "../output/format-fields.ts";
import type { Sink } from "../output/sink.ts";
import { isRewritten, unwrapsAlone, withSteps } from "../rewrite/steps.ts";
import { isPlainText, type ScanOptions, type ScanRange } from "../scan/scan.ts";
import { Scanner } from "../scan/scanner.ts";

const OF_URLS: readonly KeyField[] = ["url", "host", "domain"]; // Fields that need nothing of a match but its URL

export interface OpenScanner {
  readonly scanner: Scanner;
  readonly core: Core;
}

/** Opens a scanner for a text or a range; the results go to `sink`. A PDF is scanned as it is; its first range reports an omission. */
export function openScanner(settings: ScanSettings, type: TextType, sink: Sink, range: ScanRange, cores = SHARED_CORES): OpenScanner {
  if (type === "pdf" && range.from === 0)
    sink.write({ kind: "omitted", omission: { reason: "pdf", ...(range.source === undefined ? {} : { source: range.source }) } });
  const core = cores.take();
  try {
    return { core, scanner: new Scanner(core, scanOptionsOf(settings, type), sink, range) };
  } catch (error) {
    cores.release(core);
    throw error;
  }
}

/** Options by settings and type of text. Each is made once, because files may be many and small. */
const made = new WeakMap<ScanSettings, Map<TextType, ScanOptions>>();

export function scanOptionsOf(settings: ScanSettings, type: TextType): ScanOptions {
  const byType = made.get(settings) ?? new Map<TextType, ScanOptions>();
  const options = byType.get(type) ?? makeOptions(settings, type);
  made.set(settings, byType.set(type, options));
  return options;
}

/** The command loads the bundle of these decoders for the first body. */
const BODIES: Bodies = {
  decode: (body, codings, most) => decodeBody(body, codings, most),
  unpackerFor: (bytes) => bodyUnpacker(bytes),
};

function makeOptions(settings: ScanSettings, type: TextType): ScanOptions {
  const { form, format, nested, separator, rejected } = settings;
  const isPlain = !isRewritten(form, nested, settings) && settings.filter === undefined;
  const urlsOnly = isPlain && format === "groups" && settings.by.every((name) => OF_URLS.includes(name));
  const made = { type, separator, rejected, output: outputOf(settings), urlsOnly, read: fieldsRead(settings) };
  const options = { ...searchOf(settings), ...made };
  // Plain text must not load the bundle of decoders.
  const decoder = isPlainText(options) && !settings.refang ? undefined : decoderFor(options, BODIES);
  return withSteps(Object.assign(options, { decoder }), form, nested);
}

function outputOf(settings: ScanSettings): ScanOptions["output"] {
  const { form, format, filter, nested, links, context, isReadAtOnce } = settings;
  // The step that unwraps redirectors makes its own copies, of the few batches with redirectors. Other steps change every batch.
  if (isRewritten(form, nested, settings)) return isCounted(format) && !nested && !links && unwrapsAlone(form) ? "rows" : "matches";
  // Counted matches are counted at once, so they need no copy.
  if (leavesMatches(format) && !isCounted(format) && isReadAtOnce !== true) return "matches";
  return format === "plain" && filter === undefined && context === 0 ? "lines" : "rows";
}
