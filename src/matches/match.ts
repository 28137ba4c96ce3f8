// One match as an object, and as a record.
import * as code from "#core/layout/codes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { type Flag, KINDS, type Kind, REASON_NAMES, type Reason } from "../core/names.ts";
import type { DescribedRecord } from "../mail/describe.ts";
import { type FIELDS, type FieldName, HEADER_PREFIX, type ListedField } from "../options/fields.ts";
import { contextAt, flagsOf, hostOf, type Location, type LocationFields, type MatchBatch, NOT_SHARED, textOf } from "./batch.ts";
import { locationAt, readerOf } from "./field-values.ts";

/** Fields that are made of others: a match has them only if `fields` names them. */
const DERIVED = [
  ...(["folder", "list", "year", "month", "day"] as const),
  ...(["domain", "tld", "address", "port", "path", "extension", "depth", "query"] as const),
] as const satisfies readonly ListedField[];

/** The derived fields of a match, which `fields` has named. */
export type DerivedFields = {
  readonly [F in (typeof DERIVED)[number]]?: (typeof FIELDS)[F]["type"] extends "integer" ? number : string;
};

export type DerivedReader = (batch: MatchBatch, index: number) => DerivedFields;

export function derivedReaderOf(fields: readonly FieldName[] = []): DerivedReader | undefined {
  const readers = DERIVED.filter((name) => fields.includes(name)).map((name) => [name, readerOf(name)] as const);
  if (readers.length === 0) return undefined;
  return (batch, index) => defined(Object.fromEntries(readers.map(([name, read]) => [name, read(batch, index)])));
}

/** Returns an object without the fields that are undefined. */
function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A record, as `Match.toJSON` returns it and `ndjson` writes it. */
export interface MatchJson extends DescribedRecord, DerivedFields {
  url: string | null;
  /** Absent with `userinfo: "redact"`. */
  raw?: string;
  scheme: string;
  host: string | null;
  kind: Kind;
  flags: Flag[];
  reason?: Reason;
  source?: string;
  start: number;
  end: number;
  message?: number;
  [header: `header:${string}`]: string;
  part?: string;
  where?: string;
  quote?: number;
  part_type?: string;
  attachment?: string;
  chain?: readonly string[];
  tag?: string;
  attribute?: string;
  text?: string;
  context?: string;
}

function areEqual(batch: MatchBatch, one: number, other: number, length: number): boolean {
  const { bytes } = batch;
  batch.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { view } = batch;
  let index = 0;
  for (; index + 4 <= length; index += 4) if (view.getInt32(one + index) !== view.getInt32(other + index)) return false;
  for (; index < length; index++) if (view.getUint8(one + index) !== view.getUint8(other + index)) return false;
  return true;
}

/** Returns a function that remembers its last result: successive matches often share a location. */
function rememberingLast<Key, T>(compute: (key: Key, batch?: MatchBatch) => T): (key: Key, batch?: MatchBatch) => T {
  let last: { readonly key: Key; readonly result: T } | undefined;
  return (key, batch) => {
    if (last === undefined || last.key !== key) last = { key, result: compute(key, batch) };
    return last.result;
  };
}

const locationFieldsOf = rememberingLast(({ message, number, part, body, where, quote }: Location, batch): Readonly<LocationFields> => {
  const fields = {
    message: number === 0 ? undefined : number + (batch?.locations?.messagesBefore ?? 0),
    ...message,
    part: part || undefined,
    where,
    quote: quote || undefined,
    partType: body.type || undefined,
    attachment: body.name || undefined,
  };
  return Object.freeze(defined(fields) as LocationFields);
});

const withRecordNames = rememberingLast(({ headers = {}, ...others }: Readonly<LocationFields>): Readonly<Partial<MatchJson>> => {
  const recordNameOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const named = Object.entries(headers).map(([name, value]) => [HEADER_PREFIX + name, value]);
  return Object.fromEntries([...Object.entries(others).map(([name, value]) => [recordNameOf(name), value]), ...named]);
});

/** Converts byte offsets to the units of an input that is not bytes. */
export interface Units {
  /** Returns the number of units before a byte offset. */
  before(byte: number): number;
}

/** A match has the fields of its location in an archive or in JSON. Other matches lack them. (A10, A16) */
export interface Match extends Readonly<Partial<LocationFields>>, DerivedFields {}

