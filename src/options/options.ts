// The options of the library as types, and the settings of a scan made from them. The table of options says which values are right.
import { shownValue } from "../base/shown.ts";
import type { Flag, Kind, Reason, Schemeless, SchemeName } from "../core/names.ts";
import type { AddedScheme } from "../core/tables.ts";
import { type Contradiction, fieldContradiction, formatContradiction, searchContradiction, unknownSchemes } from "./contradictions.ts";
import { type FieldName, isHeaderField, type KeyField } from "./fields.ts";
import { askedOf, type Filter, filterOf } from "./filter.ts";
import { KNOWN_SCHEMES, type Pattern } from "./filter-values.ts";
import { type JsonMapping, jsonMappingOf } from "./json-fields.ts";
import { hint } from "./nearest.ts";
import { checkValues, type OptionValues, type Taker } from "./table.ts";
import { badOption } from "./values.ts";

declare global {
  // Merges with the type of the DOM library or of @types/node, if the program has one of them.
  interface AbortSignal {}
}

/** Normalization profile of `normalize` (N). `surt` and `cdx` write `rfc3986` as SURT or as a CDX key; `none` leaves URLs as written. */
export type NormalizeProfile = OptionValues["profile"];
/** Normalization profile that the core knows (N). */
export type Profile = Exclude<NormalizeProfile, "whatwg" | "surt" | "cdx">;
/** How the userinfo of an authority is written (N10). */
export type UserinfoForm = OptionValues["userinfo"];
/** Format of an input as a user names it. */
export type SourceType = OptionValues["type"];
/** Detected format of an input. */
export type TextType = Exclude<SourceType, "auto" | "maildir"> | "rnews" | "emlx" | "mmdf" | "arc" | Utf16Type | "pdf" | "folded" | "ldif";

/** Types of text in UTF-16 with a byte order mark (C326). `utf16` is plain text. */
type Utf16Type = "utf16" | `utf16-${"html" | "xml" | "json"}`;
/** How an mbox quotes and separates its messages (A2). */
export type MboxDialect = OptionValues["mbox"];
/** Which body parts of messages are read (A4). */
export type BodyParts = OptionValues["parts"];
/** Name of a field of records. */
export type RecordField = FieldName;
/** Name of a format that an `ExtractStream` writes. */
export type FormatName = OptionValues["format"];

/** A candidate that was not reported, or a match whose URL the profile refused (X12). */
export interface Rejected {
  code: Reason;
  /** Name of the input, if it has one. */
  source?: string;
  /** Offsets in the source, half-open: in bytes; of a string in UTF-16 code units. */
  start: number;
  end: number;
  /** The text, cut after 256 bytes, with U+FFFD for ill-formed UTF-8. Absent with `userinfo: "redact"`. */
  text?: string;
}

/** Options of `normalize` (N10). */
export interface NormalizeOptions {
  /** How URLs are normalized; `rfc3986` by default. */
  profile?: NormalizeProfile | undefined;
  /** Removes the fragment. */
  stripFragment?: boolean | undefined;
  /** Sorts the parameters of the query by name. */
  sortQuery?: boolean | undefined;
  /** Removes query parameters that serve only tracking. */
  stripTracking?: boolean | undefined;
  /** Removes every leading `www.` from the host. */
  stripWww?: boolean | undefined;
  /** `redact` writes `***` for the userinfo, also of URLs inside the URL (C46); `strip` removes it. `keep` by default. */
  userinfo?: UserinfoForm | undefined;
  /**
   * Replaces the URL of a redirector by the URL inside it, up to 5 times. In text, one that a line break seems to cut has the flag `cut`
   * (C142). `any` also replaces URLs with an absolute URL in query or path; they have the flag `open-redirect` (C209).
   */
  unwrap?: boolean | "any" | undefined;
  /** Reads defanged text as URLs: `hxxp://evil[.]example` as `http://evil.example` (X15). */
  refang?: boolean | undefined;
  /** Writes URLs in a form that programs do not turn into links: `hxxp://evil[.]example`. */
  defang?: boolean | undefined;
}

