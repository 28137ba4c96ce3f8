// Sinks for tests.
import type { Result, Sink } from "../../src/output/sink.ts";

/** A function for each kind of result, and the other methods of a sink. */
export type Takers = { [Kind in Result["kind"]]?: (result: Extract<Result, { kind: Kind }>) => void } & Partial<Pick<Sink, "wait" | "end">>;

/** Returns a sink that calls the function for the kind of each result, if there is one. */
export function sinkOf(takers: Takers): Sink {
  return {
    write: (result) => (takers[result.kind] as ((given: Result) => void) | undefined)?.(result),
    wait: () => takers.wait?.(),
    end: () => takers.end?.(),
  };
}
