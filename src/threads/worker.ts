// The entry of a worker thread, which takes tasks and posts their results.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore, useCompiledCore } from "../core/core.ts";
import { Pacer } from "../input/pacer.ts";
import type { ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { openScanner } from "../run/open-scanner.ts";
import { scanFile } from "../run/scan-file.ts";
import { addCounts, emptyTotals, type Totals } from "../run/totals.ts";
import { END } from "./end-threads.ts";
import { PortSink } from "./port-sink.ts";
import { type BlockTask, type BrokenTask, type FilesTask, READY, type SentTask, type WorkerStart } from "./task.ts";
import { taskSink } from "./task-sink.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
const { core, unread } = workerData as WorkerStart;
useCompiledCore(core);
// A thread without memory for a core does not start.
releaseCore(takeCore());
const portSink = new PortSink(port, unread);
const end = new AbortController();
const pacer = new Pacer(end.signal);

let last: Promise<void> = Promise.resolve();

// One task after the other, also where one waits for a decoder.
port.on("message", (message: SentTask | typeof END) => {
  if (message === END) {
    end.abort();
    last = last.then(() => port.close());
    return;
  }
  last = last.then(() => runTask(message)).catch((cause: unknown) => port.postMessage({ id: message.id, cause } satisfies BrokenTask));
});
port.postMessage(READY);

async function runTask({ id, settings, work }: SentTask): Promise<void> {
  end.signal.throwIfAborted();
  const totals = emptyTotals();
  portSink.begin(id);
  const sink = await taskSink(settings, portSink);
  if (work.kind === "files") await scanFiles(work, settings, sink, totals);
  else scanBlock(work, settings, sink, totals);
  sink.end();
  portSink.finish(totals);
}

async function scanFiles(work: FilesTask, settings: ScanSettings, sink: Sink, totals: Totals): Promise<void> {
  for (const part of work.parts) {
    try {
      for await (const _ of scanFile(part, settings, { sink, failureOf, read: work.read }, totals, pacer)) await pacer.pause();
    } catch (error) {
      end.signal.throwIfAborted();
      sink.write({ kind: "failed", error: failureOf(part.name, error) });
    }
  }
}

function failureOf(source: string | undefined, error: unknown): SourceError {
  return error instanceof SourceError ? error : internalError(source, error);
}

function scanBlock(work: BlockTask, settings: ScanSettings, sink: Sink, totals: Totals): void {
  const { offset, from, to } = work;
  const { scanner, core } = openScanner(settings, "text", sink, { offset, from, to });
  try {
    scanner.write(work.bytes);
    if (!work.last && !scanner.done) throw new Error(`the block at byte ${from} came with too few bytes after it`);
    scanner.end();
    addCounts(totals, scanner.counts);
  } finally {
    releaseCore(core);
  }
}
