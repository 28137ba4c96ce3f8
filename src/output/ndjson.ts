// Records as NDJSON, written as bytes: no string and no object is made for a match.
// Normalized URLs and raw forms hold no quote, backslash or control (SPEC X3, X7), so they are copied as they are.
import {
  REASON_NONE,
  RECORD_END,
  RECORD_FLAGS,
  RECORD_HOST,
  RECORD_HOST_LENGTH,
  RECORD_KIND,
  RECORD_RAW,
  RECORD_RAW_LENGTH,
  RECORD_REASON,
  RECORD_SCHEME,
  RECORD_SCHEME_LENGTH,
  RECORD_START,
  RECORD_URL,
  RECORD_URL_LENGTH,
  RECORD_WORDS,
} from "#core/layout/codes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { FLAGS, KINDS, REASONS } from "../core/names.ts";
import { type Location, type LocationJson, Match, type MatchBatch, type MatchJson } from "../scanner/batch.ts";
import { jsonText } from "../shown.ts";
import type { FormatOptions, OutputFormat } from "./format.ts";

const utf8 = new TextEncoder();
const URL_KEY = viewOf('{"url":"');
const RAW_KEY = viewOf('","raw":"');
const NULL_URL_RAW_KEY = viewOf('{"url":null,"raw":"');
const NULL_URL_SCHEME_KEY = viewOf('{"url":null,"scheme":"');
const SCHEME_KEY = viewOf('","scheme":"');
/** By row, for text without a scheme. */
const SCHEME_NAMES = SCHEMES.map(({ name }) => viewOf(name));
const HOST_KEY = viewOf('","host":"');
const NULL_HOST_KEY = viewOf('","host":null');
const END_KEY = viewOf(',"end":');

const QUOTE = 0x22;

/** Bytes of a record beside its URL, its raw form, its host, its scheme and its source, whose characters take 3 bytes at most. */
const FIXED_BYTES_MOST = 512;
/** Bytes of records that leave together, about: however long records are, they need no more room. */
const PIECE_BYTES = 1 << 22;
/** The same for records that are made as text: characters. */
const PIECE_CHARACTERS = 1 << 18;
/** From here on a typed array's own copy is faster than a loop. */
const SET_BYTES_LEAST = 160;
/** Numbers below need no more than 32 bits and nine digits. */
const NINE_DIGITS = 1_000_000_000;

/** Where all writers of this thread write: one that starts with little and grows would leave megabytes behind for each block or file. */
let room = new DataView(new ArrayBuffer(1 << 16));

/** Records in the form of `Match.toJSON`, one a line. */
export const ndjson: OutputFormat = {
  takes: "matches",
  writer: (options, write) => {
    const writer = new NdjsonWriter(options, write);
    return (batch) => writer.write(batch);
  },
};

class NdjsonWriter {
  readonly #take: (bytes: Uint8Array, count: number) => void;
  readonly #fields: readonly (keyof MatchJson)[] | undefined;
  /** Name of the source whose matches were written last, and how records give it. */
  #name: string | undefined;
  #source = "";
  readonly #middles = new Map<number, DataView>();
  /** The JSON of the message that was written last. */
  #message: { of: object; json: string } = { of: {}, json: "" };
  /** What stands behind the offsets of the record. */
  #tail = new DataView(new ArrayBuffer(1 << 12));

  constructor({ fields }: FormatOptions, take: (bytes: Uint8Array, count: number) => void) {
    this.#fields = fields;
    this.#take = take;
  }

  write(batch: MatchBatch): void {
    const needsObjects = this.#fields !== undefined || batch.chains !== undefined || (batch.mayHoldQuotes && batch.bytes.includes(QUOTE));
    if (needsObjects) this.#writeObjects(batch);
    else this.#writeRows(batch);
  }

