// Many files in order: on this thread where they are few, on workers where they are many.

import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore } from "../core/core.ts";
import { readNamed } from "../input/chunks.ts";
import type { FolderReading } from "../input/folder-reading.ts";
import { Pacer } from "../input/pacer.ts";
import { type FileSource, type Input, isSource, type Listed, listSources } from "../input/paths.ts";
import { openStream } from "../input/stream.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options/options.ts";
import { formatted, isCounted } from "../output/formatted.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import { ReadMeter, type RunPosition } from "../run/run-position.ts";
import { type FilePart, scanFile } from "../run/scan-file.ts";
import { type SourceResults, scanMembers } from "../run/scan-source.ts";
import { addTotals, emptyTotals, type Totals } from "../run/totals.ts";
import { AheadResults } from "./ahead.ts";
import { costOf } from "./cost.ts";
import { chain, takeUntil } from "./iterables.ts";
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
import { Turns } from "./turns.ts";
import { type Waiting, waitingOf } from "./waiting.ts";
import { type FewerThreads, WorkerPool } from "./worker-pool.ts";

/** With fewer bytes than this the workers would start for nothing: at 512 MiB of text two threads take as long as one. */
const POOL_BYTES_LEAST = 640 << 20;
/** Milliseconds of work between two turns of the event loop while there are workers. */
const TURN_MILLISECONDS = 2;
/** Steps that may wait for their turn, of each thread. */
const STEPS_OF_THREAD = 8;
/** As many as may wait of a worker. */
const AHEAD_BYTES_MOST = 8 << 20;

/** How a list of inputs is scanned. */
export interface ScanFilesOptions {
  settings: ScanSettings;
  /** Undefined: as many as this process may use. */
  threads: number | undefined;
  /** How folders are read; absent: all files, no links. */
  folders?: FolderReading;
  range?: OwnedRange | undefined;
  signal?: AbortSignal | undefined;
  /** The first source that cannot be read ends the scan. */
  failFast?: boolean;
  /** The outputs, by `identityOf`: in a folder they are left out, as an input of their own they are an error. */
  outputs?: ReadonlySet<string> | undefined;
  /** Bytes of a large file that one task owns. */
  rangeBytes?: number;
  /** Bytes from which on workers are used. */
  poolBytesLeast?: number;
  /** Bytes of results that may wait for their turn on this thread; with more it hands on what is before them first. */
  aheadBytesMost?: number;
  /** This thread is one of `threads`: it scans while the workers start, and then its share. Else it only hands on what the workers find. */
  scansHere?: boolean;
  /** Called once at most, where fewer threads scan than were asked for. */
  fewerThreads?: FewerThreads | undefined;
  /** Where the scan is at any time. */
  position?: RunPosition;
  /** Keeps the states from which another scan can go on. */
  keeper?: StateKeeper | undefined;
}

/**
 * Scans the inputs in order, and ends `sink`. What cannot be read goes there too, the others are still read.
 * Rejects with the signal's reason, with WorkerError, with what the sink throws, and with `failFast` with the first SourceError.
 */
