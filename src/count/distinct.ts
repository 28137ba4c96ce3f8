// Decides which keys are new. Keys are in memory while there is room. The rest waits on disk to the end (partitions.ts), or is forgotten.
import { NO_ROOM } from "./key-table.ts";
import { SpillTable, written } from "./partitions.ts";
import { mergeRuns } from "./sort-rows.ts";
import { type SpilledRow, type SpillSettings, SpillStream } from "./spill.ts";

/** Whether a key is new. `later`: there is no room to decide, so the caller passes the key to `keep`, and the text of its record. */
export type KeyState = "new" | "known" | "later";

const ROWS_AT_ONCE = 1024; // Rows that are read between two pauses
const NO_BYTES = new Uint8Array(0);

export class Distinct {
  readonly #settings: SpillSettings;
  readonly #table: SpillTable;
  readonly #forgetsRest: boolean;
  #order = 0;

  /** `forgetsRest`: a key that does not fit in memory is new each time it comes; `add` never returns `later`. */
  constructor(settings: SpillSettings, forgetsRest = false) {
    this.#settings = settings;
    this.#table = new SpillTable(settings, 1, 0);
    this.#forgetsRest = forgetsRest;
  }

  /** Whether `add` returns `later` for each key that is not in memory. */
  get isFull(): boolean {
    return this.#table.keys.isFull && !this.#forgetsRest;
  }

  /** Adds the key [start, end) of `view`, unless it is known; returns whether it is new. */
  add(view: DataView, start: number, end: number): KeyState {
    const { keys } = this.#table;
    if (keys.reach(view, start, end) === NO_ROOM) return this.#forgetsRest ? "new" : "later";
    return keys.isNew ? "new" : "known";
  }

  /** Keeps the text [textStart, textEnd) with the key [start, end) for which `add` returned `later`. Throws if the disk is full. */
  keep(view: DataView, start: number, end: number, text: Uint8Array = NO_BYTES, textStart = 0, textEnd = text.length): void {
    const stream = this.#table.streamFor(view, start, end);
    stream.add(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start, end, text, textStart, textEnd);
    stream.setNumber(0, this.#order++);
  }

  /** Calls `write` with the first kept row of each key, in the order of `keep`; yields where the caller may pause, but not add. */
  *finish(write: (row: SpilledRow) => void): Generator<undefined> {
    let count = 0;
    for (const row of inOrder(yield* this.#runsOf(this.#table))) {
      write(row);
      if (++count % ROWS_AT_ONCE === 0) yield;
    }
  }

  close(): void {
    this.#settings.file.close();
  }

  /** Returns the first rows of each partition of a table. */
  *#runsOf(table: SpillTable): Generator<undefined, SpillStream[]> {
    const runs: SpillStream[] = [];
    for (const rows of table.finish()) runs.push(yield* this.#firstRows(rows, table.next()));
    return runs;
  }

  /** Returns the first rows of the keys of a partition. Each level becomes one stream, so that few are open at a time. */
  *#firstRows(rows: SpillStream, table: SpillTable): Generator<undefined, SpillStream> {
    const { keys } = table;
    const found = new SpillStream(this.#settings, 1);
    for (let row = 0; rows.next(); row++) {
      if (row % ROWS_AT_ONCE === 0) yield;
      const { view, keyStart, keyEnd } = rows;
      if (keys.reach(view, keyStart, keyEnd) === NO_ROOM) table.streamFor(view, keyStart, keyEnd).copy(rows);
      else if (keys.isNew) found.copy(rows);
    }
    found.finish();
    const runs = yield* this.#runsOf(table);
    return runs.length === 0 ? found : yield* written(this.#settings, 1, inOrder([found, ...runs]));
  }
}

function inOrder(runs: readonly SpillStream[]): Generator<SpillStream> {
  return mergeRuns(runs, (one, other) => one.number(0) < other.number(0));
}
