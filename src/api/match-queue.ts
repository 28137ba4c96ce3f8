// Connects a run, which writes to a sink, with a caller that asks for matches one by one.
import { Signal } from "../base/signal.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { derivedReaderOf, Match } from "../matches/match.ts";
import type { CheckedOptions } from "../options/options.ts";
import { reportRejected } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { CodeUnits } from "./code-units.ts";

/**
 * Starts `run` and yields its matches. The run continues only while the caller asks for more. After the last match, rejects with the error
 * that ended the run, or the error of the first unreadable source. Rejects with the signal's reason when the signal fires. With `units`
 * the offsets count the code units of a string.
 */
export async function* matchesOf(options: CheckedOptions, run: (sink: Sink) => Promise<unknown>, units?: CodeUnits): AsyncGenerator<Match> {
  const { settings, signal } = options;
  const readDerived = derivedReaderOf(settings.fields);
  const queue = new MatchQueue(options, units);
  const over = run(queue).then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  try {
    for (;;) {
      const batch = await queue.next();
      signal?.throwIfAborted();
      if (batch === undefined) return;
      for (let index = 0; index < batch.count; index++) {
        yield new Match(batch, index, units, readDerived);
        signal?.throwIfAborted();
      }
    }
  } finally {
    queue.stop();
    await over;
  }
}

class MatchQueue implements Sink {
  readonly #options: CheckedOptions;
  readonly #units: CodeUnits | undefined;
  readonly #batches: MatchBatch[] = [];
  #isStopped = false;
  /** The end of the run. The error is in an object, because a source may throw `undefined`. */
  #ended: { readonly failure?: { readonly error: unknown } } | undefined;
  /** Wakes the reader at a batch or at the end of the run. */
  readonly #given = new Signal();
  /** Wakes the writer when the reader asks for a batch or stops. */
  readonly #asked = new Signal();

  constructor(options: CheckedOptions, units: CodeUnits | undefined) {
    this.#options = options;
    this.#units = units;
  }

  write(result: Result): void {
    if (result.kind === "failed") throw result.error;
    if (result.kind === "rejected") reportRejected(result, this.#options, this.#units);
    if (result.kind !== "matches") return;
    this.#batches.push(result);
    this.#given.wake();
  }

  /** Resolves when all batches are taken and the caller waits for the next. Rejects when the caller has stopped. */
  async wait(): Promise<void> {
    while (!this.#isStopped && (this.#batches.length > 0 || !this.#given.isAwaited)) {
      await this.#asked.wait();
    }
    if (this.#isStopped) throw new Error("nobody takes the matches any more");
  }

  /** Ends the queue after a complete run. */
  end(): undefined {
    this.#ended ??= {};
    this.#given.wake();
  }

  /** Ends the queue after a run that `error` ended. */
  fail(error: unknown): void {
    this.#ended ??= { failure: { error } };
    this.#given.wake();
  }

  /** Stops the run, because the caller wants no more matches. */
  stop(): void {
    this.#isStopped = true;
    this.#asked.wake();
  }

  /** Returns the next batch, or undefined at the end. Rejects with the error that ended the run. */
  async next(): Promise<MatchBatch | undefined> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) return batch;
      if (this.#ended?.failure !== undefined) throw this.#ended.failure.error;
      if (this.#ended !== undefined) return undefined;
      const given = this.#given.wait();
      this.#asked.wake();
      await given;
    }
  }
}
