// The value of each field of records, read from the row of a match.
import * as code from "#core/layout/codes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { MARK_END, MARK_START } from "../base/shown.ts";
import { KINDS, REASON_NAMES } from "../core/names.ts";
import { knownDomain } from "../core/public-suffix.ts";
import type { DescribedField } from "../mail/describe.ts";
import type { FieldName, HeaderField, ListedField } from "../options/fields.ts";
import { fieldOf, HEADER_PREFIX, isHeaderField, matchNameOf } from "../options/fields.ts";
import { addressOf } from "../url/host-address.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";
import { contextAt, flagsOf, hostOf, type Location, type MatchBatch, textOf, wordOf } from "./batch.ts";

export type FieldValue = string | number | readonly string[] | undefined;

export type FieldReader = (batch: MatchBatch, index: number) => FieldValue;

/** Returns the value of a field of the location of a match; `messagesBefore`: number of messages in the source before the scan. */
type LocationReader = (location: Location, messagesBefore: number) => FieldValue;

const [YEAR_LENGTH, MONTH_LENGTH, DAY_LENGTH] = [4, 7, 10]; // Lengths of an RFC 3339 date that is cut after its year, month or day

/** Characters of the longest tag of a list, of the longest `Re:` and the like before it, and of the longest extension. */
const [TAG_LENGTH_MOST, REPLY_LENGTH_MOST, EXTENSION_LENGTH_MOST] = [40, 16, 10];
const NOT_A_LIST = /^(?:ann|announce|bug|fwd|git|ot|patch|pull|resend|rfc|rft|spam|was)(?![\w-])|^\d+$/i;

/** Returns the folder or archive that holds a source, without the folders of a maildir (A1). */
function folderOf(source = ""): string | undefined {
  const end = Math.max(source.lastIndexOf("/"), source.lastIndexOf("!"));
  return end < 0 ? undefined : source.slice(0, Math.max(1, end)).replace(/(?:^|[/!])(?:cur|new)$/, "");
}

