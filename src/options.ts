// The options of the library: their types, and the only place where their values are checked.
import { SCHEMELESS, type Schemeless } from "./core/names.ts";
import type { AddedScheme } from "./core/tables.ts";
import { OptionError } from "./errors.ts";
import { FORMAT_NAMES, FORMATS } from "./output/formats.ts";
import { shown as shownText } from "./shown.ts";

/** Normalization profile (SPEC N): `none` leaves URLs as written. */
export type Profile = "rfc3986" | "rfc1738" | "none";
/** Normalization profile of `normalize`; `surt` is `rfc3986` written as SURT. @see docs/rules.md N */
export type NormalizeProfile = Profile | "whatwg" | "surt";
/** What becomes of the userinfo of an authority. @see docs/rules.md N10 */
export type UserinfoForm = "keep" | "redact" | "strip";
/** How the input is read. */
export type SourceType = (typeof SOURCE_TYPES)[number];
/** What a source turns out to be. */
export type TextType = "text" | "html" | "mbox" | "eml" | "news" | "rnews" | "warc" | "utf16";
/** How an mbox marks its messages. @see docs/rules.md A2 */
export type MboxDialect = (typeof MBOX_DIALECTS)[number];
/** Which parts of messages are read. @see docs/rules.md A4 */
export type Parts = "text" | "all";
/** Name of a field of records. */
export type FieldName = (typeof FIELD_NAMES)[number];
/** Bytes that an `ExtractStream` gives out. */
export type Format = keyof typeof FORMATS;

/** A candidate that was not reported, or a match whose URL the profile refused (SPEC X12). */
export interface Rejected {
  reason: string;
  /** Name of the input, if it has one. */
  source?: string;
  /** Byte offsets in the source, half-open. */
  start: number;
  end: number;
  /** At most the first 256 bytes; ill-formed UTF-8 as U+FFFD. Absent with `userinfo: "redact"`: it may hold a password. */
  text?: string;
}

/** Options of every way in; those of `normalize` tell what a match's URL is. */
export interface ExtractOptions extends NormalizeOptions {
  /** `auto` if absent: by the first bytes (A1). */
  type?: SourceType | undefined;
  /** `auto` if absent. */
  mbox?: MboxDialect | undefined;
  /** `text` if absent. */
  parts?: Parts | undefined;
  /**
   * Which fields records of `ndjson` have, in their order. In matches too `from`, `subject`, `newsgroups` and `list_id` stand there only
   * if they are named (A10).
   */
  fields?: readonly FieldName[] | undefined;
  /** Report URLs inside others too (X11). */
  nested?: boolean | undefined;
  /** Names: report only these schemes; the filter applies after matching (X11). Rows: known beside the others (X1), and reported. */
  schemes?: readonly (string | AddedScheme)[] | undefined;
  /** Take unknown schemes before `//` and a host (X1 c). */
  anyScheme?: boolean | undefined;
  /** Look for schemeless text (X10). */
  bare?: Schemeless | readonly Schemeless[] | undefined;
  /** Join URLs that hard-wrapped lines of plain text broke; a heuristic, kind `guessed` (X8). */
  guess?: boolean | undefined;
  /** Longest unbroken run that is looked at, in bytes: 256 to 1048576, 16384 if absent (SPEC X12). */
  urlBytesMax?: number | undefined;
  /** `[from, to)` in bytes: only matches that start there are reported (SPEC X13). */
  range?: readonly [number, number] | undefined;
  onRejected?: ((rejected: Rejected) => void) | undefined;
}

/** Options of the ways in that wait. */
export interface ExtractFromOptions extends ExtractOptions {
  signal?: AbortSignal | undefined;
}

/** Options of the ways in that can spread over worker threads. */
export interface ExtractFilesOptions extends ExtractFromOptions {
  threads?: number | undefined;
}

/** Options of `ExtractStream`. */
export interface ExtractStreamOptions extends ExtractFilesOptions {
  format?: Format | undefined;
  /** Give out `Match` objects in the place of bytes. */
  objectMode?: boolean | undefined;
  /** Bytes buffered on either side, 1 MiB if absent; with `objectMode` only on the side of the input. */
  highWaterMark?: number | undefined;
}

