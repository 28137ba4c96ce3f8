// Batches of packed rows that have left the core.
import * as code from "#core/layout/codes.js";
import type { Omission } from "../base/omission.ts";
import { FLAGS, type Flag } from "../core/names.ts";
import { decodeUtf8 } from "../core/text.ts";
import type { MessageDescription } from "../mail/describe.ts";

/** The fields of a match that say where it is in an archive or in JSON (A10, A16). */
export interface LocationFields extends MessageDescription {
  /** Number of the message, or of the record of a web archive, in its source, from 1 on. Absent in JSON outside of messages (A19). */
  message?: number;
  /** Number of the body part: `1.2`. */
  part?: string;
  where: string;
  quote?: number;
  /** Media type of the body part, in lower case, if it names one. */
  partType?: string;
  /** File name of the body part. */
  attachment?: string;
}

export interface BodyDescription {
  /** Media type in lower case. */
  readonly type?: string;
  /** File name of an attachment. */
  readonly name?: string;
}

export interface DescribedMessage {
  readonly message: MessageDescription;
  /** Date of the message in seconds since 1970; NaN if it has none or the time is not read. */
  readonly time: number;
  /** Undecoded body of the field that gives `message.messageId`, if it is read. Decoding waits, because few bodies are needed. */
  readonly messageIdField: Uint8Array | undefined;
}

/** `where` of a match below a line `-- ` of a body (RFC 3676, 4.3). It is read only if something asks for `signature`. */
export const SIGNATURE = "signature";

/** The packed LocationFields: `part` may be empty and `quote` 0. Successive locations in a message mostly share its description. */
export interface Location extends DescribedMessage {
  /** Number of the message in the scan; 0: there is none. */
  readonly number: number;
  readonly part: string;
  /** Description of the part, if something reads it. */
  readonly body: BodyDescription;
  /** URL of an HTML part, from its header fields; empty: none (C107). */
  readonly address: string;
  readonly where: string;
  readonly quote: number;
}

/** The locations of the matches of a batch: for each row an index in `list`, below 0 for none. */
export interface MatchLocations {
  readonly of: Int32Array;
  readonly list: readonly Location[];
  /** Number of messages in the source before the first one of the scan; undefined until the earlier ranges have been read. */
  readonly messagesBefore: number | undefined;
  /** Number of the scan on its thread: numbers of messages are unique only within a scan. */
  readonly scan: number;
}

/** The element and the attribute whose value is a match (C106). */
export interface Element {
  /** Name of the element in lower case. */
  readonly tag: string;
  readonly attribute: string;
}

/** The element of a row that the core wrote. */
export interface FoundElement {
  readonly element: Element;
  /** Number of the document: each page and each HTML part that the core reads has a new one. */
  readonly document: number;
  /** Whether the match is the `href` of a `base`. */
  readonly isBase: boolean;
  /** Whether the row is not reported and only sets the base URL. */
  readonly isSilent: boolean;
}

