// Matches as objects, in the order in which a scan finds them.
import type { CheckedOptions } from "../options.ts";
import { listRejected } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { Match, type RejectedBatch } from "../scanner/batch.ts";

/** Calls the listener of the options for each candidate of a batch, until their signal fires. */
export function reportRejected({ onRejected, signal }: CheckedOptions, batch: RejectedBatch): void {
  if (onRejected === undefined) return;
  for (const rejected of listRejected(batch)) {
    if (signal?.aborted === true) return;
    onRejected(rejected);
  }
}

/** Keeps what has been found until it is taken. */
export class MatchList implements Sink {
  readonly #options: CheckedOptions;
  #found: Match[] = [];

  constructor(options: CheckedOptions) {
    this.#options = options;
  }

  /** Returns the matches since the last call. */
  take(): Match[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Gives the same one by one. Throws the reason of the signal once that has fired, also after the last match. */
  *deliver(): Generator<Match> {
    const { signal } = this.#options;
    for (const match of this.take()) {
      signal?.throwIfAborted();
      yield match;
    }
    signal?.throwIfAborted();
  }

  write(result: Result): void {
    if (result.kind === "rejected") reportRejected(this.#options, result);
    if (result.kind !== "matches") return;
    for (let index = 0; index < result.count; index++) this.#found.push(new Match(result, index));
  }

  wait(): undefined {
    return undefined;
  }

  end(): undefined {
    return undefined;
  }
}
