// Decides which keys are new. Keys are in memory while there is room. The rest waits on disk to the end (partitions.ts), or is forgotten.
import { KeyTable, NO_ROOM } from "./key-table.ts";
import { blockBytesOf, Partitions, seedOf, tableBytesOf } from "./partitions.ts";
import { mergeRuns } from "./sort-rows.ts";
import { type SpilledRow, type SpillSettings, SpillStream } from "./spill.ts";

/** Whether a key is new. `later`: there is no room to decide, so the caller passes the key to `keep`, and the text of its record. */
export type KeyState = "new" | "known" | "later";

const ROWS_AT_ONCE = 1024; // Rows that are read between two pauses
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
    yield* this.#firstRows(this.#partitions, 0, [], write);
  }

  /** Removes the rows on disk. */
  close(): void {
    this.#settings.file.close();
  }

  /** Merges the first rows of the partitions of a level with other rows that are in order; calls `write` with each. */
  *#firstRows(
    partitions: Partitions | undefined,
    level: number,
    rows: SpillStream[],
    write: (row: SpillStream) => void,
  ): Generator<undefined> {
    for (const stream of partitions?.finish() ?? []) rows.push(yield* this.#firstRowsOf(stream, level + 1));
    let written = 0;
    for (const row of mergeRuns(rows, (one, other) => one.number(0) < other.number(0))) {
      write(row);
      if (++written % ROWS_AT_ONCE === 0) yield;
    }
  }

  /** Returns the first rows of a partition in their order. Each level becomes one stream, so that few are open at a time. */
  *#firstRowsOf(stream: SpillStream, level: number): Generator<undefined, SpillStream> {
    const memory = tableOf(this.#settings, level);
    const found = this.#newStream();
    let partitions: Partitions | undefined;
    for (let row = 0; stream.next(); row++) {
      if (row % ROWS_AT_ONCE === 0) yield;
      const { view, keyStart, keyEnd } = stream;
      if (memory.reach(view, keyStart, keyEnd) === NO_ROOM) {
        partitions ??= new Partitions(this.#settings, 1, level);
        copyRow(stream, partitions.streamFor(view, keyStart, keyEnd));
      } else if (memory.isNew) copyRow(stream, found);
    }
    memory.clear();
    found.finish();
    if (partitions === undefined) return found;
    const all = this.#newStream();
    yield* this.#firstRows(partitions, level, [found], (row) => copyRow(row, all));
    all.finish();
    return all;
  }

  #newStream(): SpillStream {
    return new SpillStream(this.#settings.file, 1, blockBytesOf(this.#settings.memory));
  }
}

function copyRow(row: SpillStream, to: SpillStream): void {
  to.add(row.bytes, row.keyStart, row.keyEnd, row.bytes, row.textStart, row.textEnd);
  to.setNumber(0, row.number(0));
}

function tableOf(settings: SpillSettings, level: number): KeyTable {
  return new KeyTable(0, tableBytesOf(settings.memory), settings.hash, seedOf(settings, level, true));
}
