// Merges the results of all shards: writes them to the sink of the command in the order of the plan, like the results of one run.
import { extractResults, type Results } from "../api/results.ts";
import type { SourceError } from "../base/errors.ts";
import { EVERYTHING, settingsOf } from "../options/options.ts";
import { checkValues } from "../options/table.ts";
import { rejectedLines } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { choiceOf, reportOptions } from "../run/command-settings.ts";
import { emptyTotals, type Totals } from "../run/totals.ts";
import { OrderedResults, type OrderOptions } from "../threads/ordered-results.ts";
import type { Step } from "../threads/plan.ts";
import { receivedOf } from "../threads/task.ts";
import { checkResults, readFrames, storedFiles } from "./frames.ts";
import { doneShards } from "./marker.ts";
import { isFile, type PlanFile, type Shard } from "./plan-file.ts";
import type { Store } from "./store.ts";

/** Writes the results of all shards to `sink` as `scanFiles` does those of the inputs. Rejects with ShardError for damaged results too. */
type RunMerge = (options: OrderOptions & Pick<MergeFilesOptions, "signal">, sink: Sink) => Promise<Totals>;

/** Checks all shards before the first byte of the output, because even the last may be wrong; resolves to the function that merges them. */
export async function openMerge(plan: PlanFile, store: Store): Promise<RunMerge> {
  const files = await storedFiles(store);
  for await (const [, { results }] of doneShards(plan, store)) await checkResults(store, results, files.get(results.name));
  return async (options, sink) => {
    const ordered = new OrderedResults(options, sink, emptyTotals());
    let isOver = false;
    for await (const [shard, { results, totals, isOver: hasReadRest = false }] of doneShards(plan, store)) {
      options.signal?.throwIfAborted();
      // An earlier shard has read this part too. The parts of a file follow each other; the first one has no start.
      if (isOver && shard.inputs.some((input) => isFile(input) && input.from !== undefined)) continue;
      isOver = hasReadRest;
      ordered.begin(stepOf(shard));
      for await (const frame of readFrames(store, results)) {
        options.signal?.throwIfAborted();
        ordered.sink.write(receivedOf(frame));
        await ordered.sink.wait();
      }
      ordered.add(totals);
      ordered.end();
    }
    await ordered.sink.end();
    return ordered.totals;
  };
}

/** Options of `merge`. */
export interface MergeFilesOptions {
  /** Takes the next bytes of the output. If it returns a promise, the merge waits for it before the next call. */
  readonly write: (bytes: Uint8Array) => Promise<void> | undefined;
  /** Takes lines of NDJSON for rejected candidates, omissions and unreadable sources. The text may be empty. */
  readonly writeRejected?: ((text: string) => void) | undefined;
  /** Called with the error of each unreadable source. */
  readonly onFailure?: ((error: SourceError) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Merges the results of a plan, and passes the output of the command to `write`, the same as from one run. Resolves to the totals. Rejects
 * with ShardError if a shard is not done, or its marker or its results are wrong, with errors of `write`, and with the signal's reason.
 */
export async function merge(plan: PlanFile, store: Store, options: MergeFilesOptions): Promise<Totals> {
  const begin = process.hrtime.bigint();
  const { write, writeRejected, onFailure, signal = new AbortController().signal } = options;
  const run = await openMerge(plan, store);
  const results = await resultsOf(plan);
  let pause: Promise<void> | undefined;
  const take = (result: Result): void => {
    if (result.kind === "bytes") {
      // A copy, because the bytes are valid only until this returns.
      const bytes = new Uint8Array(result.bytes);
      pause = pause === undefined ? write(bytes) : pause.then(() => write(bytes));
      // `wait` throws the error, unless another error comes first.
      pause?.catch(() => undefined);
      return;
    }
    if (result.kind === "failed") onFailure?.(result.error);
    writeRejected?.(rejectedLines(result));
  };
  const wait = async (): Promise<void> => {
    await pause;
    pause = undefined;
  };
  const sink = results.open({ write: take, wait: () => (pause === undefined ? undefined : wait()), end: wait }, signal);
  const totals = await run({ signal, failFast: plan.header.options.failFast === true }, sink);
  const rest = await results.finish?.(totals, Number(process.hrtime.bigint() - begin) / 1e9, signal);
  if (rest !== undefined) await write(rest);
  return totals;
}

async function resultsOf(plan: PlanFile): Promise<Results> {
  const { command, options: given } = plan.header;
  const options = checkValues(`urlmill ${command}`, given);
  if (command === "count") return await (await import("../api/count-results.ts")).countResults(options, options.countFormat);
  if (command === "extract") return await extractResults(settingsOf(options), choiceOf(options));
  const { reportResults } = await import("../report/report-results.ts");
  return reportResults(reportOptions(options), Object.keys(given), (await plan.end()).paths);
}

/** Returns a step that stands for a shard in OrderedResults: a part with the source and the range of the first file of the shard. */
function stepOf({ inputs }: Shard): Step {
  const { uri = "", size = 0, from = 0, to = EVERYTHING.to } = inputs.find(isFile) ?? {};
  return { kind: "parts", parts: [{ file: "", name: uri, size, from, to }], listed: [] };
}
