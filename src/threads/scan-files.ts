// Scans files in order: little work on this thread, more work on workers.
//
// The queue of steps: several threads scan at the same time, and the sink gets the results in the order of the inputs.
//
// A step is a part of a large file, a group of small files, or an entry that needs no scan, such as an error (plan.ts). In the plain
// algorithm each free thread takes the next step, and the results of a step wait for its turn. A moment of `-j 3`, with workers A and B:
//
//   step       0         1         2         3         4                  5, 6      7, ...
//   is at      A, now    B, now    A, next   B, next   this thread, now   unsent    not planned yet
//   results    to sink   waiting   -         -         kept here          -         -
//
// `#add` appends steps until enough tasks are unsent. Then `#advance` writes the results that step 0 has so far. While step 0 is
// incomplete, this thread carries out the first unsent task. Departures from the plain algorithm, each with the failure that it prevents:
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
// 7. `#add` also stops at STEPS_OF_THREAD steps and at more than two open large files a thread. A folder of a million links is a million
//    steps without a task. A large file holds a descriptor until its step `close`.
// 8. Workers start only for enough work (remaining-work.ts): for a short run their start costs more than it saves. The tasks of workers
//    that cannot start stay unsent, so this thread carries out all of them.
// 9. A part may read its file to the end, because a size or a border in the file is wrong. It then writes `over`. OrderedResults drops
//    the later parts: their matches would be there twice.
// 10. A worker counts the messages of its part from 1. OrderedResults adds the messages before the part, which are known at its turn (A10).
// 11. An error of the sink or of a worker may come up in `#catchUp`, inside the scan of a file. `OrderedResults.fail` remembers it: else
//     the run would report an error of this file, and continue.
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
import { isOver, OrderedResults } from "./ordered-results.ts";
import { type CutOptions, planSteps, RANGE_BYTES, RANGE_BYTES_ALONE, rangeBytesOf, type Step } from "./plan.ts";
import { RANGE_BYTES_SAMPLED, RemainingWork, WORK_MILLISECONDS_LEAST } from "./remaining-work.ts";
import { ScanStates, type StateKeeper } from "./scan-state.ts";
import { sizeOf, taskSink } from "./task.ts";
import { type FewerThreads, type TaskRun, WorkerPool } from "./worker-pool.ts";

const TURN_MILLISECONDS = 2; // Milliseconds of work between two turns of the event loop while there are workers
const STEPS_OF_THREAD = 8;
const EARLY_BYTES_MOST = 8 << 20;

export interface ScanFilesOptions {
  settings: ScanSettings;
  /** Most threads that scan; undefined: as many as this process may use. */
  threads: number | undefined;
  /** Absent: all files of folders, and no links. */
  folders?: FolderReading;
  range?: OwnedRange | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the first unreadable source ends the scan. */
  failFast?: boolean;
  /** The outputs, by `identityOf`: omitted in a folder; an error as an input. */
  outputs?: Pick<ReadonlySet<string>, "has"> | undefined;
  /** Bytes of a large file that one step owns. */
  rangeBytes?: number;
  /** Least milliseconds of remaining work for which workers start (remaining-work.ts); 0: they start at once. */
  workMillisecondsLeast?: number;
  /** Most bytes of early results on this thread; absent: EARLY_BYTES_MOST. */
  earlyBytesMost?: number;
  /** Whether this thread is one of `threads` and scans its share, first while the workers start. Else it only writes their results. */
  scansHere?: boolean;
  fewerThreads?: FewerThreads | undefined;
  position?: RunPosition;
  keeper?: StateKeeper | undefined;
  /** Gets the name of each file, in the order of listing. */
  onFile?: ((name: string) => void) | undefined;
}

/**
 * Scans the inputs in order, and ends `sink`. Writes unreadable inputs to `sink` as failures, and continues with the others. Rejects with
 * the signal's reason, with WorkerError, with errors of the sink, and with `failFast` with the first SourceError.
 */