/** Options of `extract`; those of `normalize` apply to the URL of each match. */
export interface ExtractOptions extends NormalizeOptions {
  /** Format of the input; `auto` by default: detected from the first bytes (A1). */
  type?: SourceType | undefined;
  /** How an mbox quotes and separates its messages; `auto` by default (A2). */
  mbox?: MboxDialect | undefined;
  /** Body parts of messages to read: `text` by default. `all` adds attachments, and opens zip, gzip, zstd and PDF (A4, C178). */
  parts?: BodyParts | undefined;
  /** Charset of text, HTML and body parts that name none, as in the Encoding Standard; `utf-8` by default. Not for a string. (A18) */
  charset?: string | undefined;
  /** Reads JSON objects as messages. An item maps a field to a member, as in `date=created_utc`, or is a preset, as `reddit` (A19). */
  jsonFields?: readonly string[] | undefined;
  /** Fields of records, in this order. A match has the usual fields, and those named here: `subject`, `domain`, `header:NAME` (A10). */
  fields?: readonly RecordField[] | undefined;
  /** Reports URLs inside other URLs too (X11), and percent-encoded ones in text (C146). */
  nested?: boolean | undefined;
  /** Reports only URLs of these schemes. Applies after matching (X11). */
  schemes?: readonly SchemeName[] | undefined;
  /** Most characters of context on either side of a match: decoded text without markup, with white space folded. */
  context?: number | undefined;
  /** Finds URLs of these schemes too. A name alone adds a scheme that needs `//` after its colon (X1). */
  extraSchemes?: readonly (string | AddedScheme)[] | undefined;
  /** Finds URLs of any scheme if `//` and a host follow its colon (X1 c). */
  anyScheme?: boolean | undefined;
  /** Finds schemeless text too (X10). */
  bare?: Schemeless | readonly Schemeless[] | undefined;
  /** Joins line-wrapped URLs of plain text: a heuristic, kind `guessed` (X8). */
  guess?: boolean | undefined;
  /** Reports relative links of HTML too, resolved against the URL of their page: kind `link`. Adds `tag` and `attribute` (C106). */
  links?: boolean | undefined;
  /** With `links`: base URL for links whose page and source give none (C107). */
  base?: string | undefined;
  /** Reports only URLs with these hosts; `*.a.example` stands for all subdomains of a.example. Filters apply after matching. */
  hosts?: readonly string[] | undefined;
  /** Leaves out URLs with these hosts. */
  notHosts?: readonly string[] | undefined;
  /** Reports only URLs whose host is one of these domains, or below one. */
  domains?: readonly string[] | undefined;
  /** Leaves out URLs whose host is one of these domains, or below one. */
  notDomains?: readonly string[] | undefined;
  /**
   * Reports only URLs whose normalized form matches this regular expression, or one of a list. A text is for `new RegExp(text)`. An
   * expression that backtracks, such as `(a+)+$`, may take exponential time: do not accept expressions from strangers.
   */
  match?: Pattern | readonly Pattern[] | undefined;
  /** With `match`, `has` and `subject`: letters match in upper and lower case, as with the flag `i`. */
  ignoreCase?: boolean | undefined;
  /** Reports only matches of these kinds. */
  kinds?: readonly Kind[] | undefined;
  /** Reports only matches with one of these flags. */
  flags?: readonly Flag[] | undefined;
  /** Leaves out URLs that name vocabularies, such as `http://www.w3.org/1999/xhtml` (C215). */
  noNamespaces?: boolean | undefined;
  /** With `unwrap`: reports only URLs that were inside the URL of a redirector. */
  unwrapped?: boolean | undefined;
  /** Reports only matches at these locations in a message: `body`, `html`, `header:Subject`, `header:*`. */
  where?: readonly string[] | undefined;
  /**
   * Reports only matches whose fields match all these regular expressions: `thread=^1@a`. The items of a list are joined with spaces; a
   * field without a value is an empty text.
   */
  has?: string | readonly string[] | undefined;
  /** Reports only matches in messages whose decoded subject matches this regular expression, or one of a list, as with `match`. */
  subject?: Pattern | readonly Pattern[] | undefined;
  /** Reports only matches in quoted lines, and in quotes of HTML. (A10) */
  quoted?: boolean | undefined;
  /** Leaves out matches in quoted lines, and in quotes of HTML. (A10) */
  noQuoted?: boolean | undefined;
  /** Reports only matches in messages sent at this time or later: an RFC 3339 date or the beginning of one, such as `1998-05`, in UTC. */
  since?: string | Date | undefined;
  /** Reports only matches in messages sent at this time or earlier; `1998` includes all of 1998. A Date is a time, to the second. */
  until?: string | Date | undefined;
  /** Reports only matches in messages from these addresses; `@a.example` stands for all addresses in that domain. */
  from?: readonly string[] | undefined;
  /** Maximum length of a URL in bytes, from 256 to 1048576; 16384 by default (X12). */
  urlBytesMax?: number | undefined;
  /** Byte offsets `[from, to)`: reports only matches that start in this range (X13). */
  range?: readonly [from: number, to: number] | undefined;
  /** Called for each candidate that is not reported, and for each match whose URL the profile refuses (X12). */
  onRejected?: ((rejected: Rejected) => void) | undefined;
}

