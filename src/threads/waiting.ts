// A step whose results are awaited.
import type { ReadCounter } from "../run/run-position.ts";
import type { AheadResults } from "./ahead.ts";
import type { Step } from "./plan.ts";
import type { TaskRun, WorkerPool } from "./worker-pool.ts";

/** A step, and its results: of a worker, or of this thread before its turn. Both undefined: this thread carries it out at its turn. */
export interface Waiting {
  readonly step: Step;
  run?: TaskRun | undefined;
  ahead?: AheadResults;
}

/** Returns a step that waits, after it was given to the pool if a worker can carry it out. */
export function waitingOf(step: Step, pool: WorkerPool, read: ReadCounter | undefined): Waiting {
  return { step, run: step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read }) : undefined };
}
