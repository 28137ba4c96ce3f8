// The state of a scan between two steps. For the same inputs and options the results of later steps depend on nothing else, so another
// scan can continue from it. cli/checkpoint.ts keeps states in a file.
import type { Hash } from "node:crypto";
import { isSource, type Listed } from "../input/paths.ts";
import { emptyTotals, type Totals } from "../run/totals.ts";
import type { BegunSource, Step } from "./plan.ts";

export interface ScanState {
  /** Entries of the listing that were scanned or begun. */
  readonly entries: number;
  /** Hash of these entries: names, sizes and times, or errors and reasons. */
  readonly listing: string;
  /** Offset in the text of the last entry at which the scan continues; absent: the entry has been scanned. */
  readonly from?: number | undefined;
  /** Messages of the last entry before `from`. */
  readonly messagesBefore: number;
  readonly totals: Totals;
}

export interface StateKeeper {
  /** The state from which the scan continues; undefined: it is a new scan. */
  readonly resumed: ScanState | undefined;
  /** Called after each step, when its results have been written. Returns a promise if the scan should wait before it writes more. */
  reached(state: () => ScanState): Promise<void> | undefined;
}

export function firstState(): ScanState {
  return { entries: 0, listing: hashOf(newHash()), messagesBefore: 0, totals: emptyTotals() };
}

export class ScanStates {
  readonly #keeper: StateKeeper;
  readonly #hash = newHash();
  #entries = 0;
  /** Bytes of the inputs that an earlier scan has read. */
  bytesBefore = 0;

  constructor(keeper: StateKeeper) {
    this.#keeper = keeper;
  }

  /** Takes the entries that an earlier scan has read or begun; returns the source to continue, if any. Throws if they have changed. */
  takeScanned(sources: Iterator<Listed>): BegunSource | undefined {
    const { entries, listing, from } = this.#keeper.resumed ?? firstState();
    let last: Listed | undefined;
    while (this.#entries < entries) {
      const { value, done } = sources.next();
      if (done === true) break;
      this.#add([value]);
      last = value;
      if (isSource(value)) this.bytesBefore += this.#entries === entries ? Math.min(from ?? value.size, value.size) : value.size;
    }
    if (hashOf(this.#hash) !== listing) {
      throw new Error(`the inputs have changed: what an earlier run has read, files 1 to ${entries}, is not as it was; begin the run anew`);
    }
    return from === undefined || last === undefined || !isSource(last) ? undefined : { source: last, from };
  }

  /** Reports a complete step. `isOver`: the later parts of the last entry are discarded. */
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

// A name contains no NUL.
function textOf(listed: Listed): string {
  if (isSource(listed)) return `${listed.name}\0${listed.size}\0${listed.mtime}\0`;
  return listed instanceof Error ? `${listed.source}\0${listed.code}\0\0` : `${listed.source}\0${listed.reason}\0\0`;
}

/** Loads `node:crypto` late, because few runs need a hash, and it loads the modules of streams. */
function newHash(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

function hashOf(hash: Hash): string {
  return hash.copy().digest("hex");
}