export async function scanFiles(inputs: Iterable<Input>, options: ScanFilesOptions, sink: Sink): Promise<Totals> {
  const { position, workMillisecondsLeast = WORK_MILLISECONDS_LEAST } = options;
  const mayShare = options.threads !== 1;
  const scan = new FilesScan(options, sink, mayShare);
  const listed = listInputs(inputs, options);
  const begun = scan.states?.takeScanned(listed);
  if (position !== undefined) position.readBefore = scan.states?.bytesBefore ?? 0;
  const work = new RemainingWork(listed, begun?.source, workMillisecondsLeast);
  const steps = planSteps(work, scan.plan, begun);
  try {
    for (const step of steps) {
      if (mayShare && work.needsWorkers(step, scan.bytesRead)) await scan.share(step, steps);
      else await scan.finish({ step });
    }
    await scan.ordered.sink.end();
    return scan.ordered.totals;
  } finally {
    for (const file of scan.plan.open) file.close();
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

/** A step whose results have not been written. */
interface PendingStep {
  readonly step: Step;
  /** The task: queued, with a worker, or with this thread before its turn. Absent: this thread carries the step out at its turn. */
  run?: TaskRun | undefined;
}

class FilesScan {
  readonly states: ScanStates | undefined;
  readonly ordered: OrderedResults;
  readonly #read: ReadCounter | undefined;
  readonly plan: CutOptions;
  readonly #options: ScanFilesOptions;
  #context: ScanContext;
  readonly #pending: PendingStep[] = [];
  /** Bytes of the results that this thread keeps. */
  readonly #kept = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

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
      open: new Set(),
    };
  }

  get bytesRead(): number {
    return Number(this.#read?.[0] ?? 0);
  }

  /** Finishes `first` and the steps after it, on as many threads as there are parts: one file that cannot be cut needs no worker. */
  async share(first: Step, rest: Generator<Step>): Promise<void> {
    const { threads = process.getBuiltinModule("node:os").availableParallelism() } = this.#options;
    const ahead = [first];
    let parts = 1;
    while (parts < threads) {
      const { done, value } = rest.next();
      if (done === true) break;
      ahead.push(value);
      if (value.kind === "parts") parts++;
    }
    if (parts > 1) await this.#shareAmong(parts, [ahead, rest]);
    else for (const step of ahead) await this.finish({ step });
  }

  async #shareAmong(threads: number, lists: readonly Iterable<Step>[]): Promise<void> {
    const { settings, signal, scansHere = false, fewerThreads, rangeBytes } = this.#options;
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
      const isAlone = !scansHere && !(await pool.hasStarted);
      for (const steps of lists) for (const step of steps) await (isAlone ? this.finish({ step }) : this.#add(step, pool));
      while (this.#pending.length > 0) await this.#advance(pool);
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
    }
  }

  /** Appends a step. Resolves when there is room for another. Rejects with WorkerError, errors of the sink, and as `finish` does. */
  async #add(step: Step, pool: WorkerPool): Promise<void> {
    const { threads, open } = this.plan;
    const run = step.kind === "parts" ? pool.run({ kind: "files", parts: step.parts, read: this.#read }) : undefined;
    this.#pending.push({ step, run });
    const isFull = (): boolean => pool.queued >= threads || this.#pending.length >= STEPS_OF_THREAD * threads || open.size > 2 * threads;
    while (isFull()) await this.#advance(pool);
  }

  async #advance(pool: WorkerPool): Promise<void> {
    const [first] = this.#pending;
    const recalled = (await this.#deliverReady(first)) || this.#options.scansHere !== true ? undefined : pool.recall();
    const own = recalled && this.#pending.find(({ run }) => run === recalled);
    if (own !== undefined && own !== first) return await this.#scanEarly(own);
    if (own === first) first.run = undefined;
    await this.#finishFirst();
  }

  /** Writes the available results of the first step; returns whether it can be finished without waiting for a worker. */
  async #deliverReady({ step, run }: PendingStep): Promise<boolean> {
    this.ordered.begin(step);
    return run === undefined || (await run.deliverReady(this.ordered.sink));
  }

  async #finishFirst(): Promise<void> {
    await this.finish(this.#pending[0]);
    this.#pending.shift();
  }

  async #scanEarly(one: PendingStep): Promise<void> {
    const { step, run } = one;
    if (step.kind !== "parts" || run === undefined) return;
    const write: Sink["write"] = (result) => {
      const size = sizeOf(result);
      Atomics.add(this.#kept, 0, size);
      // `bytes` is a view of memory that will be overwritten.
      const kept = result.kind === "bytes" ? { ...result, bytes: result.bytes.slice() } : result;
      run.add({ result: kept, size, unread: this.#kept });
    };
    const wait = (): Promise<void> => this.#catchUp(one).catch(this.ordered.fail);
    const sink = await taskSink(this.#options.settings, { write, wait, end: () => undefined });
    const own = { ...this.#context, sink, totals: emptyTotals() };
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

  /** Writes the results of the next step. A step without results of a worker or of this thread is carried out here. */
  async finish({ step, run }: PendingStep): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const ordered = this.ordered;
    ordered.begin(step);
    if (step.kind === "failed" || step.kind === "omitted") ordered.sink.write(step);
    else if (step.kind === "close") step.close();
    else if (step.kind === "stream") await finishScan(step.source.name, this.#stream(step.source), this.#context);
    else if (run !== undefined) ordered.add(await run.deliver(ordered.sink));
    else if (!ordered.isDropped)
      for (const part of step.parts) {
        ordered.setSource(part.name);
        await finishScan(part.name, scanFile(part, this.#context), this.#context);
      }
    ordered.end();
    await this.states?.reached(step, isOver(step), ordered.messagesBefore, ordered.totals);
  }

  *#stream(source: FileSource): Steps<undefined> {
    const stream = yield* resultOf(openStream(source));
    const chunks = new ReadMeter(this.#context.read).count(readNamed(stream, source.name, this.#options.signal));
    this.ordered.setSource(source.name);
    yield* scanMembers({ name: source.name, chunks }, this.plan.range, this.#context);
  }
}
