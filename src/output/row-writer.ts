// Writes packed rows as records: the core copies their fields, and texts that are made here.
import { HINT_UNSAFE, RECORD_HINT, RECORD_WORDS } from "#core/layout/codes.js";
import * as memory from "#core/layout/memory.js";
import * as layout from "#core/layout/records.js";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import { encodeInto } from "../core/text.ts";
import type { Location, MatchBatch } from "../scanner/batch.ts";
import { kindKey, locationAt } from "../scanner/field-values.ts";
import type { WriteRecords } from "./output-format.ts";
import { type RecordProgram, type Run, TEXTS_WORDS } from "./record-program.ts";

/** Most bytes of a batch for `writeRows`: they leave almost 2 MiB for texts. */
export const FIELDS_BYTES_MOST = memory.WINDOW_BYTES - (2 << 20);
/** Bytes after a text that the core may read. */
const OVERREAD_BYTES = 16;

/** The texts of the runs of a program. */
export interface RowTexts {
  /** Returns the text of each run for the match in row `index`. */
  textsOf(runs: readonly Run[], batch: MatchBatch, index: number): readonly string[];
  /** Returns the text of each run of location fields. `messagesBefore`: number of messages in the source before the scan. */
  locationTexts(location: Location | undefined, messagesBefore: number): readonly string[];
  /** Returns whether all rows of a batch have the same texts for the runs `match`. */
  isMatchShared(batch: MatchBatch): boolean;
}

/** Takes the records of a batch in their order. */
interface RecordSink {
  readonly write: WriteRecords;
  /** Takes a row with fields that need escapes, or with texts or a record too long for a core. */
  writeOther(index: number): void;
}

/** Writes the records of a batch of at most FIELDS_BYTES_MOST bytes. */
export function writeRows(batch: MatchBatch, program: RecordProgram, texts: RowTexts, sink: RecordSink): void {
  // Not the shared core of single URLs, because the sink may use that one before the batch is written.
  const core = takeCore();
  try {
    writeRowsWith(core, batch, program, texts, sink);
  } finally {
    releaseCore(core);
  }
}

/** Writes like `writeRows`, with a core that nothing else uses. */
export function writeRowsWith(core: Core, batch: MatchBatch, program: RecordProgram, texts: RowTexts, sink: RecordSink): void {
  const writer = new RowWriter(core, batch, program, texts, sink);
  for (let first = 0; first < batch.count; first += memory.RECORD_ROWS_MAX) writer.write(first);
}

/** A location that no row has. */
const NO_LOCATION = {} as Location;
/** Instead of the address of a list of texts: there is no list, or no room for it. */
const NONE = 0;

class RowWriter {
  readonly #core: Core;
  readonly #batch: MatchBatch;
  readonly #program: RecordProgram;
  readonly #texts: RowTexts;
  readonly #sink: RecordSink;
  readonly #hasKinds: boolean;
  readonly #hasLocations: boolean;
  readonly #hasMatches: boolean;
  readonly #isMatchShared: boolean;
  /** Address of the room for texts. */
  readonly #textsStart: number;
  /** Address of the next text. */
  #textsEnd: number;
  /** Addresses of lists of texts, by `kindKey`. */
  readonly #kinds = new Map<number, number>();
  /** The `kindKey` of the last row. */
  #key = 0;
  /** Address of the texts for this key, or NONE. */
  #kind = NONE;
  /** The last location. */
  #location: Location | undefined = NO_LOCATION;
  /** Address of the texts of this location, or NONE. */
  #locationText = NONE;
  /** Address of the texts of the last match, or NONE. */
  #match = NONE;
  /** The first row in the core. */
  #firstRow = 0;

  constructor(core: Core, batch: MatchBatch, program: RecordProgram, texts: RowTexts, sink: RecordSink) {
    this.#core = core;
    this.#batch = batch;
    this.#program = program;
    this.#texts = texts;
    this.#sink = sink;
    const { kind, location, match } = program.runs;
    this.#hasKinds = kind.length > 0;
    this.#hasLocations = location.length > 0;
    this.#hasMatches = match.length > 0;
    this.#isMatchShared = this.#hasMatches && texts.isMatchShared(batch);
    core.bytes.set(batch.bytes, layout.FIELDS_REGION);
    core.bytes.set(program.image, layout.PROGRAM_REGION);
    this.#textsStart = nextWord(layout.FIELDS_REGION + batch.bytes.length + OVERREAD_BYTES);
    this.#textsEnd = this.#textsStart;
  }

