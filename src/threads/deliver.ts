// The results of tasks, handed to a receiver in the order of the tasks, however the workers finish.
import { SourceError } from "../errors.ts";
import type { Receiver } from "../output/receiver.ts";
import type { Totals } from "../run/totals.ts";
import { type TaskRun, taken } from "./worker-pool.ts";

/** Waits for all results of a task; returns its sums. Rejects as `TaskRun.next` does. */
export async function deliver(run: TaskRun, receiver: Receiver, failed: (error: SourceError) => void): Promise<Totals> {
  for (;;) {
    const message = await run.next();
    const { result } = message;
    if (result.kind === "end") return result.totals;
    if (result.kind === "bytes") receiver.bytes(result.bytes, result.count);
    else if (result.kind === "matches") receiver.matches(result.batch, result.source);
    else if (result.kind === "rejected") receiver.rejected(result.batch, result.source);
    else failed(new SourceError(result.code, result.source, result.reason));
    const room = receiver.room();
    if (room !== undefined) await room;
    taken(message);
  }
}
