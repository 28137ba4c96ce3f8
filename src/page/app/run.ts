// A run over inputs: several workers scan in parallel, and another one sums their counts.
import { FORMAT_BYTES, fileFormatOf, isContainer } from "../../input/input-format.ts";
import { EVERYTHING, type ScanSettings, settingsOf } from "../../options/options.ts";
import { isRangeable, isReadByMessage } from "../../scan/range.ts";
import { shownOptions } from "../../summary/hidden.ts";
import { ROWS_MOST } from "../../summary/make-summary.ts";
import { SUMMARY_FIELDS, type Summary, type SummaryRun } from "../../summary/summary.ts";
import { groupsOf, openInput, type PageInput, type PagePart } from "./input-bytes.ts";
import type { ChosenOptions } from "./option-form.ts";
import { PageWorker } from "./page-worker.ts";
import type { Reply } from "./scan-worker.ts";

export interface RunProgress {
  readonly bytes: number;
  readonly bytesAll: number;
  readonly seconds: number;
  /** Messages about inputs that were not read to their end: the first FAILURES_MOST. */
  readonly failures: readonly string[];
  readonly failureCount: number;
}

const [FAILURES_MOST, INPUTS_MOST] = [20, 1000];

export class PageRun {
  readonly inputs: readonly PageInput[];
  readonly options: ChosenOptions;
  readonly #progressed: () => void;
  readonly #summarized: (summary: Summary, isLast: boolean) => void;
  readonly #scanners: PageWorker[] = [];
  readonly #sum: PageWorker;
  readonly #began = performance.now();
  readonly #started = new Date().toISOString();
  readonly #read = { bytes: 0, bytesAll: 0, failures: [] as string[], failureCount: 0 };
  isStopped = false;
  #isEnded = false;

  /** `summarized` is called with the summary of what was read so far, now and then, and at the end. */
  constructor(
    inputs: readonly PageInput[],
    options: ChosenOptions,
    progressed: () => void,
    summarized: (summary: Summary, isLast: boolean) => void,
  ) {
    [this.inputs, this.options] = [inputs, options];
    [this.#progressed, this.#summarized] = [progressed, summarized];
    for (const { size } of inputs) this.#read.bytesAll += size;
    this.#sum = new PageWorker((reply) => {
      if (reply.kind === "summary") this.#show(reply.summary, false);
    });
  }

  get progress(): RunProgress {
    return { ...this.#read, seconds: (performance.now() - this.#began) / 1000 };
  }

  /** Scans until all inputs are read or the run is stopped. Rejects if a worker fails or the run is ended. */
  async scan(): Promise<void> {
    try {
      const { values } = this.options;
      const settings: ScanSettings = { ...settingsOf({ ...values, by: SUMMARY_FIELDS }), format: "summary", rejected: true };
      const lists = planParts(this.inputs, settings);
      const nextParts = async () => (await lists.next()).value || undefined;
      // One worker for each list of parts, but at most one for each processor.
      const first: (readonly PagePart[])[] = [];
      for (let parts = await nextParts(); parts !== undefined; parts = await nextParts()) {
        if (first.push(parts) >= navigator.hardwareConcurrency) break;
      }
      if (this.#isEnded) throw new Error("the run was ended");
      const channels = first.map(() => new MessageChannel());
      const ports = channels.map(({ port2 }) => port2);
      await Promise.all([
        this.#sum.ask("sum", [ports, values.top ?? ROWS_MOST], ports),
        ...channels.map(async ({ port1 }) => {
          const scanner = new PageWorker((reply) => this.#take(reply));
          this.#scanners.push(scanner);
          await scanner.ask("begin", [settings, port1], [port1]);
          for (let parts = first.shift(); parts !== undefined && !this.isStopped; parts = await nextParts())
            await scanner.ask("scan", [parts]);
          await scanner.ask("flush", []);
        }),
      ]);
      const last = await this.#sum.ask("finish", []);
      if (last !== undefined) this.#show(last, true);
    } finally {
      this.end();
    }
  }

  /** Ends the scan early. The last summary is of what was read. */
  stop(): void {
    this.isStopped = true;
    for (const scanner of this.#scanners) scanner.stop();
  }

  /** Ends all workers, without a last summary. */
  end(): void {
    this.#isEnded = true;
    for (const worker of [...this.#scanners, this.#sum]) worker.end();
  }

  #show(summary: Summary, isLast: boolean): void {
    // While the scan runs, some bytes have been read that are not yet in the counts.
    const bytes = isLast ? summary.totals.bytes : Math.max(summary.totals.bytes, this.#read.bytes);
    const run: SummaryRun = {
      started: this.#started,
      seconds: this.progress.seconds,
      threads: this.#scanners.length,
      options: shownOptions(this.options.given),
      inputs: this.inputs.slice(0, INPUTS_MOST).map(({ name }) => name),
    };
    this.#summarized({ ...summary, run, totals: { ...summary.totals, bytes } }, isLast);
  }

  #take(reply: Reply): void {
    const read = this.#read;
    if (reply.kind === "read") read.bytes += reply.bytes;
    if (reply.kind === "failed" && ++read.failureCount <= FAILURES_MOST) read.failures.push(reply.message);
    this.#progressed();
  }
}

// Cuts the inputs of a run into lists of parts. A list is one task of a worker.

/** Bytes of a range. A larger input is cut into ranges, if its format can be read from any offset on. */
const RANGE_BYTES = 32 << 20;

async function* planParts(inputs: readonly PageInput[], settings: ScanSettings): AsyncGenerator<readonly PagePart[]> {
  for (const group of groupsOf(inputs)) {
    const [only] = group;
    if (only !== undefined && only.size > RANGE_BYTES) for (const part of await cut(only, settings)) yield [part];
    else yield group;
  }
}

async function cut(input: PageInput, settings: ScanSettings): Promise<PagePart[]> {
  const format = fileFormatOf(settings.type, await openInput(input).load(0, FORMAT_BYTES));
  const byMessage = isReadByMessage(format, settings);
  if (isContainer(format) || !(byMessage || isRangeable(format, settings))) return [{ ...input, format, ...EVERYTHING }];
  const parts: PagePart[] = [];
  for (let from = 0; from < input.size; from += RANGE_BYTES) {
    const isLast = from + RANGE_BYTES >= input.size;
    parts.push({ ...input, format, byMessage, from, to: isLast ? EVERYTHING.to : from + RANGE_BYTES });
  }
  return parts;
}
