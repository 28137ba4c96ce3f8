// Many files in order: on this thread where they are few, on workers where they are many.
import { closeSync } from "node:fs";
import { internalError, SourceError } from "../errors.ts";
import { readNamed } from "../input/chunks.ts";
import { Pacer } from "../input/pacer.ts";
import { type FileSource, type Input, type Listed, listSources, Omitted } from "../input/paths.ts";
import { openStream } from "../input/stream.ts";
import { countOmission } from "../omission.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import { deliver } from "./deliver.ts";
import { planSteps, RANGE_BYTES, type Step } from "./plan.ts";
import { type SourceResults, scanMembers } from "./scan-members.ts";
import { scanPart } from "./scan-part.ts";
import type { FilePart } from "./task.ts";
import { addTotals, emptyTotals, type Totals } from "./totals.ts";
import { type FewerThreads, type TaskRun, WorkerPool } from "./worker-pool.ts";

/** With fewer bytes than this the workers would start for nothing. */
const POOL_BYTES_LEAST = 512 << 20;
/** What a file costs beside its bytes, in bytes that are scanned in the same time. */
const FILE_COST_BYTES = 1 << 16;

/** How a list of inputs is scanned. */
export interface ScanFilesOptions {
  settings: ScanSettings;
  /** Undefined: as many as this process may use. */
  threads: number | undefined;
  range?: OwnedRange | undefined;
  signal?: AbortSignal | undefined;
  /** The first source that cannot be read ends the scan. */
  failFast?: boolean;
  /** The outputs, by `identityOf`: in a folder they are left out, as an input of their own they are an error. */
  outputs?: ReadonlySet<string>;
  /** Bytes of a large file that one task owns. */
  rangeBytes?: number;
  /** Bytes from which on workers are used. */
  poolBytesLeast?: number;
  /** This thread is one of `threads`: it scans while the workers start, and then its share. Else it only hands on what the workers find. */
  scansHere?: boolean;
  /** Called once at most, where fewer threads scan than were asked for. */
  fewerThreads?: FewerThreads | undefined;
}

/**
 * Scans the inputs in order, and ends `sink`. What cannot be read goes there too, the others are still read.
 * Rejects with the signal's reason, with WorkerError, with what the sink throws, and with `failFast` with the first SourceError.
 */
export async function scanFiles(inputs: Iterable<Input>, options: ScanFilesOptions, sink: Sink): Promise<Totals> {
  const scan = new FilesScan(options, sink);
  const sources = scan.listed(inputs);
  if (options.threads === 1) return await scan.inPlace(sources);
  const { head, isEnough } = takeHead(sources, options.poolBytesLeast ?? POOL_BYTES_LEAST);
  if (!isEnough) return await scan.inPlace(head);
  const threads = options.threads ?? process.getBuiltinModule("node:os").availableParallelism();
  return await (threads === 1 ? scan.inPlace(chain(head, sources)) : scan.withWorkers(chain(head, sources), threads));
}

/** Lists sources until they cost `least` bytes to scan, or all. */
function takeHead(sources: Iterator<Listed>, least: number): { head: Listed[]; isEnough: boolean } {
  const head: Listed[] = [];
  let bytes = 0;
  while (head.length === 0 || bytes < least) {
    const next = sources.next();
    if (next.done === true) return { head, isEnough: false };
    head.push(next.value);
    if ("size" in next.value) bytes += next.value.size + FILE_COST_BYTES;
  }
  return { head, isEnough: true };
}

function* chain<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}

class FilesScan {
  readonly #options: ScanFilesOptions;
  readonly #range: OwnedRange;
  /** Takes everything, and counts what was not read. */
  readonly #sink: Sink;
  /** The same for what is scanned on this thread. */
  readonly #results: SourceResults;
  /** What the sink has thrown: its errors are none of a source. */
  #thrown: unknown;
  readonly #totals = emptyTotals();
  readonly #pacer: Pacer;
  #lastFailure: SourceError | undefined;

  constructor(options: ScanFilesOptions, sink: Sink) {
    this.#options = options;
    this.#range = options.range ?? EVERYTHING;
    this.#pacer = new Pacer(options.signal);
    const watched = this.#watched(sink);
    this.#sink = before(watched, (result) => this.#write(result, watched));
    this.#results = {
      sink: formatted(options.settings, this.#sink),
      failureOf: (source, error) => this.#failureOf(source, error),
    };
  }

  *listed(inputs: Iterable<Input>): Generator<Listed, undefined> {
    const { outputs } = this.#options;
    for (const source of listSources(inputs)) {
      if (!("identity" in source) || outputs?.has(source.identity) !== true) yield source;
      else if (source.named) yield new SourceError("ERR_IS_OUTPUT", source.name, "is also the output and was not read");
      else yield new Omitted({ reason: "output", source: source.name });
    }
  }

