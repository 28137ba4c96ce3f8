// What a build of the core makes of some bytes, as plain rows that tests can compare. Nothing here knows the rules.
import { FLAG_LINE_CUT, RECORD_FLAGS, REJECTED_END, REJECTED_REASON, REJECTED_START, REJECTED_WORDS } from "#core/layout/codes.js";
import { type Core, loadCore } from "../../src/core/core.ts";
import { REASON_NAMES } from "../../src/core/names.ts";
import { setSchemes } from "../../src/core/tables.ts";
import { decoderFor } from "../../src/decoders/decoder.ts";
import { decodeBody } from "../../src/input/containers/content-coding.ts";
import { bodyUnpacker } from "../../src/input/containers/packed-body.ts";
import { textTypeOf } from "../../src/input/text-type.ts";
import { type MatchBatch, wordOf } from "../../src/matches/batch.ts";
import { Match } from "../../src/matches/match.ts";
import { checkNormalizeOptions, checkOptions, type ExtractOptions, type NormalizeOptions } from "../../src/options/options.ts";
import { withSteps } from "../../src/rewrite/steps.ts";
import { readingStart } from "../../src/scan/range.ts";
import type { ScanOptions } from "../../src/scan/scan.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { sinkOf } from "../output/sinks.ts";

/** The builds of the core that every test runs over. */
export const BUILDS = ["simd", "javascript"] as const;

/** One build's name. */
export type Build = (typeof BUILDS)[number];

/** A match as a test compares it: the fields of a record. */
export interface Row {
  url: string | null;
  raw: string;
  start: number;
  end: number;
  kind: string;
  flags: string[];
  reason: string | null;
  /** With `links`. */
  tag?: string | undefined;
  attribute?: string | undefined;
  /** With the field `text`. */
  text?: string | undefined;
}

/** A candidate that failed or a match that the profile refused: why, and the first byte of its scheme (X12). */
export interface Listed {
  reason: string;
  start: number;
  /** What is shown of it: up to the next delimiter byte, at most 256 bytes. The oracle does not tell these two. */
  end?: number;
  text?: string;
}

/** The matches in order, how many candidates and matches were refused, by reason (0 left out), and each of these in order. */
export interface Found {
  matches: Row[];
  rejected: Record<string, number>;
  listed: Listed[];
}

/** The options of a scan that tests set; the rest has the defaults. */
export type ScanSettings = Partial<Omit<ScanOptions, "output" | "separator" | "rejected">> & {
  /** With one of these two steps do what the core cannot; `form` has the profile then. */
  nested?: boolean;
  form?: NormalizeOptions;
};

const cores: Record<Build, Core> = {
  simd: await loadCore("simd"),
  javascript: await loadCore("javascript"),
};

/** The core of a build, one for all tests of a process. */
export function coreOf(build: Build): Core {
  return cores[build];
}

/** The settings of a scan for options as a user gives them. A case may also say how its text is cut: `chunks`. */
export function settingsOf(options: Omit<ExtractOptions, "from"> & { readonly chunks?: unknown }): ScanSettings {
  const { chunks: _chunks, ...given } = options;
  const { type, charset, schemes, extraSchemes, anyScheme, bare, guess, refang, nested, urlBytesMax, links, base, asked } = checkOptions(
    "extract",
    given,
  ).settings;
  return {
    type: textTypeOf(type, new Uint8Array(0)),
    charset,
    schemes,
    extraSchemes,
    anyScheme,
    bare,
    guess,
    refang,
    nested,
    urlBytesMax,
    links,
    base,
    asked,
    ...((given.unwrap ?? false) === false ? {} : { form: { unwrap: given.unwrap } }),
  };
}

const scanOptionsOf = new WeakMap<ScanSettings, Partial<Record<"lines" | "matches", ScanOptions>>>();

/** All options of a scan: defaults, then `settings`. A test scans many times with the same ones: they are made once. */
export function scanOptions(settings: ScanSettings, output: "lines" | "matches"): ScanOptions {
  const known = scanOptionsOf.get(settings) ?? {};
  scanOptionsOf.set(settings, known);
  known[output] ??= makeScanOptions(settings, output);
  return known[output];
}

function makeScanOptions(settings: ScanSettings, output: "lines" | "matches"): ScanOptions {
  const { nested = false, form, ...plain } = settings;
  const archive = { mbox: "auto", parts: "text", charset: "utf-8", asked: [], context: 0, filter: undefined } as const;
  const search = {
    ...archive,
    urlBytesMax: 16384,
    schemes: undefined,
    extraSchemes: [],
    anyScheme: false,
    bare: [],
    guess: false,
    refang: false,
    links: false,
    base: undefined,
  };
  const options = {
    ...search,
    type: "text",
    profile: "rfc3986",
    separator: 0x0a,
    rejected: false,
    ...plain,
  } as const;
  const isRewritten = nested || form !== undefined || options.refang || options.links;
  const scan: Omit<ScanOptions, "profile"> = {
    ...options,
    output: isRewritten ? "matches" : output,
    rejected: isRewritten || options.rejected,
    decoder: decoderFor(options, { decode: decodeBody, unpackerFor: bodyUnpacker }),
  };
  return withSteps(scan, checkNormalizeOptions(form ?? { profile: options.profile }), nested);
}

