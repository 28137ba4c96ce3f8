// The steps that several threads carry out at the same time.
//
//   written | first | of a worker | of a worker | of this thread, early | unsent | unsent | to be planned
//             its results go to the sink          its results are kept
//
// The queue is filled until enough tasks are unsent. Then this thread writes the results of the first step if all of them are there. Else,
// if it scans, it takes back the first unsent task and carries the task out, before its turn if necessary. Between two reads of the task
// the queue moves on.
import type { Result, Sink } from "../output/sink.ts";
import { scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import type { OrderedResults } from "./ordered-results.ts";
import type { Step } from "./plan.ts";
import { sizeOf } from "./task.ts";
import { taskSink } from "./task-sink.ts";
import type { TaskRun, WorkerPool } from "./worker-pool.ts";

/** Most steps in the queue for each thread. */
const STEPS_OF_THREAD = 8;
/** Most bytes of kept results, approximately. A worker may keep as many. */
const EARLY_BYTES_MOST = 8 << 20;

/** A step whose results have not been written. With neither `run` nor `early` this thread carries it out at its turn. */
export interface PendingStep {
  readonly step: Step;
  /** The task, queued or with a worker. */
  run?: TaskRun | undefined;
  /** The results of this thread, which carries the step out before its turn or has done so. */
  early?: EarlyResults;
}

/** The parts of a scan that a queue needs. */
export interface QueueOptions {
  readonly pool: WorkerPool;
  readonly threads: number;
  /** Whether this thread carries out steps. Else it only writes results. */
  readonly scansHere: boolean;
  readonly ordered: OrderedResults;
  readonly context: ScanContext;
  /** Carries out a step, or takes the results of a step. Writes the results. */
  finish(pending: PendingStep): Promise<void>;
  /** Most bytes of kept results; absent: EARLY_BYTES_MOST. */
  readonly earlyBytesMost?: number | undefined;
}

/** Keeps the results of one step. */
class EarlyResults implements Sink {
  readonly totals = emptyTotals();
  readonly #catchUp: () => Promise<void>;
  #results: Result[] = [];
  /** Bytes of the kept results. */
  bytes = 0;

  /** `catchUp` is called between two reads. */
  constructor(catchUp: () => Promise<void>) {
    this.#catchUp = catchUp;
  }

  write(result: Result): void {
    // `bytes` is a view of memory that will be overwritten.
    this.#results.push(result.kind === "bytes" ? { ...result, bytes: result.bytes.slice() } : result);
    this.bytes += sizeOf(result);
  }

  wait(): Promise<void> {
    return this.#catchUp();
  }

  end(): undefined {}

  /** Writes the kept results to `sink`, and forgets them. */
  async release(sink: Sink): Promise<void> {
    const results = this.#results;
    this.#results = [];
    this.bytes = 0;
    for (const result of results) {
      sink.write(result);
      const pause = sink.wait();
      if (pause !== undefined) await pause;
    }
  }
}

/** Gives steps to workers and to this thread, and finishes them in order. */
export class StepQueue {
  readonly #options: QueueOptions;
  readonly #pending: PendingStep[] = [];

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Appends a step. Resolves when there is room for another. Rejects with WorkerError, with errors of the sink, and as `finish` does. */
  async add(step: Step): Promise<void> {
    const { pool, threads, ordered, context } = this.#options;
    const run = step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read: context.read }) : undefined;
    this.#pending.push({ step, run });
    const isFull = (): boolean =>
      pool.queued >= threads || this.#pending.length >= STEPS_OF_THREAD * threads || ordered.open.size > 2 * threads;
    while (isFull()) await this.#advance();
  }

  /** Finishes all steps. Rejects as `add` does. */
  async end(): Promise<void> {
    while (this.#pending.length > 0) await this.#advance();
  }

  /** Finishes the first step if it is complete. Else carries out a step that no worker has taken, or waits for the first step. */
  async #advance(): Promise<void> {
    const [first] = this.#pending;
    const { pool, scansHere } = this.#options;
    const run = (await this.#isComplete(first)) || !scansHere ? undefined : pool.recall();
    const own = run && this.#pending.find((one) => one.run === run);
    if (own !== undefined) own.run = undefined;
    if (own === undefined || own === first) await this.#finishFirst();
    else await this.#scanEarly(own);
  }

  /** Writes the available results of the first step; returns whether it can be finished without waiting for a worker. */
  async #isComplete({ step, run }: PendingStep): Promise<boolean> {
    const { ordered } = this.#options;
    ordered.begin(step);
    return run === undefined || (await run.deliverReady(ordered.sink));
  }

  async #finishFirst(): Promise<void> {
    await this.#options.finish(this.#pending[0]);
    this.#pending.shift();
  }

  /** Carries out a step before its turn, and keeps the results. */
  async #scanEarly(one: PendingStep): Promise<void> {
    if (one.step.kind !== "parts") return;
    const { context, ordered } = this.#options;
    const early = new EarlyResults(() => this.#catchUp(one).catch(ordered.fail));
    one.early = early;
    const sink = await taskSink(context.settings, early);
    const own = { ...context, sink, totals: early.totals };
    for (const part of one.step.parts) await finishScan(part.name, scanFile(part, own), own);
    await sink.end();
  }

  /**
   * Finishes the complete steps before the early step `one`, so that their workers can continue. If too many results are kept, also waits
   * for workers. If `one` is then the first step, writes the results of `one` too.
   */
  async #catchUp(one: PendingStep): Promise<void> {
    const { ordered, earlyBytesMost = EARLY_BYTES_MOST } = this.#options;
    const kept = (): number => this.#pending.reduce((sum, { early }) => sum + (early?.bytes ?? 0), 0);
    for (let [first] = this.#pending; first !== one; [first] = this.#pending) {
      if (!(await this.#isComplete(first)) && kept() <= earlyBytesMost) return;
      await this.#finishFirst();
    }
    ordered.begin(one.step);
    await one.early?.release(ordered.sink);
  }
}
