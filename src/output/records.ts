// Writes batches of matches as records of a form: the core copies the fields of packed rows, and texts that are made here.
// The core copies normalized URLs and raw forms unchanged, because they have no quotation mark, backslash or control (X3, X7). Only raw
// forms of attribute values (X9) may have one.
import * as code from "#core/layout/codes.js";
import * as memory from "#core/layout/memory.js";
import * as layout from "#core/layout/records.js";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import { byteLength, encodeInto } from "../core/text.ts";
import type { Location, MatchBatch } from "../matches/batch.ts";
import { type FieldReader, kindKey, locationAt, readerOf, readMarkedContext } from "../matches/field-values.ts";
import type { FieldName } from "../options/fields.ts";
import { ended, type RecordForm } from "./record-form.ts";
import { type FieldRun, programOf, type RecordProgram, TEXTS_WORDS } from "./record-program.ts";

/**
 * Takes the bytes of complete records, which are valid until it returns, and their number. `messageNumbers`: pairs of the offset of a
 * message number in `bytes` and the number. It is empty unless numbers count from the start of a range whose first number is not known yet.
 */
export type WriteRecords = (bytes: Uint8Array, count: number, messageNumbers: readonly number[]) => void;

/**
 * Writes the matches of a batch from row `first` on, until the receiver of the bytes is full; returns the next row. A thread writes the
 * batches of all its sources with one function.
 */
export type WriteMatches = (batch: MatchBatch, first: number) => number;

const utf8 = new TextEncoder();

const ESCAPED = [0x22, 0x5c] as const; // Bytes that the core does not escape: quotation mark and backslash
/** If more than one row in this many needs escapes, all records are made as strings: the core would write only short runs. */
const UNSAFE_SHARE = 64;
const STRINGS_LENGTH = 1 << 18; // Records that are made as strings are written when together they have this many characters
const FIELDS_BYTES_MOST = memory.WINDOW_BYTES - (2 << 20); // Most bytes of a batch for `writeRows`: they leave almost 2 MiB for texts
const OVERREAD_BYTES = 16; // Bytes after a text that the core may read

const RARE_FIELDS: readonly FieldName[] = ["chain", "tag", "attribute", "text"];

export class RecordWriter {
  readonly #form: RecordForm;
  readonly #write: WriteRecords;
  readonly #isFull: () => boolean; // Whether the remaining rows have to wait
  readonly #program: RecordProgram | undefined;
  readonly #readers: readonly FieldReader[];
  readonly #hasOwnTexts: boolean; // Whether a run of match fields has other fields than RARE_FIELDS

  constructor(form: RecordForm, write: WriteRecords, isFull = () => false) {
    this.#form = form;
    this.#write = write;
    this.#isFull = isFull;
    this.#program = programOf(form);
    this.#readers = form.fields.map((name) => (name === "context" && form.marksMatch === true ? readMarkedContext : readerOf(name)));
    this.#hasOwnTexts = this.#program?.runs.match.flat().some((position) => !RARE_FIELDS.includes(form.fields[position])) === true;
  }