/** Limits of compressed data and archives. Reading a source ends with `ERR_URLMILL_LIMIT` when it exceeds one. (A11) */
export interface ContainerOptions {
  /** Most decoded bytes of one source, over all its members, as a number or as in the command: "10M"; no limit by default. */
  expandMax?: number | string | undefined;
  /** Most decoded bytes for each byte of the source, after the first 100 MiB; 1000 by default. */
  ratioMax?: number | undefined;
  /** Most containers inside each other; 8 by default. A compressed tar counts as two. */
  depthMax?: number | undefined;
  /** Most members of one source, including members of containers in it; 1,000,000 by default. */
  membersMax?: number | undefined;
  /** Most bytes of the window of zstd and xz data, from 1 MiB to 2 GiB; 128 MiB by default. A decoder takes up to 9/8 of it. */
  windowMax?: number | string | undefined;
}

/** Options of `extractFrom`. */
export interface ExtractFromOptions extends ExtractOptions, ContainerOptions {
  /** Stops the extraction: after it aborts, no match is delivered. */
  signal?: AbortSignal | undefined;
  /** Name of the input in matches and errors. */
  source?: string | undefined;
}

/** Options of `extractWebStream`. */
export type ExtractWebStreamOptions = ExtractFromOptions;

/** Options for threads. */
export interface ThreadOptions {
  /** Number of threads, from 1 to 1024; 1 by default. */
  threads?: number | undefined;
}

/** Options of `extractFiles`. */
export interface ExtractFilesOptions extends Omit<ExtractFromOptions, "source">, ThreadOptions {
  /**
   * In folders, reads only files that match one of these globs, and everything in folders that match. A glob matches names at any depth. If
   * it has a slash before its end, it matches the path relative to the given folder.
   */
  include?: readonly string[] | undefined;
  /** In folders, leaves out files and folders that match one of these globs. */
  exclude?: readonly string[] | undefined;
  /** Follows symbolic links in folders. */
  follow?: boolean | undefined;
}

/** Options of `ExtractStream`. */
export interface ExtractStreamOptions extends ExtractFromOptions, ThreadOptions {
  /** Format of the bytes that are written; `plain` by default. */
  format?: FormatName | undefined;
  /** Template of a line for each URL, with fields in braces: `"{date}\\t{url}"`. */
  print?: string | undefined;
  /** Whether csv and tsv begin with a line of field names; true by default. */
  header?: boolean | undefined;
  /** Begins csv with a byte order mark, and writes an apostrophe before cells that a spreadsheet would take for formulas. */
  csvSafe?: boolean | undefined;
  /** Delivers `Match` objects instead of bytes. */
  objectMode?: boolean | undefined;
  /** Bytes to buffer for input and for output, 1 MiB each by default. With `objectMode` only for input. */
  highWaterMark?: number | undefined;
}

