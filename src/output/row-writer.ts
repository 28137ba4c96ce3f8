// Writes packed rows as records: the core copies their fields, and texts that are made here.
import { HINT_UNSAFE, RECORD_HINT, RECORD_WORDS } from "#core/layout/codes.js";
import * as memory from "#core/layout/memory.js";
import * as layout from "#core/layout/records.js";
import type { Core } from "../core/core.ts";
import { encodeInto } from "../core/text.ts";
import type { Location, MatchBatch } from "../matches/batch.ts";
import { kindKey, locationAt } from "../matches/field-values.ts";
import type { WriteRecords } from "./record-form.ts";
import { type FieldRun, type RecordProgram, TEXTS_WORDS } from "./record-program.ts";

/** Most bytes of a batch for `writeRows`: they leave almost 2 MiB for texts. */
export const FIELDS_BYTES_MOST = memory.WINDOW_BYTES - (2 << 20);
const OVERREAD_BYTES = 16; // Bytes after a text that the core may read

export interface RowTexts {
  /** Returns the text of each run for the match in row `index`. */
  textsOf(runs: readonly FieldRun[], batch: MatchBatch, index: number): readonly string[];
  /** Returns whether all rows of a batch have the same texts for the runs `match`. */
  isMatchShared(batch: MatchBatch): boolean;
}

/** Takes the records of a batch in their order. */
interface RecordSink {
  readonly write: WriteRecords;
  /** Takes a row with fields that need escapes, or with texts or a record too long for a core. */
  writeOther(index: number): void;
  /** Returns whether the remaining rows have to wait. */
  isFull(): boolean;
}

/**
 * Writes the records of a batch of at most FIELDS_BYTES_MOST bytes from row `first` on, until the sink is full; returns the next row.
 * Nothing else may use `core` meanwhile.
 */
export function writeRows(core: Core, batch: MatchBatch, program: RecordProgram, texts: RowTexts, sink: RecordSink, first = 0): number {
  const writer = new RowWriter(core, batch, program, texts, sink);
  let next = first;
  while (next < batch.count && !sink.isFull()) next = writer.write(next);
  return next;
}

const NO_LOCATION = {} as Location;
const NONE = 0; // Instead of the address of a list of texts: there is no list, or no room for it

class RowWriter {
  readonly #core: Core;
  readonly #batch: MatchBatch;
  readonly #program: RecordProgram;
  readonly #texts: RowTexts;
  readonly #sink: RecordSink;
  readonly #isMatchShared: boolean;
  /** Address of the room for texts. */
  readonly #textsStart: number;
  #textsEnd: number;
  /** Addresses of lists of texts, by `kindKey`. */
  readonly #kinds = new Map<number, number>();
  /** Addresses of lists of texts, by the local fields of locations: messages have many locations, but few different ones. */
  readonly #locals = new Map<string, number>();
  /** The `kindKey` and the location of the last row, and the first location of its message. */
  #key = 0;
  #location: Location | undefined = NO_LOCATION;
  #inMessage: Location | undefined;
  /** Addresses of the texts of the last row, or NONE. */
  #kind = NONE;
  #message = NONE;
  #local = NONE;
  #match = NONE;
  #firstRow = 0;

  constructor(core: Core, batch: MatchBatch, program: RecordProgram, texts: RowTexts, sink: RecordSink) {
    this.#core = core;
    this.#batch = batch;
    this.#program = program;
    this.#texts = texts;
    this.#sink = sink;
    this.#isMatchShared = texts.isMatchShared(batch);
    core.bytes.set(batch.bytes, layout.FIELDS_REGION);
    core.bytes.set(program.image, layout.PROGRAM_REGION);
    this.#textsStart = nextWord(layout.FIELDS_REGION + batch.bytes.length + OVERREAD_BYTES);
    this.#textsEnd = this.#textsStart;
  }

