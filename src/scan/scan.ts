// Options and results of a scan.
import * as layout from "#core/layout/memory.js";
import type { OmissionCounts } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { Schemeless } from "../core/names.ts";
import type { MatchBatch } from "../matches/batch.ts";
import type { FieldName } from "../options/fields.ts";
import type { Profile, Search, TextType } from "../options/options.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import type { Window } from "./window.ts";

const SCHEMELESS_OPTIONS: Record<Schemeless, number> = {
  www: layout.OPTION_WWW,
  email: layout.OPTION_EMAIL,
  domain: layout.OPTION_DOMAIN,
  ip: layout.OPTION_IP,
};

/** A field that a scan reads. Counts and Parquet read the date as a number, a summary the undecoded Message-ID. */
export type ReadField = FieldName | "time" | "message_id_field" | "signature" | "messages";

export interface ScanOptions extends Search {
  /** The fields that are read: the scan does no work for others. By default the usual ones, and the fields in `asked`. */
  readonly read?: ReadonlySet<ReadField>;
  readonly type: TextType;
  readonly profile: Profile;
  /** Lines as bytes, matches, or "rows": matches that are valid only until the sink has taken them, which saves a copy. */
  readonly output: "lines" | "matches" | "rows";
  /** Rows have neither raw forms nor flags, because nothing reads them. */
  readonly urlsOnly?: boolean;
  /** Byte after each URL of "lines". */
  readonly separator: number;
  /** Whether rejected candidates are listed; they are always counted. */
  readonly rejected: boolean;
  readonly encoded?: boolean;
  /** The table HOST_ENDS. Plain matches on its hosts are flagged as cut if `guess` would join them with the next line (C142). */
  readonly cutHosts?: Uint8Array | undefined;
  /** The text is the inside of matches (X11). */
  readonly isNested?: boolean;
  /**
   * Set for text that was percent-decoded, in which neither delimited URLs nor references are read (X11). Returns the first offset, from
   * `offset` on, of a colon that may end a scheme, or the length of the text.
   */
  readonly nextColon?: ((offset: number) => number) | undefined;
  /** Makes the decoder of a source; absent if the text needs none. */
  readonly decoder?: MakeDecoder | undefined;
  /** The steps between the core and the sink, in their order; none with output "lines". */
  readonly steps?: readonly MakeStep[];
  /** Steps change URLs and rows. So they begin after the core has written all URLs, and count the matches that they refuse. */
  readonly isRewritten?: boolean;
  /** Drops the messages that no match can be in, because of the filter. */
  readonly keepMessages?: MatchStep | undefined;
}

/** Makes the decoder of one source or range, which adds its counters to `counts`. */
export type MakeDecoder = (core: Core, options: ScanOptions, range: ScanRange, counts: ScanCounts) => SourceDecoder;

/** Returns whether the core scans a text as it is. A PDF is scanned like plain text. */
export function isPlainText({ type, charset }: Pick<ScanOptions, "type" | "charset">): boolean {
  return (type === "text" || type === "pdf") && charset === "utf-8";
}

export function readsElements({ links, asked }: Pick<ScanOptions, "links" | "asked">): boolean {
  return links || asked.some((name) => name === "text" || name === "tag" || name === "attribute");
}

export type MatchStep = (batch: MatchBatch) => MatchBatch;

export type MakeStep = (scan: SteppedScan) => MatchStep;

export interface SteppedScan {
  readonly core: Core;
  readonly window: Window;
  readonly decoder: SourceDecoder | undefined;
  readonly counts: ScanCounts;
  /** Takes the matches without a URL, if they are listed. Their offsets count from the base of their batch. */
  readonly refused: Refusal[] | undefined;
}

/** A rejected candidate, or a match without a URL. Its offsets count from the base of its batch. */
export interface Refusal {
  readonly start: number;
  readonly end: number;
  readonly reason: number;
  /** Its first bytes, ill-formed UTF-8 replaced. */
  readonly text: string;
}

/** Counts of a scan so far, in the range that it owns. */
export interface ScanCounts {
  bytes: number;
  /** Reported matches, including those without a URL. */
  matches: number;
  /** Matches that a filter dropped. */
  filtered: number;
  /** Matches among them that lacked a date that the filter tests. */
  undated: number;
  /** Reported matches by KIND_*. */
  kinds: number[];
  /** Rejected candidates and matches without a URL, by REASON_*. */
  rejected: number[];
  /** Counts of the reader of archives, by COUNT_* (A15). */
  archive: number[];
  omitted: OmissionCounts;
}

/** A part of an input: the scanner gets the bytes from `offset` on and reports the matches that start in [from, to) (X13). */
export interface ScanRange {
  readonly source?: string | undefined;
  readonly offset: number;
  readonly from: number;
  readonly to: number;
  /** Whether exactly the messages or records that start in the range are read, each to its end. */
  readonly byMessage?: boolean | undefined;
}

/** Prepares a core for a scan; `context`: CONTEXT_* in which a decoded text begins, or 0. */
export function configureCore(core: Core, options: ScanOptions, context: number): void {
  const { urlBytesMax, separator, profile, cutHosts } = options;
  const profileNumber = profile === "none" ? layout.PROFILE_NONE : profile === "rfc1738" ? layout.PROFILE_RFC1738 : layout.PROFILE_RFC3986;
  if (cutHosts !== undefined) core.bytes.set(cutHosts, layout.HOST_ENDS);
  core.configure(optionBits(options), urlBytesMax, profileNumber, separator, context);
}

function optionBits(options: ScanOptions): number {
  const { anyScheme, extraSchemes, bare, guess, links, encoded, cutHosts, isNested, nextColon, rejected, schemes, output, urlsOnly } =
    options;
  const everyColon = bare.length > 0 || extraSchemes.some(({ name, shape }) => shape === "opaque" && !/[a-z]$/.test(name));
  const bits =
    (nextColon === undefined ? 0 : layout.OPTION_DECODED) |
    (isNested ? layout.OPTION_NESTED : 0) |
    (encoded ? layout.OPTION_ENCODED : 0) |
    (cutHosts !== undefined ? layout.OPTION_FLAG_CUT : 0) |
    (rejected ? layout.OPTION_LIST_REJECTED : 0) |
    (schemes === undefined ? layout.OPTION_REPORT_UNKNOWN : 0) |
    (urlsOnly ? layout.OPTION_URLS : 0) |
    (output === "lines" ? layout.OPTION_LINES : 0) |
    (anyScheme ? layout.OPTION_ANY_SCHEME : 0) |
    (everyColon ? layout.OPTION_EVERY_COLON : 0) |
    (guess ? layout.OPTION_LINE_WRAPPED : 0) |
    (links ? layout.OPTION_LINKS : 0) |
    (readsElements(options) ? layout.OPTION_ELEMENTS : 0);
  return bare.reduce((all, kind) => all | SCHEMELESS_OPTIONS[kind], bits);
}