export async function scanFiles(inputs: Iterable<Input>, options: ScanFilesOptions, sink: Sink): Promise<Totals> {
  const scan = new FilesScan(options, sink);
  const sources = listInputs(inputs, options);
  const begun = scan.takeScanned(sources);
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

/** Lists the files of the inputs; the outputs are none of them. */
export function* listInputs(
  inputs: Iterable<Input>,
  { outputs, folders }: Pick<ScanFilesOptions, "outputs" | "folders">,
): Generator<Listed> {
  for (const source of listSources(inputs, folders)) {
    if (!isSource(source) || outputs?.has(source.identity) !== true) yield source;
    else if (source.named) yield new SourceError("ERR_URLMILL_IS_OUTPUT", source.name, "is also the output and was not read");
    else yield { reason: "output", source: source.name };
  }
}

class FilesScan {
  readonly #options: ScanFilesOptions;
  readonly #range: OwnedRange;
  /** Takes everything in the order of the steps. */
  readonly #turns: Turns;
  /** Takes what is scanned on this thread: at its turn, or kept until then. */
  readonly #here: Sink;
  /** Makes the format of what is scanned on this thread. */
  readonly #results: SourceResults;
  #pacer: Pacer;
  /** The steps that have not had their turn, in their order. */
  readonly #waiting: Waiting[] = [];
  /** The step that is carried out before its turn. */
  #early: Waiting | undefined;
  readonly #states: ScanStates | undefined;

  constructor(options: ScanFilesOptions, sink: Sink) {
    this.#options = options;
    this.#range = options.range ?? EVERYTHING;
    this.#states = options.keeper && new ScanStates(options.keeper);
    const { totals, messagesBefore } = options.keeper?.resumed ?? {};
    this.#turns = new Turns(options, sink, structuredClone(totals) ?? emptyTotals(), messagesBefore);
    this.#pacer = new Pacer(options.signal);
    // Matches that are only counted need no order.
    const isInOrder = ({ kind }: Result): boolean => kind !== "matches" || !isCounted(options.settings.format);
    const { sink: ordered, writeCounted } = this.#turns;
    this.#here = before(ordered, (result) => {
      const ahead = this.#early?.ahead;
      if (ahead === undefined) ordered.write(result);
      else if (isInOrder(result)) ahead.write(result);
      else writeCounted(result);
    });
    this.#results = {
      sink: formatted(options.settings, this.#here),
      failureOf: (source, error) => this.#failureOf(source, error),
      read: options.position?.read,
    };
  }

  /** @see ScanStates.takeScanned */
  takeScanned(sources: Iterator<Listed>): BegunSource | undefined {
    return this.#states?.takeScanned(sources);
  }

  async run(sources: Iterable<Listed>, threads: number, begun: BegunSource | undefined): Promise<Totals> {
    const { settings, rangeBytes } = this.#options;
    const alone = this.#states === undefined ? Number.POSITIVE_INFINITY : (rangeBytes ?? RANGE_BYTES_ALONE);
    const plan: PlanOptions = {
      settings,
      range: this.#range,
      rangeBytes: threads === 1 ? alone : (rangeBytes ?? rangeBytesOf(settings)),
      smallBytes: threads === 1 ? alone : (rangeBytes ?? RANGE_BYTES),
      threads,
      open: this.#turns.open,
    };
    const steps = planSteps(sources, plan, begun);
    try {
      // As many threads as there are parts: for one file that cannot be cut no worker is started.
      let parts = 0;
      const head = threads === 1 ? [] : takeUntil(steps, ({ kind }) => kind === "parts" && ++parts === threads);
      if (parts > 1) await this.#runOnPool(chain(head, steps), parts);
      else for (const step of chain(head, steps)) await this.#finish({ step });
      await this.#turns.sink.end();
    } finally {
      for (const file of this.#turns.open.keys()) file.close();
    }
    return this.#turns.totals;
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
      // Where no worker can start, this thread scans everything.
      if (scansHere || (await pool.hasStarted)) await this.#share(steps, pool, threads);
      else for (const step of steps) await this.#finish({ step });
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
    }
  }

  /** Has steps carried out by whoever is free, and hands on their results in order. */
  async #share(steps: Iterable<Step>, pool: WorkerPool, threads: number): Promise<void> {
    const { signal, scansHere } = this.#options;
    const waiting = this.#waiting;
    const rest = steps[Symbol.iterator]();
    for (let isOver = false; !isOver || waiting.length > 0; ) {
      signal?.throwIfAborted();
      while (!isOver && pool.queued < threads && waiting.length < STEPS_OF_THREAD * threads && this.#turns.open.size <= 2 * threads) {
        const next = rest.next();
        isOver = next.done === true;
        if (next.done !== true) waiting.push(waitingOf(next.value, pool, this.#results.read));
      }
      while (waiting.length > 0 && (await this.#isComplete(waiting[0]))) await this.#finishFirst();
      const run = scansHere ? pool.recall() : undefined;
      const one = run === undefined ? undefined : waiting.find((other) => other.run === run);
      if (one !== undefined) await this.#carryOut(one);
      else if (waiting.length > 0) await this.#finishFirst();
    }
  }

  /** Carries out a step that no worker has taken: at its turn, or before it. */
  async #carryOut(one: Waiting): Promise<void> {
    one.run = undefined;
    if (one === this.#waiting[0]) return await this.#finishFirst();
    if (one.step.kind !== "parts") return;
    one.ahead = new AheadResults();
    this.#early = one;
    await this.#scanEarly(one.step.parts, one.ahead.totals);
    this.#early = undefined;
  }

  /** Hands on what has come of the step whose turn it is; returns whether it can be finished without waiting for a worker. */
  async #isComplete({ step, run }: Waiting): Promise<boolean> {
    this.#turns.begin(step);
    return run === undefined || (await run.deliverReady(this.#turns.sink));
  }

  async #finishFirst(): Promise<void> {
    await this.#finish(this.#waiting[0]);
    this.#waiting.shift();
  }

  async #finish(waiting: Waiting): Promise<void> {
    const { step } = waiting;
    this.#options.signal?.throwIfAborted();
    const turns = this.#turns;
    await turns.take(step, (isDropped) => this.#handOn(waiting, isDropped));
    const pause = this.#states?.reached(step, turns.isOver(step, step.rest), turns.messagesBefore, turns.totals);
    if (pause !== undefined) await pause;
  }

  async #handOn({ step, run, ahead }: Waiting, isDropped: boolean): Promise<void> {
    const { sink, totals } = this.#turns;
    if (step.kind === "failed" || step.kind === "omitted") sink.write(step);
    else if (step.kind === "stream") await this.#scan(step.source.name, this.#stream(step.source));
    else if (step.kind === "close") this.#close(step.file);
    else if (run !== undefined) {
      const found = await run.deliver(sink);
      if (!isDropped) addTotals(totals, found);
    } else if (isDropped) return;
    else if (ahead === undefined) await this.#scanParts(step.parts, totals);
    else {
      await this.#release(ahead);
      addTotals(totals, ahead.totals);
    }
  }

  #close(file: CutFile): void {
    file.close();
    this.#turns.open.delete(file);
  }

  async #release(ahead: AheadResults): Promise<void> {
    const { sink } = this.#turns;
    for (const result of ahead.take()) {
      sink.write(result);
      const pause = sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  /**
   * Hands on what has come of the steps before the one that is carried out early, so that no worker has to wait with it. While too much is
   * kept here, it also waits for workers. Then the turn of the early step may have come.
   */
  async #catchUp(early: Waiting, ahead: AheadResults): Promise<void> {
    const { aheadBytesMost = AHEAD_BYTES_MOST } = this.#options;
    const waiting = this.#waiting;
    this.#early = undefined;
    // A stream would be scanned amid the early step, and the matches of a message would not follow each other.
    const isReady = async (first: Waiting): Promise<boolean> =>
      first !== early && first.step.kind !== "stream" && ((await this.#isComplete(first)) || this.#aheadBytes > aheadBytesMost);
    while (await isReady(waiting[0])) await this.#finishFirst();
    if (waiting[0] !== early) {
      this.#early = early;
      return;
    }
    this.#turns.begin(early.step);
    await this.#release(ahead);
  }

  // What is found may turn out to be nothing: then it is not counted at once.
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
      if (this.#early === undefined) this.#turns.setSource(part.name);
      await this.#scan(part.name, scanFile(part, settings, results, totals, this.#pacer));
    }
  }

  /** Bytes of the results that this thread keeps. */
  get #aheadBytes(): number {
    return this.#waiting.reduce((sum, { ahead }) => sum + (ahead?.bytes ?? 0), 0);
  }

  /** Waits between two reads of `scan` where that is needed. */
  async #scan(name: string, scan: AsyncIterable<undefined>): Promise<void> {
    try {
      for await (const _ of scan) await this.#pause();
    } catch (error) {
      this.#here.write({ kind: "failed", error: this.#failureOf(name, error) });
    }
    await this.#pause();
  }

  /** The scan of a source that is no regular file. */
  async *#stream(source: FileSource): AsyncGenerator<undefined> {
    const { settings, signal } = this.#options;
    const chunks = new ReadMeter(this.#results.read).count(readNamed(await openStream(source), source.name, signal));
    this.#turns.setSource(source.name);
    yield* scanMembers({ name: source.name, chunks }, settings, this.#range, this.#results, this.#turns.totals, this.#pacer);
  }

  // Between two reads: waits for the sink, and for a turn of the event loop, which brings signals and results, when one is due.
  async #pause(): Promise<void> {
    try {
      const early = this.#early;
      if (early?.ahead !== undefined) await this.#catchUp(early, early.ahead);
      const pause = this.#turns.sink.wait();
      if (pause !== undefined) await pause;
    } catch (error) {
      this.#turns.thrown = error;
      throw error;
    }
    await this.#pacer.pause();
  }

  /** Returns what ended the reading of a source. Throws what ends the scan: errors of the sink, and the signal's reason. */
  #failureOf(source: string | undefined, error: unknown): SourceError {
    this.#options.signal?.throwIfAborted();
    if (error === this.#turns.thrown) throw error;
    if (error instanceof SourceError) return error;
    // Where there is no memory for a core nothing can be scanned: then this throws.
    releaseCore(takeCore());
    return internalError(source, error);
  }
}
