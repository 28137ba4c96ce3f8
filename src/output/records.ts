// Writes batches of matches as records of a form.
// The core copies normalized URLs and raw forms unchanged, because they have no quotation mark, backslash or control (X3, X7). Only raw
// forms of attribute values (X9) may have one.
import * as code from "#core/layout/codes.js";
import { releaseCore, takeCore } from "../core/core.ts";
import { byteLength } from "../core/text.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { type FieldReader, locationAt, readerOf, readMarkedContext } from "../matches/field-values.ts";
import type { FieldName } from "../options/fields.ts";
import type { RecordForm, WriteMatches, WriteRecords } from "./record-form.ts";
import { type FieldRun, programOf, type RecordProgram } from "./record-program.ts";
import { FIELDS_BYTES_MOST, type RowTexts, writeRows } from "./row-writer.ts";

const utf8 = new TextEncoder();

const ESCAPED = [0x22, 0x5c] as const; // Bytes that the core does not escape: quotation mark and backslash
/** If more than one row in this many needs escapes, all records are made as strings: the core would write only short runs. */
const UNSAFE_SHARE = 64;
/** Records that are made as strings are written when together they have this many characters. */
const STRINGS_LENGTH = 1 << 18;

const RARE_FIELDS: readonly FieldName[] = ["chain", "tag", "attribute", "text"];

export class RecordWriter implements RowTexts {
  readonly #form: RecordForm;
  readonly #write: WriteRecords;
  readonly #isFull: () => boolean;
  readonly #program: RecordProgram | undefined;
  readonly #readers: readonly FieldReader[];
  /** Whether a run of match fields has other fields than RARE_FIELDS. */
  readonly #hasOwnTexts: boolean;

  constructor(form: RecordForm, write: WriteRecords, isFull = () => false) {
    this.#form = form;
    this.#write = write;
    this.#isFull = isFull;
    this.#program = programOf(form);
    this.#readers = form.fields.map((name) => (name === "context" && form.marksMatch === true ? readMarkedContext : readerOf(name)));
    const { match = [] } = this.#program?.runs ?? {};
    this.#hasOwnTexts = match.some(({ first, end }) => form.fields.slice(first, end).some((name) => !RARE_FIELDS.includes(name)));
  }

  /** Writes the records from row `first` on, until the receiver is full; returns the next row. */
  readonly write: WriteMatches = (batch, first) => {
    if (this.#program !== undefined && !needsStrings(batch)) return this.#writePacked(batch, this.#program, first);
    let next = first;
    while (next < batch.count && !this.#isFull()) next = this.#writeSome(batch, next, batch.count);
    return next;
  };

  #writePacked(batch: MatchBatch, program: RecordProgram, first: number): number {
    const writeOther = (index: number): void => void this.#writeSome(batch, index, index + 1);
    // Not the shared core of single URLs, because the sink may use that one before the batch is written.
    const core = takeCore();
    try {
      return writeRows(core, batch, program, this, { write: this.#write, writeOther, isFull: this.#isFull }, first);
    } finally {
      releaseCore(core);
    }
  }

  textsOf(runs: readonly FieldRun[], batch: MatchBatch, index: number): string[] {
    return runs.map(({ first, end }) => {
      let text = "";
      for (let position = first; position < end; position++) text += this.#form.write(position, this.#readers[position](batch, index));
      return text;
    });
  }

  isMatchShared({ chains, elements, texts }: MatchBatch): boolean {
    return !this.#hasOwnTexts && chains === undefined && elements === undefined && texts === undefined;
  }

  /** Writes some records of the rows [first, end) as strings; returns the first row that is not written. */
  #writeSome(batch: MatchBatch, first: number, end: number): number {
    const isNumbered = batch.locations !== undefined && batch.locations.messagesBefore === undefined;
    const numbers: number[] = [];
    let records = "";
    // Each record is measured once. Measuring the whole text for each record would take quadratic time.
    let bytes = 0;
    let index = first;
    for (; index < end && records.length < STRINGS_LENGTH; index++) {
      const record = this.#recordOf(batch, index, isNumbered ? bytes : undefined, numbers);
      records += record;
      if (isNumbered) bytes += byteLength(record);
    }
    this.#write(utf8.encode(records), index - first, numbers);
    return index;
  }

  /** Returns a record. If `bytesBefore` is given, adds its message number to `numbers`, with an offset that counts from that many bytes. */
  #recordOf(batch: MatchBatch, index: number, bytesBefore: number | undefined, numbers: number[]): string {
    const { fields, end, replaced } = this.#form;
    let record = "";
    for (let position = 0; position < fields.length; position++) {
      const value = this.#readers[position](batch, index);
      if (bytesBefore !== undefined && fields[position] === "message" && value !== undefined) {
        const start = bytesBefore + byteLength(record) + byteLength(this.#form.around(position)[0]);
        numbers.push(start, locationAt(batch, index)?.number ?? 0);
      }
      record += this.#form.write(position, value);
    }
    return (replaced !== "" && record.endsWith(replaced) ? record.slice(0, -1) : record) + end;
  }
}

/** Returns whether records are made as strings: the batch is too long, its URLs may need escapes, or many of its rows need them. */
function needsStrings({ needsEscapes, bytes, rows, count }: MatchBatch): boolean {
  if (bytes.length > FIELDS_BYTES_MOST) return true;
  if (needsEscapes === true && ESCAPED.some((byte) => bytes.includes(byte))) return true;
  let unsafe = 0;
  for (let at = code.RECORD_HINT; at < rows.length; at += code.RECORD_WORDS) if ((rows[at] & code.HINT_UNSAFE) !== 0) unsafe++;
  return unsafe * UNSAFE_SHARE > count;
}
