// Matches as objects, in the order in which a scan finds them.
import type { ExtractOptions, Rejected } from "../options.ts";
import type { Receiver } from "../sinks/receiver.ts";
import { listRejected } from "../sinks/rejected.ts";
import { Match, type MatchBatch, type RejectedBatch } from "../window/batch.ts";

/** Calls `listener` for each candidate of a batch. */
export function report(listener: ExtractOptions["onRejected"], batch: RejectedBatch, source: string | undefined): void {
  if (listener === undefined) return;
  for (const rejected of listRejected(batch, source) satisfies Iterable<Rejected>) listener(rejected);
}

/** Keeps what has been found until it is taken. */
export class Collector implements Receiver {
  readonly #onRejected: ExtractOptions["onRejected"];
  #found: Match[] = [];

  constructor(onRejected: ExtractOptions["onRejected"]) {
    this.#onRejected = onRejected;
  }

  /** The matches since the last call. */
  take(): Match[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  matches(batch: MatchBatch, source: string | undefined): void {
    for (let index = 0; index < batch.count; index++) this.#found.push(new Match(batch, index, source));
  }

  rejected(batch: RejectedBatch, source: string | undefined): void {
    report(this.#onRejected, batch, source);
  }

  bytes(): void {
    throw new Error("a scan for matches gives no lines");
  }

  room(): undefined {
    return undefined;
  }
}