  #writeRows(batch: MatchBatch): void {
    this.#setSource(batch.source);
    const { rows, base, count, locations, hidesRaw = false } = batch;
    const bytes = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    let at = 0;
    let first = 0;
    let last: Location | undefined;
    let tailBytes = this.#putTail(undefined);
    for (let index = 0; index < count; index++) {
      if (at >= PIECE_BYTES) {
        this.#take(new Uint8Array(room.buffer, 0, at), index - first);
        at = 0;
        first = index;
      }
      const row = index * RECORD_WORDS;
      const place = locations?.list[locations.of[index]];
      if (place !== last) tailBytes = this.#putTail(place);
      last = place;
      const out = this.#reserve(at, 2 * (rows[row + RECORD_URL_LENGTH] + rows[row + RECORD_RAW_LENGTH]) + tailBytes);
      at = putUrls(out, at, rows, row, bytes, hidesRaw);
      at = copy(out, at, this.#middle(rows, row));
      at = putNumber(out, at, base + rows[row + RECORD_START]);
      at = copy(out, at, END_KEY);
      at = putNumber(out, at, base + rows[row + RECORD_END]);
      at = copyPart(out, at, this.#tail, 0, tailBytes);
    }
    if (at > 0) this.#take(new Uint8Array(room.buffer, 0, at), count - first);
  }

  #setSource(name: string | undefined): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#source = name === undefined ? "" : `,"source":${jsonText(name)}`;
    this.#middles.clear();
  }

  #writeObjects(batch: MatchBatch): void {
    let text = "";
    let first = 0;
    for (let index = 0; index < batch.count; index++) {
      const match = new Match(batch, index);
      text += `${jsonText(this.#fields === undefined ? match : picked(match, this.#fields))}\n`;
      if (text.length < PIECE_CHARACTERS && index + 1 < batch.count) continue;
      this.#take(utf8.encode(text), index + 1 - first);
      text = "";
      first = index + 1;
    }
  }

  /** Puts into #tail what stands behind the offsets of a match at `place`; returns its length in bytes. */
  #putTail(place: Location | undefined): number {
    const text = place === undefined ? "}\n" : this.#tailOf(place);
    // A character of a string takes three bytes at most.
    if (3 * text.length > this.#tail.byteLength) this.#tail = new DataView(new ArrayBuffer(3 * text.length));
    return utf8.encodeInto(text, new Uint8Array(this.#tail.buffer)).written;
  }

  #tailOf({ message, part, where, quote }: Location): string {
    if (this.#message.of !== message) this.#message = { of: message, json: jsonText(message).slice(1, -1) };
    const { json } = this.#message;
    const numbered = part === "" ? "" : `,"part":"${part}"`;
    return `${json === "" ? "" : `,${json}`}${numbered},"where":${jsonText(where)}${quote === 0 ? "" : `,"quote":${quote}`}}\n`;
  }

  // What ends a host, keys kind, flags, reason and source, and the key start: a few forms for each source.
  #middle(rows: Int32Array, row: number): DataView {
    const kind = rows[row + RECORD_KIND];
    const flags = rows[row + RECORD_FLAGS];
    const reason = rows[row + RECORD_REASON];
    const quote = rows[row + RECORD_HOST_LENGTH] === 0 ? "" : '"';
    const key = ((flags * REASONS.length + reason) * KINDS.length + kind) * 2 + quote.length;
    let middle = this.#middles.get(key);
    if (middle === undefined) {
      const names = FLAGS.filter((_, bit) => (flags & (1 << bit)) !== 0);
      const refused = reason === REASON_NONE ? "" : `,"reason":"${REASONS[reason]}"`;
      middle = viewOf(`${quote},"kind":"${KINDS[kind]}","flags":${JSON.stringify(names)}${refused}${this.#source},"start":`);
      this.#middles.set(key, middle);
    }
    return middle;
  }

  #reserve(at: number, textBytes: number): DataView {
    return grow(at, at + textBytes + 3 * this.#source.length + FIXED_BYTES_MOST);
  }
}

