// Extracts the matches of an input that is completely in memory.
import { isBytes } from "../base/arrays.ts";
import { wrongInput } from "../base/errors.ts";
import { classOf } from "../base/shown.ts";
import { type CoreBuild, coresOf, SHARED_CORES } from "../core/core.ts";
import { memoryFormatOf, refuseContainer } from "../input/input-format.ts";
import { textTypeOf } from "../input/text-type.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { derivedReaderOf, Match } from "../matches/match.ts";
import {
  checkOptions,
  type ExtractOptions,
  type OwnedRange,
  type ScanSettings,
  settingsOfString,
  type TextType,
} from "../options/options.ts";
import { redacted } from "../output/redacted.ts";
import { type RejectedListener, reportRejected } from "../output/rejected.ts";
import type { Sink } from "../output/sink.ts";
import { openScanner } from "../run/open-scanner.ts";
import { CodeUnits } from "./code-units.ts";

const encoder = new TextEncoder();
/** Bytes of the shared memory for encoded strings. A string needs up to three bytes for each code unit. Unwritten pages cost nothing. */
const SCRATCH_BYTES = 1 << 22;
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

export interface ExtractorOptions extends ExtractOptions {
  /** The build of the core, for comparisons; by default the best one that runs here. Only clones have `scalar`, after a build. */
  core?: CoreBuild | undefined;
}

/** Checks the options once, and returns a function that extracts with them as `extract` does. Throws OptionError. */
export function createExtractor(options?: ExtractorOptions): Extractor {
  const find = finderOf(options);
  const listener = { onRejected: options?.onRejected };
  return (input) => find(input, listener);
}

type Finder = (input: string | Uint8Array, listener: RejectedListener) => Match[];

/** Returns the finder of options, whose listener may be replaced at each call. Throws OptionError. */
function finderOf(options: ExtractorOptions | undefined): Finder {
  const { core: build, ...others } = { ...options };
  const { settings, range } = checkOptions("extract", Object.hasOwn(options ?? {}, "core") ? others : options);
  settings.isReadAtOnce = true;
  const cores = build === undefined ? SHARED_CORES : coresOf(build);
  const ofString = settingsOfString(settings);
  const readDerived = derivedReaderOf(settings.fields);
  const find = (bytes: Uint8Array, scan: ScanSettings, type: TextType, listener: RejectedListener, units?: CodeUnits): Match[] => {
    const found: Match[] = [];
    const sink = batchSink(listener, units, (batch) => {
      for (let index = 0; index < batch.count; index++) found.push(new Match(batch, index, units, readDerived));
    });
    const { scanner, core } = openScanner(scan, type, redacted(scan, sink), { offset: 0, ...rangeIn(range, units) }, cores);
    try {
      scanner.end(bytes);
    } finally {
      cores.release(core);
    }
    return found;
  };
  return (input, listener) => {
    // A string is text, even if it begins like compressed data.
    if (typeof input === "string")
      return withBytes(input, (bytes) => find(bytes, ofString, textTypeOf(ofString.type, bytes), listener, CodeUnits.of(input, bytes)));
    if (!isBytes(input)) throw wrongInput("input", "a string, Uint8Array or Buffer", input);
    return find(input, settings, refuseContainer(memoryFormatOf(settings.type, input)), listener);
  };
}

/** Returns a sink that passes batches of matches to `take`, and rejected candidates to the listener. It throws failures. */
export function batchSink(listener: RejectedListener, units: CodeUnits | undefined, take: (batch: MatchBatch) => void): Sink {
  return {
    write(result) {
      if (result.kind === "failed") throw result.error;
      if (result.kind === "rejected") reportRejected(result, listener, units);
      if (result.kind === "matches") take(result);
    },
    wait: () => undefined,
    end: () => undefined,
  };
}

/** Converts a range of a string, in code units, to a range of its UTF-8 bytes. */
export function rangeIn({ from, to }: OwnedRange, units: CodeUnits | undefined): OwnedRange {
  return units === undefined ? { from, to } : { from: units.byteOf(from), to: units.byteOf(to) };
}

/** The finders of the last options. */
const kept: { readonly values: readonly unknown[]; readonly find: Finder }[] = [];
const KEPT_MOST = 8;
/** Marks in the values of options: a list of `length` items, a RegExp, and a function, which is passed anew at each call and not kept. */
const [LIST, PATTERN, LISTENER] = [Symbol(), Symbol(), Symbol()];

/** Returns the names and values of options, to compare them, or undefined if a value is an object other than a list or a RegExp. */
function valuesOf(options: object): unknown[] | undefined {
  const values: unknown[] = [];
  for (const name in options) {
    const value: unknown = options[name as keyof typeof options];
    values.push(name);
    if (Array.isArray(value)) values.push(LIST, value.length);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== "object") values.push(typeof item === "function" ? LISTENER : item);
      else if (classOf(item) === "RegExp") values.push(PATTERN, String(item));
      else return undefined;
    }
  }
  return values;
}

/** Returns the finder of options. Options with equal values share it: callers write them anew for each call, or change an object. */
function finderFor(options: ExtractOptions | undefined): Finder {
  const given = options ?? {};
  const values = typeof given === "object" ? valuesOf(given) : undefined;
  const known = values && kept.find((one) => one.values.length === values.length && one.values.every((value, at) => value === values[at]));
  if (known !== undefined) return known.find;
  const find = finderOf(options);
  if (values !== undefined) kept.unshift({ values, find });
  if (kept.length > KEPT_MOST) kept.pop();
  return find;
}

/**
 * Returns the matches in a text in the order of their starts. Offsets count UTF-16 code units in a string, so that
 * `input.slice(match.start, match.end)` is the match, and bytes in a Uint8Array. (X1 to X16)
 * Throws OptionError, InputError, or SourceError (`ERR_URLMILL_COMPRESSED`) for compressed data and archives: `extractFrom` opens them.
 * For many texts with the same options `createExtractor` is a little faster.
 */
export function extract(input: string | Uint8Array, options?: ExtractOptions): Match[] {
  return finderFor(options)(input, { onRejected: options?.onRejected });
}
