// The queue of steps: several threads scan at the same time, and the sink gets the results in the order of the inputs.
//
// A step is a part of a large file, a group of small files, or an entry that needs no scan, such as an error (plan.ts). In the plain
// algorithm each free thread takes the next step, and the results of a step wait for its turn. A moment of `-j 3`, with workers A and B:
//
//   step       0         1         2         3         4                  5, 6      7, ...
//   is at      A, now    B, now    A, next   B, next   this thread, now   unsent    not planned yet
//   results    to sink   waiting   -         -         kept here          -         -
//
// `add` appends steps until enough tasks are unsent. Then `#advance` writes the results that step 0 has so far. While step 0 is incomplete,
// this thread carries out the first unsent task. Departures from the plain algorithm, each with the failure that it prevents:
//
// 1. The first step is written while its worker still scans it (`deliverReady`). A worker waits when 8 MiB of its results are not taken
//    (SLOTS in port-sink.ts). A step with more results would never be complete.
// 2. Workers get tasks in the order of the steps (`#assign` in worker-pool.ts). A worker with step 3 before step 2 could wait until step 3
//    is taken. Step 2 would never begin, and nothing is taken before it: a deadlock.
// 3. A worker has two tasks (TASKS_OF_THREAD). With one it would be idle until the event loop of this thread sends the next.
// 4. This thread scans too, unless `scansHere` is false: `-j 2` would otherwise scan with one thread. It takes the first unsent task,
//    because that one has its turn first, and keeps the results in its `TaskRun`, like those of a worker.
// 5. Between two reads of this task the queue moves on (`#catchUp`). The task may be a .gz of minutes: the workers would fill their 8 MiB
//    and wait for its end. When its turn comes, the kept results leave, and the rest follows at each pause.
// 6. With more than about EARLY_BYTES_MOST of kept results, this thread waits for the workers of earlier steps. A dense text would
//    otherwise fill the memory.
// 7. `add` also stops at STEPS_OF_THREAD steps and at more than two open large files a thread. A folder of a million links is a million
//    steps without a task. A large file holds a descriptor until its step `close`.
// 8. Workers start only for enough work (remaining-work.ts): for a short run their start costs more than it saves. The tasks of workers
//    that cannot start stay unsent, so this thread carries out all of them.
// 9. A part may read its file to the end, because a size or a border in the file is wrong. It then writes `over`. OrderedResults drops
//    the later parts: their matches would be there twice.
// 10. A worker counts the messages of its part from 1. OrderedResults adds the messages before the part, which are known at its turn (A10).
// 11. An error of the sink or of a worker may come up in `#catchUp`, inside the scan of a file. `OrderedResults.fail` remembers it: else
//     the run would report an error of this file, and continue.
import type { Sink } from "../output/sink.ts";
import type { ReadCounter } from "../run/run-position.ts";
import { scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import type { OrderedResults } from "./ordered-results.ts";
import type { Step } from "./plan.ts";
import { sizeOf, taskSink } from "./task.ts";
import type { TaskRun, WorkerPool } from "./worker-pool.ts";

const STEPS_OF_THREAD = 8;
const EARLY_BYTES_MOST = 8 << 20;

/** A step whose results have not been written. */
export interface PendingStep {
  readonly step: Step;
  /** The task: queued, with a worker, or with this thread before its turn. Absent: this thread carries the step out at its turn. */
  run?: TaskRun | undefined;
}

interface QueueOptions {
  readonly pool: WorkerPool;
  readonly threads: number;
  /** Whether this thread carries out steps. Else it only writes results. */
  readonly scansHere: boolean;
  readonly ordered: OrderedResults;
  readonly context: ScanContext;
  /** Counts the bytes that the workers read. */
  readonly read: ReadCounter | undefined;
  /** Carries out a step, or takes the results of its task. Writes the results. */
  finish(pending: PendingStep): Promise<void>;
  /** Most bytes of kept results; absent: EARLY_BYTES_MOST. */
  readonly earlyBytesMost?: number | undefined;
}

export class StepQueue {
  readonly #options: QueueOptions;
  readonly #pending: PendingStep[] = [];
  /** Bytes of the results that this thread keeps. */
  readonly #kept = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Appends a step. Resolves when there is room for another. Rejects with WorkerError, with errors of the sink, and as `finish` does. */
  async add(step: Step): Promise<void> {
    const { pool, threads, ordered, read } = this.#options;
    const run = step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read }) : undefined;
    this.#pending.push({ step, run });
    const isFull = (): boolean =>
      pool.queued >= threads || this.#pending.length >= STEPS_OF_THREAD * threads || ordered.open.size > 2 * threads;
    while (isFull()) await this.#advance();
  }

  /** Finishes all steps. Rejects as `add` does. */
  async end(): Promise<void> {
    while (this.#pending.length > 0) await this.#advance();
  }

  async #advance(): Promise<void> {
    const [first] = this.#pending;
    const { pool, scansHere } = this.#options;
    const recalled = (await this.#deliverReady(first)) || !scansHere ? undefined : pool.recall();
    const own = recalled && this.#pending.find(({ run }) => run === recalled);
    if (own !== undefined && own !== first) return await this.#scanEarly(own);
    if (own === first) first.run = undefined;
    await this.#finishFirst();
  }

  /** Writes the available results of the first step; returns whether it can be finished without waiting for a worker. */
  async #deliverReady({ step, run }: PendingStep): Promise<boolean> {
    const { ordered } = this.#options;
    ordered.begin(step);
    return run === undefined || (await run.deliverReady(ordered.sink));
  }

  async #finishFirst(): Promise<void> {
    await this.#options.finish(this.#pending[0]);
    this.#pending.shift();
  }

  async #scanEarly(one: PendingStep): Promise<void> {
    const { step, run } = one;
    if (step.kind !== "parts" || run === undefined) return;
    const { context, ordered } = this.#options;
    const write: Sink["write"] = (result) => {
      const size = sizeOf(result);
      Atomics.add(this.#kept, 0, size);
      // `bytes` is a view of memory that will be overwritten.
      const kept = result.kind === "bytes" ? { ...result, bytes: result.bytes.slice() } : result;
      run.add({ result: kept, size, unread: this.#kept });
    };
    const sink = await taskSink(context.settings, { write, wait: () => this.#catchUp(one).catch(ordered.fail), end: () => undefined });
    const own = { ...context, sink, totals: emptyTotals() };
    for (const part of step.parts) await finishScan(part.name, scanFile(part, own), own);
    await sink.end();
    run.add({ result: { kind: "end", totals: own.totals }, size: 0, unread: this.#kept });
  }

  async #catchUp(one: PendingStep): Promise<void> {
    const { earlyBytesMost = EARLY_BYTES_MOST } = this.#options;
    for (let [first] = this.#pending; first !== one; [first] = this.#pending) {
      if (!(await this.#deliverReady(first)) && Atomics.load(this.#kept, 0) <= earlyBytesMost) return;
      await this.#finishFirst();
    }
    await this.#deliverReady(one);
  }
}
