// Results in the order of the steps: totals, numbers of messages, failures, and discarded parts.
import { COUNT_MESSAGES } from "#core/layout/mail.js";
import { OUTPUT_REGION, WINDOW_REGION } from "#core/layout/memory.js";
import { BILLION, NUMBER_ROWS, NUMBER_ROWS_MAX, RENUMBERED_BYTES } from "#core/layout/records.js";
import { concat, firstIndex } from "../base/arrays.ts";
import type { SourceError } from "../base/errors.ts";
import { countOmission, unreadable } from "../base/omission.ts";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { ByteBatch } from "../matches/batch.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { RunPosition } from "../run/run-position.ts";
import { dropRest, isDropped } from "../run/scan-source.ts";
import { addTotals, type Totals } from "../run/totals.ts";
import type { Step } from "./plan.ts";

export interface OrderOptions {
  /** Whether the first unreadable source ends the run. */
  readonly failFast?: boolean | undefined;
  readonly position?: RunPosition | undefined;
}

export class OrderedResults {
  /** Takes the results of the current step, unless it is dropped; counts omissions and failures. */
  readonly sink: Sink;
  readonly totals: Totals;
  /** Messages of the source before the range whose results are being taken. */
  messagesBefore: number;
  /** The error that ends the run: one of the sink or of a worker, or with `failFast` the first failure; undefined: none so far. */
  thrown: unknown;
  /** Whether the results of the current step are discarded: an earlier part was read to the end of the file. */
  isDropped = false;
  readonly #options: OrderOptions;
  #current: Step | undefined;
  #messagesAtBegin = 0;
  #lastFailure: SourceError | undefined;

  /** `totals` and `messagesBefore`: of an earlier run that this one continues. */
  constructor(options: OrderOptions, sink: Sink, totals: Totals, messagesBefore = 0) {
    this.#options = options;
    this.totals = totals;
    this.messagesBefore = messagesBefore;
    const remembered = <T>(act: () => T): T => {
      try {
        return act();
      } catch (error) {
        return this.fail(error);
      }
    };
    this.sink = {
      write: (result) => remembered(() => (this.isDropped ? undefined : this.#write(result, sink))),
      wait: () => remembered(() => sink.wait()?.catch(this.fail)),
      end: () => sink.end(),
    };
  }

  readonly fail = (error: unknown): never => {
    this.thrown = error;
    throw error;
  };

  begin(step: Step): void {
    // A part that writes `over` still has results.
    if (step === this.#current) return;
    this.#current = step;
    this.#messagesAtBegin = this.#messages;
    this.isDropped = isOver(step);
    if (step.kind !== "parts") return;
    if (step.parts[0]?.from === 0) this.messagesBefore = 0;
    this.setSource(step.parts[0]?.name);
  }

  /** Ends the current step, when its results have been written and its totals added. */
  end(): void {
    this.messagesBefore += this.#messages - this.#messagesAtBegin;
  }

  add(totals: Totals): void {
    if (!this.isDropped) addTotals(this.totals, totals);
  }

  setSource(name: string | undefined): void {
    if (this.#options.position !== undefined) this.#options.position.source = name;
  }

  #dropRest(): void {
    if (this.#current?.kind === "parts") this.#current.parts.forEach(dropRest);
  }

  get #messages(): number {
    return this.totals.archive[COUNT_MESSAGES] ?? 0;
  }

  #write(result: Result, sink: Sink): void {
    if (result.kind === "omitted") countOmission(this.totals.omitted, result.omission);
    if (result.kind === "failed") this.#countFailure(result.error, sink);
    else if (result.kind === "over") this.#dropRest();
    else writeNumbered(sink, this.messagesBefore, result);
  }

  #countFailure(error: SourceError, sink: Sink): void {
    const last = this.#lastFailure;
    // Each part of a file that became shorter fails; the failure is reported once.
    if (last !== undefined && error.code === "ERR_URLMILL_TRUNCATED" && last.source === error.source && last.message === error.message)
      return;
    this.#lastFailure = error;
    this.totals.skipped++;
    countOmission(this.totals.omitted, unreadable(error));
    sink.write({ kind: "failed", error });
    if (this.#options.failFast === true) throw error;
  }
}

/** Returns whether later steps of the file are discarded. */
export function isOver(step: Step): boolean {
  return step.kind === "parts" && step.parts.some(isDropped);
}

const DIGITS_MOST = 10; // Most digits of a number in a range

/** Writes the result of a range to `sink` with the numbers that messages have in the source; `before`: messages before the range. */
export function writeNumbered(sink: Sink, before: number, result: Result): void {
  if (result.kind === "bytes" && result.messageNumbers !== undefined && before > 0) {
    // The sink takes the bytes before anything else uses the core.
    const core = takeCore();
    try {
      sink.write({ kind: "bytes", bytes: renumbered(core, result, result.messageNumbers, before), count: result.count });
    } finally {
      releaseCore(core);
    }
  } else if (result.kind === "matches" && result.locations !== undefined && result.locations.messagesBefore === undefined)
    sink.write({ ...result, locations: { ...result.locations, messagesBefore: before } });
  else sink.write(result);
}

/** Returns the bytes with new numbers; a view of the core's memory if all fit into it. `numbers`: pairs as at NUMBER_ROWS. */
export function renumbered(core: Core, { bytes }: ByteBatch, numbers: Int32Array, before: number): Uint8Array {
  const high = Math.floor(before / BILLION);
  const low = before - high * BILLION;
  const pieces: Uint8Array[] = [];
  let [from, row] = [0, 0];
  for (;;) {
    const limit = from + RENUMBERED_BYTES;
    const rowsEnd = firstIndex(
      Math.min(numbers.length / 2, row + NUMBER_ROWS_MAX),
      (at) => (numbers[2 * at] as number) + DIGITS_MOST > limit,
    );
    const to = Math.min(limit, numbers[2 * rowsEnd] ?? bytes.length);
    core.bytes.set(bytes.subarray(from, to), WINDOW_REGION);
    core.words.set(numbers.subarray(2 * row, 2 * rowsEnd), NUMBER_ROWS >> 2);
    const end = core.renumber(WINDOW_REGION + to - from, rowsEnd - row, from, high, low);
    const piece = core.bytes.subarray(OUTPUT_REGION, end);
    if (pieces.length === 0 && to === bytes.length) return piece;
    pieces.push(piece.slice());
    if (to === bytes.length) return concat(pieces);
    [from, row] = [to, rowsEnd];
  }
}