/** Returns the tag in brackets that begins a subject, without a number at its end: `[list 12]`. */
function tagOf(subject = ""): string | undefined {
  const [start, end] = [subject.indexOf("["), subject.indexOf("]")];
  const [before, tag] = [subject.slice(0, start).trimEnd(), subject.slice(start + 1, end).trim()];
  if (start < 0 || end < start || (before !== "" && (!before.endsWith(":") || before.length > REPLY_LENGTH_MOST))) return undefined;
  return tag.length > TAG_LENGTH_MOST || NOT_A_LIST.test(tag) ? undefined : emptyToNone(tag.replace(/[ :#]\d+$/, ""));
}

function tldOf(host: string): string | undefined {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const label = name.slice(name.lastIndexOf(".") + 1);
  return label === name || name.startsWith("[") || addressOf(name) !== undefined ? undefined : emptyToNone(label);
}

/** Returns the segments of a path that begins with a slash, and a first empty one. */
function segmentsOf(batch: MatchBatch, index: number): string[] | undefined {
  const { path } = splitUrl(urlAt(batch, index) ?? "");
  return path.startsWith("/") ? path.split("/") : undefined;
}

/** Returns the extension of a segment: letters and digits, but no number. */
function extensionOf(segment = ""): string | undefined {
  const [name = ""] = segment.split(";", 1);
  const dot = name.lastIndexOf(".");
  const extension = name.slice(dot + 1).toLowerCase();
  const isShort = dot > 0 && extension.length <= EXTENSION_LENGTH_MOST;
  return isShort && /^[a-z0-9]+$/.test(extension) && /[a-z]/.test(extension) ? extension : undefined;
}

const emptyToNone = (text: string): string | undefined => (text === "" ? undefined : text);

const LOCATION_READERS = {
  message: ({ number }, messagesBefore) => (number === 0 ? undefined : number + messagesBefore),
  part: ({ part }) => emptyToNone(part),
  part_type: ({ body }) => body.type,
  attachment: ({ body }) => body.name,
  where: ({ where }) => where,
  quote: ({ quote }) => (quote === 0 ? undefined : quote),
  year: ({ message }) => (message.date === undefined ? undefined : Number(message.date.slice(0, YEAR_LENGTH))),
  month: ({ message }) => message.date?.slice(0, MONTH_LENGTH),
  day: ({ message }) => message.date?.slice(0, DAY_LENGTH),
} as const satisfies Partial<Record<FieldName, LocationReader>>;

type LocationField = keyof typeof LOCATION_READERS | DescribedField | HeaderField;

export function locationReaderOf(name: LocationField): LocationReader {
  if (name in LOCATION_READERS) return LOCATION_READERS[name as keyof typeof LOCATION_READERS];
  if (!isHeaderField(name)) {
    const key = matchNameOf(name as DescribedField);
    return ({ message }) => message[key];
  }
  const header = name.slice(HEADER_PREFIX.length);
  // On another thread the object has a prototype.
  return ({ message: { headers = {} } }) => (Object.hasOwn(headers, header) ? headers[header] : undefined);
}

export function urlAt(batch: MatchBatch, index: number): string | undefined {
  if (wordOf(batch, index, code.RECORD_REASON) !== code.REASON_NONE) return undefined;
  return textOf(batch, wordOf(batch, index, code.RECORD_URL), wordOf(batch, index, code.RECORD_URL_LENGTH));
}

export function rawAt(batch: MatchBatch, index: number): string {
  return textOf(batch, wordOf(batch, index, code.RECORD_RAW), wordOf(batch, index, code.RECORD_RAW_LENGTH));
}

let lastScheme = ""; // The scheme that was read last: most matches have the same one and can share its string

/** Returns the scheme in lower case; for schemeless text, the scheme of its kind (X10). */
export function schemeAt(batch: MatchBatch, index: number): string {
  const length = wordOf(batch, index, code.RECORD_SCHEME_LENGTH);
  const scheme = SCHEMES[wordOf(batch, index, code.RECORD_SCHEME)];
  if (length === 0 && scheme !== undefined) return scheme.name;
  // A scheme is ASCII: its text has as many characters as bytes.
  const field = wordOf(batch, index, code.RECORD_REASON) === code.REASON_NONE ? code.RECORD_URL : code.RECORD_RAW;
  const start = wordOf(batch, index, field);
  if (!isLastScheme(batch.bytes, start, length)) lastScheme = textOf(batch, start, length).toLowerCase();
  return lastScheme;
}

function isLastScheme(bytes: Uint8Array, start: number, length: number): boolean {
  if (length !== lastScheme.length) return false;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== lastScheme.charCodeAt(at)) return false;
  return true;
}

export function hostAt(batch: MatchBatch, index: number): string | undefined {
  return hostOf(batch, index * code.RECORD_WORDS, null) ?? undefined;
}

const ofHost =
  (read: (host: string) => string | undefined): FieldReader =>
  (batch, index) => {
    const host = hostAt(batch, index);
    return host === undefined ? undefined : read(host);
  };

function portOf(batch: MatchBatch, index: number): number | undefined {
  const { authority } = splitUrl(urlAt(batch, index) ?? "");
  const port = authority === null ? null : splitAuthority(authority).port;
  return port === null || port === "" ? undefined : Number(port);
}

const MATCH_READERS = {
  url: urlAt,
  raw: rawAt,
  scheme: schemeAt,
  host: hostAt,
  kind: (batch, index) => KINDS[wordOf(batch, index, code.RECORD_KIND)],
  flags: (batch, index) => flagsOf(wordOf(batch, index, code.RECORD_FLAGS)),
  reason: (batch, index) => REASON_NAMES[wordOf(batch, index, code.RECORD_REASON)] || undefined,
  source: ({ source }) => source,
  folder: ({ source }) => folderOf(source),
  list: (batch, index) => {
    const { listId, subject } = locationAt(batch, index)?.message ?? {};
    return listId ?? tagOf(subject) ?? folderOf(batch.source);
  },
  start: (batch, index) => batch.base + wordOf(batch, index, code.RECORD_START),
  end: (batch, index) => batch.base + wordOf(batch, index, code.RECORD_END),
  chain: ({ chains }, index) => chains?.get(index),
  tag: ({ elements }, index) => elements?.get(index)?.tag,
  attribute: ({ elements }, index) => elements?.get(index)?.attribute,
  text: ({ texts }, index) => texts?.get(index),
  context: (batch, index) => contextAt(batch, index),
  // Named in functions: their modules load when they are first called.
  domain: ofHost((host) => knownDomain(host)),
  address: ofHost((host) => addressOf(host)),
  tld: ofHost(tldOf),
  port: portOf,
  path: (batch, index) => emptyToNone(splitUrl(urlAt(batch, index) ?? "").path),
  extension: (batch, index) => extensionOf(segmentsOf(batch, index)?.at(-1)),
  depth: (batch, index) => segmentsOf(batch, index)?.filter((segment) => segment !== "").length,
  query: (batch, index) => splitUrl(urlAt(batch, index) ?? "").query ?? undefined,
} as const satisfies Record<Exclude<ListedField, LocationField>, FieldReader>;

/** Returns the numbers of a match that decide its fields of the origin `kind`, as one number. */
export function kindKey(batch: MatchBatch, index: number): number {
  return (
    (wordOf(batch, index, code.RECORD_FLAGS) << 8) |
    (wordOf(batch, index, code.RECORD_REASON) << 4) |
    wordOf(batch, index, code.RECORD_KIND)
  );
}

/** Reads the context of a match, with the match between the marks of a color. */
export const readMarkedContext: FieldReader = (batch, index) => contextAt(batch, index, MARK_START, MARK_END);

export function locationAt({ locations }: MatchBatch, index: number): Location | undefined {
  return locations?.list[locations.of[index]];
}

export function readerOf(name: FieldName): FieldReader {
  if (!isLocationField(name)) return MATCH_READERS[name];
  const read = locationReaderOf(name);
  return (batch, index) => {
    const location = locationAt(batch, index);
    return location === undefined ? undefined : read(location, batch.locations?.messagesBefore ?? 0);
  };
}

export function isLocationField(name: FieldName): name is LocationField {
  return ["location", "message"].includes(fieldOf(name).origin);
}