/** The options of `normalize`, with their defaults filled in. */
export type UrlForm = Pick<OptionValues, keyof NormalizeOptions>;

/** What a scan looks for: options of `extract`, with their defaults filled in. */
export type Search = Pick<
  OptionValues,
  "mbox" | "parts" | "charset" | "urlBytesMax" | "schemes" | "extraSchemes" | "anyScheme" | "bare" | "guess" | "refang" | "links" | "base"
> & {
  /** Most characters of context on either side of a match in its record; 0: none. */
  readonly context: number;
  /** Fields that an option names or needs. Header fields of messages are read only if one of these fields uses them (A10). */
  readonly asked: readonly FieldName[];
  /** Condition for matches to be reported; undefined: all are reported. */
  readonly filter: Filter | undefined;
  /** JSON members that give the fields of messages; undefined: JSON is not read as messages (A19). */
  readonly jsonMapping?: JsonMapping | undefined;
};

/** Options that are not settings, or whose settings have another type. */
type Replaced = "signal" | "onRejected" | "context" | "format" | "by" | "fields" | "header" | "rejected";

/** The settings of a scan: the options, and values made from them. They can be sent to a worker. */
export interface ScanSettings extends Omit<OptionValues, Replaced>, Search {
  form: UrlForm;
  /** `matches`: batches of matches instead of bytes; `print`: lines by the template; `groups`, `summary`: counts. */
  format: FormatName | "matches" | "print" | "groups" | "summary";
  /** With the format `matches`: the sink reads each batch before it returns, so batches need no copy. */
  isReadAtOnce?: boolean;
  /** With the formats `groups` and `summary`: fields that matches are counted by. The counts may come in any order. */
  by: readonly KeyField[];
  /** With the format `groups`: fields that all messages are counted by, also those without a match. */
  messagesBy: readonly KeyField[] | undefined;
  /** Fields of records, in order; undefined: the default fields. */
  fields: readonly FieldName[] | undefined;
  header: boolean;
  /** Byte after each URL of `plain`, and after each line of a template: LF or NUL. */
  separator: number;
  /** Whether the match in a context is marked with colors: the output is a terminal that shows them. */
  inColor: boolean;
  rejected: boolean;
  /** Whether rejected candidates are also written to the output when a summary takes some of them as examples. */
  listsRejected: boolean;
  /** Whether errors name options as in the library, without dashes. */
  inLibrary?: boolean;
}

/** A byte range [from, to). It owns the matches that start in the range. */
export interface OwnedRange {
  from: number;
  to: number;
}

/** Every byte of a source. */
export const EVERYTHING: OwnedRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Returns only the members of `Search`: an object with all settings would take more memory than the rest of a short scan. */
export function searchOf(settings: ScanSettings): Search {
  const { mbox, parts, charset, jsonMapping, asked, context, filter } = settings;
  const { urlBytesMax, schemes, extraSchemes, anyScheme, bare, guess, refang, links, base } = settings;
  const found = { urlBytesMax, schemes, extraSchemes, anyScheme, bare, guess, refang, links, base };
  return { mbox, parts, charset, jsonMapping, asked, context, filter, ...found };
}

/** Returns the settings for a string: its bytes are UTF-8, so `charset` is ignored (A18). */
export function settingsOfString(settings: ScanSettings): ScanSettings {
  return { ...settings, charset: "utf-8" };
}

/** Most schemes that options can name. The core's table has room for these and the built-in ones (X1). */
const SCHEMES_MOST = 128;
/** Most header fields that options can name. The core has room for these, and for the ones of `to`, `references` and `in_reply_to`. */
const HEADER_FIELDS_MOST = 9;
/** A URL with a hierarchy (RFC 3986): its path begins with a slash, or it has an authority. */
const HIERARCHICAL = /^[A-Za-z][A-Za-z0-9+.-]*:\//;

