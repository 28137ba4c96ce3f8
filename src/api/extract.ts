// Matches of an input that is in memory as a whole.
import { releaseCore } from "../core/core.ts";
import { wrongInput } from "../errors.ts";
import { inputFormatOf, refuseContainer } from "../input/input-format.ts";
import { checkOptions, type ExtractOptions, type ScanSettings, settingsOfString } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import { openScanner } from "../run/open-scanner.ts";
import type { Match } from "../scanner/batch.ts";
import { MatchList } from "./match-list.ts";

const encoder = new TextEncoder();
/** Where short strings are encoded; undefined while a call uses it, which a listener of that call may interrupt by another. */
let scratch: Uint8Array<ArrayBuffer> | undefined = new Uint8Array(1 << 18);

/** Calls `use` with a string in UTF-8, which is valid until it returns. */
function withBytes<T>(text: string, use: (bytes: Uint8Array) => T): T {
  const room = scratch;
  if (room === undefined || text.length * 3 > room.length) return use(encoder.encode(text));
  scratch = undefined;
  try {
    return use(room.subarray(0, encoder.encodeInto(text, room).written));
  } finally {
    scratch = room;
  }
}

/** Returns the matches in a text, as `extract` does. */
export type Extractor = (input: string | Uint8Array) => Match[];

/** Returns a function that does what `extract` does with these options, which are checked once. Throws OptionError. */
export function createExtractor(options?: ExtractOptions): Extractor {
  const checked = checkOptions("extract", options);
  const ofString = settingsOfString(checked.settings);
  const range = { offset: 0, ...checked.range };
  const find = (bytes: Uint8Array, settings: ScanSettings): Match[] => {
    const type = refuseContainer(inputFormatOf(settings.type, bytes), undefined);
    const matches = new MatchList(checked);
    const { scanner, core } = openScanner(settings, type, formatted(settings, matches), range);
    try {
      scanner.end(bytes);
    } finally {
      releaseCore(core);
    }
    return matches.take();
  };
  return (input) => {
    if (typeof input === "string") return withBytes(input, (bytes) => find(bytes, ofString));
    if (!(input instanceof Uint8Array)) throw wrongInput("input", "a string, Uint8Array or Buffer", input);
    return find(input, checked.settings);
  };
}

let plainExtractor: Extractor | undefined;

/**
 * Returns the matches in `input` in the order of their starts (X1 to X14). Offsets count bytes of UTF-8, also in a string.
 * Throws OptionError, InputError, or SourceError (`ERR_COMPRESSED`) for compressed data and archives, which the other ways in open.
 * Who has many texts and options of their own makes one extractor for all (`createExtractor`).
 */
export function extract(input: string | Uint8Array, options?: ExtractOptions): Match[] {
  if (options !== undefined) return createExtractor(options)(input);
  plainExtractor ??= createExtractor();
  return plainExtractor(input);
}
