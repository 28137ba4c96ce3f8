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
  RECORD_SCHEME_LENGTH,
  RECORD_START,
  RECORD_URL,
  RECORD_URL_LENGTH,
  RECORD_WORDS,
} from "#core/tables/codes.js";
import { FLAGS, KINDS, REASONS } from "../core/names.ts";
import type { MatchBatch } from "../window/batch.ts";

const utf8 = new TextEncoder();
const URL_KEY = utf8.encode('{"url":"');
const NULL_URL_KEY = utf8.encode('{"url":null');
const QUOTE = utf8.encode('"');
const RAW_KEY = utf8.encode(',"raw":"');
const SCHEME_KEY = utf8.encode('","scheme":"');
const HOST_KEY = utf8.encode('","host":"');
const NULL_HOST_KEY = utf8.encode('","host":null');
const END_KEY = utf8.encode(',"end":');
const RECORD_TAIL = utf8.encode("}\n");

/** Bytes of a record beside its URL, its raw form, its host, its scheme and its source, whose characters take 3 bytes at most. */
const FIXED_BYTES_MOST = 512;
/** Up to here a loop is faster than a view and `set`. */
const LOOP_BYTES_MOST = 48;

/** Writes the records of one source (undefined: it has no name), in the form of `Match.toJSON`. */
export class NdjsonWriter {
  readonly #source: string;
  readonly #middles = new Map<number, Uint8Array>();
  #out = new Uint8Array(1 << 16);

  constructor(source: string | undefined) {
    this.#source = source === undefined ? "" : `,"source":${JSON.stringify(source)}`;
  }

  /** The records of `batch`, one a line; the view is valid until the next call. */
  write(batch: MatchBatch): Uint8Array {
    const { rows, bytes, base, count } = batch;
    let at = 0;
    for (let index = 0; index < count; index++) {
      const row = index * RECORD_WORDS;
      const out = this.#reserve(at, 2 * (rows[row + RECORD_URL_LENGTH] + rows[row + RECORD_RAW_LENGTH]));
      at = this.#putUrls(out, at, rows, row, bytes);
      at = copy(out, at, this.#middle(rows[row + RECORD_KIND], rows[row + RECORD_FLAGS], rows[row + RECORD_REASON]));
      at = putNumber(out, at, base + rows[row + RECORD_START]);
      at = copy(out, at, END_KEY);
      at = putNumber(out, at, base + rows[row + RECORD_END]);
      at = copy(out, at, RECORD_TAIL);
    }
    return this.#out.subarray(0, at);
  }

  // Keys url, raw, scheme and host.
  #putUrls(out: Uint8Array, start: number, rows: Int32Array, row: number, bytes: Uint8Array): number {
    const url = rows[row + RECORD_URL];
    const raw = rows[row + RECORD_RAW];
    const hostLength = rows[row + RECORD_HOST_LENGTH];
    let at = start;
    if (rows[row + RECORD_REASON] === REASON_NONE) {
      at = copy(out, at, URL_KEY);
      at = copyPart(out, at, bytes, url, rows[row + RECORD_URL_LENGTH]);
      at = copy(out, at, QUOTE);
    } else {
      at = copy(out, at, NULL_URL_KEY);
    }
    at = copy(out, at, RAW_KEY);
    at = copyPart(out, at, bytes, raw, rows[row + RECORD_RAW_LENGTH]);
    at = copy(out, at, SCHEME_KEY);
    const schemeEnd = raw + rows[row + RECORD_SCHEME_LENGTH];
    // Digits, "+", "-" and "." have the bit of lower case already.
    for (let from = raw; from < schemeEnd; from++) out[at++] = bytes[from] | 0x20;
    if (hostLength === 0) return copy(out, at, NULL_HOST_KEY);
    at = copy(out, at, HOST_KEY);
    at = copyPart(out, at, bytes, rows[row + RECORD_HOST], hostLength);
    return copy(out, at, QUOTE);
  }

  // Keys kind, flags, reason and source, and the key start: a few forms for each source.
  #middle(kind: number, flags: number, reason: number): Uint8Array {
    const key = (flags * REASONS.length + reason) * KINDS.length + kind;
    let middle = this.#middles.get(key);
    if (middle === undefined) {
      const names = FLAGS.filter((_, bit) => (flags & (1 << bit)) !== 0);
      const refused = reason === REASON_NONE ? "" : `,"reason":"${REASONS[reason]}"`;
      middle = utf8.encode(`,"kind":"${KINDS[kind]}","flags":${JSON.stringify(names)}${refused}${this.#source},"start":`);
      this.#middles.set(key, middle);
    }
    return middle;
  }

  #reserve(at: number, textBytes: number): Uint8Array {
    const needed = at + textBytes + 3 * this.#source.length + FIXED_BYTES_MOST;
    if (needed > this.#out.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#out.length));
      larger.set(this.#out.subarray(0, at));
      this.#out = larger;
    }
    return this.#out;
  }
}

function copy(out: Uint8Array, at: number, bytes: Uint8Array): number {
  return copyPart(out, at, bytes, 0, bytes.length);
}

function copyPart(out: Uint8Array, at: number, bytes: Uint8Array, from: number, length: number): number {
  if (length > LOOP_BYTES_MOST) out.set(bytes.subarray(from, from + length), at);
  else for (let index = 0; index < length; index++) out[at + index] = bytes[from + index];
  return at + length;
}

function putNumber(out: Uint8Array, at: number, value: number): number {
  let length = 1;
  for (let limit = 10; limit <= value; limit *= 10) length++;
  let rest = value;
  for (let digit = at + length - 1; digit >= at; digit--) {
    const tenth = Math.floor(rest / 10);
    out[digit] = 0x30 + rest - tenth * 10;
    rest = tenth;
  }
  return at + length;
}