  /** Writes as many rows as the core has room for, from `first` on. */
  write(first: number): void {
    const { rows, count } = this.#batch;
    const end = Math.min(first + memory.RECORD_ROWS_MAX, count);
    this.#core.words.set(rows.subarray(first * RECORD_WORDS, end * RECORD_WORDS), memory.RECORD_REGION >> 2);
    this.#firstRow = first;
    let from = first;
    for (let index = first; index < end; index++) {
      const isPlain = (rows[index * RECORD_WORDS + RECORD_HINT] & HINT_UNSAFE) === 0;
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

  /** Makes the core write the rows [first, end), whose texts are set. */
  #writeRun(first: number, end: number): void {
    const core = this.#core;
    const { base } = this.#batch;
    const high = Math.floor(base / layout.BILLION);
    const low = base - high * layout.BILLION;
    for (let from = first; from < end; ) {
      const next = this.#firstRow + core.writeRecords(from - this.#firstRow, end - this.#firstRow, high, low);
      const written = core.bytes.subarray(memory.OUTPUT_REGION, core.words[memory.RESULT_OUTPUT_END >> 2]);
      if (next > from) this.#sink.write(written, next - from, this.#numbers(from, next));
      else this.#sink.writeOther(from);
      from = Math.max(next, from + 1);
    }
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
    const batch = this.#batch;
    const row = (memory.RECORD_REGION >> 2) + (index - this.#firstRow) * RECORD_WORDS;
    const { words } = this.#core;
    if (this.#hasKinds && !this.#findKind(index)) return false;
    if (this.#hasLocations) {
      const location = locationAt(batch, index);
      if (location !== this.#location || this.#locationText === NONE) {
        this.#locationText = this.#addTexts(this.#texts.locationTexts(location, batch.locations?.messagesBefore ?? 0));
        this.#location = location;
        if (this.#locationText === NONE) return false;
      }
    }
    if (this.#hasMatches && !(this.#isMatchShared && this.#match !== NONE)) {
      this.#match = this.#addTexts(this.#texts.textsOf(this.#program.runs.match, batch, index));
      if (this.#match === NONE) return false;
    }
    words[row + TEXTS_WORDS.kind] = this.#kind;
    words[row + TEXTS_WORDS.location] = this.#locationText;
    words[row + TEXTS_WORDS.match] = this.#match;
    return true;
  }

  /** Sets the texts of the kind of a row. Returns false if there is no room. */
  #findKind(index: number): boolean {
    const key = kindKey(this.#batch, index);
    if (key === this.#key && this.#kind !== NONE) return true;
    const kind = this.#kinds.get(key) ?? this.#addTexts(this.#texts.textsOf(this.#program.runs.kind, this.#batch, index));
    this.#kind = kind;
    this.#key = key;
    if (kind !== NONE) this.#kinds.set(key, kind);
    return kind !== NONE;
  }

  /** Makes room for texts. The rows that use the present texts have been written. */
  #dropTexts(): void {
    this.#textsEnd = this.#textsStart;
    this.#kinds.clear();
    this.#kind = NONE;
    this.#locationText = NONE;
    this.#match = NONE;
  }

  /** Adds a list of texts; returns its address, or NONE if there is no room. */
  #addTexts(texts: readonly string[]): number {
    const { words } = this.#core;
    const list = this.#textsEnd;
    let end = list + 4 * texts.length;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index];
      // A character of a string takes three bytes at most.
      if (end + 4 + 3 * text.length + OVERREAD_BYTES > layout.FIELDS_REGION + memory.WINDOW_BYTES) return NONE;
      const length = encodeInto(text, this.#core.bytes, end + 4);
      words[end >> 2] = length;
      words[(list >> 2) + index] = end;
      end = nextWord(end + 4 + length);
    }
    this.#textsEnd = end;
    return list;
  }
}

function nextWord(address: number): number {
  return (address + 3) & ~3;
}
