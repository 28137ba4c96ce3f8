// Writes the key of a match: the values of some of its fields, as bytes. Most values are copied from the batch or were remembered at an
// earlier match, so that hardly any strings are made.
import * as code from "#core/layout/codes.js";
import { grown, viewOf } from "../base/arrays.ts";
import { FLAGS } from "../core/names.ts";
import { registrableDomain } from "../core/public-suffix.ts";
import { decodeUtf8 } from "../core/text.ts";
import type { MatchBatch } from "../matches/batch.ts";
import {
  type FieldReader,
  type FieldValue,
  isLocationField,
  kindKey,
  locationAt,
  locationReaderOf,
  rawAt,
  readerOf,
} from "../matches/field-values.ts";
import { fieldOf, type KeyField } from "../options/fields.ts";
import { END, encodedValue, VALUE, VALUE_BYTES_MORE } from "./key-fields.ts";
import { copyBytes, KeyTable, murmur3, NO_ROOM } from "./key-table.ts";

const KEY_BYTES_LEAST = 1 << 12;
const HOSTS_BYTES_MOST = 1 << 20; // Most bytes of the table of hosts whose domains are remembered
const VALUES_MOST = 1 << 12; // Most remembered values of a field. With --any-scheme there may be any number of schemes.
const NOT_URL = 0xff; // Precedes the raw form of a match without a URL, because no encoded value begins with this byte

/** A function of the match in row `index` of a batch. Without a result it adds a value to the key. */
type OfMatch<Result = void> = (batch: MatchBatch, index: number) => Result;

/** Writes the keys of matches. A key is valid until the next one is written. */
export class KeyWriter {
  readonly #parts: readonly OfMatch[];
  /** The key, from offset 0 on. */
  bytes = new Uint8Array(KEY_BYTES_LEAST);
  view = new DataView(this.bytes.buffer);
  length = 0;
  /** Whether a field of the key has a value. */
  hasValue = false;
  /** Index in FLAGS of the value of the field `flag`, set by the caller; below 0: no value. */
  flag = -1;

  /**
   * `identityFrom`: matches with equal values of the fields from this index on are repetitions. So the raw form replaces a missing URL, and
   * the message number a missing Message-ID. The source is added to message numbers. `head`: bytes that all keys begin with.
   */
  constructor(fields: readonly KeyField[], identityFrom = fields.length, head = NO_HEAD) {
    const parts = fields.map((name, index) => this.#partOf(name, index >= identityFrom));
    this.#parts = head.length === 0 ? parts : [() => this.addValue(head), ...parts];
  }

  /** Writes the key of the match in row `index`; returns its length. */
  write(batch: MatchBatch, index: number): number {
    this.length = 0;
    this.hasValue = false;
    for (const add of this.#parts) add(batch, index);
    return this.length;
  }

  /** Adds an encoded value; returns the length of the key. */
  addValue(value: Uint8Array): number {
    const { length } = value;
    this.#reserve(length);
    const { bytes } = this;
    for (let index = 0; index < length; index++) bytes[this.length + index] = value[index];
    this.length += length;
    if (length > 1) this.hasValue = true;
    return this.length;
  }

  /** Adds a number to a key without values, so that it differs from all keys with values; returns the length of the key. */
  addNumber(value: number): number {
    this.#reserve(Float64Array.BYTES_PER_ELEMENT);
    this.view.setFloat64(this.length, value);
    this.length += Float64Array.BYTES_PER_ELEMENT;
    return this.length;
  }

  #partOf(name: KeyField, isIdentity: boolean): OfMatch {
    if (name === "flag") {
      const names = FLAGS.map((flag) => encodedValue(name, flag));
      return () => this.addValue(names[this.flag] ?? NO_VALUE);
    }
    if (name === "host") return (batch, index) => this.#addField(batch, index, code.RECORD_HOST, code.RECORD_HOST_LENGTH);
    if (name === "url") return (batch, index) => this.#addUrl(batch, index, isIdentity);
    if (name === "domain") return this.#domainPart();
    const read = readerOf(name);
    if (name === "source" || name === "folder") return this.#remembered(name, read, ({ source }) => source);
    if (name === "scheme") return this.#remembered(name, read, read, new Map());
    if (fieldOf(name).origin === "kind") return this.#remembered(name, read, kindKey, new Map());
    if (!isLocationField(name)) return (batch, index) => this.addValue(encodedValue(name, read(batch, index)));
    const isLocal = fieldOf(name).origin === "location";
    const [reader, numberOf] = [locationReaderOf(name), locationReaderOf("message")];
    const readLocation: FieldReader = (batch, index) => {
      const location = locationAt(batch, index);
      const before = batch.locations?.messagesBefore ?? 0;
      const value: FieldValue = location && reader(location, before);
      const isNumber = isIdentity && (name === "message" || (name === "message_id" && value === undefined));
      const number = isNumber ? location && numberOf(location, before) : undefined;
      // A Message-ID has no space (RFC 5322, section 3.6.4).
      return number === undefined ? value : `${number} ${batch.source ?? ""}`;
    };
    const ownerOf: OfMatch<unknown> = (batch, index) => (isLocal ? locationAt(batch, index) : locationAt(batch, index)?.message);
    return this.#remembered(name, readLocation, ownerOf);
  }

  /** Returns a function that adds a value, and remembers the last one, or those in `values`, by the result of `keyOf`. */
  #remembered(name: KeyField, read: FieldReader, keyOf: OfMatch<unknown>, values?: Map<unknown, Uint8Array>): OfMatch {
    let last: unknown;
    let value: Uint8Array = NOT_READ;
    return (batch, index) => {
      const key = keyOf(batch, index);
      if (key !== last) {
        last = key;
        value = values?.get(key) ?? NOT_READ;
      }
      if (value === NOT_READ) {
        if (values?.size === VALUES_MOST) values.clear();
        value = encodedValue(name, read(batch, index));
        values?.set(key, value);
      }
      this.addValue(value);
    };
  }

