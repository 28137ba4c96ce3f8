// A sink that keeps matches until they are taken.

import { type DerivedReader, Match } from "../matches/match.ts";
import { type RejectedListener, reportRejected } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { CodeUnits } from "./code-units.ts";

/** Keeps matches in the order in which a scan finds them; rejected candidates go to the listener of the options. */
export class MatchList implements Sink {
  readonly #listener: RejectedListener;
  readonly #units: CodeUnits | undefined;
  readonly #readDerived: DerivedReader | undefined;
  #found: Match[] = [];

  /** With `units` the matches get the offsets of a string, in code units. */
  constructor(listener: RejectedListener, units?: CodeUnits, readDerived?: DerivedReader) {
    this.#listener = listener;
    this.#units = units;
    this.#readDerived = readDerived;
  }

  /** Returns the matches since the last call. */
  take(): Match[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  write(result: Result): void {
    if (result.kind === "failed") throw result.error;
    if (result.kind === "rejected") reportRejected(result, this.#listener, this.#units);
    if (result.kind !== "matches") return;
    for (let index = 0; index < result.count; index++) this.#found.push(new Match(result, index, this.#units, this.#readDerived));
  }

  wait(): undefined {}

  end(): undefined {}
}
