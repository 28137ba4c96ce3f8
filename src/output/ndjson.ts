// Format ndjson: a record a line, as JSON, in the form of `Match.toJSON`.
// Normalized URLs and raw forms have no quotation mark, backslash or control (X3, X7), so they are copied as they are; only in raw forms of
// values of attributes (X9) there may be one.
import * as code from "#core/layout/codes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { FLAGS, KINDS, REASONS } from "../core/names.ts";
import type { MessageDescription } from "../mail/describe.ts";
import { type Location, Match, type MatchBatch, type MatchJson, withRecordNames } from "../scanner/batch.ts";
import { jsonText } from "../shown.ts";
import type { FormatOptions, OutputFormat, WriteRecords } from "./output-format.ts";
import { put, putLowerCase, putNumber, putPart, putText, reserve, takeBytes, usedBytes, viewOf } from "./text-buffer.ts";

const utf8 = new TextEncoder();
const URL_KEY = viewOf('{"url":"');
const RAW_KEY = viewOf('","raw":"');
const NULL_URL_RAW_KEY = viewOf('{"url":null,"raw":"');
const NULL_URL_SCHEME_KEY = viewOf('{"url":null,"scheme":"');
const SCHEME_KEY = viewOf('","scheme":"');
/** By row of the core's table, for text without a scheme. */
const SCHEME_NAMES = SCHEMES.map(({ name }) => viewOf(name));
const HOST_KEY = viewOf('","host":"');
const NULL_HOST_KEY = viewOf('","host":null');
const END_KEY = viewOf(',"end":');
const MESSAGE_KEY = ',"message":';

/** Bytes that JSON escapes: a quotation mark, a backslash. */
const ESCAPED = [0x22, 0x5c] as const;

/** Most bytes of a record without its URL, raw form, host, scheme, source and location. */
const FIXED_BYTES_MOST = 512;
/** Records are given on when they have this many bytes together: they need no more memory, however long they are. */
const PIECE_BYTES = 1 << 22;
/** The same for records that are made as strings. */
const OBJECTS_BYTES = 1 << 18;

/** Records as JSON, one a line. */
export const ndjson: OutputFormat = (options, write) => {
  const writer = new NdjsonWriter(options, write);
  return (batch) => writer.write(batch);
};

class NdjsonWriter {
  readonly #write: WriteRecords;
  readonly #fields: readonly (keyof MatchJson)[] | undefined;
  /** Name of the source of the last batch, and how records give it. */
  #name: string | undefined;
  #source = "";
  /** The forms that `#middleOf` made for this source. */
  readonly #middles = new Map<number, DataView>();
  /** The JSON of the last message. */
  #message: { of: object; json: string } = { of: {}, json: "" };
  /** The part of a record after its offsets. */
  #tail = new DataView(new ArrayBuffer(1 << 12));
  #tailView = new Uint8Array(this.#tail.buffer);
  #tailBytes = 0;

  constructor({ fields }: FormatOptions, write: WriteRecords) {
    this.#fields = fields;
    this.#write = write;
  }

  write(batch: MatchBatch): void {
    const needsObjects =
      this.#fields !== undefined ||
      batch.chains !== undefined ||
      batch.elements !== undefined ||
      (batch.needsEscapes && ESCAPED.some((byte) => batch.bytes.includes(byte)));
    if (needsObjects) this.#writeObjects(batch);
    else this.#writeRows(batch);
  }

  #writeRows(batch: MatchBatch): void {
    const { rows, base, count, locations, hidesRaw = false } = batch;
    const bytes = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    this.#setSource(batch.source);
    const messagesBefore = locations?.messagesBefore;
    this.#setTail(undefined, 0);
    let numbers: number[] = [];
    let first = 0;
    let last: Location | undefined;
    takeBytes();
    for (let index = 0; index < count; index++) {
      if (usedBytes() >= PIECE_BYTES) {
        this.#write(takeBytes(), index - first, numbers);
        numbers = [];
        first = index;
      }
      const row = index * code.RECORD_WORDS;
      if ((rows[row + code.RECORD_HINT] & code.HINT_UNSAFE) !== 0) {
        this.#putObject(batch, index, numbers);
        continue;
      }
      const location = locations?.list[locations.of[index]];
      if (location !== last) this.#setTail(location, messagesBefore ?? 0);
      last = location;
      const textBytes = 2 * (rows[row + code.RECORD_URL_LENGTH] + rows[row + code.RECORD_RAW_LENGTH]);
      reserve(textBytes + this.#tailBytes + 3 * this.#source.length + FIXED_BYTES_MOST);
      putUrls(rows, row, bytes, hidesRaw);
      put(this.#middleOf(rows, row));
      putNumber(base + rows[row + code.RECORD_START]);
      put(END_KEY);
      putNumber(base + rows[row + code.RECORD_END]);
      if (location !== undefined && messagesBefore === undefined) numbers.push(usedBytes() + MESSAGE_KEY.length, location.number);
      putPart(this.#tail, 0, this.#tailBytes);
    }
    if (usedBytes() > 0) this.#write(takeBytes(), count - first, numbers);
  }

  // For fields that are asked for, chains, elements, and hosts with a quotation mark, which the profile whatwg leaves.
  #writeObjects(batch: MatchBatch): void {
    let numbers: number[] = [];
    let first = 0;
    takeBytes();
    for (let index = 0; index < batch.count; index++) {
      this.#putObject(batch, index, numbers);
      if (usedBytes() < OBJECTS_BYTES && index + 1 < batch.count) continue;
      this.#write(takeBytes(), index + 1 - first, numbers);
      numbers = [];
      first = index + 1;
    }
  }

  #putObject(batch: MatchBatch, index: number, numbers: number[]): void {
    const match = new Match(batch, index);
    const record = `${jsonText(this.#fields === undefined ? match : picked(match, this.#fields))}\n`;
    if (batch.locations !== undefined && batch.locations.messagesBefore === undefined) {
      // In a string of JSON the quotation marks have a backslash before them.
      const number = /[{,]"message":(?=\d)/.exec(record);
      const digits = number === null ? 0 : number.index + number[0].length;
      if (number !== null) numbers.push(usedBytes() + utf8.encode(record.slice(0, digits)).length, match.place?.message ?? 0);
    }
    putText(record);
  }

  #setSource(name: string | undefined): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#source = name === undefined ? "" : `,"source":${jsonText(name)}`;
    this.#middles.clear();
  }