function rowsOf(batch: MatchBatch): Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < batch.count; index++) {
    const match = new Match(batch, index);
    const { url, raw, start, end, kind, tag, attribute, text } = match;
    const reason = url === null ? (match.code ?? null) : null;
    const element = { ...(tag === undefined ? {} : { tag, attribute }), ...(text === undefined ? {} : { text }) };
    const isLineCut = (wordOf(batch, index, RECORD_FLAGS) & FLAG_LINE_CUT) !== 0;
    const flags = [...match.flags, ...(isLineCut ? ["line-cut"] : [])].sort();
    rows.push({ url, raw, start, end, kind, flags, reason, ...element });
  }
  return rows;
}

/** Counts by reason as a record without zeros, in the order of the names. */
export function countsByReason(counts: readonly number[]): Record<string, number> {
  const named: Record<string, number> = {};
  counts.forEach((count, reason) => {
    if (count > 0) named[REASON_NAMES[reason] ?? `reason ${reason}`] = count;
  });
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Offsets that cut `length` bytes into chunks of `size`. */
export function cutsEvery(size: number, length: number): number[] {
  const cuts: number[] = [];
  for (let at = size; at < length; at += size) cuts.push(at);
  return cuts;
}

/** Gives a scanner the bytes from `start` on, in chunks that end at `cuts`, and ends it. */
export function feed(scanner: Scanner, bytes: Uint8Array, cuts: readonly number[], start: number): void {
  let at = start;
  for (const cut of [...cuts, bytes.length]) {
    if (scanner.done) break;
    if (cut <= at) continue;
    scanner.write(bytes.subarray(at, cut));
    at = cut;
  }
  scanner.end();
}

/** What normalizes with the same core next knows no added schemes. */
function forgetSchemes(build: Build, { extraSchemes }: ScanOptions): void {
  if (extraSchemes.length > 0) setSchemes(coreOf(build), undefined, []);
}

/** Scans `bytes`, given in chunks that end at `cuts`; with `range` only the matches that start in [from, to) are reported. */
export function scan(
  build: Build,
  bytes: Uint8Array,
  settings: ScanSettings = {},
  cuts: readonly number[] = [],
  range?: readonly [number, number],
): Found {
  const matches: Row[] = [];
  const listed: Listed[] = [];
  const options = { ...scanOptions(settings, "matches"), rejected: true };
  const sink = sinkOf({
    bytes: () => {
      throw new Error("lines in a scan for matches");
    },
    matches: (batch) => void matches.push(...rowsOf(batch)),
    rejected: (batch) => {
      for (let index = 0; index < batch.count; index++) {
        const row = index * REJECTED_WORDS;
        const reason = REASON_NAMES[batch.rows[row + REJECTED_REASON] ?? 0] ?? "none";
        const [start = 0, end = 0] = [batch.rows[row + REJECTED_START], batch.rows[row + REJECTED_END]];
        listed.push({ reason, start: batch.base + start, end: batch.base + end, text: batch.texts?.[index] ?? "" });
      }
    },
  });
  const from = range === undefined ? 0 : readingStart(options.type, { from: range[0] }, options);
  const owned = range === undefined ? undefined : { offset: from, from: range[0], to: range[1] };
  const scanner = new Scanner(coreOf(build), options, sink, owned);
  feed(scanner, bytes, cuts, from);
  forgetSchemes(build, options);
  if (scanner.counts.matches !== matches.length) throw new Error(`${scanner.counts.matches} matches counted, ${matches.length} reported`);
  return { matches, rejected: countsByReason(scanner.counts.rejected), listed };
}

/** `found` without what the oracle does not tell. */
export function reportedByOracle(found: Found): Found {
  return { ...found, listed: found.listed.map(({ reason, start }) => ({ reason, start })) };
}

/** The "lines" output of a scan as one text, with the number of lines that was told. */
export function scanLines(build: Build, bytes: Uint8Array, settings: ScanSettings = {}, cuts: readonly number[] = []): [string, number] {
  const parts: Buffer[] = [];
  let lines = 0;
  const sink = sinkOf({
    bytes: ({ bytes: view, count }) => {
      parts.push(Buffer.from(view));
      lines += count;
    },
    matches: () => {
      throw new Error("matches in a scan for lines");
    },
  });
  const options = scanOptions(settings, "lines");
  const scanner = new Scanner(coreOf(build), options, sink);
  feed(scanner, bytes, cuts, 0);
  forgetSchemes(build, options);
  return [Buffer.concat(parts).toString(), lines];
}

/** What several byte ranges own together (X13). */
export function sumOf(parts: readonly Found[]): Found {
  const rejected: Record<string, number> = {};
  for (const part of parts) {
    for (const [reason, count] of Object.entries(part.rejected)) rejected[reason] = (rejected[reason] ?? 0) + count;
  }
  const sorted = Object.fromEntries(Object.entries(rejected).sort());
  return { matches: parts.flatMap((part) => part.matches), rejected: sorted, listed: parts.flatMap((part) => part.listed) };
}
