// Scans files in order: little work on this thread, more work on workers.

import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore } from "../core/core.ts";
import { readNamed } from "../input/chunks.ts";
import { openStream } from "../input/file.ts";
import type { FolderReading } from "../input/folder-reading.ts";
import { Pacer } from "../input/pacer.ts";
import { type FileSource, type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { ReadMeter, type RunPosition } from "../run/run-position.ts";
import { scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext, scanMembers } from "../run/scan-source.ts";
import { emptyTotals, type Totals } from "../run/totals.ts";
import { costOf } from "./cost.ts";
import { chain, takeUntil } from "./iterables.ts";
import { OrderedResults } from "./ordered-results.ts";
import { type BegunSource, type PlanOptions, planSteps, RANGE_BYTES, RANGE_BYTES_ALONE, rangeBytesOf, type Step } from "./plan.ts";
import { ScanStates, type StateKeeper } from "./scan-state.ts";
import { type FewerThreads, type TaskRun, WorkerPool } from "./worker-pool.ts";

/** Fewest bytes for which workers are started: for less their start would cost more than it saves. */
const POOL_BYTES_LEAST = 640 << 20;
/** Milliseconds of work between two turns of the event loop while there are workers. */
const TURN_MILLISECONDS = 2;
/** Most pending steps for each thread. */
const STEPS_OF_THREAD = 8;

/** Options of `scanFiles`. */
export interface ScanFilesOptions {
  settings: ScanSettings;
  /** Undefined: as many as this process may use. */
  threads: number | undefined;
  /** How folders are read; absent: all files, no links. */
  folders?: FolderReading;
  range?: OwnedRange | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the first unreadable source ends the scan. */
  failFast?: boolean;
  /** The outputs, by `identityOf`: omitted in a folder; an error as an input. */
  outputs?: ReadonlySet<string> | undefined;
  /** Bytes of a large file that one task owns. */
  rangeBytes?: number;
  /** Least bytes for which workers are used. */
  poolBytesLeast?: number;
  /** Whether this thread scans while the workers start. */
  scansHere?: boolean;
  /** Called at most once, if fewer threads than `threads` scan. */
  fewerThreads?: FewerThreads | undefined;
  /** Progress of the scan. */
  position?: RunPosition;
  /** Keeps states from which another scan can continue. */
  keeper?: StateKeeper | undefined;
  /** Gets the name of each file, in the order of listing. */
  onFile?: ((name: string) => void) | undefined;
}

/**
 * Scans the inputs in order, and ends `sink`. Writes unreadable inputs to it as failures, and continues with the others.
 * Rejects with the signal's reason, with WorkerError, with errors of the sink, and with `failFast` with the first SourceError.
 */
export async function scanFiles(inputs: Iterable<Input>, options: ScanFilesOptions, sink: Sink): Promise<Totals> {
  const scan = new FilesScan(options, sink);
  const sources = listInputs(inputs, options);
  const begun = scan.states?.takeScanned(sources);
  const { head, threads } = threadsFor(sources, begun, options);
  const steps = planSteps(chain(head, sources), scan.planOptions(threads), begun);
  try {
    // As many threads as parts: for one file that cannot be cut no worker is started.
    let parts = 0;
    const first = threads === 1 ? [] : takeUntil(steps, ({ kind }) => kind === "parts" && ++parts === threads);
    if (parts > 1) await scan.finishOnPool(chain(first, steps), parts);
    else for (const step of chain(first, steps)) await scan.finish(step);
    return await scan.end();
  } finally {
    scan.close();
  }
}

/** Returns the number of threads for the sources, and the `head` of the list, which was read to decide it. */
function threadsFor(
  sources: Iterator<Listed>,
  begun: BegunSource | undefined,
  { settings, threads, poolBytesLeast = POOL_BYTES_LEAST }: ScanFilesOptions,
): { head: readonly Listed[]; threads: number } {
  if (threads === 1) return { head: [], threads };
  let bytes = begun === undefined ? 0 : costOf(begun.source, settings);
  const head = takeUntil(sources, (source) => {
    if (isSource(source)) bytes += costOf(source, settings);
    return bytes >= poolBytesLeast;
  });
  if (bytes < poolBytesLeast) return { head, threads: 1 };
  return { head, threads: threads ?? process.getBuiltinModule("node:os").availableParallelism() };
}

/** Lists the files of the inputs without the outputs. */
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

/** A step whose results have not been written. With a `run` a worker carries it out, else this thread does at its turn. */
interface PendingStep {
  readonly step: Step;
  readonly run: TaskRun | undefined;
}

class FilesScan {
  /** Absent: nothing keeps states of this scan. */
  readonly states: ScanStates | undefined;
  readonly #options: ScanFilesOptions;
  readonly #range: OwnedRange;
  /** Takes all results in the order of the steps. */
  readonly #ordered: OrderedResults;
  /** How this thread scans. */
  #context: ScanContext;

  constructor(options: ScanFilesOptions, sink: Sink) {
    const { settings, signal, position, keeper } = options;
    this.#options = options;
    this.#range = options.range ?? EVERYTHING;
    this.states = keeper && new ScanStates(keeper);
    const { totals, messagesBefore } = keeper?.resumed ?? {};
    this.#ordered = new OrderedResults(options, sink, structuredClone(totals) ?? emptyTotals(), messagesBefore);
    this.#context = {
      settings,
      sink: formatted(settings, this.#ordered.sink),
      totals: this.#ordered.totals,
      pacer: new Pacer(signal),
      failureOf: (source, error) => this.#failureOf(source, error),
      read: position?.read,
    };
  }

  planOptions(threads: number): PlanOptions {
    const { settings, rangeBytes } = this.#options;
    const alone = this.states === undefined ? Number.POSITIVE_INFINITY : (rangeBytes ?? RANGE_BYTES_ALONE);
    return {
      settings,
      range: this.#range,
      rangeBytes: threads === 1 ? alone : (rangeBytes ?? rangeBytesOf(settings)),
      smallBytes: threads === 1 ? alone : (rangeBytes ?? RANGE_BYTES),
      threads,
      open: this.#ordered.open,
    };
  }

  /** Carries out the steps on workers, and writes the results in order. */
  async finishOnPool(steps: Iterable<Step>, threads: number): Promise<void> {
    const { settings, signal, fewerThreads } = this.#options;
    const pool = await WorkerPool.start(threads, settings, (count, reason) => fewerThreads?.(Math.max(count, 1), reason));
    // Workers send results, and get steps, when the event loop turns.
    this.#context = { ...this.#context, pacer: new Pacer(signal, undefined, TURN_MILLISECONDS) };
    const abort = (): void => void pool.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await this.#share(steps, pool, threads);
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
    }
  }

  /** Gives steps to the workers, and finishes the first one when enough wait. */
  async #share(steps: Iterable<Step>, pool: WorkerPool, threads: number): Promise<void> {
    const pending: PendingStep[] = [];
    const isFull = (): boolean =>
      pool.queued >= threads || pending.length >= STEPS_OF_THREAD * threads || this.#ordered.open.size > 2 * threads;
    const { read } = this.#context;
    let hasWorkers = false;
    const started = pool.hasStarted.then((isTrue) => {
      hasWorkers = isTrue;
    });
    if (this.#options.scansHere !== true) await started;
    for (const step of steps) {
      pending.push({ step, run: hasWorkers && step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read }) : undefined });
      while (pending.length > 0 && (isFull() || pending[0].run === undefined)) await this.#finishFirst(pending);
    }
    while (pending.length > 0) await this.#finishFirst(pending);
  }

  async #finishFirst(pending: PendingStep[]): Promise<void> {
    const { step, run } = pending[0];
    await this.finish(step, run);
    pending.shift();
  }

  /** Writes the results of the first unfinished step: those of `run`, or without it those of this thread, which carries it out. */
  async finish(step: Step, run?: TaskRun): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const ordered = this.#ordered;
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
  async *#stream(source: FileSource): AsyncGenerator<undefined> {
    const stream = await openStream(source);
    if (stream === undefined) {
      this.#context.sink.write({ kind: "omitted", omission: { reason: "git", source: source.name } });
      return;
    }
    const chunks = new ReadMeter(this.#context.read).count(readNamed(stream, source.name, this.#options.signal));
    this.#ordered.setSource(source.name);
    yield* scanMembers({ name: source.name, chunks }, this.#range, this.#context);
  }

  /** Ends the sink; returns the totals. */
  async end(): Promise<Totals> {
    await this.#ordered.sink.end();
    return this.#ordered.totals;
  }

  /** Closes the files that are still open. */
  close(): void {
    for (const file of this.#ordered.open.keys()) file.close();
  }

  /** Returns the error that ended the reading of a source. Throws errors of the sink and the signal's reason: they end the scan. */
  #failureOf(source: string | undefined, error: unknown): SourceError {
    this.#options.signal?.throwIfAborted();
    if (error === this.#ordered.thrown) throw error;
    if (error instanceof SourceError) return error;
    // This throws if there is no memory for a core, because then nothing can be scanned.
    releaseCore(takeCore());
    return internalError(source, error);
  }
}