  /** Writes the records from row `first` on, until the receiver is full; returns the next row. */
  readonly write: WriteMatches = (batch, first) => {
    const [write, isFull] = [this.#write, this.#isFull];
    if (this.#program !== undefined && !needsStrings(batch)) {
      const writeOther = (index: number): void => void this.#writeSome(batch, index, index + 1);
      // Not the shared core of single URLs, because the sink may use that one before the batch is written.
      const core = takeCore();
      try {
        return writeRows(core, batch, this.#program, this, { write, writeOther, isFull }, first);
      } finally {
        releaseCore(core);
      }
    }
    let next = first;
    while (next < batch.count && !isFull()) next = this.#writeSome(batch, next, batch.count);
    return next;
  };

  /** Returns the text of each run for the match in row `index`. */
  textsOf(runs: readonly FieldRun[], batch: MatchBatch, index: number): string[] {
    return runs.map((run) => {
      let text = "";
      for (let at = 0; at < run.length; at++) text += this.#form.write(run[at], this.#readers[run[at]](batch, index));
      return text;
    });
  }

  /** Returns whether all rows of a batch have the same texts for the runs `match`. */
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
    const { fields } = this.#form;
    let record = "";
    for (let position = 0; position < fields.length; position++) {
      const value = this.#readers[position](batch, index);
      if (bytesBefore !== undefined && fields[position] === "message" && value !== undefined) {
        const start = bytesBefore + byteLength(record) + byteLength(this.#form.around(position)[0]);
        numbers.push(start, locationAt(batch, index)?.number ?? 0);
      }
      record += this.#form.write(position, value);
    }
    return ended(this.#form, record);
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

type Texts = Pick<RecordWriter, "textsOf" | "isMatchShared">;

interface RecordSink {
  readonly write: WriteRecords;
  /** Takes a row with fields that need escapes, or with texts or a record too long for a core. */
  writeOther(index: number): void;
  isFull(): boolean;
}

/**
 * Writes the records of a batch of at most FIELDS_BYTES_MOST bytes from row `first` on, until the sink is full; returns the next row.
 * `texts` makes the texts. Nothing else may use `core` meanwhile.
 */
export function writeRows(core: Core, batch: MatchBatch, program: RecordProgram, texts: Texts, sink: RecordSink, first = 0): number {
  const { rows, count, base, locations } = batch;
  const { bytes, words } = core;
  const { numberAt } = program;
  const rowTexts = new RowTexts(core, batch, program.runs, texts);
  const high = Math.floor(base / layout.BILLION);
  const low = base - high * layout.BILLION;
  let firstRow = first; // Number of the first row in the core

  /** Returns pairs of the offset and the value of message numbers that count from the start of a range, for the rows [from, end). */
  const numbersOf = (from: number, end: number): number[] => {
    const numbers: number[] = [];
    if (locations === undefined || locations.messagesBefore !== undefined || numberAt === undefined) return numbers;
    for (let index = from; index < end; index++) {
      const number = locationAt(batch, index)?.number ?? 0;
      if (number !== 0) numbers.push(words[(layout.NUMBER_REGION >> 2) + index - firstRow] + numberAt, number);
    }
    return numbers;
  };
  /** Makes the core write the rows [from, end), whose texts are set, until the sink is full; returns the next row. */
  const writeRun = (from: number, end: number): number => {
    let at = from;
    while (at < end && !sink.isFull()) {
      const next = firstRow + core.writeRecords(at - firstRow, end - firstRow, high, low);
      const written = bytes.subarray(memory.OUTPUT_REGION, words[memory.RESULT_OUTPUT_END >> 2]);
      if (next > at) sink.write(written, next - at, numbersOf(at, next));
      else sink.writeOther(at);
      at = Math.max(next, at + 1);
    }
    return at;
  };
  /** Writes as many rows as the core has room for, until the sink is full; returns the next row. */
  const writeSome = (): number => {
    const end = Math.min(firstRow + memory.RECORD_ROWS_MAX, count);
    words.set(rows.subarray(firstRow * code.RECORD_WORDS, end * code.RECORD_WORDS), memory.RECORD_REGION >> 2);
    let from = firstRow;
    for (let index = firstRow; index < end; index++) {
      const isPlain = (rows[index * code.RECORD_WORDS + code.RECORD_HINT] & code.HINT_UNSAFE) === 0;
      if (isPlain && rowTexts.set(index, index - firstRow)) continue;
      from = writeRun(from, index);
      if (sink.isFull()) return from;
      if (isPlain) rowTexts.drop();
      if (isPlain && rowTexts.set(index, index - firstRow)) continue;
      sink.writeOther(index);
      from = index + 1;
    }
    return writeRun(from, end);
  };

  bytes.set(program.image, layout.PROGRAM_REGION);
  while (firstRow < count && !sink.isFull()) firstRow = writeSome();
  return firstRow;
}

const NO_LOCATION = {} as Location;
const NONE = 0; // Instead of the address of a list of texts: there is no list, or no room for it

/** The texts of rows in the memory of a core, after the bytes of a batch. */
class RowTexts {
  readonly #core: Core;
  readonly #batch: MatchBatch;
  readonly #runs: RecordProgram["runs"];
  readonly #texts: Texts;
  readonly #isMatchShared: boolean;
  readonly #start: number;
  #end: number;
  readonly #kinds = new Map<number, number>(); // Addresses of lists of texts, by `kindKey`
  /** Addresses of lists of texts, by the local fields of locations: messages have many locations, but few different ones. */
  readonly #locals = new Map<string, number>();
  #key = 0; // The `kindKey` of the last row
  #location: Location | undefined = NO_LOCATION; // That of the last row
  #inMessage: Location | undefined; // The first location of its message
  /** Addresses of the texts of the last row, or NONE. */
  #kind = NONE;
  #message = NONE;
  #local = NONE;
  #match = NONE;

  constructor(core: Core, batch: MatchBatch, runs: RecordProgram["runs"], texts: Texts) {
    this.#core = core;
    this.#batch = batch;
    this.#runs = runs;
    this.#texts = texts;
    this.#isMatchShared = texts.isMatchShared(batch);
    core.bytes.set(batch.bytes, layout.FIELDS_REGION);
    this.#start = nextWord(layout.FIELDS_REGION + batch.bytes.length + OVERREAD_BYTES);
    this.#end = this.#start;
  }

  /** Adds the texts of the row `index`, and their addresses to the row `to` of the core. Returns false if there is no room. */
  set(index: number, to: number): boolean {
    const { kind, message, local, match } = this.#runs;
    if (kind.length > 0 && !this.#findKind(index)) return false;
    if (message.length + local.length > 0 && !this.#findLocation(index)) return false;
    if (match.length > 0 && !(this.#isMatchShared && this.#match !== NONE)) {
      this.#match = this.#add(match, index);
      if (this.#match === NONE) return false;
    }
    const { words } = this.#core;
    const row = (memory.RECORD_REGION >> 2) + to * code.RECORD_WORDS;
    words[row + TEXTS_WORDS.kind] = this.#kind;
    words[row + TEXTS_WORDS.message] = this.#message;
    words[row + TEXTS_WORDS.local] = this.#local;
    words[row + TEXTS_WORDS.match] = this.#match;
    return true;
  }

  /** Makes room. The rows that use the present texts have been written. */
  drop(): void {
    this.#end = this.#start;
    this.#kinds.clear();
    this.#locals.clear();
    this.#location = NO_LOCATION;
    this.#kind = NONE;
    this.#message = NONE;
    this.#match = NONE;
  }

  /** Sets the texts of the kind of a row. Returns false if there is no room. */
  #findKind(index: number): boolean {
    const key = kindKey(this.#batch, index);
    if (key !== this.#key || this.#kind === NONE) this.#kind = this.#known(this.#kinds, key, this.#runs.kind, index);
    this.#key = key;
    return this.#kind !== NONE;
  }

  /** Sets the texts of the location of a row. Returns false if there is no room. */
  #findLocation(index: number): boolean {
    const location = locationAt(this.#batch, index);
    if (location === this.#location) return true;
    const last = this.#inMessage;
    if (this.#message === NONE || location?.message !== last?.message || location?.number !== last?.number) {
      this.#message = this.#add(this.#runs.message, index);
      this.#inMessage = location;
    }
    this.#local = this.#known(this.#locals, location === undefined ? "" : keyOf(location), this.#runs.local, index);
    if (this.#message === NONE || this.#local === NONE) return false;
    this.#location = location;
    return true;
  }

  /** Returns the address of the list of texts that has a key in `known`, or NONE if there is no room. */
  #known<Key>(known: Map<Key, number>, key: Key, runs: readonly FieldRun[], index: number): number {
    const list = known.get(key) ?? this.#add(runs, index);
    if (list !== NONE) known.set(key, list);
    return list;
  }

  /** Adds the texts of runs as a list; returns its address, or NONE if there is no room. */
  #add(runs: readonly FieldRun[], index: number): number {
    const texts = this.#texts.textsOf(runs, this.#batch, index);
    const { bytes, words } = this.#core;
    const list = this.#end;
    let at = list >> 2;
    let end = list + 4 * texts.length;
    for (const text of texts) {
      // A character of a string takes three bytes at most.
      if (end + 4 + 3 * text.length + OVERREAD_BYTES > layout.FIELDS_REGION + memory.WINDOW_BYTES) return NONE;
      const length = encodeInto(text, bytes, end + 4);
      words[end >> 2] = length;
      words[at++] = end;
      end = nextWord(end + 4 + length);
    }
    this.#end = end;
    return list;
  }
}

function nextWord(address: number): number {
  return (address + 3) & ~3;
}

/** Returns a text that is the same for locations in a message whose local fields are. Types and names have no NUL. */
function keyOf({ quote, part, body, where }: Location): string {
  return `${quote} ${part} ${body.type ?? ""}\0${body.name ?? ""}\0${where}`;
}