  #setTail(location: Location | undefined, messagesBefore: number): void {
    const text = location === undefined ? "}\n" : this.#tailOf(location, messagesBefore);
    // A character of a string takes three bytes at most.
    if (3 * text.length > this.#tail.byteLength) this.#setTailRoom(3 * text.length);
    this.#tailBytes = utf8.encodeInto(text, this.#tailView).written;
  }

  #setTailRoom(bytes: number): void {
    this.#tail = new DataView(new ArrayBuffer(bytes));
    this.#tailView = new Uint8Array(this.#tail.buffer);
  }

  #tailOf({ message, number, part, where, quote }: Location, messagesBefore: number): string {
    if (this.#message.of !== message) this.#message = { of: message, json: membersOf(message) };
    const numbered = part === "" ? "" : `,"part":"${part}"`;
    const fields = number === 0 ? "" : `${MESSAGE_KEY}${number + messagesBefore}${this.#message.json}`;
    return `${fields}${numbered},"where":${stringText(where)}${quote === 0 ? "" : `,"quote":${quote}`}}\n`;
  }

  // The end of a host, kind, flags, reason, source, and the key of the start: a few forms for each source.
  #middleOf(rows: Int32Array, row: number): DataView {
    const kind = rows[row + code.RECORD_KIND];
    const flags = rows[row + code.RECORD_FLAGS];
    const reason = rows[row + code.RECORD_REASON];
    const quote = rows[row + code.RECORD_HOST_LENGTH] === 0 ? "" : '"';
    const key = ((flags * REASONS.length + reason) * KINDS.length + kind) * 2 + quote.length;
    let middle = this.#middles.get(key);
    if (middle === undefined) {
      const names = FLAGS.filter((_, bit) => (flags & (1 << bit)) !== 0);
      const refused = reason === code.REASON_NONE ? "" : `,"reason":"${REASONS[reason]}"`;
      middle = viewOf(`${quote},"kind":"${KINDS[kind]}","flags":${JSON.stringify(names)}${refused}${this.#source},"start":`);
      this.#middles.set(key, middle);
    }
    return middle;
  }
}

/** Returns what a message says of itself as members of JSON, each after a comma. */
function membersOf(message: MessageDescription): string {
  const record = withRecordNames(message);
  let members = "";
  for (const name in record) members += `,"${name}":${stringText(record[name as keyof typeof record] as string)}`;
  return members;
}

/** Printed ASCII that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns a string as JSON. */
function stringText(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : jsonText(text);
}

/** Returns the fields of a match that are asked for, in that order; makes no others. */
function picked(match: Match, fields: readonly (keyof MatchJson)[]): object {
  const place: Partial<MatchJson> = match.place === undefined ? {} : withRecordNames(match.place);
  const record: Record<string, unknown> = {};
  for (const name of fields) record[name] = name in match ? match[name as keyof Match] : place[name];
  return record;
}

/** Puts url, raw, scheme and host, without the quotation mark that ends a host. */
function putUrls(rows: Int32Array, row: number, bytes: DataView, hidesRaw: boolean): void {
  const raw = rows[row + code.RECORD_RAW];
  const hostLength = rows[row + code.RECORD_HOST_LENGTH];
  const hasUrl = rows[row + code.RECORD_REASON] === code.REASON_NONE;
  if (hasUrl) {
    put(URL_KEY);
    putPart(bytes, rows[row + code.RECORD_URL], rows[row + code.RECORD_URL_LENGTH]);
    if (!hidesRaw) put(RAW_KEY);
  } else {
    put(hidesRaw ? NULL_URL_SCHEME_KEY : NULL_URL_RAW_KEY);
  }
  if (!hidesRaw) putPart(bytes, raw, rows[row + code.RECORD_RAW_LENGTH]);
  if (!hidesRaw || hasUrl) put(SCHEME_KEY);
  const schemeLength = rows[row + code.RECORD_SCHEME_LENGTH];
  if (schemeLength === 0) put(SCHEME_NAMES[rows[row + code.RECORD_SCHEME]] as DataView);
  else putLowerCase(bytes, hasUrl ? rows[row + code.RECORD_URL] : raw, schemeLength);
  if (hostLength === 0) {
    put(NULL_HOST_KEY);
  } else {
    put(HOST_KEY);
    putPart(bytes, rows[row + code.RECORD_HOST], hostLength);
  }
}