export interface Context {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Results, or other parts of the output such as its header, as bytes of the wanted format. They are valid only until `write` returns. */
export interface ByteBatch {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
  /** Message numbers in `bytes` that count from the start of a range: pairs of the offset of the digits and the number. */
  readonly messageNumbers?: Int32Array | undefined;
  /** Number of matches, or of other rows, that this batch adds to the output. A format may write their bytes in a later batch. */
  readonly count: number;
}

/**
 * Matches as packed rows. The batch owns its memory, unless the output of the scan is "rows". Offsets in rows count from `base`, addresses
 * from the start of `bytes`.
 */
export interface MatchBatch {
  readonly kind: "matches";
  readonly source?: string | undefined;
  /** RECORD_WORDS words a row (assembly/layout/codes.ts). */
  readonly rows: Int32Array<ArrayBuffer>;
  /** Normalized URLs, which are well-formed UTF-8, and raw forms. Raw forms with HINT_UNSAFE, such as links, may be ill-formed (C66). */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Byte offset that RECORD_START and RECORD_END count from: in the decoded text, or in the source after `mapToSource`. */
  readonly base: number;
  readonly count: number;
  /** By row: the redirectors' URLs that `unwrap` removed (N10); absent if it removed none. */
  readonly chains?: ReadonlyMap<number, readonly string[]> | undefined;
  /** By row: the element and the attribute of a match in an attribute value, with `links` or if something asks for them (C106). */
  readonly elements?: ReadonlyMap<number, Element> | undefined;
  /** By row: the element as the core wrote it, for `resolveLinks`. */
  readonly found?: ReadonlyMap<number, FoundElement> | undefined;
  /** By row: the text of each link, if something asks for it (C218). */
  readonly texts?: ReadonlyMap<number, string> | undefined;
  /** By row: the text around each match, if a context is asked for. */
  readonly contexts?: readonly Context[] | undefined;
  /** Absent if the source is no archive and no JSON, or if nothing has looked them up yet. */
  readonly locations?: MatchLocations | undefined;
  /** Any URL or raw form may contain quotation marks or backslashes. If absent, only raw forms with HINT_UNSAFE may. */
  readonly needsEscapes?: boolean | undefined;
  /** Leave `raw` out of records, because it may hold a userinfo. */
  readonly hidesRaw?: boolean | undefined;
  /** View of `bytes`; made when it is first needed. */
  view?: DataView | undefined;
  /** `bytes` as one string that the matches share, or NOT_SHARED; made when the first text is read. */
  text?: string | undefined;
}

/** Returns a batch with all fields in one order, so that V8 compiles code for one hidden class. */
export function matchBatch(batch: Omit<MatchBatch, "kind">): MatchBatch {
  return {
    kind: "matches",
    source: batch.source,
    rows: batch.rows,
    bytes: batch.bytes,
    base: batch.base,
    count: batch.count,
    chains: batch.chains,
    elements: batch.elements,
    found: batch.found,
    texts: batch.texts,
    contexts: batch.contexts,
    locations: batch.locations,
    needsEscapes: batch.needsEscapes,
    hidesRaw: batch.hidesRaw,
    view: batch.view,
    text: batch.text,
  };
}

/** Rejected candidates, and matches without a URL: REJECTED_WORDS words a row, and the text of each, unless userinfo is hidden. */
export interface RejectedBatch {
  readonly kind: "rejected";
  readonly source?: string | undefined;
  readonly rows: Int32Array<ArrayBuffer>;
  readonly base: number;
  readonly count: number;
  /** By row: the first bytes of the text, with ill-formed UTF-8 replaced. */
  readonly texts?: readonly string[] | undefined;
  /** Omissions of an archive or of JSON; `before`: the index of the row after the omission, or `count`. */
  readonly omitted?: readonly { readonly before: number; readonly omission: Omission }[] | undefined;
}

/** Messages, with a match or without one: each is a row that has a location, and no match. */
export interface MessageBatch {
  readonly kind: "messages";
  readonly rows: MatchBatch;
}

export type Batch = ByteBatch | MatchBatch | RejectedBatch | MessageBatch;

/** Takes the results of a scan; called inside `advance`, `write` and `end` of the scanner. */
export interface BatchSink {
  write(batch: Batch): void;
}

const SHARED_BYTES_MAX = 1024; // Most bytes of a batch whose matches share one string: every match keeps the whole string alive
/** `text` of batches that are too long, or not ASCII. */
export const NOT_SHARED = "";

/** Fields RECORD_* that are addresses in the bytes of a batch. The word after each is a length. */
export const ADDRESSES = [code.RECORD_URL, code.RECORD_RAW, code.RECORD_HOST] as const;

export function wordOf({ rows }: MatchBatch, row: number, field: number): number {
  return rows[row * code.RECORD_WORDS + field];
}

export function textOf(batch: MatchBatch, start: number, length: number): string {
  const { bytes } = batch;
  if (batch.text === undefined) {
    const text = bytes.length > SHARED_BYTES_MAX ? NOT_SHARED : decodeUtf8(bytes, 0, bytes.length);
    batch.text = text.length === bytes.length ? text : NOT_SHARED;
  }
  return batch.text === NOT_SHARED ? decodeUtf8(bytes, start, start + length) : batch.text.slice(start, start + length);
}

/** Returns the host of the row at word `at`, or null if the row has none. `url`: the row's URL or null; an ASCII URL saves decoding. */
export function hostOf(batch: MatchBatch, at: number, url: string | null): string | null {
  const { rows } = batch;
  const length = rows[at + code.RECORD_HOST_LENGTH];
  if (length === 0) return null;
  const host = rows[at + code.RECORD_HOST];
  const start = host - rows[at + code.RECORD_URL];
  const urlLength = rows[at + code.RECORD_URL_LENGTH];
  const isInUrl = url?.length === urlLength && start >= 0 && start + length <= urlLength;
  return isInUrl ? url.slice(start, start + length) : textOf(batch, host, length);
}

/** Returns the context of a match, with the match between `start` and `end`, or undefined if the batch has no contexts. */
export function contextAt({ contexts }: MatchBatch, index: number, start = "", end = ""): string | undefined {
  const context = contexts?.[index];
  return context === undefined ? undefined : context.before + start + context.match + end + context.after;
}

const flagLists = new Map<number, readonly Flag[]>(); // The lists of flags by their bits: most matches have none, and share the empty one

export function flagsOf(bits: number): readonly Flag[] {
  const known = flagLists.get(bits);
  if (known !== undefined) return known;
  const flags = Object.freeze(FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0));
  flagLists.set(bits, flags);
  return flags;
}
