// Scans files in order: little work on this thread, more work on workers.
import { SourceError } from "../base/errors.ts";
import { readNamed } from "../input/chunks.ts";
import { openStream } from "../input/file.ts";
import { Pacer } from "../input/pacer.ts";
import { type FileSource, type FolderReading, type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { resultOf, type Steps } from "../input/steps.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { addingTo, newPosition, type ReadCounter, ReadMeter, type RunPosition } from "../run/run-position.ts";
import { scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext, scanMembers, sourceFailure } from "../run/scan-source.ts";
import { emptyTotals, type Totals } from "../run/totals.ts";
import { OrderedResults } from "./ordered-results.ts";
import { type CutOptions, planSteps, RANGE_BYTES, RANGE_BYTES_ALONE, rangeBytesOf, type Step } from "./plan.ts";
import { RANGE_BYTES_SAMPLED, RemainingWork, WORK_MILLISECONDS_LEAST } from "./remaining-work.ts";
import { ScanStates, type StateKeeper } from "./scan-state.ts";
import { type PendingStep, StepQueue } from "./step-queue.ts";
import { type FewerThreads, WorkerPool } from "./worker-pool.ts";

const TURN_MILLISECONDS = 2; // Milliseconds of work between two turns of the event loop while there are workers

export interface ScanFilesOptions {
  settings: ScanSettings;
  /** Most threads that scan; undefined: as many as this process may use. */
  threads: number | undefined;
  /** How folders are read; absent: all files, no links. */
  folders?: FolderReading;
  range?: OwnedRange | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the first unreadable source ends the scan. */
  failFast?: boolean;
  /** The outputs, by `identityOf`: omitted in a folder; an error as an input. */
  outputs?: ReadonlySet<string> | undefined;
  /** Bytes of a large file that one step owns. */
  rangeBytes?: number;
  /** Least milliseconds of remaining work for which workers start (remaining-work.ts); 0: they start at once. */
  workMillisecondsLeast?: number;
  /** Most bytes of early results on this thread (step-queue.ts). */
  earlyBytesMost?: number;
  /** Whether this thread is one of `threads` and scans its share, first while the workers start. Else it only writes their results. */
  scansHere?: boolean;
  fewerThreads?: FewerThreads | undefined;
  position?: RunPosition;
  /** Keeps states from which another scan can continue. */
  keeper?: StateKeeper | undefined;
  /** Gets the name of each file, in the order of listing. */
  onFile?: ((name: string) => void) | undefined;
}

/**
 * Scans the inputs in order, and ends `sink`. Writes unreadable inputs to `sink` as failures, and continues with the others. Rejects with
 * the signal's reason, with WorkerError, with errors of the sink, and with `failFast` with the first SourceError.
 */
export async function scanFiles(inputs: Iterable<Input>, options: ScanFilesOptions, sink: Sink): Promise<Totals> {
  const { workMillisecondsLeast = WORK_MILLISECONDS_LEAST } = options;
  const mayShare = options.threads !== 1;
  const scan = new FilesScan(options, sink, mayShare);
  const listed = listInputs(inputs, options);
  const begun = scan.states?.takeScanned(listed);
  if (options.position !== undefined) options.position.readBefore = scan.states?.bytesBefore ?? 0;
  const work = new RemainingWork(listed, begun?.source, workMillisecondsLeast);
  const steps = planSteps(work, scan.plan, begun);
  try {
    for (let next = steps.next(); next.done !== true; next = steps.next()) {
      const needsWorkers = mayShare && work.needsWorkers(next.value, scan.bytesRead);
      const threads = needsWorkers ? (options.threads ?? process.getBuiltinModule("node:os").availableParallelism()) : 1;
      // As many threads as parts: for one file that cannot be cut no worker is started.
      const first = [next.value];
      let parts = 1;
      while (parts < threads) {
        const { done, value } = steps.next();
        if (done === true) break;
        first.push(value);
        if (value.kind === "parts") parts++;
      }
      if (parts > 1) await scan.finishOnPool([first, steps], parts);
      else for (const step of first) await scan.finish({ step });
    }
    await scan.ordered.sink.end();
    return scan.ordered.totals;
  } finally {
    for (const file of scan.ordered.open.keys()) file.close();
  }
}

/** Lists the sources of the inputs. An output among them is an omission if it was found in a folder, and an error if it was named. */
export function* listInputs(
  inputs: Iterable<Input>,
  { outputs, folders, onFile }: Pick<ScanFilesOptions, "outputs" | "folders" | "onFile">,
): Generator<Listed> {
  for (const source of listSources(inputs, folders)) {
    if (!isSource(source)) yield source;
    else if (outputs?.has(source.identity) !== true) {
      onFile?.(source.name);
      yield source;
    } else if (source.isNamed) yield new SourceError("ERR_URLMILL_IS_OUTPUT", source.name, "is also the output and was not read");
    else yield { reason: "output", source: source.name };
  }
}

class FilesScan {
  readonly states: ScanStates | undefined;
  readonly #options: ScanFilesOptions;
  readonly ordered: OrderedResults;
  readonly #read: ReadCounter | undefined;
  #context: ScanContext;
  readonly plan: CutOptions;

  constructor(options: ScanFilesOptions, sink: Sink, mayShare: boolean) {
    const { settings, signal, position, keeper, rangeBytes } = options;
    this.#options = options;
    this.states = keeper && new ScanStates(keeper);
    const { totals, messagesBefore } = keeper?.resumed ?? {};
    this.ordered = new OrderedResults(options, sink, structuredClone(totals) ?? emptyTotals(), messagesBefore);
    this.#read = position?.read ?? (mayShare ? newPosition().read : undefined);
    this.#context = {
      settings,
      sink: formatted(settings, this.ordered.sink),
      totals: this.ordered.totals,
      pacer: new Pacer(signal),
      failureOf: (source, error) => {
        signal?.throwIfAborted();
        return sourceFailure(source, error, this.ordered.thrown);
      },
      read: addingTo(this.#read),
    };
    const alone = mayShare ? RANGE_BYTES_SAMPLED : this.states === undefined ? Number.POSITIVE_INFINITY : RANGE_BYTES_ALONE;
    this.plan = {
      settings,
      range: options.range ?? EVERYTHING,
      rangeBytes: rangeBytes ?? alone,
      smallBytes: mayShare ? (rangeBytes ?? RANGE_BYTES) : undefined,
      threads: 1,
      open: this.ordered.open,
    };
  }

  get bytesRead(): number {
    return Number(this.#read?.[0] ?? 0);
  }

  /** Finishes all steps of several lists. */
  async finishOnPool(lists: readonly Iterable<Step>[], threads: number): Promise<void> {
    const { settings, signal, scansHere = false, fewerThreads, earlyBytesMost, rangeBytes } = this.#options;
    Object.assign(this.plan, { threads, rangeBytes: rangeBytes ?? rangeBytesOf(settings) });
    const pool = await WorkerPool.start(scansHere ? threads - 1 : threads, settings, (count, reason) =>
      fewerThreads?.(scansHere ? count + 1 : Math.max(count, 1), reason),
    );
    // Workers send results, and get steps, when the event loop turns.
    this.#context = { ...this.#context, pacer: new Pacer(signal, undefined, TURN_MILLISECONDS) };
    const abort = (): void => void pool.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // If no worker can start, this thread scans everything.
      if (!scansHere && !(await pool.hasStarted)) {
        for (const steps of lists) for (const step of steps) await this.finish({ step });
        return;
      }
      const finish = (pending: PendingStep): Promise<void> => this.finish(pending);
      const shared = { ordered: this.ordered, context: this.#context, read: this.#read };
      const queue = new StepQueue({ pool, threads, scansHere, ...shared, finish, earlyBytesMost });
      for (const steps of lists) for (const step of steps) await queue.add(step);
      await queue.end();
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
    }
  }

  /** Writes the results of the next step. A step without results of a worker or of this thread is carried out here. */
  async finish({ step, run }: PendingStep): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const ordered = this.ordered;
    ordered.begin(step);
    if (step.kind === "failed" || step.kind === "omitted") ordered.sink.write(step);
    else if (step.kind === "close") ordered.close(step.file);
    else if (step.kind === "stream") await finishScan(step.source.name, this.#stream(step.source), this.#context);
    else if (run !== undefined) ordered.add(await run.deliver(ordered.sink));
    else if (!ordered.isDropped)
      for (const part of step.parts) {
        ordered.setSource(part.name);
        await finishScan(part.name, scanFile(part, this.#context), this.#context);
      }
    ordered.end();
    await this.states?.reached(step, ordered.isOver(step, step.rest), ordered.messagesBefore, ordered.totals);
  }

  /** Scans a source that is no regular file. */
  *#stream(source: FileSource): Steps<undefined> {
    const stream = yield* resultOf(openStream(source));
    const chunks = new ReadMeter(this.#context.read).count(readNamed(stream, source.name, this.#options.signal));
    this.ordered.setSource(source.name);
    yield* scanMembers({ name: source.name, chunks }, this.plan.range, this.#context);
  }
}
