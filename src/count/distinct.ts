// Decides which keys are new. Keys are in memory while there is room. The rest waits on disk to the end (partitions.ts), or is forgotten.
import { grown } from "../base/arrays.ts";
import { KeyTable, NO_ROOM } from "./key-table.ts";
import { mergeRuns } from "./merge.ts";
import { blockBytesOf, Partitions, seedOf, tableBytesOf } from "./partitions.ts";
import type { SpillSettings } from "./spill-settings.ts";
import { type SpilledRow, SpillStream } from "./spill-stream.ts";

/** Whether a key is new. `later`: there is no room to decide, so the caller passes the key to `keep`, and the text of its record. */
export type KeyState = "new" | "known" | "later";

/** Rows that are read between two pauses. */
const ROWS_AT_ONCE = 1024;
/** Initial bytes of the bits of rows. */
const BITS_BYTES_LEAST = 64;
const NO_BYTES = new Uint8Array(0);

export class Distinct {
  readonly #settings: SpillSettings;
  readonly #memory: KeyTable;
  readonly #forgetsRest: boolean;
  #partitions: Partitions | undefined;
  #order = 0;

  /** `forgetsRest`: a key that does not fit in memory is new each time it comes; `add` never returns `later`. */
  constructor(settings: SpillSettings, forgetsRest = false) {
    this.#settings = settings;
    this.#forgetsRest = forgetsRest;
    this.#memory = tableOf(settings, 0);
  }

  /** Whether `add` returns `later` for each key that is not in memory. */
  get isFull(): boolean {
    return this.#memory.isFull && !this.#forgetsRest;
  }

  /** Adds the key [start, end) of `view`, unless it is known; returns whether it is new. */
  add(view: DataView, start: number, end: number): KeyState {
    const address = this.#memory.reach(view, start, end);
    if (address === NO_ROOM) return this.#forgetsRest ? "new" : "later";
    return this.#memory.isNew ? "new" : "known";
  }

  /** Keeps the text [textStart, textEnd) with the key [start, end) for which `add` returned `later`. Throws if the disk is full. */
  keep(view: DataView, start: number, end: number, text: Uint8Array = NO_BYTES, textStart = 0, textEnd = text.length): void {
    this.#partitions ??= new Partitions(this.#settings, 1, 0);
    const stream = this.#partitions.streamFor(view, start, end);
    stream.add(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start, end, text, textStart, textEnd);
    stream.setNumber(0, this.#order++);
  }

  /** Calls `write` with the first kept row of each key, in the order of `keep`; yields where the caller may pause, but not add. */
  *finish(write: (row: SpilledRow) => void): Generator<undefined> {
    this.#memory.clear();
    if (this.#partitions === undefined) return;
    const runs: FirstRows[] = [];
    for (const stream of this.#partitions.finish()) runs.push(yield* this.#firstRowsOf(stream, 1));
    yield* inOrder(runs, write);
  }

  /** Removes the rows on disk. */
  close(): void {
    this.#settings.file.close();
  }

  *#firstRowsOf(stream: SpillStream, level: number): Generator<undefined, FirstRows> {
    const memory = tableOf(this.#settings, level);
    const found = new FirstRows(stream.again());
    let partitions: Partitions | undefined;
    for (let row = 0; stream.next(); row++) {
      if (row % ROWS_AT_ONCE === 0) yield;
      const { bytes, view, keyStart, keyEnd, textStart, textEnd } = stream;
      const address = memory.reach(view, keyStart, keyEnd);
      if (address !== NO_ROOM && memory.isNew) found.mark(row);
      if (address !== NO_ROOM) continue;
      partitions ??= new Partitions(this.#settings, 1, level);
      const next = partitions.streamFor(view, keyStart, keyEnd);
      next.add(bytes, keyStart, keyEnd, bytes, textStart, textEnd);
      next.setNumber(0, stream.number(0));
    }
    memory.clear();
    return partitions === undefined ? found : yield* this.#joined(found, partitions, level);
  }

  /** Merges the rows that were found in memory and those of the partitions of the next level, so that few runs are open at a time. */
  *#joined(found: FirstRows, partitions: Partitions, level: number): Generator<undefined, FirstRows> {
    const runs = [found];
    for (const next of partitions.finish()) runs.push(yield* this.#firstRowsOf(next, level + 1));
    const { file, memory } = this.#settings;
    const stream = new SpillStream(file, 1, blockBytesOf(memory));
    yield* inOrder(runs, (row) => {
      stream.add(row.bytes, row.keyStart, row.keyEnd, row.bytes, row.textStart, row.textEnd);
      stream.setNumber(0, row.number(0));
    });
    stream.finish();
    return new FirstRows(stream, true);
  }
}

/** The marked rows of a stream on disk. Each is the first row with its key. */
class FirstRows {
  readonly stream: SpillStream;
  readonly #isAll: boolean;
  /** A bit for each row, set by `mark`. */
  #bits = new Uint8Array(BITS_BYTES_LEAST);
  #row = -1;

  constructor(stream: SpillStream, isAll = false) {
    this.stream = stream;
    this.#isAll = isAll;
  }

  /** Marks row number `row` as the first with its key. */
  mark(row: number): void {
    if (row >> 3 >= this.#bits.length) this.#bits = grown(this.#bits, 2 * (row >> 3));
    this.#bits[row >> 3] = this.#bits[row >> 3] | (1 << (row & 7));
  }

  /** Goes to the next marked row; returns false after the last one. */
  next(): boolean {
    while (this.stream.next()) {
      this.#row++;
      if (this.#isAll || ((this.#bits[this.#row >> 3] ?? 0) & (1 << (this.#row & 7))) !== 0) return true;
    }
    return false;
  }
}

function* inOrder(runs: FirstRows[], write: (row: SpillStream) => void): Generator<undefined> {
  let rows = 0;
  for (const { stream } of mergeRuns(runs, (one, other) => one.stream.number(0) < other.stream.number(0))) {
    write(stream);
    if (++rows % ROWS_AT_ONCE === 0) yield;
  }
}

function tableOf(settings: SpillSettings, level: number): KeyTable {
  return new KeyTable(0, tableBytesOf(settings.memory), settings.hash, seedOf(settings, level, true));
}
