// The results of tasks, handed to a receiver in the order of the tasks, however the workers finish.
import { SourceError } from "../errors.ts";
import type { Omission } from "../omission.ts";
import type { Receiver } from "../output/receiver.ts";
import type { Totals } from "./totals.ts";
import { type TaskRun, taken } from "./worker-pool.ts";

/** Takes also the sources that could not be read, and those that were left out. */
export interface FilesReceiver extends Receiver {
  failed(error: SourceError): void;
  omitted?(omission: Omission): void;
}

/** Takes what is found in the sources of one thread. */
export interface SourceReceiver extends FilesReceiver {
  /** Returns why the reading of `source` ended with `error`. Throws what ends the whole scan. */
  failureOf(source: string | undefined, error: unknown): SourceError;
}

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
