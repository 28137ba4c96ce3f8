// Writes packed rows as records: the core copies their fields, and between them the texts of a format.
import { HINT_UNSAFE, RECORD_HINT, RECORD_WORDS } from "#core/layout/codes.js";
import * as memory from "#core/layout/memory.js";
import * as layout from "#core/layout/records.js";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import { encodeInto } from "../core/text.ts";
import type { Location, MatchBatch } from "../scanner/batch.ts";
import type { WriteRecords } from "./output-format.ts";

/** Most bytes of a batch that can be written so: there is room for a megabyte of texts beside them. */
export const FIELDS_BYTES_MOST = memory.WINDOW_BYTES - (2 << 20);
/** Bytes after a text that the core may read with it. */
const OVERREAD_BYTES = 16;

/** The texts of a format: those between fields, and those of what the core does not know. */
export interface RecordFormat {
  /** By TEXT_*, in their order. Each ASCII, and shorter than a row of them. */
  readonly between: readonly string[];
  /** Returns what is between the host and the start of a row of `rows`. Rows with the same `middleKey` have the same. */
  middleOf(rows: Int32Array, row: number): string;
  middleKeyOf(rows: Int32Array, row: number): number;
  /** Returns what is after the end of a record. */
  tailOf(location: Location | undefined, messagesBefore: number): string;
  /** Bytes of that text before the number of the message. */
  readonly numberAt: number;
}

/** Takes the records of a batch in their order. */
export interface RecordSink {
  readonly write: WriteRecords;
  /** Takes a row whose fields JSON must escape, or whose record is too long for a core. */
  writeOther(index: number): void;
}

/** Writes the records of a batch, of FIELDS_BYTES_MOST at most. */
export function writeRows(batch: MatchBatch, format: RecordFormat, sink: RecordSink): void {
  // Not the core of single URLs: the sink may use it before the batch is written, or write other records.
  const core = takeCore();
  try {
    writeRowsWith(core, batch, format, sink);
  } finally {
    releaseCore(core);
  }
}

/** Does what `writeRows` does, with a core that nobody else uses. */
export function writeRowsWith(core: Core, batch: MatchBatch, format: RecordFormat, sink: RecordSink): void {
  const writer = new RowWriter(core, batch, format, sink);
  for (let first = 0; first < batch.count; first += memory.RECORD_ROWS_MAX) writer.write(first);
}

class RowWriter {
  readonly #core: Core;
  readonly #batch: MatchBatch;
  readonly #format: RecordFormat;
  readonly #sink: RecordSink;
  /** Where texts can be, where the next one will be, and the middles among them. */
  readonly #textsStart: number;
  #textsEnd: number;
  readonly #middles = new Map<number, number>();
  /** Those of the last row: its key and its middle, */
  #key = 0;
  #middle = 0;
  /** its location and its tail. 0: there is none, or there was no room for it. */
  #location: Location | undefined;
  #tail = 0;
  /** The first row of those that are in the core. */
  #placed = 0;

  constructor(core: Core, batch: MatchBatch, format: RecordFormat, sink: RecordSink) {
    this.#core = core;
    this.#batch = batch;
    this.#format = format;
    this.#sink = sink;
    core.bytes.set(batch.bytes, layout.FIELDS_REGION);
    this.#textsStart = nextWord(layout.FIELDS_REGION + batch.bytes.length + OVERREAD_BYTES);
    this.#textsEnd = this.#textsStart;
    for (const [index, text] of format.between.entries()) this.#setText(layout.BETWEEN_REGION + index * layout.TEXT_ROW_BYTES, text);
  }