  /** Writes as many rows as the core has room for, from `first` on, until the sink is full; returns the next row. */
  write(first: number): number {
    const { rows, count } = this.#batch;
    const end = Math.min(first + memory.RECORD_ROWS_MAX, count);
    this.#core.words.set(rows.subarray(first * RECORD_WORDS, end * RECORD_WORDS), memory.RECORD_REGION >> 2);
    this.#firstRow = first;
    let from = first;
    for (let index = first; index < end; index++) {
      const isPlain = (rows[index * RECORD_WORDS + RECORD_HINT] & HINT_UNSAFE) === 0;
      if (isPlain && this.#setTexts(index)) continue;
      from = this.#writeRun(from, index);
      if (this.#sink.isFull()) return from;
      if (isPlain) this.#dropTexts();
      if (isPlain && this.#setTexts(index)) continue;
      this.#sink.writeOther(index);
      from = index + 1;
    }
    return this.#writeRun(from, end);
  }

  /** Makes the core write the rows [first, end), whose texts are set, until the sink is full; returns the next row. */
  #writeRun(first: number, end: number): number {
    const core = this.#core;
    const { base } = this.#batch;
    const high = Math.floor(base / layout.BILLION);
    const low = base - high * layout.BILLION;
    let from = first;
    while (from < end && !this.#sink.isFull()) {
      const next = this.#firstRow + core.writeRecords(from - this.#firstRow, end - this.#firstRow, high, low);
      const written = core.bytes.subarray(memory.OUTPUT_REGION, core.words[memory.RESULT_OUTPUT_END >> 2]);
      if (next > from) this.#sink.write(written, next - from, this.#numbers(from, next));
      else this.#sink.writeOther(from);
      from = Math.max(next, from + 1);
    }
    return from;
  }

  /** Returns pairs of the offset and the value of message numbers that count from the start of a range, for the rows [first, end). */
  #numbers(first: number, end: number): number[] {
    const { locations } = this.#batch;
    const { numberAt } = this.#program;
    const numbers: number[] = [];
    if (locations === undefined || locations.messagesBefore !== undefined || numberAt === undefined) return numbers;
    for (let index = first; index < end; index++) {
      const location = locationAt(this.#batch, index);
      if (location === undefined || location.number === 0) continue;
      numbers.push(this.#core.words[(layout.NUMBER_REGION >> 2) + index - this.#firstRow] + numberAt, location.number);
    }
    return numbers;
  }

  /** Adds the texts of a row, and their addresses to the row. Returns false if there is no room. */
  #setTexts(index: number): boolean {
    const row = (memory.RECORD_REGION >> 2) + (index - this.#firstRow) * RECORD_WORDS;
    const { words } = this.#core;
    const { kind, message, local, match } = this.#program.runs;
    if (kind.length > 0 && !this.#findKind(index)) return false;
    if (message.length + local.length > 0 && !this.#findLocation(index)) return false;
    if (match.length > 0 && !(this.#isMatchShared && this.#match !== NONE)) {
      this.#match = this.#addTexts(match, index);
      if (this.#match === NONE) return false;
    }
    words[row + TEXTS_WORDS.kind] = this.#kind;
    words[row + TEXTS_WORDS.message] = this.#message;
    words[row + TEXTS_WORDS.local] = this.#local;
    words[row + TEXTS_WORDS.match] = this.#match;
    return true;
  }

  /** Sets the texts of the kind of a row. Returns false if there is no room. */
  #findKind(index: number): boolean {
    const key = kindKey(this.#batch, index);
    if (key === this.#key && this.#kind !== NONE) return true;
    this.#key = key;
    this.#kind = this.#kinds.get(key) ?? this.#addTexts(this.#program.runs.kind, index);
    if (this.#kind !== NONE) this.#kinds.set(key, this.#kind);
    return this.#kind !== NONE;
  }

  /** Sets the texts of the location of a row. Returns false if there is no room. */
  #findLocation(index: number): boolean {
    const location = locationAt(this.#batch, index);
    if (location === this.#location) return true;
    const { message, local } = this.#program.runs;
    const last = this.#inMessage;
    if (this.#message === NONE || location?.message !== last?.message || location?.number !== last?.number) {
      this.#message = this.#addTexts(message, index);
      this.#inMessage = location;
    }
    const key = location === undefined ? "" : keyOf(location);
    this.#local = this.#locals.get(key) ?? this.#addTexts(local, index);
    if (this.#message === NONE || this.#local === NONE) return false;
    this.#locals.set(key, this.#local);
    this.#location = location;
    return true;
  }

  /** Makes room for texts. The rows that use the present texts have been written. */
  #dropTexts(): void {
    this.#textsEnd = this.#textsStart;
    this.#kinds.clear();
    this.#kind = NONE;
    this.#location = NO_LOCATION;
    this.#message = NONE;
    this.#locals.clear();
    this.#match = NONE;
  }

  /** Adds the texts of runs as a list; returns its address, or NONE if there is no room. */
  #addTexts(runs: readonly FieldRun[], index: number): number {
    const texts = this.#texts.textsOf(runs, this.#batch, index);
    const { words } = this.#core;
    const list = this.#textsEnd;
    let at = list >> 2;
    let end = list + 4 * texts.length;
    for (const text of texts) {
      // A character of a string takes three bytes at most.
      if (end + 4 + 3 * text.length + OVERREAD_BYTES > layout.FIELDS_REGION + memory.WINDOW_BYTES) return NONE;
      const length = encodeInto(text, this.#core.bytes, end + 4);
      words[end >> 2] = length;
      words[at++] = end;
      end = nextWord(end + 4 + length);
    }
    this.#textsEnd = end;
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
