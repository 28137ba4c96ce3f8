// What a scan is asked for, and what it gives.
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import type { Schemeless } from "../core/names.ts";
import type { OmissionCounts } from "../omission.ts";
import type { Profile, Search, TextType } from "../options.ts";
import type { MatchBatch } from "./batch.ts";
import type { Refusal } from "./rows.ts";

const SCHEMELESS_OPTIONS: Record<Schemeless, number> = { www: layout.OPTION_WWW, email: layout.OPTION_EMAIL, domain: layout.OPTION_DOMAIN };

/** What a scan looks for and gives. */
export interface ScanOptions extends Search {
  readonly type: TextType;
  readonly profile: Profile;
  readonly output: "lines" | "matches";
  /** Byte behind each URL of "lines". */
  readonly separator: number;
  /** Whether rejected candidates are listed; they are always counted. */
  readonly rejected: boolean;
  /**
   * Set for text that was percent-decoded, in which neither delimited URLs nor references are read (X11): the first offset at or behind
   * `offset` of a colon that may end a scheme; the length of the text where there is none.
   */
  readonly nextColon?: ((offset: number) => number) | undefined;
  /** Makes what changes the matches before they leave; with output "matches". */
  readonly rewriter?: ((core: Core) => MatchRewriter) | undefined;
}

/** Changes the matches of a scan before they reach the sink: gives them other URLs, leaves some out, adds nested ones. */
export interface MatchRewriter {
  /** Returns what takes the place of `batch`. `window`: the bytes of the text from the batch's base on. */
  rewrite(batch: MatchBatch, window: Uint8Array): RewrittenMatches;
}

/** What a stage makes of a batch. */
export interface RewrittenMatches {
  readonly batch: MatchBatch;
  /** Those of its matches that have no URL; offsets count from the batch's base. */
  readonly refused: readonly Refusal[];
}

/** What a scan has seen so far, in the bytes it owns. */
export interface ScanCounts {
  bytes: number;
  /** Matches reported, also those that the profile refused. */
  matches: number;
  /** By KIND_*. */
  kinds: number[];
  /** Rejected candidates and refused matches by REASON_*. */
  rejected: number[];
  /** What the reader of archives counted, by COUNT_*. @see docs/rules.md A15 */
  archive: number[];
  /** What was left out of an archive. */
  omitted: OmissionCounts;
}

/** A part of an input: the scanner is given it from `offset` on and reports the matches that start in [from, to) (X13). */
export interface ScanRange {
  /** Name of the input, if it has one. */
  readonly source?: string | undefined;
  readonly offset: number;
  readonly from: number;
  readonly to: number;
  /** Of an mbox: messages that start there are read whole, and no others. */
  readonly byMessage?: boolean | undefined;
}

/** Tells a core what it is to look for, and what it is to write. */
export function writeOptions({ words }: Core, options: ScanOptions): void {
  const { urlBytesMax, rejected, separator, output, profile, schemes } = options;
  words[layout.STATE_URL_BYTES_MAX >> 2] = urlBytesMax;
  words[layout.STATE_LIST_REJECTED >> 2] = rejected ? 1 : 0;
  words[layout.STATE_SEPARATOR >> 2] = separator;
  words[layout.STATE_EMIT >> 2] = (output === "lines" ? layout.EMIT_LINES : 0) | (profile === "none" ? layout.EMIT_RAW_PROFILE : 0);
  words[layout.STATE_OPTIONS >> 2] = optionBits(options);
  words[layout.STATE_REPORT_UNKNOWN >> 2] = schemes === undefined ? 1 : 0;
}

/** OPTION_* bits of a scan. */
function optionBits({ anyScheme, addedSchemes, bare, guess, nextColon }: ScanOptions): number {
  const everyColon = bare.length > 0 || addedSchemes.some(({ name, shape }) => shape === "opaque" && !/[a-z]$/.test(name));
  const decoded = nextColon === undefined ? 0 : layout.OPTION_DECODED;
  const bits =
    decoded |
    (anyScheme ? layout.OPTION_ANY_SCHEME : 0) |
    (everyColon ? layout.OPTION_EVERY_COLON : 0) |
    (guess ? layout.OPTION_LINE_WRAPPED : 0);
  return bare.reduce((all, kind) => all | SCHEMELESS_OPTIONS[kind], bits);
}