/** Options of `normalize`; each is off where it is absent. @see docs/rules.md N10 */
export interface NormalizeOptions {
  profile?: NormalizeProfile | undefined;
  /** Takes the fragment off. */
  stripFragment?: boolean | undefined;
  /** Sorts the parameters of the query by name. */
  sortQuery?: boolean | undefined;
  /** Takes off parameters of the query that only track. */
  stripTracking?: boolean | undefined;
  /** Takes `www.` off the host, as often as it stands there. */
  stripWww?: boolean | undefined;
  /** `keep` if absent; `redact` puts `***` in the place of passwords, and records have no `raw`; `strip` takes the userinfo off. */
  userinfo?: UserinfoForm | undefined;
  /** Gives the URL inside a redirector's, to a depth of 5. */
  unwrap?: boolean | undefined;
}

/** The options of `normalize`, checked, with their defaults filled in. */
export interface UrlForm {
  readonly profile: NormalizeProfile;
  readonly stripFragment: boolean;
  readonly sortQuery: boolean;
  readonly stripTracking: boolean;
  readonly stripWww: boolean;
  readonly userinfo: UserinfoForm;
  readonly unwrap: boolean;
}

/** What is looked for. */
export interface Search {
  /** A2 */
  readonly mbox: MboxDialect;
  /** A4 */
  readonly parts: Parts;
  /** Undefined: the usual ones (A10). */
  readonly fields: readonly FieldName[] | undefined;
  /** Longest look-ahead and look-back, 256 to 1048576 bytes (X12). */
  readonly urlBytesMax: number;
  /** Report only these, in lower case, after matching (X11); undefined: all. */
  readonly schemes: readonly string[] | undefined;
  /** Known beside the others (X1). */
  readonly addedSchemes: readonly AddedScheme[];
  /** X1 (c) */
  readonly anyScheme: boolean;
  /** X10 */
  readonly bare: readonly Schemeless[];
  /** Whether plain matches may go on in the next line (X8). */
  readonly guess: boolean;
}

/** What a scan needs to know, in a form that can be sent to a worker. */
export interface ScanSettings extends Search {
  type: SourceType;
  form: UrlForm;
  /** Report URLs inside others too (X11). */
  nested: boolean;
  /** `matches`: packed batches in the place of bytes. */
  format: Format | "matches";
  /** Byte behind each URL of `plain`: LF or NUL. */
  separator: number;
  /** Rejected candidates are collected. */
  rejected: boolean;
}

/** Byte range that owns the matches which start in it. */
export interface OwnedRange {
  from: number;
  to: number;
}

/** Every byte of a source. */
export const EVERYTHING: OwnedRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** What a wider settings object looks for, and nothing else. */
export function searchOf({ mbox, parts, fields, urlBytesMax, schemes, addedSchemes, anyScheme, bare, guess }: Search): Search {
  return { mbox, parts, fields, urlBytesMax, schemes, addedSchemes, anyScheme, bare, guess };
}

/** Every option, checked, with its default filled in. */
export interface CheckedOptions {
  settings: ScanSettings;
  range: OwnedRange;
  onRejected: ((rejected: Rejected) => void) | undefined;
  signal: AbortSignal | undefined;
  threads: number | undefined;
  highWaterMark: number;
}

/** Bounds of `urlBytesMax` (SPEC X12), in bytes. */
export const URL_BYTES_LEAST = 256;
/** @see URL_BYTES_LEAST */
export const URL_BYTES_MOST = 1 << 20;
/** Default of `urlBytesMax`, in bytes. */
export const URL_BYTES_DEFAULT = 1 << 14;
/** Most names in a filter of schemes. */
export const SCHEMES_MOST = 128;
/** Schemes that are never extracted (X1). */
const NEVER_EXTRACTED = ["data", "javascript"];
/** Most threads that can be asked for. */
export const THREADS_MOST = 1024;

/** What a source can be said to be. */
export const SOURCE_TYPES = ["auto", "text", "html", "mbox", "eml", "maildir", "news", "warc"] as const;
/** @see MboxDialect */
export const MBOX_DIALECTS = ["auto", "rd", "o", "cl"] as const;
/** The fields of records, in their usual order; the last ones stand there only if they are asked for. */
export const FIELD_NAMES = [
  "url",
  "raw",
  "scheme",
  "host",
  "kind",
  "flags",
  "reason",
  "source",
  "start",
  "end",
  "message_id",
  "target_uri",
  "date",
  "part",
  "where",
  "quote",
  "chain",
  "from",
  "subject",
  "newsgroups",
  "list_id",
] as const;

