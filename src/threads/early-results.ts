// Steps whose results have not been written yet, and the results of those that this thread carried out early.
import type { Result } from "../output/sink.ts";
import type { ReadCounter } from "../run/run-position.ts";
import { emptyTotals } from "../run/totals.ts";
import type { Step } from "./plan.ts";
import { sizeOf } from "./task.ts";
import type { TaskRun, WorkerPool } from "./worker-pool.ts";

/** Results of one step, and its totals. */
export class EarlyResults {
  readonly totals = emptyTotals();
  #results: Result[] = [];
  /** Bytes of the kept results. */
  bytes = 0;

  /** Keeps a result. */
  write(result: Result): void {
    // `bytes` is a view of memory that will be overwritten.
    this.#results.push(result.kind === "bytes" ? { ...result, bytes: result.bytes.slice() } : result);
    this.bytes += sizeOf(result);
  }

  /** Removes and returns the kept results. */
  take(): Result[] {
    const results = this.#results;
    this.#results = [];
    this.bytes = 0;
    return results;
  }
}

/** A step with the run of a worker, or with early results of this thread. With neither, this thread carries it out at its turn. */
export interface PendingStep {
  readonly step: Step;
  run?: TaskRun | undefined;
  early?: EarlyResults;
}

/** Returns a pending step, and gives it to the pool if a worker can carry it out. */
export function pendingStep(step: Step, pool: WorkerPool, read: ReadCounter | undefined): PendingStep {
  return { step, run: step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read }) : undefined };
}