/** The room, with place for `needed` bytes; the first `used` are kept. */
function grow(used: number, needed: number): DataView {
  if (needed > room.byteLength) {
    const larger = new Uint8Array(Math.max(needed, 2 * room.byteLength));
    larger.set(new Uint8Array(room.buffer, 0, used));
    room = new DataView(larger.buffer);
  }
  return room;
}

/** The fields of a match that are asked for, in that order; no others are made. */
function picked(match: Match, fields: readonly (keyof MatchJson)[]): object {
  const { place } = match;
  const record: Record<string, unknown> = {};
  for (const name of fields) record[name] = name in match ? match[name as keyof Match] : place?.[name as keyof LocationJson];
  return record;
}

function viewOf(text: string): DataView {
  const bytes = utf8.encode(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Keys url, raw, scheme and host, without the quotation mark that ends a host.
function putUrls(out: DataView, start: number, rows: Int32Array, row: number, bytes: DataView, hidesRaw: boolean): number {
  const raw = rows[row + RECORD_RAW];
  const hostLength = rows[row + RECORD_HOST_LENGTH];
  const isTaken = rows[row + RECORD_REASON] === REASON_NONE;
  let at = start;
  if (isTaken) {
    at = copy(out, at, URL_KEY);
    at = copyPart(out, at, bytes, rows[row + RECORD_URL], rows[row + RECORD_URL_LENGTH]);
    if (!hidesRaw) at = copy(out, at, RAW_KEY);
  } else {
    at = copy(out, at, hidesRaw ? NULL_URL_SCHEME_KEY : NULL_URL_RAW_KEY);
  }
  if (!hidesRaw) at = copyPart(out, at, bytes, raw, rows[row + RECORD_RAW_LENGTH]);
  if (!hidesRaw || isTaken) at = copy(out, at, SCHEME_KEY);
  const scheme = isTaken ? rows[row + RECORD_URL] : raw;
  const schemeEnd = scheme + rows[row + RECORD_SCHEME_LENGTH];
  // Digits, "+", "-" and "." have the bit of lower case already.
  if (schemeEnd === scheme) at = copy(out, at, SCHEME_NAMES[rows[row + RECORD_SCHEME]] as DataView);
  for (let from = scheme; from < schemeEnd; from++) out.setUint8(at++, bytes.getUint8(from) | 0x20);
  if (hostLength === 0) return copy(out, at, NULL_HOST_KEY);
  at = copy(out, at, HOST_KEY);
  return copyPart(out, at, bytes, rows[row + RECORD_HOST], hostLength);
}

function copy(out: DataView, at: number, bytes: DataView): number {
  return copyPart(out, at, bytes, 0, bytes.byteLength);
}

// Four bytes at a time: twice as fast as a loop over bytes, and for a hundred of them twice as fast as subarray and set.
function copyPart(out: DataView, at: number, bytes: DataView, from: number, length: number): number {
  if (length >= SET_BYTES_LEAST) {
    new Uint8Array(out.buffer).set(new Uint8Array(bytes.buffer, bytes.byteOffset + from, length), at);
    return at + length;
  }
  const words = length & ~3;
  for (let index = 0; index < words; index += 4) out.setInt32(at + index, bytes.getInt32(from + index, true), true);
  for (let index = words; index < length; index++) out.setUint8(at + index, bytes.getUint8(from + index));
  return at + length;
}

function putNumber(out: DataView, at: number, value: number): number {
  if (value < NINE_DIGITS) return putDigits(out, at, value, digitsOf(value));
  const high = Math.floor(value / NINE_DIGITS);
  return putDigits(out, putDigits(out, at, high, digitsOf(high)), value - high * NINE_DIGITS, 9);
}

function digitsOf(value: number): number {
  let length = 1;
  for (let limit = 10; limit <= value; limit *= 10) length++;
  return length;
}

function putDigits(out: DataView, at: number, value: number, length: number): number {
  let rest = value | 0;
  for (let digit = at + length - 1; digit >= at; digit--) {
    const tenth = (rest / 10) | 0;
    out.setUint8(digit, 0x30 + rest - tenth * 10);
    rest = tenth;
  }
  return at + length;
}