const NORMALIZE = ["profile", "stripFragment", "sortQuery", "stripTracking", "stripWww", "userinfo", "unwrap"];
const ARCHIVE = ["type", "mbox", "parts", "fields"];
const EXTRACT = [...NORMALIZE, ...ARCHIVE, "nested", "schemes", "anyScheme", "bare", "guess", "urlBytesMax", "range", "onRejected"];
const NAMES = {
  extract: EXTRACT,
  extractFrom: [...EXTRACT, "signal"],
  extractWebStream: [...EXTRACT, "signal"],
  extractFiles: [...EXTRACT, "signal", "threads"],
  ExtractStream: [...EXTRACT, "signal", "threads", "format", "objectMode", "highWaterMark"],
  normalize: NORMALIZE,
} as const;

/** Checks the options of one way in. Throws OptionError. */
export function checkOptions(way: keyof typeof NAMES, options: ExtractStreamOptions | undefined): CheckedOptions {
  const given: ExtractStreamOptions = options ?? {};
  checkNames(way, given);
  const objectMode = given.objectMode ?? way !== "ExtractStream";
  if (typeof objectMode !== "boolean") throw bad("objectMode", "must be true or false");
  if (objectMode && given.format !== undefined) throw bad("format", "cannot be given with objectMode: that one gives out no bytes");
  const format = oneOf("format", given.format ?? "plain", FORMAT_NAMES);
  if (!objectMode && FORMATS[format].takes === "lines" && given.fields !== undefined)
    throw bad("fields", "are of records: give the format ndjson too");
  return {
    settings: {
      type: checkType(given.type),
      ...checkArchive(given),
      form: formOf(given),
      nested: trueOrFalse("nested", given.nested),
      ...checkSchemes(given.schemes),
      anyScheme: trueOrFalse("anyScheme", given.anyScheme),
      bare: checkBare(given.bare),
      guess: trueOrFalse("guess", given.guess),
      urlBytesMax: wholeNumber("urlBytesMax", given.urlBytesMax ?? URL_BYTES_DEFAULT, URL_BYTES_LEAST, URL_BYTES_MOST),
      format: objectMode ? "matches" : format,
      separator: 0x0a,
      rejected: given.onRejected !== undefined,
    },
    range: given.range === undefined ? EVERYTHING : checkRange(given.range),
    onRejected: checkFunction(given.onRejected),
    signal: checkSignal(given.signal),
    threads: given.threads === undefined ? undefined : wholeNumber("threads", given.threads, 1, THREADS_MOST),
    highWaterMark: wholeNumber("highWaterMark", given.highWaterMark ?? 1 << 20, 1, 1 << 30),
  };
}

/** How the input is read. Throws OptionError. */
export function checkType(type: unknown): SourceType {
  return oneOf("type", type ?? "auto", SOURCE_TYPES);
}

/** How archives are read, and what is told of their messages. Throws OptionError. */
export function checkArchive({
  mbox,
  parts,
  fields,
}: {
  mbox?: unknown;
  parts?: unknown;
  fields?: unknown;
}): Pick<Search, "mbox" | "parts" | "fields"> {
  return {
    mbox: oneOf("mbox", mbox ?? "auto", MBOX_DIALECTS),
    parts: oneOf("parts", parts ?? "text", ["text", "all"]),
    fields: fields === undefined ? undefined : checkFields(fields),
  };
}

function checkFields(fields: unknown): FieldName[] {
  if (!Array.isArray(fields) || fields.length === 0) throw bad("fields", "must be an array of at least one field");
  return [...new Set(fields.map((field) => oneOf("fields", field, FIELD_NAMES)))];
}

/** Checks the options of `normalize`. Throws OptionError. @see docs/rules.md N10 */
export function checkNormalizeOptions(options: NormalizeOptions | undefined): UrlForm {
  const given: NormalizeOptions = options ?? {};
  checkNames("normalize", given);
  return formOf(given);
}

function formOf(given: NormalizeOptions): UrlForm {
  return {
    profile: oneOf("profile", given.profile ?? "rfc3986", ["rfc3986", "rfc1738", "whatwg", "surt", "none"]),
    stripFragment: trueOrFalse("stripFragment", given.stripFragment),
    sortQuery: trueOrFalse("sortQuery", given.sortQuery),
    stripTracking: trueOrFalse("stripTracking", given.stripTracking),
    stripWww: trueOrFalse("stripWww", given.stripWww),
    userinfo: oneOf("userinfo", given.userinfo ?? "keep", ["keep", "redact", "strip"]),
    unwrap: trueOrFalse("unwrap", given.unwrap),
  };
}