  async inPlace(sources: Iterable<Listed>): Promise<Totals> {
    for (const source of sources) {
      this.#options.signal?.throwIfAborted();
      if (source instanceof SourceError) this.#failed(source);
      else if (source instanceof Omitted) this.#sink.write({ kind: "omitted", omission: source.omission });
      else if (source.regular) await this.#partInPlace({ file: source.file, name: source.name, size: source.size, ...this.#range });
      else await this.#stream(source);
    }
    await this.#sink.end();
    return this.#totals;
  }

  async withWorkers(sources: Iterable<Listed>, threads: number): Promise<Totals> {
    const { settings, signal, scansHere = false, fewerThreads } = this.#options;
    const open = new Set<number>();
    const waiting: { step: Step; run: TaskRun | undefined }[] = [];
    const pool = await WorkerPool.start(scansHere ? threads - 1 : threads, settings, (count, reason) =>
      fewerThreads?.(scansHere ? count + 1 : Math.max(count, 1), reason),
    );
    const abort = (): void => void pool.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // Where no worker can start, this thread does it all.
      const isAlone = !scansHere && !(await pool.hasStarted());
      let index = 0;
      for (const step of planSteps(sources, this.#range, this.#options.rangeBytes ?? RANGE_BYTES, settings, open)) {
        signal?.throwIfAborted();
        const isStarting = isAlone || (scansHere && !pool.isReady);
        const isHere = isStarting || step.kind !== "parts" || (scansHere && index++ % (pool.size + 1) === 0);
        waiting.push({ step, run: isHere ? undefined : pool.run({ kind: "files", parts: step.parts }) });
        // The workers have something to do before this thread turns to a step of its own.
        if (!isStarting && waiting.length <= 2 * threads) continue;
        await this.#finish(waiting[0].step, waiting[0].run, open);
        waiting.shift();
      }
      for (const { step, run } of waiting) await this.#finish(step, run, open);
      await this.#sink.end();
    } finally {
      signal?.removeEventListener("abort", abort);
      await pool.stop();
      for (const fd of open) closeSync(fd);
    }
    return this.#totals;
  }

  async #finish(step: Step, run: TaskRun | undefined, open: Set<number>): Promise<void> {
    if (step.kind === "failed" || step.kind === "omitted") this.#sink.write(step);
    if (step.kind === "stream") await this.#stream(step.source);
    if (step.kind !== "parts") return;
    if (run !== undefined) addTotals(this.#totals, await deliver(run, this.#sink));
    else for (const part of step.parts) await this.#partInPlace(part);
    if (step.closes !== undefined) {
      closeSync(step.closes);
      open.delete(step.closes);
    }
  }

  async #partInPlace(part: FilePart): Promise<void> {
    try {
      for (const opened of scanPart(part, this.#options.settings, this.#results, this.#totals, this.#options.signal)) {
        if (opened !== undefined) await opened;
        await this.#pause();
      }
    } catch (error) {
      this.#failed(this.#failureOf(part.name, error));
    }
    await this.#pause();
  }

  // Between two reads: waits for the sink, and for a turn of the event loop, which brings signals, when one is due.
  async #pause(): Promise<void> {
    const pause = this.#sink.wait();
    if (pause !== undefined) await pause;
    await this.#pacer.pause();
  }

  async #stream(source: FileSource): Promise<void> {
    const { settings, signal } = this.#options;
    try {
      const chunks = readNamed(await openStream(source), source.name, signal);
      await scanMembers({ name: source.name, chunks }, settings, this.#range, this.#results, this.#totals, signal);
    } catch (error) {
      this.#failed(this.#failureOf(source.name, error));
    }
  }

  #watched(sink: Sink): Sink {
    const note = (error: unknown): never => {
      this.#thrown = error;
      throw error;
    };
    const watch = <Args extends unknown[], Result>(call: (...args: Args) => Result): ((...args: Args) => Result) => {
      return (...args) => {
        try {
          return call(...args);
        } catch (error) {
          return note(error);
        }
      };
    };
    return {
      write: watch((result) => sink.write(result)),
      wait: watch(() => sink.wait()?.catch(note)),
      end: watch(() => sink.end()?.catch(note)),
    };
  }

  /** Returns what ended the reading of a source. Throws what ends the scan: errors of the sink, and the signal's reason. */
  #failureOf(source: string | undefined, error: unknown): SourceError {
    this.#options.signal?.throwIfAborted();
    if (error === this.#thrown || error === this.#lastFailure) throw error;
    if (error instanceof SourceError) return error;
    return internalError(source, error);
  }

  #failed(error: SourceError): void {
    this.#sink.write({ kind: "failed", error });
  }

  #write(result: Result, sink: Sink): void {
    if (result.kind === "omitted") countOmission(this.#totals.omitted, result.omission);
    if (result.kind === "failed") this.#countFailure(result.error, sink);
    else sink.write(result);
  }

  #countFailure(error: SourceError, sink: Sink): void {
    const last = this.#lastFailure;
    // Each part of a file that became shorter says so.
    if (last !== undefined && error.code === "ERR_TRUNCATED" && last.source === error.source && last.message === error.message) return;
    this.#lastFailure = error;
    this.#totals.skipped++;
    sink.write({ kind: "failed", error });
    if (this.#options.failFast === true) throw error;
  }
}
