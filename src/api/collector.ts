// Matches as objects, in the order in which a scan finds them.
import type { ExtractOptions, Rejected } from "../options.ts";
import type { Receiver } from "../output/receiver.ts";
import { listRejected } from "../output/rejected.ts";
import { Match, type MatchBatch, type RejectedBatch } from "../scanner/batch.ts";

/** Calls `listener` for each candidate of a batch, until `signal` fires. */
export function report(
  listener: ExtractOptions["onRejected"],
  batch: RejectedBatch,
  source: string | undefined,
  signal: AbortSignal | undefined,
): void {
  if (listener === undefined) return;
  for (const rejected of listRejected(batch, source) satisfies Iterable<Rejected>) {
    if (signal?.aborted === true) return;
    listener(rejected);
  }
}

/** Keeps what has been found until it is taken. */
export class Collector implements Receiver {
  readonly #onRejected: ExtractOptions["onRejected"];
  readonly #signal: AbortSignal | undefined;
  #found: Match[] = [];

  constructor(onRejected: ExtractOptions["onRejected"], signal?: AbortSignal) {
    this.#onRejected = onRejected;
    this.#signal = signal;
  }

  /** The matches since the last call. */
  take(): Match[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** The same one by one; throws the reason of the signal once that has fired, and behind the last match too. */
  *deliver(): Generator<Match> {
    for (const match of this.take()) {
      this.#signal?.throwIfAborted();
      yield match;
    }
    this.#signal?.throwIfAborted();
  }

  matches(batch: MatchBatch, source: string | undefined): void {
    for (let index = 0; index < batch.count; index++) this.#found.push(new Match(batch, index, source));
  }

  rejected(batch: RejectedBatch, source: string | undefined): void {
    report(this.#onRejected, batch, source, this.#signal);
  }

  bytes(): void {
    throw new Error("a scan for matches gives no lines");
  }

  room(): undefined {
    return undefined;
  }
}