/** Returns the settings of a scan. Throws OptionError for values that do not go together, and for a `base` that is no base. */
export function settingsOf(values: OptionValues): ScanSettings {
  if ((values.schemes?.length ?? 0) + values.extraSchemes.length > SCHEMES_MOST) {
    throw badOption("schemes", `must have at most ${SCHEMES_MOST} names, extra schemes included`);
  }
  refuse(searchContradiction(values) ?? formatContradiction(values));
  if (values.base !== undefined && !HIERARCHICAL.test(values.base))
    throw badOption("base", `must be a URL such as http://a.example/, not ${shownValue(values.base)}`);
  const asked = askedOf(values);
  if (new Set(asked.filter(isHeaderField)).size > HEADER_FIELDS_MOST)
    throw badOption("fields", `and other options may name at most ${HEADER_FIELDS_MOST} fields of headers together`);
  const { signal: _, onRejected, rejected, ...others } = values;
  return {
    ...others,
    asked,
    context: asked.includes("context") ? (values.context ?? 60) : 0,
    filter: filterOf(values),
    jsonMapping: jsonMappingOf(values),
    form: formOf(values),
    format: values.print === undefined ? values.format : "print",
    messagesBy: undefined,
    header: values.header ?? true,
    separator: values.null ? 0 : 0x0a,
    inColor: false,
    rejected: (rejected ?? onRejected) !== undefined,
    listsRejected: rejected !== undefined,
  };
}

function refuse(contradiction: Contradiction | undefined): void {
  if (contradiction !== undefined) throw badOption(contradiction[0], contradiction[1]);
}

/** Which files of folders to read: options of `extractFiles`, with their defaults filled in. */
export type FolderOptions = Pick<OptionValues, "include" | "exclude" | "follow">;

/** The options of a library function, checked, with their defaults filled in. */
export interface CheckedOptions extends Pick<OptionValues, "signal" | "source" | "threads" | "highWaterMark"> {
  settings: ScanSettings;
  range: OwnedRange;
  onRejected: ((rejected: Rejected) => void) | undefined;
  folders: FolderOptions;
}

/** Checks the options of a function of the library. Throws OptionError. */
export function checkOptions(taker: Taker, options: ExtractStreamOptions | undefined): CheckedOptions {
  const given = options ?? {};
  const values = checkValues(taker, given);
  const settings = settingsOf(values);
  settings.inLibrary = true;
  const [unknown] = unknownSchemes(values);
  if (unknown !== undefined) {
    const known = "must list known schemes or those of extraSchemes";
    throw badOption("schemes", `${known}, not ${shownValue(unknown)}${hint(unknown, KNOWN_SCHEMES)}`);
  }
  if (taker !== "ExtractStream" || values.objectMode) {
    for (const option of ["format", "print", "header", "csvSafe"] as const) {
      if (given[option] !== undefined) throw badOption(option, "cannot be given with objectMode, which delivers matches instead of bytes");
    }
    settings.format = "matches";
  } else refuse(fieldContradiction(values));
  const { range = EVERYTHING, signal, source, threads, highWaterMark } = values;
  return { settings, range, onRejected: given.onRejected, signal, source, threads, folders: values, highWaterMark };
}

/** Checks the options of `normalize` (N10). Throws OptionError. */
export function checkNormalizeOptions(options: NormalizeOptions | undefined): UrlForm {
  return formOf(checkValues("normalize", options ?? {}));
}

/** Returns only the options of `normalize`. */
export function formOf(values: OptionValues): UrlForm {
  const { profile, stripFragment, sortQuery, stripTracking, stripWww, userinfo, unwrap, refang, defang } = values;
  return { profile, stripFragment, sortQuery, stripTracking, stripWww, userinfo, unwrap, refang, defang };
}
