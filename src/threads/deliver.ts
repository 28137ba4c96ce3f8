// The results of a task, on their way to a sink.
import { SourceError } from "../errors.ts";
import type { Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";
import { type TaskRun, taken } from "./worker-pool.ts";

/** Writes all results of a task to `sink`, waiting when that says so; returns the totals of the task. Rejects as `TaskRun.next` does. */
export async function deliver(run: TaskRun, sink: Sink): Promise<Totals> {
  for (;;) {
    const message = await run.next();
    const { result } = message;
    if (result.kind === "end") return result.totals;
    if (result.kind === "failed") sink.write({ kind: "failed", error: new SourceError(result.code, result.source, result.reason) });
    else sink.write(result);
    const pause = sink.wait();
    if (pause !== undefined) await pause;
    taken(message);
  }
}
