// A step whose results have not been written yet.
import type { ReadCounter } from "../run/run-position.ts";
import type { EarlyResults } from "./early-results.ts";
import type { Step } from "./plan.ts";
import type { TaskRun, WorkerPool } from "./worker-pool.ts";

/** A step with the run of a worker, or with early results of this thread. Without both this thread carries it out at its turn. */
export interface PendingStep {
  readonly step: Step;
  run?: TaskRun | undefined;
  early?: EarlyResults;
}

/** Returns a pending step, and gives it to the pool if a worker can carry it out. */
export function pendingStep(step: Step, pool: WorkerPool, read: ReadCounter | undefined): PendingStep {
  return { step, run: step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read }) : undefined };
}
