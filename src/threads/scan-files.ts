// Scans files in order: little work on this thread, more work on workers.

import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore } from "../core/core.ts";
import { readNamed } from "../input/chunks.ts";
import { openStream } from "../input/file.ts";
import type { FolderReading } from "../input/folder-reading.ts";
import { Pacer } from "../input/pacer.ts";
import { type FileSource, type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options/options.ts";
import { formatted, isCounted } from "../output/formatted.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import { ReadMeter, type RunPosition } from "../run/run-position.ts";
import { type FilePart, scanFile } from "../run/scan-file.ts";
import { type SourceResults, scanMembers } from "../run/scan-source.ts";
import { addTotals, emptyTotals, type Totals } from "../run/totals.ts";
import { costOf } from "./cost.ts";
import { EarlyResults, type PendingStep, pendingStep } from "./early-results.ts";
import { chain, takeUntil } from "./iterables.ts";
import { OrderedResults } from "./ordered-results.ts";
import {
  type BegunSource,
  type CutFile,
  type PlanOptions,
  planSteps,
  RANGE_BYTES,
  RANGE_BYTES_ALONE,
  rangeBytesOf,
  type Step,
} from "./plan.ts";
import { ScanStates, type StateKeeper } from "./scan-state.ts";
import { taskSink } from "./task-sink.ts";
import { type FewerThreads, WorkerPool } from "./worker-pool.ts";

/** Fewest bytes for which workers are started: for less their start would cost more than it saves. */
const POOL_BYTES_LEAST = 640 << 20;
/** Milliseconds of work between two turns of the event loop while there are workers. */
const TURN_MILLISECONDS = 2;
/** Most pending steps for each thread. */
const STEPS_OF_THREAD = 8;
/** Most bytes of early results; a worker may keep as many. */
const EARLY_BYTES_MOST = 8 << 20;

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
  /** Most bytes of early results on this thread. With more it first waits for earlier results. */
  earlyBytesMost?: number;
  /** Whether this thread is one of `threads` and scans its share, first while the workers start. Else it only writes their results. */
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
  if (options.threads === 1) return await scan.run(sources, 1, begun);
  const { poolBytesLeast = POOL_BYTES_LEAST } = options;
  let bytes = begun === undefined ? 0 : costOf(begun.source, options.settings);
  const head = takeUntil(sources, (source) => {
    if (isSource(source)) bytes += costOf(source, options.settings);
    return bytes >= poolBytesLeast;
  });
  const threads = bytes < poolBytesLeast ? 1 : (options.threads ?? process.getBuiltinModule("node:os").availableParallelism());
  return await scan.run(chain(head, sources), threads, begun);
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

class FilesScan {
  /** Absent: nothing keeps states of this scan. */
  readonly states: ScanStates | undefined;
  readonly #options: ScanFilesOptions;
  readonly #range: OwnedRange;
  /** Takes all results in the order of the steps. */
  readonly #ordered: OrderedResults;
  /** Takes the results of this thread: at the turn of the step, or early. */
  readonly #here: Sink;
  /** Formats the results of this thread. */
  readonly #results: SourceResults;
  #pacer: Pacer;
  /** The steps whose results have not been written, in their order. */
  readonly #pending: PendingStep[] = [];
  /** The step that this thread carries out early. */
  #earlyStep: PendingStep | undefined;

  constructor(options: ScanFilesOptions, sink: Sink) {
    this.#options = options;
    this.#range = options.range ?? EVERYTHING;
    this.states = options.keeper && new ScanStates(options.keeper);
    const { totals, messagesBefore } = options.keeper?.resumed ?? {};
    this.#ordered = new OrderedResults(options, sink, structuredClone(totals) ?? emptyTotals(), messagesBefore);
    this.#pacer = new Pacer(options.signal);
    // Counted matches need no order.
    const isInOrder = ({ kind }: Result): boolean => kind !== "matches" || !isCounted(options.settings.format);
    const { sink: orderedSink, writeCounted } = this.#ordered;
    this.#here = before(orderedSink, (result) => {
      const early = this.#earlyStep?.early;
      if (early === undefined) orderedSink.write(result);
      else if (isInOrder(result)) early.write(result);
      else writeCounted(result);
    });
    this.#results = {
      sink: formatted(options.settings, this.#here),
      failureOf: (source, error) => this.#failureOf(source, error),
      read: options.position?.read,
    };
  }

  async run(sources: Iterable<Listed>, threads: number, begun: BegunSource | undefined): Promise<Totals> {
    const { settings, rangeBytes } = this.#options;
    const alone = this.states === undefined ? Number.POSITIVE_INFINITY : (rangeBytes ?? RANGE_BYTES_ALONE);
    const plan: PlanOptions = {
      settings,
      range: this.#range,
      rangeBytes: threads === 1 ? alone : (rangeBytes ?? rangeBytesOf(settings)),
      smallBytes: threads === 1 ? alone : (rangeBytes ?? RANGE_BYTES),
      threads,
      open: this.#ordered.open,
    };
    const steps = planSteps(sources, plan, begun);
    try {
      // As many threads as parts: for one file that cannot be cut no worker is started.
      let parts = 0;
      const head = threads === 1 ? [] : takeUntil(steps, ({ kind }) => kind === "parts" && ++parts === threads);
      if (parts > 1) await this.#runOnPool(chain(head, steps), parts);
      else for (const step of chain(head, steps)) await this.#finish({ step });
      await this.#ordered.sink.end();
    } finally {
      for (const file of this.#ordered.open.keys()) file.close();
    }
    return this.#ordered.totals;
  }

  async #runOnPool(steps: Iterable<Step>, threads: number): Promise<void> {
    const { settings, signal, scansHere = false, fewerThreads } = this.#options;
    const pool = await WorkerPool.start(scansHere ? threads - 1 : threads, settings, (count, reason) =>
      fewerThreads?.(scansHere ? count + 1 : Math.max(count, 1), reason),
    );
    // Workers send results, and get steps, when the event loop turns.
    this.#pacer = new Pacer(signal, undefined, TURN_MILLISECONDS);
    const abort = (): void => void pool.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // If no worker can start, this thread scans everything.
      if (scansHere || (await pool.hasStarted)) await this.#share(steps, pool, threads);
      else for (const step of steps) await this.#finish({ step });
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
    }
  }

  /** Gives steps to free threads, and writes the results in order. */
  async #share(steps: Iterable<Step>, pool: WorkerPool, threads: number): Promise<void> {
    const { signal, scansHere } = this.#options;
    const pending = this.#pending;
    const rest = steps[Symbol.iterator]();
    for (let isOver = false; !isOver || pending.length > 0; ) {
      signal?.throwIfAborted();
      while (!isOver && pool.queued < threads && pending.length < STEPS_OF_THREAD * threads && this.#ordered.open.size <= 2 * threads) {
        const next = rest.next();
        isOver = next.done === true;
        if (next.done !== true) pending.push(pendingStep(next.value, pool, this.#results.read));
      }
      while (pending.length > 0 && (await this.#isComplete(pending[0]))) await this.#finishFirst();
      const run = scansHere ? pool.recall() : undefined;
      const one = run === undefined ? undefined : pending.find((other) => other.run === run);
      if (one !== undefined) await this.#carryOut(one);
      else if (pending.length > 0) await this.#finishFirst();
    }
  }

  /** Carries out a step that no worker has taken: at its turn, or early. */
  async #carryOut(one: PendingStep): Promise<void> {
    one.run = undefined;
    if (one === this.#pending[0]) return await this.#finishFirst();
    if (one.step.kind !== "parts") return;
    one.early = new EarlyResults();
    this.#earlyStep = one;
    await this.#scanEarly(one.step.parts, one.early.totals);
    this.#earlyStep = undefined;
  }

  /** Writes the available results of the first step; returns whether it can be finished without waiting for a worker. */
  async #isComplete({ step, run }: PendingStep): Promise<boolean> {
    this.#ordered.begin(step);
    return run === undefined || (await run.deliverReady(this.#ordered.sink));
  }

  async #finishFirst(): Promise<void> {
    await this.#finish(this.#pending[0]);
    this.#pending.shift();
  }

  async #finish(pending: PendingStep): Promise<void> {
    const { step } = pending;
    this.#options.signal?.throwIfAborted();
    const ordered = this.#ordered;
    await ordered.take(step, (isDropped) => this.#deliver(pending, isDropped));
    const pause = this.states?.reached(step, ordered.isOver(step, step.rest), ordered.messagesBefore, ordered.totals);
    if (pause !== undefined) await pause;
  }

  async #deliver({ step, run, early }: PendingStep, isDropped: boolean): Promise<void> {
    const { sink, totals } = this.#ordered;
    if (step.kind === "failed" || step.kind === "omitted") sink.write(step);
    else if (step.kind === "stream") await this.#scan(step.source.name, this.#stream(step.source));
    else if (step.kind === "close") this.#close(step.file);
    else if (run !== undefined) {
      const found = await run.deliver(sink);
      if (!isDropped) addTotals(totals, found);
    } else if (isDropped) return;
    else if (early === undefined) await this.#scanParts(step.parts, totals);
    else {
      await this.#release(early);
      addTotals(totals, early.totals);
    }
  }

  #close(file: CutFile): void {
    file.close();
    this.#ordered.open.delete(file);
  }

  async #release(early: EarlyResults): Promise<void> {
    const { sink } = this.#ordered;
    for (const result of early.take()) {
      sink.write(result);
      const pause = sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  /**
   * Writes available results of the steps before the early step, so that their workers can continue. If this thread keeps too many early
   * results, also waits for workers. If the early step is the first one afterwards, writes its results too.
   */
  async #catchUp(step: PendingStep, results: EarlyResults): Promise<void> {
    const { earlyBytesMost = EARLY_BYTES_MOST } = this.#options;
    const pending = this.#pending;
    this.#earlyStep = undefined;
    // A stream would be scanned in the middle of the early step, and would separate the matches of a message.
    const isReady = async (first: PendingStep): Promise<boolean> =>
      first !== step && first.step.kind !== "stream" && ((await this.#isComplete(first)) || this.#earlyBytes > earlyBytesMost);
    while (await isReady(pending[0])) await this.#finishFirst();
    if (pending[0] !== step) {
      this.#earlyStep = step;
      return;
    }
    this.#ordered.begin(step.step);
    await this.#release(results);
  }

  // Matches of a part that may be discarded are not counted at once.
  async #scanEarly(parts: readonly FilePart[], totals: Totals): Promise<void> {
    const { settings } = this.#options;
    if (!isCounted(settings.format) || parts[0]?.dropped === undefined) return await this.#scanParts(parts, totals);
    const sink = await taskSink(settings, { ...this.#here, end: () => undefined });
    await this.#scanParts(parts, totals, { ...this.#results, sink });
    await sink.end();
  }

  async #scanParts(parts: readonly FilePart[], totals: Totals, results = this.#results): Promise<void> {
    const { settings } = this.#options;
    for (const part of parts) {
      if (this.#earlyStep === undefined) this.#ordered.setSource(part.name);
      await this.#scan(part.name, scanFile(part, settings, results, totals, this.#pacer));
    }
  }

  /** Bytes of the early results that this thread keeps. */
  get #earlyBytes(): number {
    return this.#pending.reduce((sum, { early }) => sum + (early?.bytes ?? 0), 0);
  }

  /** Runs `scan`, and waits between its reads if necessary. */
  async #scan(name: string, scan: AsyncIterable<undefined>): Promise<void> {
    try {
      for await (const _ of scan) await this.#pause();
    } catch (error) {
      this.#here.write({ kind: "failed", error: this.#failureOf(name, error) });
    }
    await this.#pause();
  }

  /** Scans a source that is no regular file. */
  async *#stream(source: FileSource): AsyncGenerator<undefined> {
    const { settings, signal } = this.#options;
    const stream = await openStream(source);
    if (stream === undefined) {
      this.#results.sink.write({ kind: "omitted", omission: { reason: "git", source: source.name } });
      return;
    }
    const chunks = new ReadMeter(this.#results.read).count(readNamed(stream, source.name, signal));
    this.#ordered.setSource(source.name);
    yield* scanMembers({ name: source.name, chunks }, settings, this.#range, this.#results, this.#ordered.totals, this.#pacer);
  }

  // Called between two reads. Waits for the sink, and if it is time, for a turn of the event loop, which brings signals and results.
  async #pause(): Promise<void> {
    try {
      const step = this.#earlyStep;
      if (step?.early !== undefined) await this.#catchUp(step, step.early);
      const pause = this.#ordered.sink.wait();
      if (pause !== undefined) await pause;
    } catch (error) {
      this.#ordered.thrown = error;
      throw error;
    }
    await this.#pacer.pause();
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