  /** Returns a function that adds the domain of a host. It remembers hosts by their bytes: a Map would need a string for each match. */
  #domainPart(): OfMatch {
    const newTable = (): KeyTable => new KeyTable(1, HOSTS_BYTES_MOST, murmur3, 0);
    let hosts = newTable();
    let domains: Uint8Array[] = [];
    return (batch, index) => {
      const row = index * code.RECORD_WORDS;
      const start = batch.rows[row + code.RECORD_HOST];
      const end = start + batch.rows[row + code.RECORD_HOST_LENGTH];
      if (start === end) return void this.addValue(NO_VALUE);
      batch.view ??= viewOf(batch.bytes);
      let address = hosts.reach(batch.view, start, end);
      if (address === NO_ROOM) {
        [hosts, domains] = [newTable(), []];
        address = hosts.reach(batch.view, start, end);
      }
      if (hosts.isNew) {
        hosts.numbers[hosts.at] = domains.length;
        domains.push(encodedValue("domain", registrableDomain(decodeUtf8(batch.bytes, start, end))));
      }
      this.addValue(domains[hosts.numbers[hosts.at]]);
    };
  }

  #addUrl(batch: MatchBatch, index: number, isIdentity: boolean): void {
    if (batch.rows[index * code.RECORD_WORDS + code.RECORD_REASON] === code.REASON_NONE) {
      this.#addField(batch, index, code.RECORD_URL, code.RECORD_URL_LENGTH);
    } else if (isIdentity) {
      this.#reserve(1);
      this.bytes[this.length++] = NOT_URL;
      this.addValue(encodedValue("raw", rawAt(batch, index)));
    } else this.addValue(NO_VALUE);
  }

  /** Adds the text of the batch that two words of the row name: its address and its length. An empty text is no value. */
  #addField(batch: MatchBatch, index: number, field: number, lengthField: number): void {
    const row = index * code.RECORD_WORDS;
    const length = batch.rows[row + lengthField];
    this.#reserve(length);
    if (length > 0) {
      const start = batch.rows[row + field];
      this.hasValue = true;
      this.bytes[this.length++] = VALUE;
      batch.view ??= viewOf(batch.bytes);
      copyBytes(batch.view, start, start + length, this, this.length);
      this.length += length;
    }
    this.bytes[this.length++] = END;
  }

  #reserve(length: number): void {
    const most = this.length + length + VALUE_BYTES_MORE;
    if (most <= this.bytes.length) return;
    this.bytes = grown(this.bytes, 2 * most);
    this.view = new DataView(this.bytes.buffer);
  }
}

const NO_VALUE = Uint8Array.of(END);
const NOT_READ = new Uint8Array(0); // Instead of a value that is not remembered
const NO_HEAD = new Uint8Array(0);
