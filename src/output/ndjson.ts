// Format ndjson: a record a line, as JSON, in the form of `Match.toJSON`.
// Normalized URLs and raw forms have no quotation mark, backslash or control (X3, X7), so the core copies them as they are; only in raw
// forms of values of attributes (X9) there may be one.
import * as code from "#core/layout/codes.js";
import { FLAGS, KINDS, REASONS } from "../core/names.ts";
import type { MessageDescription } from "../mail/describe.ts";
import { type Location, Match, type MatchBatch, type MatchJson, RECORD_NAMES, withRecordNames } from "../scanner/batch.ts";
import { jsonText } from "../shown.ts";
import type { FormatOptions, OutputFormat, WriteRecords } from "./output-format.ts";
import { FIELDS_BYTES_MOST, type RecordFormat, writeRows } from "./row-writer.ts";

const utf8 = new TextEncoder();
const MESSAGE_KEY = ',"message":';
/** What is between the fields of a record, in the order of TEXT_*. */
const BETWEEN = ['{"url":"', '{"url":null', ',"raw":"', ',"scheme":"', '","host":"', '","host":null', ',"end":'];

/** Bytes that JSON escapes: a quotation mark, a backslash. */
const ESCAPED = [0x22, 0x5c] as const;
/** If more than one row in so many needs escapes, all records are made as strings: the core would write only short runs. */
const UNSAFE_SHARE = 64;
/** Names of `where` that are kept. */
const WHERES_MOST = 1024;
/** Records that are made as strings are given on when they have this many characters together. */
const OBJECTS_LENGTH = 1 << 18;

/** Records as JSON, one a line. */
export const ndjson: OutputFormat = (options, write) => {
  const writer = new NdjsonWriter(options, write);
  return (batch) => writer.write(batch);
};

class NdjsonWriter implements RecordFormat {
  readonly between = BETWEEN;
  readonly numberAt = MESSAGE_KEY.length;
  readonly #write: WriteRecords;
  readonly #fields: readonly (keyof MatchJson)[] | undefined;
  /** Name of the source of the last batch, and how records give it. */
  #name: string | undefined;
  #source = "";
  /** The JSON of the last message. */
  #message: { of: object; json: string } = { of: {}, json: "" };
  /** The JSON of names that `where` had: most archives have few. */
  readonly #wheres = new Map<string, string>();

  constructor({ fields }: FormatOptions, write: WriteRecords) {
    this.#fields = fields;
    this.#write = write;
  }

  write(batch: MatchBatch): void {
    if (this.#needsObjects(batch)) {
      this.#writeObjects(batch);
    } else {
      this.#setSource(batch.source);
      writeRows(batch, this, { write: this.#write, writeOther: (index) => this.#writeObject(batch, index) });
    }
  }

  /** Whether JSON must escape what the core would copy (whatwg leaves quotation marks in hosts), or fields are not the usual ones. */
  #needsObjects(batch: MatchBatch): boolean {
    const { chains, elements, needsEscapes, bytes } = batch;
    if (this.#fields !== undefined || chains !== undefined || elements !== undefined || bytes.length > FIELDS_BYTES_MOST) return true;
    if (needsEscapes === true && ESCAPED.some((byte) => bytes.includes(byte))) return true;
    return unsafeRowsOf(batch) * UNSAFE_SHARE > batch.count;
  }

  #writeObjects(batch: MatchBatch): void {
    let records: string[] = [];
    let length = 0;
    for (let index = 0; index < batch.count; index++) {
      const record = this.#recordOf(batch, index);
      records.push(record);
      length += record.length;
      if (length < OBJECTS_LENGTH && index + 1 < batch.count) continue;
      this.#writeRecords(batch, records, index + 1 - records.length);
      records = [];
      length = 0;
    }
  }

  #writeObject(batch: MatchBatch, index: number): void {
    this.#writeRecords(batch, [this.#recordOf(batch, index)], index);
  }

  #recordOf(batch: MatchBatch, index: number): string {
    const match = new Match(batch, index);
    return `${jsonText(this.#fields === undefined ? match : picked(match, this.#fields))}\n`;
  }

  /** Writes the records of the rows from `first` on. */
  #writeRecords({ locations }: MatchBatch, records: readonly string[], first: number): void {
    const numbers: number[] = [];
    if (locations !== undefined && locations.messagesBefore === undefined) {
      let before = 0;
      records.forEach((record, index) => {
        // In a string of JSON the quotation marks have a backslash before them.
        const found = /[{,]"message":(?=\d)/.exec(record);
        const number = locations.list[locations.of[first + index] as number]?.number ?? 0;
        if (found !== null) numbers.push(before + byteLength(record.slice(0, found.index + found[0].length)), number);
        before += byteLength(record);
      });
    }
    this.#write(utf8.encode(records.join("")), records.length, numbers);
  }

  #setSource(name: string | undefined): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#source = name === undefined ? "" : `,"source":${jsonText(name)}`;
  }

  middleKeyOf(rows: Int32Array, row: number): number {
    const flags = rows[row + code.RECORD_FLAGS] as number;
    const reason = rows[row + code.RECORD_REASON] as number;
    const kind = rows[row + code.RECORD_KIND] as number;
    return (flags * REASONS.length + reason) * KINDS.length + kind;
  }

  /** Kind, flags, reason, source, and the key of the start. */
  middleOf(rows: Int32Array, row: number): string {
    const kind = KINDS[rows[row + code.RECORD_KIND] as number];
    const flags = FLAGS.filter((_, bit) => ((rows[row + code.RECORD_FLAGS] as number) & (1 << bit)) !== 0);
    const reason = rows[row + code.RECORD_REASON] as number;
    const refused = reason === code.REASON_NONE ? "" : `,"reason":"${REASONS[reason]}"`;
    return `,"kind":"${kind}","flags":${JSON.stringify(flags)}${refused}${this.#source},"start":`;
  }

  #whereText(where: string): string {
    const known = this.#wheres.get(where);
    if (known !== undefined) return known;
    if (this.#wheres.size === WHERES_MOST) this.#wheres.clear();
    const text = stringText(where);
    this.#wheres.set(where, text);
    return text;
  }

  tailOf(location: Location | undefined, messagesBefore: number): string {
    if (location === undefined) return "}\n";
    const { message, number, part, where, quote } = location;
    if (this.#message.of !== message) this.#message = { of: message, json: membersOf(message) };
    const numbered = part === "" ? "" : `,"part":"${part}"`;
    const fields = number === 0 ? "" : `${MESSAGE_KEY}${number + messagesBefore}${this.#message.json}`;
    return `${fields}${numbered},"where":${this.#whereText(where)}${quote === 0 ? "" : `,"quote":${quote}`}}\n`;
  }
}

function unsafeRowsOf({ rows }: MatchBatch): number {
  let count = 0;
  for (let at = code.RECORD_HINT; at < rows.length; at += code.RECORD_WORDS) if (((rows[at] as number) & code.HINT_UNSAFE) !== 0) count++;
  return count;
}

function byteLength(text: string): number {
  return utf8.encode(text).length;
}

/** Returns what a message says of itself as members of JSON, each after a comma. */
function membersOf(message: MessageDescription): string {
  let members = "";
  for (const name in message) {
    members += `,"${RECORD_NAMES[name] ?? name}":${stringText(message[name as keyof MessageDescription] as string)}`;
  }
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