/**
 * One match. Its fields are own properties, so that copies have them: `{ ...match }`, `structuredClone` and `postMessage` give plain
 * objects with all of them.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the fields of the interface.
export class Match {
  /** Its location. Successive matches at one location share the object, and the record made of it. */
  readonly #location: Readonly<LocationFields> | undefined;
  readonly #derived: DerivedFields | undefined;
  // `declare`: without it every field is written twice, first with undefined.
  /** The normalized URL, or null if there is none: `code` says why. (N) */
  declare readonly url: string | null;
  /**
   * As written in the text, but without line breaks, without the white space and quote marks inside `<...>`, and without escapes (X16). A
   * percent-encoded URL is decoded once (X11). With `userinfo: "redact"` copies and records do not have it.
   */
  declare readonly raw: string;
  /** The scheme of `url`, or of `raw` if `url` is null, in lower case. */
  declare readonly scheme: string;
  /** The host of `url` in normal form, or null if there is none. */
  declare readonly host: string | null;
  /** How it is written in the text. (X7) */
  declare readonly kind: Kind;
  /** Security considerations that hold for it. (W) */
  declare readonly flags: readonly Flag[];
  /** Why `url` is null. (X12) */
  declare readonly code: Reason | undefined;
  /** Name of the input it was found in, if it has one. */
  declare readonly source: string | undefined;
  /** Offset of the first character of the match in the source: in bytes; of a string in UTF-16 code units. */
  declare readonly start: number;
  /** Offset after the last character of the match. */
  declare readonly end: number;
  /** The redirectors' URLs that `unwrap` took off, the outermost first. (N10) */
  declare readonly chain: readonly string[] | undefined;
  /** Name of the element whose attribute it is, with `links` or if `fields` names it. (C106) */
  declare readonly tag: string | undefined;
  /** Name of that attribute. */
  declare readonly attribute: string | undefined;
  /** The text of the link, as readers see it, if `fields` asks for it. (C218) */
  declare readonly text: string | undefined;
  /** The match and the text around it, if `context` or `fields` asks for the context. */
  declare readonly context: string | undefined;

  constructor(batch: MatchBatch, index: number, units?: Units, readDerived?: DerivedReader) {
    const { rows, base } = batch;
    const at = index * code.RECORD_WORDS;
    const reason = rows[at + code.RECORD_REASON];
    const raw = rows[at + code.RECORD_RAW];
    const rawLength = rows[at + code.RECORD_RAW_LENGTH];
    const url = rows[at + code.RECORD_URL];
    const urlLength = rows[at + code.RECORD_URL_LENGTH];
    const urlText = reason === code.REASON_NONE ? textOf(batch, url, urlLength) : null;
    const isNormal = urlText !== null && rawLength === urlLength && batch.text === NOT_SHARED && areEqual(batch, raw, url, urlLength);
    const rawText = isNormal ? urlText : textOf(batch, raw, rawLength);
    const scheme = SCHEMES[rows[at + code.RECORD_SCHEME]];
    const schemeLength = rows[at + code.RECORD_SCHEME_LENGTH];
    this.url = urlText;
    this.raw = rawText;
    if (batch.hidesRaw === true) Object.defineProperty(this, "raw", { enumerable: false });
    this.scheme = schemeLength === 0 && scheme !== undefined ? scheme.name : (urlText ?? rawText).slice(0, schemeLength).toLowerCase();
    this.host = hostOf(batch, at, urlText);
    this.kind = KINDS[rows[at + code.RECORD_KIND]];
    this.flags = flagsOf(rows[at + code.RECORD_FLAGS]);
    this.code = (REASON_NAMES[reason] || undefined) as Reason | undefined;
    this.source = batch.source;
    const start = base + rows[at + code.RECORD_START];
    const end = base + rows[at + code.RECORD_END];
    this.start = units === undefined ? start : units.before(start);
    this.end = units === undefined ? end : units.before(end);
    this.chain = batch.chains?.get(index);
    const element = batch.elements?.get(index);
    this.tag = element?.tag;
    this.attribute = element?.attribute;
    this.text = batch.texts?.get(index);
    this.context = contextAt(batch, index);
    const location = locationAt(batch, index);
    this.#location = location && locationFieldsOf(location, batch);
    if (this.#location !== undefined) Object.assign(this, this.#location);
    this.#derived = readDerived?.(batch, index);
    if (this.#derived !== undefined) Object.assign(this, this.#derived);
  }

  /** Returns the record as a plain object, with the names of records, and fields in the order of the `ndjson` format. */
  toJSON(): MatchJson {
    const { url, raw, scheme, host, kind, flags, code: reason, source, start, end, chain, tag, attribute, text, context } = this;
    return {
      url,
      ...(Object.prototype.propertyIsEnumerable.call(this, "raw") && { raw }),
      scheme,
      host,
      kind,
      flags: [...flags],
      ...(reason && { reason }),
      ...(source !== undefined && { source }),
      start,
      end,
      ...(this.#location && withRecordNames(this.#location)),
      ...(chain && { chain }),
      ...(tag !== undefined && attribute !== undefined && { tag, attribute }),
      ...(text !== undefined && { text }),
      ...(context !== undefined && { context }),
      ...this.#derived,
    };
  }

  /** Returns the fields that the match has, for `console.log` of Node. */
  [Symbol.for("nodejs.util.inspect.custom")](): Partial<Match> {
    return defined(this);
  }
}