  /** Writes as many rows as the core has room for, from `first` on. */
  write(first: number): void {
    const { rows, count } = this.#batch;
    const end = Math.min(first + memory.RECORD_ROWS_MAX, count);
    this.#core.words.set(rows.subarray(first * RECORD_WORDS, end * RECORD_WORDS), memory.RECORD_REGION >> 2);
    this.#placed = first;
    let from = first;
    for (let index = first; index < end; index++) {
      const isPlain = ((rows[index * RECORD_WORDS + RECORD_HINT] as number) & HINT_UNSAFE) === 0;
      if (isPlain && this.#setTexts(index)) continue;
      this.#writeRun(from, index);
      from = index;
      if (isPlain) this.#dropTexts();
      if (isPlain && this.#setTexts(index)) continue;
      this.#sink.writeOther(index);
      from = index + 1;
    }
    this.#writeRun(from, end);
  }

  /** Has the core write the rows [first, end), whose texts are set. */
  #writeRun(first: number, end: number): void {
    const core = this.#core;
    const { base, hidesRaw } = this.#batch;
    const high = Math.floor(base / layout.BILLION);
    const low = base - high * layout.BILLION;
    for (let from = first; from < end; ) {
      const next = this.#placed + core.writeRecords(from - this.#placed, end - this.#placed, high, low, hidesRaw !== true);
      const written = core.bytes.subarray(memory.OUTPUT_REGION, core.words[memory.RESULT_OUTPUT_END >> 2]);
      if (next > from) this.#sink.write(written, next - from, this.#numbers(from, next));
      else this.#sink.writeOther(from);
      from = Math.max(next, from + 1);
    }
  }

  /** Returns the places and the numbers of messages in the records of the rows [first, end) that count from the start of a range. */
  #numbers(first: number, end: number): number[] {
    const { locations } = this.#batch;
    const numbers: number[] = [];
    if (locations === undefined || locations.messagesBefore !== undefined) return numbers;
    for (let index = first; index < end; index++) {
      const location = locations.list[locations.of[index] as number];
      if (location === undefined || location.number === 0) continue;
      numbers.push((this.#core.words[this.#wordOf(index, layout.RECORD_TAIL_AT)] as number) + this.#format.numberAt, location.number);
    }
    return numbers;
  }

  /** Puts the texts of a row where it names them. Returns false if there is no room. */
  #setTexts(index: number): boolean {
    const { rows, locations } = this.#batch;
    const row = index * RECORD_WORDS;
    const key = this.#format.middleKeyOf(rows, row);
    if (key !== this.#key || this.#middle === 0) {
      this.#middle = this.#middles.get(key) ?? this.#addText(this.#format.middleOf(rows, row));
      this.#middles.set(key, this.#middle);
      this.#key = key;
    }
    const location = locations?.list[locations.of[index] as number];
    if (location !== this.#location || this.#tail === 0) {
      this.#tail = this.#addText(this.#format.tailOf(location, locations?.messagesBefore ?? 0));
      this.#location = location;
    }
    this.#core.words[this.#wordOf(index, layout.RECORD_MIDDLE)] = this.#middle;
    this.#core.words[this.#wordOf(index, layout.RECORD_TAIL)] = this.#tail;
    return this.#middle !== 0 && this.#tail !== 0;
  }

  #wordOf(index: number, field: number): number {
    return (memory.RECORD_REGION >> 2) + (index - this.#placed) * RECORD_WORDS + field;
  }

  #dropTexts(): void {
    this.#textsEnd = this.#textsStart;
    this.#middles.clear();
    this.#middle = 0;
    this.#tail = 0;
  }

  /** Returns the address of a text that is added, or 0 if there is no room. */
  #addText(text: string): number {
    const address = this.#textsEnd;
    // A character of a string takes three bytes at most.
    const most = address + 4 + 3 * text.length + OVERREAD_BYTES;
    if (most > layout.FIELDS_REGION + memory.WINDOW_BYTES) return 0;
    this.#textsEnd = nextWord(this.#setText(address, text));
    return address;
  }

  /** Returns the address after the text. */
  #setText(address: number, text: string): number {
    const length = encodeInto(text, this.#core.bytes, address + 4);
    this.#core.words[address >> 2] = length;
    return address + 4 + length;
  }
}

function nextWord(address: number): number {
  return (address + 3) & ~3;
}
