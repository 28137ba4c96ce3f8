// How far a scan is between two steps. What later steps find depends on nothing else, so another scan can go on from there.
import type { Hash } from "node:crypto";
import { isSource, type Listed } from "../input/paths.ts";
import { emptyTotals, type Totals } from "../run/totals.ts";
import type { BegunSource, Step } from "./plan.ts";

/** How far a scan is. */
export interface ScanState {
  /** Entries of the listing that have been scanned, or begun. */
  readonly entries: number;
  /** Hash of these entries: names, sizes, times. */
  readonly listing: string;
  /** Where the scan goes on in the last entry, an offset in its text; absent: it has been scanned. */
  readonly from?: number | undefined;
  /** Messages of the last entry before `from`. */
  readonly messagesBefore: number;
  readonly totals: Totals;
}

/** Who keeps the states of a scan. */
export interface StateKeeper {
  /** Where the scan goes on; undefined: it begins at its start. */
  readonly resumed: ScanState | undefined;
  /** Called after each step, when its results have been written. Returns a promise if the scan should wait before it writes more. */
  reached(state: () => ScanState): Promise<void> | undefined;
}

/** Returns the state of a scan that has not begun. */
export function firstState(): ScanState {
  return { entries: 0, listing: hashOf(newHash()), messagesBefore: 0, totals: emptyTotals() };
}

/** The states of one scan. */
export class ScanStates {
  readonly #keeper: StateKeeper;
  /** Hash of the entries whose turn has come. */
  readonly #hash = newHash();
  #entries = 0;

  constructor(keeper: StateKeeper) {
    this.#keeper = keeper;
  }

  /**
   * Takes what an earlier scan has read off `sources`. Returns the source that it has begun, if there is one. Throws an error if the
   * sources are others.
   */
  takeScanned(sources: Iterator<Listed>): BegunSource | undefined {
    const { entries, listing, from } = this.#keeper.resumed ?? firstState();
    let last: Listed | undefined;
    while (this.#entries < entries) {
      const { value, done } = sources.next();
      if (done === true) break;
      this.#add([value]);
      last = value;
    }
    if (hashOf(this.#hash) !== listing) {
      throw new Error(`the inputs have changed: what an earlier run has read, files 1 to ${entries}, is not as it was; begin the run anew`);
    }
    return from === undefined || last === undefined || !isSource(last) ? undefined : { source: last, from };
  }

  /** Reports a step that is complete. `isOver`: what follows in its last entry is nothing. */
  reached({ listed, rest }: Step, isOver: boolean, messagesBefore: number, totals: Totals): Promise<void> | undefined {
    this.#add(listed);
    return this.#keeper.reached(() => ({
      entries: this.#entries,
      listing: hashOf(this.#hash),
      from: isOver ? undefined : rest,
      messagesBefore,
      totals,
    }));
  }

  #add(listed: readonly Listed[]): void {
    if (listed.length === 0) return;
    this.#entries += listed.length;
    this.#hash.update(listed.map(textOf).join(""));
  }
}

// A name has no NUL in it.
function textOf(listed: Listed): string {
  if (isSource(listed)) return `${listed.name}\0${listed.size}\0${listed.mtime}\0`;
  return listed instanceof Error ? `${listed.source}\0${listed.code}\0\0` : `${listed.source}\0${listed.reason}\0\0`;
}

/** Few runs need a hash, and its module loads those of streams. */
function newHash(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

function hashOf(hash: Hash): string {
  return hash.copy().digest("hex");
}