function checkNames(way: keyof typeof NAMES, given: object): void {
  if (typeof given !== "object") throw bad("options", "must be an object");
  for (const name of Object.keys(given)) {
    if (!NAMES[way].includes(name)) {
      throw new OptionError("ERR_UNKNOWN_OPTION", name, `is no option of ${way}; it knows ${NAMES[way].join(", ")}`);
    }
  }
}

/**
 * The names of a scheme filter in lower case (undefined: no filter) and the schemes to be added, which are reported as well. Throws
 * OptionError.
 */
export function checkSchemes(schemes: unknown): Pick<ScanSettings, "schemes" | "addedSchemes"> {
  if (schemes === undefined) return { schemes: undefined, addedSchemes: [] };
  if (!Array.isArray(schemes) || schemes.length === 0) throw bad("schemes", "must be an array of at least one scheme");
  if (schemes.length > SCHEMES_MOST) throw bad("schemes", `must hold at most ${SCHEMES_MOST} schemes`);
  const names: string[] = schemes.filter((scheme) => typeof scheme === "string").map(checkName);
  const addedSchemes = schemes.filter((scheme) => typeof scheme !== "string").map(checkAdded);
  return { schemes: names.length === 0 ? undefined : [...names, ...addedSchemes.map(({ name }) => name)], addedSchemes };
}

function checkName(name: unknown): string {
  if (typeof name === "string" && /^[A-Za-z][A-Za-z0-9+.-]{1,31}$/.test(name)) return name.toLowerCase();
  const expected = 'must hold names such as http or news (a letter, then letters, digits, "+", "-", "."; 2 to 32 characters)';
  throw bad("schemes", `${expected}, not ${shown(name)}`);
}

function checkAdded(scheme: unknown): AddedScheme {
  if (typeof scheme !== "object" || scheme === null) {
    throw bad("schemes", `must hold names and { name, shape, port }, not ${shown(scheme)}`);
  }
  const { name, shape, port }: Partial<AddedScheme> = scheme;
  const checked = checkName(name);
  if (NEVER_EXTRACTED.includes(checked)) throw bad("schemes", `must not add ${checked}, which is never extracted`);
  return {
    name: checked,
    shape: oneOf("schemes: shape", shape, ["//", "opaque"]),
    port: port === undefined ? undefined : wholeNumber("schemes: port", port, 1, 65535),
  };
}

/** The kinds of schemeless text. Throws OptionError. */
export function checkBare(bare: unknown): Schemeless[] {
  const kinds: unknown[] = bare === undefined ? [] : Array.isArray(bare) ? bare : [bare];
  return [...new Set(kinds.map((kind) => oneOf("bare", kind, SCHEMELESS)))];
}

function trueOrFalse(option: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw bad(option, `must be true or false, not ${shown(value)}`);
}

function bad(option: string, expected: string): OptionError {
  return new OptionError("ERR_BAD_OPTION", option, expected);
}

/** `value` if it is one of `choices`. Throws OptionError. */
export function oneOf<T extends string>(option: string, value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw bad(option, `must be ${choices.join(" or ")}, not ${shown(value)}`);
  return found;
}

/** `value` if it is a whole number from `least` to `most`. Throws OptionError. */
export function wholeNumber(option: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw bad(option, `must be a whole number from ${least} to ${most}, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${shownText(value)}"` : typeof value === "object" && value !== null ? "an object" : String(value);
}

function checkRange(range: readonly unknown[]): OwnedRange {
  const [from, to] = Array.isArray(range) ? range : [];
  const isOffset = (value: unknown): value is number => typeof value === "number" && (Number.isSafeInteger(value) || value === Infinity);
  if (!isOffset(from) || !isOffset(to) || range.length !== 2 || from < 0 || to < from || from === Infinity) {
    throw bad("range", "must be [from, to] with 0 <= from <= to, in bytes");
  }
  return { from, to: Math.min(to, EVERYTHING.to) };
}

function checkFunction(value: ExtractOptions["onRejected"]): ExtractOptions["onRejected"] {
  if (value !== undefined && typeof value !== "function") throw bad("onRejected", "must be a function");
  return value;
}

function checkSignal(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value !== undefined && !(value instanceof AbortSignal)) throw bad("signal", "must be an AbortSignal");
  return value;
}
