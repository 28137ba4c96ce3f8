// The entry of a worker thread: takes tasks, posts their results while it goes on.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type CompiledCore, releaseCore, takeCore, useCompiledCore } from "../core/core.ts";
import { internalError, SourceError } from "../errors.ts";
import type { ScanSettings } from "../options.ts";
import { formatted, scanOptionsOf } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { Scanner } from "../scanner/scanner.ts";
import { PortSink } from "./port-sink.ts";
import { scanPart } from "./scan-part.ts";
import { type BlockTask, type BrokenTask, type FilesTask, READY, type SentTask } from "./task.ts";
import { addCounts, emptyTotals, type Totals } from "./totals.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
useCompiledCore(workerData as CompiledCore);
const portSink = new PortSink(port);

let last: Promise<void> = Promise.resolve();

// One after the other, also where one waits for what is being unpacked.
port.on("message", (task: SentTask) => {
  last = last.then(() => runTask(task)).catch((cause: unknown) => port.postMessage({ id: task.id, cause } satisfies BrokenTask));
});
port.postMessage(READY);

async function runTask({ id, settings, work }: SentTask): Promise<void> {
  const totals = emptyTotals();
  portSink.begin(id);
  const sink = formatted(settings, portSink);
  if (work.kind === "files") await scanFiles(work, settings, sink, totals);
  else scanBlock(work, settings, sink, totals);
  sink.end();
  portSink.finish(totals);
}

async function scanFiles(work: FilesTask, settings: ScanSettings, sink: Sink, totals: Totals): Promise<void> {
  for (const part of work.parts) {
    try {
      for (const opened of scanPart(part, settings, { sink, failureOf }, totals)) if (opened !== undefined) await opened;
    } catch (error) {
      sink.write({ kind: "failed", error: failureOf(part.name, error) });
    }
  }
}

function failureOf(source: string | undefined, error: unknown): SourceError {
  return error instanceof SourceError ? error : internalError(source, error);
}

function scanBlock(work: BlockTask, settings: ScanSettings, sink: Sink, totals: Totals): void {
  const { offset, from, to } = work;
  const core = takeCore();
  const scanner = new Scanner(core, scanOptionsOf(settings, "text"), sink, { offset, from, to });
  scanner.write(work.bytes);
  if (!work.last && !scanner.done) throw new Error(`the block at byte ${from} came with too few bytes behind it`);
  scanner.end();
  addCounts(totals, scanner.counts);
  releaseCore(core);
}
