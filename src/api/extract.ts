// Extracts the matches of an input that is completely in memory.

import { wrongInput } from "../base/errors.ts";
import { type CoreBuild, coresOf, SHARED_CORES } from "../core/core.ts";
import { memoryFormatOf, refuseContainer } from "../input/input-format.ts";
import { textTypeOf } from "../input/text-type.ts";
import {
  checkOptions,
  type ExtractOptions,
  type OwnedRange,
  type ScanSettings,
  settingsOfString,
  type TextType,
} from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { openScanner } from "../run/scan-source.ts";
import type { Match } from "../scanner/match.ts";
import { CodeUnits } from "./code-units.ts";
import { MatchList } from "./match-list.ts";

const encoder = new TextEncoder();
/** Bytes of the shared memory for encoded strings. A string needs up to three bytes for each code unit. */
const SCRATCH_BYTES = 1 << 18;
/** The shared memory, allocated by the first call with a short string. */
let scratch: Uint8Array<ArrayBuffer> | undefined;
/** Whether the shared memory is in use: a listener may call `extract` again. */
let isScratchTaken = false;

/** Calls `use` with the UTF-8 of a string. The bytes are valid until `use` returns. */
function withBytes<T>(text: string, use: (bytes: Uint8Array) => T): T {
  if (isScratchTaken || text.length * 3 > SCRATCH_BYTES) return use(encoder.encode(text));
  scratch ??= new Uint8Array(SCRATCH_BYTES);
  isScratchTaken = true;
  try {
    return use(scratch.subarray(0, encoder.encodeInto(text, scratch).written));
  } finally {
    isScratchTaken = false;
  }
}

/** A function that returns the matches in a text, as `extract` does. */
export type Extractor = (input: string | Uint8Array) => Match[];

/** Options of `createExtractor`. */
export interface ExtractorOptions extends ExtractOptions {
  /** The build of the core, for comparisons; by default the best one that runs here. Only clones have `scalar`, after a build. */
  core?: CoreBuild | undefined;
}

/** Checks the options once, and returns a function that extracts with them as `extract` does. Throws OptionError. */
export function createExtractor(options?: ExtractorOptions): Extractor {
  const { core: build, ...others } = { ...options };
  const checked = checkOptions("extract", Object.hasOwn(options ?? {}, "core") ? others : options);
  const cores = build === undefined ? SHARED_CORES : coresOf(build);
  const ofString = settingsOfString(checked.settings);
  const find = (bytes: Uint8Array, settings: ScanSettings, type: TextType, units?: CodeUnits): Match[] => {
    const matches = new MatchList(checked, units);
    const range = { offset: 0, ...rangeIn(checked.range, units) };
    const { scanner, core } = openScanner(settings, type, formatted(settings, matches), range, cores);
    try {
      scanner.end(bytes);
    } finally {
      cores.release(core);
    }
    return matches.take();
  };
  return (input) => {
    // A string is text, even if it begins like compressed data.
    if (typeof input === "string")
      return withBytes(input, (bytes) => find(bytes, ofString, textTypeOf(ofString.type, bytes), CodeUnits.of(input, bytes)));
    if (!(input instanceof Uint8Array)) throw wrongInput("input", "a string, Uint8Array or Buffer", input);
    return find(input, checked.settings, refuseContainer(memoryFormatOf(checked.settings.type, input)));
  };
}

/** Converts a range of a string, in code units, to a range of its UTF-8 bytes. */
export function rangeIn({ from, to }: OwnedRange, units: CodeUnits | undefined): OwnedRange {
  return units === undefined ? { from, to } : { from: units.byteOf(from), to: units.byteOf(to) };
}

let plainExtractor: Extractor | undefined;

/**
 * Returns the matches in a text in the order of their starts. Offsets count UTF-16 code units in a string, so that
 * `input.slice(match.start, match.end)` is the match, and bytes in a Uint8Array. (X1 to X16)
 * Throws OptionError, InputError, or SourceError (`ERR_URLMILL_COMPRESSED`) for compressed data and archives: `extractFrom` opens them.
 * For many texts with the same options use `createExtractor`.
 */
export function extract(input: string | Uint8Array, options?: ExtractOptions): Match[] {
  if (options !== undefined) return createExtractor(options)(input);
  plainExtractor ??= createExtractor();
  return plainExtractor(input);
}
